/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of ghosts for rays: balls, or upright shapes that turn with the heading; the carrier of
 * ghosts calls it. */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/members.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

static void get_shape(const struct ghost *ghost, mf_us_t at_us, struct mf_solid *shape)
{
    const struct mf_scenario_body_settings *b = &ghost->e->body;
    struct mf_ghost_sample at;
    mf_ghost_at(&ghost->track, at_us, &at);
    const struct mf_sin_cos yaw = mf_sin_cos(at.yaw_rad);
    *shape = (struct mf_solid){.kind = b->shape,
                               .heading = {yaw.cos, yaw.sin},
                               .radius_m = b->radius_m,
                               .height_m = b->height_m};
    memcpy(shape->at_neu_m, at.neu_m, sizeof shape->at_neu_m);
    memcpy(shape->size_m, b->size_m, sizeof shape->size_m);
}

void swarm_ghost_get_shape(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape)
{
    get_shape(swarm_ghost_of(w, i), at_us, shape);
}

/* Distance along a ray to a ball [m]; INFINITY: the ray misses it or begins inside. */
static double ball_m(const double from_m[3], const double toward[3], const double at_m[3],
                     double radius_m)
{
    double along = 0.0, away2 = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double d = at_m[k] - from_m[k];
        along += d * toward[k];
        away2 += d * d;
    }
    const double root2 = along * along - away2 + radius_m * radius_m;
    return root2 >= 0.0 && along > 0.0 && away2 > radius_m * radius_m ? along - mf_sqrt(root2)
                                                                      : (double)INFINITY;
}

/* Distance along a ray to the shape of a ghost [m]; INFINITY: the ray misses it or begins inside.
 */
static double shape_m(const struct ghost *ghost, mf_us_t at_us, const double from_m[3],
                      const double toward[3])
{
    struct mf_solid shape;
    get_shape(ghost, at_us, &shape);
    return mf_solid_distance(&shape, from_m) > 0.0 ? mf_solid_ray(&shape, from_m, toward)
                                                   : (double)INFINITY;
}

double swarm_ghosts_range_m(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                            const double toward[3], double reach_m)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        struct mf_ghost_sample at;
        if (ghost->i == i || ghost->steps || swarm_is_lost(w, ghost->i, at_us)) {
            continue;
        }
        if (ghost->e->body.shape >= 0) {
            reach_m = fmin(reach_m, shape_m(ghost, at_us, neu_m, toward));
            continue;
        }
        mf_ghost_at(&ghost->track, at_us, &at);
        reach_m = fmin(reach_m, ball_m(neu_m, toward, at.neu_m, ghost->e->body.radius_m));
    }
    return reach_m;
}
