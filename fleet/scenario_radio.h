/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of radios (world/radio.h) and the air between them (world/medium.h), and
 * its keys. */
#ifndef MF_FLEET_SCENARIO_RADIO_H
#define MF_FLEET_SCENARIO_RADIO_H

#include "fleet/keys.h"
#include "fleet/scenario_search.h"
#include "world/medium.h"

/** What is sent: word. */
#define MF_SCENARIO_MESSAGE_LIST(X) X(BYTES, "bytes") X(POSITION, "position")

/* clang-format off */
#define X(name, word) MF_SCENARIO_MESSAGE_##name,
enum mf_scenario_message { MF_SCENARIO_MESSAGE_LIST(X) MF_SCENARIO_MESSAGES };
#undef X
/* clang-format on */

/** Of an entity. */
struct mf_scenario_radio {
    int line;
    int32_t kind;            /**< enum mf_radio_kind; -1: it has none */
    uint32_t level, channel; /**< MF_RADIO_OWN: not given */
    double power_dbm;        /**< NAN: by its level */
    int32_t antenna;         /**< enum mf_antenna_kind */
    double gain_db[MF_ANTENNA_ANGLES];
    double axis_neu[3];
    struct mf_scenario_own own, gain; /**< of plug-ins: the radio of kind OTHER; its antenna */
};

/** What each member broadcasts. */
struct mf_scenario_send {
    int line;
    double every_s; /**< 0: nothing */
    double start_s;
    int32_t message; /**< enum mf_scenario_message */
    uint32_t size;
    uint8_t bytes[MF_PACKET_BYTES_MAX];
};

/** Of the scenario. */
struct mf_scenario_medium {
    int32_t path;    /**< enum mf_path */
    double noise[2]; /**< mean [dBm], standard deviation [dB] */
    double range_m;
    int32_t compat;             /**< 1: simbeeotic */
    struct mf_scenario_own own; /**< path loss of a plug-in: OTHER */
    int line;
};

/** Tables, for those of the scenario (scenario_keys.c). */
extern const struct mf_keys mf_scenario_radio_keys;
extern const struct mf_keys mf_scenario_send_keys;
extern const struct mf_keys mf_scenario_medium_keys;

/** @brief What stands where nothing is given. */
void mf_scenario_radio_defaults(struct mf_scenario_radio *r, struct mf_scenario_send *s);
void mf_scenario_medium_defaults(struct mf_scenario_medium *m);

/** @brief The radio that is meant. @return MF_E_OK; MF_E_RANGE: its kind has no such level or
 * channel */
int mf_scenario_radio(const struct mf_scenario_radio *r, struct mf_radio *radio);

#endif
