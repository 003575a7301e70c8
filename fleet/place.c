/* SPDX-License-Identifier: Apache-2.0 */
/* First places and ways of members. Called by boards/swarm. */
#include "fleet/place.h"

#include "math/chance.h"
#include "math/trig.h"
#include "world/coverage.h"

#include <math.h>
#include <string.h>

static double chance(const struct mf_scenario *s, uint32_t i, uint64_t n)
{
    return mf_chance_unit(mf_scenario_chance(s, i, MF_PURPOSE_PLACE), n);
}

/* Convert north, east, up of the origin into a geographic place. */
static struct mf_placed place_local(const struct mf_scenario *s, const double *neu_m)
{
    const struct mf_geo origin = {s->origin[0], s->origin[1]};
    struct mf_placed placed = {.at = origin, .alt_amsl_m = s->origin[2] + neu_m[2]};
    if (neu_m[0] != 0.0 || neu_m[1] != 0.0) {
        placed.at = mf_geo_from_local(origin, neu_m[0], neu_m[1]);
    }
    return placed;
}

/* Follow places that refer to other entities to the entity that has the places. check_places() has
 * refused circles. */
static const struct mf_scenario_entity *owner(const struct mf_scenario *s,
                                              const struct mf_scenario_entity *e)
{
    while (e->place.kind == MF_PLACE_ENTITY) {
        uint32_t from, to;
        const bool found = mf_scenario_find(s, e->place.of, &from, &to);
        MF_ASSERT(found);
        e = mf_scenario_entity_of(s, from);
    }
    return e;
}

/* Choose a random place within a polygon. */
static void within(const struct mf_scenario *s, double (*ne_m)[2], uint32_t corners, uint32_t i,
                   double *neu_m)
{
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
    for (uint32_t k = 0; k < corners; k++) {
        corner[k] = (struct mf_en){ne_m[k][1], ne_m[k][0]};
    }
    const struct mf_en at =
        mf_coverage_chance(corner, corners, mf_scenario_chance(s, i, MF_PURPOSE_PLACE));
    neu_m[0] = at.n;
    neu_m[1] = at.e;
    neu_m[2] = 0.0;
}

/* Compute north, east and up of the @p n-th place. @param i  the member, for its random numbers */
static void local(const struct mf_scenario *s, const struct mf_scenario_place *p, uint32_t i,
                  uint32_t n, double *neu_m)
{
    const uint32_t columns = p->kind == MF_PLACE_GRID ? (uint32_t)p->grid[0] : 1u;
    const uint32_t row = n / columns;
    memcpy(neu_m, p->at, sizeof p->at);
    switch (p->kind) {
    case MF_PLACE_GRID:
        neu_m[0] += p->spacing_m * row;
        neu_m[1] += p->spacing_m * (n % columns);
        break;
    case MF_PLACE_CUBE:
        for (uint64_t axis = 0; axis < 3; axis++) {
            neu_m[axis] += p->cube[0] + (p->cube[1] - p->cube[0]) * chance(s, i, axis);
        }
        break;
    case MF_PLACE_DISC: {
        const double radius_m = p->disc[2] * sqrt(chance(s, i, 0));
        const double angle_rad = 2.0 * MF_PI * chance(s, i, 1);
        neu_m[0] += p->disc[0] + radius_m * mf_cos(angle_rad);
        neu_m[1] += p->disc[1] + radius_m * mf_sin(angle_rad);
        break;
    }
    case MF_PLACE_STATION:
        memcpy(neu_m, s->search.station, sizeof s->search.station);
        break;
    case MF_PLACE_BOUNDARY:
        within(s, s->search.corner, s->search.corners, i, neu_m);
        break;
    case MF_PLACE_ARRIVALS: {
        const struct mf_scenario_arrivals *a = &mf_scenario_entity_of(s, i)->arrivals;
        within(s, a->corner, a->corners, i, neu_m);
        break;
    }
    case MF_PLACE_LIST:
        memcpy(neu_m, p->list[n % p->places], sizeof p->list[0]);
        break;
    case MF_PLACE_POINT:
    case MF_PLACE_GEO:
    case MF_PLACE_ENTITY:
    default:
        break;
    }
}

void mf_place_local(const struct mf_scenario *s, uint32_t i, double *neu_m)
{
    const struct mf_scenario_entity *own = mf_scenario_entity_of(s, i);
    const struct mf_scenario_entity *e = owner(s, own);
    const uint32_t n = (i - own->first) % (e == own ? own->count : e->count);
    /* a member that begins at another's place needs the other's random numbers to get the same
     * place */
    local(s, &e->place, e->first + n, n, neu_m);
}

void mf_place_way(const struct mf_scenario *s, uint32_t i, double *ne_mps)
{
    const struct mf_scenario_object *o = &mf_scenario_entity_of(s, i)->object;
    const double speed_mps = o->speed_mps;
    if (!isnan(o->velocity_mps[0])) {
        memcpy(ne_mps, o->velocity_mps, 2u * sizeof *ne_mps);
        return;
    }
    const uint64_t key = mf_scenario_chance(s, i, MF_PURPOSE_WAY);
    for (uint64_t axis = 0; axis < 2; axis++) {
        ne_mps[axis] = (2.0 * mf_chance_unit(key, axis) - 1.0) * speed_mps;
    }
}

struct mf_placed mf_place(const struct mf_scenario *s, uint32_t i)
{
    const struct mf_scenario_entity *e = owner(s, mf_scenario_entity_of(s, i));
    if (e->place.kind == MF_PLACE_GEO) {
        return (struct mf_placed){{e->place.at[0], e->place.at[1]}, e->place.at[2]};
    }
    double neu_m[3];
    mf_place_local(s, i, neu_m);
    return place_local(s, neu_m);
}
