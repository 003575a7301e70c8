/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/time/costs.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"

#include <inttypes.h>
#include <string.h>

#define LINE_WALL_S 0.1

static const char *const k_word[] = {
#define X(name, word, events) word,
    SWARM_COST_LIST(X)
#undef X
};

static const char *const k_events[] = {
#define X(name, word, events) events,
    SWARM_COST_LIST(X)
#undef X
};

static int attach(struct swarm *w)
{
    const char *path = w->command->profile;
    struct swarm_costs *c = &w->costs;
    c->begin_s = c->told_s = c->lap_s = swarm_wall_s();
    if (path == NULL) {
        return SWARM_OK;
    }
    const char *why;
    c->file = mf_output_stream(path, &why);
    if (c->file == NULL) {
        return swarm_refuse(w, 1, "--profile %s: %s", path, why);
    }
    (void)fputs("t_s,wall_s", c->file);
    for (int i = 0; i < SWARM_COSTS; i++) {
        (void)fprintf(c->file, ",%s_s,%s_%s", k_word[i], k_word[i], k_events[i]);
    }
    (void)fputc('\n', c->file);
    return SWARM_OK;
}

void swarm_costs_skip(struct swarm *w)
{
    w->costs.lap_s = swarm_wall_s();
}

void swarm_costs_lap(struct swarm *w, enum swarm_cost cost, uint64_t events)
{
    const double now_s = swarm_wall_s();
    w->costs.wall_s[cost] += now_s - w->costs.lap_s;
    w->costs.lap_s = now_s;
    swarm_costs_count(w, cost, events);
}

void swarm_costs_count(struct swarm *w, enum swarm_cost cost, uint64_t events)
{
    w->costs.events[cost] += events;
}

/* What has come since the line before. */
static void write_line(struct swarm *w)
{
    struct swarm_costs *c = &w->costs;
    c->told_s = c->lap_s;
    (void)fprintf(c->file, "%.6f,%.6f", (double)w->now_us / 1e6, c->lap_s - c->begin_s);
    for (int i = 0; i < SWARM_COSTS; i++) {
        (void)fprintf(c->file, ",%.6f,%" PRIu64, c->wall_s[i] - c->told_wall_s[i],
                      c->events[i] - c->told_events[i]);
        c->told_wall_s[i] = c->wall_s[i];
        c->told_events[i] = c->events[i];
    }
    (void)fputc('\n', c->file);
}

void swarm_costs_note(struct swarm *w)
{
    if (w->costs.file != NULL && w->costs.lap_s - w->costs.told_s >= LINE_WALL_S) {
        write_line(w);
    }
}

static void tell(const struct swarm *w)
{
    const char *comma = "costs     ";
    for (int i = 0; i < SWARM_COSTS; i++) {
        if (w->costs.events[i] > 0) {
            (void)printf("%s%s %.3f s for %" PRIu64 " %s", comma, k_word[i], w->costs.wall_s[i],
                         w->costs.events[i], k_events[i]);
            comma = ", ";
        }
    }
    (void)printf("%s", comma[0] == ',' ? "\n" : "");
}

static bool complete(struct swarm *w)
{
    struct swarm_costs *c = &w->costs;
    if (c->file == NULL) {
        return true;
    }
    write_line(w);
    return swarm_close(c->file);
}

const struct swarm_system swarm_costs_system = {
    .name = "costs",
    .on = {[SWARM_ATTACH] = attach}, /* what comes before counts as booting */
    .tell = tell,
    .complete = complete,
};
