/* SPDX-License-Identifier: Apache-2.0 */
/* Commander: arming, requests of modes, and its task, which processes events. */
#include "firmware/flight/commander.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/transition.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

static mf_us_t seconds(float s)
{
    return (mf_us_t)((double)s * 1e6);
}

/* PX4 keeps the mode when it is armed. MANUAL on the ground is what SIM-035 asks for. */
static bool stays_when_armed(const struct mf_options *options, const struct mf_params *p)
{
    return options->px4_strict || mf_param_i(p, MF_PARAM_MF_ARM_MODE) == 1;
}

/* Enter the mode of an armed vehicle: that of the table, or the present one, which then begins.
 * @return true: the mode changed */
static bool enter_armed(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(v->commander.armed);
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const bool on_ground = v->commander.landed == MF_LANDED_ON_GROUND;
    if (on_ground && !stays_when_armed(&v->options, &v->params) &&
        mf_mode_next(mode, MF_EV_ARMED) >= 0) {
        return mf_transition_follow(v, now_us, MF_EV_ARMED);
    }
    /* QGroundControl requests a take-off, and arms afterwards: the mode begins now, with the target
     * of that request. */
    /* target of a take-off that was requested before arming */
    const struct mf_target asked = v->navigator.target;
    return mf_transition_enter(v, now_us, mode, &asked);
}

int mf_commander_arm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by)
{
    struct mf_commander *c = &v->commander;
    MF_ASSERT(c->mode < MF_MODE_COUNT);
    const bool on_ground = c->landed == MF_LANDED_ON_GROUND;
    if (c->armed) {
        return MF_E_OK;
    }
    const char *denial = mf_health_denial(v, now_us);
    /* The motors are last, so that no airframe is armed in vain. */
    if (denial[0] == '\0' && mf_airframe_arm(&v->hal, now_us, true) != MF_E_OK) {
        denial = "Preflight Fail: motors";
    }
    if (denial[0] != '\0') {
        mf_say(v, MF_CRITICAL, denial);
        /* PX4's text, which ground programs look for; the reason comes before it. */
        mf_say(v, MF_CRITICAL, "Arming denied: Resolve system health failures first");
        return MF_E_AGAIN;
    }
    mf_estimate_forget(v);
    /* Lost inputs are cleared before arming, since causes that stay must not act during it. */
    mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, false);
    mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, false);
    c->armed = true;
    c->armed_us = now_us;
    c->took_off = !on_ground; /* armed again in its fall */
    mf_inputs_armed(&v->inputs);
    const float idle_s = mf_param_f(&v->params, MF_PARAM_COM_DISARM_PRFLT);
    c->disarm_us = MF_NEVER;
    /* COM_DISARM_PRFLT counts from when the motors have spun up, as in PX4. */
    if (on_ground && idle_s > 0.0f) {
        c->disarm_us =
            now_us + seconds(idle_s) + seconds(mf_param_f(&v->params, MF_PARAM_COM_SPOOLUP_TIME));
        mf_wake_at(v, MF_TASK_COMMANDER, c->disarm_us);
    }
    if (on_ground) {
        /* SIM-022: home is where it is armed. One that is armed in its fall keeps the home that it
         * had. */
        mf_home_take_off(v, now_us);
    }
    mf_log_event(&v->hal, now_us, MF_INFO, "armed", "yes");
    mf_health_happened(v, now_us, MF_HAPPENING_ARMED, 0);
    mf_say(v, MF_INFO,
           by == MF_BY_MISSION_START ? "Armed by mission start" : "Armed by external command");
    /* A change of mode announces the arming with it; clients see one change, not two. */
    if (!enter_armed(v, now_us)) {
        mf_announce(v, now_us);
    }
    /* A cause that held before arming acts from now on, as in PX4. */
    mf_failsafe_restart(v, now_us);
    return MF_E_OK;
}

static int refuse_mode(struct mf_vehicle *v, enum mf_mode mode, const char *why, int err)
{
    const bool px4 = v->options.px4_strict;
    struct mf_text text = mf_text(px4 ? "Switching to " : "Switching to mode '");
    mf_text_add(&text, mf_mode_info(mode)->text);
    mf_text_add(&text, px4 ? " is currently not available" : "' is currently not possible: ");
    mf_text_add(&text, px4 ? "" : why);
    mf_say(v, MF_CRITICAL, text.s);
    return err;
}

int mf_commander_request(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target)
{
    struct mf_commander *c = &v->commander;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    if (mf_mode_next((enum mf_mode)c->mode,
                     (enum mf_event)((unsigned)MF_EV_REQUEST + (unsigned)mode)) < 0) {
        return refuse_mode(v, mode, "flight terminated", MF_E_DENIED);
    }
    if (c->armed) {
        /* PX4 checks a mode's needs only while armed; disarmed, a user may choose any mode. A
         * request of the present mode is not refused. */
        const unsigned missing = mf_inputs_needs(&v->inputs, mode) & ~mf_health_have(v, now_us);
        if (missing != 0 && !(mode == (enum mf_mode)c->mode && target == NULL)) {
            return refuse_mode(v, mode, mf_need_text(missing), MF_E_AGAIN);
        }
    }
    const bool flown = mode == (enum mf_mode)c->mode && target == NULL;
    if (flown && !c->failsafe) {
        return MF_E_OK;
    }
    const struct mf_target none = mf_target_none();
    /* The overruled causes depend on the mode in which they began, so they are collected before the
     * change. */
    mf_failsafe_take_over(&v->failsafe, &v->params, c);
    if (flown) { /* by a failsafe up to now */
        mf_commander_resume(v, now_us, mode);
    } else {
        c->failsafe = false;
        (void)mf_transition_enter(v, now_us, mode, target != NULL ? target : &none);
    }
    /* COM_DLL_EXCEPT and COM_RCL_EXCEPT may except the old mode and not this one. */
    mf_failsafe_mode_changed(v, now_us);
    return MF_E_OK;
}

int mf_commander_set_mode(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode)
{
    const struct mf_commander *c = &v->commander;
    /* PX4 forces LAND by DO_SET_MODE and SET_MODE; NAV_LAND is refused without a position. */
    const bool blind = (mf_mode_info(mode)->needs & ~mf_health_have(v, now_us)) != 0;
    if (mode == MF_MODE_LAND && blind && c->armed && c->mode != MF_MODE_TERMINATION) {
        mf_failsafe_land(v, now_us);
        return MF_E_OK;
    }
    return mf_commander_request(v, now_us, mode, NULL);
}

void mf_commander_position_found(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    MF_ASSERT(e->position);
    const struct mf_pose *pose = &e->pose;
    /* The local frame never moves: a position that is found again keeps the origin of the first
     * fix. */
    if (!v->origin.valid) {
        mf_origin_set(&v->origin, (struct mf_geo){pose->lat_deg, pose->lon_deg}, pose->alt_amsl_m);
    }
    mf_failsafe_set(v, now_us, MF_CAUSE_POSITION, false);
    /* Home must not move under a vehicle that is armed. On the ground it follows the fix, as in
     * PX4. */
    if (v->commander.armed) {
        mf_say(v, MF_INFO, "GNSS data fusion started");
    } else if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_home_take_off(v, now_us);
    }
}

static void position_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->commander.armed) {
        mf_say(v, MF_WARNING, "GNSS data fusion stopped");
    }
    mf_failsafe_set(v, now_us, MF_CAUSE_POSITION, true);
}

static void take_off_done(struct mf_vehicle *v, mf_us_t now_us)
{
    /* COM_TAKEOFF_ACT 1: a mission that cannot be flown leaves it in Hold, without a refusal. */
    const bool on_to_mission = mf_param_i(&v->params, MF_PARAM_COM_TAKEOFF_ACT) == 1 &&
                               (mf_health_have(v, now_us) & (unsigned)MF_NEED_MISSION) != 0;
    if (v->commander.mode == MF_MODE_TAKEOFF && on_to_mission) {
        (void)mf_transition_enter(v, now_us, MF_MODE_MISSION, NULL);
    } else {
        (void)mf_transition_follow(v, now_us, MF_EV_TAKEOFF_DONE);
    }
}

mf_us_t mf_commander_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    struct mf_commander *c = &v->commander;
    /* Taken at once: what an event leads to may post the next one, for another run. */
    const uint32_t posted = c->posted;
    c->posted = 0;
    /* Events are processed in the order of the list, not of posting, so that runs do not depend on
     * the order of tasks. */
    for (int i = 0; i < MF_EV_REQUEST; i++) {
        if ((posted & 1u << i) == 0) {
            continue;
        }
        const enum mf_event event = (enum mf_event)i;
        if (event == MF_EV_POSITION_LOST) {
            position_lost(v, due_us);
        } else if (event == MF_EV_TAKEOFF_DONE) {
            take_off_done(v, due_us);
        } else {
            (void)mf_transition_follow(v, due_us, event);
        }
    }
    if (posted != 0) {
        mf_failsafe_mode_changed(v, due_us);
    }
    if (c->armed && c->disarm_us <= due_us && mf_navigator_flies(v)) {
        c->disarm_us = due_us + MF_SECOND_US; /* it is about to leave the ground */
    } else if (c->armed && c->disarm_us <= due_us) {
        c->disarm_us = MF_NEVER;
        (void)mf_commander_disarm(v, due_us, c->took_off ? MF_BY_LANDING : MF_BY_PREFLIGHT_TIMEOUT,
                                  false);
    }
    MF_ASSERT(c->armed || c->disarm_us == MF_NEVER);
    return mf_earlier(c->disarm_us, mf_failsafe_run(v, due_us));
}
