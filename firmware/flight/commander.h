/* SPDX-License-Identifier: Apache-2.0 */
/** The commander: alone decides whether the vehicle is armed and in which mode it is. What it does
 * by itself stands in transition.h; here is what users ask of it, and its task. */
#ifndef MF_FIRMWARE_COMMANDER_H
#define MF_FIRMWARE_COMMANDER_H

#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/transition.h"

struct mf_vehicle;

/** @brief Arm. @return MF_E_OK also if armed; MF_E_AGAIN if denied, with a STATUSTEXT */
int mf_commander_arm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by);

/** @brief A user asks for a mode. In that mode already, without a target, nothing happens but that
 * a failsafe that chose it is over. @param target  for TAKEOFF and HOLD (reposition); NULL: none
 * @return MF_E_OK; MF_E_AGAIN if the mode's needs are not met while armed, MF_E_DENIED if no
 * transition leads there, each with a STATUSTEXT */
int mf_commander_request(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target);

/** @brief A user sets the mode (DO_SET_MODE, SET_MODE, DO_SET_STANDARD_MODE). The same as a request
 * without a target, but LAND is forced, as in PX4: without a position the vehicle descends, and
 * lands by position once that is back. @return as mf_commander_request() */
int mf_commander_set_mode(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode);

/** @brief The first fix, or a fix found again: sets home and the local origin where they are
 * missing. */
void mf_commander_position_found(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Task: posted events and automatic disarming. */
mf_us_t mf_commander_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
