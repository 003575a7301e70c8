/* SPDX-License-Identifier: Apache-2.0 */
/** Where members were, seen from above, as SVG: obstacles, things, and a line for each member. */
#ifndef MF_BOARDS_SWARM_OVERHEAD_H
#define MF_BOARDS_SWARM_OVERHEAD_H

#include "boards/swarm/swarm.h"

/** A point of a track, of kml or of overhead. */
struct swarm_point {
    uint32_t i;
    uint32_t overhead; /**< 1; 0: of kml */
    mf_us_t at_us;
    double lat_deg, lon_deg, alt_amsl_m;
};

/** @brief Write it. @param point  [count], by member, then by time */
void swarm_overhead_write(const struct swarm *w, const struct swarm_point *point, size_t count,
                          FILE *to);

#endif
