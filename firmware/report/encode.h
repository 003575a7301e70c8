/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Encoders of messages from the state of the vehicle; they only read. The fields mean the same as
 * PX4's (src/modules/mavlink/streams).
 *
 * Three sources are separate: measurements of sensors (HIGHRES_IMU, SCALED_PRESSURE, GPS_RAW_INT),
 * the estimate of the autopilot (all messages with a position or an attitude), and the truth
 * (HIL_STATE_QUATERNION only). A field whose hardware is missing has the value that PX4 sends then.
 */
#ifndef MF_FIRMWARE_ENCODE_H
#define MF_FIRMWARE_ENCODE_H

#include "firmware/flight/encode_state.h"
#include "firmware/state/stream.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_estimate;
struct mf_vehicle;

/* bool mf_encode_<name>(): fill in the message, of the vehicle at vehicle time t_us or, where the
 * list says so, of an estimate, for the time of that. @return false: there is nothing to send now
 * (no position, no home, no battery).
 *
 * Those of the state of the flight stand in flight/encode_state.h: they leave at a change, too. */
#define MF_ENCODER_OF_STATE(name)
#define MF_ENCODER_OF_VEHICLE(name) \
    bool mf_encode_##name(const struct mf_vehicle *v, mf_us_t t_us, struct mf_msg_##name *m);
#define MF_ENCODER_OF_ESTIMATE(name) \
    bool mf_encode_##name(const struct mf_estimate *e, struct mf_msg_##name *m);
#define MF_ENCODER_OF_BOTH(name)                                                   \
    bool mf_encode_##name(const struct mf_vehicle *v, const struct mf_estimate *e, \
                          struct mf_msg_##name *m);
#define X(NAME, name, of, sim, px4, onboard, min) MF_ENCODER_OF_##of(name)
MF_STREAM_LIST(X)
#undef X

/** @brief AVAILABLE_MODES. @param index  1-based @return false: invalid index */
bool mf_encode_available_modes(uint8_t index, struct mf_msg_available_modes *m);

/** @brief Encode by stream, for vehicle time @p t_us; brings the estimate up to date if the message
 * is made of it.
 * @return false: nothing to send now */
bool mf_encode(struct mf_vehicle *v, enum mf_stream stream, mf_us_t t_us, union mf_msg *m);

#endif
