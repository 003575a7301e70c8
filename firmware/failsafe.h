/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Failsafes: what the vehicle does by itself when something goes wrong in flight.
 *
 * Each cause asks for an action, which its parameter chooses. The strongest one counts. Unless it
 * is urgent, the vehicle first holds for COM_FAIL_ACT_T, so that a user can take over; what stops
 * the motors, and what cannot hold, does not wait. Altitude, Hold and Descend end with their cause,
 * and what was flown before goes on; Return and Land, and a Hold because of the fence or a lost
 * link, go on until the user chooses a mode or the vehicle is disarmed. A user who takes over has
 * the last word about every cause that holds then.
 *
 * Source: PX4 failsafe framework, commander documentation.
 */
#ifndef MF_FIRMWARE_FAILSAFE_H
#define MF_FIRMWARE_FAILSAFE_H

#include "firmware/mode.h"

struct mf_vehicle;

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

/** @brief Something goes wrong, or is well again. Nothing happens unless that is news. */
void mf_failsafe_set(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause, bool on);

/** @brief What is flown now asks for something else because of a cause: if it holds, it counts
 * again. */
void mf_failsafe_reconsider(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause);

/** @brief Another mode is flown: what was an exception in the one before may count now. */
void mf_failsafe_mode_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief A user is about to choose a mode: no failsafe acts any more for what is wrong now, unless
 * the mode was an exception. */
void mf_failsafe_take_over(struct mf_vehicle *v);

/** @brief A user lands an armed vehicle without a position, and has the last word on everything else:
 * it descends, and lands by position once that is back. */
void mf_failsafe_land(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Armed or disarmed: what is wrong is looked at anew. */
void mf_failsafe_restart(struct mf_vehicle *v, mf_us_t now_us);

/** @brief The commander's part of a run at @p due_us: the first hold is over. @return when it will
 * be */
mf_us_t mf_failsafe_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
