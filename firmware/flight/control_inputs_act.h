/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Control inputs taken up: a good setpoint and sticks count as a sign of life (control_inputs.h),
 * and steer the vehicle where its mode follows them. Handlers of messages decode, and call these;
 * nobody else writes what they keep.
 */
#ifndef MF_FIRMWARE_CONTROL_INPUTS_ACT_H
#define MF_FIRMWARE_CONTROL_INPUTS_ACT_H

#include "firmware/state/control_inputs.h"
#include "firmware/state/navigator.h"

struct mf_vehicle;

/** @brief A good setpoint: flown in OFFBOARD, at once if it differs from the one before. With
 * MAV_FWDEXTSP 0 it is ignored, as by PX4.
 * @param attitude  the aim was made of it, kept for ATTITUDE_TARGET; NULL: the aim is a position or
 * a velocity */
void mf_inputs_setpoint(struct mf_vehicle *v, const struct mf_aim *aim,
                        const struct mf_attitude_aim *attitude, mf_us_t now_us);

/** @brief May a bad setpoint be answered with a text? Then it counts as said. */
bool mf_inputs_may_complain(struct mf_vehicle *v);

/** @brief New sticks: flown in modes that follow them. Sticks that leave their centre take over
 * from modes that fly by themselves, as COM_RC_OVERRIDE says; that they are held from before does
 * not count. */
void mf_inputs_sticks(struct mf_vehicle *v, struct mf_sticks sticks, mf_us_t now_us);

/** @brief A transmitter's channels, whether they count as sticks or not: for RC_CHANNELS.
 * @param raw  [us], UINT16_MAX: not given  @param count  up to the last one that is given */
void mf_inputs_channels(struct mf_vehicle *v, const uint16_t raw[MF_CHANNELS_MAX], uint8_t count,
                        mf_us_t now_us);

#endif
