/* SPDX-License-Identifier: Apache-2.0 */
/** Things in cells: chargers with a queue, and things that move between two cells with an
 * attribute. */
#ifndef MF_WORLD_THINGS_H
#define MF_WORLD_THINGS_H

#include "world/field.h"

/** Maximum number of users that charge or wait at one charger. */
#define MF_CHARGER_QUEUE_MAX 32u

/** Charger. Users have numbers from 1. */
struct mf_charger {
    uint32_t cell;
    int64_t rate_uah; /**< charge per tick */
    uint32_t queued;
    uint32_t user[MF_CHARGER_QUEUE_MAX]; /**< the first one charges */
};

/** @brief Add a user to the queue, unless it is in it. @return false: the queue is full */
bool mf_charger_enter(struct mf_charger *c, uint32_t user);

/** @brief Remove a user from the queue, if it is in it. */
void mf_charger_leave(struct mf_charger *c, uint32_t user);

/** @brief True if it is the user's turn to charge. */
bool mf_charger_is_first(const struct mf_charger *c, uint32_t user);

/** Choose a charger: a free one before a busy one, then the nearest, then the first.
 * @param cost  [cells] moves from each cell to the user, -1: no way
 * @return its number; count: no way leads to any, or all queues are full */
uint32_t mf_charger_choose(const struct mf_charger *all, uint32_t count, const int32_t *cost);

/** Thing that moves from one cell to another and back, along x, then y, then z. */
struct mf_thing {
    uint32_t cell;
    uint32_t from, to;
    uint32_t every; /**< ticks per move; 0: it stays */
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value; /**< value of the attribute that it carries */
};

/** @brief Put the thing's attribute into its cell. @return as mf_field_put() */
int mf_thing_place(struct mf_thing *t, struct mf_field_map *f);

/** @brief Run one tick. A thing waits before a cell that is blocked or already has its
 * attribute. */
void mf_thing_tick(struct mf_thing *t, struct mf_field_map *f, uint64_t tick);

/** @brief Neighbour of @p from on the straight way to @p to. @return @p from: it is @p to */
uint32_t mf_thing_next(const struct mf_field_map *f, uint32_t from, uint32_t to);

#endif
