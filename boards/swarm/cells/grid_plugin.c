/* SPDX-License-Identifier: Apache-2.0 */
/* Calls plug-ins that schedule tasks and compute trust. grid_build.c finds them. */
#include "boards/swarm/cells/grid_plugin.h"

#include "math/chance.h"

/* Purposes of random numbers; no other file uses them. */
enum { SCHEDULER_PURPOSE = 40, TRUST_PURPOSE = 41 };

static uint32_t choose_worker(void *ctx, uint64_t tick, uint32_t number,
                              const struct mf_grid_task *task, const struct mf_grid_candidate *c,
                              uint32_t n)
{
    struct swarm_grid_plugin *o = ctx;
    const struct mf_plugin_task t = {number, task->priority, task->deadline, task->grams};
    for (uint32_t i = 0; i < n; i++) {
        o->worker[i] = (struct mf_plugin_worker){c[i].drone, c[i].ticks, c[i].trust, c[i].battery};
    }
    swarm_plugin_enter(&o->scheduler);
    const uint32_t at =
        o->scheduler.entry->scheduler->choose(&o->scheduler.self, tick, &t, o->worker, n);
    swarm_plugin_leave();
    return at;
}

/* A task of no ticks counts as one tick, so that a formula which divides gives it 1. */
static uint32_t at_least_one(uint32_t ticks)
{
    return ticks > 0 ? ticks : 1u;
}

static double rate_trust(void *ctx, const struct mf_grid_candidate *before, uint32_t estimated,
                         uint32_t actual, bool done)
{
    struct swarm_grid_plugin *o = ctx;
    const struct mf_plugin_outcome outcome = {before->drone,           before->trust,
                                              at_least_one(estimated), at_least_one(actual),
                                              before->battery,         done};
    swarm_plugin_enter(&o->trust);
    const double x = o->trust.entry->trust->trust(&o->trust.self, &outcome);
    swarm_plugin_leave();
    if (x >= 0.0 && x <= 1.0) {
        return x;
    }
    char name[MF_SCENARIO_FILE_MAX + 64u];
    swarm_plugin_name(&o->trust, name, sizeof name);
    (void)swarm_refuse(o->w, o->trust.of->line, "%s: trust is %g; it must be from 0 to 1", name, x);
    return before->trust;
}

static int find_grid_plugin(struct swarm *w, const struct mf_scenario_own *chosen,
                            enum mf_plugin_kind kind, const char *key, int line, uint64_t purpose,
                            struct swarm_plugin *own)
{
    const int result = swarm_plugin_find(w, chosen, kind, key, line, own);
    if (result != SWARM_OK) {
        return result;
    }
    own->self.key = mf_chance_key(w->scenario->seed, w->scenario->variation_number, 0, purpose);
    own->self.state = swarm_memory(w, line, own->entry->state_bytes + 1u);
    return own->self.state != NULL ? SWARM_OK : SWARM_INPUT;
}

int swarm_grid_plugin_find(struct swarm *w, const struct mf_scenario_controller *c,
                           struct swarm_grid_plugin *o, const struct mf_grid_own **hooks)
{
    int result = SWARM_OK;
    o->w = w;
    o->hooks.ctx = o;
    *hooks = NULL;
    if (c->kind == MF_GRID_BY_OWN) {
        result = find_grid_plugin(w, &c->own_scheduler, MF_PLUGIN_SCHEDULER, "scheduler", c->line,
                                  SCHEDULER_PURPOSE, &o->scheduler);
        o->hooks.choose = choose_worker;
        *hooks = &o->hooks;
    }
    if (result == SWARM_OK && c->own_trust.name[0] != '\0') {
        result = find_grid_plugin(w, &c->own_trust, MF_PLUGIN_TRUST, "trust", c->line,
                                  TRUST_PURPOSE, &o->trust);
        o->hooks.trust = rate_trust;
        *hooks = &o->hooks;
    }
    return result;
}
