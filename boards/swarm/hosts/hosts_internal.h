/* SPDX-License-Identifier: Apache-2.0 */
/** The root's state of its leaves, shared by the files hosts*.c. */
#ifndef MF_BOARDS_SWARM_HOSTS_INTERNAL_H
#define MF_BOARDS_SWARM_HOSTS_INTERNAL_H

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

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_hosts *swarm_hosts_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_HOSTS];
}

/** @brief What has come up in a phase is taken: of each vehicle in the order in which it was done,
 *  and vehicle by vehicle. A branch that has nothing to say has a reply without bytes. */
void swarm_hosts_take(struct swarm *w);

/** @brief Begin a record that changes vehicles, whose poses and states are unknown until leaves
 * reply.
 *  @param bytes  room for that many more  @return the writer of its values */
static inline struct mf_hosts_writer *
swarm_hosts_put(struct swarm_hosts *h, enum mf_hosts_kind kind, uint32_t key, size_t bytes)
{
    swarm_wire_room(&h->out, bytes);
    mf_hosts_put(&h->out, kind, key);
    h->looked_us = MF_NEVER;
    h->known = false;
    return &h->out;
}

/** @brief True if the leaf of a vehicle is lost. */
static inline bool swarm_hosts_lost(const struct swarm *w, uint32_t i)
{
    return swarm_hosts_of(w)->lost[i];
}

/** @brief Let links send to leaves (hosts_links.c). @param sync  waits until leaves have acted */
void swarm_hosts_attach_links(struct swarm *w, void (*sync)(struct swarm *w));

/** @brief A vehicle of a leaf has written to a link; its clients permit another time. */
void swarm_hosts_take_wrote(struct swarm *w, uint32_t i, struct mf_hosts_record *r);
void swarm_hosts_take_limit(struct swarm *w, uint32_t i, struct mf_hosts_record *r);

/** @brief Disconnect the clients of a vehicle whose leaf is lost. */
void swarm_hosts_drop_links(struct swarm *w, uint32_t i);

/** @brief A branch is lost, and so are all that it carries. @param why  "is gone" */
void swarm_hosts_lose(struct swarm *w, uint32_t k, const char *why);

#endif
