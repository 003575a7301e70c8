/* SPDX-License-Identifier: Apache-2.0 */
/** First places of the members of a scenario. */
#ifndef MF_FLEET_PLACE_H
#define MF_FLEET_PLACE_H

#include "fleet/scenario.h"
#include "math/geodesic.h"

struct mf_placed {
    struct mf_geo at;
    double alt_amsl_m;
};

/** @brief Compute the first place of a member. Random numbers in it depend on the scenario's seed,
 * its variation and the member alone. */
struct mf_placed mf_place(const struct mf_scenario *s, uint32_t i);

/** @brief Compute the first place of a member relative to the origin: north, east, up [m]. Not for
 * a place of the kind "geo".
 * @param neu_m  out [3] */
void mf_place_local(const struct mf_scenario *s, uint32_t i, double *neu_m);

/** @brief Compute an object's constant velocity, north and east [m/s]: each is random, from minus
 * its speed to plus its speed. @param ne_mps  out [2] */
void mf_place_way(const struct mf_scenario *s, uint32_t i, double *ne_mps);

#endif
