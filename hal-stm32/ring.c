/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/ring.h"

void mf_ring_init(struct mf_ring *ring, uint8_t *bytes, uint32_t size)
{
    MF_ASSERT(bytes != NULL && size >= 2);
    ring->bytes = bytes;
    ring->size = size;
    atomic_init(&ring->head, 0u);
    atomic_init(&ring->tail, 0u);
}

uint32_t mf_ring_used(const struct mf_ring *ring)
{
    const uint32_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    const uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    return tail >= head ? tail - head : tail + ring->size - head;
}

uint32_t mf_ring_room(const struct mf_ring *ring)
{
    return ring->size - 1u - mf_ring_used(ring);
}

static uint32_t after(const struct mf_ring *ring, uint32_t index)
{
    return index + 1u < ring->size ? index + 1u : 0u;
}

bool mf_ring_put(struct mf_ring *ring, const uint8_t *bytes, uint32_t n)
{
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    MF_ASSERT(tail < ring->size);
    if (n > mf_ring_room(ring)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        ring->bytes[tail] = bytes[i];
        tail = after(ring, tail);
    }
    atomic_store_explicit(&ring->tail, tail, memory_order_release); /* the bytes stand before */
    return true;
}

uint32_t mf_ring_get(struct mf_ring *ring, uint8_t *bytes, uint32_t cap)
{
    uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    const uint32_t used = mf_ring_used(ring);
    const uint32_t n = used < cap ? used : cap;
    MF_ASSERT(head < ring->size);
    for (uint32_t i = 0; i < n; i++) {
        bytes[i] = ring->bytes[head];
        head = after(ring, head);
    }
    atomic_store_explicit(&ring->head, head, memory_order_release); /* their room is free now */
    return n;
}
