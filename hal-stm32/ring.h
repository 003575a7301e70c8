/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Bytes between one writer and one reader, of which one is an interrupt: neither waits for the
 * other, and no interrupt is masked.
 */
#ifndef MF_HAL_STM32_RING_H
#define MF_HAL_STM32_RING_H

#include "hal/types.h"

#include <stdatomic.h>

struct mf_ring {
    uint8_t *bytes;        /**< [size], the caller's */
    uint32_t size;         /**< holds one byte less */
    _Atomic uint32_t head; /**< next to read; only the reader writes it */
    _Atomic uint32_t tail; /**< next to write; only the writer writes it */
};

/** @brief An empty ring. @param size  at least 2; size - 1 bytes fit */
void mf_ring_init(struct mf_ring *ring, uint8_t *bytes, uint32_t size);

/** @brief Bytes that wait. */
uint32_t mf_ring_used(const struct mf_ring *ring);

/** @brief Bytes that fit now. */
uint32_t mf_ring_room(const struct mf_ring *ring);

/** @brief Append all of @p n bytes, or none; called by the writer. @return false: the ring lacks
 * room */
bool mf_ring_put(struct mf_ring *ring, const uint8_t *bytes, uint32_t n);

/** @brief The reader takes up to @p cap bytes. @return how many */
uint32_t mf_ring_get(struct mf_ring *ring, uint8_t *bytes, uint32_t cap);

#endif
