/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Surfaces of triangles: read from STL, or built as the hull around points. A mesh must be closed,
 * because bodies would pass through a hole.
 */
#ifndef MF_WORLD_SPACE_MESH_H
#define MF_WORLD_SPACE_MESH_H

#include "world/space_solid.h"

/** Maximum number of triangles of a mesh, and of points of a hull. */
#define MF_MESH_TRIANGLES_MAX 1000000u
#define MF_HULL_POINTS_MAX    24u

/* Errors: name and text. */
#define MF_MESH_LIST(X)                                                          \
    X(OK, "ok")                                                                  \
    X(FORMAT, "is not an STL: neither binary with its whole length nor 'solid'") \
    X(NUMBER, "a coordinate is not a number within 1000 km")                     \
    X(FULL, "has more triangles than there is room for")                         \
    X(EMPTY, "has no triangle")                                                  \
    X(HOLES, "its surface has a hole, or faces that are turned over")

/* clang-format off */
#define X(name, text) MF_MESH_##name,
enum mf_mesh_error { MF_MESH_LIST(X) MF_MESH_ERRORS };
#undef X
/* clang-format on */

/** @brief Text of an error. */
const char *mf_mesh_text(enum mf_mesh_error error);

/** @brief Largest number of triangles in an STL file, from its length. */
uint32_t mf_mesh_stl_most(size_t n);

/** @brief Read an STL file, binary or text; normals follow from the corners.
 *  @param triangle  out [capacity]  @param count  out: triangles with an area; of an error in a
 *  number, those before it */
enum mf_mesh_error mf_mesh_read_stl(const uint8_t *bytes, size_t n, struct mf_triangle *triangle,
                                    uint32_t capacity, uint32_t *count);

/** @brief Build the convex hull around points, as triangles that may overlap within a face.
 * @param point  [points][3], 4 .. MF_HULL_POINTS_MAX  @return as mf_mesh_read_stl(); EMPTY: all
 * points lie in a plane */
enum mf_mesh_error mf_mesh_hull(const double *point, uint32_t points, struct mf_triangle *triangle,
                                uint32_t capacity, uint32_t *count);

#endif
