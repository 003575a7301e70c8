/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/mode.h, without functions. */
#ifndef MF_FIRMWARE_STATE_MODE_H
#define MF_FIRMWARE_STATE_MODE_H

#include "hal/types.h"

/** Needs of a mode while armed. */
enum mf_need {
    MF_NEED_LOCAL = 1,     /**< local position */
    MF_NEED_GLOBAL = 2,    /**< global position */
    MF_NEED_HOME = 4,      /**< a home that is not hidden */
    MF_NEED_MISSION = 8,   /**< a feasible mission */
    MF_NEED_MANUAL = 16,   /**< sticks: RC or MANUAL_CONTROL */
    MF_NEED_SETPOINT = 32, /**< a stream of offboard setpoints */
};

/** Both, which come and go together here. */
#define MF_NEED_POSITION ((unsigned)MF_NEED_LOCAL | (unsigned)MF_NEED_GLOBAL)

/* MAV_MODE_FLAG beside CUSTOM (1) and ARMED (128), as HEARTBEAT.base_mode has them. PX4 sets them
 * according to the source of control (HEARTBEAT.hpp). */
#define MF_BASE_AUTO   0x1Du /* custom, stabilize, guided, auto */
#define MF_BASE_MANUAL 0x51u /* custom, stabilize, manual input */
#define MF_BASE_RATE   0x41u /* custom, manual input */
#define MF_BASE_OFFB   0x11u /* custom, stabilize */

/*
 * Modes. The numbers of clients are PX4's main and sub mode (px4_custom_mode.h); DESCEND and LAND
 * share theirs, as PX4's do. The needs are PX4's mode requirements, which hold while armed.
 */
/* name, PX4 main mode, sub mode, base_mode, MAV_STANDARD_MODE, needs, may a user select it, text */
/* clang-format off */
#define MF_MODE_LIST(X) \
    X(MANUAL, 1, 0, MF_BASE_MANUAL, 0, MF_NEED_MANUAL, true, "Manual") \
    X(ALTCTL, 2, 0, MF_BASE_MANUAL, 4, MF_NEED_MANUAL, true, "Altitude") \
    X(POSCTL, 3, 0, MF_BASE_MANUAL, 1, MF_NEED_MANUAL | MF_NEED_POSITION, true, "Position") \
    X(ORBIT, 3, 1, MF_BASE_OFFB, 2, MF_NEED_POSITION, true, "Orbit") \
    X(TAKEOFF, 4, 2, MF_BASE_AUTO, 8, MF_NEED_LOCAL, true, "Takeoff") \
    X(HOLD, 4, 3, MF_BASE_AUTO, 0, MF_NEED_POSITION, true, "Hold") \
    X(MISSION, 4, 4, MF_BASE_AUTO, 6, MF_NEED_POSITION | MF_NEED_MISSION, true, "Mission") \
    X(RTL, 4, 5, MF_BASE_AUTO, 5, MF_NEED_POSITION | MF_NEED_HOME, true, "Return") \
    X(LAND, 4, 6, MF_BASE_AUTO, 7, MF_NEED_LOCAL, true, "Land") \
    X(DESCEND, 4, 6, MF_BASE_AUTO, 0, 0u, false, "Descend") \
    X(FOLLOW, 4, 8, MF_BASE_AUTO, 0, MF_NEED_POSITION, true, "Follow Target") \
    X(ACRO, 5, 0, MF_BASE_RATE, 0, MF_NEED_MANUAL, true, "Acro") \
    X(OFFBOARD, 6, 0, MF_BASE_OFFB, 0, MF_NEED_SETPOINT, true, "Offboard") \
    X(STABILIZED, 7, 0, MF_BASE_MANUAL, 0, MF_NEED_MANUAL, true, "Stabilized") \
    X(TERMINATION, 10, 0, 0x01u, 0, 0u, false, "Termination")
/* clang-format on */

/* clang-format off */
enum mf_mode {
#define X(name, main, sub, base, std, needs, sel, text) MF_MODE_##name,
    MF_MODE_LIST(X)
#undef X
    MF_MODE_COUNT
};
/* clang-format on */

/** Row of the table of modes. */
struct mf_mode_info {
    uint8_t main, sub; /**< of px4_custom_mode */
    uint8_t base_mode; /**< flags of HEARTBEAT without ARMED */
    uint8_t standard;  /**< MAV_STANDARD_MODE; 0: none */
    uint8_t needs;     /**< of enum mf_need */
    bool selectable;   /**< by a user */
    const char *text;  /**< PX4's name, static */
};

/** Events of the state machine, in the order in which the commander processes those of one instant,
 * and a user's request of each mode. The table of transitions has their results (mode.c). */
/* clang-format off */
#define MF_EVENT_LIST(X)                                              \
    X(ARMED, "armed on the ground")                                   \
    X(DISARMED, "disarmed")                                           \
    X(TAKEOFF_DONE, "take-off altitude reached")                      \
    X(MISSION_DONE, "last mission item done")                         \
    X(MISSION_RTL, "mission item NAV_RETURN_TO_LAUNCH")               \
    X(ABOVE_HOME, "return: above home, descent begins")               \
    X(TARGET_REFUSED, "the airframe refuses a target")                \
    X(POSITION_LOST, "position lost")                                 \
    X(FAILSAFE_ALTITUDE, "a failsafe leaves the altitude to the sticks") \
    X(FAILSAFE_HOLD, "a failsafe holds")                              \
    X(FAILSAFE_RTL, "a failsafe returns")                             \
    X(FAILSAFE_LAND, "a failsafe lands")                              \
    X(FAILSAFE_DESCEND, "a failsafe descends blindly")                \
    X(TERMINATED, "flight termination")
/* clang-format on */

/* clang-format off */
enum mf_event {
#define X(name, text) MF_EV_##name,
    MF_EVENT_LIST(X)
#undef X
    MF_EV_REQUEST, /**< MF_EV_REQUEST + enum mf_mode: a user's request */
    MF_EV_COUNT = MF_EV_REQUEST + MF_MODE_COUNT
};
/* clang-format on */

#endif
