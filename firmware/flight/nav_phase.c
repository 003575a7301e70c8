/* SPDX-License-Identifier: Apache-2.0 */
/* Phases: each gives the airframe one leg, or none, and names the condition that ends it. */
#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Interval of polls of an airframe that does not know its future [us]. */
#define POLL_US (50 * MF_MS_US)

/* Part of each second of MPC_TKO_RAMP_T that is left when PX4 detects the take-off [us]: 2.2 s of 3
 * s. */
#define RAMP_LEFT_US 733000.0f

static const float k_nan = __builtin_nanf("");

/* Time at which a body that no phase waits for reaches the ground. @return MF_NEVER: it does not,
 * or stands there */
static mf_us_t touchdown_us(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    const bool coasts = n->phase == MF_NAV_WAIT && n->leg.radius_m > 0.0f; /* on its way to rest */
    mf_us_t at_us = MF_NEVER;
    /* Phases that fly end with a touchdown by themselves; these two would sleep over it. */
    if (coasts || n->yields) {
        (void)mf_airframe_next(&v->hal, t_us, MF_WHEN_TOUCHDOWN, 0.0, &at_us);
    }
    return at_us > t_us ? at_us : MF_NEVER;
}

bool mf_nav_stands(struct mf_vehicle *v, mf_us_t t_us, mf_us_t *at_us)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    const bool on_ground = mf_estimate_at(v, t_us)->pose.on_ground;
    *at_us = on_ground ? MF_NEVER : touchdown_us(v, t_us);
    /* A take-off whose target is within the acceptance radius is over before the body has lifted
     * off. */
    if (!mf_navigator_flies(v) && v->navigator.phase != MF_NAV_BRAKE) {
        return on_ground;
    }
    mf_us_t lift_us = MF_NEVER;
    if (mf_airframe_next(&v->hal, t_us, MF_WHEN_LIFTOFF, 0.0, &lift_us) != MF_E_OK) {
        *at_us = on_ground ? t_us + POLL_US : *at_us;
        return on_ground;
    }
    /* PX4 takes a vehicle whose thrust rises for one that has taken off. */
    if (v->options.px4_strict && v->options.px4_motion && v->navigator.phase == MF_NAV_CLIMB &&
        lift_us != MF_NEVER) {
        lift_us -= (int32_t)(mf_param_f(&v->params, MF_PARAM_MPC_TKO_RAMP_T) * RAMP_LEFT_US);
    }
    const bool later = lift_us > t_us; /* or never: its target may lie below the ground */
    *at_us = later ? lift_us : *at_us;
    return later;
}

enum mf_landed mf_nav_landed(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    mf_us_t liftoff_us = MF_NEVER;
    if (mf_nav_stands(v, t_us, &liftoff_us)) {
        return MF_LANDED_ON_GROUND;
    }
    switch ((enum mf_nav_phase)v->navigator.phase) {
    case MF_NAV_CLIMB:
        return v->navigator.mode == MF_MODE_RTL ? MF_LANDED_IN_AIR : MF_LANDED_TAKEOFF;
    case MF_NAV_LAND:
        return MF_LANDED_LANDING;
    case MF_NAV_IDLE:
    case MF_NAV_FLY:
    case MF_NAV_DESCEND:
    case MF_NAV_FALL:
    case MF_NAV_BRAKE:
    case MF_NAV_WAIT:
    case MF_NAV_STEER:
    default:
        return MF_LANDED_IN_AIR;
    }
}

void mf_nav_set_phase(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase)
{
    /* BRAKE is never requested: it replaces IDLE while the body moves */
    MF_ASSERT(phase <= MF_NAV_STEER && phase != MF_NAV_BRAKE);
    struct mf_navigator *n = &v->navigator;
    n->phase = (uint8_t)phase;
    n->yields = false;
    n->look_us = t_us; /* where to look may be another place in another phase */
    if (phase == MF_NAV_IDLE && mf_nav_rest_us(v, t_us) > t_us) {
        n->phase = MF_NAV_BRAKE;
        n->when = MF_WHEN_REST;
    }
    MF_ASSERT(n->phase != MF_NAV_BRAKE || n->when == MF_WHEN_REST);
    mf_commander_set_landed(v, t_us, mf_nav_landed(v, t_us));
}

void mf_nav_aimed(struct mf_vehicle *v)
{
    for (int i = 0; i < 3; i++) {
        v->navigator.aimed_ned_m[i] = v->estimate.correction_ned_m[i];
    }
}

/* Give the airframe one plan, within the present limits. A climb from the ground by less than the
 * acceptance radius ends half-way, as in PX4. */
int mf_nav_plan(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    MF_ASSERT(n <= MF_PLAN_LEGS_MAX && (legs != NULL || n == 0));
    struct mf_physics_limits limits = mf_nav_limits(&v->params);
    if (n > 0 && v->commander.landed == MF_LANDED_ON_GROUND) {
        const double climb_m = legs[0].alt_amsl_m - mf_estimate_at(v, t_us)->pose.alt_amsl_m;
        const bool low = climb_m > 0.0 && climb_m < (double)limits.alt_radius_m;
        limits.alt_radius_m = low ? (float)(0.5 * climb_m) : limits.alt_radius_m;
    }
    (void)mf_airframe_limit(&v->hal, &limits); /* or the body flies by its own */
    const int err = mf_airframe_plan(&v->hal, t_us, legs, n);
    /* After a refused plan the estimate expires, too: the body may have adopted the limits. */
    mf_nav_aimed(v);
    mf_estimate_forget(v);
    v->navigator.spins = v->navigator.spins && err != MF_E_OK;
    return err;
}

/* Acceptance radius of a phase [m]: with PX4's motion as PX4's, and the body flies on to the target
 * itself in the next phase or before it. */
static float acceptance_m(const struct mf_vehicle *v, enum mf_nav_phase phase)
{
    const uint8_t mode = v->navigator.mode;
    MF_ASSERT(mode < MF_MODE_COUNT);
    const bool reports = mode == MF_MODE_MISSION || mode == MF_MODE_RTL || mode == MF_MODE_TAKEOFF;
    const bool leads = phase == MF_NAV_CLIMB || phase == MF_NAV_FLY || phase == MF_NAV_DESCEND;
    if (!v->options.px4_motion || !reports || !leads) {
        return 0.0f;
    }
    return mode == MF_MODE_MISSION ? mf_nav_mission_radius(v)
                                   : mf_param_f(&v->params, MF_PARAM_NAV_ACC_RAD);
}

bool mf_nav_fly(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase,
                const struct mf_leg *leg)
{
    struct mf_navigator *n = &v->navigator;
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    struct mf_leg legs[2] = {*leg};
    MF_ASSERT(leg->speed_h_mps > 0.0f && mf_finite(leg->alt_amsl_m));
    MF_ASSERT(mf_finite(leg->lat_deg) && mf_finite(leg->lon_deg));
    if (mf_nav_looks(v, phase)) {
        legs[0].yaw_rad = k_nan;
    }
    legs[0].radius_m = acceptance_m(v, phase);
    n->passes = n->mode == MF_MODE_MISSION && phase == MF_NAV_FLY &&
                mf_nav_mission_onward(v, t_us, &legs[0], &legs[1]);
    const size_t count = n->passes ? 2 : 1;
    /* Kept as the estimate has it; the airframe gets it shifted back by the correction. */
    n->leg = legs[0];
    for (size_t i = 0; i < count; i++) {
        mf_estimate_aim(e, &legs[i]);
    }
    const int err = mf_nav_plan(v, t_us, legs, count);
    if (err != MF_E_OK) {
        struct mf_text text = mf_text("Navigation: target refused: ");
        mf_text_add(&text, mf_err_text(err));
        mf_say(v, MF_CRITICAL, text.s);
        mf_nav_stay(v, t_us);
        mf_commander_post(v, t_us, MF_EV_TARGET_REFUSED);
        return false;
    }
    n->planned = true;
    n->when = (uint8_t)(leg->land || leg->velocity ? MF_WHEN_TOUCHDOWN : MF_WHEN_ARRIVED);
    mf_nav_set_phase(v, t_us, phase);
    return true;
}

/* Make a leg to the place where the body will rest; a body that does not know it is assumed to rest
 * at its present place. */
static struct mf_leg leg_to_rest(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    struct mf_pose pose;
    const mf_us_t at_us = mf_nav_rest_us(v, t_us);
    MF_ASSERT(at_us >= t_us);
    if (at_us > t_us && mf_airframe_sample(&v->hal, at_us, &pose) == MF_E_OK) {
        leg.lat_deg = pose.lat_deg;
        leg.lon_deg = pose.lon_deg;
        leg.alt_amsl_m = pose.alt_amsl_m;
        mf_estimate_believe(mf_estimate_at(v, t_us), &leg);
    }
    return leg;
}

void mf_nav_stay(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    const bool on_ground = v->commander.landed == MF_LANDED_ON_GROUND;
    MF_ASSERT(n->mode < MF_MODE_COUNT);
    /* A vehicle on the ground does not move, unless it is about to take off. */
    if (!on_ground || mf_navigator_flies(v)) {
        (void)mf_nav_plan(v, t_us, NULL, 0);
    }
    n->planned = !on_ground;
    if (!on_ground) {
        n->leg = leg_to_rest(v, t_us);
    }
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

void mf_nav_wait(struct mf_vehicle *v, mf_us_t t_us, double seconds)
{
    /* Limited, also for NaN: 1e7 s are 115 days, and a sum of times does not overflow. */
    const double limited = seconds > 0.0 ? (seconds < 1e7 ? seconds : 1e7) : 0.0;
    v->navigator.wait_until_us = t_us + mf_us_of(limited);
    MF_ASSERT(v->navigator.wait_until_us >= t_us);
    mf_nav_set_phase(v, t_us, MF_NAV_WAIT);
}

void mf_nav_land(struct mf_vehicle *v, mf_us_t t_us)
{
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
        return;
    }
    struct mf_leg leg = mf_nav_leg(v, t_us);
    leg.land = true; /* at this place: a landing elsewhere is reached by a flight before */
    (void)mf_nav_fly(v, t_us, MF_NAV_LAND, &leg);
}

void mf_navigator_fall(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    struct mf_navigator *n = &v->navigator;
    n->begin = false;
    n->planned = false;
    n->steer_us = MF_NEVER;
    n->when = MF_WHEN_TOUCHDOWN;
    mf_nav_set_phase(v, now_us,
                     v->commander.landed != MF_LANDED_ON_GROUND ? MF_NAV_FALL : MF_NAV_IDLE);
    mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
}

/* The earliest of all reasons to look again holds; each look names the next one. */
void mf_nav_steer_again(struct mf_vehicle *v, mf_us_t at_us)
{
    v->navigator.steer_us = mf_earlier(v->navigator.steer_us, at_us);
    mf_wake_at(v, MF_TASK_NAVIGATOR, at_us);
}
