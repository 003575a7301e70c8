/* SPDX-License-Identifier: Apache-2.0 */
/** Members of a swarm, with the same functions for each kind. */
#ifndef MF_BOARDS_SWARM_MEMBERS_H
#define MF_BOARDS_SWARM_MEMBERS_H

#include "boards/swarm/core/metrics.h"
#include "boards/swarm/members/carrier.h"

/** @brief Call @p visit for all members of an entity, which must have run to @p at_us; lost ghosts
 *  are left out. Any thread. */
void swarm_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                 swarm_visit_fn *visit);

/** @brief Call @p visit for all members, entity by entity. */
void swarm_visit_all(struct swarm *w, mf_us_t at_us, swarm_visit_fn *visit);

/** @brief Number of the last vehicle plus 1; 0 without vehicles. Smaller numbers may be of other
 *  kinds. */
uint32_t swarm_vehicles_top(const struct mf_scenario *s);

/** @brief True if no member and no system will act again without input from outside. */
bool swarm_is_idle(const struct swarm *w);

/** @brief Present state of a member. */
struct mf_crowd_state swarm_state(const struct swarm *w, uint32_t i);

/** @brief Pose of a member at @p at_us, to which it has run; for a ghost the last known one. */
struct mf_pose swarm_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief Position of a member, north, east and up of the origin [m]. @param neu_m  out [3] */
void swarm_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief Pose and position of a member. The pose's latitude, longitude and altitudes may be
 *  unset.
 *  @param neu_m  out [3]: as swarm_place() */
struct mf_pose swarm_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m);

/** @brief Charge of a member's battery at @p at_us, to which it has run, 0 to 1; negative:
 *  unknown. */
float swarm_charge(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief True if the member is a lost ghost, or a vehicle of a lost leaf. Any thread. */
bool swarm_is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief True if a member collides in a shape of its own, not as a ball: only ghosts may have
 *  one. */
bool swarm_has_shape(const struct swarm *w, uint32_t i);

/** @brief Get the shape of a member for which swarm_has_shape() is true. @param shape  out */
void swarm_shape(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape);

/** @brief Distance along a ray to the first member that stops it [m].
 *  @param i  member at which the ray begins
 *  @return at most @p reach_m */
double swarm_ray(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                 const double toward[3], double reach_m);

/** @brief Begin the missions of vehicles @p from .. @p to - 1. */
void swarm_start_members(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us);

/** @brief Number of vehicles in which an assertion failed; that are armed; that are not on the
 *  ground. */
uint32_t swarm_count_frozen(const struct swarm *w);
uint32_t swarm_count_armed(const struct swarm *w);
uint32_t swarm_count_in_air(const struct swarm *w);

/** @brief Missions that did not begin; with leaves, as the root last set it. */
uint32_t swarm_count_refused(const struct swarm *w);
void swarm_set_refused(struct swarm *w, uint32_t refused);

/** @brief Run all members up to and including a time. */
void swarm_advance(struct swarm *w, mf_us_t until_us);

/** @brief Earliest time at which a member acts; MF_NEVER: none will act. */
mf_us_t swarm_next_us(const struct swarm *w);

/** @brief Number of steps of vehicles and turns of agents so far. */
uint64_t swarm_count_steps(const struct swarm *w);

/** @brief Hash of the actions of all members and systems, except ghosts in lockstep. */
uint64_t swarm_digest(const struct swarm *w);

/** Figures of all members for Prometheus (member_metrics.c). */
extern const struct swarm_metrics swarm_members_metrics;
extern const size_t swarm_member_counts_bytes;

#endif
