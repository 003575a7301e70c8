/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Control inputs, the streams by which clients steer: offboard setpoints, sticks, a target to
 * follow. What was said last, whether somebody still says it, and the causes of failsafes when
 * nobody does (failsafe.h). control_inputs_act.h takes up what is new.
 *
 * An input is lost when it was silent for its time-out (silence.h).
 */
#ifndef MF_FIRMWARE_CONTROL_INPUTS_H
#define MF_FIRMWARE_CONTROL_INPUTS_H

#include "firmware/state/control_inputs.h"
#include "firmware/state/link.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"
#include "firmware/state/silence.h"
#include "hal/clock.h"

struct mf_vehicle;

/** @brief At boot: nothing was heard. */
void mf_inputs_init(struct mf_inputs *s);

/** @brief An input was heard. @return true if it had been silent */
bool mf_input_heard(struct mf_vehicle *v, struct mf_input *input, mf_us_t now_us);

/** @brief The sticks are lost at once, not only after a time of silence. */
void mf_inputs_lose_manual(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Is a transmitter heard: RC_CHANNELS_OVERRIDE, whether the sticks count or not?
 * @param timeout_us  COM_RC_LOSS_T, >= 0 */
bool mf_inputs_have_channels(const struct mf_inputs *s, const struct mf_now *now,
                             mf_us_t timeout_us);

/** @brief The vehicle was armed: from now on a loss of sticks that are there counts. */
void mf_inputs_armed(struct mf_inputs *s);

/** @brief What of enum mf_need the inputs give (a set of bits). */
unsigned mf_inputs_have(const struct mf_inputs *s);

/** @brief What of enum mf_need a mode needs: what its table says, and in OFFBOARD a position unless
 * the setpoints are attitudes. */
unsigned mf_inputs_needs(const struct mf_inputs *s, enum mf_mode mode);

/** @brief Task on transport time: notices silence. @return next due time [transport], MF_NEVER
 * while nothing is heard */
mf_us_t mf_inputs_run(struct mf_vehicle *v, mf_us_t due_us);

/** @brief The velocity at which drag balances an acceleration, as in PX4's own simulator, within
 * the limits of the parameters. */
void mf_velocity_of_acceleration(const struct mf_params *p, const double acc_ned_mps2[3],
                                 float vel_ned_mps[3]);

/** @brief The velocity that a tilt and a thrust lead to: the acceleration that they give, and then
 * drag. @param up_ned  unit vector of the thrust @param thrust  0 .. 1, MPC_THR_HOVER holds */
void mf_velocity_of_thrust(const struct mf_params *p, const double up_ned[3], float thrust,
                           float vel_ned_mps[3]);

/** @brief Roll, pitch and heading as the unit vector of the thrust, NED. */
void mf_thrust_axis(double roll_rad, double pitch_rad, double yaw_rad, double up_ned[3]);

/* Handler (follow_target.c) */
void mf_on_follow_target(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_follow_target *m, mf_us_t now_us);

#endif
