/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/fence.h, without functions. */
#ifndef MF_FIRMWARE_STATE_FENCE_H
#define MF_FIRMWARE_STATE_FENCE_H

#include "firmware/state/home.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"
#include "hal/hal.h"

/** Ways in which the vehicle is outside the fence; a set of bits. */
enum mf_breach {
    MF_BREACH_DISTANCE = 1, /**< GF_MAX_HOR_DIST */
    MF_BREACH_ALTITUDE = 2, /**< GF_MAX_VER_DIST */
    MF_BREACH_ZONE = 4,     /**< polygons and circles */
};

struct mf_fence {
    uint16_t items;          /**< of the fence in the store */
    uint16_t breaches;       /**< since boot */
    bool included;           /**< there is an inclusion zone among them */
    uint8_t breach;          /**< the present one, of enum mf_breach; 0: inside */
    int32_t astray;          /**< first mission item outside, -1 none */
    mf_us_t breach_us;       /**< vehicle time at which the last breach began */
    mf_us_t until_us;        /**< a predicted breach lasts at least until then */
    struct mf_target inside; /**< where a predicted breach holds; otherwise none: here */
};

/** Bounds of a plan: the parameters, home and the fence. Read only. */
struct mf_bounds {
    const struct mf_hal *hal; /**< the store: zones, and items of missions */
    const struct mf_params *params;
    const struct mf_home *home;
    const struct mf_fence *fence;
    float leash_m; /**< 0: none */
};

/** Greatest horizontal and vertical speed that the present plan allows [m/s], above 0. */
struct mf_speeds {
    double h_mps;
    double v_mps;
};

/** A place as the fence sees it. */
struct mf_fence_view {
    unsigned breach; /**< of enum mf_breach */
    mf_us_t calm_us; /**< for so long that cannot change */
};

/** The next instant at which a plan crosses a border. */
struct mf_crossing {
    mf_us_t at_us;       /**< MF_NEVER: none */
    bool sure;           /**< false: none before that, look again then */
    bool guessed;        /**< the body does not know its future */
    struct mf_pose pose; /**< there */
    unsigned breach;     /**< from then on, of enum mf_breach */
};

/** An upload of zones as it goes on: the polygon whose vertices are coming in. */
struct mf_fence_part {
    uint16_t command; /**< MAV_CMD */
    uint16_t count;   /**< vertices of it */
    uint16_t left;    /**< still to come */
};

#endif
