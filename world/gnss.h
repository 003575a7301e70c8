/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The satellite receiver that is never wrong: it reports where the airframe is, rounded to the
 * units of hal/gnss.h, and the altitude above the ellipsoid that belongs to it: the sum of the one
 * above the geoid and the geoid's undulation at the very place, rounded once. Where no model gives
 * one, the undulation stays what it was when it was read last. No noise, no delay.
 */
#ifndef MF_WORLD_GNSS_H
#define MF_WORLD_GNSS_H

#include "hal/airframe.h"
#include "hal/gnss.h"
#include "world/earth.h"

struct mf_gnss_exact {
    const struct mf_airframe_ops *airframe; /**< whose receiver this is */
    void *airframe_ctx;
    struct mf_earth *earth; /**< NULL: the mean sea level is the ellipsoid */
    double undulation_m;    /**< read last [m] */
    mf_us_t fix_after_us;   /**< warm-up: before this vehicle time there is no fix */
    int64_t epoch_utc_us;   /**< UTC at vehicle time 0, since 1970-01-01; 0: unknown */
    uint8_t satellites;
};

/** @brief A receiver on an airframe, with the defaults: ten satellites, a 3D fix from the start,
 *  no Earth, UTC unknown. Change its fields at will afterwards. It claims hdop 0.70, vdop 1.10 and
 *  accuracies of 0.9 m, 1.78 m and 0.4 m/s. */
void mf_gnss_exact_init(struct mf_gnss_exact *gnss, const struct mf_airframe_ops *airframe,
                        void *airframe_ctx);

/** @brief An answer without a fix: everything zero, or the value that says unknown (65535 for the
 *  dilutions, the speed and the course). */
struct mf_fix mf_gnss_without_fix(enum mf_fix_type type);

/** The contract; the context is the receiver. During warm-up read() says MF_FIX_NO_FIX; MF_E_IO if
 *  the airframe gives no pose. next() is not known (MF_E_NOSUPP) while a body moves on an Earth
 *  that has places without a geoid. */
extern const struct mf_gnss_ops mf_gnss_exact_ops;

#endif
