/* SPDX-License-Identifier: Apache-2.0 */
#include "mavlink/frame.h"

#include "hal/assert.h"

#include <string.h>

/* [bytes] */
#define HEADER_V1 6u
#define HEADER_V2 10u
#define CHECKSUM  2u
#define SIGNATURE 13u

#define ID_MAX_V1 255u

_Static_assert(HEADER_V2 + MF_PAYLOAD_MAX + CHECKSUM + SIGNATURE == MF_FRAME_MAX, "largest frame");

/* X.25 without a table: 512 bytes of flash less, and a frame is short. Four bytes are divided at
 * once. With u = x^-4 + x^-11 + x^-16 the factors are 1 + u, 1 + u^2 and 1 + u^4, whose product is
 * 1 / (1 + u) as far as 32 bits show it: the quotient, from which the remainder follows. */
uint16_t mf_crc16(uint16_t crc, const uint8_t *bytes, size_t n)
{
    size_t i = 0;
    for (; i + 3 < n; i += 4) {
        uint32_t mix = crc ^ bytes[i] ^ (uint32_t)bytes[i + 1] << 8 ^ (uint32_t)bytes[i + 2] << 16 ^
                       (uint32_t)bytes[i + 3] << 24;
        mix ^= mix << 4 ^ mix << 11 ^ mix << 16;
        mix ^= mix << 8 ^ mix << 22;
        mix ^= mix << 16;
        crc = (uint16_t)((mix ^ mix >> 5 ^ mix >> 12) >> 16);
    }
    for (; i < n; i++) {
        uint32_t mix = (bytes[i] ^ crc) & 0xFFu;
        mix = (mix ^ mix << 4) & 0xFFu;
        crc = (uint16_t)(crc >> 8 ^ mix << 8 ^ mix << 3 ^ mix >> 4);
    }
    return crc;
}

/* Checksum over the frame without its start byte, then CRC_EXTRA as if it were the last byte. */
static uint16_t checksum(const uint8_t *frame, size_t n, uint8_t crc_extra)
{
    return mf_crc16(mf_crc16(0xFFFF, frame + 1, n - 1), &crc_extra, 1);
}

/* Kinds of findings at a byte of the stream. */
enum finding {
    NO_START,     /* nothing: it is not a start byte */
    BAD_FLAGS,    /* nothing that could be parsed: unknown flags */
    NO_FRAME,     /* nothing: too long for its message, or what is inside or behind it says so */
    INCOMPLETE,   /* so far a frame; more bytes will tell */
    HIDES_BEGUN,  /* an unknown message in which a known one seems to begin; more bytes will tell */
    GOOD,         /* a whole frame */
    BAD_CRC,      /* a whole frame of a known message, damaged or never one */
    UNKNOWN,      /* a frame of an unknown message */
    UNKNOWN_LAST, /* frame of an unknown message, complete, without a byte after it so far */
};

static bool is_start(uint8_t byte)
{
    return byte == MF_STX_V1 || byte == MF_STX_V2;
}

/* Completes a header by how long the whole frame is: its payload and so many bytes around it. Is it
 * here? */
static bool is_whole(struct mf_frame *frame, size_t around, size_t n)
{
    frame->raw_len = (uint16_t)(around + frame->len);
    return frame->raw_len <= n;
}

static bool read_header_v1(const uint8_t *raw, size_t n, struct mf_frame *frame)
{
    *frame = (struct mf_frame){
        .info = mf_msg_find(raw[5]),
        .payload = raw + HEADER_V1,
        .raw = raw,
        .len = raw[1],
        .version = 1,
        .seq = raw[2],
        .sysid = raw[3],
        .compid = raw[4],
    };
    return is_whole(frame, HEADER_V1 + CHECKSUM, n);
}

static bool read_header_v2(const uint8_t *raw, size_t n, struct mf_frame *frame)
{
    /* the signature is behind the checksum and not counted in the length */
    const bool is_signed = (raw[2] & MF_INCOMPAT_SIGNED) != 0;
    *frame = (struct mf_frame){
        .info = mf_msg_find(raw[7] | (uint32_t)raw[8] << 8 | (uint32_t)raw[9] << 16),
        .payload = raw + HEADER_V2,
        .raw = raw,
        .len = raw[1],
        .version = 2,
        .incompat = raw[2],
        .seq = raw[4],
        .sysid = raw[5],
        .compid = raw[6],
    };
    return is_whole(frame, HEADER_V2 + CHECKSUM + (is_signed ? SIGNATURE : 0), n);
}

/* CRC_EXTRA is part of it, so a sender with another definition of the message does not match. */
static bool crc_matches(const struct mf_frame *frame)
{
    const size_t n = (frame->version == 1 ? HEADER_V1 : HEADER_V2) + frame->len;
    const uint16_t received = (uint16_t)(frame->raw[n] | frame->raw[n + 1] << 8);
    return checksum(frame->raw, n, frame->info->crc_extra) == received;
}

/* Identify the n bytes at raw as far as possible; for an unknown message only its header is known.
 * A payload in version 1 is at most as long as its message; in version 2 it may contain extensions
 * that are newer than the table. */
static enum finding identify(const uint8_t *raw, size_t n, struct mf_frame *frame)
{
    const bool is_v2 = raw[0] == MF_STX_V2;
    if (!is_start(raw[0])) {
        return NO_START;
    }
    if (is_v2 && n > 2 && (raw[2] & ~MF_INCOMPAT_SIGNED) != 0) {
        return BAD_FLAGS;
    }
    if (n < (is_v2 ? HEADER_V2 : HEADER_V1)) {
        return INCOMPLETE;
    }
    const bool whole = (is_v2 ? read_header_v2 : read_header_v1)(raw, n, frame);
    if (frame->info == NULL) {
        return UNKNOWN;
    }
    if (!is_v2 && frame->len > frame->info->len_max) {
        return NO_FRAME;
    }
    if (!whole) {
        return INCOMPLETE;
    }
    return crc_matches(frame) ? GOOD : BAD_CRC;
}

/* Identify the frame that begins after @p n unread bytes. */
static enum finding identify_behind(const struct mf_parser *p, size_t n, struct mf_frame *frame)
{
    MF_ASSERT(n < p->len && p->head + p->len <= MF_PARSER_BYTES);
    return identify(&p->buf[p->head + n], p->len - n, frame);
}

/* Does a good frame of a known message begin inside the unknown one that comes next? The first that
 * may be one is waited for, as if nothing were around it. Bytes that begin none are not looked at
 * again, so a checksum that does not match is computed here once. */
static enum finding search_inside(struct mf_parser *p, size_t raw_len)
{
    struct mf_frame inner;
    if (p->searched == 0) {
        p->searched = 1;
    }
    for (; p->searched < raw_len && p->searched < p->len; p->searched++) {
        const enum finding finding = identify_behind(p, p->searched, &inner);
        if (finding == GOOD || finding == INCOMPLETE) {
            return finding;
        }
    }
    return NO_FRAME;
}

/* A frame without a checksum to go by is believed if nothing better is inside and another one
 * follows. Waiting for the byte behind it makes the decision independent of how the stream
 * was cut. */
static enum finding judge_unknown(struct mf_parser *p, const struct mf_frame *frame)
{
    const enum finding inner = search_inside(p, frame->raw_len);
    if (inner == GOOD) {
        return NO_FRAME;
    }
    if (inner == INCOMPLETE) {
        return HIDES_BEGUN;
    }
    if (p->len < frame->raw_len) {
        return INCOMPLETE;
    }
    if (p->len == frame->raw_len) {
        return UNKNOWN_LAST;
    }
    return is_start(p->buf[p->head + frame->raw_len]) ? UNKNOWN : NO_FRAME;
}

static enum finding examine(struct mf_parser *p, struct mf_frame *frame)
{
    MF_ASSERT(p->len > 0 && p->head + p->len <= MF_PARSER_BYTES);
    const enum finding finding = identify(&p->buf[p->head], p->len, frame);
    return finding == UNKNOWN ? judge_unknown(p, frame) : finding;
}

/* Remove bytes. The place of the search moves with them. */
static void consume(struct mf_parser *p, size_t n)
{
    MF_ASSERT(n <= p->len);
    p->head = (uint16_t)(p->head + n);
    p->len = (uint16_t)(p->len - n);
    p->searched = (uint16_t)(p->searched > n ? p->searched - n : 0);
}

/* Skip one byte, not the whole apparent frame: a valid frame may begin at any later byte. */
static void skip_byte(struct mf_parser *p)
{
    p->stats.skipped++;
    consume(p, 1);
}

static void skip_unknown(struct mf_parser *p, const struct mf_frame *frame)
{
    p->stats.unknown++;
    consume(p, frame->raw_len);
}

bool mf_frame_read(const uint8_t *bytes, size_t n, struct mf_frame *frame)
{
    MF_ASSERT(bytes != NULL && frame != NULL);
    return n > 0 && identify(bytes, n, frame) == GOOD && frame->raw_len == n;
}

/* Bytes move to the front only if the buffer is full behind them, so that most are copied once. */
size_t mf_parser_feed(struct mf_parser *p, const uint8_t *bytes, size_t n)
{
    MF_ASSERT(p != NULL && (bytes != NULL || n == 0));
    MF_ASSERT(p->head + p->len <= MF_PARSER_BYTES);
    const size_t room = MF_PARSER_BYTES - p->len; /* wherever it is: what is kept can move */
    const size_t taken = n < room ? n : room;
    if (taken == 0) {
        return 0;
    }
    if (taken > MF_PARSER_BYTES - p->head - p->len) {
        memmove(p->buf, &p->buf[p->head], p->len);
        p->head = 0;
    }
    memcpy(&p->buf[p->head + p->len], bytes, taken);
    p->len = (uint16_t)(p->len + taken);
    return taken;
}

bool mf_parser_next(struct mf_parser *p, struct mf_frame *frame)
{
    MF_ASSERT(p != NULL && frame != NULL);
    p->whole = false;
    while (p->len > 0) {
        const enum finding finding = examine(p, frame);
        switch (finding) {
        case UNKNOWN_LAST:
            p->whole = true;
            return false;
        case INCOMPLETE:
        case HIDES_BEGUN:
            return false;
        case GOOD:
            consume(p, frame->raw_len);
            return true;
        case UNKNOWN:
            skip_unknown(p, frame);
            if (p->keep_unknown) {
                return true;
            }
            break;
        case BAD_CRC: /* one byte only: what looked like a start may lie inside another frame */
            p->stats.bad_crc++;
            skip_byte(p);
            break;
        case BAD_FLAGS:
            p->stats.bad_flags++;
            skip_byte(p);
            break;
        case NO_START:
        case NO_FRAME:
            skip_byte(p);
            break;
        }
    }
    return false;
}

/* Only a whole one: what is less may still be completed, unless the parser is flushed. */
bool mf_parser_last(struct mf_parser *p, struct mf_frame *frame)
{
    MF_ASSERT(p != NULL && frame != NULL);
    if (!p->keep_unknown || p->len == 0 || examine(p, frame) != UNKNOWN_LAST) {
        return false;
    }
    skip_unknown(p, frame);
    return true;
}

void mf_parser_flush(struct mf_parser *p)
{
    MF_ASSERT(p != NULL);
    struct mf_frame frame;
    if (p->len == 0) {
        return;
    }
    /* the begun inner frame goes first: the outer one may turn out to be whole without it */
    const enum finding finding = examine(p, &frame);
    if (finding == UNKNOWN_LAST) {
        skip_unknown(p, &frame);
    } else if (finding == HIDES_BEGUN) {
        p->searched++;
    } else if (finding == INCOMPLETE) {
        skip_byte(p);
    }
}

static void write_header_v1(const struct mf_sender *from, uint32_t id, size_t len, uint8_t *out)
{
    const uint8_t header[HEADER_V1] = {
        MF_STX_V1, (uint8_t)len, from->seq, from->sysid, from->compid, (uint8_t)id,
    };
    memcpy(out, header, sizeof header);
}

static void write_header_v2(const struct mf_sender *from, uint32_t id, size_t len, uint8_t *out)
{
    const uint8_t no_flags = 0;
    const uint8_t header[HEADER_V2] = {
        MF_STX_V2,   (uint8_t)len, no_flags,    no_flags,           from->seq,
        from->sysid, from->compid, (uint8_t)id, (uint8_t)(id >> 8), (uint8_t)(id >> 16),
    };
    memcpy(out, header, sizeof header);
}

/* MAVLink 2 leaves them out; one byte stays, as the guide wants it. */
static size_t without_trailing_zeros(const uint8_t *payload, size_t len)
{
    while (len > 1 && payload[len - 1] == 0) {
        len--;
    }
    return len;
}

size_t mf_frame_encode(const struct mf_sender *from, const struct mf_msg_info *info,
                       const void *msg, uint8_t out[MF_FRAME_MAX])
{
    MF_ASSERT(from != NULL && info != NULL && msg != NULL && out != NULL);
    MF_ASSERT(from->version == 1 || from->version == 2);
    if (from->version == 1 && info->id > ID_MAX_V1) {
        return 0;
    }
    uint8_t *payload = out + (from->version == 1 ? HEADER_V1 : HEADER_V2);
    size_t len = mf_msg_pack(info, msg, payload);
    if (from->version == 1) {
        len = info->len_min; /* no extensions, and never shorter: version 1 does not truncate */
        write_header_v1(from, info->id, len, out);
    } else {
        len = without_trailing_zeros(payload, len);
        write_header_v2(from, info->id, len, out);
    }
    const size_t n = (size_t)(payload - out) + len;
    const uint16_t crc = checksum(out, n, info->crc_extra);
    out[n] = (uint8_t)crc;
    out[n + 1] = (uint8_t)(crc >> 8);
    return n + CHECKSUM;
}
