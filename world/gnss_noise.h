/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Inexact satellite receiver, as a decorator around an exact one: adds noise and drift.
 *
 * - Noise is new with every fix, normal, and independent from fix to fix, on each axis and on the
 *   speed over ground.
 * - Drift is smooth, with a correlation time.
 * - The reported position has both.
 * - Errors change with each fix, at multiples of period_us, not in between: an event within one
 *   period, such as taking home at arming, does not depend on its exact time.
 * - Accuracies and dilutions grow in proportion once the standard deviation of noise and drift
 *   together exceeds the receiver's own.
 *
 * All errors are functions of time; a reading without a fix passes unchanged.
 */
#ifndef MF_WORLD_GNSS_NOISE_H
#define MF_WORLD_GNSS_NOISE_H

#include "hal/gnss.h"
#include "world/earth.h"
#include "world/noise.h"

/** Standard deviations of each horizontal axis, and of the vertical one. 0: exact. */
struct mf_gnss_errors {
    double noise_m;
    double noise_vertical_m;
    double noise_mps; /**< of the velocity over ground */
    double drift_m;
    double drift_vertical_m;
    double drift_time_s; /**< correlation time */
};

/** Inexact receiver of one vehicle. The caller allocates it. */
struct mf_gnss_noise {
    const struct mf_gnss_ops *gnss; /**< the wrapped device */
    void *gnss_ctx;
    struct mf_earth *earth; /**< Earth for the undulation at the reported place; NULL: the one at
                               the true place. Set it after init. */
    struct mf_gnss_errors errors;
    uint64_t fix_key[3];      /**< NED */
    uint64_t speed_key[2];    /**< north, east */
    struct mf_noise drift[3]; /**< NED */
    mf_us_t period_us;        /**< interval of fixes, > 0 */
};

/** @brief Begin with these errors around a receiver, with 5 fixes per second. */
void mf_gnss_noise_init(struct mf_gnss_noise *noise, const struct mf_gnss_ops *gnss, void *gnss_ctx,
                        const struct mf_seed *seed, const struct mf_gnss_errors *errors);

/** The receiver with its errors; the context is the struct mf_gnss_noise. */
extern const struct mf_gnss_ops mf_gnss_noise_ops;

#endif
