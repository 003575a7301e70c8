/* SPDX-License-Identifier: Apache-2.0 */
/** Collisions of members (space.collisions): bees and rigid bodies bounce off other members. */
#ifndef MF_BOARDS_SWARM_COLLISIONS_H
#define MF_BOARDS_SWARM_COLLISIONS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** A collision of two members, of which @c i has the lower number. */
struct swarm_collision {
    mf_us_t at_us;
    uint32_t i, with;
};

/** @brief True if collisions move at least one of two members: then the caller takes their contacts
 *  from here. Any thread. */
bool swarm_collides(const struct swarm *w, uint32_t a, uint32_t b);

/** @brief Next collision for the file of contacts, in the order of time. @return false: none */
bool swarm_collisions_next(struct swarm *w, struct swarm_collision *collision);

/** @brief True if a look at a time or later has found a collision of a member. @param with  out:
 * the last other member */
bool swarm_collision_since(const struct swarm *w, uint32_t i, mf_us_t since_us, uint32_t *with);

/** System of collisions. */
extern const struct swarm_system swarm_collisions_system;

#endif
