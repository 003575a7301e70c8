/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that move by cells. Called by fleet/grid and its parts. */
#include "world/mover_cell.h"

struct mf_mover_cell mf_mover_cell(const struct mf_mover_cell_settings *s, uint32_t cell)
{
    return (struct mf_mover_cell){
        .cell = cell, .heading = s->heading, .battery_uah = s->capacity_uah};
}

int64_t mf_mover_cell_cost_uah(const struct mf_mover_cell_settings *s, uint32_t grams)
{
    return s->move_uah + s->per_kg_uah * (int64_t)grams / 1000;
}

static bool can_move(const struct mf_mover_cell_settings *s, const struct mf_mover_cell *m,
                     uint32_t grams)
{
    return s->capacity_uah == 0 || m->battery_uah >= mf_mover_cell_cost_uah(s, grams);
}

int mf_mover_cell_move(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m,
                       const struct mf_field_map *f, enum mf_field_way way, uint32_t grams)
{
    uint32_t next;
    if (!mf_field_neighbour(f, m->cell, way, &next) || mf_field_is_blocked(f, next)) {
        return MF_E_DENIED;
    }
    if (!can_move(s, m, grams)) {
        return MF_E_FULL;
    }
    m->battery_uah -= s->capacity_uah == 0 ? 0 : mf_mover_cell_cost_uah(s, grams);
    m->cell = next;
    m->heading = way;
    m->moves++;
    return MF_E_OK;
}

void mf_mover_cell_tick(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m)
{
    const int64_t left_uah = m->battery_uah - s->tick_uah;
    MF_ASSERT(m->battery_uah >= 0);
    m->battery_uah = left_uah > 0 ? left_uah : 0;
}

bool mf_mover_cell_charge(const struct mf_mover_cell_settings *s, struct mf_mover_cell *m,
                          int64_t rate_uah)
{
    const int64_t more_uah = m->battery_uah + rate_uah;
    MF_ASSERT(rate_uah > 0);
    m->battery_uah = more_uah < s->capacity_uah ? more_uah : s->capacity_uah;
    return m->battery_uah == s->capacity_uah;
}
