/* SPDX-License-Identifier: Apache-2.0 */
/* Split of a byte stream into frames and other bytes. Called by drone/quality and misbehave. */
#include "drone/framer.h"

#include <string.h>

void mf_framer_init(struct mf_framer *c, const struct mf_framer_ops *ops, void *ctx)
{
    c->ops = ops;
    c->ctx = ctx;
    c->gap_us = MF_NEVER;
    memset(&c->parser, 0, sizeof c->parser);
    c->parser.keep_unknown = true;
}

/* Cut all frames that the parser finds in its bytes. Bytes that it skips lie before the frame that
 * it finds. */
static void cut_frames(struct mf_framer *c)
{
    struct mf_parser *p = &c->parser;
    struct mf_frame frame;
    for (bool found = true; found;) {
        const size_t from = p->head;
        found = mf_parser_next(p, &frame);
        const size_t to = found ? (size_t)(frame.raw - p->buf) : p->head;
        if (to > from) {
            c->ops->stray(c->ctx, &p->buf[from], to - from);
        }
        if (found) {
            c->ops->frame(c->ctx, &frame);
        }
    }
}

void mf_framer_give_up(struct mf_framer *c)
{
    struct mf_parser *p = &c->parser;
    struct mf_frame frame;
    while (mf_parser_pending(p)) {
        const size_t from = p->head;
        if (mf_parser_last(p, &frame)) {
            c->ops->frame(c->ctx, &frame);
        } else {
            mf_parser_flush(p);
            if (p->head > from) {
                c->ops->stray(c->ctx, &p->buf[from], p->head - from);
            }
        }
        cut_frames(c);
    }
    c->gap_us = MF_NEVER;
}

static void cut(struct mf_framer *c, const uint8_t *bytes, size_t n, mf_us_t now_us)
{
    for (size_t at = 0; at < n;) {
        at += mf_parser_feed(&c->parser, bytes + at, n - at);
        cut_frames(c);
    }
    c->gap_us = mf_parser_pending(&c->parser) ? now_us + mf_parser_wait_us(&c->parser) : MF_NEVER;
}

int mf_framer_take(struct mf_framer *c, const struct mf_serial *serial, size_t most, mf_us_t now_us)
{
    uint8_t bytes[MF_FRAMER_TAKE_CHUNK];
    for (size_t total = 0; total < most; total += sizeof bytes) {
        const int n = mf_serial_read(serial, bytes, sizeof bytes);
        if (n > 0) {
            cut(c, bytes, (size_t)n, now_us);
        }
        if (n < (int)sizeof bytes && serial->datagram) {
            mf_framer_give_up(c);
        }
        if (n <= 0) {
            return n;
        }
    }
    return 0;
}
