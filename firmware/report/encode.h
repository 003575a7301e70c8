/* SPDX-License-Identifier: Apache-2.0 */
/** Messages made from the state of the vehicle; read only. Field semantics are PX4's. */
#ifndef MF_FIRMWARE_ENCODE_H
#define MF_FIRMWARE_ENCODE_H

#include "firmware/flight/encode_state.h"
#include "firmware/state/stream.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;

/* bool mf_encode_<name>(v, t_us, &msg): fill in the message for vehicle time t_us.
 * false: there is nothing to send now (no position, no home, no battery). */
#define X(NAME, name, sim, px4, onboard, min) \
    bool mf_encode_##name(struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_##name *m);
MF_STREAM_LIST(X)
#undef X

/** @brief AVAILABLE_MODES. @param index  1-based @return false if there is no such mode */
bool mf_encode_available_modes(uint8_t index, struct mf_msg_available_modes *m);

/** @brief Encode by stream. @return false: nothing to send now */
bool mf_encode(struct mf_vehicle *v, enum mf_stream stream, mf_us_t t_us, union mf_msg *m);

#endif
