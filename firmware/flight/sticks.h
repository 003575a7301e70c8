/* SPDX-License-Identifier: Apache-2.0 */
/** Sticks: the aim that their deflections mean in each mode. Source: PX4's FlightTaskManual and its
 * subclasses. */
#ifndef MF_FIRMWARE_STICKS_H
#define MF_FIRMWARE_STICKS_H

#include "firmware/state/control_inputs.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"

/** @brief Convert sticks to an aim. POSCTL: velocity. ALTCTL: tilt, and vertical velocity. Other
 * modes: tilt and thrust. A tilt becomes the resulting velocity (mf_velocity_of_thrust()).
 * @param s  each -1 .. 1 @param yaw_rad  heading of the body, the reference of the sticks
 * @return without a place; a velocity in all three axes [m/s NED], the tilt [rad] and the turn
 * [rad/s] */
struct mf_aim mf_sticks_aim(const struct mf_params *p, const struct mf_sticks *s, enum mf_mode mode,
                            double yaw_rad);

#endif
