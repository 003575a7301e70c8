/* SPDX-License-Identifier: Apache-2.0 */
/* Decides how long a run waits for a silent participant. The bus, gzuav, bodies, ghosts, hosts and
 * spins.c call it. */
#include "boards/swarm/processes/patience.h"

#include "boards/swarm/links/links.h"
#include "hal-posix/keeper.h"

#include <string.h>
#include <unistd.h>

#define WAIT_MS       50    /* longest wait until a signal is noticed [ms] */
#define SERVE_MS      1     /* longest wait until clients and programs are served [ms] */
#define PROCESSES_MAX 1024u /* found, but not visited yet; the search skips others */

const size_t swarm_silence_bytes = sizeof(struct swarm_silence);

/* True if a debugger traces the process of a file /proc/PID/status. */
static bool is_debugged(const char *status)
{
    char line[128];
    bool traced = false;
    FILE *file = fopen(status, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        traced = traced || (strncmp(line, "TracerPid:", 10) == 0 && strstr(line, "\t0\n") == NULL);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return traced;
}

/* True if a debugger traces the swarm or one of its descendants. Commands are children of keepers.
 */
static bool is_run_debugged(void)
{
    pid_t pid[PROCESSES_MAX] = {getpid()};
    char status[64];
    size_t count = 1;
    bool is = false;
    while (count > 0 && !is) {
        const pid_t next = pid[--count];
        (void)snprintf(status, sizeof status, "/proc/%d/status", (int)next);
        is = is_debugged(status);
        count += mf_keeper_children(next, pid + count, PROCESSES_MAX - count);
    }
    return is;
}

enum swarm_patience_verdict swarm_patience_check(struct swarm *w, struct swarm_patience *p,
                                                 const struct swarm_patience_rule *rule)
{
    struct swarm_silence *silence = swarm_silence_of(w);
    const double now_s = swarm_wall_s(), at_s = (double)rule->at_us / 1e6;
    p->since_s = p->since_s > 0.0 ? p->since_s : now_s;
    if (p->reported || rule->patience_s <= 0.0 || now_s - p->since_s <= rule->patience_s) {
        return SWARM_PATIENCE_LASTS;
    }
    if (is_run_debugged()) {
        p->since_s = now_s;
        return SWARM_PATIENCE_LASTS;
    }
    p->reported = true;
    silence->count++;
    (void)snprintf(silence->who, sizeof silence->who, "%s", rule->who);
    (void)fprintf(stderr, "mayfly-swarm: %s: %s has been silent for %g s at %.6f s\n", rule->key,
                  rule->who, rule->patience_s, at_s);
    if (rule->silent == MF_SCENARIO_SILENT_STOP) {
        (void)swarm_refuse(w, rule->line,
                           "%s: %s did not answer within %g s at %.6f s: end its loop, raise "
                           "%s.patience, or let %s.silent be drop or wait",
                           rule->key, rule->who, rule->patience_s, at_s, rule->key, rule->key);
        silence->stops = true;
        return SWARM_PATIENCE_STOPS;
    }
    return rule->silent == MF_SCENARIO_SILENT_DROP ? SWARM_PATIENCE_DROPS : SWARM_PATIENCE_LASTS;
}

void swarm_patience_end(struct swarm *w, struct swarm_patience *p)
{
    if (p->reported) {
        swarm_silence_of(w)->who[0] = '\0';
    }
    *p = (struct swarm_patience){0};
}

void swarm_patience_serve_programs(struct swarm *w)
{
    if (w->hold.serve != NULL) {
        w->hold.serve(w);
    }
}

void swarm_patience_serve(struct swarm *w)
{
    if (swarm_has(w, SWARM_SLOT_LINKS)) {
        swarm_links_wait(w, 0.0);
        swarm_links_receive(w);
    }
    swarm_patience_serve_programs(w);
}

int swarm_patience_wait_ms(const struct swarm *w)
{
    return swarm_has(w, SWARM_SLOT_LINKS) || w->hold.serve != NULL ? SERVE_MS : WAIT_MS;
}

static const struct swarm_metric k_metric[] = {
    {SWARM_METRIC_PATIENCE, "mayfly_swarm_silences_total", "counter",
     "Times that participants were silent for longer than their patience."},
    {0},
};

static void measure_silences(const struct swarm *w, double *value)
{
    *value = (double)swarm_silence_of(w)->count;
}

static size_t write_silent(const struct swarm *w, char *text, size_t cap)
{
    return swarm_silence_of(w)->who[0] == '\0'
               ? 0
               : (size_t)snprintf(text, cap,
                                  "# HELP mayfly_swarm_silent Participants that have been silent "
                                  "for longer than patience.\n"
                                  "# TYPE mayfly_swarm_silent gauge\n"
                                  "mayfly_swarm_silent{participant=\"%.60s\"} 1\n",
                                  swarm_silence_of(w)->who);
}

const struct swarm_metrics swarm_patience_metrics = {k_metric, measure_silences, write_silent};
