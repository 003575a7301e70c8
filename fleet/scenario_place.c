/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and checks of places. Used by fleet/scenario and scenario_entity. */
#include "fleet/scenario_place.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>
#include <string.h>

static bool read_place_list(struct mf_reading *r, const struct mf_key *key,
                            const struct mf_node *node, void *at)
{
    static const struct mf_reading_rows k_rows = {.fewest = 1, .least = 2, .size = 3};
    struct mf_scenario_place *p = at;
    p->list = mf_reading_number_rows(r, key, node, &k_rows, &p->places);
    return p->list != NULL;
}

#define IN_PLACE(field) offsetof(struct mf_scenario_place, field)

static const struct mf_key k_place[] = {
    TRIPLE("at", IN_PLACE(at), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
           "[north, east, up] of the origin [m]; also the corner of a grid or cube"),
    PAIR("grid", IN_PLACE(grid), 1, MF_SCENARIO_COUNT_MAX,
         "[columns, rows]: members fill a row to the east, then the next row to the north"),
    REAL("spacing", IN_PLACE(spacing_m), 0, 1e5, "of a grid [m]; 10"),
    PAIR("cube", IN_PLACE(cube), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
         "[lowest, highest] of north, east and up [m], each by chance"),
    TRIPLE("disc", IN_PLACE(disc), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
           "[north, east, radius] [m], by chance, evenly over its area"),
    {.name = "list",
     .type = MF_KEY_OTHER,
     .read = read_place_list,
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .help = "[[north, east, up], ...] [m], one for each member"},
    TRIPLE("geo", IN_PLACE(at), -1000, 20000, "[latitude, longitude, altitude] [deg, deg, m AMSL]"),
};
const struct mf_keys mf_place_keys = {k_place, COUNT_OF(k_place), NULL, SIZE_MAX};

/* Find the kind of place from the keys of a map. */
static bool kind_of_place(struct mf_reading *r, const struct mf_node *node,
                          enum mf_place_kind *kind)
{
    static const struct {
        const char *name;
        enum mf_place_kind kind;
    } k_kinds[] = {{"grid", MF_PLACE_GRID},
                   {"cube", MF_PLACE_CUBE},
                   {"disc", MF_PLACE_DISC},
                   {"list", MF_PLACE_LIST},
                   {"geo", MF_PLACE_GEO}};
    int found = 0;
    *kind = MF_PLACE_POINT;
    for (size_t i = 0; i < mf_node_count(node); i++) {
        struct mf_yaml_error error;
        const char *name = mf_node_key(r->tree, node, i, &error);
        for (size_t k = 0; name != NULL && k < COUNT_OF(k_kinds); k++) {
            if (strcmp(name, k_kinds[k].name) == 0) {
                *kind = k_kinds[k].kind;
                found++;
            }
        }
    }
    return found <= 1 || mf_reading_refuse(r, mf_node_line(node),
                                           "must have one of: grid, cube, disc, list, geo");
}

/* Read [north, east, up], the name of an entity, or a map. */
bool mf_place_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                   void *at)
{
    struct mf_scenario_place *p = at;
    (void)key;
    if (mf_node_kind(node) == MF_NODE_LIST) {
        p->kind = MF_PLACE_POINT;
        return mf_reading_numbers(r, node, 2, 3, -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M, p->at);
    }
    if (mf_node_kind(node) == MF_NODE_TEXT) {
        char text[MF_KEYS_TEXT_MAX];
        if (!mf_reading_text(r, node, text)) {
            return false;
        }
        p->kind = strcmp(text, "station") == 0    ? MF_PLACE_STATION
                  : strcmp(text, "boundary") == 0 ? MF_PLACE_BOUNDARY
                                                  : MF_PLACE_ENTITY;
        (void)snprintf(p->of, sizeof p->of, "%.31s", text);
        return true;
    }
    if (!kind_of_place(r, node, &p->kind) || !mf_keys_read(r, &mf_place_keys, node, p)) {
        return false;
    }
    if (p->kind == MF_PLACE_GEO && !(fabs(p->at[0]) < 90.0 && fabs(p->at[1]) <= 180.0)) {
        return mf_reading_refuse(r, mf_node_line(node),
                                 "geo must be [latitude, longitude, altitude]");
    }
    return true;
}

/* Check that a chain of places that refer to other entities ends. */
static bool check_chain(struct mf_reading *r, const struct mf_scenario *s,
                        const struct mf_scenario_entity *e)
{
    uint32_t steps = 0;
    while (e->place.kind == MF_PLACE_ENTITY) {
        const struct mf_scenario_entity *next = mf_scenario_entity_named(s, e->place.of);
        if (next == NULL) {
            return mf_reading_refuse(r, e->line, "place: no entity is called '%s'", e->place.of);
        }
        if (++steps > s->entities) {
            return mf_entity_refuse(r, e, "place: '%s' leads back to itself");
        }
        e = next;
    }
    return e->place.kind != MF_PLACE_BOUNDARY || s->search.corners > 0 ||
           mf_entity_refuse(r, e, "%s: place boundary needs space.boundary");
}

bool mf_place_check(struct mf_reading *r, struct mf_scenario *s, struct mf_scenario_entity *e)
{
    const struct mf_scenario_place *p = &e->place;
    if (p->kind == MF_PLACE_GRID && p->grid[0] * p->grid[1] < (double)e->count) {
        return mf_entity_refuse(r, e, "%s: the grid has fewer places than members");
    }
    if (p->kind == MF_PLACE_GRID &&
        fmax(p->grid[0], p->grid[1]) * p->spacing_m > MF_SCENARIO_FAR_M) {
        return mf_entity_refuse(r, e, "%s: the grid is larger than 1000 km");
    }
    if (p->kind == MF_PLACE_LIST && p->places < e->count) {
        return mf_entity_refuse(r, e, "%s: the list has fewer places than members");
    }
    return check_chain(r, s, e);
}
