/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A carrier moves all members of one kind: vehicles here or on leaves, agents, ghosts, things,
 * bodies of autopilots. A system sets its carrier in struct swarm before members boot; members.h
 * calls it.
 */
#ifndef MF_BOARDS_SWARM_MEMBERS_CARRIER_H
#define MF_BOARDS_SWARM_MEMBERS_CARRIER_H

#include "boards/swarm/core/swarm.h"
#include "fleet/flock.h"
#include "fleet/ghost.h"
#include "fleet/order.h"
#include "fleet/order_queue.h"

/** Function for one member, which swarm_visit() calls with the member's order port. */
typedef void swarm_visit_fn(struct swarm *w, uint32_t i, const struct mf_order_port *port);

/** Number of vehicles in some states. */
struct swarm_vehicle_counts {
    uint32_t frozen; /**< vehicles in whose code an assertion has failed */
    uint32_t armed;
    uint32_t up; /**< vehicles that are not on the ground */
};

/** Functions of a carrier. A function may be NULL if its comment explains the effect. */
struct swarm_carrier {
    struct mf_crowd_state (*state)(const struct swarm *w, uint32_t i);
    struct mf_pose (*pose)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** Pose and position, as swarm_motion() returns them. NULL: members.c derives them from pose().
     */
    struct mf_pose (*motion)(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);
    /** Position, as swarm_place() returns it. NULL: members.c derives it from pose(). */
    void (*place)(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);
    /** Charge of the battery, 0 to 1; negative, or NULL: unknown. */
    float (*charge)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** True if the process or program that carries the member is gone. NULL: never. */
    bool (*is_lost)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** Call @p visit for all members of an entity, at a time to which all have run. Any thread.
     *  NULL: members of this kind take no orders here. */
    void (*visit)(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                  swarm_visit_fn *visit);

    /** Run all members up to and including a time. NULL: they never act. */
    void (*run)(struct swarm *w, mf_us_t until_us);
    /** Next time at which a member acts; MF_NEVER. NULL: never. */
    mf_us_t (*next_us)(const struct swarm *w);
    /** True if all members have finished. NULL: true if next_us() is MF_NEVER. */
    bool (*is_idle)(const struct swarm *w);
    uint64_t (*count_steps)(const struct swarm *w);
    /** Mix what the members have done into @p digest, and return it. */
    uint64_t (*digest)(const struct swarm *w, uint64_t digest);

    /* Functions of ghosts only */
    /** Shape with which others collide in place of the member's ball (swarm_has_shape()). */
    void (*shape)(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape);
    /** Distance along a ray to the first member of this kind, as swarm_ray() returns it. NULL: rays
     * pass through such members. */
    double (*ray)(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                  const double toward[3], double reach_m);
    /** Pass a packet, which the radio of a member has received, to the drone behind the member. */
    void (*receive)(struct swarm *w, uint32_t i, const struct mf_ghost_packet *packet);

    /* Functions of vehicles only */
    bool far; /**< vehicles run in other processes: each query costs a round trip */
    struct swarm_vehicle_counts (*count_states)(const struct swarm *w);
    /** Begin the missions of members @p from .. @p to - 1. */
    void (*start)(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);
    /** Give orders @p from .. @p to - 1 of a sorted queue, and store the answers. */
    void (*give_orders)(struct swarm *w, struct mf_order_queue *orders, uint32_t from, uint32_t to,
                        mf_us_t at_us);
    /** Fill in the neighbours that flock members among the vehicles see; then let them act. NULL:
     * visit() reaches vehicles. */
    void (*see_flock)(struct swarm *w, struct mf_flock_member *member, uint32_t count,
                      mf_us_t at_us);
    void (*move_flock)(struct swarm *w, const struct mf_flock_member *member, uint32_t count,
                       mf_us_t at_us);
};

/** Behaviours of members. A room above this one sets it in struct swarm, so that carriers can call
 * it. */
struct swarm_behaviours {
    /** Next time at which the behaviour of member @p i acts; MF_NEVER: it does not. */
    mf_us_t (*next_us)(const struct swarm *w, uint32_t i);
    /** Let the behaviour of a member act at @p at_us, on the thread of its shard. */
    void (*act)(struct swarm *w, uint32_t i, mf_us_t at_us, const struct mf_order_port *port);
};

/** @brief Next time at which a member's behaviour acts; MF_NEVER without a behaviour. */
static inline mf_us_t swarm_behaviour_next_us(const struct swarm *w, uint32_t i)
{
    return w->members.behaviours != NULL ? w->members.behaviours->next_us(w, i) : MF_NEVER;
}

/** Carrier of things: they stand or move straight on, and take no orders. */
extern const struct swarm_carrier swarm_things;

#endif
