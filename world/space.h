/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Obstacles in a tree of boxes, so that a query among a hundred thousand triangles costs little
 * more than one among ten: rays, and moving balls that meet obstacles.
 *
 *     mf_space_init(&space, capacity, memory);
 *     mf_space_add_solid(&space, 1, &wall);
 *     mf_space_add_triangles(&space, 2, triangle, count);
 *     mf_space_build(&space);
 *
 * Moving bodies are balls. Between two orders a ball flies straight, so the instant at which it
 * meets an obstacle or another ball is found between steps, however fast it is: the first whole
 * microsecond at which the two touch. world/space_touch.h has contacts of balls with each other.
 *
 * Places are north, east and up in metres. The caller supplies memory; the tree is constant once it
 * is built, so any thread may query it. Only + - * / and sqrt.
 */
#ifndef MF_WORLD_SPACE_H
#define MF_WORLD_SPACE_H

#include "world/space_solid.h"

/** Distance within which a ball touches an obstacle or another ball [m]. */
#define MF_SPACE_TOUCH_M 1e-9
/** Maximum number of advances of a ball towards an obstacle. */
#define MF_SPACE_ADVANCES 200u

/** Shape or triangle; its fields are private. */
struct mf_space_part {
    union {
        struct mf_triangle triangle;
        struct mf_solid shape;
    } of;
    uint32_t id;
    bool is_solid;
};

/** Box of the tree; its fields are private. */
struct mf_space_node {
    float low[3], high[3];
    uint32_t first; /* index of the first part, or of the first of two boxes within */
    uint32_t count; /* number of parts; 0: it has boxes */
};

/** The caller allocates it. */
struct mf_space {
    struct mf_space_part *part;
    struct mf_space_node *node;
    uint32_t count, capacity, nodes;
    uint64_t refused; /**< number of parts that were not added: no room, or not finite */
};

struct mf_ray_hit {
    double distance_m;
    uint32_t id; /**< id of the obstacle */
};

/** Body for contacts, which moves straight on. */
struct mf_ball {
    double neu_m[3];
    double vel_mps[3]; /**< north, east, up */
    double radius_m;
};

struct mf_contact {
    mf_us_t after_us; /**< first whole microsecond at which the two touch */
    uint32_t ball;
    uint32_t with; /**< obstacle, or the ball with the higher number */
};

/** @brief Memory for a number of shapes and triangles [bytes]. */
size_t mf_space_bytes(uint32_t parts);

/** @brief Begin without obstacles. @param bytes  [mf_space_bytes()], aligned for a double */
void mf_space_init(struct mf_space *space, uint32_t parts, void *bytes);

/** @brief First whole microsecond at or after a time, which may be exceeded by a nanosecond of
 * rounding. */
static inline mf_us_t mf_contact_us(double s)
{
    const double us = s * 1e6 - 1e-3;
    return us > 0.0 ? (mf_us_t)us + 1 : 0;
}

/** @brief Add an obstacle. @param id  number for results, below UINT32_MAX
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: not finite, without extent, or beyond 1000 km */
int mf_space_add_solid(struct mf_space *space, uint32_t id, const struct mf_solid *s);
int mf_space_add_triangles(struct mf_space *space, uint32_t id, const struct mf_triangle *t,
                           uint32_t count);

/** @brief Build the tree, after the last obstacle. O(n log n). */
void mf_space_build(struct mf_space *space);

/** @brief Find the first obstacle on a ray. @param toward  of length 1  @return false: nothing
 * within @p reach_m */
bool mf_space_ray(const struct mf_space *space, const double from[3], const double toward[3],
                  double reach_m, struct mf_ray_hit *hit);

/** @brief Find the first obstacle that a ball meets. An obstacle that it touches already does not
 * count; one that it touches at the end does.
 * @param until_us  time from now for which it moves straight on
 * @return false: it meets none */
bool mf_space_meet(const struct mf_space *space, const struct mf_ball *ball, mf_us_t until_us,
                   struct mf_contact *contact);

/** @brief Direction and gap from an obstacle to a ball that touches it, or nearly. @param with  the
 * obstacle
 * @param normal  out, of length 1: away from it, north, east, up  @param gap_m  out: gap, below 0
 * within the obstacle  @return false: farther away than a tenth of the ball's radius */
bool mf_space_normal(const struct mf_space *space, uint32_t with, const struct mf_ball *ball,
                     double normal[3], double *gap_m);

/** @brief Find the contact of a ball with one shape, which moves straight on without turning.
 * @param vel_mps  velocity of the shape, north, east, up */
bool mf_solid_meet(const struct mf_solid *s, const double vel_mps[3], const struct mf_ball *ball,
                   mf_us_t until_us, mf_us_t *after_us);

typedef void mf_space_take(void *ctx, const struct mf_space_part *part);

/** @brief Call @p take for all parts of obstacles in boxes that a box overlaps, and perhaps for
 * others near them. */
void mf_space_each(const struct mf_space *space, const struct mf_box *box, mf_space_take *take,
                   void *ctx);

/** @brief Distance of a place to a part; negative inside of a shape. */
double mf_space_part_distance(const struct mf_space_part *part, const double neu_m[3]);

/** @brief Direction away from a part. @param radius_m  radius of the ball there
 * @param normal  out, of length 1  @return false: undefined */
bool mf_space_part_normal(const struct mf_space_part *part, const double neu_m[3], double radius_m,
                          double normal[3]);

#endif
