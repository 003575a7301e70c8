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

struct mf_estimate;
struct mf_peer;
struct mf_vehicle;

/** @brief The card of a vehicle that was given none: a multirotor whose serial number (CTA-2063-A)
 *  is made of its uid's lower half: MAYF, 8 for eight characters, eight hexadecimal digits. */
struct mf_remote_id_card mf_remote_id_default(uint64_t uid);

/** @brief The card of a vehicle, by value. @param uid  of the vehicle, where the board gave
 * no card */
struct mf_remote_id_card mf_remote_id_card(const struct mf_remote_id *r, uint64_t uid);

/** @brief The vehicle takes off from where @p e believes it to be, or stands there; unknown without
 * a position. */
void mf_remote_id_take_off(struct mf_remote_id *r, const struct mf_estimate *e);

/** @brief What a ground station says of the operator. Only the value of the last one counts.
 * @return MF_E_OK; MF_E_RANGE: a place off the Earth or an altitude that is no number, nothing
 * changes */
int mf_remote_id_set_operator(struct mf_remote_id *r, const struct mf_msg_open_drone_id_system *m);

/* Handlers: what a ground station says of this vehicle's operator is passed on from then on.
 * Messages of autopilots and those about other aircraft are counted as foreign, and places off the
 * Earth as rejected. */
void mf_on_open_drone_id_system(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_open_drone_id_system *m, mf_us_t now_us);
void mf_on_open_drone_id_operator_id(struct mf_vehicle *v, struct mf_peer from,
                                     const struct mf_msg_open_drone_id_operator_id *m,
                                     mf_us_t now_us);

#endif
