/* SPDX-License-Identifier: Apache-2.0 */
/** Stepped bodies (world/mover_stepped.h) of agents and vehicles. */
#ifndef MF_BOARDS_SWARM_BODIES_H
#define MF_BOARDS_SWARM_BODIES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "world/mover_stepped.h"

/** @brief Stepped body of an agent, and its settings.
 *  @param made  out
 *  @return NULL: the member is not an agent with a stepped body */
struct mf_stepped *swarm_body(const struct swarm *w, uint32_t i,
                              const struct mf_stepped_settings **made);

/** @brief True if a member's body stops at obstacles on its own, as a bee or a rigid body does. */
bool swarm_body_is_stopped(const struct swarm *w, uint32_t i);

/** @brief True if such a body has touched an obstacle; the member must have run to @p until_us.
 *  @param contact  out: the last contact after @p since_us */
bool swarm_body_met(const struct swarm *w, uint32_t i, mf_us_t since_us, mf_us_t until_us,
                    struct mf_contact *contact);

/** @brief Mass of a bee or a rigid body that flies [kg]; 0: nothing pushes the member's body. */
double swarm_body_mass_kg(const struct swarm *w, uint32_t i);

/** @brief Push a body with a mass, as mf_stepped_push(). The member must have run to @p at_us.
 *  @param shift_neu_m, by_neu_mps  north, east, up */
void swarm_body_push(struct swarm *w, uint32_t i, mf_us_t at_us, const double shift_neu_m[3],
                     const double by_neu_mps[3]);

/** @brief Stepped body of a vehicle. @return NULL: it does not have one */
const struct mf_world_body *swarm_body_of_vehicle(const struct swarm *w, uint32_t i);

/** System of stepped bodies. */
extern const struct swarm_system swarm_bodies_system;

#endif
