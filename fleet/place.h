/* SPDX-License-Identifier: Apache-2.0 */
/** Where the members of a scenario begin. */
#ifndef MF_FLEET_PLACE_H
#define MF_FLEET_PLACE_H

#include "fleet/scenario.h"
#include "math/geodesic.h"

struct mf_placed {
    struct mf_geo at;
    double alt_amsl_m;
};

/** @brief Where a member begins. Chance in it depends on the scenario's seed, its variation and
 * the member alone. */
struct mf_placed mf_place(const struct mf_scenario *s, uint32_t i);

/** @brief The same from the origin: north, east, up [m]; not of a place that is "geo".
 *  @param neu_m  out [3] */
void mf_place_local(const struct mf_scenario *s, uint32_t i, double *neu_m);

/** @brief How an object moves, north and east [m/s]: each by chance, from minus its speed to plus
 *  its speed, as long as the run lasts. @param ne_mps  out [2] */
void mf_place_way(const struct mf_scenario *s, uint32_t i, double *ne_mps);

#endif
