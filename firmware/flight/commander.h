/* SPDX-License-Identifier: Apache-2.0 */
/** Commander: it alone decides whether the vehicle is armed, and which mode it is in. This header
 * has the requests of users, and the commander's task; transition.h has its own decisions. Each of
 * its four layers calls those before it only: state and home (state.c, home_act.c), transitions
 * (transition.c), failsafes in action (failsafe_act.c), users and the task (commander.c). */
#ifndef MF_FIRMWARE_COMMANDER_H
#define MF_FIRMWARE_COMMANDER_H

#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/transition.h"

struct mf_vehicle;

/** @brief Arm. @return MF_E_OK also if armed; MF_E_AGAIN if denied, with a STATUSTEXT */
int mf_commander_arm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by);

/** @brief Change to a mode on a user's request. A request without a target for the present mode
 * only ends a failsafe that chose this mode. @param target  for TAKEOFF and HOLD (reposition);
 * NULL: none
 * @return MF_E_OK; MF_E_AGAIN if the mode's needs are not met while armed, MF_E_DENIED if no
 * transition leads to the mode, each with a STATUSTEXT */
int mf_commander_request(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target);

/** @brief Set the mode on a user's request (DO_SET_MODE, SET_MODE, DO_SET_STANDARD_MODE). This is a
 * request without a target, but LAND is forced, as in PX4: without a position the vehicle descends,
 * and lands by position once it has one. @return as mf_commander_request() */
int mf_commander_set_mode(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode);

/** @brief Set home and the local origin, if they are missing, at the first fix or at a fix after a
 * loss. */
void mf_commander_position_found(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Task: processes posted events, and disarms after landing. */
mf_us_t mf_commander_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
