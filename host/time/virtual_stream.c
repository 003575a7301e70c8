/* SPDX-License-Identifier: Apache-2.0 */
/* Codes events of streams and keeps their bytes; boards/swarm/radio/streams.c calls it. */
#include "host/time/virtual_stream.h"

#include "hal/assert.h"

#include <stdlib.h>
#include <string.h>

/* The analyzer loses track of pieces of a list; mf_stream_bytes_free() frees them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

size_t mf_stream_write(const struct mf_stream_event *e, uint8_t *to)
{
    to[0] = (uint8_t)e->kind;
    to[1] = e->why;
    to[2] = (uint8_t)e->port;
    to[3] = (uint8_t)(e->port >> 8);
    for (unsigned k = 0; k < 4; k++) {
        to[4 + k] = (uint8_t)(e->number >> (8 * k));
    }
    if (e->n > 0) {
        memcpy(to + MF_STREAM_HEAD, e->bytes, e->n);
    }
    return MF_STREAM_HEAD + e->n;
}

bool mf_stream_read(const uint8_t *bytes, size_t n, struct mf_stream_event *e)
{
    if (n < MF_STREAM_HEAD || bytes[0] < MF_STREAM_OPEN || bytes[0] > MF_STREAM_RESET) {
        return false;
    }
    *e = (struct mf_stream_event){.kind = (enum mf_stream_kind)bytes[0],
                                  .why = bytes[1],
                                  .port = (uint16_t)(bytes[2] | bytes[3] << 8),
                                  .bytes = bytes + MF_STREAM_HEAD,
                                  .n = n - MF_STREAM_HEAD};
    for (unsigned k = 0; k < 4; k++) {
        e->number |= (uint32_t)bytes[4 + k] << (8 * k);
    }
    return true;
}

struct mf_stream_piece {
    struct mf_stream_piece *next;
    size_t n, at; /* bytes, and how many of them are gone */
    uint8_t bytes[];
};

bool mf_stream_bytes_put(struct mf_stream_bytes *b, const uint8_t *bytes, size_t n)
{
    struct mf_stream_piece *p = n > 0 ? malloc(sizeof *p + n) : NULL;
    if (p == NULL) {
        return n == 0;
    }
    *p = (struct mf_stream_piece){.n = n};
    memcpy(p->bytes, bytes, n);
    if (b->last != NULL) {
        b->last->next = p;
    } else {
        b->first = p;
    }
    b->last = p;
    return true;
}

const uint8_t *mf_stream_bytes_next(const struct mf_stream_bytes *b, size_t *n)
{
    const struct mf_stream_piece *p = b->first;
    *n = p != NULL ? p->n - p->at : 0;
    return p != NULL ? p->bytes + p->at : NULL;
}

void mf_stream_bytes_took(struct mf_stream_bytes *b, size_t n)
{
    MF_ASSERT(b->first != NULL);
    struct mf_stream_piece *p = b->first;
    MF_ASSERT(n <= p->n - p->at);
    p->at += n;
    if (p->at == p->n) {
        b->first = p->next;
        b->last = b->first == NULL ? NULL : b->last;
        free(p);
    }
}

void mf_stream_bytes_free(struct mf_stream_bytes *b)
{
    while (b->first != NULL) {
        mf_stream_bytes_took(b, b->first->n - b->first->at);
    }
}
