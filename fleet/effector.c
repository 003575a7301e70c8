/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of a world of cells: events that disturb it, by a script or by chance. Called by
 * fleet/grid. */
#include "fleet/grid_state.h"
#include "math/chance.h"

#include <string.h>

/* Cell, drone and task that an effect hits, named by the script or drawn. */
struct target {
    struct mf_cell cell;
    uint32_t drone, task; /* numbers, from 1, that the effect hits; 0: none */
};

/* ---- chance: each tick has DRAWS numbers, used or not, so that later draws do not depend on it */

#define DRAWS 2u /* whether the effect begins; its target */

static double draw(const struct mf_grid *q, const struct mf_grid_effect *e, uint64_t number)
{
    return mf_chance_unit(e->key, q->tick * DRAWS + number);
}

static uint32_t draw_of(const struct mf_grid *q, const struct mf_grid_effect *e, uint32_t count)
{
    return (uint32_t)(draw(q, e, 1) * (double)count);
}

static int32_t lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Draw a cell of the effect's box, or of the whole field. */
static struct mf_cell draw_cell(const struct mf_grid *q, const struct mf_grid_effect *e)
{
    struct mf_cell low = {0, 0, 0};
    uint32_t size[3] = {q->field.size[0], q->field.size[1], q->field.size[2]};
    if (e->box) {
        low = (struct mf_cell){lower(e->from.x, e->to.x), lower(e->from.y, e->to.y),
                               lower(e->from.z, e->to.z)};
        size[0] = (uint32_t)(e->from.x + e->to.x - 2 * low.x) + 1u;
        size[1] = (uint32_t)(e->from.y + e->to.y - 2 * low.y) + 1u;
        size[2] = (uint32_t)(e->from.z + e->to.z - 2 * low.z) + 1u;
    }
    const uint32_t n = draw_of(q, e, size[0] * size[1] * size[2]);
    return (struct mf_cell){low.x + (int32_t)(n % size[0]),
                            low.y + (int32_t)(n / size[0] % size[1]),
                            low.z + (int32_t)(n / size[0] / size[1])};
}

/* Can the effect hit this drone? */
static bool may_meet(const struct mf_grid *q, const struct mf_grid_effect *e, uint32_t drone)
{
    const struct grid_drone *d = &q->drone[drone - 1u];
    const bool needs_task = e->kind == MF_GRID_EFFECT_PROLONG || e->kind == MF_GRID_EFFECT_FAIL;
    return d->state != MF_GRID_STATE_ABSENT && d->state != MF_GRID_STATE_DEAD &&
           (e->drone == 0 || e->drone == drone) && (e->task == 0 || e->task == d->task) &&
           (!needs_task || d->task != 0);
}

/* Draw one of the drones that the effect can hit. @return its number; 0: it can hit none of them */
static uint32_t draw_drone(const struct mf_grid *q, const struct mf_grid_effect *e)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i <= q->s.drone_count; i++) {
        count += may_meet(q, e, i) ? 1u : 0u;
    }
    uint32_t left = count > 0 ? draw_of(q, e, count) : 0, drone = 0;
    for (uint32_t i = 1; drone == 0 && i <= q->s.drone_count; i++) {
        if (may_meet(q, e, i) && left-- == 0) {
            drone = i;
        }
    }
    return drone;
}

/* Does the effect begin in this tick? @param t  in, out: target; drawn here if the effect has a
 * chance */
static bool begins_now(const struct mf_grid *q, const struct mf_grid_effect *e, struct target *t)
{
    if (!(e->chance > 0.0)) {
        return q->tick == e->at;
    }
    if (q->tick < e->at || draw(q, e, 0) >= e->chance) {
        return false;
    }
    if (e->kind == MF_GRID_EFFECT_BLOCK || e->kind == MF_GRID_EFFECT_EDIT) {
        t->cell = draw_cell(q, e);
        return true;
    }
    t->drone = draw_drone(q, e);
    t->task = t->drone != 0 ? q->drone[t->drone - 1u].task : 0;
    return t->drone != 0;
}

/* ---- single effects */

static void block(struct mf_grid *q, const struct mf_grid_effect *e, bool blocked)
{
    for (uint32_t i = 0; i < mf_field_cells(&q->field); i++) {
        if (grid_effect_covers(e, mf_field_cell(&q->field, i))) {
            mf_field_block(&q->field, i, blocked);
        }
    }
}

/* Block a cell for some ticks. A cell that the field has as blocked stays so. */
static void shut(struct mf_grid *q, struct mf_cell at, uint32_t ticks)
{
    const uint32_t cell = mf_field_index(&q->field, at);
    if (!mf_field_is_blocked(&q->field, cell) || q->shut[cell] != 0) {
        q->shut[cell] = ticks > 0 ? q->tick + ticks : MF_GRID_NEVER;
        mf_field_block(&q->field, cell, true);
    }
}

static void open_again(struct mf_grid *q)
{
    for (uint32_t i = 0; q->shut != NULL && i < mf_field_cells(&q->field); i++) {
        if (q->shut[i] == q->tick) {
            q->shut[i] = 0;
            mf_field_block(&q->field, i, false);
        }
    }
}

static void edit(struct mf_grid *q, const struct mf_grid_effect *e, struct mf_cell at)
{
    const uint32_t cell = mf_field_index(&q->field, at);
    if (mf_field_change(&q->field, cell, e->name, &e->value) != MF_E_OK) {
        (void)mf_field_put(&q->field, cell, e->name, &e->value);
    }
}

static void damage(struct grid_drone *d, const struct mf_grid_effect *e)
{
    MF_ASSERT(d != NULL);
    switch (e->part) {
    case MF_GRID_PART_SENSORS:
        d->no_sensors = true;
        break;
    case MF_GRID_PART_ACTUATORS:
        d->no_actuators = true;
        break;
    case MF_GRID_PART_BATTERY:
        d->body.battery_uah = d->body.battery_uah > e->amount ? d->body.battery_uah - e->amount : 0;
        break;
    case MF_GRID_PART_SPEED:
        d->period = (uint32_t)e->amount;
        break;
    default:
        MF_ASSERT(false);
    }
}

static void kill_drone(struct mf_grid *q, struct grid_drone *d)
{
    MF_ASSERT(d != NULL);
    grid_let_go(q, d);
    for (uint32_t i = 0; i < q->s.charger_count; i++) {
        mf_charger_leave(&q->charger[i], grid_address(q, d));
    }
    (void)mf_messages_remove(&q->messages, grid_address(q, d));
    d->state = MF_GRID_STATE_DEAD;
}

/* Send a forged order. Its sender is the address of drone 0, which does not exist. */
static void attack(struct mf_grid *q, const struct mf_grid_effect *e)
{
    const struct mf_message_content content = {.cell = mf_field_index(&q->field, e->from)};
    (void)grid_send(q, MF_MESSAGE_GOTO, MF_ADDRESS_DRONE, MF_ADDRESS_DRONE | e->drone, &content);
}

static void fail(struct mf_grid *q, uint32_t task)
{
    for (uint32_t i = 0; i < q->s.drone_count; i++) {
        if (q->drone[i].task == task && q->drone[i].state != MF_GRID_STATE_DEAD) {
            grid_fail(q, &q->drone[i], "effector");
        }
    }
}

static void fly_bird(struct mf_grid *q, const struct mf_grid_effect *e, uint32_t *at)
{
    const uint32_t to = mf_field_index(&q->field, e->to);
    if (q->tick == e->at) {
        *at = mf_field_index(&q->field, e->from);
    } else if (q->tick > e->at && *at != UINT32_MAX) {
        *at = *at == to ? UINT32_MAX : mf_thing_next(&q->field, *at, to);
    }
}

/* ---- all */

/* Carry out an effect that acts at one instant. */
static void strike(struct mf_grid *q, const struct mf_grid_effect *e, const struct target *t)
{
    struct grid_drone *d = t->drone != 0 ? &q->drone[t->drone - 1u] : NULL;
    const bool random = e->chance > 0.0;
    if (e->kind == MF_GRID_EFFECT_EDIT) {
        edit(q, e, t->cell);
    } else if (e->kind == MF_GRID_EFFECT_DAMAGE) {
        damage(d, e);
    } else if (e->kind == MF_GRID_EFFECT_KILL) {
        kill_drone(q, d);
    } else if (e->kind == MF_GRID_EFFECT_FAIL) {
        fail(q, t->task);
    } else if (e->kind == MF_GRID_EFFECT_CYBERATTACK) {
        attack(q, e);
    } else if (e->kind == MF_GRID_EFFECT_BLOCK && random) {
        shut(q, t->cell, e->ticks);
    } else if (e->kind == MF_GRID_EFFECT_PROLONG && random) {
        MF_ASSERT(d != NULL);
        d->hold += e->ticks;
    }
}

static void apply(struct mf_grid *q, uint32_t number)
{
    const struct mf_grid_effect *e = &q->s.effects[number];
    struct target t = {.cell = e->from, .drone = e->drone, .task = e->task};
    const bool begins = begins_now(q, e, &t);
    const bool ends = e->chance <= 0.0 && e->ticks > 0 && q->tick == e->at + e->ticks;
    if (e->kind == MF_GRID_EFFECT_BIRD) {
        fly_bird(q, e, &q->bird[number]);
    }
    if (e->kind == MF_GRID_EFFECT_BLOCK && e->chance <= 0.0 && (begins || ends)) {
        block(q, e, begins);
    }
    if (begins) {
        /* effects by chance do not count as events, or the world would never be idle */
        q->active = e->chance > 0.0 ? q->active : q->tick;
        grid_mix(q, q->tick << 8 ^ number);
        strike(q, e, &t);
    }
}

void grid_effector_tick(struct mf_grid *q)
{
    open_again(q);
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        apply(q, i);
    }
}
