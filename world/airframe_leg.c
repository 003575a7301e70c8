/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of legs, and the instant of meeting the ground. Called by world/airframe_constant,
 * airframe_physics and hal-sim/airframe_stepped. */
#include "world/airframe_leg.h"

#include "math/trig.h"

#define LOOK_M    10.0
#define LOOK_PART 64
/* Slightly more than half a turn, because rounding may exceed it [rad]. */
#define TILT_MAX_RAD 3.15

static bool speed_is_good(float speed)
{
    return speed > 0.0f && mf_within((double)speed, SPEED_MAX_MPS);
}

/* An angle is good if mf_wrap_pi() accepts it. */
bool mf_turn_is_good(const struct mf_leg *leg)
{
    const bool keep = leg->yaw_rad != leg->yaw_rad;
    return keep ? mf_within((double)leg->spin_rps, SPIN_MAX_RPS)
                : mf_within((double)leg->yaw_rad, 1e6) && speed_is_good(leg->yaw_rate_rps);
}

static bool velocity_is_good(const struct mf_leg *leg)
{
    return mf_within((double)leg->vel_ned_mps[0], SPEED_MAX_MPS) &&
           mf_within((double)leg->vel_ned_mps[1], SPEED_MAX_MPS) &&
           mf_within((double)leg->vel_ned_mps[2], SPEED_MAX_MPS) &&
           mf_within((double)leg->roll_rad, TILT_MAX_RAD) &&
           mf_within((double)leg->pitch_rad, TILT_MAX_RAD);
}

static bool leg_is_good(const struct mf_leg *leg)
{
    if (leg->velocity) {
        return !leg->land && velocity_is_good(leg) && mf_turn_is_good(leg);
    }
    const bool place = mf_within(leg->lat_deg, 90.0) && mf_within(leg->lon_deg, 180.0);
    const bool height = leg->land || mf_within(leg->alt_amsl_m, 1e9);
    const bool speed = speed_is_good(leg->speed_h_mps) && speed_is_good(leg->speed_up_mps) &&
                       speed_is_good(leg->speed_down_mps);
    return place && height && speed && mf_turn_is_good(leg) && leg->radius_m >= 0.0f &&
           mf_within((double)leg->radius_m, 1e9);
}

bool mf_legs_are_good(const struct mf_leg *legs, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        good = good && leg_is_good(&legs[i]);
    }
    return good;
}

double mf_spun_rad(double rate_rps, double t_s)
{
    const double turns = rate_rps * t_s / (2.0 * MF_PI);
    return (turns - (double)(int64_t)turns) * (2.0 * MF_PI);
}

double mf_velocity_lasts_s(double speed_h_mps, double up_mps, double height_m)
{
    double lasts_s = DURATION_MAX_US * 1e-6;
    if (speed_h_mps * lasts_s > LEG_MAX_M) {
        lasts_s = LEG_MAX_M / speed_h_mps;
    }
    if (up_mps * lasts_s > CLIMB_MAX_M) {
        lasts_s = CLIMB_MAX_M / up_mps;
    }
    if (-up_mps * lasts_s > height_m) {
        lasts_s = height_m / -up_mps;
    }
    return lasts_s;
}

mf_us_t mf_meets_ground_us(double (*height_m)(const void *body, mf_us_t t_us), const void *body,
                           mf_us_t from_us, mf_us_t until_us, double way_m)
{
    const double lasts_us = (double)(until_us - from_us);
    const mf_us_t least_us = 1 + (mf_us_t)(way_m > LOOK_M ? lasts_us * (LOOK_M / way_m) : lasts_us);
    for (mf_us_t above_us = from_us; above_us < until_us;) {
        const mf_us_t far_us = (above_us - from_us) / LOOK_PART;
        const mf_us_t step_us = far_us > least_us ? far_us : least_us;
        mf_us_t below_us = until_us - above_us < step_us ? until_us : above_us + step_us;
        if (height_m(body, below_us) > 0.0) {
            above_us = below_us;
            continue;
        }
        while (below_us - above_us > 1) {
            const mf_us_t middle_us = above_us + (below_us - above_us) / 2;
            *(height_m(body, middle_us) > 0.0 ? &above_us : &below_us) = middle_us;
        }
        return below_us;
    }
    return MF_NEVER;
}
