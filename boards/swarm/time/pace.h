/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the time of a world passes that goes by steps: ticks of cells, steps of a search. Between two
 * steps everybody is heard who may hold it: signals, the time socket, the control API, the console.
 */
#ifndef MF_BOARDS_SWARM_PACE_H
#define MF_BOARDS_SWARM_PACE_H

#include "boards/swarm/time/real.h"

struct swarm_pace {
    struct swarm *w;
    bool (*hear)(void *ctx, bool stands); /**< the console, which waits shortly while time stands;
                                               true: something was said. NULL: there is none */
    void *ctx;
    double heard_s; /**< time of the wall when clients were heard last */
    struct swarm_real real;
};

/** @brief Steps that are done at a time. */
uint64_t swarm_pace_steps(const struct swarm *w, mf_us_t at_us);

/** @brief Clients are let in, time counts from now. @param p  w, hear and ctx are set */
void swarm_pace_begin(struct swarm_pace *p);

/** @brief A tick of cells, or a step of a search [s]. */
static inline double swarm_pace_step_s(const struct swarm *w)
{
    return w->scenario->grid.size[0] > 0.0 ? w->scenario->grid.tick_s : w->scenario->time.step_s;
}

/** @brief Time at the end of so many steps. */
mf_us_t swarm_pace_at(double step_s, uint64_t steps);

/** @brief Before a step that is number @p step, from 1: wait until it may be done.
 *  @return false: the run ends here */
bool swarm_pace_turn(struct swarm_pace *p, uint64_t step, const volatile int *stop);

/** @brief Nothing will happen any more by itself: a run with clients and without an end in seconds
 * stays for them. @return true: an operator has changed something; false: the run ends here */
bool swarm_pace_rest(struct swarm_pace *p, const volatile int *stop);

#endif
