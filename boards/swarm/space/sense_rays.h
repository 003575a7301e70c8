/* SPDX-License-Identifier: Apache-2.0 */
/** Rays of sensors that end at members. */
#ifndef MF_BOARDS_SWARM_SENSE_RAYS_H
#define MF_BOARDS_SWARM_SENSE_RAYS_H

#include "boards/swarm/core/swarm.h"

/** Ray of a sensor of member @c i. */
struct swarm_sense_ray {
    uint32_t i;
    mf_us_t at_us;
    const double *from_neu_m, *toward; /**< [3]; toward: of length 1 */
    double reach_m;
};

/** @brief Distance to the first other member on a ray, as a ball of its body's radius. O(members);
 *  any thread.
 *  @param neu_m  [members], positions of members with a radius
 *  @return infinity: the ray meets no member within its reach */
double swarm_sense_ray_members(const struct swarm *w, const struct swarm_sense_ray *ray,
                               double (*neu_m)[3]);

#endif
