/* SPDX-License-Identifier: Apache-2.0 */
/* Table of modes, and table of transitions between them, for the commander. */
#include "firmware/flight/mode.h"

static const struct mf_mode_info k_mode[MF_MODE_COUNT] = {
#define X(name, main, sub, base, std, needs, sel, text) \
    {main, sub, base, std, (uint8_t)(needs), sel, text},
    MF_MODE_LIST(X)
#undef X
};

#define IN(mode) (1u << MF_MODE_##mode)
#define ANYWHERE ((1u << MF_MODE_COUNT) - 1u)
#define ALIVE    (ANYWHERE & ~IN(TERMINATION)) /* nothing leaves TERMINATION but a reboot */

/* Transitions of events. The first row whose set of modes contains the present mode is used. */
static const struct {
    uint32_t from;
    enum mf_event event;
    enum mf_mode to;
} k_edge[] = {
    /* Arming on the ground leads to MANUAL (SIM-035), except after a request of a take-off or
     * mission. */
    {IN(MANUAL) | IN(HOLD) | IN(LAND) | IN(RTL) | IN(DESCEND), MF_EV_ARMED, MF_MODE_MANUAL},
    /* PX4 boots in Hold, and a mode that flew must not begin again at the next arming. */
    {ALIVE, MF_EV_DISARMED, MF_MODE_HOLD},
    {IN(TAKEOFF), MF_EV_TAKEOFF_DONE, MF_MODE_HOLD},
    {IN(MISSION), MF_EV_MISSION_DONE, MF_MODE_HOLD},
    {IN(MISSION), MF_EV_MISSION_RTL, MF_MODE_RTL},
    /* SIM-035: the last descent of a return shows as Land; MF_RTL_LAND_MODE 1 posts no
     * such event. */
    {IN(RTL), MF_EV_ABOVE_HOME, MF_MODE_LAND},
    {IN(TAKEOFF) | IN(MISSION) | IN(RTL) | IN(ORBIT) | IN(FOLLOW), MF_EV_TARGET_REFUSED,
     MF_MODE_HOLD},
    /* failsafe.c decides on POSITION_LOST */
    {ALIVE, MF_EV_FAILSAFE_ALTITUDE, MF_MODE_ALTCTL},
    {ALIVE, MF_EV_FAILSAFE_HOLD, MF_MODE_HOLD},
    {ALIVE, MF_EV_FAILSAFE_RTL, MF_MODE_RTL},
    {ALIVE, MF_EV_FAILSAFE_LAND, MF_MODE_LAND},
    {ALIVE, MF_EV_FAILSAFE_DESCEND, MF_MODE_DESCEND},
    /* A repeated termination stays in TERMINATION. */
    {ANYWHERE, MF_EV_TERMINATED, MF_MODE_TERMINATION},
};

const struct mf_mode_info *mf_mode_info(enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    return &k_mode[mode];
}

uint32_t mf_mode_custom(enum mf_mode mode)
{
    const struct mf_mode_info *info = mf_mode_info(mode);
    /* union px4_custom_mode on a little-endian machine: reserved, main, sub from byte 2 on. */
    return (uint32_t)info->sub << 24 | (uint32_t)info->main << 16;
}

int mf_mode_from_custom(uint8_t main, uint8_t sub)
{
    /* PX4's commander takes AUTO without a sub mode as MISSION. */
    if (main == k_mode[MF_MODE_MISSION].main && sub == 0) {
        return MF_MODE_MISSION;
    }
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        /* The first row is used: DESCEND has the code of LAND, and cannot be selected. */
        if (k_mode[i].selectable && k_mode[i].main == main && k_mode[i].sub == sub) {
            return i;
        }
    }
    return MF_E_NOSUPP;
}

int mf_mode_from_standard(uint8_t standard)
{
    /* Rows of modes that are not standard have 0, "no standard mode". */
    for (int i = 0; standard != 0 && i < MF_MODE_COUNT; i++) {
        if (k_mode[i].selectable && k_mode[i].standard == standard) {
            return i;
        }
    }
    return MF_E_NOSUPP;
}

int mf_mode_next(enum mf_mode from, enum mf_event event)
{
    MF_ASSERT((unsigned)from < MF_MODE_COUNT && (unsigned)event < MF_EV_COUNT);
    if (event >= MF_EV_REQUEST) {
        const int to = (int)event - (int)MF_EV_REQUEST;
        /* The table does not check whether the vehicle can fly the mode: the commander checks a
         * mode's needs while armed. */
        return from != MF_MODE_TERMINATION && k_mode[to].selectable ? to : MF_E_DENIED;
    }
    for (size_t i = 0; i < sizeof k_edge / sizeof k_edge[0]; i++) {
        if (k_edge[i].event == event && (k_edge[i].from & 1u << from) != 0) {
            return (int)k_edge[i].to;
        }
    }
    return MF_E_DENIED;
}

bool mf_mode_begins_flights(enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    return ((IN(RTL) | IN(LAND) | IN(DESCEND) | IN(ORBIT) | IN(FOLLOW)) & 1u << mode) == 0;
}

const char *mf_need_text(unsigned missing)
{
    static const struct {
        enum mf_need need;
        const char *text;
    } k_need[] = {
        {MF_NEED_LOCAL, "no local position"},  {MF_NEED_GLOBAL, "no global position"},
        {MF_NEED_HOME, "no home position"},    {MF_NEED_MISSION, "no valid mission"},
        {MF_NEED_MANUAL, "no manual control"}, {MF_NEED_SETPOINT, "no offboard signal"},
    };
    MF_ASSERT(missing < 2u * MF_NEED_SETPOINT);
    /* The first one is PX4's reason, too; the others may follow from it. */
    for (size_t i = 0; i < sizeof k_need / sizeof k_need[0]; i++) {
        if ((missing & (unsigned)k_need[i].need) != 0) {
            return k_need[i].text;
        }
    }
    return "";
}

bool mf_mode_is_steered(enum mf_mode mode)
{
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    switch ((int)mode) {
    case MF_MODE_MANUAL:
    case MF_MODE_ALTCTL:
    case MF_MODE_POSCTL:
    case MF_MODE_ORBIT:
    case MF_MODE_FOLLOW:
    case MF_MODE_ACRO:
    case MF_MODE_OFFBOARD:
    case MF_MODE_STABILIZED:
        return true;
    default:
        return false;
    }
}
