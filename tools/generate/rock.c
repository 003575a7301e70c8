/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/generate/rock.h"

#include "math/chance.h"

#include <stdlib.h>

#define STRAIGHT  0.75 /* how often a drift goes on as it does */
#define SHARE     0.6  /* of the crossings that are dug */
#define LOOPS     0.08 /* share of neighbouring crossings that are joined without need */
#define DOOR      2u   /* cells */
#define TRIES     24u  /* for a wall that ends at no door */
#define WALLS_MAX 4096u

/* Chance of one level. */
struct dice {
    uint64_t key, thrown;
};

static double unit(struct dice *d)
{
    return mf_chance_unit(d->key, d->thrown++);
}

static uint32_t below(struct dice *d, uint32_t n)
{
    return (uint32_t)(unit(d) * n);
}

static uint32_t layers_of(const struct rock *r)
{
    return 2u * r->levels + 1u;
}

size_t rock_cells(const struct rock *r)
{
    return (size_t)r->columns * r->rows * layers_of(r);
}

static uint8_t *cell(const struct rock *r, uint32_t column, uint32_t row, uint32_t layer)
{
    return &r->free[((size_t)layer * r->rows + row) * r->columns + column];
}

bool rock_is_free(const struct rock *r, int64_t column, int64_t row, int64_t layer)
{
    return column >= 0 && row >= 0 && layer >= 0 && column < r->columns && row < r->rows &&
           layer < layers_of(r) && *cell(r, (uint32_t)column, (uint32_t)row, (uint32_t)layer) != 0;
}

double rock_up_m(const struct rock *r, uint32_t layer)
{
    const uint32_t levels = layer / 2u, slabs = layer - levels;
    return levels * r->height_m + slabs * r->slab_m;
}

void rock_entrance(const struct rock *r, uint32_t at[3])
{
    size_t i = 0;
    while (r->free[i] == 0) {
        i++;
    }
    at[0] = (uint32_t)(i % r->columns);
    at[1] = (uint32_t)(i / r->columns % r->rows);
    at[2] = (uint32_t)(i / r->columns / r->rows);
}

/* ---- between levels */

/* Is a square free on both levels, and not dug yet? */
static bool takes_shaft(const struct rock *r, uint32_t column, uint32_t row, uint32_t slab)
{
    for (uint32_t i = 0; i < r->wide * r->wide; i++) {
        const uint32_t x = column + i % r->wide, y = row + i / r->wide;
        if (!rock_is_free(r, x, y, slab - 1) || !rock_is_free(r, x, y, slab + 1) ||
            rock_is_free(r, x, y, slab)) {
            return false;
        }
    }
    return true;
}

static void dig_square(const struct rock *r, uint32_t column, uint32_t row, uint32_t layer)
{
    for (uint32_t i = 0; i < r->wide * r->wide; i++) {
        *cell(r, column + i % r->wide, row + i / r->wide, layer) = 1;
    }
}

/*
 * Dig the shaft with the given number among the possible places. Without such a place @return is
 * the number of places.
 */
static uint32_t dig_shaft(const struct rock *r, uint32_t slab, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->columns * r->rows; i++) {
        const uint32_t column = i % r->columns, row = i / r->columns;
        if (takes_shaft(r, column, row, slab) && count++ == number) {
            dig_square(r, column, row, slab);
            return count;
        }
    }
    return count;
}

/*
 * Dig shafts. If no square is free on both levels, the upper one gets a square above one of the
 * lower's: the caller has left the first one free on every level.
 */
static void dig_shafts(struct rock *r, struct dice *d)
{
    for (uint32_t slab = 2; slab + 1u < layers_of(r); slab += 2u) {
        for (uint32_t k = 0; k < r->shafts; k++) {
            const uint32_t count = dig_shaft(r, slab, UINT32_MAX);
            if (count > 0) {
                (void)dig_shaft(r, slab, below(d, count));
            }
        }
    }
}

/* ---- a mine: crossings at odd places, drifts between them */

static const int k_way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static bool is_crossing(const struct rock *r, int64_t column, int64_t row)
{
    return column >= 1 && row >= 1 && column + 1 < r->columns && row + 1 < r->rows;
}

/* True if the crossing two cells further on is rock. */
static bool can_dig(const struct rock *r, uint32_t layer, const uint32_t *from, uint32_t way)
{
    const int64_t x = (int64_t)from[0] + 2 * k_way[way][0],
                  y = (int64_t)from[1] + 2 * k_way[way][1];
    return is_crossing(r, x, y) && !rock_is_free(r, x, y, layer);
}

static void dig(const struct rock *r, uint32_t layer, uint32_t *from, uint32_t way)
{
    for (unsigned i = 0; i < 2u; i++) {
        from[0] = (uint32_t)((int64_t)from[0] + k_way[way][0]);
        from[1] = (uint32_t)((int64_t)from[1] + k_way[way][1]);
        *cell(r, from[0], from[1], layer) = 1;
    }
}

/* @return a way on, straight on if possible; 4: dead end */
static uint32_t choose(const struct rock *r, uint32_t layer, const uint32_t *from, uint32_t last,
                       struct dice *d)
{
    uint32_t ways[4] = {4, 4, 4, 4}, n = 0;
    const bool straight = last < 4u && can_dig(r, layer, from, last) && unit(d) < STRAIGHT;
    for (uint32_t way = 0; way < 4u; way++) {
        if (can_dig(r, layer, from, way)) {
            ways[n++] = way;
        }
    }
    return straight || n == 0 ? (straight ? last : 4u) : ways[below(d, n)];
}

/* A tree of drifts. @param stack  [crossings] of places to go on from */
static void dig_tree(const struct rock *r, uint32_t layer, struct dice *d, uint32_t (*stack)[3])
{
    const uint32_t crossings = (r->columns - 1u) / 2u * ((r->rows - 1u) / 2u);
    uint32_t n = 1, left = (uint32_t)(SHARE * crossings);
    stack[0][0] = stack[0][1] = 1;
    stack[0][2] = 4;
    *cell(r, 1, 1, layer) = 1; /* on every level: so a shaft finds a place */
    while (n > 0 && left > 0) {
        uint32_t at[2] = {stack[n - 1u][0], stack[n - 1u][1]};
        const uint32_t way = choose(r, layer, at, stack[n - 1u][2], d);
        if (way == 4u) {
            n--;
            continue;
        }
        dig(r, layer, at, way);
        stack[n][0] = at[0];
        stack[n][1] = at[1];
        stack[n++][2] = way;
        left--;
    }
}

/* A crossing and the next one that way, both of which are free, may be joined. */
static void join(const struct rock *r, uint32_t layer, const uint32_t *from, uint32_t way,
                 struct dice *d)
{
    uint32_t at[2] = {from[0], from[1]};
    const int64_t x = (int64_t)from[0] + 2 * k_way[way][0],
                  y = (int64_t)from[1] + 2 * k_way[way][1];
    if (rock_is_free(r, from[0], from[1], layer) && is_crossing(r, x, y) &&
        rock_is_free(r, x, y, layer) && unit(d) < LOOPS) {
        dig(r, layer, at, way);
    }
}

static void dig_loops(const struct rock *r, uint32_t layer, struct dice *d)
{
    for (uint32_t row = 1; row + 1u < r->rows; row += 2u) {
        for (uint32_t column = 1; column + 1u < r->columns; column += 2u) {
            join(r, layer, (uint32_t[]){column, row}, 0, d);
            join(r, layer, (uint32_t[]){column, row}, 1, d);
        }
    }
}

void rock_dig_mine(struct rock *r)
{
    uint32_t(*stack)[3] = malloc((size_t)r->columns * r->rows * sizeof *stack);
    struct dice d = {mf_chance_key(r->seed, 0, 0, 1), 0};
    for (uint32_t layer = 1; stack != NULL && layer < layers_of(r); layer += 2u) {
        dig_tree(r, layer, &d, stack);
        dig_loops(r, layer, &d);
    }
    free(stack);
    dig_shafts(r, &d);
}

/* ---- an office: a floor, walls, a door in each */

/* Cells from low to high, excluded. */
struct room {
    uint32_t low[2], high[2];
};

/* A wall across an axis. @return false: it would end at a door */
static bool put_wall(const struct rock *r, uint32_t layer, const struct room *room, unsigned axis,
                     uint32_t at, struct dice *d)
{
    const unsigned along = 1u - axis;
    uint32_t place[2];
    place[axis] = at;
    place[along] = room->low[along] - 1u;
    const bool low = rock_is_free(r, place[0], place[1], layer);
    place[along] = room->high[along];
    if (low || rock_is_free(r, place[0], place[1], layer)) {
        return false;
    }
    const uint32_t length = room->high[along] - room->low[along];
    const uint32_t door = room->low[along] + below(d, length - DOOR + 1u);
    for (uint32_t i = room->low[along]; i < room->high[along]; i++) {
        place[along] = i;
        *cell(r, place[0], place[1], layer) = i >= door && i < door + DOOR ? 1 : 0;
    }
    return true;
}

/* @return false: the room stays as it is */
static bool split(const struct rock *r, uint32_t layer, const struct room *room, uint32_t least,
                  struct dice *d, struct room *other, struct room *rest)
{
    const uint32_t size[2] = {room->high[0] - room->low[0], room->high[1] - room->low[1]};
    const unsigned axis = size[0] >= size[1] ? 0 : 1;
    if (size[axis] < 2u * least + 1u) {
        return false;
    }
    for (uint32_t i = 0; i < TRIES; i++) {
        const uint32_t at = room->low[axis] + least + below(d, size[axis] - 2u * least);
        if (put_wall(r, layer, room, axis, at, d)) {
            *rest = *other = *room;
            rest->high[axis] = at;
            other->low[axis] = at + 1u;
            return true;
        }
    }
    return false;
}

static void build_level(const struct rock *r, uint32_t layer, uint32_t least, struct dice *d)
{
    static struct room s_room[WALLS_MAX]; /* large: not on the stack */
    uint32_t n = 1;
    for (uint32_t i = 0; i < r->columns * r->rows; i++) {
        const uint32_t column = i % r->columns, row = i / r->columns;
        const bool inside = column > 0 && row > 0 && column + 1u < r->columns && row + 1u < r->rows;
        *cell(r, column, row, layer) = inside ? 1 : 0;
    }
    s_room[0] = (struct room){{1, 1}, {r->columns - 1u, r->rows - 1u}};
    while (n > 0) {
        struct room rest, other;
        if (n + 1u >= WALLS_MAX || !split(r, layer, &s_room[n - 1u], least, d, &other, &rest)) {
            n--;
            continue;
        }
        s_room[n - 1u] = rest;
        s_room[n++] = other;
    }
}

/* Rooms are wider than a shaft, and the first one begins in the same corner on every level. */
void rock_build_office(struct rock *r, uint32_t least)
{
    struct dice d = {mf_chance_key(r->seed, 0, 0, 2), 0};
    for (uint32_t layer = 1; layer < layers_of(r); layer += 2u) {
        build_level(r, layer, least, &d);
    }
    dig_shafts(r, &d);
}
