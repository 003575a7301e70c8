/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members that arrive one after the other, fly a plan, land, and retire (docs/swarm-manual.md). All
 * boot at time 0 like any member. Until it arrives and after it has retired a member is absent: no
 * other member senses it, receives from it or collides with it, and outputs leave it out.
 */
#ifndef MF_BOARDS_SWARM_ARRIVALS_H
#define MF_BOARDS_SWARM_ARRIVALS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/order.h"
#include "fleet/place.h"

/** @brief Compute the times of all arrivals, and read their plans.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_arrivals_prepare(struct swarm *w);

/** @brief True if a member has not arrived yet or has retired, or if the leaf of a vehicle is
 *  lost. Any thread. */
bool swarm_is_absent(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief True if a member has retired at or before @p at_us. */
bool swarm_has_retired(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Time at which a member arrives; 0 if it is present from the beginning. */
mf_us_t swarm_arrived_us(const struct swarm *w, uint32_t i);

/** @brief Plan of a member that arrives.
 *  @param place  in, out: its place; the plan's own if its entity names no area
 *  @return NULL: it does not arrive during the run */
const struct mf_shared_plan *swarm_arrivals_plan(const struct swarm *w, uint32_t i,
                                                 struct mf_placed *place);

/** @brief Set an agent's place and plan.
 *  @param place  in, out: as swarm_arrivals_plan()
 *  @return time of its arrival; MF_NEVER: it does not arrive during the run */
mf_us_t swarm_arrivals_place(struct swarm *w, uint32_t i, struct mf_placed *place);

/** @brief Give an agent the next orders of its plan. Any thread.
 *  @param moves  true while its leg lasts
 *  @return time of its next turn if that is before the leg ends; else MF_NEVER */
mf_us_t swarm_arrivals_act(struct swarm *w, uint32_t i, mf_us_t at_us,
                           const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx);

/** @brief Last item of its plan that an agent has reached; -1: none */
int32_t swarm_arrivals_reached(const struct swarm *w, uint32_t i, bool *finished);

/** @brief True if links of a member send remote identification. */
bool swarm_sends_remote_id(const struct swarm *w, uint32_t i);

/** @brief True if no other member can sense a member, receive from it or collide with it: a lost
 *  ghost or an absent member. Any thread. */
bool swarm_is_away(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Report that a member's state has changed to all systems, on the thread of its shard. A
 *  member that was to arrive and has landed retires. */
void swarm_member_changed(struct swarm *w, uint32_t shard, uint32_t i,
                          const struct mf_crowd_state *before, const struct mf_crowd_state *now);

/** System of members that arrive during a run. */
extern const struct swarm_system swarm_arrivals_system;

#endif
