/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/failsafe.h, without functions. */
#ifndef MF_FIRMWARE_STATE_FAILSAFE_H
#define MF_FIRMWARE_STATE_FAILSAFE_H

#include "firmware/state/mode.h"

/**
 * Causes of failsafes: name, and whether the vehicle first holds. Such a cause leaves the user
 * COM_FAIL_ACT_T in Hold before the vehicle acts. A vehicle without a position cannot hold, and
 * actions because of a fence or of lost setpoints do not wait. Source: PX4's failsafe framework,
 * where such an action is a delayed one.
 */
/* clang-format off */
#define MF_CAUSE_LIST(X)         \
    X(POSITION, false)           \
    X(FENCE, false)              \
    X(OFFBOARD_LOST, false)      \
    X(MANUAL_LOST, true)         \
    X(GCS_LOST, true)            \
    X(BATTERY_CRITICAL, true)    \
    X(BATTERY_EMERGENCY, true)

enum mf_cause {
#define X(name, holds) MF_CAUSE_##name,
    MF_CAUSE_LIST(X)
#undef X
    MF_CAUSE_COUNT
};
/* clang-format on */

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
