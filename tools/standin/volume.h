/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Volumes of airspace: a polygon or a circle between two altitudes above the WGS84 ellipsoid, in
 * the JSON of ASTM F3548 (Volume3D). All functions are pure; only standin_volumes_parse()
 * allocates memory.
 */
#ifndef MF_STANDIN_VOLUME_H
#define MF_STANDIN_VOLUME_H

#include "math/geodesic.h"

#include <stdbool.h>
#include <stddef.h>

#define STANDIN_VOLUMES_MAX 16u
#define STANDIN_CORNERS_MAX 64u

/** A polygon, or a circle if the number of corners is 0. */
struct standin_volume {
    struct mf_geo center;
    double radius_m;
    struct mf_geo corner[STANDIN_CORNERS_MAX];
    unsigned corners;
    double lower_m, upper_m; /**< above WGS84 */
};

struct standin_volumes {
    struct standin_volume volume[STANDIN_VOLUMES_MAX];
    unsigned count;
};

/** @brief Read a JSON list of volumes. @param error  out: which volume, what is wrong */
bool standin_volumes_parse(const char *text, struct standin_volumes *out, char *error,
                           size_t error_size);

/** @brief Is a place in one of them, its border included? @param alt_m  above WGS84 */
bool standin_volumes_hold(const struct standin_volumes *v, struct mf_geo place, double alt_m);

#endif
