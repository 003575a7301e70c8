/* SPDX-License-Identifier: Apache-2.0 */
/* Failsafes: causes, and the action that they request. */
#include "firmware/flight/failsafe.h"

#include "firmware/core/param.h"
#include "firmware/flight/control_inputs.h"

#define BIT(cause) ((uint8_t)(1u << (cause)))

/* ---- what a cause asks for ---- */

/* An action per value of a parameter: PX4's failsafe.cpp has the same tables as switches. */
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
static enum mf_action by_offboard_parameter(const struct mf_params *p)
{
    static const enum mf_action k_action[] = {
        [3] = MF_ACTION_RTL,       [4] = MF_ACTION_LAND,   [5] = MF_ACTION_HOLD,
        [6] = MF_ACTION_TERMINATE, [7] = MF_ACTION_DISARM,
    };
    const int32_t value = mf_param_i(p, MF_PARAM_COM_OBL_RC_ACT);
    MF_ASSERT(value >= -1 && value <= 8);
    const enum mf_action action = value >= 0 && (size_t)value < sizeof k_action / sizeof k_action[0]
                                      ? k_action[value]
                                      : MF_ACTION_NONE;
    return action != MF_ACTION_NONE ? action
                                    : by_link_parameter(mf_param_i(p, MF_PARAM_NAV_RCL_ACT));
}

static enum mf_action by_fence_parameter(const struct mf_params *p)
{
    static const enum mf_action k_action[] = {MF_ACTION_NONE, MF_ACTION_WARN,      MF_ACTION_HOLD,
                                              MF_ACTION_RTL,  MF_ACTION_TERMINATE, MF_ACTION_LAND};
    const int32_t value = mf_param_i(p, MF_PARAM_GF_ACTION);
    MF_ASSERT(value >= 0 && (size_t)value < sizeof k_action / sizeof k_action[0]);
    return k_action[value];
}

/* COM_LOW_BAT_ACT: 0 warn, 2 land, 3 return, and land in an emergency. */
static enum mf_action by_battery_parameter(const struct mf_params *p, enum mf_action return_or_land)
{
    switch (mf_param_i(p, MF_PARAM_COM_LOW_BAT_ACT)) {
    case 2:
        return MF_ACTION_LAND;
    case 3:
        return return_or_land;
    default:
        return MF_ACTION_WARN;
    }
}

/* Modes that fly by position cannot go on without; a pilot can. */
static enum mf_action without_position(const struct mf_failsafe *f, const struct mf_inputs *s)
{
    /* An exception depends on the intended mode: a failsafe that descends already must not change
     * it. */
    const enum mf_mode mode = (enum mf_mode)f->intended;
    if ((mf_inputs_needs(s, mode) & MF_NEED_POSITION) == 0) {
        return MF_ACTION_WARN;
    }
    /* PX4 falls back from Position to Altitude where the sticks are there. */
    return mode == MF_MODE_POSCTL && s->manual.live ? MF_ACTION_ALTITUDE : MF_ACTION_DESCEND;
}

/* COM_DLL_EXCEPT, COM_RCL_EXCEPT. */
static bool excepts(int32_t except, enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    /* Bits of PX4's parameters. The other modes cannot be excepted. */
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
bool mf_failsafe_excepts(const struct mf_failsafe *f, const struct mf_params *p,
                         enum mf_cause cause)
{
    const enum mf_mode mode = (enum mf_mode)f->intended;
    return (cause == MF_CAUSE_GCS_LOST && excepts(mf_param_i(p, MF_PARAM_COM_DLL_EXCEPT), mode)) ||
           (cause == MF_CAUSE_MANUAL_LOST && excepts(mf_param_i(p, MF_PARAM_COM_RCL_EXCEPT), mode));
}

/* Lost sticks do not matter in a mode that ends the flight anyway. */
static enum mf_action without_sticks(const struct mf_failsafe *f, const struct mf_params *p)
{
    MF_ASSERT(f->intended < MF_MODE_COUNT);
    switch ((int)f->intended) {
    case MF_MODE_RTL:
    case MF_MODE_LAND:
        return MF_ACTION_WARN;
    default:
        return by_link_parameter(mf_param_i(p, MF_PARAM_NAV_RCL_ACT));
    }
}

static enum mf_action action_of(const struct mf_failsafe *f, const struct mf_params *p,
                                const struct mf_inputs *s, enum mf_cause cause)
{
    MF_ASSERT((unsigned)cause < MF_CAUSE_COUNT);
    /* A loss was reported when it was noticed, even if the mode is an exception. */
    if (mf_failsafe_excepts(f, p, cause)) {
        return MF_ACTION_WARN;
    }
    switch (cause) {
    case MF_CAUSE_POSITION:
        return without_position(f, s);
    case MF_CAUSE_FENCE:
        return by_fence_parameter(p);
    case MF_CAUSE_OFFBOARD_LOST:
        return by_offboard_parameter(p);
    case MF_CAUSE_MANUAL_LOST:
        return without_sticks(f, p);
    case MF_CAUSE_GCS_LOST:
        return by_link_parameter(mf_param_i(p, MF_PARAM_NAV_DLL_ACT));
    /* A critical charge is enough to return, and an emergency charge only to land (COM_LOW_BAT_ACT
     * 3). */
    case MF_CAUSE_BATTERY_CRITICAL:
        return by_battery_parameter(p, MF_ACTION_RTL);
    case MF_CAUSE_BATTERY_EMERGENCY:
        return by_battery_parameter(p, MF_ACTION_LAND);
    case MF_CAUSE_COUNT:
    default:
        return MF_ACTION_NONE;
    }
}

/* Find the strongest requested action. @param causes  out: bits of the causes that request it */
enum mf_action mf_failsafe_wanted(const struct mf_failsafe *f, const struct mf_params *p,
                                  const struct mf_inputs *s, uint8_t *causes)
{
    /* A user's last word is stronger than what a failsafe has latched. */
    const unsigned counting = (unsigned)(f->present | f->latched) & ~(unsigned)f->ignored;
    enum mf_action strongest = MF_ACTION_NONE;
    MF_ASSERT(f->present >> MF_CAUSE_COUNT == 0 && f->action <= MF_ACTION_TERMINATE);
    *causes = 0;
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        enum mf_action action =
            (counting & BIT(i)) != 0 ? action_of(f, p, s, (enum mf_cause)i) : MF_ACTION_NONE;
        if ((f->present & BIT(i)) == 0 && action > (enum mf_action)f->action) {
            action = (enum mf_action)f->action; /* what is over asks for no more than it has got */
        }
        /* A cause that requests a weaker action is not among the causes, and latches nothing. */
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

bool mf_failsafe_report(struct mf_failsafe *f, enum mf_cause cause, bool on)
{
    MF_ASSERT((unsigned)cause < MF_CAUSE_COUNT);
    if (((f->present & BIT(cause)) != 0) == on) {
        return false;
    }
    f->present = (uint8_t)(on ? f->present | BIT(cause) : f->present & ~BIT(cause));
    /* The user knew of the old state only: a cause that comes again acts again, as in PX4. */
    f->ignored = (uint8_t)(f->ignored & ~BIT(cause));
    return true;
}

bool mf_failsafe_recount(struct mf_failsafe *f, enum mf_cause cause)
{
    MF_ASSERT((unsigned)cause < MF_CAUSE_COUNT);
    f->ignored = (uint8_t)(f->ignored & ~BIT(cause));
    return (f->present & BIT(cause)) != 0;
}

void mf_failsafe_take_over(struct mf_failsafe *f, const struct mf_params *p,
                           const struct mf_commander *c)
{
    MF_ASSERT(c->mode < MF_MODE_COUNT);
    /* The mode of a failsafe is never one that the vehicle returns to. */
    if (!c->failsafe) {
        f->intended = c->mode;
    }
    for (unsigned i = 0; i < MF_CAUSE_COUNT; i++) {
        if (!mf_failsafe_excepts(f, p, (enum mf_cause)i)) {
            f->ignored |= (uint8_t)((f->present | f->latched) & BIT(i));
        }
    }
    /* PX4: a change of mode by the user takes over from every failsafe that acts. */
    f->latched = 0;
    f->action = MF_ACTION_NONE;
    f->act_us = MF_NEVER;
}

void mf_failsafe_clear(struct mf_failsafe *f)
{
    *f = (struct mf_failsafe){.present = f->present, .act_us = MF_NEVER};
}
