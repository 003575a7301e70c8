/* SPDX-License-Identifier: Apache-2.0 */
/* What others ask of the navigator: it takes that up at once where something is flown, or in its next
 * run. */
#include "firmware/core/tasks.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/vehicle.h"

static const float k_nan = __builtin_nanf("");

/* A mode that a user chose begins on the grid, since it sets the vehicle in motion; stopping does not
 * wait. A landing stops at once, and sinks from the grid on. @return when the mode begins */
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
    n->from_mission = n->mode == MF_MODE_MISSION;
    n->mode = (uint8_t)mode;
    n->begin = true;
    n->steer_us = MF_NEVER;
    n->keep = target == NULL;
    n->target = target != NULL ? *target : mf_target_none();
    begin_at(v, target != NULL ? begin_us(v, now_us) : now_us);
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
        return; /* nothing is flown, or will be planned anew anyway */
    }
    if (n->mode == MF_MODE_MISSION &&
        (n->item_tag != v->mission.tag || n->item_seq != v->mission.current)) {
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
        const struct mf_leg now = mf_nav_leg(v, now_us);
        struct mf_leg leg = n->leg;
        leg.speed_h_mps = now.speed_h_mps;
        leg.speed_up_mps = now.speed_up_mps;
        leg.speed_down_mps = now.speed_down_mps;
        leg.yaw_rate_rps = now.yaw_rate_rps;
        if (n->phase == MF_NAV_CLIMB &&
            mf_faults_move(&v->faults)) { /* up from wherever that has taken it */
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
    v->navigator.target.speed_mps = k_nan;
    mf_navigator_refresh(v, now_us);
}

void mf_navigator_correct(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    struct mf_navigator *n = &v->navigator;
    const enum mf_nav_phase phase = (enum mf_nav_phase)n->phase;
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    const bool stands = phase == MF_NAV_IDLE || phase == MF_NAV_WAIT || mf_nav_settles(n);
    if (!v->commander.armed || n->begin || !e->position ||
        v->commander.landed == MF_LANDED_ON_GROUND) {
        return;
    }
    if (!stands) {
        mf_navigator_refresh(v, now_us);
        mf_navigator_steer(v, now_us);
    } else if (n->planned && !n->leg.land && !n->leg.velocity) {
        struct mf_leg leg = mf_nav_leg_aimed(v, now_us);
        leg.yaw_rad = mf_nav_looks(v, phase) ? k_nan : leg.yaw_rad;
        mf_estimate_aim(e, &leg);
        (void)mf_nav_plan(v, now_us, &leg, 1); /* the phase goes on */
    }
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
