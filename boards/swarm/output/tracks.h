/* SPDX-License-Identifier: Apache-2.0 */
/** Tracks of members as files for viewers. Each file is written at the end of the run, because it
 * has one track after the other. */
#ifndef MF_BOARDS_SWARM_TRACKS_H
#define MF_BOARDS_SWARM_TRACKS_H

#include "boards/swarm/core/swarm.h"

/** File of a track. */
enum swarm_track {
    SWARM_TRACK_KML,
    SWARM_TRACK_OVERHEAD, /**< picture from above (fleet/overhead.h) */
    SWARM_TRACK_CZML,
    SWARM_TRACK_GEOJSON,
    SWARM_TRACKS
};

/** Point of a member's track. */
struct swarm_point {
    uint32_t i;
    uint32_t of; /**< file that the point is for, enum swarm_track */
    mf_us_t at_us;
    double lat_deg, lon_deg, alt_amsl_m;
};

/** @brief Write the file of an output. @param point  [count], sorted by member, then by time */
void swarm_tracks_write(struct swarm *w, enum swarm_track of, const struct swarm_point *point,
                        size_t count, FILE *to);

#endif
