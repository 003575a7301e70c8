/* SPDX-License-Identifier: Apache-2.0 */
/** Kinds of worlds and members that a scenario has. */
#ifndef MF_BOARDS_SWARM_CORE_KINDS_H
#define MF_BOARDS_SWARM_CORE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

struct swarm;

/** @brief Has a member the whole firmware, in this process? */
bool swarm_is_vehicle(const struct swarm *w, uint32_t i);

/** @brief Is the member a thing, which takes no orders? */
bool swarm_is_thing(const struct swarm *w, uint32_t i);

/** @brief Does the scenario have cells? */
bool swarm_has_cells(const struct swarm *w);

/** @brief Does the scenario have a plan for a team? */
bool swarm_searches(const struct swarm *w);

/** @brief Is it a world of cells or a search, whose time passes by steps (time/steps.h)? */
bool swarm_goes_by_steps(const struct swarm *w);

#endif
