/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Several hosts (docs/cosim.md): vehicles of a swarm that other processes carry, the leaves of a
 * tree whose root is this one. The root has time, the network, agents, connections and files; a
 * leaf has the firmware of its vehicles, and does what it is told (leaf.h).
 *
 * Operations wait until somebody looks at their results: then one frame goes down, one comes up,
 * and its records are taken in the order of vehicles. So the partition has no effect.
 */
#ifndef MF_BOARDS_SWARM_HOSTS_H
#define MF_BOARDS_SWARM_HOSTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/flock.h"

struct swarm_command;
struct mf_order_queue;

/** @brief Is the vehicle carried by a leaf? */
bool swarm_hosts_has(const struct swarm *w, uint32_t i);

/** @brief Has its leaf been lost? */
bool swarm_hosts_lost(const struct swarm *w, uint32_t i);

/** @brief Members will be looked at next at this time, once they have run. */
void swarm_hosts_expect(struct swarm *w, mf_us_t at_us);

/** @brief Vehicles run up to and including a time. */
void swarm_hosts_run(struct swarm *w, mf_us_t until_us);

/** @brief Their missions begin. */
void swarm_hosts_start(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);

/** @brief Orders @p from .. @p to - 1, of vehicles, are given, and have their answers. */
void swarm_hosts_give(struct swarm *w, struct mf_order_queue *orders, uint32_t from, uint32_t to,
                      mf_us_t at_us);

/** @brief Birds among vehicles look. @param bird  [count] theirs are filled in */
void swarm_hosts_see(struct swarm *w, struct mf_bird *bird, uint32_t count, mf_us_t at_us);

/** @brief They act by what all have seen. */
void swarm_hosts_move(struct swarm *w, const struct mf_bird *bird, uint32_t count, mf_us_t at_us);

/** @brief A process of the scenario begins on its leaf. @return SWARM_OK, or SWARM_INPUT with an
 * error */
int swarm_hosts_start_process(struct swarm *w, uint32_t k);

/** @brief What waits is done now. */
void swarm_hosts_sync(struct swarm *w);

/** @brief As of the crowd. */
struct mf_crowd_state swarm_hosts_state(const struct swarm *w, uint32_t i);
struct mf_pose swarm_hosts_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);
float swarm_hosts_charge(const struct swarm *w, uint32_t i, mf_us_t at_us);

struct swarm_sum;
/** @brief What all leaves have come to. @return false: there are no hosts */
bool swarm_hosts_sum(const struct swarm *w, struct swarm_sum *sum);

/** @brief Steps of vehicles, as far as they are known; nothing is asked for. */
uint64_t swarm_hosts_steps(const struct swarm *w);

/** @brief Nothing more will come: what vehicles have done is told. */
void swarm_hosts_end(struct swarm *w);

/** @brief The digest of all vehicles. */
uint64_t swarm_hosts_digest(const struct swarm *w);

/** Vehicles in other processes. */
extern const struct swarm_system swarm_hosts_system;

#endif
