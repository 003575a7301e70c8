/* SPDX-License-Identifier: Apache-2.0 */
/** The root's state of its leaves, shared by the files hosts*.c. */
#ifndef MF_BOARDS_SWARM_HOSTS_OWN_H
#define MF_BOARDS_SWARM_HOSTS_OWN_H

#include "boards/swarm/core/gathered.h"
#include "boards/swarm/hosts/branches.h"
#include "boards/swarm/hosts/hosts_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* Of a record of one vehicle, that waits for its turn. */
struct told {
    uint32_t vehicle, number;
    struct mf_hosts_record record;
};

struct swarm_hosts {
    struct swarm_branches down;
    struct swarm_frame *reply;  /* [branches] */
    struct swarm_sum *sum;      /* [branches] */
    struct mf_hosts_writer out; /* what waits */
    uint64_t phase;
    mf_us_t at_us;        /* to which vehicles have come */
    pthread_mutex_t lock; /* of threads that look; what is taken may look, too */
    uint16_t *place;      /* [members] */
    uint16_t process[MF_SCENARIO_PROCESSES_MAX]; /* their places */
    uint8_t *here;                               /* [members] none */
    bool *lost;                                  /* [members] */
    struct mf_crowd_state *state;                /* [members] */
    struct mf_pose *pose;                        /* [members] */
    float *charge;                               /* [members] */
    struct mf_crowd_trail *trail;                /* [members] */
    bool *told;                                  /* [members] there is a trail */
    _Atomic mf_us_t looked_us;                   /* of pose and charge; MF_NEVER: no more */
    atomic_bool known;                           /* nothing that was put has yet to be done */
    mf_us_t expect_us;
    bool early;     /* the present instant has begun, and controllers come before vehicles */
    bool wanted[2]; /* early or not: who looked at the last instant looks at the next, too */
    struct mf_order_queue *orders;
    struct mf_bird *bird;
    uint32_t birds;
    struct swarm_rows told_rows; /* struct told */
    pid_t started[MF_SCENARIO_LEAVES_MAX];
    uint32_t losses;
    bool ended, stopped;
    uint64_t frames, bytes;
};

/** @brief What has come up in a phase is taken: of each vehicle in the order in which it was done,
 *  and vehicle by vehicle. A branch that has nothing to say has a reply without bytes. */
void swarm_hosts_take(struct swarm *w);

/** @brief A branch is lost, and so are all that it carries. @param why  "is gone" */
void swarm_hosts_lose(struct swarm *w, uint32_t k, const char *why);

#endif
