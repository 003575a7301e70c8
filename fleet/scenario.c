/* SPDX-License-Identifier: Apache-2.0 */
/* Scenario: defaults, checks between keys, reading of a file. Called by boards/swarm/main and
 * sweep. */
#include "fleet/scenario.h"

#include "fleet/behaviour_keys.h"
#include "fleet/key_forms.h"
#include "fleet/scenario_ghost.h"
#include "fleet/scenario_given.h"
#include "fleet/scenario_networks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- defaults */

static void set_defaults(struct mf_scenario *s)
{
    memset(s, 0, sizeof *s);
    s->seed = 1;
    s->time.rate = 1.0;
    s->time.end_s = (double)INFINITY;
    s->time.step_s = 0.01;
    mf_scenario_search_defaults(&s->search);
    mf_scenario_grid_defaults(&s->grid);
    mf_scenario_medium_defaults(&s->medium);
    mf_planner_defaults(&s->planner);
    s->collisions = (struct mf_scenario_collisions){.every_s = 0.01, .restitution = 1.0};
    s->bus.tick_s = 0.1;
    s->bus.controllers = 1;
    s->bus.patience_s = 10.0;
    mf_scenario_gzuav_defaults(&s->gzuav);
    mf_scenario_hosts_defaults(&s->hosts);
    mf_scenario_outputs_defaults(&s->outputs);
    s->origin[0] = 47.397742;
    s->origin[1] = 8.545594;
    s->origin[2] = 488.0;
}

/* ---- checks between keys */

static bool check_top(struct mf_reading *r, struct mf_scenario *s)
{
    if (s->version != MF_SCENARIO_VERSION) {
        return mf_reading_refuse(r, 1, "lacks the key swarm: 1, the version of its keys");
    }
    if (s->entities == 0) {
        return mf_reading_refuse(r, 1, "has no entities");
    }
    return (fabs(s->origin[0]) < 90.0 && fabs(s->origin[1]) <= 180.0) ||
           mf_reading_refuse(r, 1, "space.origin must be latitude and longitude");
}

/*
 * Checks in the order of their calls: of the whole scenario, or of each entity. A file with several
 * errors shows the first one. The order counts where a check needs what another one has filled in:
 * - entities get names and numbers before another key names them or their members.
 * - arrivals before objects: members that arrive are vehicles or agents as the file has them,
 * before the key thing makes them things.
 * - objects before all that asks whether an entity is a thing, and before a planner asks for
 * speeds.
 */
static const struct {
    mf_scenario_check *whole;
    mf_entity_check *each;
} k_checks[] = {
    {.whole = check_top},
    {.whole = mf_scenario_medium_check},
    {.whole = mf_scenario_weather_check},
    {.whole = mf_scenario_space_check},
    {.each = mf_scenario_entity_settle},
    {.each = mf_place_check},
    {.each = mf_scenario_arrivals_check},
    {.each = mf_scenario_object_check},
    {.each = mf_scenario_autopilot_check},
    {.each = mf_scenario_ghost_check},
    {.each = mf_scenario_entity_check},
    {.each = mf_scenario_cell_check},
    {.each = mf_scenario_body_check},
    {.each = mf_behaviour_check},
    {.each = mf_scenario_radio_check},
    {.each = mf_sensor_check},
    {.whole = mf_scenario_bus_check},
    {.whole = mf_component_check},
    {.whole = mf_scenario_outputs_check},
    {.whole = mf_sweep_check},
    {.whole = mf_scenario_links_check},
    {.whole = mf_scenario_expect_check},
    {.whole = mf_planner_check},
    {.whole = mf_scenario_networks_settle},
};

static bool check(struct mf_reading *r, struct mf_scenario *s)
{
    bool good = true;
    for (size_t i = 0; good && i < COUNT_OF(k_checks); i++) {
        good = k_checks[i].whole == NULL || k_checks[i].whole(r, s);
        for (uint32_t k = 0; good && k_checks[i].each != NULL && k < s->entities; k++) {
            good = k_checks[i].each(r, s, &s->entity[k]);
        }
    }
    return good;
}

/* ---- reading */

static bool read_tree(struct mf_reading *r, const struct mf_node *root,
                      const struct mf_scenario_given *given, const struct mf_given_text *file,
                      struct mf_given_tree *own, struct mf_scenario *s)
{
    if (root == NULL || mf_node_kind(root) != MF_NODE_MAP) {
        return mf_reading_refuse(r, 1, "must be a map of keys to values (docs/scenarios.md)");
    }
    return (given->variation == NULL || mf_given_variation(r, root, given->variation, s)) &&
           mf_given_values(r, given, file, own) && mf_keys_read(r, &mf_scenario_keys, root, s) &&
           mf_keys_all_used(r) && check(r, s);
}

int mf_scenario_read(const char *file, const char *text, size_t n,
                     const struct mf_scenario_given *given, struct mf_scenario *s, char *error)
{
    const struct mf_node *root;
    struct mf_yaml_error wrong;
    struct mf_reading *r = calloc(1, sizeof *r);
    struct mf_given_tree *own = calloc(given->sets + 1u, sizeof *own);
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &wrong);
    bool good = false;
    set_defaults(s);
    if (tree == NULL || r == NULL || own == NULL) {
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%.120s:%d: %s", file,
                       tree == NULL ? wrong.line : 1,
                       tree == NULL ? wrong.reason : "no memory to read it");
    } else {
        r->file = file;
        r->tree = tree;
        good = read_tree(r, root, given, &(struct mf_given_text){text, n}, own, s);
        s->sum = r->sum;
        s->blocks = r->blocks;
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%s", r->error);
    }
    for (size_t i = 0; own != NULL && i < given->sets; i++) {
        mf_yaml_free(own[i].tree);
    }
    mf_yaml_free(tree);
    free(own);
    free(r);
    return good ? MF_E_OK : MF_E_RANGE;
}

void mf_scenario_free(struct mf_scenario *s)
{
    mf_keys_free(s->blocks);
    *s = (struct mf_scenario){0};
}
