/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What waits to be sent to one peer: whole frames, in order, in memory of the caller's.
 *
 * Linear, not a ring: it starts again at its first byte whenever it is empty, so that a peer that
 * keeps up touches one page of it, and everything can leave in one call. For datagrams it remembers
 * where frames may be parted.
 */
#ifndef MF_HAL_POSIX_QUEUE_H
#define MF_HAL_POSIX_QUEUE_H

#include "hal/types.h"

/** Capacity of one peer's queue [bytes]: 20 s of telemetry at the default rates. */
#define MF_QUEUE_BYTES 65536u
/** Frames are put together into datagrams of at most this size; a longer frame gets its own
 *  [bytes]. */
#define MF_DATAGRAM_BYTES 1400u
/** Of two neighbouring datagrams at least one and a bit are full, so twice as many fit as full
 *  ones, and then some. */
#define MF_QUEUE_CUTS_MAX (2u * MF_QUEUE_BYTES / MF_DATAGRAM_BYTES + 3u)

struct mf_queue {
    uint8_t *bytes;      /**< [capacity], the caller's */
    uint32_t capacity;   /**< at most MF_QUEUE_BYTES */
    uint32_t head, tail; /**< waiting: [head, tail) */
    bool datagrams;      /**< goes out in datagrams cut between frames */
    uint16_t cut_count;
    uint32_t cut[MF_QUEUE_CUTS_MAX]; /**< where datagrams end, ascending; the last is the tail */
};

/** @brief An empty queue. @param bytes  [capacity]; not touched here; NULL: q->bytes is set before
 *  something is put, and may be another whenever it is empty
 *  @param capacity  at most MF_QUEUE_BYTES */
void mf_queue_init(struct mf_queue *q, uint8_t *bytes, uint32_t capacity, bool datagrams);

/** @brief Append one frame, all or nothing. @return false if there is no room */
bool mf_queue_put(struct mf_queue *q, const uint8_t *frame, size_t n);

/** @brief Bytes that fit now. */
size_t mf_queue_room(const struct mf_queue *q);

/** @brief What goes next: one datagram, or all that waits.
 *  @return its length, 0 if nothing waits */
size_t mf_queue_next(const struct mf_queue *q, const uint8_t **bytes);

/** @brief The first @p n bytes are gone; of datagrams always a whole one. */
void mf_queue_took(struct mf_queue *q, size_t n);

/** @brief Bytes that wait. */
static inline size_t mf_queue_used(const struct mf_queue *q)
{
    return q->tail - q->head;
}

static inline bool mf_queue_empty(const struct mf_queue *q)
{
    return q->head == q->tail;
}

#endif
