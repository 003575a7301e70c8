/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the autopilot believes: the airframe's pose plus a correction, gated by the receiver's fix.
 *
 * The correction is what the receiver reported minus the pose at the report's time. It is zero
 * while the report cannot tell the two apart (1e-7 deg, 1 mm). Between two reports of a receiver,
 * or while it repeats the last one, the correction stays. Reports that come with a period are noisy
 * and are filtered.
 *
 * A receiver that glitches or drifts so moves every reported position, and in flight the body.
 */
#ifndef MF_FIRMWARE_ESTIMATE_H
#define MF_FIRMWARE_ESTIMATE_H

#include "firmware/state/estimate.h"
#include "hal/hal.h"
#include "math/geodesic.h"

struct mf_vehicle;

/** @brief Accuracy of an estimate that has a position: the receiver's own, or that of the lost fix,
 * which grows with time. @param h_m, v_m  out, horizontal and vertical [m] */
void mf_estimate_accuracy(const struct mf_estimate *e, float *h_m, float *v_m);

/** @brief Make it the estimate at vehicle time @p t_us; computed once per instant. @return whether
 * the receiver moved the correction: the plan may have to follow */
bool mf_estimate_update(struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us);

/** @brief What the estimate was made of changed: the next update computes it again, even for the
 * same instant. */
void mf_estimate_expire(struct mf_estimate *e);

/** @brief The pose that the estimate will have at @p t_us if nothing changes: neither the plan nor
 * the correction of the present estimate. Only for bodies that know their future. */
void mf_estimate_ahead(const struct mf_estimate *e, const struct mf_hal *hal, mf_us_t t_us,
                       struct mf_pose *pose);

/** @brief Is the receiver off? Its error may then change at any time. */
bool mf_estimate_drifts(const struct mf_estimate *e);

/** @brief Where the airframe must be sent so that the estimate arrives at the leg's target: shifted
 * back. */
void mf_estimate_aim(const struct mf_estimate *e, struct mf_leg *leg);

/** @brief The reverse: where the estimate will be when the airframe is at the leg's target. */
void mf_estimate_believe(const struct mf_estimate *e, struct mf_leg *leg);

/** @brief An altitude at the place of the pose as one above the ellipsoid [mm]. */
int32_t mf_estimate_ellipsoid_mm(const struct mf_estimate *e, double alt_amsl_m);

/** @brief The origin of the local frame is there from now on. @param place  finite */
void mf_origin_set(struct mf_origin *origin, struct mf_geo place, double amsl_m);

/** @brief Local position NED about the origin [m]; zero while there is no origin. */
void mf_estimate_local(const struct mf_origin *origin, const struct mf_pose *pose, float ned_m[3]);

/* Of a vehicle (estimate_watch.c) */

/** @brief The vehicle's estimate at @p t_us, as mf_estimate_update(). @return valid until the
 * next call */
const struct mf_estimate *mf_estimate_at(struct mf_vehicle *v, mf_us_t t_us);

/** @brief As mf_estimate_expire(), of the vehicle's (a new plan, a fault), and the health task
 * looks again at what lies ahead. */
void mf_estimate_forget(struct mf_vehicle *v);

#endif
