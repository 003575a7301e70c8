/* SPDX-License-Identifier: Apache-2.0 */
/** Kinds of worlds and members in a scenario. */
#ifndef MF_BOARDS_SWARM_CORE_KINDS_H
#define MF_BOARDS_SWARM_CORE_KINDS_H

#include <stdbool.h>
#include <stdint.h>

struct mf_scenario;
struct mf_scenario_entity;
struct swarm;

/** @brief Number of the members of a kind. */
uint32_t swarm_count_kind(const struct mf_scenario *s, int32_t kind);

/** @brief The first entity of a kind. @return NULL: the scenario lacks the kind */
const struct mf_scenario_entity *swarm_find_kind(const struct mf_scenario *s, int32_t kind);

/** @brief True if a member has the whole firmware. */
bool swarm_is_vehicle(const struct swarm *w, uint32_t i);

/** @brief True if a member is a thing, which takes no orders. */
bool swarm_is_thing(const struct swarm *w, uint32_t i);

/** @brief True if the scenario is a world of cells. */
bool swarm_has_cells(const struct swarm *w);

/** @brief True if the scenario is a search by a team. */
bool swarm_searches(const struct swarm *w);

/** @brief True for a world of cells or a search, whose time passes by steps (time/steps.h). */
bool swarm_is_stepped(const struct swarm *w);

#endif
