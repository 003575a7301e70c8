/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of members for Prometheus: kinds, modes, missions. api/api.c lists them. */
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "firmware/flight/mode.h"
#include "firmware/state/state.h"
#include "fleet/query.h"

#include <stdio.h>
#include <string.h>

struct counts {
    uint64_t armed, in_air, finished, failsafe, breach;
    uint32_t kind[MF_SCENARIO_KINDS], mode[MF_SCENARIO_KINDS][MF_MODE_COUNT];
};

const size_t swarm_member_counts_bytes = sizeof(struct counts);

/* @return what the last count_members() found */
static struct counts *counts_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_MEMBER_COUNTS];
}

static struct counts count_members(const struct swarm *w)
{
    struct counts c = {0};
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_crowd_state now = swarm_state(w, i);
        if (swarm_is_thing(w, i) || swarm_is_absent(w, i, w->now_us)) {
            continue; /* things do not fly, and absent members are not counted */
        }
        c.kind[mf_scenario_entity_of(w->scenario, i)->as]++;
        c.mode[mf_scenario_entity_of(w->scenario, i)->as][now.mode]++;
        c.armed += now.armed;
        c.in_air += now.landed == MF_LANDED_IN_AIR;
        c.finished += now.finished;
        c.failsafe += now.failsafe;
        c.breach += now.breach;
    }
    return c;
}

/* clang-format off */
#define METRIC_LIST(X) \
    X(KINDS, "mayfly_swarm_vehicles", "gauge", "Vehicles of the scenario.", c.kind[MF_SCENARIO_KIND_VEHICLE]) \
    X(KINDS, "mayfly_swarm_agents", "gauge", "Agents of the scenario.", c.kind[MF_SCENARIO_KIND_AGENT]) \
    X(KINDS, "mayfly_swarm_ghosts", "gauge", "Ghosts of the scenario.", c.kind[MF_SCENARIO_KIND_GHOST]) \
    X(KINDS, "mayfly_swarm_bodies", "gauge", "Bodies that autopilots of others fly.", c.kind[MF_SCENARIO_KIND_BODY]) \
    X(STATES, "mayfly_swarm_armed", "gauge", "Members that are armed.", c.armed) \
    X(STATES, "mayfly_swarm_in_air", "gauge", "Members in the air.", c.in_air) \
    X(STATES, "mayfly_swarm_missions_finished", "gauge", "Vehicles whose mission is complete.", c.finished) \
    X(STATES, "mayfly_swarm_missions_refused_total", "counter", "Missions that did not begin.", swarm_count_refused(w)) \
    X(STATES, "mayfly_swarm_failsafe", "gauge", "Vehicles whose mode a failsafe chose.", c.failsafe) \
    X(STATES, "mayfly_swarm_breach", "gauge", "Vehicles outside their fence.", c.breach) \
    X(STATES, "mayfly_swarm_frozen", "gauge", "Vehicles that an assertion has ended.", mf_crowd_frozen(w->members.crowd)) \
    X(STATES, "mayfly_swarm_steps_total", "counter", "Passes of all vehicles, turns of all agents.", swarm_count_steps(w))
/* clang-format on */

static void measure_members(const struct swarm *w, double *value)
{
    const struct counts c = *counts_of(w) = count_members(w);
    const double all[] = {METRIC_LIST(SWARM_METRIC_VALUE)};
    memcpy(value, all, sizeof all);
}

/* Write the members of each kind that the scenario has, by mode, as measure_members() has counted
 * them. */
static size_t write_modes(const struct swarm *w, char *text, size_t cap)
{
    const struct counts *c = counts_of(w);
    size_t at = (size_t)snprintf(text, cap,
                                 "# HELP mayfly_swarm_members Members by kind and mode.\n"
                                 "# TYPE mayfly_swarm_members gauge\n");
    for (size_t kind = 0; kind < MF_SCENARIO_KINDS; kind++) {
        for (int mode = 0; mode < MF_MODE_COUNT && c->kind[kind] > 0; mode++) {
            at += (size_t)snprintf(
                text + at, cap - at, "mayfly_swarm_members{kind=\"%s\",mode=\"%s\"} %u\n",
                mf_query_words(MF_QUERY_KIND)[kind], mf_mode_info((enum mf_mode)mode)->text,
                (unsigned)c->mode[kind][mode]);
        }
    }
    return at;
}

static const struct swarm_metric k_metric[] = {METRIC_LIST(SWARM_METRIC_ROW){0}};

const struct swarm_metrics swarm_members_metrics = {k_metric, measure_members, write_modes};
