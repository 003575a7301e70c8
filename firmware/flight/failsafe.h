/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Failsafes: actions of the vehicle without a user, after a fault in flight.
 *
 * Each cause requests an action, which a parameter of the cause selects. The strongest action is
 * used. Unless it is urgent, the vehicle first holds for COM_FAIL_ACT_T, so that a user can take
 * over; actions that stop the motors do not wait, nor does a vehicle that cannot hold. Altitude,
 * Hold and Descend end with their cause, and the mode before them continues; Return and Land, and a
 * Hold because of the fence or a lost link, continue until the user chooses a mode or the vehicle
 * is disarmed. When a user takes over, all present causes are overruled.
 *
 * Source: PX4 failsafe framework, commander documentation.
 */
#ifndef MF_FIRMWARE_FAILSAFE_H
#define MF_FIRMWARE_FAILSAFE_H

#include "firmware/state/control_inputs.h"
#include "firmware/state/failsafe.h"
#include "firmware/state/mode.h"
#include "firmware/state/param.h"
#include "firmware/state/state.h"

/** @brief Set or clear a cause. A user's overruling of the cause ends with either. @return true:
 * the cause has changed */
bool mf_failsafe_report(struct mf_failsafe *f, enum mf_cause cause, bool on);

/** @brief Let an overruled cause count again. @return true: the cause is present */
bool mf_failsafe_recount(struct mf_failsafe *f, enum mf_cause cause);

/** @brief Overrule all present causes, because a user is about to choose a mode, unless the mode
 * was an exception. */
void mf_failsafe_take_over(struct mf_failsafe *f, const struct mf_params *p,
                           const struct mf_commander *c);

/** @brief Reset after arming or disarming: no action is active, and no cause is overruled. */
void mf_failsafe_clear(struct mf_failsafe *f);

/** @brief Find the strongest requested action. @param causes  out: bits of the causes that request
 * it */
enum mf_action mf_failsafe_wanted(const struct mf_failsafe *f, const struct mf_params *p,
                                  const struct mf_inputs *s, uint8_t *causes);

/** @brief True if a cause does not count in the present mode, or in the mode before a failsafe. */
bool mf_failsafe_excepts(const struct mf_failsafe *f, const struct mf_params *p,
                         enum mf_cause cause);

#endif
