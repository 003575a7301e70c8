/* SPDX-License-Identifier: Apache-2.0 */
/** State of behaviours, for the files of minds/ only. */
#ifndef MF_BOARDS_SWARM_MINDS_INTERNAL_H
#define MF_BOARDS_SWARM_MINDS_INTERNAL_H

#include "boards/swarm/core/swarm.h"
#include "fleet/behaviour.h"
#include "fleet/flock.h"

/** Behaviour of one member. */
struct mind {
    struct mf_mind mind;
    uint32_t flock_number; /* index of the member in the flock; UINT32_MAX: not in a flock */
};

/** The flock. Its members act at the same instants, after each has looked at all others. */
struct flock {
    struct mf_flock members; /* count is 0 without a flock */
    struct mf_timer timer;
    mf_us_t period_us;
    mf_us_t at_us;
};

struct swarm_minds {
    struct mind *mind;                          /* [members], behaviour of each */
    uint8_t *own[MF_SCENARIO_ENTITIES_MAX];     /* [entities], state of all members of each; or
                                                 * NULL */
    size_t own_bytes[MF_SCENARIO_ENTITIES_MAX]; /* [entities], bytes of one member's state */
    struct flock flock;
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_minds *swarm_minds_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_MINDS];
}

#endif
