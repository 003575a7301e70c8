/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the time of a world passes that goes by steps: ticks of cells, steps of a search. Between two
 * steps everybody is heard who may hold it: signals, the time socket, the control API, the console.
 */
#ifndef MF_BOARDS_SWARM_PACE_H
#define MF_BOARDS_SWARM_PACE_H

#include "boards/swarm/time/console.h"
#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/real.h"

struct swarm_pace {
    struct swarm *w;
    struct swarm_console *console; /**< NULL: there is none */
    double heard_s;                /**< time of the wall when clients were heard last */
    struct swarm_real real;
};

/** @brief Clients are let in, time counts from now. @param p  w, console are set */
void swarm_pace_begin(struct swarm_pace *p);

/** @brief Before a step that is number @p step, from 1: wait until it may be done.
 *  @return false: the run ends here */
bool swarm_pace_turn(struct swarm_pace *p, uint64_t step, const volatile int *stop);

/** @brief Nothing will happen any more by itself: a run with clients and without an end in seconds
 * stays for them. @return true: an operator has changed something; false: the run ends here */
bool swarm_pace_rest(struct swarm_pace *p, const volatile int *stop);

#endif
