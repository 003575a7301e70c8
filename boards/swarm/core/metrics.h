/* SPDX-License-Identifier: Apache-2.0 */
/** Figures of systems for Prometheus. Each system has a table of its own; the control API writes
 * those of all. */
#ifndef MF_BOARDS_SWARM_CORE_METRICS_H
#define MF_BOARDS_SWARM_CORE_METRICS_H

#include <stddef.h>

struct swarm;

/** Values of all systems together, at most. */
#define SWARM_METRICS_MAX 64u

/** Subjects, in the order in which their figures are written. */
enum swarm_metric_subject {
    SWARM_METRIC_KINDS,
    SWARM_METRIC_GHOSTS,
    SWARM_METRIC_STATES, /**< of members */
    SWARM_METRIC_TIME,
    SWARM_METRIC_PATIENCE,
    SWARM_METRIC_LINKS,
    SWARM_METRIC_SERVER,
    SWARM_METRIC_SUBJECTS
};

struct swarm_metric {
    enum swarm_metric_subject subject;
    const char *name; /**< NULL: the end of the table */
    const char *type; /**< "gauge" or "counter" */
    const char *help;
};

/** Figures of one system. */
struct swarm_metrics {
    const struct swarm_metric *metric;
    /** Write the values of the table, in its order. */
    void (*measure)(const struct swarm *w, double *value);
    /** Write a figure with labels, which is not in the table, with its help and type, after
     *  measure(); NULL: none.
     *  @return its length */
    size_t (*write_labelled)(const struct swarm *w, char *text, size_t cap);
};

/** Rows of a list that is written once for the table and for the values of one system:
 *  X(subject, name, type, help, value). */
#define SWARM_METRIC_ROW(subject, name, type, help, value) \
    {SWARM_METRIC_##subject, name, type, help},
#define SWARM_METRIC_VALUE(subject, name, type, help, value) (double)(value),

/** @brief Write the figures of all systems: subject by subject, then those with labels.
 *  @return the length of the text */
size_t swarm_metrics_write(const struct swarm *w, char *text, size_t cap);

#endif
