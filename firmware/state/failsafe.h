/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/failsafe.h, without functions. */
#ifndef MF_FIRMWARE_STATE_FAILSAFE_H
#define MF_FIRMWARE_STATE_FAILSAFE_H

#include "firmware/state/mode.h"

/**
 * Causes of failsafes: name; whether the vehicle first holds; whether a Hold because of it
 * continues when the cause has ended. A cause of the first kind leaves the user COM_FAIL_ACT_T in
 * Hold before the vehicle acts. A vehicle without a position cannot hold, and actions because of a
 * fence or of lost setpoints do not wait. A Hold continues where the vehicle would otherwise leave
 * the fence again, or fly on with a pilot who does not expect it. Source: PX4's failsafe framework,
 * where an action of the first kind is a delayed one.
 */
/* clang-format off */
#define MF_CAUSE_LIST(X)             \
    X(POSITION, false, false)        \
    X(FENCE, false, true)            \
    X(OFFBOARD_LOST, false, false)   \
    X(MANUAL_LOST, true, true)       \
    X(GCS_LOST, true, true)          \
    X(BATTERY_CRITICAL, true, false) \
    X(BATTERY_EMERGENCY, true, false)

enum mf_cause {
#define X(name, holds, stays) MF_CAUSE_##name,
    MF_CAUSE_LIST(X)
#undef X
    MF_CAUSE_COUNT
};
/* clang-format on */

_Static_assert(MF_CAUSE_COUNT <= 8, "struct mf_failsafe has a bit of uint8_t per cause");

/** Actions of failsafes, the strongest last, in PX4's order: an action replaces only a weaker one.
 * Descend is stronger than Land because it needs no position. */
enum mf_action {
    MF_ACTION_NONE,
    MF_ACTION_WARN,     /**< a text, said where the cause was noticed */
    MF_ACTION_ALTITUDE, /**< by the sticks, without a position */
    MF_ACTION_HOLD,     /**< out of the fence: at the last place inside */
    MF_ACTION_RTL,
    MF_ACTION_LAND,
    MF_ACTION_DESCEND,   /**< straight down, without a position */
    MF_ACTION_DISARM,    /**< in the air, too */
    MF_ACTION_TERMINATE, /**< ended only by a reboot */
};

/** The book of causes, and what is done about them. */
struct mf_failsafe {
    uint8_t present;  /**< bits of enum mf_cause that hold */
    uint8_t latched;  /**< bits that count although they may hold no more */
    uint8_t ignored;  /**< bits that a user has taken over from */
    uint8_t action;   /**< enum mf_action: the present action */
    uint8_t intended; /**< enum mf_mode to go back to; never DESCEND */
    mf_us_t act_us;   /**< vehicle time at which the first hold ends; MF_NEVER: none */
};

#endif
