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
    case MF_GRID_STEP_SEND:
    case MF_GRID_STEP_AWAIT:
    case MF_GRID_STEPS:
    default:
        MF_ASSERT(false);
    }
    return result;
}

/* Cell or value that a step of a task works on. */
struct aim {
    bool cell_given;
    uint32_t cell;
    const struct mf_field_value *value; /* NULL: any */
};

/* Find the aim of a step of the drone's task: GRAB takes what FETCH went for, DROP puts it down
 * where a way with reach went to. */
static struct aim aim_of(const struct mf_grid *q, const struct grid_drone *d,
                         const struct mf_grid_step *step)
{
    struct aim aim = {0};
    if (d->task == 0 || d->step == 0 || d->step >= grid_task(q, d->task)->steps ||
        grid_task(q, d->task)->step[d->step].kind != step->kind) {
        return aim;
    }
    const struct mf_grid_step *before = &grid_task(q, d->task)->step[d->step - 1u];
    if (step->kind == MF_GRID_STEP_GRAB && before->kind == MF_GRID_STEP_FETCH) {
        aim.value = &before->value;
    } else if (step->kind == MF_GRID_STEP_DROP && before->reach) {
        aim = (struct aim){true, before->cell, NULL};
    }
    return aim;
}

static bool is_possible(const struct mf_grid *q, const struct mf_grid_step *step,
                        const struct aim *aim, uint32_t cell)
{
    const struct mf_attribute *a = mf_field_find(&q->field, cell, step->name);
    if (aim->cell_given && cell != aim->cell) {
        return false;
    }
    if (step->kind == MF_GRID_STEP_GRAB || step->kind == MF_GRID_STEP_CHANGE) {
        return a != NULL && (aim->value == NULL || mf_field_value_is(&a->value, aim->value));
    }
    return a == NULL && !mf_field_is_blocked(&q->field, cell);
}

/* Find the nearest possible cell within a range of the drone's. @return false: no cell is possible
 */
static bool find_around(const struct mf_grid *q, const struct grid_drone *d,
                        const struct mf_grid_step *step, const struct aim *aim, uint32_t range,
                        uint32_t *cell)
{
    const struct mf_cell at = mf_field_cell(&q->field, d->body.cell);
    const int32_t r = (int32_t)range, side = 2 * r + 1;
    uint32_t nearest = range + 1u;
    for (int32_t i = 0; i < side * side * side; i++) {
        const struct mf_cell c = {at.x - r + i % side, at.y - r + i / side % side,
                                  at.z - r + i / side / side};
        if (!mf_field_is_inside(&q->field, c)) {
            continue;
        }
        const uint32_t there = mf_field_index(&q->field, c);
        const uint32_t moves = grid_moves_apart(q, d->body.cell, there);
        if (moves < nearest && is_possible(q, step, aim, there)) {
            nearest = moves;
            *cell = there;
        }
    }
    return nearest <= range;
}

/* Find the cell on which an actuator works: to take, the nearest possible one in its reach; to
 * make, the farthest one in its direction. @return false: no cell is possible */
static bool find_work(const struct mf_grid *q, const struct grid_drone *d,
                      const struct mf_grid_actuator *a, const struct mf_grid_step *step,
                      uint32_t *cell)
{
    const struct aim aim = aim_of(q, d, step);
    const bool takes = step->kind == MF_GRID_STEP_GRAB || step->kind == MF_GRID_STEP_CHANGE;
    if (a->direction == MF_GRID_NONE) {
        return find_around(q, d, step, &aim, a->range, cell);
    }
    for (uint32_t i = 1; i <= a->range; i++) {
        const uint32_t range = takes ? i : a->range + 1u - i;
        if (grid_cell_at(q, grid_pose(d), a->direction, range, cell) &&
            is_possible(q, step, &aim, *cell)) {
            return true;
        }
    }
    return false;
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
    const struct mf_grid_actuator *a = grid_actuator(d, step->name, mode);
    uint32_t cell;
    if (a == NULL || d->no_actuators) {
        return "no actuator";
    }
    return find_work(q, d, a, step, &cell) && actuate_at(q, d, step, cell) == MF_E_OK
               ? NULL
               : k_refused[mode];
}
