/* SPDX-License-Identifier: Apache-2.0 */
/* Table of a scenario's keys: name, type and meaning of each. Used by fleet/scenario,
 * scenario_given and boards/swarm/command. */
#include "fleet/scenario.h"

#include "fleet/key_forms.h"
#include "fleet/sweep.h"
#include "host/base/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words */

/* clang-format off */
#define X(name, word) word,
static const char *const k_late[] = {MF_SCENARIO_LATE_LIST(X) NULL};
const char *const mf_scenario_clock_words[] = {MF_SCENARIO_CLOCK_LIST(X) NULL};
#undef X
/* clang-format on */

/* ---- readers of values that are more than a number or a text */

/* Read "event", "fast", "real", or "x5": five times as fast as real time. */
static bool read_clock(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    struct mf_scenario *s = at;
    char text[MF_KEYS_TEXT_MAX];
    (void)key;
    if (!mf_reading_text(r, node, text)) {
        return false;
    }
    for (int32_t i = 0; mf_scenario_clock_words[i] != NULL; i++) {
        if (strcmp(text, mf_scenario_clock_words[i]) == 0) {
            s->time.clock = i;
            return true;
        }
    }
    double rate;
    const char *end = text[0] == 'x' ? mf_value_number(text + 1, &rate) : NULL;
    if (end == NULL || *end != '\0' || !(rate >= 0.01 && rate <= 10000.0)) {
        return mf_reading_refuse(
            r, mf_node_line(node),
            "'%.40s' is not known, allowed: event, fast, real, lockstep, or x0.01 to "
            "x10000 for a multiple of real time",
            text);
    }
    s->time.clock = MF_SCENARIO_CLOCK_REAL;
    s->time.rate = rate;
    return true;
}

/* Read seconds, or "idle". */
static bool read_end(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                     void *at)
{
    char text[MF_KEYS_TEXT_MAX];
    if (!mf_reading_text(r, node, text)) {
        return false;
    }
    if (strcmp(text, "idle") == 0) {
        *(double *)at = (double)INFINITY;
        return true;
    }
    return mf_reading_number(r, node, key->low, key->high, at);
}

static bool read_epoch(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    char text[MF_KEYS_TEXT_MAX];
    (void)key;
    return mf_reading_text(r, node, text) &&
           (mf_value_utc(text, at) ||
            mf_reading_refuse(r, mf_node_line(node),
                              "'%.40s' is not a time such as 2026-03-01T12:00:00Z", text));
}

static bool read_variations(struct mf_reading *r, const struct mf_key *key,
                            const struct mf_node *node, void *at)
{
    (void)key;
    *(uint32_t *)at =
        (uint32_t)mf_node_count(node); /* mf_given_variation() has taken the chosen one before */
    return mf_node_kind(node) == MF_NODE_MAP ||
           mf_reading_refuse(r, mf_node_line(node), "must be a map of names to maps");
}

/* ---- the table */

#define TOP(field) offsetof(struct mf_scenario, field)

static const struct mf_key k_time[] = {
    {.name = "clock",
     .type = MF_KEY_OTHER,
     .read = read_clock,
     .loose = true,
     .help = "event, fast, real, lockstep, or x5: five times real time; event"},
    {.name = "end",
     .type = MF_KEY_OTHER,
     .offset = TOP(time.end_s),
     .low = 0.001,
     .high = 1e7,
     .read = read_end,
     .loose = true,
     .help = "seconds, or idle: when nothing happens any more; idle"},
    {.name = "catch_up",
     .type = MF_KEY_WORD,
     .offset = TOP(time.late),
     .words = k_late,
     .loose = true,
     .help = "after a delay of the host: run faster, skip the lost time, or fail; run"},
    OTHER("epoch", TOP(time.epoch_us), read_epoch,
          "UTC at time 0, such as 2026-03-01T12:00:00Z; not known"),
    REAL("tick", TOP(grid.tick_s), 0.001, 3600, "length of a tick of a world of cells [s]; 1"),
    REAL("step", TOP(time.step_s), 0.0001, 1,
         "length of a step of bodies that are stepped [s]; 0.01"),
};
/* Offsets are relative to the scenario, so that "clock" can set two fields. */
static const struct mf_keys k_time_keys = {k_time, COUNT_OF(k_time), NULL, SIZE_MAX};

static const struct mf_key k_space[] = {
    TRIPLE("origin", TOP(origin), -1000, 20000,
           "[latitude, longitude, altitude] [deg, deg, m AMSL] of north 0, east 0, up 0"),
    {.name = "boundary",
     .type = MF_KEY_OTHER,
     .offset = TOP(search),
     .low = -MF_SCENARIO_FAR_M,
     .high = MF_SCENARIO_FAR_M,
     .read = mf_scenario_read_boundary,
     .help = "corners of an area: [[north, east], ...] of the origin [m]"},
    MAP("cells", TOP(grid), mf_scenario_cells_keys, "a world of cells (docs/grid.md)"),
    OTHER("attributes", TOP(grid), mf_scenario_read_attributes,
          "of cells: [[x, y, name, value], ...], or [x, y, z, name, value]; or {attr, level, "
          "rows: a line of values per row, the northern one first}"),
    {.name = "blocked",
     .type = MF_KEY_OTHER,
     .offset = TOP(grid.blocked),
     .high = MF_SCENARIO_CELL_FAR,
     .read = mf_scenario_read_cells,
     .help = "cells that no member can enter: [[x, y], ...], or [x, y, z]"},
    {.name = "hidden",
     .type = MF_KEY_OTHER,
     .offset = TOP(grid.hidden),
     .high = MF_SCENARIO_CELL_FAR,
     .read = mf_scenario_read_cells,
     .help = "blocked cells that no controller knows before a drone has met them"},
    TRIPLE("station", TOP(search.station), -MF_SCENARIO_FAR_M, MF_SCENARIO_FAR_M,
           "where a team begins and returns to: [north, east, up] [m]; the origin"),
    MAP("weather", TOP(weather), mf_scenario_weather_keys, "wind and values of the air"),
    MAP("collisions", TOP(collisions), mf_scenario_collisions_keys,
        "bees and rigid bodies bounce off members; without it all pass through each other"),
    LIST_OF("obstacles", struct mf_scenario, search.obstacle, search.obstacles,
            MF_SCENARIO_OBSTACLES_MAX, mf_scenario_obstacle_keys, mf_scenario_obstacle_defaults,
            "what is in the way: a team that searches flies around it, range measures it, "
            "contacts are told"),
};
static const struct mf_keys k_space_keys = {k_space, COUNT_OF(k_space), NULL, SIZE_MAX};

static const struct mf_key k_top[] = {
    WHOLE("swarm", TOP(version), MF_SCENARIO_VERSION, MF_SCENARIO_VERSION,
          "version of these keys: 1"),
    NAME("title", TOP(title), MF_KEYS_TEXT_MAX, "title, for people"),
    {.name = "seed",
     .type = MF_KEY_LONG,
     .offset = TOP(seed),
     .low = 0,
     .high = INT32_MAX,
     .help = "seed of everything that is left to chance; 1"},
    {.name = "time", .type = MF_KEY_MAP, .keys = &k_time_keys, .help = "how time passes"},
    {.name = "space",
     .type = MF_KEY_MAP,
     .keys = &k_space_keys,
     .help = "place: origin, boundary, cells, obstacles, weather"},
    MAP("medium", TOP(medium), mf_scenario_medium_keys, "the air between radios"),
    LIST_OF("entities", struct mf_scenario, entity, entities, MF_SCENARIO_ENTITIES_MAX,
            mf_scenario_entity_keys, mf_scenario_entity_defaults, "members of the swarm, by kinds"),
    MAP("plan", TOP(search), mf_scenario_plan_keys,
        "how a team searches space.boundary (docs/papers.md)"),
    MAP("planner", TOP(planner), mf_planner_keys,
        "planner that sends members through a world that it splits into cells (docs/hive.md)"),
    MAP("detection", TOP(search), mf_scenario_detection_keys,
        "how likely a camera reports an object"),
    LIST_OF(
        "controllers", struct mf_scenario, grid.controller, grid.controllers,
        MF_GRID_CONTROLLERS_MAX, mf_scenario_controller_keys, mf_scenario_controller_defaults,
        "controllers that hand out tasks in a world of cells; they tick in the order of their ids"),
    MAP("effector", TOP(grid), mf_scenario_effector_keys, "disturbances of a world of cells"),
    MAP("outputs", TOP(outputs), mf_output_keys, "files that the run writes"),
    {.name = "links",
     .type = MF_KEY_MAP,
     .offset = TOP(links),
     .keys = &mf_scenario_links_keys,
     .loose = true,
     .help = "how programs outside reach the vehicles"},
    MAP("cost", TOP(search.cost), mf_scenario_own_keys,
        "what flight costs a searcher: of a plug-in; the length of its thrust"),
    LIST_OF("components", struct mf_scenario, component, components, MF_SCENARIO_COMPONENTS_MAX,
            mf_component_keys, mf_component_defaults,
            "programs beside the run: loggers and bridges that read the state of members"),
    LIST_OF("plugins", struct mf_scenario, plugin, plugins, MF_SCENARIO_PLUGINS_MAX,
            mf_scenario_plugin_keys, mf_scenario_plugin_defaults,
            "shared objects with plans and more of one's own (docs/plugins.md)"),
    MAP("bus", TOP(bus), mf_scenario_bus_keys, "where programs take part (docs/bus.md)"),
    {.name = "network",
     .type = MF_KEY_LIST,
     .offset = TOP(network),
     .defaults = mf_scenario_network_defaults,
     .size = sizeof(struct mf_scenario_network),
     .most = MF_SCENARIO_NETWORKS_MAX,
     .count_at = TOP(networks),
     .keys = &mf_scenario_network_keys,
     .one = true,
     .help = "network that carries packets of programs outside (docs/cosim.md)"},
    LIST_OF("flows", struct mf_scenario, flow, flows, MF_SCENARIO_FLOWS_MAX, mf_scenario_flow_keys,
            NULL, "links of MAVLink clients over any of the networks (docs/cosim.md)"),
    LIST_OF("processes", struct mf_scenario, process, processes, MF_SCENARIO_PROCESSES_MAX,
            mf_scenario_process_keys, mf_scenario_process_defaults,
            "programs that are started with the swarm, in this order (docs/cosim.md)"),
    MAP("gzuav", TOP(gzuav), mf_scenario_gzuav_keys,
        "where clients of gzuav take part (docs/cosim.md)"),
    MAP("hosts", TOP(hosts), mf_scenario_hosts_keys,
        "other processes that carry vehicles, here or elsewhere (docs/cosim.md)"),
    LIST_OF("expect", struct mf_scenario, expect, expects, MF_SCENARIO_EXPECT_MAX,
            mf_scenario_expect_keys, mf_scenario_expect_defaults,
            "what must hold; the run fails if it does not"),
    MAP("sweep", TOP(sweep), mf_sweep_keys, "the runs of mayfly-swarm sweep"),
    OTHER("variations", TOP(variations), read_variations,
          "{name: {dotted.key: value}}: what --variation NAME changes"),
};
const struct mf_keys mf_scenario_keys = {k_top, COUNT_OF(k_top), NULL, SIZE_MAX};
