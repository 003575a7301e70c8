/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prediction of crossings along a plan, for fence_watch.c. The distance to the border and the
 * highest speed give a time in which nothing can change, so the prediction advances along the plan
 * in such steps without missing a crossing; near the border it uses bisection.
 */
#include "firmware/flight/fence_ahead.h"

#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/limits.h"
#include "math/trig.h"

/* Steps of a look ahead: an excursion that is shorter than this may go unseen [us]. */
#define STEP_MIN_US (10 * MF_MS_US)
/* Longest prediction [s]. */
#define LEAD_MAX_S 30.0
/* A predicted breach holds so far in front of the border [m]. */
#define STOP_M 0.1

static double horizontal_mps(const struct mf_pose *pose)
{
    const double north = (double)pose->vel_ned_mps[0];
    const double east = (double)pose->vel_ned_mps[1];
    return mf_length2(north, east);
}

struct mf_speeds mf_fence_pace(const struct mf_params *p, const struct mf_navigator *n,
                               const struct mf_pose *pose)
{
    const double down_mps = (double)pose->vel_ned_mps[2];
    struct mf_speeds pace = {
        mf_larger(horizontal_mps(pose), (double)mf_param_f(p, MF_PARAM_MPC_XY_VEL_MAX)),
        mf_larger(mf_abs(down_mps), (double)mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_UP)),
    };
    if (n->planned) {
        const struct mf_leg *leg = &n->leg;
        pace.h_mps = mf_larger(pace.h_mps, (double)leg->speed_h_mps);
        pace.v_mps = mf_larger(pace.v_mps, (double)leg->speed_up_mps);
        pace.v_mps = mf_larger(pace.v_mps, (double)leg->speed_down_mps);
    }
    if (n->phase == MF_NAV_FALL) {
        /* v^2 = v0^2 + 2 g h without drag, which no body exceeds */
        const double height_m = mf_larger(pose->alt_amsl_m - pose->ground_amsl_m, 0.0);
        pace.v_mps =
            mf_larger(pace.v_mps, mf_sqrt(down_mps * down_mps + 2.0 * MF_GRAVITY_MPS2 * height_m));
    }
    MF_ASSERT(pace.h_mps > 0.0 && pace.v_mps > 0.0);
    return pace;
}

static bool at_rest(const struct mf_pose *pose)
{
    bool rest = true;
    for (unsigned i = 0; i < 3; i++) {
        rest = rest && pose->vel_ned_mps[i] == 0.0f && pose->acc_ned_mps2[i] == 0.0f;
    }
    return rest;
}

/* PX4's time to brake (math::trajectory::computeBrakingDistanceFromVelocity): jerk and acceleration
 * of automatic flight [s]. It is the braking distance, v (v / 2a + a / jerk), flown at the speed
 * of now. */
static double braking_s(const struct mf_params *p, double speed_mps, enum mf_param accel)
{
    return speed_mps / (2.0 * (double)mf_param_f(p, accel)) +
           (double)mf_param_f(p, accel) / (double)mf_param_f(p, MF_PARAM_MPC_JERK_AUTO);
}

mf_us_t mf_fence_braking_us(const struct mf_params *p, double h_mps, double up_mps)
{
    const double h_s = h_mps > 0.0 ? braking_s(p, h_mps, MF_PARAM_MPC_ACC_HOR) : 0.0;
    const double up_s = up_mps > 0.0 ? braking_s(p, up_mps, MF_PARAM_MPC_ACC_DOWN_MAX) : 0.0;
    const double lead_s = mf_larger(h_s, up_s);
    MF_ASSERT(lead_s >= 0.0);
    return (mf_us_t)((lead_s < LEAD_MAX_S ? lead_s : LEAD_MAX_S) * 1e6);
}

mf_us_t mf_fence_lead_us(const struct mf_params *p, const struct mf_pose *pose)
{
    return mf_fence_braking_us(p, horizontal_mps(pose), -(double)pose->vel_ned_mps[2]);
}

static struct mf_fence_view look_ahead(const struct mf_way *way, mf_us_t t_us, struct mf_pose *pose)
{
    mf_estimate_ahead(way->estimate, way->bounds->hal, t_us, pose);
    return mf_fence_view_at(way->bounds, (struct mf_geo){pose->lat_deg, pose->lon_deg},
                            pose->alt_amsl_m, &way->pace);
}

/* Find by bisection the first instant at which the breach is not @p breach, between a time at which
 * it is, and a later one. */
static struct mf_crossing bisect(const struct mf_way *way, mf_us_t same_us, mf_us_t other_us,
                                 unsigned breach)
{
    MF_ASSERT(same_us < other_us);
    struct mf_crossing found = {.sure = true};
    while (other_us - same_us > 1) { /* to the microsecond: the same instant on every host */
        const mf_us_t middle_us = same_us + (other_us - same_us) / 2;
        if (look_ahead(way, middle_us, &found.pose).breach == breach) {
            same_us = middle_us;
        } else {
            other_us = middle_us;
        }
    }
    found.at_us = other_us;
    found.breach = look_ahead(way, other_us, &found.pose).breach;
    return found;
}

/* Predict the place of a body that does not know its future, @p ahead_us later, with its present
 * velocity. */
static struct mf_crossing guess(const struct mf_way *way, mf_us_t from_us, mf_us_t ahead_us,
                                const struct mf_pose *pose)
{
    MF_ASSERT(ahead_us >= 0);
    const double ahead_s = (double)ahead_us * 1e-6;
    const struct mf_geo there = mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                  (double)pose->vel_ned_mps[0] * ahead_s,
                                                  (double)pose->vel_ned_mps[1] * ahead_s);
    const double alt_amsl_m = pose->alt_amsl_m - (double)pose->vel_ned_mps[2] * ahead_s;
    const unsigned breach = mf_fence_breach_at(way->bounds, there, alt_amsl_m);
    return (struct mf_crossing){.at_us = from_us + (breach != 0 ? ahead_us : MF_FENCE_POLL_US),
                                .sure = breach != 0,
                                .guessed = true,
                                .pose = *pose,
                                .breach = breach};
}

struct mf_crossing mf_fence_next_crossing(const struct mf_way *way, mf_us_t from_us,
                                          mf_us_t need_us, struct mf_pose pose,
                                          struct mf_fence_view view)
{
    MF_ASSERT(need_us >= from_us);
    mf_us_t end_us = MF_NEVER;
    const unsigned breach = view.breach;
    if (mf_airframe_next(way->bounds->hal, from_us, MF_WHEN_ARRIVED, 0.0, &end_us) != MF_E_OK) {
        return guess(way, from_us, mf_fence_lead_us(way->bounds->params, &pose), &pose);
    }
    mf_us_t t_us = from_us;
    /* A plan without an end (a velocity) is followed for a limited number of steps, after which the
     * watch continues later, but at least for the time of braking. */
    for (int i = 0; i < MF_FENCE_STEPS_MAX || t_us <= need_us; i++) {
        if (at_rest(&pose) && (end_us == MF_NEVER || end_us <= t_us)) {
            return (struct mf_crossing){.at_us = MF_NEVER, .sure = true};
        }
        /* The border cannot be crossed and left again within the calm time. Near the border that
         * shrinks towards zero, so a step has a least length. */
        const mf_us_t next_us = t_us + (view.calm_us > STEP_MIN_US ? view.calm_us : STEP_MIN_US);
        view = look_ahead(way, next_us, &pose);
        if (view.breach != breach) {
            return bisect(way, t_us, next_us, breach);
        }
        t_us = next_us;
    }
    return (struct mf_crossing){.at_us = t_us};
}

struct mf_target mf_fence_stop_before(const struct mf_way *way, mf_us_t now_us,
                                      const struct mf_crossing *next)
{
    MF_ASSERT(next->sure && next->at_us != MF_NEVER);
    const double down_mps = (double)next->pose.vel_ned_mps[2];
    const double h_mps = horizontal_mps(&next->pose);
    const double speed_mps = mf_length2(h_mps, down_mps);
    const double early_us = speed_mps > STOP_M ? STOP_M / speed_mps * 1e6 : 1e6;
    mf_us_t at_us = next->at_us - (mf_us_t)early_us;
    struct mf_target target = mf_target_none();
    struct mf_pose pose;
    at_us = at_us > now_us ? at_us : now_us;
    mf_estimate_ahead(way->estimate, way->bounds->hal, at_us, &pose);
    target.lat_deg = pose.lat_deg;
    target.lon_deg = pose.lon_deg;
    target.alt_amsl_m = pose.alt_amsl_m;
    return target;
}
