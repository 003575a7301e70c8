/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of recordings, for conform and replay. */
#include "host/record/recording.h"

#include "mavlink/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Convert two's complement to a signed number, without a conversion that depends on the
 * compiler. */
static int64_t signed_of(uint64_t bits)
{
    return bits <= INT64_MAX ? (int64_t)bits : -(int64_t)(UINT64_MAX - bits) - 1;
}

static size_t read_all(struct mf_recording_reader *r, uint8_t *bytes, size_t n)
{
    size_t total = 0;
    while (total < n) {
        const size_t got = r->read(r->ctx, bytes + total, n - total);
        if (got == 0) {
            break;
        }
        total += got;
    }
    return total;
}

static enum mf_recording_state report_damage(struct mf_recording_reader *r, const char *what)
{
    (void)snprintf(r->error, sizeof r->error, "record %" PRIu64 " at byte %" PRIu64 " %s",
                   r->count + 1, r->at, what);
    return MF_RECORDING_DAMAGED;
}

static enum mf_recording_state report_cut(struct mf_recording_reader *r)
{
    (void)snprintf(r->error, sizeof r->error,
                   "cut short in record %" PRIu64 " at byte %" PRIu64
                   "; what is before it is whole",
                   r->count + 1, r->at);
    return MF_RECORDING_CUT;
}

static enum mf_recording_state read_header(struct mf_recording_reader *r)
{
    uint8_t header[MF_RECORDING_HEADER_BYTES];
    const size_t n = read_all(r, header, sizeof header);
    if (memcmp(header, MF_RECORDING_MAGIC, n < 4 ? n : 4) != 0 || n == 0) {
        (void)snprintf(r->error, sizeof r->error, "is not a recording of Mayfly's");
        return MF_RECORDING_DAMAGED;
    }
    if (n < sizeof header) {
        return report_cut(r);
    }
    const unsigned version = (unsigned)mf_record_get(header + 4, 2);
    if (version != MF_RECORDING_VERSION) {
        (void)snprintf(r->error, sizeof r->error, "is of version %u; this build reads version %u",
                       version, MF_RECORDING_VERSION);
        return MF_RECORDING_DAMAGED;
    }
    if (mf_record_get(header + 6, 2) != 0) {
        (void)snprintf(r->error, sizeof r->error,
                       "is damaged: bytes 6 and 7 of its header are not 0");
        return MF_RECORDING_DAMAGED;
    }
    r->at = sizeof header;
    return MF_RECORDING_RECORD;
}

static void decode_record(const struct mf_record_info *info, const uint8_t *payload, size_t n,
                          struct mf_record *record)
{
    const uint8_t *at = payload;
    *record = (struct mf_record){.type = (enum mf_record_type)info->type};
    if (info->has_link) {
        record->link = (uint16_t)mf_record_get(at, MF_RECORD_LINK_BYTES);
        at += MF_RECORD_LINK_BYTES;
    }
    for (size_t i = 0; i < info->values; i++) {
        record->value[i] = signed_of(mf_record_get(at, MF_RECORD_VALUE_BYTES));
        at += MF_RECORD_VALUE_BYTES;
    }
    record->bytes = at;
    record->n = n - (size_t)(at - payload);
}

enum mf_recording_state mf_recording_next(struct mf_recording_reader *r, struct mf_record *record)
{
    if (r->at == 0) {
        const enum mf_recording_state state = read_header(r);
        if (state != MF_RECORDING_RECORD) {
            return state;
        }
    }
    const size_t head = read_all(r, r->buffer, MF_RECORD_HEAD_BYTES);
    if (head < MF_RECORD_HEAD_BYTES) {
        return head == 0 ? MF_RECORDING_OVER : report_cut(r);
    }
    const size_t n = (size_t)mf_record_get(r->buffer + 1, 2);
    if (n > MF_RECORD_PAYLOAD_MAX) {
        return report_damage(r, "is damaged: its length makes no sense");
    }
    if (read_all(r, r->buffer + MF_RECORD_HEAD_BYTES, n + MF_RECORD_CRC_BYTES) <
        n + MF_RECORD_CRC_BYTES) {
        return report_cut(r);
    }
    const uint16_t crc = mf_crc16(MF_RECORD_CRC_START, r->buffer, MF_RECORD_HEAD_BYTES + n);
    if (mf_record_get(r->buffer + MF_RECORD_HEAD_BYTES + n, MF_RECORD_CRC_BYTES) != crc) {
        return report_damage(r, "is damaged: its checksum is wrong");
    }
    const struct mf_record_info *info = mf_record_info(r->buffer[0]);
    if (info == NULL) {
        return report_damage(r, "is of a type that this build does not know");
    }
    if (n < mf_record_fixed_bytes(info) || (n > mf_record_fixed_bytes(info) && !info->has_bytes)) {
        return report_damage(r, "is too short or too long for its type");
    }
    decode_record(info, r->buffer + MF_RECORD_HEAD_BYTES, n, record);
    r->at += MF_RECORD_FRAME_BYTES + n;
    r->count++;
    return MF_RECORDING_RECORD;
}
