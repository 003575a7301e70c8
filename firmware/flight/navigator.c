/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mode is flown in phases. Each phase gives the airframe one leg and names the condition that
 * ends it; the airframe says when that will be, and the navigator sleeps until then. What a mode
 * does at its start and at the end of each phase stands in one table.
 *
 * The navigator is six layers, each of which calls those before it only: legs (nav_leg.c), items
 * (nav_item.c), phases (nav_phase.c), requests (nav_request.c), modes (nav_*.c), and this file with
 * the table and the task.
 */
#include "firmware/flight/navigator.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Interval of polls of an airframe that does not know its future [us], and distances within which
 * it is at its target [m]. */
#define POLL_US  (50 * MF_MS_US)
#define NEAR_H_M 0.5
#define NEAR_V_M 0.3
/* A mission that jumps in a circle without moving must neither stop time nor flood the links: it
 * goes on after [us]. */
#define YIELD_US (1000 * MF_MS_US)

/* ---- TAKEOFF ---- */

double mf_navigator_takeoff_height(struct mf_vehicle *v)
{
    const double height_m = (double)mf_param_f(&v->params, MF_PARAM_MIS_TAKEOFF_ALT);
    struct mf_text text = mf_text("Using default takeoff altitude: ");
    MF_ASSERT(mf_finite(height_m));
    mf_text_add_float(&text, height_m, 1);
    mf_text_add(&text, " m");
    mf_say(v, MF_INFO, text.s);
    return height_m;
}

static void take_off(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode == MF_MODE_TAKEOFF);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double here_m = leg.alt_amsl_m;
    double to_m = v->navigator.target.alt_amsl_m;
    if (!mf_finite(to_m)) { /* by default the command has said it, and DO_SET_MODE says nothing */
        to_m = here_m + (v->options.px4_strict
                             ? mf_navigator_takeoff_height(v)
                             : (double)mf_param_f(&v->params, MF_PARAM_MIS_TAKEOFF_ALT));
    }
    /* No take-off leads down: it is done where the vehicle is, with PX4's warning. */
    if (to_m < here_m) {
        mf_say(v, MF_WARNING, "Already higher than takeoff altitude");
    }
    if (to_m > here_m) {
        leg.alt_amsl_m = to_m;
        (void)mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
    } else {
        mf_nav_stay(v, t_us);
        mf_commander_post(v, t_us, MF_EV_TAKEOFF_DONE);
    }
}

static void took_off(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    mf_commander_post(v, t_us, MF_EV_TAKEOFF_DONE);
}

/* ---- HOLD, and every mode in which nothing is flown ---- */

static void hold_position(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode == MF_MODE_HOLD);
    struct mf_navigator *n = &v->navigator;
    const struct mf_target *to = &n->target;
    const bool stands = !mf_navigator_flies(v) && n->phase != MF_NAV_STEER;
    /* After a mission or take-off the vehicle keeps its target, instead of the body's present
     * place. */
    if (n->keep && n->planned && stands) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
        return;
    }
    if (mf_target_is_none(to)) {
        mf_nav_stay(v, t_us);
        return;
    }
    const double here_m = mf_estimate_at(v, t_us)->pose.alt_amsl_m;
    struct mf_leg leg = mf_nav_leg_aimed(v, t_us); /* what is not given stays as it is */
    if (mf_finite(to->lat_deg)) {
        leg.lat_deg = to->lat_deg;
        leg.lon_deg = to->lon_deg;
        leg.yaw_rad = mf_nav_course(v, t_us, to->lat_deg, to->lon_deg);
    }
    if (mf_finite(to->alt_amsl_m)) {
        leg.alt_amsl_m = to->alt_amsl_m;
    }
    if (mf_finite((double)to->yaw_rad)) {
        leg.yaw_rad = to->yaw_rad;
    }
    if (v->commander.landed == MF_LANDED_ON_GROUND && !(leg.alt_amsl_m > here_m)) {
        mf_nav_stay(v, t_us); /* it does not slide along the ground */
        return;
    }
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

static void held(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

/* ---- LAND, DESCEND ---- */

static void land_here(struct mf_vehicle *v, mf_us_t t_us)
{
    const bool flies = v->commander.landed != MF_LANDED_ON_GROUND && !v->navigator.keep;
    if (flies && !v->options.px4_strict) {
        mf_say(v, MF_INFO, "Landing at current position");
    }
    mf_nav_land(v, t_us);
}

static void landed(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

/* ---- what each mode does ---- */

/* End a leg of a steered mode: wait for the next aim. After a velocity or a chord of a circle,
 * steer again. */
static void steered(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    if (n->leg.velocity || n->mode == MF_MODE_ORBIT) {
        mf_nav_steer_again(v, t_us);
    }
}

static const struct {
    void (*start)(struct mf_vehicle *v, mf_us_t t_us); /* the mode begins */
    void (*done)(struct mf_vehicle *v, mf_us_t t_us);  /* its present phase is over */
    void (*steer)(struct mf_vehicle *v, mf_us_t t_us); /* where to now? NULL: as begun */
} k_mode[MF_MODE_COUNT] = {
    [MF_MODE_MANUAL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_ALTCTL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_POSCTL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_ORBIT] = {mf_nav_orbit_start, steered, mf_nav_orbit_steer},
    [MF_MODE_TAKEOFF] = {take_off, took_off, NULL},
    [MF_MODE_HOLD] = {hold_position, held, NULL},
    [MF_MODE_MISSION] = {mf_nav_mission_start, mf_nav_mission_done, NULL},
    [MF_MODE_RTL] = {mf_nav_return_start, mf_nav_return_done, NULL},
    [MF_MODE_LAND] = {land_here, landed, NULL},
    [MF_MODE_DESCEND] = {mf_nav_land, landed, NULL},
    [MF_MODE_FOLLOW] = {mf_nav_follow_start, steered, mf_nav_follow_steer},
    [MF_MODE_ACRO] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_OFFBOARD] = {mf_nav_offboard_start, steered, mf_nav_offboard_start},
    [MF_MODE_STABILIZED] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_TERMINATION] = {mf_nav_stay, held, NULL},
};

void mf_navigator_init(struct mf_navigator *n)
{
    *n = (struct mf_navigator){
        .mode = MF_MODE_HOLD,
        .target = mf_target_none(),
        .steer_us = MF_NEVER,
        .look_us = MF_NEVER,
        .correct_us = MF_NEVER,
    };
}

/* ---- the task ---- */

/* For an airframe that does not know its future: true if the pose shows that the phase is over. */
static bool over_by_sight(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const struct mf_leg *leg = &v->navigator.leg;
    if (v->navigator.when == MF_WHEN_TOUCHDOWN) {
        return pose->on_ground;
    }
    if (v->navigator.when == MF_WHEN_REST) {
        return mf_nav_slow(pose);
    }
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){leg->lat_deg, leg->lon_deg});
    /* Horizontally and vertically apart, as PX4 accepts a waypoint. */
    const double near_m = (double)leg->radius_m > NEAR_H_M ? (double)leg->radius_m : NEAR_H_M;
    return line.distance_m <= near_m && mf_abs(leg->alt_amsl_m - pose->alt_amsl_m) <= NEAR_V_M;
}

static mf_us_t phase_end(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.when <= MF_WHEN_YAW);
    const struct mf_navigator *n = &v->navigator;
    mf_us_t at_us = MF_NEVER;
    if (n->phase == MF_NAV_IDLE ||
        (n->phase == MF_NAV_STEER && v->commander.landed == MF_LANDED_ON_GROUND)) {
        return MF_NEVER;
    }
    if (n->phase == MF_NAV_WAIT || n->yields) {
        return n->wait_until_us;
    }
    if (mf_airframe_next(&v->hal, t_us, (enum mf_when)n->when, 0.0, &at_us) != MF_E_OK) {
        at_us = over_by_sight(v, t_us) ? t_us : t_us + POLL_US;
    }
    return at_us;
}

/* The body has come to rest where nothing more is to be flown. */
static void rested(struct mf_vehicle *v, mf_us_t t_us)
{
    if (!mf_nav_settles(&v->navigator)) {
        v->navigator.leg = mf_nav_leg(v, t_us);
    }
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

static void phase_over(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    const struct mf_navigator *n = &v->navigator;
    v->counters.events++;
    if (n->phase == MF_NAV_FALL) {
        landed(v, t_us);
    } else if (n->phase == MF_NAV_BRAKE) {
        rested(v, t_us);
    } else {
        k_mode[n->mode].done(v, t_us);
    }
}

/* The phase goes on until @p end_us. @return when there is something to do before */
static mf_us_t meanwhile(struct mf_vehicle *v, mf_us_t due_us, mf_us_t end_us)
{
    const struct mf_navigator *n = &v->navigator;
    MF_ASSERT(end_us > due_us);
    mf_us_t lands_us = MF_NEVER;
    (void)mf_nav_stands(v, due_us, &lands_us);
    /* Looks come last: only then it is settled which leg is flown, and from where. */
    if (n->look_us <= due_us) {
        mf_nav_look(v, due_us);
    }
    const bool waits = n->begin && v->commander.armed;
    const mf_us_t told_us = mf_earlier(n->steer_us, waits ? n->begin_us : MF_NEVER);
    return mf_earlier(mf_earlier(told_us, n->look_us), mf_earlier(end_us, lands_us));
}

mf_us_t mf_navigator_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_navigator *n = &v->navigator;
    /* Nothing leads anywhere; the mode begins when they work again. */
    if (v->watched.motors_failed) {
        n->begin = false;
        n->steer_us = MF_NEVER;
    }
    for (unsigned guard = 0; guard < MF_INSTANT_ITEMS_MAX; guard++) {
        /* A mode that begins takes over at once, before its predecessor's phase can end at the
         * same instant. */
        if (n->begin && v->commander.armed && due_us >= n->begin_us) {
            n->begin = false;
            k_mode[n->mode].start(v, due_us);
        }
        if (n->steer_us <= due_us) {
            n->steer_us = MF_NEVER;
            MF_ASSERT(mf_mode_is_steered((enum mf_mode)n->mode));
            k_mode[n->mode].steer(v, due_us);
        }
        const bool coasts = n->phase == MF_NAV_WAIT || n->phase == MF_NAV_BRAKE || n->yields;
        if (coasts) { /* the body may still move */
            mf_commander_set_landed(v, due_us, mf_nav_landed(v, due_us));
        } else if (v->commander.landed == MF_LANDED_ON_GROUND && mf_navigator_flies(v)) {
            mf_nav_set_phase(v, due_us, (enum mf_nav_phase)n->phase);
        }
        const mf_us_t end_us = phase_end(v, due_us);
        if (end_us > due_us) {
            n->loops = false;
            return meanwhile(v, due_us, end_us);
        }
        if (n->loops) {
            break;
        }
        phase_over(v, due_us);
    }
    n->loops = false;
    n->yields = true;
    n->wait_until_us = due_us + YIELD_US;
    n->looped_us = n->wait_until_us;
    return meanwhile(v, due_us, n->wait_until_us);
}
