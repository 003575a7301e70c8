/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members that arrive one after the other, fly a plan, land, and retire (docs/swarm.md). All boot
 * at time 0 like any member: until it arrives and after it has retired a member is absent, which
 * means that nobody senses, hears or touches it, and that nothing is written down of it.
 */
#ifndef MF_BOARDS_SWARM_ARRIVALS_H
#define MF_BOARDS_SWARM_ARRIVALS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/order.h"
#include "fleet/place.h"

/** @brief When each arrives, and the plans of all, read. @return SWARM_OK or SWARM_INPUT */
int swarm_arrivals_prepare(struct swarm *w);

/** @brief Has it not arrived yet, or retired before? Any thread. @return false, too, of a member
 * that was there from the beginning */
bool swarm_is_absent(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Has it retired? */
bool swarm_has_retired(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Since when is it there? 0 of a member that was there from the beginning. */
mf_us_t swarm_arrived_us(const struct swarm *w, uint32_t i);

/** @brief The plan of a member that arrives. @param place  where it appears: out if its entity
 * names no area, else as it was  @return NULL: it does not arrive */
const struct mf_shared_plan *swarm_arrivals_plan(const struct swarm *w, uint32_t i,
                                                 struct mf_placed *place);

/** @brief An agent's place and plan. @param place  in, out: as swarm_arrivals_plan()
 *  @return when it arrives; MF_NEVER: it does not */
mf_us_t swarm_arrivals_place(struct swarm *w, uint32_t i, struct mf_placed *place);

/** @brief An agent's turn: it flies its plan. @param moves  has its leg not ended?
 *  @return when it wants another one before its leg ends; MF_NEVER. Any thread */
mf_us_t swarm_arrivals_act(struct swarm *w, uint32_t i, mf_us_t at_us,
                           const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx);

/** @brief The last item of its plan that an agent has reached; -1: none */
int32_t swarm_arrivals_reached(const struct swarm *w, uint32_t i, bool *finished);

/** @brief Do links of a member send remote identification? */
bool swarm_sends_remote_id(const struct swarm *w, uint32_t i);

/** @brief Can no other member sense, hear or touch it: a ghost that is lost, or a member that is
 * absent? Any thread. */
bool swarm_is_away(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief A member's state is not as before: it retires where it has come down, and all systems
 * learn of the events. From the thread of its shard. */
void swarm_member_changed(struct swarm *w, uint32_t shard, uint32_t i,
                          const struct mf_crowd_state *before, const struct mf_crowd_state *now);

/** Members that come during a run. */
extern const struct swarm_system swarm_arrivals_system;

#endif
