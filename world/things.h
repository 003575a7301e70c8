/* SPDX-License-Identifier: Apache-2.0 */
/** Things in cells: chargers with a queue, and things that go to and fro with an attribute. */
#ifndef MF_WORLD_THINGS_H
#define MF_WORLD_THINGS_H

#include "world/field.h"

/** Who waits at one charger, beside who charges. */
#define MF_CHARGER_QUEUE_MAX 32u

/** Users have numbers from 1. */
struct mf_charger {
    uint32_t cell;
    int64_t rate_uah; /**< a tick */
    uint32_t queued;
    uint32_t user[MF_CHARGER_QUEUE_MAX]; /**< the first one charges */
};

/** @brief Stand in the queue, once. @return false: it is full */
bool mf_charger_enter(struct mf_charger *c, uint32_t user);

/** @brief Leave the queue, wherever one stands; nothing if one does not. */
void mf_charger_leave(struct mf_charger *c, uint32_t user);

/** @brief Is it one's turn? */
bool mf_charger_is_first(const struct mf_charger *c, uint32_t user);

/** The charger to go to: one that is free before one that is not, then the nearest, then the first.
 *  @param cost  [cells] moves from each cell to the user, -1: no way
 *  @return its number; count: no way leads to any, or all queues are full */
uint32_t mf_charger_choose(const struct mf_charger *all, uint32_t count, const int32_t *cost);

/** Something that goes from one cell to another and back, along x, then y, then z. */
struct mf_thing {
    uint32_t cell;
    uint32_t from, to;
    uint32_t every; /**< ticks for a move; 0: it stays */
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value; /**< of the attribute that it has, and takes along */
};

/** @brief Its attribute appears in its cell. @return as mf_field_put() */
int mf_thing_place(struct mf_thing *t, struct mf_field_map *f);

/** @brief A tick. It waits before a cell that is blocked or has that attribute already. */
void mf_thing_tick(struct mf_thing *t, struct mf_field_map *f, uint64_t tick);

/** @brief The neighbour of @p from on the straight way to @p to. @return @p from: it is there */
uint32_t mf_thing_next(const struct mf_field_map *f, uint32_t from, uint32_t to);

#endif
