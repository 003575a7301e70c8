/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mode FOLLOW, for navigator.c: the vehicle stays at a distance and an angle from a target that
 * reports its position and velocity. Until the target has moved, its course is north. Between two
 * reports, its velocity counts as constant. Sticks change distance, angle and height, and do not
 * take over.
 */
#include "firmware/core/param.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

#define STEP_US (100 * MF_MS_US)
#define THERE_M 0.01

/* Rates and limits of changes by fully deflected sticks, as in PX4. */
#define TRIM_DEAD         0.5
#define TRIM_HEIGHT_MPS   1.5
#define TRIM_DISTANCE_MPS 2.0
#define TRIM_ANGLE_RPS    1.5 /* within FLW_TGT_MAX_VEL around the target */
#define NEAREST_M         1.0
#define FARTHEST_M        100.0

enum { HEIGHT_HOME = 0, HEIGHT_GROUND = 1, HEIGHT_TARGET = 2 }; /* FLW_TGT_ALT_M */

/* Predict the present place of the target from its last report. */
static struct mf_geo target_now(const struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_followed *f = &v->inputs.followed;
    const double past_s = (double)(t_us - v->inputs.target.heard.at_us) * 1e-6;
    return mf_geo_from_local((struct mf_geo){f->lat_deg, f->lon_deg},
                             (double)f->vel_ned_mps[0] * past_s,
                             (double)f->vel_ned_mps[1] * past_s);
}

/* A parameter, which may be changed meanwhile, and what sticks added to it. */
static double trimmed(float value, double trim)
{
    const double sum = (double)value + trim;
    return sum > NEAREST_M ? sum : NEAREST_M;
}

/* Change a trim within the limits of sticks. A value that is beyond its limits, because a parameter
 * was changed, may only move towards them. */
static double trim_by(float value, double trim, double change)
{
    const double sum = trimmed(value, trim) + change;
    const bool beyond = change > 0.0 ? sum > FARTHEST_M : sum < NEAREST_M;
    return beyond ? trim : trim + change;
}

static double outside_dead(float stick)
{
    return mf_abs((double)stick) > TRIM_DEAD ? (double)stick : 0.0;
}

/* Throttle: height; pitch forward: farther; roll to the right: clockwise around the target. */
static void trim(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_sticks *s = &v->inputs.sticks;
    struct mf_follow_trim *m = &v->navigator.trim;
    const float height_m = mf_param_f(&v->params, MF_PARAM_FLW_TGT_HT);
    const float distance_m = mf_param_f(&v->params, MF_PARAM_FLW_TGT_DST);
    /* limited, since after a time without a target the last trim is long ago */
    const mf_us_t past_us = mf_earlier(t_us - m->at_us, STEP_US);
    const double past_s = (double)past_us * 1e-6;
    MF_ASSERT(t_us >= m->at_us);
    m->at_us = t_us;
    if (!v->inputs.manual.live || past_s <= 0.0) {
        return;
    }
    m->height_m =
        trim_by(height_m, m->height_m, outside_dead(s->throttle) * TRIM_HEIGHT_MPS * past_s);
    m->distance_m =
        trim_by(distance_m, m->distance_m, outside_dead(s->pitch) * TRIM_DISTANCE_MPS * past_s);
    const double around_rps = (double)mf_param_f(&v->params, MF_PARAM_FLW_TGT_MAX_VEL) /
                              trimmed(distance_m, m->distance_m);
    const double rate_rps = around_rps < TRIM_ANGLE_RPS ? around_rps : TRIM_ANGLE_RPS;
    m->angle_rad = mf_wrap_pi(m->angle_rad + outside_dead(s->roll) * rate_rps * past_s);
}

static double altitude(const struct mf_vehicle *v, const struct mf_pose *pose)
{
    const double height_m =
        trimmed(mf_param_f(&v->params, MF_PARAM_FLW_TGT_HT), v->navigator.trim.height_m);
    const double target_m = v->inputs.followed.alt_amsl_m;
    switch (mf_param_i(&v->params, MF_PARAM_FLW_TGT_ALT_M)) {
    case HEIGHT_GROUND:
        return pose->ground_amsl_m + height_m;
    case HEIGHT_TARGET:
        return (mf_finite(target_m) ? target_m : v->home.alt_amsl_m) + height_m;
    case HEIGHT_HOME:
    default:
        return v->home.alt_amsl_m + height_m;
    }
}

static void chase(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_followed *f = &v->inputs.followed;
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const struct mf_geo target = target_now(v, t_us);
    const double angle_rad = mf_rad((double)mf_param_f(&v->params, MF_PARAM_FLW_TGT_FA));
    const double side_rad = (double)f->course_rad + angle_rad + v->navigator.trim.angle_rad;
    const double distance_m =
        trimmed(mf_param_f(&v->params, MF_PARAM_FLW_TGT_DST), v->navigator.trim.distance_m);
    const struct mf_geo place = mf_geo_direct(target, side_rad, distance_m);
    const struct mf_geo_line way = mf_geo_inverse(here, place);
    const double most_mps = (double)mf_param_f(&v->params, MF_PARAM_FLW_TGT_MAX_VEL);
    const double wanted_mps =
        way.distance_m < THERE_M
            ? 0.0
            : way.distance_m * (double)mf_param_f(&v->params, MF_PARAM_MPC_XY_P);
    const double speed = wanted_mps < most_mps ? wanted_mps : most_mps;
    const struct mf_geo_line look = mf_geo_inverse(here, target);
    MF_ASSERT(v->inputs.target.live);
    MF_ASSERT(mf_finite(way.distance_m) && mf_finite(way.azimuth_from_rad));
    /* The target's own velocity carries the vehicle along; what is added closes the gap, and fades
     * with it. */
    struct mf_aim aim = mf_aim_none();
    aim.vel_ned_mps[0] = (float)((double)f->vel_ned_mps[0] + speed * mf_cos(way.azimuth_from_rad));
    aim.vel_ned_mps[1] = (float)((double)f->vel_ned_mps[1] + speed * mf_sin(way.azimuth_from_rad));
    aim.vel_ned_mps[2] = (float)((pose->alt_amsl_m - altitude(v, pose)) *
                                 (double)mf_param_f(&v->params, MF_PARAM_MPC_Z_P));
    /* The front points to the target, as a camera needs it; above the target the heading stays. */
    if (look.distance_m > 1.0) {
        aim.yaw_rad = (float)look.azimuth_from_rad;
    }
    mf_nav_steer(v, t_us, &aim);
    mf_nav_steer_again(v, t_us + STEP_US);
}

void mf_nav_follow_steer(struct mf_vehicle *v, mf_us_t t_us)
{
    if (!v->inputs.target.live || v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
    } else {
        trim(v, t_us);
        chase(v, t_us);
    }
}

/* trims of an earlier flight end */
void mf_nav_follow_start(struct mf_vehicle *v, mf_us_t t_us)
{
    v->navigator.trim = (struct mf_follow_trim){.at_us = t_us};
    mf_nav_follow_steer(v, t_us);
}
