/* SPDX-License-Identifier: Apache-2.0 */
/**
 * New values of control inputs: a valid setpoint or stick position counts as a sign of life of its
 * input (control_inputs.h), and steers the vehicle if its mode follows this input. Handlers of
 * messages decode, and call these functions; only these functions write the kept values.
 */
#ifndef MF_FIRMWARE_CONTROL_INPUTS_ACT_H
#define MF_FIRMWARE_CONTROL_INPUTS_ACT_H

#include "firmware/state/control_inputs.h"
#include "firmware/state/navigator.h"

struct mf_vehicle;

/** @brief Take a valid setpoint. In OFFBOARD the vehicle flies it, at once if it differs from the
 * last one. With MAV_FWDEXTSP 0 it is ignored, as by PX4.
 * @param attitude  attitude from which the aim was computed, kept for ATTITUDE_TARGET; NULL: the
 * aim is a position or a velocity */
void mf_inputs_setpoint(struct mf_vehicle *v, const struct mf_aim *aim,
                        const struct mf_attitude_aim *attitude, mf_us_t now_us);

/** @brief True if a bad setpoint may be answered with a text. The text then counts as sent. */
bool mf_inputs_may_complain(struct mf_vehicle *v);

/** @brief Take new sticks. Modes that follow sticks fly them. Sticks that leave their centre take
 * over from modes that fly by themselves, as COM_RC_OVERRIDE says; sticks that were deflected
 * before do not. */
void mf_inputs_sticks(struct mf_vehicle *v, struct mf_sticks sticks, mf_us_t now_us);

/** @brief Take the channels of a transmitter, whether its sticks are used or not: for RC_CHANNELS.
 * @param raw  [us], UINT16_MAX: not given @param count  number of channels up to the last given
 * one */
void mf_inputs_channels(struct mf_vehicle *v, const uint16_t raw[MF_CHANNELS_MAX], uint8_t count,
                        mf_us_t now_us);

#endif
