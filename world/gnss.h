/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Exact satellite receiver: it reports the place of the airframe, rounded to the units of
 * hal/gnss.h, and the altitude above the ellipsoid: the sum of the altitude above the geoid and the
 * geoid's undulation at the very place, rounded once. Where no model has an undulation, the last
 * one stays. Without noise and delay.
 */
#ifndef MF_WORLD_GNSS_H
#define MF_WORLD_GNSS_H

#include "hal/airframe.h"
#include "hal/gnss.h"
#include "world/earth.h"

struct mf_gnss_exact {
    const struct mf_airframe_ops *airframe; /**< airframe whose place it reports */
    void *airframe_ctx;
    struct mf_earth *earth; /**< NULL: the mean sea level is the ellipsoid */
    double undulation_m;    /**< last undulation [m] */
    mf_us_t fix_after_us;   /**< warm-up: before this vehicle time fixes are missing */
    int64_t epoch_utc_us;   /**< UTC at vehicle time 0, since 1970-01-01; 0: unknown */
    uint8_t satellites;
};

/** @brief Begin a receiver on an airframe, with the defaults: ten satellites, a 3D fix from the
 * start, without an Earth, UTC unknown. The caller may change its fields afterwards. It reports
 * hdop 0.70, vdop 1.10 and accuracies of 0.9 m, 1.78 m and 0.4 m/s. */
void mf_gnss_exact_init(struct mf_gnss_exact *gnss, const struct mf_airframe_ops *airframe,
                        void *airframe_ctx);

/** @brief Reading without a fix: all values are zero, or the value for unknown (65535 for the
 * dilutions, the speed and the course). */
struct mf_fix mf_gnss_without_fix(enum mf_fix_type type);

/** Operations; their context is the receiver. During warm-up read() reports MF_FIX_NO_FIX; MF_E_IO
 * if the airframe reports no pose. next() is unknown (MF_E_NOSUPP) while a body moves on an Earth
 * that has places without a geoid. */
extern const struct mf_gnss_ops mf_gnss_exact_ops;

#endif
