/* SPDX-License-Identifier: Apache-2.0 */
/* The effector of a grid world: what disturbs, by a script. */
#include "fleet/grid_state.h"

#include <string.h>

/* ---- when and where */

static bool is_on(const struct mf_grid *q, const struct mf_grid_effect *e)
{
    return q->tick >= e->at && (e->ticks == 0 || q->tick < e->at + e->ticks);
}

static bool is_between(int32_t x, int32_t a, int32_t b)
{
    return x >= (a < b ? a : b) && x <= (a < b ? b : a);
}

static bool is_in_box(const struct mf_grid_effect *e, struct mf_cell c)
{
    return is_between(c.x, e->from.x, e->to.x) && is_between(c.y, e->from.y, e->to.y) &&
           is_between(c.z, e->from.z, e->to.z);
}

/* ---- single effects */

static void block(struct mf_grid *q, const struct mf_grid_effect *e, bool blocked)
{
    for (uint32_t i = 0; i < mf_field_cells(&q->field); i++) {
        if (is_in_box(e, mf_field_cell(&q->field, i))) {
            mf_field_block(&q->field, i, blocked);
        }
    }
}

static void edit(struct mf_grid *q, const struct mf_grid_effect *e)
{
    const uint32_t cell = mf_field_index(&q->field, e->from);
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

/* The order seems to come from nowhere: from the address of no drone. */
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

static void apply(struct mf_grid *q, uint32_t number)
{
    const struct mf_grid_effect *e = &q->s.effects[number];
    struct grid_drone *d = e->drone != 0 ? &q->drone[e->drone - 1u] : NULL;
    const bool begins = q->tick == e->at;
    const bool ends = e->ticks > 0 && q->tick == e->at + e->ticks;
    if (e->kind == MF_GRID_EFFECT_BIRD) {
        fly_bird(q, e, &q->bird[number]);
    }
    if (e->kind == MF_GRID_EFFECT_BLOCK && (begins || ends)) {
        block(q, e, begins);
    }
    if (!begins) {
        return;
    }
    q->active = q->tick;
    grid_mix(q, q->tick << 8 ^ number);
    if (e->kind == MF_GRID_EFFECT_EDIT) {
        edit(q, e);
    } else if (e->kind == MF_GRID_EFFECT_DAMAGE) {
        damage(d, e);
    } else if (e->kind == MF_GRID_EFFECT_KILL) {
        kill_drone(q, d);
    } else if (e->kind == MF_GRID_EFFECT_FAIL) {
        fail(q, e->task);
    } else if (e->kind == MF_GRID_EFFECT_CYBERATTACK) {
        attack(q, e);
    }
}

void grid_effector_tick(struct mf_grid *q)
{
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        apply(q, i);
    }
}

bool grid_effector_pending(const struct mf_grid *q)
{
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        if (e->at != MF_GRID_NEVER && e->kind != MF_GRID_EFFECT_PROLONG &&
            (q->tick < e->at || q->tick < e->at + e->ticks)) {
            return true;
        }
    }
    return false;
}

uint32_t grid_effector_prolongs(const struct mf_grid *q, uint32_t task)
{
    uint32_t ticks = 0;
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        ticks += e->kind == MF_GRID_EFFECT_PROLONG && e->task == task ? e->ticks : 0u;
    }
    return ticks;
}

bool grid_effector_silences(const struct mf_grid *q, uint32_t sender, uint32_t receiver)
{
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        const uint32_t drone = MF_ADDRESS_DRONE | e->drone;
        if (e->kind == MF_GRID_EFFECT_NETWORK && is_on(q, e) &&
            (e->drone == 0 || sender == drone || receiver == drone)) {
            return true;
        }
    }
    return false;
}

bool grid_effector_lets(const struct mf_grid *q, const struct grid_drone *d)
{
    if (q->tick % d->period != 0) {
        return false;
    }
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        const struct mf_cell at = mf_field_cell(&q->field, d->body.cell);
        if (e->kind == MF_GRID_EFFECT_WEATHER && is_on(q, e) && is_in_box(e, at) &&
            q->tick % (uint64_t)e->amount != 0) {
            return false;
        }
        if (e->kind == MF_GRID_EFFECT_BIRD && q->bird[i] == d->body.cell) {
            return false;
        }
    }
    return true;
}
