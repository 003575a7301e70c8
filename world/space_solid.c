/* SPDX-License-Identifier: Apache-2.0 */
/* Rays and distances of shapes and triangles. Called by world/space and
 * boards/swarm/ghost_shape. */
#include "world/space_solid.h"

#include "math/trig.h"

#include <string.h>

#define NEVER_M (__builtin_inf())
/* Share of a triangle's edge by which a ray may miss it, so that no ray slips between two
 * triangles. */
#define SEAM 1e-12

/* ---- a shape's own axes */

/* Turn a direction, or a place relative to the middle of the base, into the shape's axes. */
static void turn_in(const struct mf_solid *s, const double v[3], double own[3])
{
    const bool turned = s->kind == MF_SOLID_BOX;
    own[0] = turned ? s->heading[0] * v[0] + s->heading[1] * v[1] : v[0];
    own[1] = turned ? s->heading[0] * v[1] - s->heading[1] * v[0] : v[1];
    own[2] = v[2];
}

static void move_in(const struct mf_solid *s, const double place[3], double own[3])
{
    const double d[3] = {place[0] - s->at_neu_m[0], place[1] - s->at_neu_m[1],
                         place[2] - s->at_neu_m[2]};
    turn_in(s, d, own);
}

/* ---- rays */

static double nearer(double t, double best)
{
    return t >= 0.0 && t < best ? t : best;
}

static double ray_box(const struct mf_solid *s, const double p[3], const double d[3])
{
    const double low[3] = {-0.5 * s->size_m[0], -0.5 * s->size_m[1], 0.0};
    double in = -NEVER_M, out = NEVER_M;
    for (size_t i = 0; i < 3; i++) {
        const double high = low[i] + s->size_m[i];
        if (d[i] == 0.0) {
            if (!mf_between(p[i], low[i], high)) {
                return NEVER_M;
            }
            continue;
        }
        const double a = (low[i] - p[i]) / d[i], b = (high - p[i]) / d[i];
        in = mf_larger(mf_smaller(a, b), in);
        out = mf_smaller(mf_larger(a, b), out);
    }
    return in > out || out < 0.0 ? NEVER_M : in >= 0.0 ? in : out;
}

/* Roots of a t^2 + 2 b t + c, the smaller first. @return false: not real */
static bool roots(double a, double b, double c, double t[2])
{
    const double under = b * b - a * c;
    if (!(under >= 0.0) || a == 0.0) {
        return false;
    }
    const double q = b < 0.0 ? mf_sqrt(under) - b : -mf_sqrt(under) - b;
    const double one = q / a, other = q != 0.0 ? c / q : one;
    t[0] = mf_smaller(one, other);
    t[1] = mf_larger(one, other);
    return true;
}

static double ray_sphere(const struct mf_solid *s, const double p[3], const double d[3])
{
    double t[2];
    if (!roots(1.0, mf_dot3(p, d), mf_dot3(p, p) - s->radius_m * s->radius_m, t)) {
        return NEVER_M;
    }
    return nearer(t[0], nearer(t[1], NEVER_M));
}

/* Distance of a ray to a level disc of the shape. */
static double ray_disc(const struct mf_solid *s, double up_m, const double p[3], const double d[3])
{
    const double t = d[2] != 0.0 ? (up_m - p[2]) / d[2] : -1.0;
    const double n = p[0] + t * d[0], e = p[1] + t * d[1];
    return t >= 0.0 && n * n + e * e <= s->radius_m * s->radius_m ? t : NEVER_M;
}

/* Nearest of two crossings of an endless side that lies within the shape's height. */
static double within_height(const struct mf_solid *s, const double t[2], const double p[3],
                            const double d[3], double best)
{
    for (size_t i = 0; i < 2; i++) {
        if (mf_between(p[2] + t[i] * d[2], 0.0, s->height_m)) {
            best = nearer(t[i], best);
        }
    }
    return best;
}

static double ray_cylinder(const struct mf_solid *s, const double p[3], const double d[3])
{
    double t[2];
    const double best = mf_smaller(ray_disc(s, 0.0, p, d), ray_disc(s, s->height_m, p, d));
    const bool crosses = roots(d[0] * d[0] + d[1] * d[1], p[0] * d[0] + p[1] * d[1],
                               p[0] * p[0] + p[1] * p[1] - s->radius_m * s->radius_m, t);
    return crosses ? within_height(s, t, p, d, best) : best;
}

/* Solves n^2 + e^2 = (slope (height - up))^2. */
static double ray_cone(const struct mf_solid *s, const double p[3], const double d[3])
{
    const double slope = s->radius_m / s->height_m, rest = s->height_m - p[2];
    const double w2 = slope * slope;
    const double a = d[0] * d[0] + d[1] * d[1] - w2 * d[2] * d[2];
    const double b = p[0] * d[0] + p[1] * d[1] + w2 * rest * d[2];
    const double c = p[0] * p[0] + p[1] * p[1] - w2 * rest * rest;
    const double best = ray_disc(s, 0.0, p, d);
    double t[2];
    if (mf_abs(a) < 1e-12) { /* along the side */
        t[0] = t[1] = b != 0.0 ? -c / (2.0 * b) : -1.0;
    } else if (!roots(a, b, c, t)) {
        return best;
    }
    return within_height(s, t, p, d, best);
}

double mf_solid_ray(const struct mf_solid *s, const double from[3], const double toward[3])
{
    typedef double ray(const struct mf_solid *s, const double p[3], const double d[3]);
    static ray *const k_ray[MF_SOLIDS] = {[MF_SOLID_BOX] = ray_box,
                                          [MF_SOLID_SPHERE] = ray_sphere,
                                          [MF_SOLID_CYLINDER] = ray_cylinder,
                                          [MF_SOLID_CONE] = ray_cone};
    double p[3], d[3];
    MF_ASSERT(s->kind >= 0 && s->kind < MF_SOLID_MESH);
    move_in(s, from, p);
    turn_in(s, toward, d);
    return k_ray[s->kind](s, p, d);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Moeller, Trumbore 1997 */
double mf_triangle_ray(const struct mf_triangle *t, const double from[3], const double toward[3])
{
    double p[3], q[3];
    cross(toward, t->along[1], p);
    const double det = mf_dot3(t->along[0], p);
    if (det == 0.0) {
        return NEVER_M;
    }
    const double d[3] = {from[0] - t->at[0], from[1] - t->at[1], from[2] - t->at[2]};
    const double part = 1.0 / det, u = mf_dot3(d, p) * part;
    if (!mf_between(u, -SEAM, 1.0 + SEAM)) {
        return NEVER_M;
    }
    cross(d, t->along[0], q);
    const double v = mf_dot3(toward, q) * part;
    const double distance = mf_dot3(t->along[1], q) * part;
    return v >= -SEAM && u + v <= 1.0 + SEAM && distance >= 0.0 ? distance : NEVER_M;
}

/* ---- distances */

/* Distance of a place beyond two edges at a right angle by these distances; negative: within
 * both. */
static double beyond(double a, double b)
{
    return a > 0.0 && b > 0.0 ? mf_length2(a, b) : mf_larger(a, b);
}

/* Distance of a place (r, z) to the line from (radius, 0) to (0, height). */
static double beside_cone(const struct mf_solid *s, double r, double z)
{
    const double side2 = s->radius_m * s->radius_m + s->height_m * s->height_m;
    const double dot = (s->radius_m - r) * s->radius_m + z * s->height_m;
    const double part = mf_larger(mf_smaller(dot / side2, 1.0), 0.0);
    return mf_length2(r - s->radius_m * (1.0 - part), z - s->height_m * part);
}

static double distance_cone(const struct mf_solid *s, double r, double z)
{
    const double side = beside_cone(s, r, z);
    const double base = mf_length2(mf_larger(r - s->radius_m, 0.0), z);
    const bool inside = z >= 0.0 && r * s->height_m + z * s->radius_m <= s->radius_m * s->height_m;
    const double nearest = mf_smaller(side, base);
    return inside ? -nearest : nearest;
}

double mf_solid_distance(const struct mf_solid *s, const double place[3])
{
    double p[3];
    move_in(s, place, p);
    const double r = mf_length2(p[0], p[1]);
    switch (s->kind) {
    case MF_SOLID_BOX: {
        const double level =
            beyond(mf_abs(p[0]) - 0.5 * s->size_m[0], mf_abs(p[1]) - 0.5 * s->size_m[1]);
        return beyond(level, mf_abs(p[2] - 0.5 * s->size_m[2]) - 0.5 * s->size_m[2]);
    }
    case MF_SOLID_SPHERE:
        return mf_length2(r, p[2]) - s->radius_m;
    case MF_SOLID_CYLINDER:
        return beyond(r - s->radius_m, mf_abs(p[2] - 0.5 * s->height_m) - 0.5 * s->height_m);
    default:
        MF_ASSERT(s->kind == MF_SOLID_CONE);
        return distance_cone(s, r, p[2]);
    }
}

/* Distance to the edge from @p at along @p way, squared. */
static double edge2(const double place[3], const double at[3], const double way[3])
{
    const double d[3] = {place[0] - at[0], place[1] - at[1], place[2] - at[2]};
    const double whole = mf_dot3(way, way);
    const double part =
        whole > 0.0 ? mf_larger(mf_smaller(mf_dot3(d, way) / whole, 1.0), 0.0) : 0.0;
    const double rest[3] = {d[0] - part * way[0], d[1] - part * way[1], d[2] - part * way[2]};
    return mf_dot3(rest, rest);
}

double mf_triangle_distance(const struct mf_triangle *t, const double place[3])
{
    const double *a = t->along[0], *b = t->along[1];
    const double d[3] = {place[0] - t->at[0], place[1] - t->at[1], place[2] - t->at[2]};
    const double aa = mf_dot3(a, a), ab = mf_dot3(a, b), bb = mf_dot3(b, b);
    const double da = mf_dot3(d, a), db = mf_dot3(d, b), det = aa * bb - ab * ab;
    const double u = (bb * da - ab * db), v = (aa * db - ab * da);
    /* the nearest point is inside the face */
    if (det > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= det) {
        double normal[3];
        cross(a, b, normal);
        return mf_abs(mf_dot3(d, normal)) / mf_sqrt(mf_dot3(normal, normal));
    }
    const double corner[3] = {t->at[0] + a[0], t->at[1] + a[1], t->at[2] + a[2]};
    const double third[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double two = mf_smaller(edge2(place, t->at, a), edge2(place, t->at, b));
    return mf_sqrt(mf_smaller(two, edge2(place, corner, third)));
}

/* ---- boxes */

struct mf_box mf_solid_box(const struct mf_solid *s)
{
    const double c = mf_abs(s->heading[0]), h = mf_abs(s->heading[1]);
    const bool box = s->kind == MF_SOLID_BOX, ball = s->kind == MF_SOLID_SPHERE;
    const double half[2] = {box ? 0.5 * (c * s->size_m[0] + h * s->size_m[1]) : s->radius_m,
                            box ? 0.5 * (h * s->size_m[0] + c * s->size_m[1]) : s->radius_m};
    const double *at = s->at_neu_m;
    const double top = box ? s->size_m[2] : ball ? s->radius_m : s->height_m;
    return (struct mf_box){{at[0] - half[0], at[1] - half[1], at[2] - (ball ? s->radius_m : 0.0)},
                           {at[0] + half[0], at[1] + half[1], at[2] + top}};
}

struct mf_box mf_triangle_box(const struct mf_triangle *t)
{
    struct mf_box box;
    for (size_t i = 0; i < 3; i++) {
        const double a = t->along[0][i], b = t->along[1][i];
        box.low[i] = t->at[i] + mf_smaller(mf_smaller(a, b), 0.0);
        box.high[i] = t->at[i] + mf_larger(mf_larger(a, b), 0.0);
    }
    return box;
}
