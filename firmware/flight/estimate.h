/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Estimate: the position that the autopilot believes in. It is the airframe's pose plus a
 * correction, and needs a fix of the receiver.
 *
 * The correction is the receiver's report minus the pose at the report's time. It is zero while the
 * report cannot distinguish the two (1e-7 deg, 1 mm). Between two reports of a receiver, or while
 * it repeats the last one, the correction stays. Periodic reports are noisy, and are filtered.
 *
 * A receiver with a glitch or drift therefore moves every reported position, and in flight also the
 * body.
 */
#ifndef MF_FIRMWARE_ESTIMATE_H
#define MF_FIRMWARE_ESTIMATE_H

#include "firmware/state/estimate.h"
#include "hal/hal.h"
#include "math/geodesic.h"

struct mf_vehicle;

/** @brief Accuracy of an estimate with a position: that of the receiver, or that of the lost fix,
 * which grows with time. @param h_m, v_m  out, horizontal and vertical [m] */
void mf_estimate_accuracy(const struct mf_estimate *e, float *h_m, float *v_m);

/** @brief Update the estimate to vehicle time @p t_us; it is computed once per instant. @return
 * true: the receiver moved the correction, so that the plan may have to follow */
bool mf_estimate_update(struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us);

/** @brief Note that an input of the estimate changed: the next update computes it again, even for
 * the same instant. */
void mf_estimate_expire(struct mf_estimate *e);

/** @brief Predict the pose of the estimate at @p t_us, with the present plan and the present
 * correction. Only for bodies that know their future. */
void mf_estimate_ahead(const struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us,
                       struct mf_pose *pose);

/** @brief True if the receiver has an error, which may change at any time. */
bool mf_estimate_drifts(const struct mf_estimate *e);

/** @brief Shift a leg of the estimate to a leg of the airframe, so that the estimate arrives at the
 * leg's target. */
void mf_estimate_aim(const struct mf_estimate *e, struct mf_leg *leg);

/** @brief Shift a leg of the airframe to a leg of the estimate: the reverse of
 * mf_estimate_aim(). */
void mf_estimate_believe(const struct mf_estimate *e, struct mf_leg *leg);

/** @brief Convert an altitude at the place of the pose to one above the ellipsoid [mm]. */
int32_t mf_estimate_ellipsoid_mm(const struct mf_estimate *e, double alt_amsl_m);

/** @brief Set the origin of the local frame. @param place  finite */
void mf_origin_set(struct mf_origin *origin, struct mf_geo place, double amsl_m);

/** @brief Compute the local position NED relative to the origin [m]; zero without an origin. */
void mf_estimate_local(const struct mf_origin *origin, const struct mf_pose *pose, float ned_m[3]);

/* Functions of a vehicle (estimate_watch.c) */

/** @brief Update the vehicle's estimate to @p t_us, as mf_estimate_update(). @return valid until
 * the next call */
const struct mf_estimate *mf_estimate_at(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Note that an input of the vehicle's estimate changed (a new plan, a fault), as
 * mf_estimate_expire(), and let the health task predict again. */
void mf_estimate_forget(struct mf_vehicle *v);

#endif
