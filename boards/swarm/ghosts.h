/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The ghosts of a swarm: drones of other processes. Their state is what their links last showed;
 * orders leave on these links. A drone with a time socket (docs/time.md) runs in lockstep: it
 * stands at the swarm's time whenever somebody looks at it or gives it orders.
 */
#ifndef MF_BOARDS_SWARM_GHOSTS_H
#define MF_BOARDS_SWARM_GHOSTS_H

#include "boards/swarm/swarm.h"
#include "fleet/order.h"

/** @brief The first entity of ghosts; NULL: there are none. */
const struct mf_scenario_entity *swarm_first_ghost(const struct mf_scenario *s);

/** @brief Connect to all of them, and hear from each. @return SWARM_OK or SWARM_INPUT */
int swarm_ghosts_prepare(struct swarm *w);

void swarm_ghosts_free(struct swarm *w);

/** @brief All run up to and including @p until_us, as far as their time is granted here. */
void swarm_ghosts_run(struct swarm *w, mf_us_t until_us);

/** @brief The next turn of any; MF_NEVER. */
mf_us_t swarm_ghosts_next(const struct swarm *w);

/** @brief Ghosts whose links have ended. */
uint32_t swarm_ghosts_lost(const struct swarm *w);

struct mf_crowd_state swarm_ghost_state(const struct swarm *w, uint32_t i);

struct mf_pose swarm_ghost_pose(const struct swarm *w, uint32_t i);

/** @brief Something gives orders to all ghosts of an entity at @p at_us. */
void swarm_ghosts_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                        void (*visit)(struct swarm *w, uint32_t i,
                                      const struct mf_order_port *port));

/** @brief The MAVLink system of the drone behind a ghost; 0: its link has ended, or it has not
 * shown yet where it is. */
uint8_t swarm_ghost_system(const struct swarm *w, uint32_t i);

/** @brief A whole frame to that drone. */
void swarm_ghost_write(const struct swarm *w, uint32_t i, const uint8_t *frame, size_t n);

/** The contract for one ghost, whose time stands until it has answered. */
extern const struct mf_order_ops swarm_ghost_ops;

/** Its context. */
struct swarm_ghost_port {
    struct swarm *w;
    uint32_t i; /**< member */
};

#endif
