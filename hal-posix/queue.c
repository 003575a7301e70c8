/* SPDX-License-Identifier: Apache-2.0 */
/* Queue of bytes that a peer has not accepted yet, for net_peer.c; for UDP it keeps the bounds of
 * datagrams. */
#include "hal-posix/queue.h"

#include <string.h>

void mf_queue_init(struct mf_queue *q, uint8_t *bytes, uint32_t capacity, bool datagrams)
{
    MF_ASSERT(capacity <= MF_QUEUE_BYTES);
    q->bytes = bytes;
    q->capacity = capacity;
    q->datagrams = datagrams;
    q->head = q->tail = 0;
    q->cut_count = 0;
}

/* True if moving the content to the front frees at least a quarter of the memory, and so is worth
 * its time. */
static bool may_compact(const struct mf_queue *q)
{
    return q->head >= q->capacity / 4u;
}

static void compact(struct mf_queue *q)
{
    memmove(q->bytes, q->bytes + q->head, q->tail - q->head);
    for (size_t i = 0; i < q->cut_count; i++) {
        q->cut[i] -= q->head;
    }
    q->tail -= q->head;
    q->head = 0;
}

size_t mf_queue_room(const struct mf_queue *q)
{
    return q->capacity - q->tail + (may_compact(q) ? q->head : 0u);
}

/* Record the end of a frame: it extends the last datagram if it fits, or begins a new one. */
static void extend_cuts(struct mf_queue *q, uint32_t end)
{
    const uint32_t begin = q->cut_count > 1 ? q->cut[q->cut_count - 2] : q->head;
    if (q->cut_count > 0 && end - begin <= MF_DATAGRAM_BYTES) {
        q->cut[q->cut_count - 1] = end;
        return;
    }
    MF_ASSERT(q->cut_count < MF_QUEUE_CUTS_MAX);
    q->cut[q->cut_count++] = end;
}

bool mf_queue_put(struct mf_queue *q, const uint8_t *frame, size_t n)
{
    if (n == 0 || n > mf_queue_room(q)) {
        return false;
    }
    if (n > q->capacity - q->tail) {
        compact(q);
    }
    MF_ASSERT(q->bytes != NULL);
    memcpy(q->bytes + q->tail, frame, n);
    if (q->datagrams) {
        extend_cuts(q, q->tail + (uint32_t)n);
    }
    q->tail += (uint32_t)n;
    return true;
}

size_t mf_queue_next(const struct mf_queue *q, const uint8_t **bytes)
{
    if (mf_queue_empty(q)) {
        return 0;
    }
    *bytes = q->bytes + q->head;
    return (q->datagrams ? q->cut[0] : q->tail) - q->head;
}

void mf_queue_took(struct mf_queue *q, size_t n)
{
    MF_ASSERT(n <= q->tail - q->head);
    q->head += (uint32_t)n;
    if (q->datagrams && n > 0) {
        MF_ASSERT(q->cut_count > 0 && q->cut[0] == q->head);
        q->cut_count--;
        memmove(&q->cut[0], &q->cut[1], q->cut_count * sizeof q->cut[0]);
    }
    if (mf_queue_empty(q)) {
        q->head = q->tail = 0;
        MF_ASSERT(q->cut_count == 0);
    }
}
