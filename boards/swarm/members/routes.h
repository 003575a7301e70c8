/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plans that agents fly: an agent has no missions, so somebody gives it the orders of each item
 * when the one before it is over. It takes off, goes to waypoints, waits, changes its speed,
 * returns and lands; items that do nothing but an action of an instant are over at once.
 */
#ifndef MF_BOARDS_SWARM_ROUTES_H
#define MF_BOARDS_SWARM_ROUTES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order.h"
#include "hal-sim/store_shared.h"

/** How far an agent has come. Begin with zeros. */
struct swarm_route {
    mf_us_t wait_us;   /**< it stays where it is until then */
    uint16_t item;     /**< the present one */
    bool given, waits; /**< its order is given; it waits at its end */
    bool lands;        /**< it goes to where it will land */
    bool finished;
};

/** Of one plan at one place. */
struct swarm_route_plan {
    const struct mf_shared_plan *plan;
    struct mf_plan_shift shift;
    double home_amsl_m;
};

/** @brief The first item that agents do not fly. @return its number; the count: they fly all */
uint16_t swarm_route_refuses(const struct mf_shared_plan *plan);

/** @brief Its turn, when a leg has ended or a wait is over.
 *  @param moves  a leg has not ended  @return when it wants another one; MF_NEVER: at a leg's end
 */
mf_us_t swarm_route_act(struct swarm_route *r, const struct swarm_route_plan *plan, mf_us_t at_us,
                        const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx);

#endif
