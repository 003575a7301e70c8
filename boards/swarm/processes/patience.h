/* SPDX-License-Identifier: Apache-2.0 */
/** Patience with a participant for whose answer time waits. A participant that is silent for too
 * long is named on stderr. Then the run ends, or drops it, or waits on, as the scenario says
 * (docs/cosim.md). */
#ifndef MF_BOARDS_SWARM_PATIENCE_H
#define MF_BOARDS_SWARM_PATIENCE_H

#include "boards/swarm/core/metrics.h"
#include "boards/swarm/core/swarm.h"

enum swarm_patience_verdict {
    SWARM_PATIENCE_LASTS, /**< wait on */
    SWARM_PATIENCE_DROPS, /**< disconnect the participant */
    SWARM_PATIENCE_STOPS, /**< end the run with exit code 3; an error is set */
};

/** State of one wait for a participant. Begin with zeros. */
struct swarm_patience {
    double since_s;
    bool reported;
};

/** The scenario's rule for a participant. */
struct swarm_patience_rule {
    const char *key; /**< key of the scenario, for texts: "bus" */
    int line;
    double patience_s;
    int32_t silent;  /**< reaction after patience_s, enum mf_scenario_silent */
    const char *who; /**< name of the participant, for texts: "controller 'planner'" */
    mf_us_t at_us;
};

/** Silences of a run beyond the patience with them. */
struct swarm_silence {
    char who[64];   /**< the participant for which the run waits; "": none */
    uint64_t count; /**< number of silences */
    bool stops;     /**< a participant was silent for too long, or is gone: the run ends */
};

static inline struct swarm_silence *swarm_silence_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SILENCE];
}

extern const size_t swarm_silence_bytes;

/** @brief Decide whether to wait on for a participant that has not answered yet. Time in which a
 *  debugger holds the swarm, or a program that it has started, does not count. */
enum swarm_patience_verdict swarm_patience_check(struct swarm *w, struct swarm_patience *p,
                                                 const struct swarm_patience_rule *rule);

/** @brief End a wait, with or without an answer. */
void swarm_patience_end(struct swarm *w, struct swarm_patience *p);

/** @brief Serve the clients of vehicles, and programs in virtual time, during a wait. */
void swarm_patience_serve(struct swarm *w);

/** @brief Serve programs in virtual time alone: before SWARM_ATTACH, and within a frame. */
void swarm_patience_serve_programs(struct swarm *w);

/** @brief Longest wait until swarm_patience_serve() is due, or a signal is to be noticed [ms]. */
int swarm_patience_wait_ms(const struct swarm *w);

/** Silences of participants, for Prometheus. */
extern const struct swarm_metrics swarm_patience_metrics;

#endif
