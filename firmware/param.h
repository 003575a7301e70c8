/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Parameters: one table (params.def), their values, and MAVLink's parameter protocol.
 *
 * Two types exist, as in PX4: int32 and float. Values are kept as 32 bits each, so that what a
 * client wrote comes back bit for bit. The order of the table (ascending names) is the order of
 * PARAM_VALUE indices.
 */
#ifndef MF_FIRMWARE_PARAM_H
#define MF_FIRMWARE_PARAM_H

#include "firmware/link.h"

/** Length of a name on the wire, without a NUL where it fills it [characters]. */
#define MF_PARAM_NAME_MAX 16u

/* clang-format off */
enum mf_param {
#define P(name, type, value, min, max, unit, doc) MF_PARAM_##name,
#include "firmware/params.def"
    MF_PARAM_COUNT
};
/* clang-format on */

/** A value, by its type or as bits. */
union mf_param_value {
    uint32_t bits;
    int32_t i;
    float f;
};

/** What the table says of a parameter. */
struct mf_param_info {
    char name[MF_PARAM_NAME_MAX + 1u];
    bool is_float;
    union mf_param_value value, min, max; /**< default and range */
};

struct mf_params {
    uint32_t value[MF_PARAM_COUNT]; /**< bits: int32 or float */
    uint8_t
        overridden[(MF_PARAM_COUNT + 7u) / 8u]; /**< bit per parameter: from the configuration */
    uint8_t again[(MF_PARAM_COUNT + 7u) / 8u];  /**< bit per parameter: is told once more */
    mf_us_t again_us;                           /**< at this transport time; MF_NEVER: none is */
    bool unsaved;                               /**< something changed since the last save */
    bool lost;        /**< that failed, and nobody has heard of a better end yet */
    mf_us_t retry_us; /**< transport time: not tried again before */
};

/** @brief A bit per parameter: is it set? */
bool mf_param_marked(const uint8_t *marks, enum mf_param param);

/** @brief The same: set it, or not. */
void mf_param_mark(uint8_t *marks, enum mf_param param, bool on);

/** @brief All defaults, which depend on the vehicle's options. */
void mf_param_reset(struct mf_vehicle *v);

/** @brief Values saved earlier, by name; unknown names and values out of range are skipped. @return
 * how many were taken */
int mf_param_load(struct mf_vehicle *v);

/** @brief Write all that differ from the defaults to the store. What the configuration overrides
 * stays there as it is.
 * @return MF_E_OK, also without any store; MF_E_IO: it failed, or they do not fit; the store is as
 * before */
int mf_param_save(struct mf_vehicle *v);

/** @brief What the table says. @return static */
const struct mf_param_info *mf_param_info(enum mf_param param);

/** @brief By name, at most MF_PARAM_NAME_MAX characters, need not be NUL-terminated there. @return
 * enum mf_param, MF_E_NOENT */
int mf_param_find(const char *name);

/** @brief A float parameter's value, limited to its range. Asserts that it is one. */
float mf_param_f(const struct mf_vehicle *v, enum mf_param param);

/** @brief An integer parameter's value, limited to its range. Asserts that it is one. */
int32_t mf_param_i(const struct mf_vehicle *v, enum mf_param param);

/**
 * @brief Set by bits and tell every link (PARAM_VALUE), mark for saving. Every link is told of a change
 * once more, unasked, 5 ms later.
 * @return MF_E_OK; MF_E_RANGE: not finite, or outside the table's range where PX4's rules do not
 * hold: PX4 does not check; MF_E_DENIED: read-only
 */
int mf_param_set(struct mf_vehicle *v, enum mf_param param, uint32_t bits);

/** @brief The vehicle counts on: a value in the table's range for a VOLATILE parameter, which is saved
 * and, as in PX4, not told. */
void mf_param_count(struct mf_vehicle *v, enum mf_param param, uint32_t bits);

/** @brief Give a value from the board's configuration: numeric, converted to the parameter's type;
 * not saved.
 * @return MF_E_OK, MF_E_NOENT, MF_E_RANGE */
int mf_param_override(struct mf_vehicle *v, const char *name, double value);

/** @brief PX4's parameter hash: CRC-32 over names and values in index order, without those that the
 * vehicle counts (VOLATILE in params.def). */
uint32_t mf_param_hash(const struct mf_vehicle *v);

/** @brief PARAM_VALUE of a parameter. */
void mf_param_encode(const struct mf_vehicle *v, enum mf_param param, struct mf_msg_param_value *m);

/* Handlers (param_io.c). Refusals: PARAM_ERROR to who asked, and for PARAM_SET a STATUSTEXT and the
 * value that holds. Two names are answered without being parameters, with index 65535, and cannot
 * be set: `_HASH_CHECK` (UINT32, see mf_param_hash()) and `HOME_POSITION` (SIM-032; REAL32: 1 when
 * home is set, 0 before; the place itself is in the message HOME_POSITION). */
void mf_on_param_request_read(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_read *m, mf_us_t now_us);
void mf_on_param_request_list(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_list *m, mf_us_t now_us);
void mf_on_param_set(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_param_set *m,
                     mf_us_t now_us);

/* Extended parameters are cameras': PX4's autopilot has none and says nothing. Here a set is refused
 * at once (PARAM_EXT_ACK, FAILED), unless rules are strict; what is read or listed has no refusal
 * in MAVLink, and ends with the client's time-out. */
void mf_on_param_ext_set(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_param_ext_set *m, mf_us_t now_us);

/** @brief Task on transport time: lists go on as the links have room; changed values are saved, and
 * told again.
 * @return next due time [transport], MF_NEVER when there is nothing to do */
mf_us_t mf_params_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
