/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/failsafe.h"

#include "firmware/vehicle.h"

#define BIT(cause) ((uint8_t)(1u << (cause)))

/* Holding goes on when these are over: out of the fence again, or on by itself with a pilot who does
 * not expect it. */
#define STAYING (BIT(MF_CAUSE_FENCE) | BIT(MF_CAUSE_MANUAL_LOST) | BIT(MF_CAUSE_GCS_LOST))

static const bool k_holds_first[MF_CAUSE_COUNT] = {
#define X(name, holds) holds,
    MF_CAUSE_LIST(X)
#undef X
};

/* ---- what a cause asks for ---- */

/* Values of NAV_DLL_ACT and NAV_RCL_ACT. */
static enum mf_action by_link_parameter(int32_t value)
{
    static const enum mf_action k_action[] = {MF_ACTION_WARN,  MF_ACTION_HOLD, MF_ACTION_RTL,
                                              MF_ACTION_LAND,  MF_ACTION_WARN, MF_ACTION_TERMINATE,
                                              MF_ACTION_DISARM};
    MF_ASSERT(value >= 0 && (size_t)value < sizeof k_action / sizeof k_action[0]);
    return k_action[value];
}

/* COM_OBL_RC_ACT. The modes that need sticks are not there without them: then NAV_RCL_ACT. */
static enum mf_action by_offboard_parameter(const struct mf_vehicle *v)
{
    static const enum mf_action k_action[] = {
        [3] = MF_ACTION_RTL,       [4] = MF_ACTION_LAND,   [5] = MF_ACTION_HOLD,
        [6] = MF_ACTION_TERMINATE, [7] = MF_ACTION_DISARM,
    };
    const int32_t value = mf_param_i(v, MF_PARAM_COM_OBL_RC_ACT);
    const enum mf_action action = value >= 0 && (size_t)value < sizeof k_action / sizeof k_action[0]
                                      ? k_action[value]
                                      : MF_ACTION_NONE;
    return action != MF_ACTION_NONE ? action
                                    : by_link_parameter(mf_param_i(v, MF_PARAM_NAV_RCL_ACT));
}

static enum mf_action by_fence_parameter(const struct mf_vehicle *v)
{
    static const enum mf_action k_action[] = {MF_ACTION_NONE, MF_ACTION_WARN,      MF_ACTION_HOLD,
                                              MF_ACTION_RTL,  MF_ACTION_TERMINATE, MF_ACTION_LAND};
    const int32_t value = mf_param_i(v, MF_PARAM_GF_ACTION);
    MF_ASSERT(value >= 0 && (size_t)value < sizeof k_action / sizeof k_action[0]);
    return k_action[value];
}

/* COM_LOW_BAT_ACT: 0 warn, 2 land, 3 return, and land in an emergency. */
static enum mf_action by_battery_parameter(const struct mf_vehicle *v,
                                           enum mf_action return_or_land)
{
    switch (mf_param_i(v, MF_PARAM_COM_LOW_BAT_ACT)) {
    case 2:
        return MF_ACTION_LAND;
    case 3:
        return return_or_land;
    default:
        return MF_ACTION_WARN;
    }
}

/* Modes that fly by position cannot go on without; a pilot can. */
static enum mf_action without_position(const struct mf_vehicle *v)
{
    const enum mf_mode mode = (enum mf_mode)v->failsafe.intended;
    if ((mf_signals_needs(v, mode) & MF_NEED_POSITION) == 0) {
        return MF_ACTION_WARN;
    }
    return mode == MF_MODE_POSCTL && v->signals.manual.live ? MF_ACTION_ALTITUDE
                                                            : MF_ACTION_DESCEND;
}

/* COM_DLL_EXCEPT, COM_RCL_EXCEPT. */
static bool excepts(int32_t except, enum mf_mode mode)
{
    enum { EXCEPT_MISSION = 1, EXCEPT_HOLD = 2, EXCEPT_OFFBOARD = 4 };
    switch ((int)mode) {
    case MF_MODE_MISSION:
        return (except & EXCEPT_MISSION) != 0;
    case MF_MODE_HOLD:
        return (except & EXCEPT_HOLD) != 0;
    case MF_MODE_OFFBOARD:
        return (except & EXCEPT_OFFBOARD) != 0;
    default:
        return false;
    }
}

/* Is the cause none in the mode that is flown, or was before a failsafe? */
static bool is_excepted(const struct mf_vehicle *v, enum mf_cause cause)
{
    const enum mf_mode mode = (enum mf_mode)v->failsafe.intended;
    return (cause == MF_CAUSE_GCS_LOST && excepts(mf_param_i(v, MF_PARAM_COM_DLL_EXCEPT), mode)) ||
           (cause == MF_CAUSE_MANUAL_LOST && excepts(mf_param_i(v, MF_PARAM_COM_RCL_EXCEPT), mode));
}

/* Lost sticks do not matter in a mode that ends the flight anyway. */
static enum mf_action without_sticks(const struct mf_vehicle *v)
{
    switch ((int)v->failsafe.intended) {
    case MF_MODE_RTL:
    case MF_MODE_LAND:
    case MF_MODE_DESCEND:
        return MF_ACTION_WARN;
    default:
        return by_link_parameter(mf_param_i(v, MF_PARAM_NAV_RCL_ACT));
    }
}

static enum mf_action action_of(const struct mf_vehicle *v, enum mf_cause cause)
{
    if (is_excepted(v, cause)) {
        return MF_ACTION_WARN;
    }
    switch (cause) {
    case MF_CAUSE_POSITION:
        return without_position(v);
    case MF_CAUSE_FENCE:
        return by_fence_parameter(v);
    case MF_CAUSE_OFFBOARD_LOST:
        return by_offboard_parameter(v);
    case MF_CAUSE_MANUAL_LOST:
        return without_sticks(v);
    case MF_CAUSE_GCS_LOST:
        return by_link_parameter(mf_param_i(v, MF_PARAM_NAV_DLL_ACT));
    case MF_CAUSE_BATTERY_CRITICAL:
        return by_battery_parameter(v, MF_ACTION_RTL);
    case MF_CAUSE_BATTERY_EMERGENCY:
        return by_battery_parameter(v, MF_ACTION_LAND);
    case MF_CAUSE_COUNT:
    default:
        return MF_ACTION_NONE;
    }
}

/* The strongest action that is asked for. @param causes  out: bits of those that ask for it */
static enum mf_action wanted(const struct mf_vehicle *v, uint8_t *causes)
{
    const struct mf_failsafe *f = &v->failsafe;
    const unsigned counting = (unsigned)(f->present | f->latched) & ~(unsigned)f->ignored;
    enum mf_action strongest = MF_ACTION_NONE;
    *causes = 0;
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        enum mf_action action =
            (counting & BIT(i)) != 0 ? action_of(v, (enum mf_cause)i) : MF_ACTION_NONE;
        if ((f->present & BIT(i)) == 0 && action > (enum mf_action)f->action) {
            action = (enum mf_action)f->action; /* what is over asks for no more than it has got */
        }
        if (action > strongest) {
            strongest = action;
            *causes = 0;
        }
        if (action == strongest && action != MF_ACTION_NONE) {
            *causes |= BIT(i);
        }
    }
    return strongest;
}

/* ---- what is done ---- */

/* How strong an action the mode that is being flown amounts to. */
static enum mf_action amounts_to(enum mf_mode mode)
{
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

/* Where one cannot be flown the next one is; the last one always can. */
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
    const unsigned have = mf_health_have(v, now_us);
    size_t i = 0;
    while (i + 1 < RUNGS &&
           (k_ladder[i].action < action || (mf_mode_info(k_ladder[i].mode)->needs & ~have) != 0)) {
        i++;
    }
    return i;
}

static void fly(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action)
{
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

/* From now on this is being done, by some causes until a user has the last word. */
static void settle(struct mf_failsafe *f, enum mf_action action, uint8_t causes)
{
    const bool lasts = action == MF_ACTION_RTL || action == MF_ACTION_LAND;
    f->act_us = MF_NEVER;
    f->action = (uint8_t)action;
    f->latched |= lasts ? causes : (uint8_t)(causes & STAYING);
}

static void act(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action, uint8_t causes)
{
    const bool fence = (causes & BIT(MF_CAUSE_FENCE)) != 0;
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const bool stops = action == MF_ACTION_TERMINATE || action == MF_ACTION_DISARM;
    const bool idle = !stops && amounts_to(mode) >= action && !(fence && mode == MF_MODE_HOLD);
    const bool users = idle && mode == MF_MODE_HOLD && !v->commander.failsafe;
    settle(&v->failsafe, action, users ? 0 : causes);
    if (idle) {
        return; /* nothing better to do */
    }
    mf_say(v, MF_CRITICAL, "Failsafe activated");
    if (action == MF_ACTION_TERMINATE) {
        v->commander.failsafe = true;
        (void)mf_commander_terminate(v, now_us);
    } else if (action == MF_ACTION_DISARM) {
        (void)mf_commander_disarm(v, now_us, MF_BY_FAILSAFE, true);
    } else {
        fly(v, now_us, action);
    }
}

/* A position that went, or came, changes how the same action is flown. */
static bool flies_otherwise(struct mf_vehicle *v, mf_us_t now_us, enum mf_action action)
{
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const unsigned missing = mf_signals_needs(v, mode) & ~mf_health_have(v, now_us);
    const bool better =
        mode == MF_MODE_DESCEND && k_ladder[rung(v, now_us, action)].mode != MF_MODE_DESCEND;
    return v->commander.failsafe && (better || (missing & MF_NEED_POSITION) != 0);
}

/* Nothing asks for more than a warning any more: what was flown before goes on, if it can. */
static void go_back(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    const enum mf_mode mode = (enum mf_mode)f->intended;
    const unsigned missing = mf_signals_needs(v, mode) & ~mf_health_have(v, now_us);
    f->act_us = MF_NEVER;
    if (v->commander.failsafe && (missing == 0 || mode == (enum mf_mode)v->commander.mode)) {
        mf_commander_resume(v, now_us, mode);
    }
}

static void decide(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    const float hold_s = mf_param_f(v, MF_PARAM_COM_FAIL_ACT_T);
    uint8_t causes;
    if (!v->commander.armed || v->commander.mode == MF_MODE_TERMINATION) {
        return;
    }
    if (!v->commander.failsafe) {
        f->intended = v->commander.mode;
    }
    const enum mf_action action = wanted(v, &causes);
    const enum mf_action flown = amounts_to((enum mf_mode)v->commander.mode);
    if (action <= MF_ACTION_WARN) {
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
            fly(v, now_us, action);
        }
        return;
    }
    bool urgent = f->action > MF_ACTION_WARN || !(hold_s > 0.0f) || flown >= action ||
                  action >= MF_ACTION_DISARM || !can_hold(v, now_us);
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        urgent = urgent || ((causes & BIT(i)) != 0 && !k_holds_first[i]);
    }
    if (urgent) {
        act(v, now_us, action, causes);
    } else if (f->act_us == MF_NEVER) {
        f->act_us = now_us + (mf_us_t)((double)hold_s * 1e6);
        mf_wake_at(v, MF_TASK_COMMANDER, f->act_us);
        say_hold(v, hold_s);
        fly(v, now_us, MF_ACTION_HOLD);
    }
}

void mf_failsafe_set(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause, bool on)
{
    struct mf_failsafe *f = &v->failsafe;
    MF_ASSERT((unsigned)cause < MF_CAUSE_COUNT);
    if (((f->present & BIT(cause)) != 0) == on) {
        return;
    }
    f->present = (uint8_t)(on ? f->present | BIT(cause) : f->present & ~BIT(cause));
    f->ignored = (uint8_t)(f->ignored & ~BIT(cause));
    decide(v, now_us);
}

void mf_failsafe_reconsider(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause)
{
    struct mf_failsafe *f = &v->failsafe;
    MF_ASSERT((unsigned)cause < MF_CAUSE_COUNT);
    if ((f->present & BIT(cause)) != 0) {
        f->ignored = (uint8_t)(f->ignored & ~BIT(cause));
        decide(v, now_us);
    }
}

void mf_failsafe_mode_changed(struct mf_vehicle *v, mf_us_t now_us)
{
    if (!v->commander.failsafe && v->failsafe.act_us == MF_NEVER) {
        decide(v, now_us);
    }
}

void mf_failsafe_take_over(struct mf_vehicle *v)
{
    struct mf_failsafe *f = &v->failsafe;
    if (!v->commander.failsafe) {
        f->intended = v->commander.mode;
    }
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        if (!is_excepted(v, (enum mf_cause)i)) {
            f->ignored |= (uint8_t)((f->present | f->latched) & BIT(i));
        }
    }
    f->latched = 0;
    f->action = MF_ACTION_NONE;
    f->act_us = MF_NEVER;
}

void mf_failsafe_land(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    MF_ASSERT(v->commander.armed && v->commander.mode != MF_MODE_TERMINATION);
    mf_failsafe_take_over(v);
    f->ignored = (uint8_t)(f->ignored & ~BIT(MF_CAUSE_POSITION));
    f->intended = MF_MODE_LAND;
    v->commander.failsafe = true;
    decide(v, now_us);
}

void mf_failsafe_restart(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_failsafe *f = &v->failsafe;
    *f = (struct mf_failsafe){.present = f->present, .act_us = MF_NEVER};
    decide(v, now_us);
}

mf_us_t mf_failsafe_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_failsafe *f = &v->failsafe;
    if (f->act_us <= due_us) {
        uint8_t causes;
        const enum mf_action action = wanted(v, &causes);
        act(v, due_us, action, causes);
    }
    return f->act_us;
}
