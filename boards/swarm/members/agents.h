/* SPDX-License-Identifier: Apache-2.0 */
/** The agents of a swarm: each runs ahead of the others, as vehicles do (hal-sim/crowd.h). */
#ifndef MF_BOARDS_SWARM_AGENTS_H
#define MF_BOARDS_SWARM_AGENTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/order.h"

/** @brief All run up to and including @p until_us. */
void swarm_agents_run(struct swarm *w, mf_us_t until_us);

/** @brief The next turn of any; MF_NEVER. */
mf_us_t swarm_agents_next(const struct swarm *w);

/** @brief Turns so far. */
uint64_t swarm_agents_steps(const struct swarm *w);

/** @brief @p digest, and what agents have done. */
uint64_t swarm_agents_digest(const struct swarm *w, uint64_t digest);

struct mf_crowd_state swarm_agent_state(const struct swarm *w, uint32_t i);

struct mf_pose swarm_agent_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Its pose but for latitude, longitude and altitudes. @param neu_m  out: as
 * swarm_agent_place() */
struct mf_pose swarm_agent_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief Where an agent is in the plane about the origin. @param neu_m  out [3]: north, east, up
 */
void swarm_agent_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief Something gives orders to all agents of an entity at @p at_us. Any thread. */
void swarm_agents_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                        void (*visit)(struct swarm *w, uint32_t i,
                                      const struct mf_order_port *port));

/** Members that move as points. */
extern const struct swarm_system swarm_agents_system;

#endif
