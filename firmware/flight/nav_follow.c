/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FOLLOW: at a distance and an angle from a target that reports where it is and how it moves. As
 * long as it has not moved, its course is north. Between two reports the target is taken to go on
 * as it did. Sticks change distance, angle and height, and do not take over.
 */
#include "firmware/core/param.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/signals.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

#define STEP_US       (100 * MF_MS_US)
#define MOVES_MPS     0.5 /* slower than this a velocity is noise, and no direction */
#define SPEED_MAX_MPS 100.0
#define THERE_M       0.01
#define REPORT_MIN_S  0.02 /* two reports nearer than this say nothing about speed */

/* What a stick at its end changes, and how far: PX4's. */
#define TRIM_DEAD         0.5
#define TRIM_HEIGHT_MPS   1.5
#define TRIM_DISTANCE_MPS 2.0
#define TRIM_ANGLE_RPS    1.5 /* within FLW_TGT_MAX_VEL around the target */
#define NEAREST_M         1.0
#define FARTHEST_M        100.0

enum { CAN_POSITION = 1, CAN_VELOCITY = 2 };                    /* est_capabilities */
enum { HEIGHT_HOME = 0, HEIGHT_GROUND = 1, HEIGHT_TARGET = 2 }; /* FLW_TGT_ALT_M */

/* A velocity that is given counts, whatever the capabilities say (MAVSDK never says that it gives
 * one); where none is, the way since the last report does. */
static void set_velocity(struct mf_followed *f, const struct mf_msg_follow_target *m,
                         struct mf_geo from, double past_s)
{
    double moved_m[2] = {0.0, 0.0};
    bool is_given = (m->est_capabilities & CAN_VELOCITY) != 0;
    for (int i = 0; i < 3; i++) {
        const bool sane = mf_abs((double)m->vel[i]) <= SPEED_MAX_MPS;
        f->vel_ned_mps[i] = sane ? m->vel[i] : 0.0f;
        is_given = is_given || f->vel_ned_mps[i] != 0.0f;
    }
    if (is_given || !(past_s >= REPORT_MIN_S)) {
        return;
    }
    mf_geo_to_local(from, (struct mf_geo){f->lat_deg, f->lon_deg}, moved_m);
    for (int i = 0; i < 2; i++) {
        const double speed = moved_m[i] / past_s;
        f->vel_ned_mps[i] = mf_abs(speed) <= SPEED_MAX_MPS ? (float)speed : 0.0f;
    }
}

void mf_on_follow_target(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_follow_target *m, mf_us_t now_us)
{
    struct mf_followed *f = &v->signals.followed;
    const struct mf_geo before = {f->lat_deg, f->lon_deg};
    const double past_s = (double)(now_us - v->signals.target.heard.at_us) * 1e-6;
    const double lat_deg = (double)m->lat / 1e7;
    const double lon_deg = (double)m->lon / 1e7;
    if ((m->est_capabilities & CAN_POSITION) == 0 || mf_abs(lat_deg) > 90.0 ||
        mf_abs(lon_deg) > 180.0 || mf_abs((double)m->alt) > MF_ALTITUDE_MAX_M ||
        !mf_datum_known(&v->hal, (struct mf_geo){lat_deg, lon_deg})) {
        from.link->stats.rx_rejected++;
        return;
    }
    const bool found = mf_signal_heard(v, &v->signals.target, now_us);
    f->lat_deg = lat_deg;
    f->lon_deg = lon_deg;
    f->alt_amsl_m = (double)m->alt;
    set_velocity(f, m, before, found ? 0.0 : past_s);
    const double north = (double)f->vel_ned_mps[0];
    const double east = (double)f->vel_ned_mps[1];
    if (north * north + east * east > MOVES_MPS * MOVES_MPS) {
        f->course_rad = (float)mf_atan2(east, north);
    } else if (found) {
        f->course_rad = 0.0f;
    }
    if (v->commander.mode == MF_MODE_FOLLOW) {
        mf_navigator_steer(v, now_us);
    }
}

/* Where it is now, if it went on as it did. */
static struct mf_geo target_now(const struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_followed *f = &v->signals.followed;
    const double past_s = (double)(t_us - v->signals.target.heard.at_us) * 1e-6;
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

/* More of a trim, within the limits that sticks have. */
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
    const struct mf_sticks *s = &v->signals.sticks;
    struct mf_follow_trim *m = &v->signals.trim;
    const float height_m = mf_param_f(&v->params, MF_PARAM_FLW_TGT_HT);
    const float distance_m = mf_param_f(&v->params, MF_PARAM_FLW_TGT_DST);
    const mf_us_t past_us = mf_earlier(t_us - m->at_us, STEP_US); /* not while there is no target */
    const double past_s = (double)past_us * 1e-6;
    m->at_us = t_us;
    if (!v->signals.manual.live || past_s <= 0.0) {
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
        trimmed(mf_param_f(&v->params, MF_PARAM_FLW_TGT_HT), v->signals.trim.height_m);
    const double target_m = v->signals.followed.alt_amsl_m;
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
    const struct mf_followed *f = &v->signals.followed;
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const struct mf_geo target = target_now(v, t_us);
    const double angle_rad = mf_rad((double)mf_param_f(&v->params, MF_PARAM_FLW_TGT_FA));
    const double side_rad = (double)f->course_rad + angle_rad + v->signals.trim.angle_rad;
    const double distance_m =
        trimmed(mf_param_f(&v->params, MF_PARAM_FLW_TGT_DST), v->signals.trim.distance_m);
    const struct mf_geo place = mf_geo_direct(target, side_rad, distance_m);
    const struct mf_geo_line way = mf_geo_inverse(here, place);
    const double most_mps = (double)mf_param_f(&v->params, MF_PARAM_FLW_TGT_MAX_VEL);
    const double wanted_mps =
        way.distance_m < THERE_M
            ? 0.0
            : way.distance_m * (double)mf_param_f(&v->params, MF_PARAM_MPC_XY_P);
    const double speed = wanted_mps < most_mps ? wanted_mps : most_mps;
    const struct mf_geo_line look = mf_geo_inverse(here, target);
    struct mf_aim aim = mf_aim_none();
    aim.vel_ned_mps[0] = (float)((double)f->vel_ned_mps[0] + speed * mf_cos(way.azimuth_from_rad));
    aim.vel_ned_mps[1] = (float)((double)f->vel_ned_mps[1] + speed * mf_sin(way.azimuth_from_rad));
    aim.vel_ned_mps[2] = (float)((pose->alt_amsl_m - altitude(v, pose)) *
                                 (double)mf_param_f(&v->params, MF_PARAM_MPC_Z_P));
    if (look.distance_m > 1.0) {
        aim.yaw_rad = (float)look.azimuth_from_rad;
    }
    mf_nav_steer(v, t_us, &aim);
    mf_nav_steer_again(v, t_us + STEP_US);
}

void mf_nav_follow_steer(struct mf_vehicle *v, mf_us_t t_us)
{
    if (!v->signals.target.live || v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
    } else {
        trim(v, t_us);
        chase(v, t_us);
    }
}

/* What sticks changed before is forgotten. */
void mf_nav_follow_start(struct mf_vehicle *v, mf_us_t t_us)
{
    v->signals.trim = (struct mf_follow_trim){.at_us = t_us};
    mf_nav_follow_steer(v, t_us);
}
