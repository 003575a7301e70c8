/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/tlog.h"

#include "mavlink/frame.h"

#include <string.h>

struct tlog {
    FILE *out;
    int64_t frames;
    bool failed;
    struct mf_parser parser; /* of what came in: its pieces are cut anywhere */
};

static void put_frame(struct tlog *t, const struct replay_source *s, const uint8_t *frame, size_t n)
{
    uint8_t stamp[8];
    const uint64_t utc_us = (uint64_t)s->epoch_utc_us + (uint64_t)s->vehicle_us;
    for (size_t i = 0; i < sizeof stamp; i++) {
        stamp[i] = (uint8_t)(utc_us >> (56 - 8 * i));
    }
    t->failed = t->failed || fwrite(stamp, 1, sizeof stamp, t->out) != sizeof stamp ||
                fwrite(frame, 1, n, t->out) != n;
    t->frames++;
}

static void put_input(struct tlog *t, const struct replay_source *s)
{
    struct mf_frame frame;
    for (size_t at = 0; at < s->record.n;) {
        at += mf_parser_feed(&t->parser, s->record.bytes + at, s->record.n - at);
        while (mf_parser_next(&t->parser, &frame)) {
            put_frame(t, s, frame.raw, frame.raw_len);
        }
    }
}

int64_t replay_tlog(struct replay_source *source, uint16_t link, FILE *out)
{
    struct tlog t = {.out = out};
    while (replay_next(source) && !t.failed) {
        const struct mf_record *r = &source->record;
        if (r->link != link) {
            continue;
        }
        if (r->type == MF_RECORD_OPEN) {
            memset(&t.parser, 0, sizeof t.parser);
        } else if (r->type == MF_RECORD_OUT || r->type == MF_RECORD_MESSAGE) {
            put_frame(&t, source, r->bytes, r->n);
        } else if (r->type == MF_RECORD_IN) {
            put_input(&t, source);
        }
    }
    return t.failed || fflush(out) != 0 ? -1 : t.frames;
}
