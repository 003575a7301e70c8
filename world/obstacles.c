/* SPDX-License-Identifier: Apache-2.0 */
/* Convex prisms, and shortest ways around them. Called by fleet/search and boards/swarm/search. */
#include "world/obstacles.h"

#include "hal/assert.h"
#include "math/trig.h"

#include <string.h>

/* Distance by which corners of a way lie farther out than necessary, so that rounding does not
 * close it. */
#define SLACK_M 0.05
/* Half side of an octagon around a circle of radius 1: tan(22.5 deg). */
#define OCTAGON 0.41421356237309503
#define NODES   (2u + MF_OBSTACLES_MAX * MF_OBSTACLE_CORNERS_MAX + MF_DETOUR_CORNERS_MAX)

struct mf_obstacle mf_obstacle_box(struct mf_enu at, struct mf_enu size)
{
    const double e = (double)at.e, n = (double)at.n, u = (double)at.u;
    const double east = e + (double)size.e, north = n + (double)size.n;
    return (struct mf_obstacle){
        {{e, n}, {east, n}, {east, north}, {e, north}}, 4, u, u + (double)size.u};
}

struct mf_obstacle mf_obstacle_cylinder(struct mf_enu at, double radius_m, double height_m)
{
    const double e = (double)at.e, n = (double)at.n, r = radius_m, h = radius_m * OCTAGON;
    return (struct mf_obstacle){{{e + r, n - h},
                                 {e + r, n + h},
                                 {e + h, n + r},
                                 {e - h, n + r},
                                 {e - r, n + h},
                                 {e - r, n - h},
                                 {e - h, n - r},
                                 {e + h, n - r}},
                                8,
                                (double)at.u,
                                (double)at.u + height_m};
}

/* ---- intersections */

struct span {
    double low, high; /* interval of a line, 0 to 1 */
};

/* Limit an interval to the part of the line where from + slope * t <= limit. */
static void keep_below(struct span *s, double from, double slope, double limit)
{
    if (slope == 0.0) {
        s->high = from <= limit ? s->high : s->low - 1.0;
    } else if (slope > 0.0) {
        s->high = mf_smaller(s->high, (limit - from) / slope);
    } else {
        s->low = mf_larger(s->low, (limit - from) / slope);
    }
}

/* Outer normal of the side from corner @p i to the next one. */
static struct mf_en normal(const struct mf_en *corner, size_t count, size_t i)
{
    const struct mf_en a = corner[i], b = corner[(i + 1u) % count];
    const double length = mf_length2(b.e - a.e, b.n - a.n);
    return length > 0.0 ? (struct mf_en){(b.n - a.n) / length, (a.e - b.e) / length}
                        : (struct mf_en){0.0, 0.0};
}

bool mf_obstacle_meets(const struct mf_obstacle *o, double clearance_m, struct mf_enu from,
                       struct mf_enu to)
{
    const double e = (double)from.e, n = (double)from.n, u = (double)from.u;
    const double de = (double)to.e - e, dn = (double)to.n - n, du = (double)to.u - u;
    struct span s = {0.0, 1.0};
    MF_ASSERT(o->corners >= 3u && o->corners <= MF_OBSTACLE_CORNERS_MAX);
    for (size_t i = 0; i < o->corners; i++) {
        const struct mf_en out = normal(o->corner, o->corners, i);
        keep_below(&s, (e - o->corner[i].e) * out.e + (n - o->corner[i].n) * out.n,
                   de * out.e + dn * out.n, clearance_m);
    }
    keep_below(&s, u, du, o->high_m + clearance_m);
    keep_below(&s, -u, -du, clearance_m - o->low_m);
    return s.low <= s.high;
}

/* Side of the line from a to b on which a point lies: > 0: left. */
static double side(struct mf_en a, struct mf_en b, struct mf_en p)
{
    return (b.e - a.e) * (p.n - a.n) - (b.n - a.n) * (p.e - a.e);
}

static bool cross(struct mf_en a, struct mf_en b, struct mf_en c, struct mf_en d)
{
    return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

static struct mf_en flat(struct mf_enu p)
{
    return (struct mf_en){(double)p.e, (double)p.n};
}

static bool inside(const struct mf_detour_limits *l, struct mf_enu p)
{
    return mf_coverage_inside(flat(p), l->corner, l->corners);
}

static bool leaves(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to)
{
    if (l->corner == NULL || !inside(l, from) || !inside(l, to)) {
        return false;
    }
    for (size_t i = 0; i < l->corners; i++) {
        if (cross(flat(from), flat(to), l->corner[i], l->corner[(i + 1u) % l->corners])) {
            return true;
        }
    }
    return false;
}

bool mf_detour_is_free(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to)
{
    for (size_t i = 0; i < l->obstacles; i++) {
        if (mf_obstacle_meets(&l->obstacle[i], l->clearance_m, from, to)) {
            return false;
        }
    }
    return !leaves(l, from, to);
}

/* ---- ways */

struct graph {
    struct mf_enu node[NODES]; /* 0: from, 1: to */
    size_t nodes;
};

/* Corner @p i of a polygon, moved outwards by @p away_m from both of its sides; negative:
 * inwards. */
static struct mf_en moved(const struct mf_en *corner, size_t count, size_t i, double away_m)
{
    const struct mf_en a = normal(corner, count, (i + count - 1u) % count);
    const struct mf_en b = normal(corner, count, i);
    const double scale = away_m / mf_larger(0.05, 1.0 + a.e * b.e + a.n * b.n);
    return (struct mf_en){corner[i].e + (a.e + b.e) * scale, corner[i].n + (a.n + b.n) * scale};
}

static void add_node(struct graph *g, struct mf_en at, float up_m)
{
    if (g->nodes < NODES) {
        g->node[g->nodes++] = (struct mf_enu){(float)at.e, (float)at.n, up_m};
    }
}

/* Twice the area, > 0: anticlockwise. */
static double doubled_area(const struct mf_en *corner, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        const struct mf_en a = corner[i], b = corner[(i + 1u) % count];
        sum += a.e * b.n - b.e * a.n;
    }
    return sum;
}

/* Add the corners where the polygon bends inwards. */
static void add_notches(struct graph *g, const struct mf_detour_limits *l, float up_m)
{
    const double way = doubled_area(l->corner, l->corners) > 0.0 ? 1.0 : -1.0;
    const double in_m = mf_larger(l->clearance_m, SLACK_M);
    for (size_t i = 0; i < l->corners; i++) {
        const struct mf_en before = l->corner[(i + l->corners - 1u) % l->corners];
        const struct mf_en after = l->corner[(i + 1u) % l->corners];
        if (side(before, l->corner[i], after) * way < 0.0) {
            add_node(g, moved(l->corner, l->corners, i, -way * in_m), up_m);
        }
    }
}

static double distance(struct mf_enu a, struct mf_enu b)
{
    return mf_length2(mf_length2((double)(b.e - a.e), (double)(b.n - a.n)), (double)(b.u - a.u));
}

/* Run Dijkstra's algorithm. @param from  out: the node before each on its way; itself: no way leads
 * to it */
static void find_ways(const struct graph *g, const struct mf_detour_limits *l, uint16_t *from)
{
    double length[NODES];
    bool done[NODES] = {false};
    for (size_t i = 0; i < g->nodes; i++) {
        length[i] = i == 0 ? 0.0 : -1.0;
        from[i] = (uint16_t)i;
    }
    for (;;) {
        size_t next = NODES;
        for (size_t i = 0; i < g->nodes; i++) {
            const bool open = !done[i] && length[i] >= 0.0;
            next = open && (next == NODES || length[i] < length[next]) ? i : next;
        }
        if (next == NODES || next == 1u) {
            return;
        }
        done[next] = true;
        for (size_t i = 0; i < g->nodes; i++) {
            const double sum = length[next] + distance(g->node[next], g->node[i]);
            if (!done[i] && (length[i] < 0.0 || sum < length[i]) &&
                mf_detour_is_free(l, g->node[next], g->node[i])) {
                length[i] = sum;
                from[i] = (uint16_t)next;
            }
        }
    }
}

int mf_detour(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to,
              struct mf_enu *way)
{
    struct graph g = {.node = {from, to}, .nodes = 2};
    uint16_t before[NODES];
    const float up_m = from.u > to.u ? from.u : to.u;
    MF_ASSERT(l->obstacles <= MF_OBSTACLES_MAX && l->corners <= MF_DETOUR_CORNERS_MAX);
    if (mf_detour_is_free(l, from, to)) {
        return 0;
    }
    for (size_t i = 0; i < l->obstacles; i++) {
        const struct mf_obstacle *o = &l->obstacle[i];
        for (size_t k = 0; k < o->corners; k++) {
            add_node(&g, moved(o->corner, o->corners, k, l->clearance_m + SLACK_M), up_m);
        }
    }
    if (l->corner != NULL) {
        add_notches(&g, l, up_m);
    }
    find_ways(&g, l, before);
    int count = 0;
    for (size_t i = before[1]; i != 0; i = before[i], count++) {
        if (i == before[i] || count == (int)MF_DETOUR_MAX) {
            return -1;
        }
    }
    int at = count;
    for (size_t i = before[1]; i != 0; i = before[i]) {
        way[--at] = g.node[i];
    }
    return count;
}
