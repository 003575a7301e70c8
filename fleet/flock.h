/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flocks: separation, alignment, cohesion (Reynolds 1987), over a grid of cells as wide as a member
 * sees. What a member does follows from where all were at one instant, in the order of their
 * numbers, so it is the same on any number of threads.
 */
#ifndef MF_FLEET_FLOCK_H
#define MF_FLEET_FLOCK_H

#include "fleet/behaviour.h"
#include "world/buckets.h"

/** A member as the others see it. */
struct mf_bird {
    double neu_m[3]; /**< north, east, up of the scenario's origin */
    float vel_ne_mps[2];
    bool flies; /**< otherwise nobody sees it, and it is not steered */
};

/** The caller gives memory; fields are the flock's. */
struct mf_flock {
    uint32_t count;
    struct mf_bird *bird; /**< [count] */
    struct mf_buckets by_cell;
    double cell_m;
};

/** @brief Memory of a flock [bytes]. */
size_t mf_flock_bytes(uint32_t count);

/** @brief A flock in which nobody flies. @param bytes  [mf_flock_bytes()], aligned for a double
 *  @param cell_m  at least what any member sees */
void mf_flock_init(struct mf_flock *f, uint32_t count, double cell_m, void *bytes);

/** @brief After the birds have been set: who is near whom? O(count). */
void mf_flock_sort(struct mf_flock *f);

/**
 * @brief The velocity that member @p i wants next. Any thread, after mf_flock_sort().
 * @param b     what it keeps to: radius_m at most the flock's cell
 * @param mind  its heading and speed: in, out
 * @param vel_ned_mps  out: level
 */
void mf_flock_steer(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b,
                    struct mf_mind *mind, float vel_ned_mps[3]);

#endif
