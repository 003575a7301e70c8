/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours, which give orders to members of any kind. */
#ifndef MF_BOARDS_SWARM_MINDS_H
#define MF_BOARDS_SWARM_MINDS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/flock.h"
#include "fleet/order.h"

/** @brief Members of all flocks.
 *  @param count  out: their number
 *  @return [count]; NULL without flocks */
struct mf_flock_member *swarm_flock_members(const struct swarm *w, uint32_t *count);

/** @brief Get the index of a member in swarm_flock_members(). @return false: it is not in a flock
 */
bool swarm_flock_number_of(const struct swarm *w, uint32_t i, uint32_t *number);

/** @brief Look at the flock members of this process; then, after all processes have done so, let
 *  them act. */
void swarm_flock_observe(struct swarm *w, mf_us_t at_us);
void swarm_flock_move(struct swarm *w, mf_us_t at_us);

/** @brief State of a member for its kind of behaviour; NULL: that kind needs none. */
void *swarm_mind_state(const struct swarm *w, uint32_t i);

/** @brief True if a member flies by its behaviour: it has taken off, and has not ended. */
bool swarm_mind_flies(const struct swarm *w, uint32_t i);
/** @brief Continue the behaviour of a member that was lost: if the member has landed, it takes off
 *  again. */
void swarm_mind_return(struct swarm *w, uint32_t i, bool armed);

/** @brief Skip the turns of a member up to and including @p at_us. */
void swarm_mind_skip(struct swarm *w, uint32_t i, mf_us_t at_us);

/** System of behaviours. */
extern const struct swarm_system swarm_minds_system;

#endif
