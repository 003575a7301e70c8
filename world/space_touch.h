/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which balls touch each other within a step, over a grid of cells that nobody crosses in it. All
 * move straight on, so the instant of a contact is the root of a quadratic.
 */
#ifndef MF_WORLD_SPACE_TOUCH_H
#define MF_WORLD_SPACE_TOUCH_H

#include "world/buckets.h"
#include "world/space.h"

/** The caller gives memory; fields are private. */
struct mf_touch {
    const struct mf_ball *ball; /**< [count] */
    uint32_t count;
    struct mf_buckets by_cell;
    double cell_m;
    double until_s;
};

/** @brief Memory for so many balls [bytes]. */
size_t mf_touch_bytes(uint32_t count);

/** @brief @param bytes  [mf_touch_bytes()], aligned for a uint32_t */
void mf_touch_init(struct mf_touch *t, uint32_t count, void *bytes);

/** @brief A step begins. @param ball  [count], as they are now; they stay until it is over
 *  @param until_us  how long they move as they do. O(count) */
void mf_touch_sort(struct mf_touch *t, const struct mf_ball *ball, mf_us_t until_us);

typedef void mf_touch_take(void *ctx, const struct mf_contact *contact);

/** @brief Those with a higher number that ball @p i touches within the step, and did not at its
 * beginning; in the order of cells. Any thread. */
void mf_touch_look(const struct mf_touch *t, uint32_t i, mf_touch_take *take, void *ctx);

#endif
