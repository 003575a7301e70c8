/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the time of a world passes that goes by steps: ticks of cells, steps of a search. Between two
 * steps everybody is heard who may hold it: signals, the time socket, the control API, the console.
 */
#ifndef MF_BOARDS_SWARM_PACE_H
#define MF_BOARDS_SWARM_PACE_H

#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/real.h"

/** The live page and the file of pictures, which main.c sets in w->display. */
struct swarm_display {
    /** Obey browsers, and send them a picture if one is due. @param now  one is due */
    void (*serve)(struct swarm *w, bool now);
    /** Write a picture to the file if one is due at @p at_us. */
    void (*record)(struct swarm *w, mf_us_t at_us);
};

struct swarm_pace {
    struct swarm *w;
    bool (*hear)(void *ctx, bool stands); /**< the console, which waits shortly while time stands;
                                               true: something was said. NULL: there is none */
    void *ctx;
    double heard_s; /**< time of the wall when clients were heard last */
    struct swarm_real real;
};

/** @brief Clients are let in, time counts from now. @param p  w, hear and ctx are set */
void swarm_pace_begin(struct swarm_pace *p);

/** @brief Before a step that is number @p step, from 1: wait until it may be done.
 *  @return false: the run ends here */
bool swarm_pace_turn(struct swarm_pace *p, uint64_t step, const volatile int *stop);

/** @brief Nothing will happen any more by itself: a run with clients and without an end in seconds
 * stays for them. @return true: an operator has changed something; false: the run ends here */
bool swarm_pace_rest(struct swarm_pace *p, const volatile int *stop);

#endif
