/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shapes of obstacles, in closed form: intersections with rays, distances of places.
 *
 * Places are north, east and up in metres. A box, a cylinder and a cone stand upright on the middle
 * of their base. Pure; only + - * / and sqrt.
 */
#ifndef MF_WORLD_SPACE_SOLID_H
#define MF_WORLD_SPACE_SOLID_H

#include "hal/types.h"

#define MF_SOLID_LIST(X) \
    X(BOX, "box") X(SPHERE, "sphere") X(CYLINDER, "cylinder") X(CONE, "cone") X(MESH, "mesh")

/* clang-format off */
#define X(name, word) MF_SOLID_##name,
enum mf_solid_kind { MF_SOLID_LIST(X) MF_SOLIDS };
#undef X
/* clang-format on */

/** Shape of any kind except a mesh. */
struct mf_solid {
    int32_t kind;       /**< enum mf_solid_kind */
    double at_neu_m[3]; /**< SPHERE: its centre; else the middle of its base */
    double size_m[3];   /**< BOX: along its own north, east, up */
    double heading[2];  /**< BOX: cosine and sine of the direction of its own north */
    double radius_m;    /**< all kinds except BOX */
    double height_m;    /**< CYLINDER, CONE */
};

struct mf_triangle {
    double at[3];       /**< a corner */
    double along[2][3]; /**< ways from the corner to the other two */
};

struct mf_box {
    double low[3], high[3];
};

/** @brief Distance to the first crossing of a ray with the surface, from outside or inside.
 * @param toward  direction of the ray, of length 1  @return infinity: it does not cross it */
double mf_solid_ray(const struct mf_solid *s, const double from[3], const double toward[3]);
double mf_triangle_ray(const struct mf_triangle *t, const double from[3], const double toward[3]);

/** @brief Distance of a place to the surface; negative inside of a shape. */
double mf_solid_distance(const struct mf_solid *s, const double place[3]);
double mf_triangle_distance(const struct mf_triangle *t, const double place[3]);

/** @brief Box around the shape or triangle. */
struct mf_box mf_solid_box(const struct mf_solid *s);
struct mf_box mf_triangle_box(const struct mf_triangle *t);

static inline double mf_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
