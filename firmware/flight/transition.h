/* SPDX-License-Identifier: Apache-2.0 */
/** Transitions between modes, and their consequences: disarming, termination, and the modes of
 * failsafes. */
#ifndef MF_FIRMWARE_TRANSITION_H
#define MF_FIRMWARE_TRANSITION_H

#include "firmware/state/home.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/state.h"
#include "firmware/state/transition.h"

struct mf_vehicle;

/** @brief Enter a mode. A change is announced once, after its consequences are set.
 * @param target  as of mf_navigator_begin() @return true: the mode changed */
bool mf_transition_enter(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target);

/** @brief Follow the table of transitions. @return true: the mode changed */
bool mf_transition_follow(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief Disarm. @param force  also in the air @return MF_E_OK also if disarmed; MF_E_AGAIN if
 * flying, with a STATUSTEXT */
int mf_commander_disarm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by, bool force);

/** @brief Enter the mode of the transition table for a failsafe's @p event. HEARTBEAT says
 * critical, at once.
 * @param event  one of MF_EV_FAILSAFE_..., of an armed vehicle that is not terminated */
void mf_commander_failsafe(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief Return to @p mode after the end of a failsafe; the mode's needs are met. */
void mf_commander_resume(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode);

/** @brief Terminate the flight. @return MF_E_OK, MF_E_DENIED when disarmed */
int mf_commander_terminate(struct mf_vehicle *v, mf_us_t now_us);

#endif
