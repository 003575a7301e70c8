/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Counting sort of numbers into buckets, which keeps their order within a bucket: the basis of
 * grids of neighbours. mf_buckets_begin(); mf_buckets_count() for each number; mf_buckets_lay();
 * mf_buckets_put() for each, in order; mf_buckets_end(). The caller maps cells to buckets.
 */
#ifndef MF_WORLD_BUCKETS_H
#define MF_WORLD_BUCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The caller supplies the memory. */
struct mf_buckets {
    uint32_t *order;  /**< [capacity] numbers by bucket */
    uint32_t *begin;  /**< [buckets + 1] index in order of each bucket's first number */
    uint32_t buckets; /**< power of two */
};

/** @brief Number of buckets for a number of items: at least as many, and 16. */
static inline uint32_t mf_buckets_for(uint32_t capacity)
{
    uint32_t buckets = 16;
    while (buckets < capacity) {
        buckets *= 2u;
    }
    return buckets;
}

/** @brief Memory that mf_buckets() needs, aligned for a uint32_t [bytes]. */
static inline size_t mf_buckets_bytes(uint32_t capacity)
{
    return ((size_t)capacity + mf_buckets_for(capacity) + 1u) * sizeof(uint32_t);
}

static inline struct mf_buckets mf_buckets(uint32_t capacity, void *bytes)
{
    uint32_t *order = bytes;
    return (struct mf_buckets){order, order + capacity, mf_buckets_for(capacity)};
}

/** @brief Cell of a place along an axis: the whole number below. @param cell_m  > 0; the quotient
 * fits into 31 bits */
static inline int32_t mf_cell_along(double along_m, double cell_m)
{
    const double cells = along_m / cell_m;
    const int32_t whole = (int32_t)cells;
    return cells < (double)whole ? whole - 1 : whole;
}

static inline void mf_buckets_begin(struct mf_buckets *b)
{
    memset(b->begin, 0, (b->buckets + 1u) * sizeof b->begin[0]);
}

static inline void mf_buckets_count(struct mf_buckets *b, uint32_t bucket)
{
    b->begin[bucket + 1u]++;
}

static inline void mf_buckets_lay(struct mf_buckets *b)
{
    for (uint32_t k = 0; k < b->buckets; k++) {
        b->begin[k + 1u] += b->begin[k];
    }
}

static inline void mf_buckets_put(struct mf_buckets *b, uint32_t bucket, uint32_t number)
{
    b->order[b->begin[bucket]++] = number;
}

/* Each bucket's begin is now at its end, where the next one begins: move them by one. */
static inline void mf_buckets_end(struct mf_buckets *b)
{
    memmove(b->begin + 1, b->begin, b->buckets * sizeof b->begin[0]);
    b->begin[0] = 0;
}

#endif
