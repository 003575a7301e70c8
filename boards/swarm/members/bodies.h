/* SPDX-License-Identifier: Apache-2.0 */
/** Bodies of members that are stepped (world/mover_stepped.h), of agents and of vehicles. */
#ifndef MF_BOARDS_SWARM_BODIES_H
#define MF_BOARDS_SWARM_BODIES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "world/mover_stepped.h"

/** @brief The body of an agent, and what it is. @return NULL: it has none of its own */
struct mf_stepped *swarm_body(const struct swarm *w, uint32_t i,
                              const struct mf_stepped_settings **made);

/** @brief Does a member's body stop at obstacles by itself: a bee, a rigid body? */
bool swarm_body_is_stopped(const struct swarm *w, uint32_t i);

/** @brief Has such a body met an obstacle? Its member has come to @p until_us.
 *  @param contact  out: the last one after @p since_us */
bool swarm_body_met(const struct swarm *w, uint32_t i, mf_us_t since_us, mf_us_t until_us,
                    struct mf_contact *contact);

/** @brief The body of a vehicle. @return NULL: it has none of its own */
const struct mf_world_body *swarm_body_of_vehicle(const struct swarm *w, uint32_t i);

/** Bodies that are stepped. */
extern const struct swarm_system swarm_bodies_system;

#endif
