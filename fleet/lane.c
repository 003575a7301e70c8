/* SPDX-License-Identifier: Apache-2.0 */
/* Delays, loses and repeats the bytes of built-in networks; flows.c and streams.c of boards/swarm
 * call it. */
#include "fleet/lane.h"

#include "hal/assert.h"
#include "math/chance.h"

#include <stdlib.h>
#include <string.h>

/* The analyzer loses track of bytes in the table of parcels; mf_lane_run() and _free() free them.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define RETRY_US     (MF_SECOND_US / 5)
#define RETRY_MAX_US (60 * MF_SECOND_US)

/* Let a parcel leave now, and decide whether and when it arrives. */
static void attempt(struct mf_lane *l, struct mf_parcel *p, mf_us_t now_us)
{
    const size_t payload = p->n - l->head;
    const double bits_s = l->bits_per_s > 0.0 ? (double)payload * 8.0 / l->bits_per_s : 0.0;
    const mf_us_t takes_us = mf_us_of(l->delay_s + bits_s);
    const bool lucky = !(mf_chance_unit(l->key, l->tries++) < l->loss);
    p->arrives = l->reaches(l->ctx, now_us) && lucky;
    if (p->arrives) {
        p->at_us = now_us + (takes_us > 0 ? takes_us : 1);
    } else {
        p->at_us = now_us + p->retry_us;
        p->retry_us = mf_earlier(2 * p->retry_us, RETRY_MAX_US);
    }
}

/* Make room for one more parcel. @return false: no memory */
static bool make_room(struct mf_lane *l)
{
    if (l->count == l->capacity) {
        const size_t capacity = 2u * l->capacity + 16u;
        struct mf_parcel *more = realloc(l->parcel, capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        l->parcel = more;
        l->capacity = capacity;
    }
    return true;
}

static int send_parcel(struct mf_lane *l, const uint8_t *bytes, size_t n, mf_us_t now_us)
{
    struct mf_parcel p = {.retry_us = RETRY_US, .n = n};
    attempt(l, &p, now_us);
    if (!p.arrives && !l->stream) {
        return MF_E_OK;
    }
    p.bytes = make_room(l) ? malloc(n) : NULL;
    if (p.bytes == NULL) {
        return MF_E_FULL;
    }
    memcpy(p.bytes, bytes, n);
    size_t i = l->count++;
    for (; !l->stream && i > 0 && l->parcel[i - 1u].at_us > p.at_us; i--) {
        l->parcel[i] = l->parcel[i - 1u];
    }
    l->parcel[i] = p;
    return MF_E_OK;
}

int mf_lane_send(struct mf_lane *l, const uint8_t *bytes, size_t n, mf_us_t now_us)
{
    const size_t most = l->head + MF_LANE_SEGMENT_MAX;
    int result = MF_E_OK;
    MF_ASSERT(l->head == 0 || (n >= l->head && n <= most));
    for (size_t at = 0, part; at < n && result == MF_E_OK; at += part) {
        part = l->stream && n - at > most ? most : n - at;
        result = send_parcel(l, bytes + at, part, now_us);
    }
    return result;
}

mf_us_t mf_lane_next(const struct mf_lane *l)
{
    mf_us_t next_us = l->count > 0 ? l->parcel[0].at_us : MF_NEVER;
    for (size_t i = 1; l->stream && i < l->count; i++) {
        /* segments wait for those before them; only attempts are of their own time */
        next_us = l->parcel[i].arrives ? next_us : mf_earlier(next_us, l->parcel[i].at_us);
    }
    return next_us;
}

void mf_lane_run(struct mf_lane *l, mf_us_t now_us)
{
    size_t done = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct mf_parcel *p = &l->parcel[i];
        if (!p->arrives && p->at_us <= now_us) {
            attempt(l, p, now_us);
        }
    }
    while (done < l->count && l->parcel[done].arrives && l->parcel[done].at_us <= now_us) {
        l->arrived(l->ctx, l->parcel[done].bytes, l->parcel[done].n);
        free(l->parcel[done].bytes);
        done++;
    }
    l->count -= done;
    if (done > 0) {
        memmove(l->parcel, l->parcel + done, l->count * sizeof *l->parcel);
    }
}

void mf_lane_free(struct mf_lane *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->parcel[i].bytes);
    }
    free(l->parcel);
    l->parcel = NULL;
    l->count = l->capacity = 0;
}
