/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the navigator, from commands, failsafes, missions and health. It follows them at once
 * if a leg is flown, otherwise in its next run. */
#include "firmware/core/tasks.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

static const float k_nan = __builtin_nanf("");

/* A mode that a user chose begins on the grid, since it sets the vehicle in motion; stopping does
 * not wait. A landing stops at once, and sinks from the grid on. @return when the mode begins */
static mf_us_t begin_us(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_navigator *n = &v->navigator;
    const mf_us_t at_us = mf_nav_on_grid(v, now_us);
    if (n->mode == MF_MODE_HOLD && mf_target_is_none(&n->target)) {
        return now_us;
    }
    const bool flies = mf_navigator_flies(v) && n->phase != MF_NAV_LAND;
    if (n->mode == MF_MODE_LAND && at_us > now_us && (flies || n->phase == MF_NAV_STEER)) {
        mf_nav_stay(v, now_us);
    }
    return at_us;
}

static void begin_at(struct mf_vehicle *v, mf_us_t at_us)
{
    v->navigator.begin_us = at_us;
    mf_wake_at(v, MF_TASK_NAVIGATOR, at_us);
}

void mf_navigator_begin(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                        const struct mf_target *target)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    if ((enum mf_mode)n->mode != mode || !v->commander.armed) {
        n->speed_mps = 0.0f;
    }
    /* A return that interrupts a mission may follow its items (RTL_TYPE). */
    n->from_mission = n->mode == MF_MODE_MISSION;
    n->mode = (uint8_t)mode;
    n->begin = true;
    n->climb = MF_CLIMB_ASKED;
    n->steer_us = MF_NEVER;
    n->keep = target == NULL;
    n->target = target != NULL ? *target : mf_target_none();
    begin_at(v, target != NULL ? begin_us(v, now_us) : now_us);
    MF_ASSERT(n->begin_us >= now_us);
}

void mf_navigator_hurry(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->navigator.begin) {
        begin_at(v, now_us);
    }
}

void mf_navigator_steer(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_navigator *n = &v->navigator;
    if (v->commander.armed && !n->begin && n->phase != MF_NAV_FALL &&
        mf_mode_is_steered((enum mf_mode)n->mode)) {
        mf_nav_steer_again(v, now_us);
    }
}

bool mf_navigator_steered(const struct mf_vehicle *v)
{
    const struct mf_navigator *n = &v->navigator;
    return v->commander.armed && n->phase != MF_NAV_FALL &&
           mf_mode_is_steered((enum mf_mode)n->mode);
}

void mf_navigator_refresh(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    struct mf_navigator *n = &v->navigator;
    if (!v->commander.armed || n->begin) {
        return; /* the vehicle does not fly, or will plan again in any case */
    }
    if (n->mode == MF_MODE_MISSION &&
        (n->item_tag != v->mission.tag || n->item_seq != v->mission.current)) {
        /* PX4 climbs for another item only before it has begun to fly to the first one. */
        const bool low = n->climb == MF_CLIMB_FLOWN || v->commander.landed == MF_LANDED_ON_GROUND;
        n->climb = low ? MF_CLIMB_ASKED : MF_CLIMB_NONE;
        n->begin = true;
        begin_at(v, now_us);
        return;
    }
    if (mf_nav_settles(n)) {
        return; /* what is left of the way stays as it is */
    }
    if (n->phase == MF_NAV_BRAKE) {
        mf_nav_stay(v, now_us);
        mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
    } else if (n->planned && mf_navigator_flies(v)) {
        /* The leg to the phase's target, with the present speeds. */
        const struct mf_leg now = mf_nav_leg(v, now_us);
        struct mf_leg leg = n->leg;
        leg.speed_h_mps = now.speed_h_mps;
        leg.speed_up_mps = now.speed_up_mps;
        leg.speed_down_mps = now.speed_down_mps;
        leg.yaw_rate_rps = now.yaw_rate_rps;
        if (n->phase == MF_NAV_CLIMB &&
            /* straight up from its present place, since it may be dragged */
            v->imposed.leash_m > 0.0f) {
            leg.lat_deg = now.lat_deg;
            leg.lon_deg = now.lon_deg;
        }
        (void)mf_nav_fly(v, now_us, (enum mf_nav_phase)n->phase, &leg);
        mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
    }
}

void mf_navigator_set_speed(struct mf_vehicle *v, mf_us_t now_us, float speed_mps)
{
    v->navigator.speed_mps = speed_mps > 0.0f ? speed_mps : 0.0f;
    v->navigator.target.speed_mps = k_nan; /* a speed of the reposition before is overruled */
    mf_navigator_refresh(v, now_us);
}

void mf_navigator_forget_roi(struct mf_navigator *n)
{
    n->roi.kind = MF_ROI_NONE;
}

void mf_navigator_set_roi(struct mf_vehicle *v, mf_us_t now_us, const struct mf_roi *roi)
{
    MF_ASSERT(roi->kind <= MF_ROI_NEXT);
    struct mf_navigator *n = &v->navigator;
    const mf_us_t at_us = mf_nav_on_grid(v, now_us);
    if (roi->kind == MF_ROI_NONE && n->roi.kind == MF_ROI_NONE) {
        return;
    }
    n->roi = *roi;
    if (roi->kind != MF_ROI_NONE) {
        n->target.yaw_rad = __builtin_nanf(""); /* the last word about the heading counts */
    }
    n->look_us = mf_earlier(n->look_us, at_us);
    mf_wake_at(v, MF_TASK_NAVIGATOR, n->look_us);
}

/* ---- the estimate moves ---- */

/* Delay of a new plan after the receiver moved the estimate, or another force the body, so that the
 * plan leads elsewhere [us]. It is a period of the slowest stream of positions, which thus shows a
 * small error before it is corrected. */
#define CORRECT_US MF_SECOND_US
/* Smallest error that is corrected [m]: more than a receiver's resolution, and less than the error
 * at the begin of a drift. */
#define OFF_M 0.0125
/* Lowest height above the ground of a corrected plan, whatever the receiver reports [m]. */
#define CLEAR_M 0.3
/* A vehicle stands still below this speed [m/s]. */
#define STILL_MPS 0.01

/* True if the vehicle is to stay at a place, and has reached it. A landing and a velocity do not
 * stay at a place. */
static bool holds(const struct mf_navigator *n)
{
    const bool stands = n->phase == MF_NAV_IDLE || n->phase == MF_NAV_WAIT || mf_nav_settles(n);
    return stands && n->planned && !n->leg.land && !n->leg.velocity;
}

static double length3(const double ned[3])
{
    return mf_length2(mf_length2(ned[0], ned[1]), ned[2]);
}

/* Was the estimate corrected by more than a little since the plan was made? */
static bool corrected(const struct mf_navigator *n, const struct mf_estimate *e)
{
    double off_m[3];
    for (int i = 0; i < 3; i++) {
        off_m[i] = e->correction_ned_m[i] - n->aimed_ned_m[i];
    }
    return length3(off_m) > OFF_M;
}

/* True if the vehicle stands still at a distance from its place. A vehicle that is dragged does not
 * count: a plan would be outdated at once. */
static bool displaced(const struct mf_navigator *n, const struct mf_pose *pose)
{
    const double vel_ned_mps[3] = {(double)pose->vel_ned_mps[0], (double)pose->vel_ned_mps[1],
                                   (double)pose->vel_ned_mps[2]};
    if (!holds(n) || n->phase == MF_NAV_BRAKE || length3(vel_ned_mps) > STILL_MPS) {
        return false;
    }
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){n->leg.lat_deg, n->leg.lon_deg});
    return mf_length2(line.distance_m, pose->alt_amsl_m - n->leg.alt_amsl_m) > OFF_M;
}

static void correct(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_navigator *n = &v->navigator;
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    MF_ASSERT(!n->begin && e->position);
    if (holds(n)) {
        struct mf_leg leg = mf_nav_leg_aimed(v, now_us);
        leg.yaw_rad =
            mf_nav_looks(v, (enum mf_nav_phase)n->phase) ? __builtin_nanf("") : leg.yaw_rad;
        mf_estimate_aim(e, &leg);
        /* A receiver that reads too high must not fly a hovering vehicle into the ground. */
        leg.alt_amsl_m = mf_larger(leg.alt_amsl_m, e->pose.ground_amsl_m + CLEAR_M);
        (void)mf_nav_plan(v, now_us, &leg, 1); /* the phase goes on */
        return;
    }
    mf_navigator_refresh(v, now_us);
    mf_navigator_steer(v, now_us);
    mf_nav_aimed(v); /* what is flown without a plan has nothing to correct */
}

mf_us_t mf_navigator_watch(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_navigator *n = &v->navigator;
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    const bool flies = v->commander.armed && e->position && n->phase != MF_NAV_FALL &&
                       v->commander.landed != MF_LANDED_ON_GROUND;
    /* A mode that is about to begin will be planned with the correction of that time. */
    const bool off = flies && !n->begin && (corrected(n, e) || displaced(n, &e->pose));
    if (!flies) {
        n->correct_us = MF_NEVER;
    } else if (off && n->correct_us == MF_NEVER) {
        n->correct_us = now_us + CORRECT_US;
    } else if (now_us >= n->correct_us) {
        n->correct_us = off ? now_us + CORRECT_US : MF_NEVER;
        if (off) {
            correct(v, now_us);
        }
    }
    MF_ASSERT(n->correct_us > now_us);
    return n->correct_us;
}
