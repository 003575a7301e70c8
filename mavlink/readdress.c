/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites sender or target of a frame; boards/swarm/links calls it for vehicles with equal system
 * ids. */
#include "mavlink/readdress.h"

#include "hal/assert.h"

#include <string.h>

#define HEADER_V1 6u
#define HEADER_V2 10u

static const uint8_t k_size[] = {
#define X(name, ctype, size, xml) [MF_WIRE_##name] = (size),
    MF_WIRE_TYPE_LIST(X)
#undef X
};

static size_t header_of(const struct mf_frame *frame)
{
    return frame->version == 1 ? HEADER_V1 : HEADER_V2;
}

/* Write the checksum behind the payload, without a signature, which would no longer hold.
 * @return length of the frame [bytes] */
static size_t seal(const struct mf_frame *frame, uint8_t *out)
{
    const size_t end = header_of(frame) + frame->len;
    const uint8_t extra = frame->info->crc_extra;
    if (frame->version != 1) {
        out[2] = (uint8_t)(out[2] & ~MF_INCOMPAT_SIGNED);
    }
    const uint16_t crc = mf_crc16(mf_crc16(0xFFFFu, out + 1, end - 1), &extra, 1);
    out[end] = (uint8_t)crc;
    out[end + 1] = (uint8_t)(crc >> 8);
    return end + 2;
}

size_t mf_readdress_sender(const uint8_t *frame, size_t n, uint8_t sysid, uint8_t *out)
{
    struct mf_frame f;
    if (n > MF_FRAME_MAX || !mf_frame_read(frame, n, &f)) {
        return 0;
    }
    memcpy(out, frame, n);
    out[f.version == 1 ? 3 : 5] = sysid;
    return seal(&f, out);
}

size_t mf_readdress_target(const struct mf_frame *frame, uint8_t sysid, uint8_t *out)
{
    MF_ASSERT(frame->info != NULL && frame->raw_len <= MF_FRAME_MAX);
    const struct mf_field *field = &mf_fields()[frame->info->field_first];
    size_t at = 0;
    memcpy(out, frame->raw, frame->raw_len);
    for (uint8_t i = 0; i < frame->info->field_count && at < frame->len; i++) {
        if (field[i].role == MF_FIELD_TARGET_SYSTEM) {
            out[header_of(frame) + at] = sysid;
        }
        at += (size_t)k_size[field[i].type] * field[i].count;
    }
    return seal(frame, out);
}
