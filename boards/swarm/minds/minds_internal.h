/* SPDX-License-Identifier: Apache-2.0 */
/** The state of behaviours, shared by the files of minds/. */
#ifndef MF_BOARDS_SWARM_MINDS_INTERNAL_H
#define MF_BOARDS_SWARM_MINDS_INTERNAL_H

#include "boards/swarm/core/swarm.h"
#include "fleet/behaviour.h"
#include "fleet/flock.h"

/** The behaviour of one member. */
struct mind {
    struct mf_mind mind;
    uint32_t bird; /* number of the member in the flock; UINT32_MAX: in none */
};

/** The flock: its members act at the same instants, after all have looked at each other. */
struct flock {
    struct mf_flock birds; /* count 0: there is none */
    struct mf_timer timer;
    mf_us_t period_us;
    mf_us_t at_us;
};

struct swarm_minds {
    struct mind *mind;                          /* [members] */
    uint8_t *own[MF_SCENARIO_ENTITIES_MAX];     /* state of all members of an entity; or NULL */
    size_t own_bytes[MF_SCENARIO_ENTITIES_MAX]; /* of one member */
    struct flock flock;
};

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_minds *swarm_minds_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_MINDS];
}

#endif
