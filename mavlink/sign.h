/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Signatures of MAVLink 2 frames: 13 bytes behind the checksum: link id (1), time (6), and the
 * first 6 bytes of SHA-256 over key, frame, link id and time. Time is counted in units of 10 us
 * since 2015-01-01. Source: MAVLink message signing guide.
 */
#ifndef MF_MAVLINK_SIGN_H
#define MF_MAVLINK_SIGN_H

#include "mavlink/frame.h"

#define MF_SIGN_KEY_BYTES  32u
#define MF_SIGNATURE_BYTES 13u
/** Largest time that fits into a signature. */
#define MF_SIGN_TIME_MAX ((UINT64_C(1) << 48) - 1u)

/** Link id and time of a signed frame. */
struct mf_signature {
    uint8_t link_id;
    uint64_t time; /**< [10 us since 2015-01-01] */
};

/**
 * @brief Sign a version 2 frame as mf_frame_encode() made it: sets its flag, renews its checksum,
 * appends the signature.
 * @param frame  in, out [MF_FRAME_MAX]: @p n bytes
 * @param key    [MF_SIGN_KEY_BYTES]
 * @return length of the signed frame [bytes]
 */
size_t mf_frame_sign(uint8_t frame[MF_FRAME_MAX], size_t n, const struct mf_msg_info *info,
                     const uint8_t *key, struct mf_signature by);

/** @brief Link id and time of a signed frame, whether or not its hash is right. */
struct mf_signature mf_frame_signature(const struct mf_frame *frame);

/** @brief Is the hash of a signed frame that of this key [MF_SIGN_KEY_BYTES]? */
bool mf_frame_signed_with(const struct mf_frame *frame, const uint8_t *key);

static inline bool mf_frame_is_signed(const struct mf_frame *frame)
{
    return (frame->incompat & MF_INCOMPAT_SIGNED) != 0;
}

#endif
