/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a scenario by number and by name. The readers of its sections and the run ask. */
#include "fleet/scenario.h"
#include "host/base/value.h"
#include "math/chance.h"

#include <math.h>
#include <string.h>

bool mf_entity_refuse(struct mf_reading *r, const struct mf_scenario_entity *e, const char *text)
{
    return mf_reading_refuse(r, e->line, text, e->name);
}

bool mf_scenario_goes_by_steps(const struct mf_scenario *s)
{
    return s->search.plan >= 0 || s->grid.size[0] > 0.0;
}

const char *mf_scenario_type(const struct mf_scenario_entity *e)
{
    return e->object.type[0] != '\0' ? e->object.type : e->name;
}

const struct mf_scenario_entity *mf_scenario_entity_named(const struct mf_scenario *s,
                                                          const char *name)
{
    for (uint32_t i = 0; i < s->entities; i++) {
        if (strcmp(s->entity[i].name, name) == 0) {
            return &s->entity[i];
        }
    }
    return NULL;
}

const struct mf_scenario_entity *mf_scenario_entity_of(const struct mf_scenario *s, uint32_t i)
{
    uint32_t e = 0;
    MF_ASSERT(i < s->members);
    while (i >= s->entity[e].first + s->entity[e].count) {
        e++;
    }
    return &s->entity[e];
}

void mf_scenario_member_name(const struct mf_scenario *s, uint32_t i, char *text)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(s, i);
    if (e->count == 1) {
        (void)snprintf(text, MF_SCENARIO_NAME_MAX, "%s", e->name);
    } else {
        (void)snprintf(text, MF_SCENARIO_NAME_MAX + 12u, "%s.%u", e->name,
                       (unsigned)(i - e->first) + 1u);
    }
}

bool mf_scenario_find(const struct mf_scenario *s, const char *name, uint32_t *from, uint32_t *to)
{
    char entity[MF_SCENARIO_NAME_MAX];
    const char *dot = strchr(name, '.');
    double number = 0.0;
    (void)snprintf(entity, sizeof entity, "%.*s", dot != NULL ? (int)(dot - name) : 31, name);
    const struct mf_scenario_entity *e = mf_scenario_entity_named(s, entity);
    if (e == NULL) {
        return false;
    }
    *from = e->first;
    *to = e->first + e->count;
    if (dot == NULL) {
        return true;
    }
    const char *end = mf_value_number(dot + 1, &number);
    if (end == NULL || *end != '\0' || !(number >= 1.0 && number <= (double)e->count) ||
        floor(number) != number) {
        return false;
    }
    *from = e->first + (uint32_t)number - 1u;
    *to = *from + 1u;
    return true;
}

uint64_t mf_scenario_identity(const struct mf_scenario *s, uint32_t i)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(s, i);
    return mf_chance_u64(e->chance, i - e->first);
}

uint64_t mf_scenario_chance(const struct mf_scenario *s, uint32_t i,
                            enum mf_scenario_purpose purpose)
{
    return mf_chance_key(s->seed, s->variation_number, mf_scenario_identity(s, i),
                         (uint64_t)purpose);
}

uint64_t mf_scenario_shared_chance(const struct mf_scenario *s, enum mf_scenario_purpose purpose)
{
    return mf_chance_key(s->seed, s->variation_number, 0, (uint64_t)purpose);
}

bool mf_scenario_is_chosen(const struct mf_scenario *s, const struct mf_scenario_chosen *chosen,
                           uint32_t i, bool otherwise)
{
    uint32_t from = 0, to = 0;
    for (uint32_t k = 0; k < chosen->count; k++) {
        if (mf_scenario_find(s, chosen->name[k], &from, &to) && i >= from && i < to) {
            return true;
        }
    }
    return chosen->count == 0 && otherwise;
}

bool mf_scenario_is_linked(const struct mf_scenario *s)
{
    const struct mf_scenario_links *l = &s->links;
    return l->address[0] != '\0' || l->group != 0 || l->window.port != 0 ||
           l->window.vehicles.count > 0 || l->udp[0] != '\0' || l->api[0] != '\0';
}
