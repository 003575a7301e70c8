/* SPDX-License-Identifier: Apache-2.0 */
/** All members of a swarm alike, of whatever kind. */
#ifndef MF_BOARDS_SWARM_MEMBERS_H
#define MF_BOARDS_SWARM_MEMBERS_H

#include "boards/swarm/members/carrier.h"

/** @brief Something is done to all members of an entity at @p at_us, whatever they are; a ghost
 * that is gone is left out. Any thread. */
void swarm_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                 swarm_visit_fn *visit);

/** @brief To all members, entity by entity. */
void swarm_visit_all(struct swarm *w, mf_us_t at_us, swarm_visit_fn *visit);

/** @brief Numbers up to that of the last vehicle; 0: there is none. Others may be among them. */
uint32_t swarm_vehicles_top(const struct mf_scenario *s);

/** @brief Will nothing happen by itself any more, whatever members are? */
bool swarm_is_idle(const struct swarm *w);

/** @brief How far a member has come. */
struct mf_crowd_state swarm_state(const struct swarm *w, uint32_t i);

/** @brief Where a member is at a time that has come; of a ghost, as far as is known. */
struct mf_pose swarm_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief The same place, north, east and up of the origin [m]. @param neu_m  out [3] */
void swarm_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief How a member moves, and its place: of its pose latitude, longitude and altitudes do not
 * count. @param neu_m  out [3] */
struct mf_pose swarm_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief Charge of a member's battery at a time that has come, 0 to 1; negative: unknown. */
float swarm_charge(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Is the member a ghost that is lost at a time, or a vehicle whose leaf is? Any thread. */
bool swarm_is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Begin the missions of members @p from .. @p to - 1, all vehicles. */
void swarm_start_members(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);

/** @brief Vehicles in which an assertion failed; that are armed; that are not on the ground. */
uint32_t swarm_frozen(const struct swarm *w);
uint32_t swarm_armed(const struct swarm *w);
uint32_t swarm_up(const struct swarm *w);

/** @brief All members run up to and including a time. */
void swarm_advance(struct swarm *w, mf_us_t until_us);

/** @brief When somebody wants to run next; MF_NEVER. */
mf_us_t swarm_next(const struct swarm *w);

/** @brief Steps of vehicles and turns of agents. */
uint64_t swarm_steps(const struct swarm *w);

/** @brief One number of all that members have done, but for ghosts in lockstep. */
uint64_t swarm_digest(const struct swarm *w);

#endif
