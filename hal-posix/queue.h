/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Queue of data for one peer: whole frames, in order, in memory of the caller's.
 *
 * Linear, not a ring: it starts again at its first byte whenever it is empty, so that a peer that
 * keeps up uses one page of it, and all data can leave in one call. For datagrams it keeps the
 * places between frames at which it may cut.
 */
#ifndef MF_HAL_POSIX_QUEUE_H
#define MF_HAL_POSIX_QUEUE_H

#include "hal/types.h"

/** Capacity of one peer's queue [bytes]: 20 s of telemetry at the default rates. */
#define MF_QUEUE_BYTES 65536u
/** Frames are joined into datagrams of at most this size; a longer frame gets its own [bytes]. */
#define MF_DATAGRAM_BYTES 1400u
/** Most cuts of a queue. At least slightly more than one of two neighbouring datagrams is full, so
 * twice as many fit as full ones, and a few more. */
#define MF_QUEUE_CUTS_MAX (2u * MF_QUEUE_BYTES / MF_DATAGRAM_BYTES + 3u)

struct mf_queue {
    uint8_t *bytes;      /**< [capacity], owned by the caller */
    uint32_t capacity;   /**< at most MF_QUEUE_BYTES */
    uint32_t head, tail; /**< queued bytes: [head, tail) */
    bool datagrams;      /**< leaves in datagrams cut between frames */
    uint16_t cut_count;
    uint32_t cut[MF_QUEUE_CUTS_MAX]; /**< ends of datagrams, ascending; the last is the tail */
};

/** @brief Begin empty. @param bytes  [capacity]; untouched here; NULL: the caller sets q->bytes
 * before each put into an empty queue
 * @param capacity  at most MF_QUEUE_BYTES */
void mf_queue_init(struct mf_queue *q, uint8_t *bytes, uint32_t capacity, bool datagrams);

/** @brief Append one frame, all or nothing. @return false: not enough room */
bool mf_queue_put(struct mf_queue *q, const uint8_t *frame, size_t n);

/** @brief Free room [bytes]. */
size_t mf_queue_room(const struct mf_queue *q);

/** @brief Next data to send: one datagram, or all queued bytes.
 * @return its length, 0: the queue is empty */
size_t mf_queue_next(const struct mf_queue *q, const uint8_t **bytes);

/** @brief Remove the first @p n bytes after sending; for datagrams always a whole one. */
void mf_queue_took(struct mf_queue *q, size_t n);

/** @brief Number of queued bytes. */
static inline size_t mf_queue_used(const struct mf_queue *q)
{
    return q->tail - q->head;
}

static inline bool mf_queue_empty(const struct mf_queue *q)
{
    return q->head == q->tail;
}

#endif
