/* SPDX-License-Identifier: Apache-2.0 */
/** Patience with participants that are waited for: whoever is silent for too long is named, then
 * the run ends, or it is let go, or waited for (docs/cosim.md). */
#ifndef MF_BOARDS_SWARM_PATIENCE_H
#define MF_BOARDS_SWARM_PATIENCE_H

#include "boards/swarm/core/swarm.h"

enum swarm_patience_verdict {
    SWARM_PATIENCE_LASTS, /**< it is waited for */
    SWARM_PATIENCE_DROPS, /**< it is let go */
    SWARM_PATIENCE_STOPS, /**< the run ends with exit code 3; an error is set */
};

/** One wait for one participant; zero at its beginning. */
struct swarm_patience {
    double since_s;
    bool told;
};

/** Whose patience it is. */
struct swarm_patience_rule {
    const char *key; /**< of the scenario, "bus" */
    int line;
    double patience_s;
    int32_t silent;  /**< enum mf_scenario_silent */
    const char *who; /**< "controller 'planner'" */
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

/** @brief It has not answered yet. Time under a debugger, of the swarm or a program that it has
 *  started, does not count. */
enum swarm_patience_verdict swarm_patience(struct swarm *w, struct swarm_patience *p,
                                           const struct swarm_patience_rule *rule);

/** @brief The wait is over, whatever has come of it. */
void swarm_patience_end(struct swarm *w, struct swarm_patience *p);

/** @brief Clients of vehicles are served while somebody is waited for. */
void swarm_patience_serve(struct swarm *w);

#endif
