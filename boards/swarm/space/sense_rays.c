/* SPDX-License-Identifier: Apache-2.0 */
/* Finds members on rays of sensors. senses.c and sense_plugin.c call it. */
#include "boards/swarm/space/sense_rays.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "math/trig.h"

#include <math.h>

/* Distance along the ray to a ball; infinity: the ray passes it. */
static double distance_to(const struct swarm_sense_ray *ray, const double there_m[3],
                          double radius_m)
{
    const double way[3] = {there_m[0] - ray->from_neu_m[0], there_m[1] - ray->from_neu_m[1],
                           there_m[2] - ray->from_neu_m[2]};
    const double along = mf_dot3(way, ray->toward),
                 outside = mf_dot3(way, way) - radius_m * radius_m;
    const double under = along * along - outside;
    if (outside <= 0.0) {
        return 0.0;
    }
    return along > 0.0 && under >= 0.0 ? along - mf_sqrt(under) : (double)INFINITY;
}

double swarm_sense_ray_members(const struct swarm *w, const struct swarm_sense_ray *ray,
                               double (*neu_m)[3])
{
    const struct mf_scenario *s = w->scenario;
    double first_m = (double)INFINITY;
    for (uint32_t n = 0; n < s->entities; n++) {
        const struct mf_scenario_entity *e = &s->entity[n];
        const double radius_m = e->body.radius_m;
        for (uint32_t j = e->first; j < e->first + e->count && radius_m > 0.0; j++) {
            const double d_m =
                j != ray->i ? distance_to(ray, neu_m[j], radius_m) : (double)INFINITY;
            if (d_m < first_m && d_m <= ray->reach_m && !swarm_has_shape(w, j) &&
                !swarm_is_away(w, j, ray->at_us)) {
                first_m = d_m;
            }
        }
    }
    return first_m;
}
