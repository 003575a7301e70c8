/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plans that agents fly. An agent cannot store a mission, so a route gives it the orders of each
 * item when the item before it is done: take-off, waypoints, delays, speed, return and landing. An
 * item that only does an action at once is done at once.
 */
#ifndef MF_BOARDS_SWARM_ROUTES_H
#define MF_BOARDS_SWARM_ROUTES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order.h"
#include "hal-sim/store_shared.h"

/** Progress of an agent on its route. Begin with zeros. */
struct swarm_route {
    mf_us_t wait_us;   /**< time until which the agent waits at the end of an item */
    uint16_t item;     /**< index of the present item */
    bool given, waits; /**< the item's order was sent; the agent waits at the item's end */
    bool lands;        /**< the agent flies to the place where it will land */
    bool finished;
};

/** A plan, moved to the place of one agent. */
struct swarm_route_plan {
    const struct mf_shared_plan *plan;
    struct mf_plan_shift shift;
    double home_amsl_m;
};

/** @brief Index of the first item that agents cannot fly; the number of items if they can fly all.
 */
uint16_t swarm_route_refuses(const struct mf_shared_plan *plan);

/** @brief Send the next orders when a leg has ended or a wait is over.
 *  @param moves  true while a leg lasts
 *  @return time of the next turn; MF_NEVER: when the leg ends */
mf_us_t swarm_route_act(struct swarm_route *r, const struct swarm_route_plan *plan, mf_us_t at_us,
                        const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx);

#endif
