/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/param.h, without functions. */
#ifndef MF_FIRMWARE_STATE_PARAM_H
#define MF_FIRMWARE_STATE_PARAM_H

#include "hal/types.h"
#include "mavlink/message.h"

/** Length of a name on the wire, without a NUL where it fills it [characters]. */
#define MF_PARAM_NAME_MAX 16u

/* clang-format off */
enum mf_param {
#define P(name, type, value, min, max, unit, doc) MF_PARAM_##name,
#include "firmware/state/params.def"
    MF_PARAM_COUNT
};
/* clang-format on */

/** A value, by its type or as bits. */
union mf_param_value {
    uint32_t bits;
    int32_t i;
    float f;
};

/** Row of the table of parameters. */
struct mf_param_info {
    char name[MF_PARAM_NAME_MAX + 1u];
    bool is_float;
    union mf_param_value value, min, max; /**< default and range */
};

/** Result of automatic saving. */
enum mf_save {
    MF_SAVE_QUIET,     /**< nothing that people do not expect */
    MF_SAVE_FAILED,    /**< the store took nothing; said each time, for those who come later */
    MF_SAVE_RECOVERED, /**< it takes them again, after it had failed */
};

/** Bytes of a set with a bit per parameter. */
#define MF_PARAM_MARKS ((MF_PARAM_COUNT + 7u) / 8u)

/**
 * Values of the parameters of a vehicle; names, types, ranges and defaults are constants of all
 * vehicles. A value has 32 bits whatever its range: clients receive the bits that they wrote, and
 * with PX4's rules it may be outside the range.
 */
struct mf_params {
    uint32_t value[MF_PARAM_COUNT]; /**< bits: int32 or float */
    uint8_t
        overridden[MF_PARAM_MARKS]; /**< a bit of each: from the configuration, for this launch */
    uint8_t
        again[MF_PARAM_MARKS]; /**< a bit per parameter: its value is due to be sent once more */
    bool unsaved;              /**< something changed since the last save */
    bool lost;           /**< the last save failed, and clients do not know of a later success */
    bool physics_hidden; /**< parameters without effect on a body of constant speed are sent as
                            not-a-number */
    mf_us_t again_us;    /**< transport time at which values are sent once more; MF_NEVER */
    mf_us_t retry_us;    /**< transport time: not tried again before */
};

#endif
