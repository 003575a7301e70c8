/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/outside/patience.h"

#include "boards/swarm/links/links.h"
#include "boards/swarm/outside/processes.h"
#include "boards/swarm/outside/spins.h"

#include <string.h>

/* @return whether a debugger has stopped it, or may */
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

static bool debugged(void)
{
    char status[64];
    pid_t pid;
    bool is = is_debugged("/proc/self/status");
    for (uint32_t k = 0; !is && swarm_process_pid(k, &pid); k++) {
        (void)snprintf(status, sizeof status, "/proc/%d/status", (int)pid);
        is = pid > 0 && is_debugged(status);
    }
    (void)snprintf(status, sizeof status, "/proc/%d/status", (int)swarm_spins_pid());
    return is || (swarm_spins_pid() > 0 && is_debugged(status));
}

enum swarm_patience_verdict swarm_patience(struct swarm *w, struct swarm_patience *p,
                                           const struct swarm_patience_rule *rule)
{
    const double now_s = swarm_wall_s(), at_s = (double)rule->at_us / 1e6;
    p->since_s = p->since_s > 0.0 ? p->since_s : now_s;
    if (p->told || rule->patience_s <= 0.0 || now_s - p->since_s <= rule->patience_s) {
        return SWARM_PATIENCE_LASTS;
    }
    if (debugged()) {
        p->since_s = now_s;
        return SWARM_PATIENCE_LASTS;
    }
    p->told = true;
    w->silences++;
    (void)snprintf(w->silent, sizeof w->silent, "%s", rule->who);
    (void)fprintf(stderr, "mayfly-swarm: %s: %s has been silent for %g s at %.6f s\n", rule->key,
                  rule->who, rule->patience_s, at_s);
    if (rule->silent == MF_SCENARIO_SILENT_STOP) {
        (void)swarm_refuse(w, rule->line,
                           "%s: %s did not answer within %g s at %.6f s: end its loop, raise "
                           "%s.patience, or let %s.silent be drop or wait",
                           rule->key, rule->who, rule->patience_s, at_s, rule->key, rule->key);
        w->silent_stop = true;
        return SWARM_PATIENCE_STOPS;
    }
    return rule->silent == MF_SCENARIO_SILENT_DROP ? SWARM_PATIENCE_DROPS : SWARM_PATIENCE_LASTS;
}

void swarm_patience_end(struct swarm *w, struct swarm_patience *p)
{
    if (p->told) {
        w->silent[0] = '\0';
    }
    *p = (struct swarm_patience){0};
}

void swarm_patience_serve(struct swarm *w)
{
    if (w->links != NULL) {
        swarm_links_wait(w, 0.0);
        swarm_links_take(w);
    }
}
