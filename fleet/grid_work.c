/* SPDX-License-Identifier: Apache-2.0 */
/* Work of a drone of a world of cells at its cell: cargo, ends of tasks, and steps that change
 * attributes. Called by fleet/grid_drone, grid_body and effector. */
#include "fleet/grid_state.h"

#include <string.h>

/* ---- cargo */

static void deliver(struct mf_grid *q, uint32_t cell)
{
    q->delivered[cell / 64u] |= (uint64_t)1 << (cell % 64u);
}

/* Drop the cargo into the drone's cell, or into the first neighbour with room. */
static void let_fall(struct mf_grid *q, struct grid_drone *d)
{
    if (!d->carries) {
        return;
    }
    d->carries = false;
    d->grams = 0;
    int result = mf_field_put(&q->field, d->body.cell, d->cargo.name, &d->cargo.value);
    for (uint32_t way = 0; result != MF_E_OK && way < MF_FIELD_WAYS; way++) {
        uint32_t next;
        if (mf_field_neighbour(&q->field, d->body.cell, (enum mf_field_way)way, &next)) {
            result = mf_field_put(&q->field, next, d->cargo.name, &d->cargo.value);
        }
    }
}

void grid_let_go(struct mf_grid *q, struct grid_drone *d)
{
    let_fall(q, d);
    d->task = d->step = d->waited = d->hold = 0;
    d->begun = false;
    d->way.planned = false;
    if (d->state == MF_GRID_STATE_ASKING || d->state == MF_GRID_STATE_UNDERWAY) {
        d->state = MF_GRID_STATE_IDLE;
        d->announced_idle = false;
    }
}

void grid_fail(struct mf_grid *q, struct grid_drone *d, const char *reason)
{
    struct mf_message_content content = {.task = d->task};
    MF_ASSERT(d->task != 0);
    strncpy(content.name, reason, sizeof content.name - 1u);
    grid_let_go(q, d);
    (void)grid_tell(q, d, MF_MESSAGE_TASK_FAILED, &content);
}

/* ---- actuators */

/* Way to which a direction of an actuator points, by the drone's heading. */
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

bool grid_cell_at(const struct mf_grid *q, const struct grid_drone *d, int32_t direction,
                  uint32_t range, uint32_t *cell)
{
    *cell = d->body.cell;
    for (uint32_t i = 0; direction != MF_GRID_NONE && i < range; i++) {
        if (!mf_field_neighbour(&q->field, *cell,
                                (enum mf_field_way)k_turned[direction][d->body.heading], cell)) {
            return false;
        }
    }
    return true;
}

/* Find the actuator for a step. An actuator that grabs also drops, unless the drone has one to
 * drop. */
static const struct mf_grid_actuator *actuator(const struct grid_drone *d, const char *name,
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

static int actuate_at(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step,
                      uint32_t cell)
{
    int result = MF_E_DENIED;
    switch (step->kind) {
    case MF_GRID_STEP_GRAB:
        if (!d->carries && mf_field_take(&q->field, cell, step->name, &d->cargo) == MF_E_OK) {
            d->carries = true;
            d->grams = d->task != 0 ? grid_task(q, d->task)->grams : 0u;
            result = MF_E_OK;
        }
        break;
    case MF_GRID_STEP_DROP:
        if (d->carries && strcmp(d->cargo.name, step->name) == 0) {
            result = mf_field_put(&q->field, cell, d->cargo.name, &d->cargo.value);
        }
        if (result == MF_E_OK) {
            d->carries = false;
            d->grams = 0;
            deliver(q, cell);
        }
        break;
    case MF_GRID_STEP_ASSIGN:
        result = mf_field_put(&q->field, cell, step->name, &step->value);
        break;
    case MF_GRID_STEP_CHANGE:
        result = mf_field_change(&q->field, cell, step->name, &step->value);
        break;
    case MF_GRID_STEP_GOTO:
    case MF_GRID_STEP_FETCH:
    case MF_GRID_STEP_HOME:
    case MF_GRID_STEP_WAIT:
    default:
        MF_ASSERT(false);
    }
    return result;
}

/* Modes and steps have the same order. */
const char *grid_actuate(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step)
{
    static const char *const k_refused[MF_GRID_MODES] = {
        [MF_GRID_GRAB] = "nothing to grab",
        [MF_GRID_DROP] = "no room to drop",
        [MF_GRID_ASSIGN] = "attribute exists",
        [MF_GRID_CHANGE] = "no attribute",
    };
    const enum mf_grid_mode mode = (enum mf_grid_mode)(step->kind - MF_GRID_STEP_GRAB);
    const struct mf_grid_actuator *a = actuator(d, step->name, mode);
    uint32_t cell;
    if (a == NULL || d->no_actuators) {
        return "no actuator";
    }
    return grid_cell_at(q, d, a->direction, a->range, &cell) &&
                   actuate_at(q, d, step, cell) == MF_E_OK
               ? NULL
               : k_refused[mode];
}
