/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contacts of balls with each other within a step, over a grid of cells so large that a ball cannot
 * cross one in a step. All move straight on, so the instant of a contact is the root of a
 * quadratic.
 */
#ifndef MF_WORLD_SPACE_TOUCH_H
#define MF_WORLD_SPACE_TOUCH_H

#include "world/buckets.h"
#include "world/space.h"

/** The caller supplies the memory; its fields are private. */
struct mf_touch {
    const struct mf_ball *ball; /**< [count] */
    uint32_t count;
    struct mf_buckets by_cell;
    double cell_m;
    double until_s;
    bool overlaps; /**< set by the caller: balls that overlap and approach touch, too, at once */
};

/** @brief Memory for a number of balls [bytes]. */
size_t mf_touch_bytes(uint32_t count);

/** @brief Begin before the first step. @param bytes  [mf_touch_bytes()], aligned for a uint32_t */
void mf_touch_init(struct mf_touch *t, uint32_t count, void *bytes);

/** @brief Begin a step. @param ball  [count], present states; must stay unchanged until the step is
 * over
 * @param until_us  time for which they move straight on. O(count) */
void mf_touch_sort(struct mf_touch *t, const struct mf_ball *ball, mf_us_t until_us);

typedef void mf_touch_take(void *ctx, const struct mf_contact *contact);

/** @brief Call @p take for the balls with a higher number that ball @p i touches within the step or
 * at its end, to MF_SPACE_TOUCH_M, and did not at its beginning; in the order of cells. Any thread.
 */
void mf_touch_look(const struct mf_touch *t, uint32_t i, mf_touch_take *take, void *ctx);

#endif
