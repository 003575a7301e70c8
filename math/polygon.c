/* SPDX-License-Identifier: Apache-2.0 */
#include "math/polygon.h"

#include "hal/assert.h"
#include "math/trig.h"

/* The smallest radius of curvature of WGS84, that of the meridian at the equator [m]: angles
 * between verticals make at least this much of a distance. */
#define RADIUS_MIN_M 6335439.0
/* Cosine of the angle beyond which a vertex is not looked at. */
#define FAR_COS 0.17
#define FAR_M   1000.0

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Square of the distance in the plane from the place, which is the origin, to an edge. */
static double edge_distance_sq(const double a[2], const double b[2])
{
    const double along[2] = {b[0] - a[0], b[1] - a[1]};
    const double length_sq = dot(along, along);
    double part = length_sq > 0.0 ? -dot(a, along) / length_sq : 0.0;
    part = part < 0.0 ? 0.0 : part;
    part = part > 1.0 ? 1.0 : part;
    const double nearest[2] = {a[0] + part * along[0], a[1] + part * along[1]};
    return dot(nearest, nearest);
}

/* Does the edge cross the ray from the origin to the east? */
static bool crosses_ray(const double a[2], const double b[2])
{
    return (a[1] > 0.0) != (b[1] > 0.0) && a[0] - a[1] * (b[0] - a[0]) / (b[1] - a[1]) > 0.0;
}

static void add_edge(struct mf_polygon *p, const double to[2])
{
    const double distance_sq = edge_distance_sq(p->last, to);
    p->nearest_sq = distance_sq < p->nearest_sq ? distance_sq : p->nearest_sq;
    if (crosses_ray(p->last, to)) {
        p->inside = !p->inside;
    }
}

void mf_polygon_begin(struct mf_polygon *p, struct mf_geo here)
{
    *p = (struct mf_polygon){
        .sin_lat = mf_sin(mf_rad(here.lat_deg)),
        .cos_lat = mf_cos(mf_rad(here.lat_deg)),
        .lon_rad = mf_rad(here.lon_deg),
        .nearest_sq = 1e30,
    };
}

void mf_polygon_add(struct mf_polygon *p, struct mf_geo vertex)
{
    MF_ASSERT(p->count > 0 || p->nearest_sq > 0.0); /* begun */
    const double lat_rad = mf_rad(vertex.lat_deg);
    const double lon_rad = mf_rad(vertex.lon_deg) - p->lon_rad;
    const double sin_lat = mf_sin(lat_rad);
    const double cos_lat = mf_cos(lat_rad);
    const double level = cos_lat * mf_cos(lon_rad);
    const double up = p->sin_lat * sin_lat + p->cos_lat * level;
    if (up < FAR_COS) {
        p->far = true;
        return;
    }
    const double to[2] = {cos_lat * mf_sin(lon_rad) / up,
                          (p->cos_lat * sin_lat - p->sin_lat * level) / up};
    if (p->count > 0) {
        add_edge(p, to);
    } else {
        p->first[0] = to[0];
        p->first[1] = to[1];
    }
    p->last[0] = to[0];
    p->last[1] = to[1];
    p->count++;
}

double mf_polygon_depth(struct mf_polygon *p)
{
    if (p->far || p->count < 3) {
        return -FAR_M;
    }
    add_edge(p, p->first);
    const double distance_m = mf_atan2(mf_sqrt(p->nearest_sq), 1.0) * RADIUS_MIN_M;
    return p->inside ? distance_m : -distance_m;
}
