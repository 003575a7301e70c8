/* SPDX-License-Identifier: Apache-2.0 */
/** A picture of a scenario from above, as SVG: its boundary and obstacles, things, and the way of
 * each member. */
#ifndef MF_FLEET_OVERHEAD_H
#define MF_FLEET_OVERHEAD_H

#include "fleet/scenario.h"
#include "math/geodesic.h"

#include <stdio.h>

/** A line of the legend behind those of the ways. */
struct mf_overhead_note {
    const char *colour, *text; /**< NULL: the end of the list */
};

/** Input of the picture; the functions belong to the caller. */
struct mf_overhead {
    const struct mf_scenario *scenario;
    size_t points; /**< of all ways */
    /** @brief A point of a way. @param k  below points; sorted by member, then by time
     *  @param at  out  @return number of the member */
    uint32_t (*point)(const void *ctx, size_t k, struct mf_geo *at);
    /** @brief The place of a thing. @param ne_m  out [2]: north, east of the origin
     *  @return its colour, such as "#303030" */
    const char *(*thing)(const void *ctx, uint32_t member, double *ne_m);
    const void *ctx;                     /**< first argument of both functions */
    const double *station_ne_m;          /**< [2]: where a team begins; NULL: without a team */
    const struct mf_overhead_note *note; /**< NULL: the legend has ways alone */
};

/** @brief Write the picture; nothing without points. Hulls and meshes are left out. */
void mf_overhead_write(const struct mf_overhead *o, FILE *to);

#endif
