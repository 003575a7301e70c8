/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A world that goes by steps, as a carrier of the loop of a run: ticks of cells, steps of a search.
 * The system of the world embeds struct swarm_steps; the system of steps adds its limits, the
 * console of --step and the operator, who may give the world more to do.
 */
#ifndef MF_BOARDS_SWARM_TIME_STEPS_H
#define MF_BOARDS_SWARM_TIME_STEPS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/time/console.h"
#include "boards/swarm/time/operator.h"

struct swarm_steps;

/** Functions of a world. */
struct swarm_steps_ops {
    /** Number of steps that are done. */
    uint64_t (*count)(const struct swarm_steps *s);
    /** Do the next step, which begins at the present time of the run. Vehicles fly up to @p end_us,
     * its end.
     *  @return false: nothing is left to do, or the world has failed */
    bool (*run_step)(struct swarm_steps *s, mf_us_t end_us);
    /** Hash of all steps. */
    uint64_t (*digest)(const struct swarm_steps *s);
};

/** A world in steps. It lies in the arena, so that a checkpoint holds it. */
struct swarm_steps {
    const struct swarm_steps_ops *ops;
    bool busy; /**< a further step would change something */
    bool said; /**< the console has obeyed a line since the last sleep */
    struct swarm_console console;
};

/** @return NULL: members do not go by steps */
static inline struct swarm_steps *swarm_steps_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_STEPS];
}

/** The system of steps; it stands before the system of links, and its world behind it. */
extern const struct swarm_system swarm_steps_system;

/** @brief Let the loop of the run carry a world, which is busy from now on.
 *  @param s  cleared; it belongs to the caller and outlives the run */
void swarm_steps_prepare(struct swarm *w, struct swarm_steps *s, const struct swarm_steps_ops *ops);

/** @brief Time to which the world has come when its carrier ran up to @p to_us: the end of the last
 * step if the world did not come so far. Without steps it is @p to_us. */
mf_us_t swarm_steps_reached_us(const struct swarm *w, mf_us_t to_us);

/** @brief End of the run. A world in steps ends with the step that reaches time.end.
 *  @return MF_NEVER: time.end is not in seconds */
mf_us_t swarm_end_us(const struct swarm *w);

#endif
