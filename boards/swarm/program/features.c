/* SPDX-License-Identifier: Apache-2.0 */
/* The table of features that a kind of world does not have, and why. program/read.c calls it. */
#include "boards/swarm/program/features.h"

#include "boards/swarm/ghosts/ghosts.h"

#include <math.h>

enum world { MEMBERS, CELLS, SEARCH, WORLDS };

/* ---- does a run want the feature? @return the line of the scenario that says so; 0: no */

/* A key of --set is not at any line: line 1 stands for it. */
static int at_line(bool wanted, int line)
{
    return !wanted ? 0 : line > 0 ? line : 1;
}

typedef int wants_fn(const struct swarm *w, const struct swarm_command *c);

static int wants_steps(const struct swarm *w, const struct swarm_command *c)
{
    (void)w;
    return c->steps ? 1 : 0;
}

static int wants_plans(const struct swarm *w, const struct swarm_command *c)
{
    (void)w;
    return c->export_plans != NULL ? 1 : 0;
}

static int wants_replay(const struct swarm *w, const struct swarm_command *c)
{
    return c->replay != NULL && swarm_find_kind(w->scenario, MF_SCENARIO_KIND_GHOST) == NULL ? 1
                                                                                             : 0;
}

static int wants_hosts(const struct swarm *w, const struct swarm_command *c)
{
    (void)c;
    return at_line(mf_scenario_has_hosts(&w->scenario->hosts), w->scenario->hosts.line);
}

static int wants_search(const struct swarm *w, const struct swarm_command *c)
{
    (void)c;
    return at_line(swarm_searches(w), w->scenario->grid.line);
}

static int wants_expect(const struct swarm *w, const struct swarm_command *c)
{
    (void)c;
    return at_line(w->scenario->expects > 0, w->scenario->search.line);
}

#define OUTPUT(name) offsetof(struct mf_scenario_outputs, name)

/* @param at  offsets of outputs, with 0 at their end: that of csv, which each world has */
static int line_of(const struct mf_scenario_outputs *o, const size_t *at)
{
    for (; *at != 0; at++) {
        const struct mf_scenario_output *output = (const void *)((const uint8_t *)o + *at);
        if (output->file[0] != '\0') {
            return at_line(true, output->line);
        }
    }
    return 0;
}
_Static_assert(OUTPUT(csv) == 0, "0 ends a list of outputs");

static int wants_junit(const struct swarm *w, const struct swarm_command *c)
{
    (void)w;
    return c->junit != NULL ? 1 : 0;
}

static bool is_run_kept(const struct swarm_command *c)
{
    return c->checkpoint != NULL || c->resume != NULL;
}

/* Pointers of plug-ins are those of one process. */
static int wants_kept_plugins(const struct swarm *w, const struct swarm_command *c)
{
    const struct mf_scenario *s = w->scenario;
    bool any = s->search.plan == MF_SEARCH_OWN || s->search.cost.name[0] != '\0' ||
               s->search.detection.model == MF_SCENARIO_MODEL_OWN ||
               s->weather.kind == MF_SCENARIO_WEATHER_OWN;
    for (uint32_t i = 0; i < s->grid.controllers; i++) {
        any = any || s->grid.controller[i].kind == MF_GRID_BY_OWN ||
              s->grid.controller[i].own_trust.name[0] != '\0';
    }
    return any && is_run_kept(c) ? 1 : 0;
}

static int wants_kept_bus(const struct swarm *w, const struct swarm_command *c)
{
    return at_line(w->scenario->bus.listen[0] != '\0' && is_run_kept(c), w->scenario->bus.line);
}

/* Pictures that grow in the memory of one process. */
static int wants_kept_pictures(const struct swarm *w, const struct swarm_command *c)
{
    static const size_t k_grow[] = {OUTPUT(overhead), OUTPUT(video), OUTPUT(trust), 0};
    const struct mf_scenario_outputs *o = &w->scenario->outputs;
    return o->plots && is_run_kept(c) ? line_of(o, k_grow) : 0;
}

/* ---- the table */

#define WHAT_CELLS_WRITE                                                                          \
    "outputs: a world of cells has tasks, messages, csv, map, trace, overhead, trust, costs and " \
    "video"
#define WHAT_A_SEARCH_WRITES \
    "outputs: a search has csv, stats, coverage, counts, detections, overhead and video"

static const struct {
    wants_fn *is_wanted;     /* NULL: a run wants the feature by one of the outputs */
    size_t outputs[9];       /* offsets, at most 8, with 0 at their end */
    const char *why[WORLDS]; /* NULL: the world has it */
} k_without[] = {
    {wants_steps,
     .why = {[MEMBERS] =
                 "--step: only a world of cells or a search goes step by step; POST /v1/clock of "
                 "links.api holds and steps every run"}},
    {wants_plans, .why = {[MEMBERS] = "--export-plans: no team searches; it needs a plan",
                          [CELLS] = "--export-plans: no team searches; it needs a plan"}},
    {wants_replay,
     .why = {[CELLS] = "--replay: a world of cells without ghosts has nothing to replay",
             [SEARCH] = "--replay: a search has no ghosts, so it has nothing to replay"}},
    {wants_hosts,
     .why = {[CELLS] =
                 "hosts: all cells are in one process, since each tick changes them in one order",
             [SEARCH] = "hosts: a team is in one process, since each step reads all members"}},
    {wants_search, .why = {[CELLS] = "space.cells: such a world takes no plan"}},
    {wants_expect,
     .why = {[SEARCH] = "plan: a search takes no expect: its figures are in outputs.stats"}},
    {.outputs = {OUTPUT(kml), OUTPUT(czml), OUTPUT(geojson), OUTPUT(tlog), OUTPUT(record),
                 OUTPUT(events)},
     .why = {[CELLS] = WHAT_CELLS_WRITE, [SEARCH] = WHAT_A_SEARCH_WRITES}},
    {.outputs = {OUTPUT(sensors), OUTPUT(contacts), OUTPUT(radio), OUTPUT(hive), OUTPUT(tasks),
                 OUTPUT(map), OUTPUT(trace)},
     .why = {[SEARCH] = WHAT_A_SEARCH_WRITES}},
    {.outputs = {OUTPUT(trust), OUTPUT(costs)},
     .why = {[MEMBERS] =
                 "outputs: trust and costs are of a world of cells, which needs space.cells",
             [SEARCH] = WHAT_A_SEARCH_WRITES}},
    {.outputs = {OUTPUT(stats)}, .why = {[CELLS] = WHAT_CELLS_WRITE}},
    {.outputs = {OUTPUT(detections), OUTPUT(counts)},
     .why = {[MEMBERS] = "outputs: detections and counts are of a search, which needs a plan",
             [CELLS] = WHAT_CELLS_WRITE}},
    {wants_junit, .why = {[SEARCH] = "--junit: a search has no expectations"}},
    {wants_kept_plugins,
     .why = {[CELLS] = "plugins: a checkpoint cannot hold the plug-ins of a world of cells",
             [SEARCH] = "plugins: a checkpoint cannot hold the plug-ins of a search"}},
    {wants_kept_bus,
     .why = {[SEARCH] = "bus: programs outside cannot be taken back to a checkpoint"}},
    {wants_kept_pictures,
     .why = {[CELLS] =
                 "outputs: a checkpoint cannot hold overhead, video and trust of a world of cells; "
                 "outputs.plots: false leaves them out",
             [SEARCH] = "outputs: a checkpoint cannot hold overhead and video of a search; "
                        "outputs.plots: false leaves them out"}},
};

int swarm_features_check(struct swarm *w, const struct swarm_command *c)
{
    const enum world world = swarm_has_cells(w) ? CELLS : swarm_searches(w) ? SEARCH : MEMBERS;
    for (size_t i = 0; i < sizeof k_without / sizeof k_without[0]; i++) {
        const char *why = k_without[i].why[world];
        const int line = why == NULL ? 0
                         : k_without[i].is_wanted != NULL
                             ? k_without[i].is_wanted(w, c)
                             : line_of(&w->scenario->outputs, k_without[i].outputs);
        if (line > 0) {
            return swarm_refuse(w, line, "%s", why);
        }
    }
    return SWARM_OK;
}
