/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Telemetry: which messages leave a link, how often, and where their fields come from.
 *
 * Streams are due at multiples of their interval since boot, so that messages of one link fall into
 * the same pass. HEARTBEAT is not among them: it is due on two clocks (vehicle.c).
 */
#ifndef MF_FIRMWARE_STREAM_H
#define MF_FIRMWARE_STREAM_H

#include "firmware/state/stream.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;
struct mf_link;

/** @brief The intervals of a profile. @param interval_us  out [MF_STREAM_COUNT] */
void mf_stream_profile(enum mf_rate_profile profile, int32_t *interval_us);

/** @brief The rates of ASTM F3411 for remote identification, in place of those of a profile.
 *  @param interval_us  in and out [MF_STREAM_COUNT] */
static inline void mf_stream_remote_id(int32_t *interval_us)
{
    interval_us[MF_STREAM_OPEN_DRONE_ID_LOCATION] = 1000000;
    interval_us[MF_STREAM_OPEN_DRONE_ID_BASIC_ID] = 3000000;
    interval_us[MF_STREAM_OPEN_DRONE_ID_SYSTEM] = 3000000;
    interval_us[MF_STREAM_OPEN_DRONE_ID_OPERATOR_ID] = 3000000;
}

/** @brief Nobody chose these intervals: on a link on which an SDK speaks, ATTITUDE and
 * ATTITUDE_QUATERNION have those of the profile onboard, unless a client sets them. Such an
 * interval is kept as its negative.
 *  @param interval_us  [MF_STREAM_COUNT]  @param all  all messages have those of onboard then */
void mf_stream_leave_to_sdk(int32_t *interval_us, bool all);

/** @brief Which stream carries a message. @return enum mf_stream, or MF_E_NOENT */
int mf_stream_find(uint32_t msgid);

/** @brief The message id of a stream. */
uint32_t mf_stream_msgid(enum mf_stream stream);

/** @brief Start a link's streams at vehicle time @p now_us: one set of all active ones at once,
 * then by their intervals.
 * @param interval_us  [MF_STREAM_COUNT], must stay as it is until the link closes */
void mf_stream_start(struct mf_vehicle *v, struct mf_link *link, const int32_t *interval_us,
                     mf_us_t now_us);

/** @brief A HEARTBEAT of an SDK came over the link. It is gone when the link closes, or when it has
 * been silent for MF_SDK_PRESENT_US. */
void mf_stream_sdk_heard(struct mf_vehicle *v, struct mf_link *link);

/** @brief Part of the links' task, on transport time: an SDK that is silent is gone. @return when
 * to look again */
mf_us_t mf_stream_sdk_run(struct mf_vehicle *v, struct mf_link *link, mf_us_t due_us);

/** @brief SET_MESSAGE_INTERVAL. @param interval_us  > 0 (rounded, at least 1000), 0 the link's
 * default, < 0 off
 * @return MF_E_OK; MF_E_NOENT; MF_E_RANGE if it is not finite */
int mf_stream_set(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, float interval_us,
                  mf_us_t now_us);

/** @brief GET_MESSAGE_INTERVAL. @return [us], or MF_STREAM_OFF */
int32_t mf_stream_interval(const struct mf_link *link, uint32_t msgid);

/** @brief REQUEST_MESSAGE: send one message of the table now. @return MF_E_OK; MF_E_NOENT if
 * unknown or not available now */
int mf_stream_request(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, mf_us_t now_us);

/** @brief Task: send what is due at @p due_us on every link. @return next due time, vehicle time */
mf_us_t mf_streams_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
