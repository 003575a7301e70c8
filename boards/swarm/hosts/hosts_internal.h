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

/* A record of one vehicle, kept until replies are applied in the order of vehicles. */
struct kept_record {
    uint32_t vehicle, number;
    struct mf_hosts_record record;
};

/* State of a vehicle on a leaf, as the root knows it. */
struct far_vehicle {
    bool lost;                   /* its leaf is lost */
    bool has_trail;              /* `trail` is valid */
    struct mf_crowd_state state; /* last state */
    struct mf_pose pose;         /* at looked_us */
    float charge;                /* at looked_us */
    struct mf_crowd_trail trail; /* part of the digest */
};

struct swarm_hosts {
    struct swarm_branches down;
    struct swarm_frame reply[MF_SCENARIO_LEAVES_MAX]; /* of branches in the present phase */
    struct swarm_sum sum[MF_SCENARIO_LEAVES_MAX];     /* of branches, the last ones */
    struct mf_hosts_writer out;                       /* commands for the next phase */
    uint64_t phase;
    mf_us_t at_us; /* time to which vehicles have run */
    /* Held during an exchange; recursive, because applying replies may read poses. */
    pthread_mutex_t lock;
    uint16_t *place;                             /* [members]: place that carries the vehicle */
    uint16_t process[MF_SCENARIO_PROCESSES_MAX]; /* places of the scenario's processes */
    uint8_t *here;                               /* [members], zeros: the root carries no vehicle */
    struct far_vehicle *vehicle;                 /* [members] */
    _Atomic mf_us_t looked_us;                   /* time of pose and charge; MF_NEVER: stale */
    atomic_bool known;                           /* `state` is valid: no command waits */
    mf_us_t expect_us;                           /* next instant of the engine */
    bool early; /* vehicles stand 1 us before the instant: controllers act before them */
    /* [early]: the run read poses at the last such instant, so leaves send the next ones */
    bool wanted[2];
    struct mf_order_queue *orders; /* orders whose answers the present phase returns; or NULL */
    /* [flock_count]: flock members whose state the present phase returns */
    struct mf_flock_member *flock;
    uint32_t flock_count;
    struct swarm_rows kept; /* of struct kept_record, in the order of arrival */
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

/** @brief Apply all replies of a phase: vehicle by vehicle, and for each vehicle in the order of
 * its records. A branch that did not reply has a reply of 0 bytes. */
void swarm_hosts_apply_replies(struct swarm *w);

/** @brief Begin a record that changes vehicles, whose poses and states are unknown until leaves
 * reply.
 *  @param bytes  room for that many more  @return the writer of its values */
static inline struct mf_hosts_writer *
swarm_hosts_put(struct swarm_hosts *h, enum mf_hosts_kind kind, uint32_t key, size_t bytes)
{
    swarm_wire_reserve(&h->out, bytes);
    mf_hosts_put(&h->out, kind, key);
    h->looked_us = MF_NEVER;
    h->known = false;
    return &h->out;
}

/** @brief True if the leaf of a vehicle is lost. */
static inline bool swarm_hosts_is_lost(const struct swarm *w, uint32_t i)
{
    return swarm_hosts_of(w)->vehicle[i].lost;
}

/** @brief Let links send to leaves (hosts_links.c). @param sync  waits until leaves have acted */
void swarm_hosts_attach_links(struct swarm *w, void (*sync)(struct swarm *w));

/** @brief Apply a record of a vehicle on a leaf: bytes that it has written to a link; a new limit
 * of time by its clients. */
void swarm_hosts_apply_wrote(struct swarm *w, uint32_t i, struct mf_hosts_record *r);
void swarm_hosts_apply_limit(struct swarm *w, uint32_t i, struct mf_hosts_record *r);

/** @brief Disconnect the clients of a vehicle whose leaf is lost. */
void swarm_hosts_drop_links(struct swarm *w, uint32_t i);

/** @brief Mark a branch lost, with all vehicles and processes that it carries. @param why  for the
 * line on stderr, such as "is gone" */
void swarm_hosts_mark_lost(struct swarm *w, uint32_t k, const char *why);

#endif
