/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Remote identification (ASTM F3411, OPEN_DRONE_ID_*): identity of the vehicle, place of its
 * take-off, and data of its operator from a ground station. encode_remote_id.c encodes the
 * messages.
 */
#ifndef MF_FIRMWARE_REMOTE_ID_H
#define MF_FIRMWARE_REMOTE_ID_H

#include "firmware/state/remote_id.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_estimate;
struct mf_peer;
struct mf_vehicle;

/** @brief Make the card of a vehicle whose board gives none: a multirotor with a serial number
 * (CTA-2063-A) made of the lower half of its uid: MAYF, 8 for eight characters, eight hexadecimal
 * digits. */
struct mf_remote_id_card mf_remote_id_default(uint64_t uid);

/** @brief Read the card of a vehicle. @param uid  uid of the vehicle, for a board without a card */
struct mf_remote_id_card mf_remote_id_card(const struct mf_remote_id *r, uint64_t uid);

/** @brief Set the place of take-off, or of a standing vehicle, from the estimate @p e; unknown
 * without a position. */
void mf_remote_id_take_off(struct mf_remote_id *r, const struct mf_estimate *e);

/** @brief Set the data of the operator that a ground station sent. Later data replace earlier ones.
 * @return MF_E_OK; MF_E_RANGE: an invalid place, or an altitude that is not a number; nothing
 * changes */
int mf_remote_id_set_operator(struct mf_remote_id *r, const struct mf_msg_open_drone_id_system *m);

/* Handlers: data of this vehicle's operator from a ground station are sent on from then on.
 * Messages of autopilots and those about other aircraft are counted as foreign, and invalid places
 * as rejected. */
void mf_on_open_drone_id_system(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_open_drone_id_system *m, mf_us_t now_us);
void mf_on_open_drone_id_operator_id(struct mf_vehicle *v, struct mf_peer from,
                                     const struct mf_msg_open_drone_id_operator_id *m,
                                     mf_us_t now_us);

#endif
