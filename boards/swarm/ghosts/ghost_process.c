/* SPDX-License-Identifier: Apache-2.0 */
/* Grant time to ghosts whose drones are processes of the scenario, and count their traffic;
 * ghosts.c and time/control.c call it. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"

void ghost_time_trace(struct ghost *ghost, mf_us_t at_us)
{
    struct swarm *w = ghost->of->w;
    for (const char *c = ghost->reported; *c != '\0'; c++) {
        ghost->truths = (ghost->truths ^ (uint8_t)*c) * UINT64_C(0x100000001B3); /* FNV-1a */
    }
    if (swarm_trace_of(w) != NULL) {
        swarm_trace(swarm_trace_of(w), (uint64_t)at_us * 1000u, "%s:%s",
                    swarm_name(w, ghost->i).text, ghost->reported);
    }
}

void ghost_mark_lost(struct ghost *ghost, mf_us_t at_us)
{
    struct swarm *w = ghost->of->w;
    const struct swarm_name name = swarm_name(w, ghost->i);
    ghost->gone = true;
    ghost->next_us = MF_NEVER;
    if (*w->hold.stop) {
        return;
    }
    (void)fprintf(stderr, "mayfly-swarm: %s has left at %.6f s\n", name.text, (double)at_us / 1e6);
    swarm_trace(swarm_trace_of(w), (uint64_t)at_us * 1000u, "%s has left", name.text);
    ghost_report_events(ghost, at_us, 1u << MF_SCENARIO_EVENT_LOST);
}

void ghost_begin_grants(struct swarm_ghosts *g, mf_us_t at_us, bool again)
{
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->process != NULL && !ghost->gone && (again || ghost->at_us < at_us)) {
            ghost_time_begin_grant(ghost, at_us);
        }
    }
}

void swarm_ghosts_serve(struct swarm *w)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g == NULL) {
        return;
    }
    ghost_begin_grants(g, g->stands_us, true);
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->process != NULL && !ghost->gone && !ghost_time_grant(g, ghost, g->stands_us)) {
            ghost_mark_lost(ghost, g->stands_us);
        }
    }
}

void swarm_ghosts_count(const struct swarm *w, uint64_t *in, uint64_t *out)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        *in += g->ghost[k].in + (g->ghost[k].gone ? 1u : 0u);
        *out += g->ghost[k].out;
    }
}
