/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of radios (world/radio.h) and of the air between them (world/medium.h). */
#ifndef MF_FLEET_SCENARIO_RADIO_H
#define MF_FLEET_SCENARIO_RADIO_H

#include "fleet/scenario_search.h"
#include "world/medium.h"

/** Contents of a packet: word. */
#define MF_SCENARIO_MESSAGE_LIST(X) X(BYTES, "bytes") X(POSITION, "position")

/* clang-format off */
#define X(name, word) MF_SCENARIO_MESSAGE_##name,
enum mf_scenario_message { MF_SCENARIO_MESSAGE_LIST(X) MF_SCENARIO_MESSAGES };
#undef X
/* clang-format on */

/** Radio of an entity. */
struct mf_scenario_radio {
    int line;
    int32_t kind;            /**< enum mf_radio_kind; -1: no radio */
    uint32_t level, channel; /**< MF_RADIO_OWN: not set */
    double power_dbm;        /**< NAN: that of the level */
    int32_t antenna;         /**< enum mf_antenna_kind */
    double gain_db[MF_ANTENNA_ANGLES];
    double axis_neu[3];
    struct mf_scenario_own own, gain; /**< entries of plug-ins: radio of kind OTHER; antenna */
};

/** Packets that each member broadcasts. */
struct mf_scenario_send {
    int line;
    double every_s; /**< 0: no packets */
    double start_s;
    int32_t message; /**< enum mf_scenario_message */
    uint32_t size;
    uint8_t bytes[MF_PACKET_BYTES_MAX];
};

/** Air of a scenario. */
struct mf_scenario_medium {
    int32_t path;    /**< enum mf_path */
    double noise[2]; /**< mean [dBm], standard deviation [dB] */
    double range_m;
    int32_t compat;             /**< 1: simbeeotic */
    struct mf_scenario_own own; /**< path OTHER: entry of the plug-in */
    int line;
};

/** Tables, parts of the scenario's table (scenario_keys.c). */
extern const struct mf_keys mf_scenario_radio_keys;
extern const struct mf_keys mf_scenario_send_keys;
extern const struct mf_keys mf_scenario_medium_keys;

/** Check that path loss and noise of the medium are possible. */
mf_scenario_check mf_scenario_medium_check;
/** Check that an entity's radio exists, and that its packets have a radio and an end. */
mf_entity_check mf_scenario_radio_check;

/** @brief Set the values that the file need not give. */
void mf_scenario_radio_defaults(struct mf_scenario_radio *r, struct mf_scenario_send *s);
void mf_scenario_medium_defaults(struct mf_scenario_medium *m);

/** @brief Build the radio that the settings describe. @return MF_E_OK; MF_E_RANGE: its kind lacks
 * the level or the channel */
int mf_scenario_radio(const struct mf_scenario_radio *r, struct mf_radio *radio);

#endif
