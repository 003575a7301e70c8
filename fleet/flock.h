/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flocks: separation, alignment, cohesion (Reynolds 1987), over a grid of cells as wide as a
 * member sees. A member's velocity follows from the places of all at one instant, in the order of
 * their numbers, so it is the same on any number of threads.
 */
#ifndef MF_FLEET_FLOCK_H
#define MF_FLEET_FLOCK_H

#include "fleet/behaviour.h"
#include "world/buckets.h"

/** State of a member that its neighbours see. */
struct mf_flock_member {
    double neu_m[3]; /**< north, east, up of the scenario's origin */
    float vel_ne_mps[2];
    bool flies; /**< false: its neighbours do not see it, and the flock does not steer it */
};

/** A flock. The caller supplies memory and sets the members; the other fields are private. */
struct mf_flock {
    uint32_t count;
    struct mf_flock_member *member; /**< [count] */
    struct mf_buckets by_cell;
    double cell_m;
};

/** @brief Memory of a flock [bytes]. */
size_t mf_flock_bytes(uint32_t count);

/** @brief Begin a flock in which no member flies. @param bytes  [mf_flock_bytes()], aligned for a
 * double
 * @param cell_m  at least the radius in which any member sees */
void mf_flock_init(struct mf_flock *f, uint32_t count, double cell_m, void *bytes);

/** @brief Sort the members into cells, after the caller has set their states. O(count). */
void mf_flock_sort(struct mf_flock *f);

/** @brief Compute the next velocity of member @p i. Any thread, after mf_flock_sort().
 * @param b  weights and radii: radius_m at most the flock's cell
 * @param mind  in, out: heading and speed of the member
 * @param vel_ned_mps  out: level */
void mf_flock_steer(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b,
                    struct mf_mind *mind, float vel_ned_mps[3]);

#endif
