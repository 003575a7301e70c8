/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours: members act by themselves, whatever each is. */
#ifndef MF_BOARDS_SWARM_MINDS_H
#define MF_BOARDS_SWARM_MINDS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/flock.h"
#include "fleet/order.h"

/** @brief Members of the flock. @param count  out: how many  @return [count]; NULL: there is none
 */
struct mf_bird *swarm_birds(const struct swarm *w, uint32_t *count);

/** @brief A member's number among them. @return false: it is in no flock */
bool swarm_bird_of(const struct swarm *w, uint32_t i, uint32_t *number);

/** @brief Those in this process look; then, when all have been seen, they act. */
void swarm_birds_see(struct swarm *w, mf_us_t at_us);
void swarm_birds_move(struct swarm *w, mf_us_t at_us);

/** @brief What a member keeps beside its mind, for its kind of behaviour; NULL: nothing. */
void *swarm_mind_state(const struct swarm *w, uint32_t i);

/** @brief Is it up, and does what its kind does? */
bool swarm_mind_flies(const struct swarm *w, uint32_t i);
/** @brief A member that was lost is there again: it goes on, or takes off if it has landed. */
void swarm_mind_return(struct swarm *w, uint32_t i, bool armed);

/** @brief Turns up to and including @p at_us are left out. */
void swarm_mind_skip(struct swarm *w, uint32_t i, mf_us_t at_us);

/** Behaviours of members. */
extern const struct swarm_system swarm_minds_system;

#endif
