/* SPDX-License-Identifier: Apache-2.0 */
/* The MAVLink parser, from any bytes in any pieces. By induction: whatever a parser holds, as long
 * as its unread bytes lie in its buffer, no step has undefined behaviour or fails an assertion, and
 * they still lie there behind it. prove_checksum() and prove_frame() show what identify() promises;
 * with that prove_places() shows what identify_behind() and consume() promise at every place in the
 * buffer, and with that prove_steps() shows the steps. That mf_parser_next() is a repetition of
 * such steps Eva follows for parsers that hold little; for the rest it is to be read in its loop.
 * Eva does not check what a contract says about assigned variables. */
#include "mavlink/frame.c"

#include "tests/prove/any.h"

void prove_checksum(void);
void prove_frame(void);
void prove_frame_some(void);
void prove_feed(void);
void prove_feed_some(void);
void prove_steps(void);
void prove_places(void);
void prove_calls(void);

static struct mf_parser parser;
static struct mf_frame found;
static struct mf_msg_info known;
static const struct mf_msg_info *const message = &known;
static uint8_t arrived[MF_PARSER_BYTES + 1];

/* Return any message or none. That the table is searched without fault and that a
 * message unpacks from any payload are proofs of their own (names, message, message_ends). */
const struct mf_msg_info *mf_msg_find(uint32_t id)
{
    (void)id;
    return either() ? message : NULL;
}

/* clang-format off */
#ifndef FRAMES_FIT /* the proof of places needs nothing of it, and is faster then */
#define FRAMES_FIT NO_START <= \result <= INCOMPLETE || \result == BAD_CRC || \
      \result == GOOD && frame->info == &known && \initialized(&frame->raw_len) && \
          8 <= frame->raw_len <= MF_FRAME_MAX && (size_t)frame->raw_len <= n || \
      \result == UNKNOWN && frame->info == \null && \initialized(&frame->raw_len) && \
          8 <= frame->raw_len <= MF_FRAME_MAX
#endif
/*@ requires there: n >= 1 && \valid_read(raw + (0 .. n - 1)) && \initialized(raw + (0 .. n - 1));
  @ requires inside: raw == &arrived[MF_PARSER_BYTES + 1 - n] || raw - &parser.buf[0] + n <= MF_PARSER_BYTES;
  @ requires room: \valid(frame);
  @ assigns frame->info \from message;
  @ assigns frame->raw, frame->payload \from raw;
  @ assigns frame->raw_len, frame->len, frame->version, frame->incompat, frame->seq, frame->sysid,
      frame->compid, \result \from raw[0 .. n - 1], indirect:n, indirect:raw;
  @ ensures frames_fit: FRAMES_FIT; */
static enum finding identify(const uint8_t *raw, size_t n, struct mf_frame *frame);

/*@ requires there: n >= 1 && \valid_read(frame + (0 .. n - 1)) && \initialized(frame + (1 .. n - 1));
  @ assigns \result \from frame[1 .. n - 1], crc_extra; */
static uint16_t checksum(const uint8_t *frame, size_t n, uint8_t crc_extra);

/*@ requires there: n < p->len && p->head + p->len <= MF_PARSER_BYTES;
  @ requires room: \valid_read(p) && \valid(frame);
  @ assigns *frame, \result \from *p, n, message; */
static enum finding identify_behind(const struct mf_parser *p, size_t n, struct mf_frame *frame);

/*@ requires there: n <= p->len && p->head + p->len <= MF_PARSER_BYTES;
  @ requires room: \valid(p);
  @ assigns p->head, p->len, p->searched \from p->head, p->len, p->searched, n;
  @ ensures fits: p->head + p->len <= MF_PARSER_BYTES; */
static void consume(struct mf_parser *p, size_t n);
/* clang-format on */

/* A frame is handed out if raw_len of it are there: it, and its payload, can be read. */
static void must_be_whole(size_t n)
{
    must_hold(found.raw_len <= n);
    must_be_readable(found.raw, found.raw_len);
    must_be_readable(found.payload, found.len);
}

/* Read a frame from bytes behind which nothing may be read; their place does not matter. */
static void identify_any(size_t n)
{
    const uint8_t *raw = &arrived[sizeof arrived - n];
    any_bytes(arrived, sizeof arrived);
    any_bytes(&known, sizeof known);
    if (n >= HEADER_V1 && read_header_v1(raw, n, &found)) {
        must_be_whole(n);
    }
    if (n >= HEADER_V2 && read_header_v2(raw, n, &found)) {
        must_be_whole(n);
    }
    (void)identify(raw, n, &found);
}

/* Every number of bytes of which a frame has a checksum; behind them nothing may be read. */
void prove_checksum(void)
{
    any_bytes(arrived, sizeof arrived);
    //@ loop unroll 1000;
    for (size_t n = HEADER_V1; n <= HEADER_V2 + MF_PAYLOAD_MAX; n++) {
        (void)checksum(&arrived[sizeof arrived - n], n, (uint8_t)any(0, UINT8_MAX));
    }
}

/* Any number of bytes. */
void prove_frame(void)
{
    //@ loop unroll 1000;
    for (size_t n = 1 + PART; n <= MF_PARSER_BYTES; n += PARTS) {
        identify_any(n);
    }
}

/* The lengths at which the program decides, and some between. */
void prove_frame_some(void)
{
    const size_t some[] = {1, 2, 3, 5, 6, 9, 10, 12, 24, 25, 140, MF_FRAME_MAX, MF_PARSER_BYTES};
    //@ loop unroll 100;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        identify_any(some[i]);
    }
}

static void any_parser(size_t len)
{
    any_bytes(&parser, sizeof parser);
    parser.head = (uint16_t)any_size(0, MF_PARSER_BYTES - len);
    parser.len = (uint16_t)len;
    parser.whole = either();
    parser.keep_unknown = either();
}

/* Feed any number of bytes behind which nothing may be read. */
static void feed_any(size_t len)
{
    size_t taken;
    any_parser(len);
    const size_t n = any_size(0, MF_PARSER_BYTES - len + 1);
    //@ split n;
    taken = mf_parser_feed(&parser, &arrived[sizeof arrived - n], n);
    must_hold(taken <= n && (taken > 0 || n == 0 || len == MF_PARSER_BYTES));
    must_hold(parser.head + parser.len <= MF_PARSER_BYTES && parser.len == len + taken);
}

void prove_feed(void)
{
    //@ loop unroll 1000;
    for (size_t len = PART; len <= MF_PARSER_BYTES; len += PARTS) {
        feed_any(len);
    }
}

void prove_feed_some(void)
{
    const size_t some[] = {0, 1, MF_FRAME_MAX, MF_PARSER_BYTES - 1, MF_PARSER_BYTES};
    //@ loop unroll 100;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        feed_any(some[i]);
    }
}

/* Every number of unread bytes, anywhere in the buffer, and every place and length in them. */
void prove_places(void)
{
    //@ loop unroll 1000;
    for (size_t len = 1 + PART; len <= MF_PARSER_BYTES; len += PARTS) {
        any_parser(len);
        (void)identify_behind(&parser, any_size(0, len - 1), &found);
        consume(&parser, any_size(0, len));
    }
}

/* Take one step of mf_parser_next(), or call one of the others. */
static void step_any(size_t len)
{
    struct mf_frame next;
    any_parser(len);
    if (either()) {
        (void)mf_parser_last(&parser, &next);
    } else if (either()) {
        mf_parser_flush(&parser);
    } else if (len > 0) {
        const enum finding finding = examine(&parser, &next);
        if (finding == GOOD || finding == UNKNOWN) {
            consume(&parser, next.raw_len);
        } else if (finding != UNKNOWN_LAST && finding != INCOMPLETE && finding != HIDES_BEGUN) {
            skip_byte(&parser);
        }
    }
}

/* Any parser. */
void prove_steps(void)
{
    any_bytes(&known, sizeof known);
    //@ loop unroll 1000;
    for (size_t len = 0; len <= MF_PARSER_BYTES; len++) {
        step_any(len);
    }
}

/* Parsers that hold little, anywhere in their buffers: every step that follows, too. */
void prove_calls(void)
{
    struct mf_frame next;
    const size_t len = any_size(0, 14);
    any_bytes(&known, sizeof known);
    //@ split len;
    any_parser(len);
    (void)mf_parser_next(&parser, &next);
}
