/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes parser and codec. The first four bytes of an input choose how the rest is cut when it is
 * fed; what must hold for any stream is checked, and abort() called if it does not.
 *
 *     clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz_parser.c mavlink/frame.c \
 *         mavlink/message.c -o fuzz_parser && ./fuzz_parser tests/fuzz/corpus/parser
 */
#include <stdlib.h>
#include <string.h>

#include "mavlink/frame.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/support/scan.h"

/* What came out of a stream: enough to tell two runs apart. */
struct outcome {
    size_t frames;
    size_t bytes; /* of all frames */
    uint16_t crc; /* over all frames */
};

static void check_frame(const struct mf_parser *p, const struct mf_frame *frame)
{
    check(frame->info != NULL && mf_msg_find(frame->info->id) == frame->info);
    check(frame->raw >= p->buf && frame->raw + frame->raw_len <= p->buf + sizeof p->buf);
    const size_t header = frame->version == 1 ? 6 : 10;
    const size_t signature = (frame->incompat & MF_INCOMPAT_SIGNED) != 0 ? 13 : 0;
    check(frame->raw[0] == (frame->version == 1 ? MF_STX_V1 : MF_STX_V2));
    check(frame->payload == frame->raw + header);
    check(frame->raw_len == header + frame->len + 2 + signature);
}

/* What was read is written again, must be found by a parser, and mean the same. */
static void check_repack(const struct mf_frame *frame, uint8_t version)
{
    union mf_msg msg, again;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
    const struct mf_sender from = {version, frame->seq, frame->sysid, frame->compid};
    uint8_t raw[MF_FRAME_MAX];
    const size_t n = mf_frame_encode(&from, frame->info, &msg, raw);
    check((n == 0) == (version == 1 && frame->info->id > 255));
    if (n == 0) {
        return;
    }
    struct mf_parser parser = {.len = 0};
    struct mf_frame found;
    check(mf_parser_feed(&parser, raw, n) == n);
    check(mf_parser_next(&parser, &found) && !mf_parser_pending(&parser));
    check(found.info == frame->info && found.version == version && found.raw_len == n);
    check(found.seq == frame->seq && found.sysid == frame->sysid && found.compid == frame->compid);

    uint8_t payload[MF_PAYLOAD_MAX], payload_again[MF_PAYLOAD_MAX];
    mf_msg_unpack(found.info, found.payload, found.len, &again);
    mf_msg_pack(frame->info, &msg, payload);
    mf_msg_pack(frame->info, &again, payload_again);
    const size_t carried = version == 1 ? frame->info->len_min : frame->info->len_max;
    check(memcmp(payload, payload_again, carried) == 0);
}

static void take_frames(struct mf_parser *p, struct outcome *outcome)
{
    struct mf_frame frame;
    while (mf_parser_next(p, &frame)) {
        check_frame(p, &frame);
        outcome->frames++;
        outcome->bytes += frame.raw_len;
        outcome->crc = mf_crc16(outcome->crc, frame.raw, frame.raw_len);
        check_repack(&frame, 1);
        check_repack(&frame, 2);
    }
}

static void feed(struct mf_parser *p, struct outcome *outcome, const uint8_t *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        const size_t taken = mf_parser_feed(p, bytes + done, n - done);
        check(taken > 0 && taken <= n - done);
        done += taken;
        take_frames(p, outcome);
    }
}

static void feed_in_pieces(struct mf_parser *p, struct outcome *outcome, uint32_t seed,
                           const uint8_t *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        seed = seed * 1664525u + 1013904223u;
        const size_t wanted = 1 + (seed >> 24);
        const size_t piece = wanted < n - done ? wanted : n - done;
        feed(p, outcome, bytes + done, piece);
        done += piece;
    }
}

static void flush(struct mf_parser *p, struct outcome *outcome)
{
    while (mf_parser_pending(p)) {
        const uint16_t len = p->len, searched = p->searched;
        mf_parser_flush(p);
        take_frames(p, outcome);
        check(p->len < len || p->searched > searched);
    }
}

/* The known frames of a whole stream are those that are found without any thought of
 * unknown ones. */
static void check_scan(const struct outcome *outcome, const uint8_t *stream, size_t n)
{
    struct outcome expected = {0, 0, 0xFFFF};
    size_t whole;
    for (size_t at = 0; (whole = scan_next(stream, n, &at)) > 0; at += whole) {
        expected.bytes += whole;
        expected.crc = mf_crc16(expected.crc, stream + at, whole);
    }
    check(outcome->bytes == expected.bytes && outcome->crc == expected.crc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) {
        return 0;
    }
    const uint32_t seed =
        data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
    const uint8_t *stream = data + 4;
    const size_t n = size - 4;
    struct mf_parser whole = {.len = 0}, cut = {.len = 0};
    struct outcome of_whole = {0, 0, 0xFFFF}, of_cut = {0, 0, 0xFFFF};
    feed(&whole, &of_whole, stream, n);
    feed_in_pieces(&cut, &of_cut, seed, stream, n);
    check(of_whole.bytes == of_cut.bytes && of_whole.crc == of_cut.crc);
    check(memcmp(&whole.stats, &cut.stats, sizeof whole.stats) == 0);

    /* Kept unknown frames are the ones that were counted, and nothing else changes. */
    struct mf_parser keeping = {.keep_unknown = true};
    struct mf_frame frame;
    size_t unknown = 0, known = 0;
    for (size_t at = 0; at < n;) {
        at += mf_parser_feed(&keeping, stream + at, n - at);
        while (mf_parser_next(&keeping, &frame)) {
            unknown += frame.info == NULL;
            known += frame.info != NULL;
        }
    }
    check(memcmp(&whole.stats, &keeping.stats, sizeof whole.stats) == 0);
    check(unknown == keeping.stats.unknown && known == of_whole.frames);

    flush(&whole, &of_whole);
    check_scan(&of_whole, stream, n);
    const size_t seen = of_whole.bytes + whole.stats.skipped;
    check(whole.stats.unknown == 0 ? seen == n : seen < n);
    return 0;
}
