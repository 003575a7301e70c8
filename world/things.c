/* SPDX-License-Identifier: Apache-2.0 */
/* Chargers and moving things of a world of cells. Called by fleet/grid, grid_controller, grid_drone
 * and effector. */
#include "world/things.h"

static uint32_t position(const struct mf_charger *c, uint32_t user)
{
    uint32_t i = 0;
    while (i < c->queued && c->user[i] != user) {
        i++;
    }
    return i;
}

bool mf_charger_enter(struct mf_charger *c, uint32_t user)
{
    MF_ASSERT(user > 0);
    if (position(c, user) < c->queued) {
        return true;
    }
    if (c->queued == MF_CHARGER_QUEUE_MAX) {
        return false;
    }
    c->user[c->queued++] = user;
    return true;
}

void mf_charger_leave(struct mf_charger *c, uint32_t user)
{
    const uint32_t at = position(c, user);
    if (at == c->queued) {
        return;
    }
    c->queued--;
    for (uint32_t i = at; i < c->queued; i++) {
        c->user[i] = c->user[i + 1u];
    }
}

bool mf_charger_is_first(const struct mf_charger *c, uint32_t user)
{
    return c->queued > 0 && c->user[0] == user;
}

uint32_t mf_charger_choose(const struct mf_charger *all, uint32_t count, const int32_t *cost)
{
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
        if (cost[all[i].cell] < 0 || all[i].queued == MF_CHARGER_QUEUE_MAX) {
            continue;
        }
        if (best == count || all[i].queued < all[best].queued ||
            (all[i].queued == all[best].queued && cost[all[i].cell] < cost[all[best].cell])) {
            best = i;
        }
    }
    return best;
}

int mf_thing_place(struct mf_thing *t, struct mf_field_map *f)
{
    MF_ASSERT(t->name[0] != '\0');
    return mf_field_put(f, t->cell, t->name, &t->value);
}

uint32_t mf_thing_next(const struct mf_field_map *f, uint32_t from, uint32_t to)
{
    struct mf_cell a = mf_field_cell(f, from);
    const struct mf_cell b = mf_field_cell(f, to);
    if (a.x != b.x) {
        a.x += a.x < b.x ? 1 : -1;
    } else if (a.y != b.y) {
        a.y += a.y < b.y ? 1 : -1;
    } else if (a.z != b.z) {
        a.z += a.z < b.z ? 1 : -1;
    }
    return mf_field_index(f, a);
}

void mf_thing_tick(struct mf_thing *t, struct mf_field_map *f, uint64_t tick)
{
    if (t->every == 0 || tick % t->every != 0) {
        return;
    }
    if (t->cell == t->to) {
        t->to = t->from;
        t->from = t->cell;
    }
    const uint32_t next = mf_thing_next(f, t->cell, t->to);
    struct mf_attribute own;
    if (next == t->cell || mf_field_is_blocked(f, next) ||
        mf_field_find(f, next, t->name) != NULL ||
        mf_field_take(f, t->cell, t->name, &own) != MF_E_OK) {
        return; /* its attribute was removed from the cell: the thing stays */
    }
    (void)mf_field_put(f, next, t->name, &own.value);
    t->cell = next;
}
