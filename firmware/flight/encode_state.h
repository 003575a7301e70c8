/* SPDX-License-Identifier: Apache-2.0 */
/** Encoders of messages about the state of the flight, which are also sent when the state changes.
 * They only read. The fields mean the same as PX4's. */
#ifndef MF_FIRMWARE_ENCODE_STATE_H
#define MF_FIRMWARE_ENCODE_STATE_H

#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;

/*
 * Sources: PX4's streams of the same names (HEARTBEAT.hpp, SYS_STATUS.hpp, BATTERY_STATUS.hpp,
 * EXTENDED_SYS_STATE.hpp, HOME_POSITION.hpp), and the readers of MAVSDK, QGroundControl and MAVROS.
 * differences.def lists differences from PX4.
 */

/** @brief Encode HEARTBEAT for the present pass; while disarmed it contains the health at this
 * instant. */
void mf_encode_heartbeat(struct mf_vehicle *v, struct mf_msg_heartbeat *m);

/* Encode the message of the function's name for vehicle time t_us. @return false: nothing to send
 * now (home or the battery is missing) */
bool mf_encode_current_mode(const struct mf_vehicle *v, mf_us_t t_us,
                            struct mf_msg_current_mode *m);
bool mf_encode_sys_status(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_sys_status *m);
bool mf_encode_battery_status(const struct mf_vehicle *v, mf_us_t t_us,
                              struct mf_msg_battery_status *m);
bool mf_encode_mission_current(const struct mf_vehicle *v, mf_us_t t_us,
                               struct mf_msg_mission_current *m);
bool mf_encode_extended_sys_state(const struct mf_vehicle *v, mf_us_t t_us,
                                  struct mf_msg_extended_sys_state *m);
bool mf_encode_fence_status(const struct mf_vehicle *v, mf_us_t t_us,
                            struct mf_msg_fence_status *m);
bool mf_encode_gps_global_origin(const struct mf_vehicle *v, mf_us_t t_us,
                                 struct mf_msg_gps_global_origin *m);
bool mf_encode_home_position(const struct mf_vehicle *v, mf_us_t t_us,
                             struct mf_msg_home_position *m);

#endif
