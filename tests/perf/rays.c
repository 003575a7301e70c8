/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What looks at obstacles cost. Rays against a mesh of 100,000 triangles: hills of 1 x 1 km, looked
 * at from between their tops in all directions. And steps of 32 balls among 10 to 10,000 spheres,
 * which grow with the logarithm of their number. Prints lines 'name value unit'; ci/figures.py puts
 * the limits beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "math/chance.h"
#include "world/space.h"

#define SIDE      224u /* squares, of two triangles each */
#define SQUARE_M  (1000.0 / (double)SIDE)
#define TRIANGLES (2u * SIDE * SIDE)
#define RAYS      1000000u
#define BALLS     32u
#define STEPS     10000u

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A corner of the net of squares. */
static void corner(uint32_t n, uint32_t e, double at[3])
{
    at[0] = n * SQUARE_M;
    at[1] = e * SQUARE_M;
    at[2] = 30.0 * sin(at[0] / 40.0) * cos(at[1] / 55.0) + mf_chance_unit(1, n * 1000u + e);
}

static struct mf_triangle triangle(uint32_t n, uint32_t e, uint32_t half)
{
    struct mf_triangle t;
    double a[3], b[3];
    corner(n, e, t.at);
    corner(n + 1u, e + half, a);
    corner(n + half, e + 1u, b);
    if (half == 1) {
        corner(n, e + 1u, b);
    }
    for (uint32_t i = 0; i < 3; i++) {
        t.along[0][i] = a[i] - t.at[i];
        t.along[1][i] = b[i] - t.at[i];
    }
    return t;
}

static struct mf_space make(void)
{
    struct mf_space space;
    void *bytes = malloc(mf_space_bytes(TRIANGLES));
    if (bytes == NULL) {
        exit(1);
    }
    mf_space_init(&space, TRIANGLES, bytes);
    for (uint32_t n = 0; n < SIDE; n++) {
        for (uint32_t e = 0; e < SIDE; e++) {
            const struct mf_triangle two[] = {triangle(n, e, 0), triangle(n, e, 1)};
            if (mf_space_add_triangles(&space, 1, two, 2) != MF_E_OK) {
                exit(1);
            }
        }
    }
    mf_space_build(&space);
    return space;
}

/* Time of a step of a ball of a bee's size, a tenth of a second at 2 m/s, among so many spheres. */
static double step_ns(uint32_t spheres)
{
    struct mf_space space;
    void *bytes = malloc(mf_space_bytes(spheres));
    if (bytes == NULL) {
        exit(1);
    }
    mf_space_init(&space, spheres, bytes);
    for (uint32_t i = 0; i < spheres; i++) {
        const struct mf_solid sphere = {.kind = MF_SOLID_SPHERE,
                                        .at_neu_m = {200.0 * mf_chance_unit(2, 3u * i),
                                                     200.0 * mf_chance_unit(2, 3u * i + 1u),
                                                     20.0 * mf_chance_unit(2, 3u * i + 2u)},
                                        .radius_m = 0.5};
        if (mf_space_add_solid(&space, i, &sphere) != MF_E_OK) {
            exit(1);
        }
    }
    mf_space_build(&space);
    uint64_t met = 0;
    const double begin_s = cpu_s();
    for (uint32_t k = 0; k < BALLS * STEPS; k++) {
        const struct mf_ball ball = {{200.0 * mf_chance_unit(3, 3u * k),
                                      200.0 * mf_chance_unit(3, 3u * k + 1u),
                                      20.0 * mf_chance_unit(3, 3u * k + 2u)},
                                     {2.0, 1.0, 0.1},
                                     0.05};
        struct mf_contact contact;
        met += mf_space_meet(&space, &ball, 100000, &contact) ? 1u : 0u;
    }
    const double took_s = cpu_s() - begin_s;
    free(bytes);
    return met < BALLS * STEPS ? took_s * 1e9 / (BALLS * STEPS) : -1.0;
}

int main(void)
{
    double begin_s = cpu_s();
    const struct mf_space space = make();
    printf("rays.build %.3f s\n", cpu_s() - begin_s);
    uint32_t hits = 0;
    begin_s = cpu_s();
    for (uint32_t k = 0; k < RAYS; k++) {
        const uint64_t key = mf_chance_u64(7, k);
        const double angle = 6.28 * mf_chance_unit(key, 0), up = mf_chance_unit(key, 1) - 0.7;
        const double level = sqrt(1.0 - up * up);
        const double from[3] = {1000.0 * mf_chance_unit(key, 2), 1000.0 * mf_chance_unit(key, 3),
                                50.0};
        const double toward[3] = {level * cos(angle), level * sin(angle), up};
        struct mf_ray_hit hit;
        hits += mf_space_ray(&space, from, toward, 1000.0, &hit) ? 1u : 0u;
    }
    const double took_s = cpu_s() - begin_s;
    if (hits < RAYS / 4u) {
        fprintf(stderr, "rays: only %u of them meet anything\n", hits);
        return 1;
    }
    printf("rays.mesh %.0f /s\n", RAYS / took_s);
    free(space.part);
    for (uint32_t spheres = 10; spheres <= 10000; spheres *= 10) {
        printf("contacts.%u %.0f ns\n", spheres, step_ns(spheres));
    }
    return 0;
}
