/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the costs of a run (costs.h). The run loop and the systems that it calls use it. */
#include "boards/swarm/core/costs.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINE_WALL_S 0.1

struct swarm_costs {
    double wall_s[SWARM_COSTS];
    uint64_t events[SWARM_COSTS];
    double lap_s;                      /* time of the wall at the end of the last lap [s] */
    FILE *file;                        /* of --profile, or NULL */
    double begin_s;                    /* time of the wall at SWARM_ATTACH [s] */
    double line_s;                     /* time of the wall at the last line of the file [s] */
    double line_wall_s[SWARM_COSTS];   /* wall_s at the last line of the file */
    uint64_t line_events[SWARM_COSTS]; /* events at the last line of the file */
};

static struct swarm_costs *costs_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_COSTS];
}

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

static int open_profile(struct swarm *w)
{
    const char *path = w->command->profile;
    struct swarm_costs *c = costs_of(w);
    c->begin_s = c->line_s = c->lap_s = swarm_wall_s();
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
    costs_of(w)->lap_s = swarm_wall_s();
}

void swarm_costs_lap(struct swarm *w, enum swarm_cost cost, uint64_t events)
{
    struct swarm_costs *c = costs_of(w);
    const double now_s = swarm_wall_s();
    c->wall_s[cost] += now_s - c->lap_s;
    c->lap_s = now_s;
    c->events[cost] += events;
}

void swarm_costs_count(struct swarm *w, enum swarm_cost cost, uint64_t events)
{
    costs_of(w)->events[cost] += events;
}

/* Write the costs since the last line. */
static void write_costs(struct swarm_costs *c, mf_us_t now_us)
{
    c->line_s = c->lap_s;
    (void)fprintf(c->file, "%.6f,%.6f", (double)now_us / 1e6, c->lap_s - c->begin_s);
    for (int i = 0; i < SWARM_COSTS; i++) {
        (void)fprintf(c->file, ",%.6f,%" PRIu64, c->wall_s[i] - c->line_wall_s[i],
                      c->events[i] - c->line_events[i]);
        c->line_wall_s[i] = c->wall_s[i];
        c->line_events[i] = c->events[i];
    }
    (void)fputc('\n', c->file);
}

void swarm_costs_record(struct swarm *w)
{
    struct swarm_costs *c = costs_of(w);
    if (c->file != NULL && c->lap_s - c->line_s >= LINE_WALL_S) {
        write_costs(c, w->now_us);
    }
}

static void print_summary(const struct swarm *w)
{
    const struct swarm_costs *c = costs_of(w);
    const char *comma = "costs     ";
    for (int i = 0; i < SWARM_COSTS; i++) {
        if (c->events[i] > 0) {
            (void)printf("%s%s %.3f s for %" PRIu64 " %s", comma, k_word[i], c->wall_s[i],
                         c->events[i], k_events[i]);
            comma = ", ";
        }
    }
    (void)printf("%s", comma[0] == ',' ? "\n" : "");
}

static bool close_profile(struct swarm *w)
{
    struct swarm_costs *c = costs_of(w);
    if (c->file == NULL) {
        return true;
    }
    write_costs(c, w->now_us);
    return swarm_close(w, c->file);
}

const struct swarm_system swarm_costs_system = {
    .name = "costs",
    .bytes = sizeof(struct swarm_costs),
    .on = {[SWARM_ATTACH] = open_profile}, /* all before this stage counts as booting */
    .print_summary = print_summary,
    .complete = close_profile,
};
