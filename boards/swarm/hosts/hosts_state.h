/* SPDX-License-Identifier: Apache-2.0 */
/** Encode and decode states of vehicles in records of fleet/hosts.h, for the root and its leaves.
 */
#ifndef MF_BOARDS_SWARM_HOSTS_STATE_H
#define MF_BOARDS_SWARM_HOSTS_STATE_H

#include "boards/swarm/core/swarm.h"
#include "fleet/flock.h"
#include "fleet/hosts.h"

/* Readers set r->lacks if a number is out of its range. */

void swarm_put_state(struct mf_hosts_writer *w, const struct mf_crowd_state *state);
struct mf_crowd_state swarm_read_state(struct mf_hosts_record *r);

void swarm_put_pose(struct mf_hosts_writer *w, const struct mf_pose *pose);
struct mf_pose swarm_read_pose(struct mf_hosts_record *r);

void swarm_put_flock_member(struct mf_hosts_writer *w, const struct mf_flock_member *member);
struct mf_flock_member swarm_read_flock_member(struct mf_hosts_record *r);

/** Sums over the vehicles of leaves. */
struct swarm_sum {
    mf_us_t next_us; /**< next instant at which any of them moves; MF_NEVER */
    bool idle;
    uint64_t steps;
    uint32_t refused, frozen, armed, up;
};

void swarm_put_sum(struct mf_hosts_writer *w, const struct swarm_sum *sum);
struct swarm_sum swarm_read_sum(struct mf_hosts_record *r);

/** @brief Add the sum of one leaf. */
void swarm_sum_add(struct swarm_sum *to, const struct swarm_sum *sum);

#endif
