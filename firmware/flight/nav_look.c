/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of interest: the heading follows a place while the way goes on as it is. It turns at a
 * steady rate from one look to the next, each of which finds it exact (a body with inertia: near);
 * between them the vehicle flies at most a quarter of its distance to the place, so that a chord of
 * the heading is less than a degree off. As in PX4, nearer than NAV_ACC_RAD the heading stays.
 */
#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define STEP_MIN_S     0.05
#define STEP_MAX_S     10.0
#define STEPS_PER_WAY  4.0  /* looks in the time that the way to the place would take */
#define STEPS_ACC_MPS2 42.0 /* steps per second for speeds that change by 3 m/s^2 */
#define EXACT_RAD      1e-3 /* a heading farther off is turned to first */
/* Constants of a body with inertia: it turns back to the place at a rate from which it can stop
 * there. */
#define PULL_PER_S  1.0
#define NEAR_RAD    0.02
#define STEP_FAR_S  0.1
#define STEP_NEAR_S 0.5

/* ---- what is looked at ---- */

static int old_roi(const float param[7], struct mf_roi *roi)
{
    switch (param[0] == param[0] ? mf_round_i32((double)param[0]) : MAV_ROI_TARGET) {
    case MAV_ROI_NONE:
        roi->kind = MF_ROI_NONE;
        return MF_E_OK;
    case MAV_ROI_WPNEXT:
        roi->kind = MF_ROI_NEXT;
        return MF_E_OK;
    case MAV_ROI_LOCATION:
        roi->kind = MF_ROI_PLACE;
        return MF_E_OK;
    default:
        return MF_E_DENIED; /* another waypoint, or a moving target: PX4 does not turn to them */
    }
}

int mf_roi_of(uint16_t command, const float param[7], struct mf_geo place, struct mf_roi *roi)
{
    int err = MF_E_OK;
    *roi = (struct mf_roi){.lat_deg = place.lat_deg, .lon_deg = place.lon_deg};
    switch (command) {
    case MAV_CMD_NAV_ROI:
    case MAV_CMD_DO_SET_ROI:
        err = old_roi(param, roi);
        break;
    case MAV_CMD_DO_SET_ROI_LOCATION:
        roi->kind = MF_ROI_PLACE;
        break;
    case MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET:
        roi->kind = MF_ROI_NEXT;
        if (mf_abs((double)param[6]) <= 360.0) {
            roi->offset_rad = (float)mf_rad((double)param[6]);
        }
        break;
    case MAV_CMD_DO_SET_ROI_NONE:
        break;
    default:
        return MF_E_NOSUPP;
    }
    const bool exists = mf_abs(place.lat_deg) <= 90.0 && mf_abs(place.lon_deg) <= 180.0;
    MF_ASSERT(roi->kind <= MF_ROI_NEXT);
    return roi->kind == MF_ROI_PLACE && !exists ? MF_E_DENIED : err;
}

/* ---- where it is ---- */

/* The heading from there. @return NAN: none, or too near  @param distance_m  out */
static double heading_from(const struct mf_vehicle *v, const struct mf_pose *pose,
                           double *distance_m)
{
    const struct mf_navigator *n = &v->navigator;
    MF_ASSERT(n->roi.kind != MF_ROI_NONE);
    const bool next = n->roi.kind == MF_ROI_NEXT;
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    struct mf_geo there = {n->roi.lat_deg, n->roi.lon_deg};
    if (next) {
        const bool leads = n->planned && !n->leg.velocity && !n->leg.land;
        there = leads ? (struct mf_geo){n->leg.lat_deg, n->leg.lon_deg} : here;
    }
    const struct mf_geo_line line = mf_geo_inverse(here, there);
    *distance_m = line.distance_m;
    return line.distance_m > (double)mf_param_f(&v->params, MF_PARAM_NAV_ACC_RAD)
               ? mf_wrap_pi(line.azimuth_from_rad + (next ? (double)n->roi.offset_rad : 0.0))
               : (double)__builtin_nanf("");
}

/* ---- turning ---- */

static void turn_airframe(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *leg)
{
    MF_ASSERT(mf_finite((double)leg->spin_rps));
    v->navigator.spins = leg->spin_rps != 0.0f;
    (void)mf_airframe_turn(&v->hal, t_us, leg); /* or its heading stays as planned */
    mf_estimate_forget(v);
}

/* Time to the next look. @param off_rad  of the heading now */
static double step_s(const struct mf_vehicle *v, const struct mf_pose *pose, double distance_m,
                     double off_rad, double most_rps)
{
    MF_ASSERT(distance_m >= 0.0);
    const double north = (double)pose->vel_ned_mps[0];
    const double east = (double)pose->vel_ned_mps[1];
    const double speed = mf_length2(north, east);
    const double size_rad = mf_abs(off_rad);
    double s = distance_m / (STEPS_PER_WAY * speed + mf_sqrt(STEPS_ACC_MPS2 * distance_m) + 1e-3);
    if (v->options.px4_motion) {
        s = mf_smaller(s, size_rad > NEAR_RAD ? STEP_FAR_S : STEP_NEAR_S);
    } else if (size_rad > EXACT_RAD) {
        s = mf_smaller(s, size_rad / most_rps);
    }
    return mf_larger(mf_smaller(s, STEP_MAX_S), STEP_MIN_S);
}

/* The steady rate until the next look, by which time the place has moved on by @p swing_rad. */
static double rate_rps(const struct mf_vehicle *v, double off_rad, double swing_rad, double s,
                       double most_rps)
{
    MF_ASSERT(s >= STEP_MIN_S && s <= STEP_MAX_S);
    double rate = (off_rad + swing_rad) / s;
    if (v->options.px4_motion) {
        const double size_rad = mf_abs(off_rad);
        const double acc = (double)mf_nav_limits(&v->params).yaw_acc_rps2;
        const double back = mf_smaller(PULL_PER_S * size_rad, mf_sqrt(acc * size_rad));
        rate = swing_rad / s + (off_rad < 0.0 ? -back : back);
    }
    return mf_larger(mf_smaller(rate, most_rps), -most_rps);
}

static void look_on_the_way(struct mf_vehicle *v, mf_us_t t_us, struct mf_leg *leg)
{
    struct mf_pose pose = mf_estimate_at(v, t_us)->pose;
    const double most_rps = (double)leg->yaw_rate_rps;
    double distance_m;
    double later_m;
    const double now_rad = heading_from(v, &pose, &distance_m);
    const bool near = !mf_finite(now_rad);
    const double off_rad = near ? 0.0 : mf_wrap_pi(now_rad - (double)pose.yaw_rad);
    const double s = step_s(v, &pose, distance_m, off_rad, most_rps);
    const mf_us_t next_us = t_us + (mf_us_t)(s * 1e6);
    /* else it would look again and again at one instant */
    MF_ASSERT(next_us > t_us);
    /* The vehicle's next place is known, so the rate is chosen to end at the heading from there. */
    mf_estimate_ahead(&v->estimate, &v->hal, next_us, &pose);
    const double next_rad = heading_from(v, &pose, &later_m);
    const double swing_rad = near || !mf_finite(next_rad) ? 0.0 : mf_wrap_pi(next_rad - now_rad);
    leg->spin_rps = (float)rate_rps(v, off_rad, swing_rad, s, most_rps);
    turn_airframe(v, t_us, leg);
    v->navigator.look_us = next_us;
}

void mf_nav_look(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT(n->phase <= MF_NAV_STEER);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    double distance_m;
    n->look_us = MF_NEVER;
    if (!mf_nav_looks(v, (enum mf_nav_phase)n->phase)) {
        if (n->spins) {
            turn_airframe(v, t_us, &leg); /* no more: it stays */
        }
        return;
    }
    n->leg.yaw_rad = __builtin_nanf("");
    if (mf_nav_rest_us(v, t_us) > t_us) {
        look_on_the_way(v, t_us, &leg);
        return;
    }
    const double now_rad = heading_from(v, &mf_estimate_at(v, t_us)->pose, &distance_m);
    leg.yaw_rad = (float)now_rad;
    if (mf_finite(now_rad) || n->spins) {
        turn_airframe(v, t_us, &leg);
    }
}
