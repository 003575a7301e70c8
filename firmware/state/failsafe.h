/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/failsafe.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_FAILSAFE_H
#define MF_FIRMWARE_STATE_FAILSAFE_H

#include "firmware/state/mode.h"

/** What can go wrong: name, does it hold first. */
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

/** What can be done about it, the strongest last. */
enum mf_action {
    MF_ACTION_NONE,
    MF_ACTION_WARN,
    MF_ACTION_ALTITUDE, /**< by the sticks, without a position */
    MF_ACTION_HOLD,
    MF_ACTION_RTL,
    MF_ACTION_LAND,
    MF_ACTION_DESCEND,
    MF_ACTION_DISARM,
    MF_ACTION_TERMINATE,
};

struct mf_failsafe {
    uint8_t present;  /**< bits of enum mf_cause that hold */
    uint8_t latched;  /**< bits that count although they may hold no more */
    uint8_t ignored;  /**< bits that a user has taken over from */
    uint8_t action;   /**< enum mf_action that is being taken */
    uint8_t intended; /**< enum mf_mode to go back to */
    mf_us_t act_us;   /**< end of the first hold; MF_NEVER: none */
};

#endif
