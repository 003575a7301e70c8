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

#include "firmware/state/control_inputs.h"
#include "firmware/state/failsafe.h"
#include "firmware/state/mode.h"
#include "firmware/state/param.h"
#include "firmware/state/state.h"

/** @brief A cause holds, or does not any more. A user's last word about it is over with either.
 * @return whether that is news */
bool mf_failsafe_report(struct mf_failsafe *f, enum mf_cause cause, bool on);

/** @brief A cause that a user has taken over from counts again. @return whether it holds */
bool mf_failsafe_recount(struct mf_failsafe *f, enum mf_cause cause);

/** @brief A user is about to choose a mode: no failsafe acts any more for what is wrong now, unless
 * the mode was an exception. */
void mf_failsafe_take_over(struct mf_failsafe *f, const struct mf_params *p,
                           const struct mf_commander *c);

/** @brief Armed or disarmed: nothing is done any more, and no user has taken over from anything. */
void mf_failsafe_clear(struct mf_failsafe *f);

/** @brief The strongest action that is asked for. @param causes  out: bits of those that ask
 * for it */
enum mf_action mf_failsafe_wanted(const struct mf_failsafe *f, const struct mf_params *p,
                                  const struct mf_inputs *s, uint8_t *causes);

/** @brief Is the cause none in the mode that is flown, or was before a failsafe? */
bool mf_failsafe_excepts(const struct mf_failsafe *f, const struct mf_params *p,
                         enum mf_cause cause);

#endif
