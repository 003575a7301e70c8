/* SPDX-License-Identifier: Apache-2.0 */
/** The course of a run, for its loops, its summary and the API. */
#ifndef MF_BOARDS_SWARM_TIME_COURSE_H
#define MF_BOARDS_SWARM_TIME_COURSE_H

#include "boards/swarm/core/swarm.h"

/** The state of a run. */
struct swarm_course {
    struct mf_engine_slot *heap; /**< [SWARM_TIMERS + 1] of the engine, in the arena */
    mf_us_t resumed_us; /**< time at which this process took over; 0: the run began in it */
    bool reached;       /**< the run has come to the time of its checkpoint */
    bool interrupted;   /**< a signal has ended it */
    /* Figures of a clock that counts with the wall */
    double late_s;     /**< lateness at most [s of the wall] */
    uint64_t instants; /**< number of instants at which something happened */
    uint64_t punctual; /**< instants within 20 ms of the wall */
};

static inline struct swarm_course *swarm_course_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RUN];
}

#endif
