/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Remote identification (ASTM F3411, OPEN_DRONE_ID_*): who the vehicle says it is, where it took
 * off, and what a ground station said of its operator. The messages are made in
 * encode_remote_id.c.
 */
#ifndef MF_FIRMWARE_REMOTE_ID_H
#define MF_FIRMWARE_REMOTE_ID_H

#include "firmware/state/remote_id.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;
struct mf_peer;

/** @brief The card of a vehicle that was given none: a multirotor whose serial number (CTA-2063-A)
 *  is made of its uid's lower half: MAYF, 8 for eight characters, eight hexadecimal digits. */
struct mf_remote_id_card mf_remote_id_default(uint64_t uid);

/** @brief The card of a vehicle, by value. */
struct mf_remote_id_card mf_remote_id_card(const struct mf_vehicle *v);

/** @brief The vehicle takes off from where it is now, or stands there; unknown without a position. */
void mf_remote_id_take_off(struct mf_vehicle *v, mf_us_t now_us);

/* What a ground station says of this vehicle's operator is passed on from then on. Messages of
 * autopilots and those about other aircraft are none. */
void mf_on_open_drone_id_system(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_open_drone_id_system *m, mf_us_t now_us);
void mf_on_open_drone_id_operator_id(struct mf_vehicle *v, struct mf_peer from,
                                     const struct mf_msg_open_drone_id_operator_id *m,
                                     mf_us_t now_us);

#endif
