/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the figures of all systems in the text format of Prometheus. The control API calls it. */
#include "boards/swarm/core/metrics.h"

#include "boards/swarm/core/swarm.h"

static size_t write_metric(const struct swarm_metric *m, double value, char *text, size_t cap)
{
    return (size_t)snprintf(text, cap, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", m->name, m->help,
                            m->name, m->type, m->name, value);
}

size_t swarm_metrics_write(const struct swarm *w, char *text, size_t cap)
{
    const struct swarm_metric *metric[SWARM_METRICS_MAX];
    double value[SWARM_METRICS_MAX];
    size_t count = 0, at = 0;
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        const size_t from = count;
        const struct swarm_metrics *of = (*s)->metrics;
        for (size_t k = 0; of != NULL && of->metric[k].name != NULL; k++) {
            MF_ASSERT(count < SWARM_METRICS_MAX);
            metric[count++] = &of->metric[k];
        }
        if (of != NULL) {
            of->measure(w, &value[from]);
        }
    }
    for (enum swarm_metric_subject subject = 0; subject < SWARM_METRIC_SUBJECTS; subject++) {
        for (size_t k = 0; k < count; k++) {
            at += metric[k]->subject == subject
                      ? write_metric(metric[k], value[k], text + at, cap - at)
                      : 0;
        }
    }
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        if ((*s)->metrics != NULL && (*s)->metrics->write_labelled != NULL) {
            at += (*s)->metrics->write_labelled(w, text + at, cap - at);
        }
    }
    MF_ASSERT(at < cap);
    return at;
}
