/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of mode because of failsafes, for commander.c and the watches of causes. */
#include "firmware/flight/failsafe_act.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/failsafe.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/state.h"
#include "firmware/flight/transition.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

#define BIT(cause) ((uint8_t)(1u << (cause)))

/* bits of the causes after which a Hold continues */
#define X(name, holds, stays) | ((stays) ? BIT(MF_CAUSE_##name) : 0)
static const uint8_t k_staying = 0 MF_CAUSE_LIST(X);
#undef X

static const bool k_holds_first[MF_CAUSE_COUNT] = {
#define X(name, holds, stays) holds,
    MF_CAUSE_LIST(X)
#undef X
};

/* Rank of the action to which the present mode corresponds. */
static enum mf_action amounts_to(enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    switch ((int)mode) {
    case MF_MODE_HOLD:
        return MF_ACTION_HOLD;
    case MF_MODE_RTL:
        return MF_ACTION_RTL;
    case MF_MODE_LAND:
        return MF_ACTION_LAND;
    case MF_MODE_DESCEND:
        return MF_ACTION_DESCEND;
    default:
        return MF_ACTION_NONE;
    }
}

/* Modes of actions, in ascending strength: if one cannot be flown, the next one is used; the last
 * one always can. */
static const struct {
    enum mf_action action;
    enum mf_mode mode;
    enum mf_event event;
} k_ladder[] = {
    {MF_ACTION_ALTITUDE, MF_MODE_ALTCTL, MF_EV_FAILSAFE_ALTITUDE},
    {MF_ACTION_HOLD, MF_MODE_HOLD, MF_EV_FAILSAFE_HOLD},
    {MF_ACTION_RTL, MF_MODE_RTL, MF_EV_FAILSAFE_RTL},
    {MF_ACTION_LAND, MF_MODE_LAND, MF_EV_FAILSAFE_LAND},
    {MF_ACTION_DESCEND, MF_MODE_DESCEND, MF_EV_FAILSAFE_DESCEND},
};
#define RUNGS (sizeof k_ladder / sizeof k_ladder[0])

static size_t rung(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action)
{
    /* A return without home lands, a landing without a position descends: each rung needs less than
     * the one before. */
    const unsigned have = mf_health_have(v, now_us);
    size_t i = 0;
    while (i + 1 < RUNGS &&
           (k_ladder[i].action < action || (mf_mode_info(k_ladder[i].mode)->needs & ~have) != 0)) {
        i++;
    }
    return i;
}

static void fly_action(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action)
{
    /* The mode depends on the rung, not on the action: the action stays as requested, so that the
     * vehicle can return to it. */
    mf_commander_failsafe(v, now_us, k_ladder[rung(v, now_us, action)].event);
}

static bool can_hold(struct mf_vehicle *v, mf_us_t now_us)
{
    return k_ladder[rung(v, now_us, MF_ACTION_HOLD)].mode == MF_MODE_HOLD;
}

static void say_hold(struct mf_vehicle *v, float seconds)
{
    struct mf_text text = mf_text("Failsafe activated: entering Hold for ");
    mf_text_add_int(&text, (int32_t)seconds);
    mf_text_add(&text, " seconds");
    mf_say(v, MF_CRITICAL, text.s);
}

/* Note that an action is active; some causes keep it active until a user overrules them. */
static void settle(struct mf_failsafe *f, enum mf_action action, uint8_t causes)
{
    /* PX4's "clear on mode switch or disarm": a return is not called off half-way. */
    const bool lasts = action == MF_ACTION_RTL || action == MF_ACTION_LAND;
    f->act_us = MF_NEVER;
    f->action = (uint8_t)action;
    f->latched |= lasts ? causes : (uint8_t)(causes & k_staying);
}

static void act(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action, uint8_t causes)
{
    const bool fence = (causes & BIT(MF_CAUSE_FENCE)) != 0;
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    MF_ASSERT(v->commander.armed && mode != MF_MODE_TERMINATION);
    /* A vehicle that returns already is not sent again by a loss of its link. Out of the fence Hold
     * is sent back inside. */
    const bool idle = amounts_to(mode) >= action && !(fence && mode == MF_MODE_HOLD);
    /* A Hold that the user chose is left when the user says so, not when the cause ends. */
    const bool users = idle && mode == MF_MODE_HOLD && !v->commander.failsafe;
    settle(&v->failsafe, action, users ? 0 : causes);
    if (idle) {
        return; /* nothing better to do */
    }
    mf_say(v, MF_CRITICAL, "Failsafe activated");
    if (action == MF_ACTION_TERMINATE) {
        mf_state_by_failsafe(&v->commander);
        (void)mf_commander_terminate(v, now_us);
    } else if (action == MF_ACTION_DISARM) {
        (void)mf_commander_disarm(v, now_us, MF_BY_FAILSAFE, true);
    } else {
        fly_action(v, now_us, action);
    }
}

/* A position that went, or came, changes how the same action is flown. */
static bool flies_otherwise(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action)
{
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const unsigned missing = mf_inputs_needs(&v->inputs, mode) & ~mf_health_have(v, now_us);
    /* Once the position is back, a vehicle that descends returns to the action that was
     * requested. */
    const bool better =
        mode == MF_MODE_DESCEND && k_ladder[rung(v, now_us, action)].mode != MF_MODE_DESCEND;
    return v->commander.failsafe && (better || (missing & MF_NEED_POSITION) != 0);
}

/* Nothing asks for more than a warning any more: what was flown before goes on, if it can. */
static void go_back(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    const enum mf_mode mode = (enum mf_mode)f->intended;
    MF_ASSERT(mode != MF_MODE_DESCEND && mode != MF_MODE_TERMINATION);
    /* The mode before the failsafe may have lost its mission or its setpoints: then the failsafe's
     * mode stays. */
    const unsigned missing = mf_inputs_needs(&v->inputs, mode) & ~mf_health_have(v, now_us);
    f->act_us = MF_NEVER;
    if (v->commander.failsafe && (missing == 0 || mode == (enum mf_mode)v->commander.mode)) {
        mf_commander_resume(v, now_us, mode);
    }
}

static void decide(struct mf_vehicle *v, mf_us_t now_us)
{
    /* Only failsafes descend, so the intended mode is another one. */
    MF_ASSERT(v->commander.failsafe || v->commander.mode != MF_MODE_DESCEND);
    struct mf_failsafe *f = &v->failsafe;
    const float hold_s = mf_param_f(&v->params, MF_PARAM_COM_FAIL_ACT_T);
    uint8_t causes;
    /* Causes are kept while disarmed, and evaluated at arming. In PX4, a termination cannot end. */
    if (!v->commander.armed || v->commander.mode == MF_MODE_TERMINATION) {
        return;
    }
    if (!v->commander.failsafe) {
        f->intended = v->commander.mode;
    }
    const enum mf_action action = mf_failsafe_wanted(f, &v->params, &v->inputs, &causes);
    const enum mf_action flown = amounts_to((enum mf_mode)v->commander.mode);
    if (action <= MF_ACTION_WARN) {
        /* A warning did not change the mode, so the vehicle does not return to another. */
        const bool acted = f->action > MF_ACTION_WARN || f->act_us != MF_NEVER;
        f->action = (uint8_t)action;
        if (acted) {
            go_back(v, now_us);
        }
        return;
    }
    if (action <= (enum mf_action)f->action) { /* what is being done is enough */
        if (flies_otherwise(v, now_us, action)) {
            settle(f, action, causes);
            fly_action(v, now_us, action);
        }
        return;
    }
    /* PX4 gives a user COM_FAIL_ACT_T in Hold before the first action, and none before a stronger
     * one. */
    bool urgent = f->action > MF_ACTION_WARN || !(hold_s > 0.0f) || flown >= action ||
                  action >= MF_ACTION_DISARM || !can_hold(v, now_us);
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        urgent = urgent || ((causes & BIT(i)) != 0 && !k_holds_first[i]);
    }
    if (urgent) {
        act(v, now_us, action, causes);
    } else if (f->act_us == MF_NEVER) {
        f->act_us = now_us + (mf_us_t)((double)hold_s * 1e6);
        /* The action comes with the commander's task, and is decided again then. */
        mf_wake_at(v, MF_TASK_COMMANDER, f->act_us);
        say_hold(v, hold_s);
        fly_action(v, now_us, MF_ACTION_HOLD);
    }
}

void mf_failsafe_set(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause, bool on)
{
    if (mf_failsafe_report(&v->failsafe, cause, on)) {
        decide(v, now_us);
    }
}

void mf_failsafe_reconsider(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause)
{
    if (mf_failsafe_recount(&v->failsafe, cause)) {
        decide(v, now_us);
    }
}

void mf_failsafe_mode_changed(struct mf_vehicle *v, mf_us_t now_us)
{
    /* During the first hold, the failsafe has chosen the mode. */
    if (!v->commander.failsafe && v->failsafe.act_us == MF_NEVER) {
        decide(v, now_us);
    }
}

void mf_failsafe_land(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    MF_ASSERT(v->commander.armed && v->commander.mode != MF_MODE_TERMINATION);
    mf_failsafe_take_over(f, &v->params, &v->commander);
    /* The user wants to land, not to be rid of the failsafe: without a position it descends. */
    (void)mf_failsafe_recount(f, MF_CAUSE_POSITION);
    f->intended = MF_MODE_LAND;
    mf_state_by_failsafe(&v->commander);
    decide(v, now_us);
}

void mf_failsafe_restart(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_failsafe_clear(&v->failsafe);
    decide(v, now_us);
}

mf_us_t mf_failsafe_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_failsafe *f = &v->failsafe;
    if (f->act_us <= due_us) {
        uint8_t causes;
        /* The causes of now count, not those of the beginning: one may have ended, a stronger one
         * come. */
        const enum mf_action action = mf_failsafe_wanted(f, &v->params, &v->inputs, &causes);
        act(v, due_us, action, causes);
    }
    return f->act_us;
}
