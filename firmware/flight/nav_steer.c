/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flight by an aim, for the modes with setpoints, sticks, circles and targets. An aim without a
 * velocity becomes a leg to its place. An aim with a velocity becomes a leg of velocity; if it has
 * a place, too, the distance to the place adds to the velocity, as in PX4's position controller.
 * This distance changes, so the velocity is computed periodically.
 */
#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Interval at which a velocity that depends on the vehicle's place or heading is computed [us]. */
#define STEER_US (50 * MF_MS_US)
/* Nearer than this is there [m]. */
#define THERE_M 1e-3

static double or_zero(float x)
{
    return mf_finite((double)x) ? (double)x : 0.0;
}

static double held_within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Add a velocity by distance to the velocity of the aim. @return true: the sum changes while the
 * vehicle moves */
static bool velocity_to(const struct mf_params *p, const struct mf_pose *pose,
                        const struct mf_aim *aim, double vel_ned_mps[3])
{
    bool changes = false;
    /* latitude and longitude are both set or both unset */
    MF_ASSERT(mf_finite(aim->lat_deg) == mf_finite(aim->lon_deg));
    for (int i = 0; i < 3; i++) {
        vel_ned_mps[i] = or_zero(aim->vel_ned_mps[i]);
    }
    if (mf_finite(aim->lat_deg)) {
        const double gain = (double)mf_param_f(p, MF_PARAM_MPC_XY_P);
        const struct mf_geo_line line =
            mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                           (struct mf_geo){aim->lat_deg, aim->lon_deg});
        vel_ned_mps[0] += gain * line.distance_m * mf_cos(line.azimuth_from_rad);
        vel_ned_mps[1] += gain * line.distance_m * mf_sin(line.azimuth_from_rad);
        changes = true;
    }
    /* Altitude apart: a client may give a height with a horizontal velocity, or a place with a
     * climb rate. */
    if (mf_finite(aim->alt_amsl_m)) {
        const double above_m = pose->alt_amsl_m - aim->alt_amsl_m;
        const bool there = mf_abs(above_m) < THERE_M && vel_ned_mps[2] == 0.0;
        vel_ned_mps[2] += there ? 0.0 : (double)mf_param_f(p, MF_PARAM_MPC_Z_P) * above_m;
        changes = changes || !there;
    }
    return changes;
}

static void limit(const struct mf_params *p, const double wanted_mps[3], float vel_ned_mps[3])
{
    const double most_mps = (double)mf_param_f(p, MF_PARAM_MPC_XY_VEL_MAX);
    const double speed = mf_length2(wanted_mps[0], wanted_mps[1]);
    /* The direction stays: north and east are reduced by one factor, separately from the vertical,
     * as in PX4. */
    const double part = speed > most_mps ? most_mps / speed : 1.0;
    MF_ASSERT(part >= 0.0 && part <= 1.0);
    vel_ned_mps[0] = (float)(wanted_mps[0] * part);
    vel_ned_mps[1] = (float)(wanted_mps[1] * part);
    vel_ned_mps[2] =
        (float)held_within(wanted_mps[2], -(double)mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_UP),
                           (double)mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_DN));
}

static void steer_by_velocity(struct mf_vehicle *v, mf_us_t t_us, const struct mf_aim *aim,
                              struct mf_leg *leg)
{
    /* only legs to places end on the ground */
    MF_ASSERT(!leg->land);
    double wanted_mps[3] = {0.0, 0.0, 0.0};
    const bool changes = velocity_to(&v->params, &mf_estimate_at(v, t_us)->pose, aim, wanted_mps);
    limit(&v->params, wanted_mps, leg->vel_ned_mps);
    leg->velocity = true;
    leg->roll_rad = aim->roll_rad;
    leg->pitch_rad = aim->pitch_rad;
    if (changes) {
        mf_nav_steer_again(v, t_us + STEER_US);
    }
    /* Only upwards leads off the ground: level flight would slide along it. */
    if (v->commander.landed == MF_LANDED_ON_GROUND && leg->vel_ned_mps[2] >= 0.0f) {
        mf_nav_stay(v, t_us);
    } else {
        (void)mf_nav_fly(v, t_us, MF_NAV_STEER, leg);
    }
}

static void steer_to_place(struct mf_vehicle *v, mf_us_t t_us, const struct mf_aim *aim,
                           struct mf_leg *leg)
{
    MF_ASSERT(!leg->land && !leg->velocity);
    const double here_m = leg->alt_amsl_m;
    if (mf_finite(aim->lat_deg)) {
        leg->lat_deg = aim->lat_deg;
        leg->lon_deg = aim->lon_deg;
    }
    if (mf_finite(aim->alt_amsl_m)) {
        leg->alt_amsl_m = aim->alt_amsl_m;
    }
    if (v->commander.landed == MF_LANDED_ON_GROUND && !(leg->alt_amsl_m > here_m)) {
        mf_nav_stay(v, t_us);
    } else {
        (void)mf_nav_fly(v, t_us, MF_NAV_FLY, leg);
    }
}

void mf_nav_steer(struct mf_vehicle *v, mf_us_t t_us, const struct mf_aim *aim)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    MF_ASSERT(!leg.land && !leg.velocity);
    const bool place = mf_finite(aim->lat_deg) || mf_finite(aim->alt_amsl_m);
    bool moves = false;
    for (int i = 0; i < 3; i++) {
        moves = moves || or_zero(aim->vel_ned_mps[i]) != 0.0;
    }
    leg.yaw_rad = aim->yaw_rad;
    leg.spin_rps = (float)or_zero(aim->spin_rps);
    /* A place alone is flown to like any target, with its own limits and an exact arrival. */
    if (place && !moves && !aim->chase) {
        steer_to_place(v, t_us, aim, &leg);
    } else {
        steer_by_velocity(v, t_us, aim, &leg);
    }
}
