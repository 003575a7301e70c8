/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Control inputs: streams with which clients steer (offboard setpoints, sticks, a target to
 * follow). They keep the last values and the time of the last one, and report a lost input as a
 * cause of a failsafe (failsafe.h). control_inputs_act.h processes new values.
 *
 * An input is lost if it has been silent for its time-out (silence.h).
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

/** @brief Initialize at boot: no input has sent anything. */
void mf_inputs_init(struct mf_inputs *s);

/** @brief Note that an input has sent a value. @return true: it had been silent */
bool mf_input_heard(struct mf_vehicle *v, struct mf_input *input, mf_us_t now_us);

/** @brief Make the sticks lost now, without a time-out. */
void mf_inputs_lose_manual(struct mf_vehicle *v, mf_us_t now_us);

/** @brief True if a transmitter sends RC_CHANNELS_OVERRIDE, whether its sticks are used or not.
 * @param timeout_us  COM_RC_LOSS_T, >= 0 */
bool mf_inputs_have_channels(const struct mf_inputs *s, const struct mf_now *now,
                             mf_us_t timeout_us);

/** @brief Note that the vehicle was armed: from now on, the loss of present sticks counts. */
void mf_inputs_armed(struct mf_inputs *s);

/** @brief Needs of enum mf_need that the inputs meet (a set of bits). */
unsigned mf_inputs_have(const struct mf_inputs *s);

/** @brief Needs of enum mf_need of a mode: those of its table, and in OFFBOARD a position unless
 * the setpoints are attitudes. */
unsigned mf_inputs_needs(const struct mf_inputs *s, enum mf_mode mode);

/** @brief Task on transport time: notices silent inputs. @return next due time [transport];
 * MF_NEVER while all are silent */
mf_us_t mf_inputs_run(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Compute the velocity at which drag balances an acceleration, as in PX4's own simulator,
 * within the limits of the parameters. */
void mf_velocity_of_acceleration(const struct mf_params *p, const double acc_ned_mps2[3],
                                 float vel_ned_mps[3]);

/** @brief Compute the velocity that results from a tilt and a thrust: their acceleration, balanced
 * by drag. @param up_ned  unit vector of the thrust @param thrust  0 .. 1; MPC_THR_HOVER holds the
 * altitude */
void mf_velocity_of_thrust(const struct mf_params *p, const double up_ned[3], float thrust,
                           float vel_ned_mps[3]);

/** @brief Compute the unit vector of the thrust, NED, from roll, pitch and heading. */
void mf_thrust_axis(double roll_rad, double pitch_rad, double yaw_rad, double up_ned[3]);

/* Handler of FOLLOW_TARGET (follow_target.c) */
void mf_on_follow_target(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_follow_target *m, mf_us_t now_us);

#endif
