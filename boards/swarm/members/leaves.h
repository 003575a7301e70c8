/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Vehicles in other processes (hosts/hosts.h). The root of a swarm on several hosts carries none of
 * its vehicles: its leaves do, and this table acts on them as others do on the crowd. Each leaf
 * reports changes of its vehicles to its root.
 */
#ifndef MF_BOARDS_SWARM_MEMBERS_LEAVES_H
#define MF_BOARDS_SWARM_MEMBERS_LEAVES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/flock.h"
#include "fleet/order_queue.h"

/** Sums over vehicles. */
struct swarm_sum {
    mf_us_t next_us; /**< the next instant at which one of them moves; MF_NEVER: none will */
    bool idle;
    uint64_t steps;
    uint32_t refused, frozen, armed, up;
};

/** The table of the root, w->leaves; NULL in a process that carries its vehicles itself. */
struct swarm_leaves {
    /** As mf_crowd_state(), mf_crowd_pose(), swarm_charge(). */
    struct mf_crowd_state (*state)(const struct swarm *w, uint32_t i);
    struct mf_pose (*pose)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    float (*charge)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    struct swarm_sum (*sum)(const struct swarm *w);
    /** Steps of vehicles as last reported: asks no leaf. */
    uint64_t (*steps)(const struct swarm *w);
    uint64_t (*digest)(const struct swarm *w);
    /** True if the leaf of a vehicle is lost. */
    bool (*is_lost)(const struct swarm *w, uint32_t i);
    /** Run vehicles up to and including @p until_us. */
    void (*run)(struct swarm *w, mf_us_t until_us);
    /** Start missions of vehicles @p from .. @p to - 1. */
    void (*start)(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);
    /** Give orders @p from .. @p to - 1, which are for vehicles, and fill in their answers. */
    void (*give)(struct swarm *w, struct mf_order_queue *orders, uint32_t from, uint32_t to,
                 mf_us_t at_us);
    /** Let vehicles of a flock observe, then act. @param bird  [count] in, and theirs out */
    void (*move_birds)(struct swarm *w, struct mf_bird *bird, uint32_t count, mf_us_t at_us);
    /** Start a process of the scenario on its leaf. @return SWARM_OK, or SWARM_INPUT with an error
     */
    int (*start_process)(struct swarm *w, uint32_t k);
    /** Wait until leaves have done all of this. */
    void (*sync)(struct swarm *w);
};

/** The table of a leaf, w->root; NULL in other processes. Any thread. */
struct swarm_root {
    void (*changed)(struct swarm *w, uint32_t i, const struct mf_crowd_state *before,
                    const struct mf_crowd_state *now);
    void (*frozen)(struct swarm *w, uint32_t i, mf_us_t at_us);
};

#endif
