/* SPDX-License-Identifier: Apache-2.0 */
/* Source: MAVLink message signing guide: link id 1, time 6 (little-endian), the first 6 bytes of
 * the SHA-256 over key, frame, link id and time. */
#include "mavlink/sign.h"

#include "hal/assert.h"
#include "mavlink/sha256.h"

#include <string.h>

#define AT_INCOMPAT 2u /* in a frame of version 2 */
#define TIME_BYTES  6u
#define HASH_BYTES  6u
#define AT_HASH     (1u + TIME_BYTES) /* in a signature */

_Static_assert(AT_HASH + HASH_BYTES == MF_SIGNATURE_BYTES, "a signature");

/* The hash over key and @p n bytes: the frame, link id and time. */
static void hash(const uint8_t *key, const uint8_t *bytes, size_t n, uint8_t out[HASH_BYTES])
{
    struct mf_sha256 h;
    uint8_t digest[MF_SHA256_BYTES];
    mf_sha256_init(&h);
    mf_sha256_add(&h, key, MF_SIGN_KEY_BYTES);
    mf_sha256_add(&h, bytes, n);
    mf_sha256_end(&h, digest);
    memcpy(out, digest, HASH_BYTES);
}

size_t mf_frame_sign(uint8_t frame[MF_FRAME_MAX], size_t n, const struct mf_msg_info *info,
                     const uint8_t *key, struct mf_signature by)
{
    MF_ASSERT(frame != NULL && info != NULL && key != NULL);
    MF_ASSERT((frame[AT_INCOMPAT] & MF_INCOMPAT_SIGNED) == 0 && by.time <= MF_SIGN_TIME_MAX);
    MF_ASSERT(frame[0] == MF_STX_V2 && n > 2 && n + MF_SIGNATURE_BYTES <= MF_FRAME_MAX);
    /* the flag is covered by the checksum, which is therefore computed again */
    frame[AT_INCOMPAT] |= MF_INCOMPAT_SIGNED;
    const uint16_t crc = mf_crc16(mf_crc16(0xFFFF, frame + 1, n - 3), &info->crc_extra, 1);
    frame[n - 2] = (uint8_t)crc;
    frame[n - 1] = (uint8_t)(crc >> 8);
    uint8_t *signature = frame + n;
    signature[0] = by.link_id;
    for (size_t i = 0; i < TIME_BYTES; i++) {
        signature[1 + i] = (uint8_t)(by.time >> 8 * i);
    }
    hash(key, frame, n + AT_HASH, signature + AT_HASH);
    return n + MF_SIGNATURE_BYTES;
}

static const uint8_t *signature_of(const struct mf_frame *frame)
{
    MF_ASSERT(mf_frame_is_signed(frame) && frame->raw_len > MF_SIGNATURE_BYTES);
    return frame->raw + frame->raw_len - MF_SIGNATURE_BYTES;
}

struct mf_signature mf_frame_signature(const struct mf_frame *frame)
{
    const uint8_t *signature = signature_of(frame);
    struct mf_signature by = {signature[0], 0};
    for (size_t i = 0; i < TIME_BYTES; i++) {
        by.time |= (uint64_t)signature[1 + i] << 8 * i;
    }
    return by;
}

bool mf_frame_signed_with(const struct mf_frame *frame, const uint8_t *key)
{
    MF_ASSERT(frame != NULL && key != NULL);
    uint8_t expected[HASH_BYTES];
    const uint8_t *received = signature_of(frame) + AT_HASH; /* all before it is hashed */
    unsigned differ = 0;
    hash(key, frame->raw, (size_t)(received - frame->raw), expected);
    for (size_t i = 0; i < HASH_BYTES; i++) { /* all of them: how long it takes tells nothing */
        differ |= (unsigned)(expected[i] ^ received[i]);
    }
    return differ == 0;
}
