/* SPDX-License-Identifier: Apache-2.0 */
/* Transitions between modes, arming's end, and modes of failsafes, for the commander. */
#include "firmware/flight/transition.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* Log a change of mode. Not part of its caller, so that the text is not on the stack while a mode
 * begins. */
static void log_mode(const struct mf_hal *hal, mf_us_t now_us, enum mf_mode from, enum mf_mode to)
{
    struct mf_text text = mf_text(mf_mode_info(from)->text);
    mf_text_add(&text, " -> ");
    mf_text_add(&text, mf_mode_info(to)->text);
    mf_log_event(hal, now_us, MF_INFO, "mode", text.s);
}

bool mf_transition_enter(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target)
{
    struct mf_commander *c = &v->commander;
    const enum mf_mode from = (enum mf_mode)c->mode;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    /* PX4's UserModeIntention: a mode of a user or of the commander, but not of a failsafe. */
    if (!c->failsafe && mf_mode_begins_flights(mode)) {
        c->rest = (uint8_t)mode;
    }
    if (mode != from) {
        c->mode = (uint8_t)mode;
        log_mode(&v->hal, now_us, from, mode);
        mf_announce(v, now_us);
    }
    /* Also without a change of mode: a new target in Hold, or the same mode begun by arming. */
    mf_navigator_begin(v, now_us, mode, target);
    /* A mode may end a mission that would have gone on from the ground. */
    mf_state_disarm_after_landing(v, now_us);
    return mode != from;
}

/* Follow the transition table. @return whether the mode changed */
bool mf_transition_follow(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    const int to = mf_mode_next((enum mf_mode)v->commander.mode, event);
    return to >= 0 && mf_transition_enter(v, now_us, (enum mf_mode)to, NULL);
}

/* Enter the mode of a disarmed vehicle: Hold, PX4's boot mode; with PX4's rules the mode of the
 * flight, which begins again at the next arming. Only a reboot ends TERMINATION. @return true: the
 * mode changed */
static bool enter_disarmed(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_commander *c = &v->commander;
    MF_ASSERT(!c->armed && c->rest < MF_MODE_COUNT);
    if (v->options.px4_strict && c->mode != MF_MODE_TERMINATION) {
        return mf_transition_enter(v, now_us, (enum mf_mode)c->rest, NULL);
    }
    return mf_transition_follow(v, now_us, MF_EV_DISARMED);
}

/* COM_FLIGHT_UUID names the flight that comes. */
static void count_flight(struct mf_vehicle *v)
{
    const int32_t flight = mf_param_i(&v->params, MF_PARAM_COM_FLIGHT_UUID);
    /* PX4 counts up at each disarming; the number must stay positive. */
    mf_param_count(v, MF_PARAM_COM_FLIGHT_UUID, flight < INT32_MAX ? (uint32_t)flight + 1u : 0);
}

int mf_commander_disarm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by, bool force)
{
    static const char *const k_text[] = {
        [MF_BY_COMMAND] = "Disarmed by external command",
        [MF_BY_MISSION_START] = "Disarmed by external command",
        [MF_BY_LANDING] = "Disarmed by landing",
        [MF_BY_PREFLIGHT_TIMEOUT] = "Disarmed by auto preflight disarming",
        [MF_BY_FAILSAFE] = "Disarmed by failsafe",
    };
    struct mf_commander *c = &v->commander;
    MF_ASSERT((size_t)by < sizeof k_text / sizeof k_text[0]);
    if (!c->armed) {
        return MF_E_OK;
    }
    const bool flying = c->landed != MF_LANDED_ON_GROUND;
    /* PX4's land detector decides, too, unless the command carries 21196 (kill). */
    if (flying && !force) {
        mf_say(v, MF_CRITICAL, "Disarming denied: not landed");
        return MF_E_AGAIN;
    }
    /* A body that refuses to disarm could not be helped by staying armed. */
    (void)mf_airframe_arm(&v->hal, now_us, false);
    mf_estimate_forget(v);
    c->armed = false;
    mf_navigator_forget_roi(&v->navigator);
    c->failsafe = false;
    c->armed_us = 0;
    /* Nothing of this flight may act in the next one. */
    mf_state_keep_armed(v);
    mf_failsafe_clear(&v->failsafe);
    count_flight(v);
    mf_log_event(&v->hal, now_us, MF_INFO, "armed", "no");
    mf_health_happened(v, now_us, MF_HAPPENING_DISARMED, 0);
    mf_say(v, MF_INFO, k_text[by]);
    mf_mission_disarmed(&v->mission);
    if (!enter_disarmed(v, now_us)) {
        mf_announce(v, now_us);
    }
    if (!flying) {
        mf_home_landed(v, now_us);
    }
    /* A body may still coast or wait for its lift-off although it counts as landed. */
    if (flying || v->navigator.phase != MF_NAV_IDLE) {
        mf_navigator_fall(v, now_us);
    }
    MF_ASSERT(c->disarm_us == MF_NEVER && v->failsafe.act_us == MF_NEVER);
    return MF_E_OK;
}

void mf_commander_failsafe(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    /* HEARTBEAT says critical from the first failsafe on. In a mode that stays, this is
     * the change. */
    const bool news = !v->commander.failsafe;
    const int to = mf_mode_next((enum mf_mode)v->commander.mode, event);
    MF_ASSERT(v->commander.armed && to >= 0);
    const bool other = to != (int)v->commander.mode;
    /* Out of the fence Hold leads back inside, even if Hold was what led outside. */
    const bool stops = to == MF_MODE_HOLD && (other || v->fence.breach != 0);
    mf_state_by_failsafe(&v->commander);
    if (stops) { /* whatever was flown, or the flight to a target in Hold */
        (void)mf_transition_enter(v, now_us, MF_MODE_HOLD, &v->fence.inside);
    } else if (other) {
        (void)mf_transition_follow(v, now_us, event);
    }
    /* The start grid is for clients; a failsafe does not wait for it. */
    mf_navigator_hurry(v, now_us);
    if (!other && news) {
        mf_announce(v, now_us);
    }
}

void mf_commander_resume(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode)
{
    const struct mf_target none = mf_target_none();
    MF_ASSERT(v->commander.mode != MF_MODE_TERMINATION);
    /* HEARTBEAT is active again also where the mode stays. */
    v->commander.failsafe = false;
    if (mode == (enum mf_mode)v->commander.mode) {
        mf_announce(v, now_us);
    } else {
        (void)mf_transition_enter(v, now_us, mode, &none);
    }
}

int mf_commander_terminate(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    /* As in PX4, a disarmed vehicle cannot be terminated. */
    if (!v->commander.armed) {
        return MF_E_DENIED;
    }
    mf_say(v, MF_EMERGENCY, "Flight termination active");
    (void)mf_airframe_arm(&v->hal, now_us, false);
    mf_estimate_forget(v);
    (void)mf_transition_follow(v, now_us, MF_EV_TERMINATED);
    mf_failsafe_take_over(&v->failsafe, &v->params,
                          &v->commander); /* no cause, and no end of one, leads out of it */
    mf_navigator_fall(v, now_us);
    return MF_E_OK;
}
