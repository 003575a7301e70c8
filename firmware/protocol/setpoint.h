/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Offboard setpoints: three messages become one aim. A good one is a sign of life and is flown in
 * OFFBOARD (flight/control_inputs_act.h); what PX4 refuses is refused, with a text at most once a
 * second.
 *
 * Positions, velocities, accelerations and attitudes that a mask leaves out are not given; masks,
 * frames and texts are PX4's (mavlink_receiver). Source: MAVLink offboard control interface.
 */
#ifndef MF_FIRMWARE_SETPOINT_H
#define MF_FIRMWARE_SETPOINT_H

#include "firmware/state/link.h"

struct mf_vehicle;

/* Handlers */

/** @brief Handle a setpoint in the local frame, or in axes of the vehicle's heading, which allow
 * only velocities and accelerations. */
void mf_on_set_position_target_local_ned(struct mf_vehicle *v, struct mf_peer from,
                                         const struct mf_msg_set_position_target_local_ned *m,
                                         mf_us_t now_us);
/** @brief Handle a setpoint with latitude and longitude. Its position has all three coordinates or
 * none, as in PX4. */
void mf_on_set_position_target_global_int(struct mf_vehicle *v, struct mf_peer from,
                                          const struct mf_msg_set_position_target_global_int *m,
                                          mf_us_t now_us);
/** @brief An attitude, or rates of roll and pitch that add up to one, and a thrust. */
void mf_on_set_attitude_target(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_set_attitude_target *m, mf_us_t now_us);

#endif
