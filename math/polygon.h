/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Depth of a place inside a polygon on the earth.
 *
 * An edge is the great circle between its vertices, whose latitudes and longitudes count as those
 * of a sphere. Computation uses the gnomonic projection around the place, in which great circles
 * are straight and distances from the centre are exact: neither the antimeridian nor a pole is
 * special, and the border does not depend on the place. The caller passes vertices one after the
 * other; they are not kept.
 */
#ifndef MF_MATH_POLYGON_H
#define MF_MATH_POLYGON_H

#include "math/geodesic.h"

#include <stdbool.h>
#include <stdint.h>

/** A polygon as seen from a place. Fields are private. */
struct mf_polygon {
    double sin_lat;
    double cos_lat;
    double lon_rad;
    double first[2]; /* east, north */
    double last[2];
    double nearest_sq; /* to the edges so far, in the plane of the projection */
    uint32_t count;
    bool inside;
    bool far; /* a vertex is more than 80 degrees away */
};

/** @brief Begin to look from @p here. */
void mf_polygon_begin(struct mf_polygon *p, struct mf_geo here);

/** @brief The next vertex. */
void mf_polygon_add(struct mf_polygon *p, struct mf_geo vertex);

/**
 * @brief The polygon is complete: its last edge leads to its first vertex. Call it once.
 * @return distance to the border [m], positive inside, negative outside; at most what it is, and at
 * least 98.9 % of it. A polygon with a vertex more than 80 degrees away, or with fewer than three,
 * does not hold the place; its distance is then 1 km.
 */
double mf_polygon_depth(struct mf_polygon *p);

#endif
