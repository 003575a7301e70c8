/* SPDX-License-Identifier: Apache-2.0 */
/** A frame of a recording, taken apart. */
#ifndef MF_TOOLS_REPLAY_FRAME_H
#define MF_TOOLS_REPLAY_FRAME_H

#include "mavlink/frame.h"

struct replay_frame {
    const struct mf_msg_info *info; /**< NULL: no frame, or no message of the table */
    uint8_t version, seq, sysid, compid;
    const uint8_t *payload; /**< within the bytes of the frame */
    size_t n;               /**< length of the payload */
    size_t size;            /**< of the whole frame [bytes]; 0: no frame */
};

/** @brief Take the frame at the beginning of @p n bytes apart. Only what a cut file may spoil
 * is checked. */
struct replay_frame replay_frame(const uint8_t *bytes, size_t n);

#endif
