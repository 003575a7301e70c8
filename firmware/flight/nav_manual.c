/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes of the sticks. POSCTL: velocity, and what stands still holds its place. ALTCTL: tilt,
 * and vertical velocity. MANUAL, STABILIZED and ACRO: tilt and thrust.
 */
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/sticks.h"
#include "firmware/state/vehicle.h"

/* Interval at which velocities that turn with the heading are computed again [us]. */
#define STEER_US (50 * MF_MS_US)

/* Fly as the sticks say; without sticks, or with centred sticks, the vehicle stands still. */
void mf_nav_manual_start(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    if (!v->inputs.manual.live) {
        mf_nav_stay(v, t_us);
        return;
    }
    const double yaw_rad = (double)mf_estimate_at(v, t_us)->pose.yaw_rad;
    const struct mf_aim aim =
        mf_sticks_aim(&v->params, &v->inputs.sticks, (enum mf_mode)v->navigator.mode, yaw_rad);
    mf_nav_steer(v, t_us, &aim);
    /* Sticks are of the body, a leg of velocity is of the Earth: while the body turns,
     * they part. */
    if (aim.spin_rps != 0.0f && (aim.vel_ned_mps[0] != 0.0f || aim.vel_ned_mps[1] != 0.0f)) {
        mf_nav_steer_again(v, t_us + STEER_US);
    }
}
