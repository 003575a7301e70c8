/* SPDX-License-Identifier: Apache-2.0 */
/* Lasting effects of a world of cells: active ones, and the messages and drones that they hinder.
 * Called by fleet/grid_ways, grid_drone and grid; fleet/effector begins effects. */
#include "fleet/grid_state.h"

static bool is_on(const struct mf_grid *q, const struct mf_grid_effect *e)
{
    return q->tick >= e->at && (e->ticks == 0 || q->tick < e->at + e->ticks);
}

static bool is_between(int32_t x, int32_t a, int32_t b)
{
    return x >= (a < b ? a : b) && x <= (a < b ? b : a);
}

bool grid_effect_covers(const struct mf_grid_effect *e, struct mf_cell c)
{
    return is_between(c.x, e->from.x, e->to.x) && is_between(c.y, e->from.y, e->to.y) &&
           is_between(c.z, e->from.z, e->to.z);
}

bool grid_effects_pending(const struct mf_grid *q)
{
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        if (e->at != MF_GRID_NEVER && e->chance <= 0.0 && e->kind != MF_GRID_EFFECT_PROLONG &&
            (q->tick < e->at || q->tick < e->at + e->ticks)) {
            return true;
        }
    }
    return false;
}

uint32_t grid_effects_prolongs(const struct mf_grid *q, uint32_t task)
{
    uint32_t ticks = 0;
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        const bool by_script = e->kind == MF_GRID_EFFECT_PROLONG && e->chance <= 0.0;
        ticks += by_script && e->task == task ? e->ticks : 0u;
    }
    return ticks;
}

bool grid_effects_silences(const struct mf_grid *q, uint32_t sender, uint32_t receiver)
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

bool grid_effects_lets(const struct mf_grid *q, const struct grid_drone *d)
{
    if (q->tick % d->period != 0) {
        return false;
    }
    for (uint32_t i = 0; i < q->s.effect_count; i++) {
        const struct mf_grid_effect *e = &q->s.effects[i];
        const struct mf_cell at = mf_field_cell(&q->field, d->body.cell);
        if (e->kind == MF_GRID_EFFECT_WEATHER && is_on(q, e) && grid_effect_covers(e, at) &&
            q->tick % (uint64_t)e->amount != 0) {
            return false;
        }
        if (e->kind == MF_GRID_EFFECT_BIRD && q->bird[i] == d->body.cell) {
            return false;
        }
    }
    return true;
}
