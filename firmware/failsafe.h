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

/** @brief A user is about to choose a mode: no failsafe acts any more for what is wrong now, unless
 * the mode was an exception. */
void mf_failsafe_take_over(struct mf_vehicle *v);

/** @brief Armed or disarmed: nothing is done any more, and no user has taken over from anything. */
void mf_failsafe_clear(struct mf_vehicle *v);

/** @brief The strongest action that is asked for. @param causes  out: bits of those that ask for it */
enum mf_action mf_failsafe_wanted(const struct mf_vehicle *v, uint8_t *causes);

/** @brief Is the cause none in the mode that is flown, or was before a failsafe? */
bool mf_failsafe_excepts(const struct mf_vehicle *v, enum mf_cause cause);

#endif
