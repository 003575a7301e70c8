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

/** A function that is called with a member's order port. */
typedef void swarm_visit_fn(struct swarm *w, uint32_t i, const struct mf_order_port *port);

/** Figures of all vehicles. */
struct swarm_vehicle_counts {
    uint32_t frozen; /**< an assertion failed within them */
    uint32_t armed;
    uint32_t up; /**< not on the ground */
};

/** Functions of a carrier. Where a function may be NULL, its comment says what holds then. */
struct swarm_carrier {
    struct mf_crowd_state (*state)(const struct swarm *w, uint32_t i);
    struct mf_pose (*pose)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** Pose and place, as swarm_motion() returns them. NULL: they follow from pose(). */
    struct mf_pose (*motion)(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);
    /** Place, as swarm_place() returns it. NULL: it follows from pose(). */
    void (*place)(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);
    /** Charge of the battery, 0 to 1; negative, or NULL: unknown. */
    float (*charge)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** Is what carries the member gone? NULL: never. */
    bool (*is_lost)(const struct swarm *w, uint32_t i, mf_us_t at_us);
    /** Call @p visit for all members of an entity, at a time to which all have run. Any thread.
     * NULL: no order reaches them here. */
    void (*visit)(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                  swarm_visit_fn *visit);

    /** Run all up to and including a time. NULL, as all below: they do nothing by themselves. */
    void (*run)(struct swarm *w, mf_us_t until_us);
    /** The time at which one of them acts next; MF_NEVER. */
    mf_us_t (*next)(const struct swarm *w);
    /** Have all of them finished? NULL: if next() is MF_NEVER. */
    bool (*is_idle)(const struct swarm *w);
    uint64_t (*steps)(const struct swarm *w);
    /** @p digest, and what they have done. */
    uint64_t (*digest)(const struct swarm *w, uint64_t digest);

    /* Functions for ghosts alone */
    /** The shape of a member that others meet in place of its ball (swarm_has_shape()). */
    void (*shape)(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape);
    /** Distance along a ray to the first member of this kind, as swarm_ray() returns it. NULL: rays
     * pass them. */
    double (*ray)(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                  const double toward[3], double reach_m);
    /** The radio of a member has received a packet: pass it to the drone behind the member. */
    void (*receive)(struct swarm *w, uint32_t i, const struct mf_ghost_packet *packet);

    /* Functions for vehicles alone */
    bool far; /**< they are in other processes: each question costs a round trip */
    struct swarm_vehicle_counts (*count)(const struct swarm *w);
    /** Begin the missions of members @p from .. @p to - 1. */
    void (*start)(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);
    /** Give orders @p from .. @p to - 1 of a sorted queue, and store the answers. */
    void (*give)(struct swarm *w, struct mf_order_queue *orders, uint32_t from, uint32_t to,
                 mf_us_t at_us);
    /** Fill in what birds among them see, then let them act by it. NULL: visit() reaches them. */
    void (*see)(struct swarm *w, struct mf_bird *bird, uint32_t count, mf_us_t at_us);
    void (*move)(struct swarm *w, const struct mf_bird *bird, uint32_t count, mf_us_t at_us);
};

/** Behaviours of members: a system above the carriers knows them. */
struct swarm_behaviours {
    /** The next time of the turn of member @p i; MF_NEVER. */
    mf_us_t (*next)(const struct swarm *w, uint32_t i);
    /** Let the member act at @p at_us. From the thread of its shard. */
    void (*act)(struct swarm *w, uint32_t i, mf_us_t at_us, const struct mf_order_port *port);
};

/** @brief The next turn of a member's behaviour; MF_NEVER without one. */
static inline mf_us_t swarm_behaviour_next(const struct swarm *w, uint32_t i)
{
    return w->members.behaviours != NULL ? w->members.behaviours->next(w, i) : MF_NEVER;
}

/** The carrier of things: they stand or go straight on, and obey nothing. */
extern const struct swarm_carrier swarm_things;

#endif
