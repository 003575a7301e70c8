/* SPDX-License-Identifier: Apache-2.0 */
/* Reads kinds of members and of worlds from the scenario. Files of all rooms call it. */
#include "boards/swarm/core/kinds.h"

#include "boards/swarm/core/swarm.h"

uint32_t swarm_count_kind(const struct mf_scenario *s, int32_t kind)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        count += s->entity[k].as == kind ? s->entity[k].count : 0;
    }
    return count;
}

const struct mf_scenario_entity *swarm_find_kind(const struct mf_scenario *s, int32_t kind)
{
    uint32_t k = 0;
    while (k < s->entities && s->entity[k].as != kind) {
        k++;
    }
    return k < s->entities ? &s->entity[k] : NULL;
}

bool swarm_is_vehicle(const struct swarm *w, uint32_t i)
{
    return mf_scenario_entity_of(w->scenario, i)->as == MF_SCENARIO_KIND_VEHICLE;
}

bool swarm_is_thing(const struct swarm *w, uint32_t i)
{
    return mf_scenario_entity_of(w->scenario, i)->as == MF_SCENARIO_KIND_THING;
}

bool swarm_has_cells(const struct swarm *w)
{
    return w->scenario->grid.size[0] > 0.0;
}

bool swarm_searches(const struct swarm *w)
{
    return w->scenario->search.plan >= 0;
}

bool swarm_is_stepped(const struct swarm *w)
{
    return swarm_has_cells(w) || swarm_searches(w);
}
