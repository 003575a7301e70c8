/* SPDX-License-Identifier: Apache-2.0 */
/* Reach of sensors and actuators in a world of cells, and ways to where a drone reaches a cell.
 * Called by fleet/grid_ways, grid_work, grid_drone and grid_body. */
#include "fleet/grid_state.h"

#include <string.h>

/* ---- directions */

/* Way to which a direction points, by the drone's heading. */
static const uint8_t k_turned[MF_GRID_DIRECTIONS][MF_FIELD_WAYS] = {
    [MF_GRID_FORWARD] = {MF_FIELD_EAST, MF_FIELD_WEST, MF_FIELD_NORTH, MF_FIELD_SOUTH, MF_FIELD_UP,
                         MF_FIELD_DOWN},
    [MF_GRID_BACKWARD] = {MF_FIELD_WEST, MF_FIELD_EAST, MF_FIELD_SOUTH, MF_FIELD_NORTH,
                          MF_FIELD_DOWN, MF_FIELD_UP},
    [MF_GRID_LEFT] = {MF_FIELD_NORTH, MF_FIELD_SOUTH, MF_FIELD_WEST, MF_FIELD_EAST, MF_FIELD_WEST,
                      MF_FIELD_WEST},
    [MF_GRID_RIGHT] = {MF_FIELD_SOUTH, MF_FIELD_NORTH, MF_FIELD_EAST, MF_FIELD_WEST, MF_FIELD_EAST,
                       MF_FIELD_EAST},
};

bool grid_cell_at(const struct mf_grid *q, struct grid_pose at, int32_t direction, uint32_t range,
                  uint32_t *cell)
{
    *cell = at.cell;
    for (uint32_t i = 0; direction != MF_GRID_NONE && i < range; i++) {
        if (!mf_field_neighbour(&q->field, *cell,
                                (enum mf_field_way)k_turned[direction][at.heading], cell)) {
            return false;
        }
    }
    return true;
}

static uint32_t apart(int32_t a, int32_t b)
{
    return (uint32_t)(a > b ? a - b : b - a);
}

uint32_t grid_moves_apart(const struct mf_grid *q, uint32_t one, uint32_t other)
{
    const struct mf_cell a = mf_field_cell(&q->field, one), b = mf_field_cell(&q->field, other);
    return apart(a.x, b.x) + apart(a.y, b.y) + apart(a.z, b.z);
}

static bool reaches(const struct mf_grid *q, struct grid_pose at, int32_t direction, uint32_t range,
                    uint32_t cell)
{
    const uint32_t moves = grid_moves_apart(q, at.cell, cell);
    uint32_t there;
    if (direction == MF_GRID_NONE) {
        return moves <= range;
    }
    return moves > 0 && moves <= range && grid_cell_at(q, at, direction, moves, &there) &&
           there == cell;
}

/* ---- actuators */

const struct mf_grid_actuator *grid_actuator(const struct grid_drone *d, const char *name,
                                             enum mf_grid_mode mode)
{
    const struct mf_grid_actuator *grab = NULL;
    for (uint32_t i = 0; i < d->s->actuators; i++) {
        const struct mf_grid_actuator *a = &d->s->actuator[i];
        if (strcmp(a->name, name) == 0 && a->mode == (int32_t)mode) {
            return a;
        }
        if (strcmp(a->name, name) == 0 && a->mode == MF_GRID_GRAB && mode == MF_GRID_DROP) {
            grab = a;
        }
    }
    return grab;
}

bool grid_is_far(const struct mf_grid_actuator *a)
{
    return a->direction != MF_GRID_NONE || a->range > 0;
}

bool grid_is_at(const struct mf_grid *q, struct grid_pose at, struct grid_goal goal)
{
    return goal.by == NULL ? at.cell == goal.cell
                           : reaches(q, at, goal.by->direction, goal.by->range, goal.cell);
}

/* ---- ways */

/* Values of q->came: a search has not come to a pose, began at it, or came from a pose whose
 * heading it adds to CAME_WITH. */
enum { CAME_NOT, CAME_FIRST, CAME_WITH };

static uint32_t index_of(struct grid_pose p)
{
    return p.cell * MF_FIELD_WAYS + (uint32_t)p.heading;
}

/* Ways come in pairs of opposites. */
static enum mf_field_way opposite(enum mf_field_way way)
{
    return (enum mf_field_way)((uint32_t)way ^ 1u);
}

/* Go back from the last pose of a search to its first one. @param way  out: the moves, in their
 * order; NULL: not wanted  @return their number */
static uint32_t trace_back(const struct mf_grid *q, struct grid_pose last, uint8_t *way)
{
    uint32_t n = 0;
    for (struct grid_pose p = last; q->came[index_of(p)] != CAME_FIRST; n++) {
        const uint8_t came = q->came[index_of(p)];
        const bool inside = mf_field_neighbour(&q->field, p.cell, opposite(p.heading), &p.cell);
        MF_ASSERT(inside && came >= CAME_WITH);
        if (way != NULL) {
            way[n] = (uint8_t)p.heading;
        }
        p.heading = (enum mf_field_way)(came - CAME_WITH);
    }
    for (uint32_t i = 0; way != NULL && i < n / 2u; i++) {
        const uint8_t other = way[n - 1u - i];
        way[n - 1u - i] = way[i];
        way[i] = other;
    }
    return n;
}

int32_t grid_reach_moves(struct mf_grid *q, const struct grid_controller *c, struct grid_pose *at,
                         struct grid_goal goal, uint8_t *way)
{
    uint32_t from = 0, to = 0;
    MF_ASSERT(q->came != NULL && goal.by != NULL);
    memset(q->came, CAME_NOT, (size_t)mf_field_cells(&q->field) * MF_FIELD_WAYS);
    q->came[index_of(*at)] = CAME_FIRST;
    q->poses[to++] = index_of(*at);
    while (from < to) {
        const uint32_t now = q->poses[from++];
        const struct grid_pose p = {now / MF_FIELD_WAYS, (enum mf_field_way)(now % MF_FIELD_WAYS)};
        if (grid_is_at(q, p, goal)) {
            *at = p;
            return (int32_t)trace_back(q, p, way);
        }
        for (uint32_t k = 0; k < MF_FIELD_WAYS; k++) {
            struct grid_pose next = {p.cell, (enum mf_field_way)k};
            if (mf_field_neighbour(&q->field, p.cell, next.heading, &next.cell) &&
                !mf_field_is_blocked(&c->known, next.cell) && q->came[index_of(next)] == CAME_NOT) {
                q->came[index_of(next)] = (uint8_t)(CAME_WITH + (uint32_t)p.heading);
                q->poses[to++] = index_of(next);
            }
        }
    }
    return -1;
}
