/* SPDX-License-Identifier: Apache-2.0 */
/** The course of a run, for its loops, its summary and the API. */
#ifndef MF_BOARDS_SWARM_TIME_COURSE_H
#define MF_BOARDS_SWARM_TIME_COURSE_H

#include "boards/swarm/core/swarm.h"

/** Progress of a run, and the cause of its end. */
struct swarm_course {
    struct mf_engine_slot *heap; /**< [SWARM_TIMERS + 1] of the engine, in the arena */
    mf_us_t resumed_us;          /**< where this process went on; 0: it began there */
    bool reached;                /**< it has come to the time of its checkpoint */
    bool interrupted;            /**< a signal has ended it */
    /* Punctuality of a run whose clock follows the wall */
    double late_s;     /**< lateness at most [s of the wall] */
    uint64_t instants; /**< number of instants at which something happened */
    uint64_t punctual; /**< instants within 20 ms of the wall */
};

static inline struct swarm_course *swarm_course_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RUN];
}

#endif
