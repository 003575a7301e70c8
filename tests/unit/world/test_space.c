/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-14, SBE-08: obstacles, rays and contacts, against formulas by hand and a look at each part.
 */
#include "world/space.h"

#include "math/chance.h"
#include "tests/unit/support/cases.h"
#include "world/space_mesh.h"
#include "world/space_touch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PARTS 900u

static const struct mf_solid k_box = {
    .kind = MF_SOLID_BOX, .at_neu_m = {10, 0, 0}, .size_m = {2, 8, 6}, .heading = {1, 0}};
static const struct mf_solid k_ball = {
    .kind = MF_SOLID_SPHERE, .at_neu_m = {0, 10, 5}, .radius_m = 2};
static const struct mf_solid k_mast = {
    .kind = MF_SOLID_CYLINDER, .at_neu_m = {-10, 0, 0}, .radius_m = 1, .height_m = 20};
static const struct mf_solid k_cone = {
    .kind = MF_SOLID_CONE, .at_neu_m = {0, -10, 0}, .radius_m = 3, .height_m = 6};

static double ray(const struct mf_solid *s, double n, double e, double u, double dn, double de,
                  double du)
{
    const double size = sqrt(dn * dn + de * de + du * du);
    return mf_solid_ray(s, (const double[]){n, e, u},
                        (const double[]){dn / size, de / size, du / size});
}

static void test_sbe14_rays_by_hand(void **state)
{
    (void)state;
    assert_true(ray(&k_box, 0, 0, 1, 1, 0, 0) == 9.0);
    assert_true(ray(&k_box, 10, 0, 1, 1, 0, 0) == 1.0); /* from inside */
    assert_true(ray(&k_box, 10, 0, 16, 0, 0, -1) == 10.0);
    assert_true(isinf(ray(&k_box, 0, 4.001, 1, 1, 0, 0)));
    assert_true(isinf(ray(&k_box, 12, 0, 1, 1, 0, 0)));
    struct mf_solid turned = k_box; /* its own north points to the east */
    turned.heading[0] = 0.0;
    turned.heading[1] = 1.0;
    assert_true(ray(&turned, 0, 0.5, 1, 1, 0, 0) == 6.0);
    assert_true(isinf(ray(&turned, 0, 1.5, 1, 1, 0, 0)));
    assert_true(ray(&k_ball, 0, 0, 5, 0, 1, 0) == 8.0);
    assert_true(fabs(ray(&k_ball, 0, 0, 6, 0, 1, 0) - (10.0 - sqrt(3.0))) < 1e-12);
    assert_true(ray(&k_mast, 0, 0, 19, -1, 0, 0) == 9.0);
    assert_true(ray(&k_mast, -10.5, 0, 30, 0, 0, -1) == 10.0);
    assert_true(isinf(ray(&k_mast, 0, 0, 20.5, -1, 0, 0)));
    assert_true(fabs(ray(&k_cone, 0, 0, 2, 0, -1, 0) - 8.0) < 1e-12); /* 2 m wide 2 m up */
    assert_true(fabs(ray(&k_cone, 0, -10, 9, 0, 0, -1) - 3.0) < 1e-12);
    assert_true(ray(&k_cone, 1, -10, -4, 0, 0, 1) == 4.0);
}

static double far(const struct mf_solid *s, double n, double e, double u)
{
    return mf_solid_distance(s, (const double[]){n, e, u});
}

static void test_sbe14_distances_by_hand(void **state)
{
    (void)state;
    assert_true(far(&k_box, 4, 0, 1) == 5.0 && far(&k_box, 10, 0, 1) == -1.0);
    assert_true(fabs(far(&k_box, 14, 8, 6) - 5.0) < 1e-12); /* 3, 4, 0 of an edge */
    assert_true(far(&k_ball, 0, 10, 12) == 5.0 && far(&k_ball, 0, 10, 5) == -2.0);
    assert_true(fabs(far(&k_mast, -10, 4, 24) - 5.0) < 1e-12); /* 3 beside, 4 above */
    assert_true(fabs(far(&k_cone, 0, -10, 9) - 3.0) < 1e-12);
    assert_true(fabs(far(&k_cone, 0, -10, -2) - 2.0) < 1e-12);
    /* beside the middle of the side (1.5, 3), along its normal (2, 1) / sqrt(5) */
    assert_true(fabs(far(&k_cone, 1.5 + 2.0, -10, 3 + 1.0) - sqrt(5.0)) < 1e-12);
    const struct mf_triangle t = {{0, 0, 0}, {{4, 0, 0}, {0, 4, 0}}};
    assert_true(mf_triangle_distance(&t, (const double[]){1, 1, 3}) == 3.0);
    assert_true(mf_triangle_distance(&t, (const double[]){-3, 2, 4}) == 5.0);
    assert_true(mf_triangle_distance(&t, (const double[]){7, 0, 4}) == 5.0);
    assert_true(fabs(mf_triangle_distance(&t, (const double[]){3, 3, 0}) - sqrt(2.0)) < 1e-12);
}

/* ---- many */

static double chance(uint64_t key, uint64_t n, double low, double high)
{
    return low + (high - low) * mf_chance_unit(key, n);
}

static void direction(uint64_t key, uint64_t n, double d[3])
{
    double size;
    do {
        for (uint64_t i = 0; i < 3; i++) {
            d[i] = chance(key, n * 3 + i, -1, 1);
        }
        size = sqrt(mf_dot3(d, d));
        key++;
    } while (size < 0.1 || size > 1.0);
    for (size_t i = 0; i < 3; i++) {
        d[i] /= size;
    }
}

/* Shapes and triangles by chance in a cube of 200 m. */
struct field {
    struct mf_space space;
    struct mf_space_part part[PARTS]; /* as they came in */
    double memory[PARTS * 32u];
};

static void plant(struct field *f)
{
    assert_true(mf_space_bytes(PARTS) <= sizeof f->memory);
    mf_space_init(&f->space, PARTS, f->memory);
    for (uint32_t i = 0; i < PARTS; i++) {
        const uint64_t key = mf_chance_u64(99, i);
        const double angle = chance(key, 8, 0, 6);
        struct mf_space_part *part = &f->part[i];
        *part = (struct mf_space_part){.id = i, .is_solid = i % 3u != 0};
        const double at[3] = {chance(key, 0, -100, 100), chance(key, 1, -100, 100),
                              chance(key, 2, -100, 100)};
        if (part->is_solid) {
            part->of.shape = (struct mf_solid){
                .kind = (int32_t)(i % 4u),
                .at_neu_m = {at[0], at[1], at[2]},
                .size_m = {chance(key, 3, 1, 9), chance(key, 4, 1, 9), chance(key, 5, 1, 9)},
                .heading = {cos(angle), sin(angle)},
                .radius_m = chance(key, 6, 1, 5),
                .height_m = chance(key, 7, 1, 9)};
            assert_int_equal(mf_space_add_solid(&f->space, i, &part->of.shape), MF_E_OK);
        } else {
            part->of.triangle = (struct mf_triangle){.at = {at[0], at[1], at[2]}};
            for (uint32_t k = 0; k < 6; k++) {
                part->of.triangle.along[k / 3u][k % 3u] = chance(key, 3 + k, -9, 9);
            }
            assert_int_equal(mf_space_add_triangles(&f->space, i, &part->of.triangle, 1), MF_E_OK);
        }
    }
    mf_space_build(&f->space);
}

/* SBE-14: random rays equal a look at each part; and the surface is there. */
static void test_sbe14_rays_equal_brute_force(void **state)
{
    (void)state;
    static struct field s_field;
    const uint32_t rays = (uint32_t)mf_cases(2000, 100000);
    uint32_t hits = 0;
    plant(&s_field);
    for (uint32_t k = 0; k < rays; k++) {
        double d[3];
        const double from[3] = {chance(5, 3u * k, -120, 120), chance(5, 3u * k + 1u, -120, 120),
                                chance(5, 3u * k + 2u, -120, 120)};
        struct mf_ray_hit best = {500.0, UINT32_MAX}, hit;
        direction(77, 7u * k, d);
        for (uint32_t i = 0; i < PARTS; i++) {
            const struct mf_space_part *part = &s_field.part[i];
            const double at = part->is_solid ? mf_solid_ray(&part->of.shape, from, d)
                                             : mf_triangle_ray(&part->of.triangle, from, d);
            best = at < best.distance_m ? (struct mf_ray_hit){at, i} : best;
        }
        const bool found = mf_space_ray(&s_field.space, from, d, 500.0, &hit);
        assert_int_equal(found, best.id != UINT32_MAX);
        assert_true(hit.id == best.id && hit.distance_m == best.distance_m);
        if (found) {
            const struct mf_space_part *part = &s_field.part[hit.id];
            const double place[3] = {from[0] + hit.distance_m * d[0],
                                     from[1] + hit.distance_m * d[1],
                                     from[2] + hit.distance_m * d[2]};
            const double gap = part->is_solid ? mf_solid_distance(&part->of.shape, place)
                                              : mf_triangle_distance(&part->of.triangle, place);
            assert_true(fabs(gap) < 1e-6);
            hits++;
        }
    }
    assert_true(hits > rays / 10u && hits < rays - rays / 10u);
}

/* The tree finds whom a look at each part finds: one part at a time in a tree of its own. */
static void test_sbe14_contacts_equal_brute_force(void **state)
{
    (void)state;
    static struct field s_field;
    static double s_memory[64];
    uint32_t meetings = 0;
    plant(&s_field);
    for (uint32_t k = 0; k < (uint32_t)mf_cases(200, 5000); k++) {
        struct mf_ball ball = {.radius_m = 0.3};
        struct mf_contact best = {.after_us = INT64_MAX}, contact;
        direction(3, 7u * k, ball.vel_mps);
        for (uint32_t i = 0; i < 3; i++) {
            ball.neu_m[i] = chance(4, 3u * k + i, -100, 100);
            ball.vel_mps[i] *= 40.0;
        }
        for (uint32_t i = 0; i < PARTS; i++) {
            struct mf_space one;
            const struct mf_space_part *part = &s_field.part[i];
            mf_space_init(&one, 1, s_memory);
            (void)(part->is_solid ? mf_space_add_solid(&one, i, &part->of.shape)
                                  : mf_space_add_triangles(&one, i, &part->of.triangle, 1));
            mf_space_build(&one);
            if (mf_space_meet(&one, &ball, 2000000, &contact) && contact.after_us < best.after_us) {
                best = contact;
            }
        }
        const bool met = mf_space_meet(&s_field.space, &ball, 2000000, &contact);
        assert_int_equal(met, best.after_us != INT64_MAX);
        if (met) {
            assert_true(contact.after_us == best.after_us && contact.with == best.with);
            meetings++;
        }
    }
    assert_true(meetings > 12);
}

/* SBE-14: a bee of 10 cm at 100 m/s and a wall of 1 mm: 19.95 m away, hence after 199.5 ms. */
static void test_sbe14_a_fast_bee_meets_a_thin_wall_at_the_exact_microsecond(void **state)
{
    (void)state;
    struct mf_space space;
    static double s_memory[128];
    struct mf_contact contact;
    const struct mf_solid wall = {.kind = MF_SOLID_BOX,
                                  .at_neu_m = {20.0005, 0, 0},
                                  .size_m = {0.001, 10, 10},
                                  .heading = {1, 0}};
    const struct mf_ball bee = {{0, 1, 5}, {100, 0, 0}, 0.05};
    mf_space_init(&space, 4, s_memory);
    assert_int_equal(mf_space_add_solid(&space, 17, &wall), MF_E_OK);
    mf_space_build(&space);
    assert_true(mf_space_meet(&space, &bee, 1000000, &contact));
    assert_int_equal(contact.after_us, 199500);
    assert_int_equal(contact.with, 17);
    assert_true(mf_space_meet(&space, &bee, 199500, &contact));
    assert_false(mf_space_meet(&space, &bee, 199499, &contact));
    const struct mf_ball slow = {{0, 1, 5}, {3, 0, 0}, 0.05},
                         beside = {{0, 5.06, 5}, {100, 0, 0}, 0.05};
    assert_true(mf_space_meet(&space, &slow, 10000000, &contact));
    assert_int_equal(contact.after_us, 6650000);
    assert_false(mf_space_meet(&space, &beside, 1000000, &contact));
    /* who touches it already does not meet it */
    const struct mf_ball within = {{19.96, 1, 5}, {100, 0, 0}, 0.05},
                         still = {{0, 1, 5}, {0}, 0.05};
    assert_false(mf_space_meet(&space, &within, 1000000, &contact));
    assert_false(mf_space_meet(&space, &still, 1000000, &contact));
    /* aslant: the corner of the wall, 4 m aside, 3 m ahead, is 5 m away but for the radius */
    const struct mf_ball aslant = {{17, 9, 5}, {6, -8, 0}, 0.05};
    assert_true(mf_space_meet(&space, &aslant, 1000000, &contact));
    assert_int_equal(contact.after_us, 495000);
}

/* SBE-13, SBE-14: away from the north face of a box, and from the middle of a ball; farther off
 * there is nothing. */
static void test_sbe13_which_way_leads_away(void **state)
{
    struct mf_space space;
    double normal[3], gap_m;
    const struct mf_solid box = {.kind = MF_SOLID_BOX, .size_m = {2, 2, 2}, .heading = {1, 0}};
    const struct mf_solid ball = {
        .kind = MF_SOLID_SPHERE, .at_neu_m = {10, 0, 0}, .radius_m = 1, .heading = {1, 0}};
    (void)state;
    mf_space_init(&space, 2, malloc(mf_space_bytes(2)));
    assert_int_equal(mf_space_add_solid(&space, 7, &box), MF_E_OK);
    assert_int_equal(mf_space_add_solid(&space, 8, &ball), MF_E_OK);
    mf_space_build(&space);
    struct mf_ball at = {{1.501, 0.3, 0.4}, {0, 0, 0}, 0.5};
    assert_true(mf_space_normal(&space, 7, &at, normal, &gap_m));
    assert_true(fabs(normal[0] - 1.0) < 1e-9 && fabs(normal[1]) < 1e-9 && fabs(normal[2]) < 1e-9);
    assert_true(fabs(gap_m - 0.001) < 1e-12);
    assert_false(mf_space_normal(&space, 8, &at, normal, &gap_m));
    at = (struct mf_ball){{10.0 + 1.5 * 0.6, 0.0, 1.5 * 0.8}, {0, 0, 0}, 0.5};
    assert_true(mf_space_normal(&space, 8, &at, normal, &gap_m));
    assert_true(fabs(normal[0] - 0.6) < 1e-6 && fabs(normal[2] - 0.8) < 1e-6);
    assert_true(fabs(gap_m) < 1e-12);
    free(space.part);
}

static void test_what_has_no_extent_is_refused(void **state)
{
    (void)state;
    struct mf_space space;
    static double s_memory[64];
    struct mf_solid shape = k_box;
    struct mf_ray_hit hit;
    mf_space_init(&space, 1, s_memory);
    mf_space_build(&space);
    assert_false(
        mf_space_ray(&space, (const double[]){0, 0, 0}, (const double[]){1, 0, 0}, 9, &hit));
    shape.size_m[1] = 0.0;
    assert_int_equal(mf_space_add_solid(&space, 1, &shape), MF_E_RANGE);
    shape.size_m[1] = (double)NAN;
    assert_int_equal(mf_space_add_solid(&space, 1, &shape), MF_E_RANGE);
    shape = k_ball;
    shape.at_neu_m[0] = (double)INFINITY;
    assert_int_equal(mf_space_add_solid(&space, 1, &shape), MF_E_RANGE);
    shape.at_neu_m[0] = 2e6;
    assert_int_equal(mf_space_add_solid(&space, 1, &shape), MF_E_RANGE);
    assert_int_equal(mf_space_add_solid(&space, 1, &k_ball), MF_E_OK);
    assert_int_equal(mf_space_add_solid(&space, 1, &k_ball), MF_E_FULL);
    assert_int_equal(space.refused, 5);
}

/* ---- balls among each other */

#define BALLS 300u

struct found {
    uint32_t count;
    struct mf_contact contact[BALLS * 4u];
};

static void keep(void *ctx, const struct mf_contact *contact)
{
    struct found *f = ctx;
    f->contact[f->count++] = *contact;
}

/* SBE-08: two of 1 m, 100 m apart, at 10 m/s towards each other: after 4.9 s. */
static void test_sbe08_balls_touch(void **state)
{
    (void)state;
    static uint32_t s_memory[64];
    struct mf_touch touch;
    struct found f = {0};
    const struct mf_ball two[] = {{{0, 0, 0}, {10, 0, 0}, 1}, {{100, 0, 0}, {-10, 0, 0}, 1}};
    mf_touch_init(&touch, 2, s_memory);
    mf_touch_sort(&touch, two, 5000000);
    mf_touch_look(&touch, 0, keep, &f);
    mf_touch_look(&touch, 1, keep, &f);
    assert_int_equal(f.count, 1);
    assert_true(f.contact[0].after_us == 4900000 && f.contact[0].ball == 0 &&
                f.contact[0].with == 1);
    mf_touch_sort(&touch, two, 4899999);
    mf_touch_look(&touch, 0, keep, &f);
    assert_int_equal(f.count, 1);
    const struct mf_ball near[] = {{{0, 0, 0}, {1, 0, 0}, 1}, {{1.5, 0, 0}, {0, 0, 0}, 1}};
    const struct mf_ball parting[] = {{{0, 0, 0}, {-1, 0, 0}, 1}, {{1.5, 0, 0}, {0, 0, 0}, 1}};
    mf_touch_sort(&touch, near, 10);
    mf_touch_look(&touch, 0, keep, &f);
    assert_int_equal(f.count, 1);
    touch.overlaps = true; /* then those that overlap already touch while they approach */
    mf_touch_look(&touch, 0, keep, &f);
    assert_int_equal(f.count, 2);
    assert_true(f.contact[1].after_us == 0);
    mf_touch_sort(&touch, parting, 10);
    mf_touch_look(&touch, 0, keep, &f);
    assert_int_equal(f.count, 2);
}

/* SBE-08, SBE-14: looks of 0.1 s at a ball of 0.1 m that flies at 0.1 to 40 m/s, and begins so far
 * from another ball, a wall and a turned box that it touches each exactly at the end of a look. One
 * look finds each contact, whichever way the last bit is rounded. */
static void test_sbe08_a_contact_at_the_instant_of_a_look_is_in_one_look(void **state)
{
    static uint32_t s_memory[64];
    static double s_parts[128];
    const struct mf_solid wall = {
        .kind = MF_SOLID_BOX, .at_neu_m = {50, 0, -10}, .size_m = {2, 9, 20}, .heading = {1, 0}};
    struct mf_touch touch;
    struct mf_space space;
    (void)state;
    mf_touch_init(&touch, 2, s_memory);
    mf_space_init(&space, 1, s_parts);
    assert_int_equal(mf_space_add_solid(&space, 3, &wall), MF_E_OK);
    mf_space_build(&space);
    for (uint32_t run = 1; run <= 400; run++) {
        const double speed_mps = 0.1 * run, way_m = speed_mps * 0.1;
        struct found f = {0};
        uint32_t walls = 0, solids = 0;
        struct mf_contact contact;
        for (uint32_t look = 0; look < 8; look++) { /* the contact is at the end of the fifth */
            const double at_m = 48.9 - 5.0 * way_m + look * way_m, next_m = at_m + way_m;
            const struct mf_ball two[] = {{{at_m, 0, 0}, {(next_m - at_m) * 10.0, 0, 0}, 0.1},
                                          {{49.1, 0, 0}, {0, 0, 0}, 0.1}};
            mf_us_t after_us;
            mf_touch_sort(&touch, two, 100000);
            mf_touch_look(&touch, 0, keep, &f);
            walls += mf_space_meet(&space, &two[0], 100000, &contact) ? 1u : 0u;
            solids += mf_solid_meet(&wall, (const double[]){0, 0, 0}, &two[0], 100000, &after_us)
                          ? 1u
                          : 0u;
        }
        assert_int_equal(f.count, 1);
        assert_int_equal(walls, 1);
        assert_int_equal(solids, 1);
    }
}

static void test_sbe08_the_grid_finds_what_pairs_find(void **state)
{
    (void)state;
    static uint32_t s_memory[BALLS * 8u];
    static struct mf_ball s_ball[BALLS];
    static struct found s_grid, s_pairs;
    struct mf_touch touch, pair;
    static uint32_t s_two[64];
    for (uint32_t i = 0; i < BALLS; i++) {
        direction(8, 7u * i, s_ball[i].vel_mps);
        for (uint32_t k = 0; k < 3; k++) {
            s_ball[i].neu_m[k] = chance(9, 3u * i + k, -15, 15);
            s_ball[i].vel_mps[k] *= 4.0;
        }
        s_ball[i].radius_m = chance(10, i, 0.1, 0.4);
    }
    assert_true(mf_touch_bytes(BALLS) <= sizeof s_memory);
    mf_touch_init(&touch, BALLS, s_memory);
    mf_touch_init(&pair, 2, s_two);
    mf_touch_sort(&touch, s_ball, 500000);
    for (uint32_t i = 0; i < BALLS; i++) {
        s_grid.count = s_pairs.count = 0;
        mf_touch_look(&touch, i, keep, &s_grid);
        for (uint32_t k = i + 1u; k < BALLS; k++) {
            const struct mf_ball both[] = {s_ball[i], s_ball[k]};
            mf_touch_sort(&pair, both, 500000);
            mf_touch_look(&pair, 0, keep, &s_pairs);
        }
        assert_int_equal(s_grid.count, s_pairs.count);
    }
}

/* ---- meshes */

static const char k_tetra[] = "solid t\n"
                              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1e0 0\n"
                              "vertex 1.0 0 -0\nendloop\nendfacet\n"
                              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                              "vertex 0 0 +10.0e-1\nendloop\nendfacet\n"
                              "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n"
                              "vertex 0 1 0\nendloop\nendfacet\n"
                              "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\n"
                              "vertex 0 0 1\nendloop\nendfacet\nendsolid t\n";

static enum mf_mesh_error read_text(const char *text, struct mf_triangle t[8], uint32_t *count)
{
    return mf_mesh_read_stl((const uint8_t *)text, strlen(text), t, 8, count);
}

static void test_sbe14_stl_as_text(void **state)
{
    (void)state;
    struct mf_triangle t[8];
    uint32_t count;
    char text[sizeof k_tetra];
    assert_int_equal(read_text(k_tetra, t, &count), MF_MESH_OK);
    assert_int_equal(count, 4);
    assert_true(t[1].along[1][2] == 1.0 && t[3].at[0] == 1.0 && t[3].along[0][0] == -1.0);
    /* one corner elsewhere is a hole */
    memcpy(text, k_tetra, sizeof text);
    *strstr(text, "1.0") = '2';
    assert_int_equal(read_text(text, t, &count), MF_MESH_HOLES);
    memcpy(text, k_tetra, sizeof text);
    *strstr(text, "1.0") = 'n';
    assert_int_equal(read_text(text, t, &count), MF_MESH_NUMBER);
    assert_int_equal(count, 0);
    assert_int_equal(read_text("solid\nfacet vertex 1 2 3\nendfacet", t, &count), MF_MESH_FORMAT);
    assert_int_equal(read_text("solid\nendsolid", t, &count), MF_MESH_EMPTY);
    assert_int_equal(read_text("hello", t, &count), MF_MESH_FORMAT);
    assert_int_equal(read_text("", t, &count), MF_MESH_FORMAT);
    assert_int_equal(mf_mesh_read_stl((const uint8_t *)k_tetra, strlen(k_tetra), t, 3, &count),
                     MF_MESH_FULL);
    assert_true(strstr(mf_mesh_text(MF_MESH_HOLES), "hole") != NULL);
}

static void put(uint8_t *at, float x)
{
    memcpy(at, &x, sizeof x);
}

/* A cube of 2 m in twelve facets. */
static size_t cube(uint8_t *bytes)
{
    static const uint8_t k_face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    memset(bytes, 0, 84 + 12 * 50);
    bytes[80] = 12;
    for (uint32_t k = 0; k < 12; k++) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            const uint8_t c = k_face[k / 2u][corner == 0 ? 0 : corner + k % 2u];
            for (uint32_t i = 0; i < 3; i++) {
                put(bytes + 84 + 50u * k + 12u + 12u * corner + 4u * i,
                    (c >> i & 1u) != 0 ? 1.0f : -1.0f);
            }
        }
    }
    return 84 + 12 * 50;
}

static void test_sbe14_stl_as_bytes_and_hulls(void **state)
{
    (void)state;
    static uint8_t s_bytes[1000];
    static struct mf_triangle s_t[100];
    static double s_memory[4096];
    uint32_t count;
    struct mf_space space;
    struct mf_ray_hit hit;
    const size_t n = cube(s_bytes);
    assert_true(mf_mesh_stl_most(n) >= 12);
    assert_int_equal(mf_mesh_read_stl(s_bytes, n, s_t, 100, &count), MF_MESH_OK);
    assert_int_equal(count, 12);
    const double eight[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    for (uint32_t round = 0; round < 2; round++) {
        mf_space_init(&space, 100, s_memory);
        assert_int_equal(mf_space_add_triangles(&space, 3, s_t, count), MF_E_OK);
        mf_space_build(&space);
        assert_true(mf_space_ray(&space, (const double[]){-5, 0.3, 0.2}, (const double[]){1, 0, 0},
                                 9, &hit));
        assert_true(hit.id == 3 && fabs(hit.distance_m - 4.0) < 1e-12);
        /* along the seam between facets, too */
        assert_true(
            mf_space_ray(&space, (const double[]){0, 0, 7}, (const double[]){0, 0, -1}, 9, &hit));
        assert_true(fabs(hit.distance_m - 6.0) < 1e-12);
        assert_int_equal(mf_mesh_hull(&eight[0][0], 8, s_t, 100, &count), MF_MESH_OK);
        assert_int_equal(count, 24); /* four ways to choose three of a face's corners */
    }
    assert_int_equal(mf_mesh_hull(&eight[0][0], 4, s_t, 100, &count), MF_MESH_EMPTY); /* flat */
    (void)cube(s_bytes);
    s_bytes[80] = 11; /* its length is that of twelve */
    assert_int_equal(mf_mesh_read_stl(s_bytes, n, s_t, 100, &count), MF_MESH_FORMAT);
    assert_int_equal(mf_mesh_read_stl(s_bytes, n - 50, s_t, 100, &count), MF_MESH_HOLES);
    (void)cube(s_bytes);
    put(s_bytes + 84 + 50 * 7 + 12, NAN);
    assert_int_equal(mf_mesh_read_stl(s_bytes, n, s_t, 100, &count), MF_MESH_NUMBER);
    assert_int_equal(count, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe14_rays_by_hand),
        cmocka_unit_test(test_sbe14_distances_by_hand),
        cmocka_unit_test(test_sbe14_rays_equal_brute_force),
        cmocka_unit_test(test_sbe14_contacts_equal_brute_force),
        cmocka_unit_test(test_sbe14_a_fast_bee_meets_a_thin_wall_at_the_exact_microsecond),
        cmocka_unit_test(test_sbe13_which_way_leads_away),
        cmocka_unit_test(test_what_has_no_extent_is_refused),
        cmocka_unit_test(test_sbe08_balls_touch),
        cmocka_unit_test(test_sbe08_a_contact_at_the_instant_of_a_look_is_in_one_look),
        cmocka_unit_test(test_sbe08_the_grid_finds_what_pairs_find),
        cmocka_unit_test(test_sbe14_stl_as_text),
        cmocka_unit_test(test_sbe14_stl_as_bytes_and_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
