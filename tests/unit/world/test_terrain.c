/* SPDX-License-Identifier: Apache-2.0 */
/* Heights of the ground by hand, and bodies that are sent through it on purpose (SIM-029). */
#include "world/terrain.h"

#include "tests/unit/world/pack_fixture.h"
#include "world/airframe_constant.h"
#include "world/airframe_physics.h"
#include "world/earth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 61

static struct made s_made[2];

/* From 47 N, 8 E to the south-east, a node each 1/1000 degree. Heights in decimetres. */
static void make(struct made *m, const char *model, uint8_t kind,
                 int32_t (*height)(int32_t row, int32_t column), struct mf_pack *pack)
{
    static int32_t node[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        node[i] = height(i / SIDE, i % SIDE);
    }
    const struct sheet sheet = {.model = model,
                                .rows = SIDE,
                                .columns = SIDE,
                                .north_deg = 47,
                                .west_deg = 8,
                                .num = 1,
                                .den = 1000,
                                .kind = kind,
                                .interpolation = MF_PACK_BILINEAR,
                                .quantum_um = 100000,
                                .node = node};
    make_sheet(m, &sheet);
    assert_int_equal(mf_pack_open(pack, m->bytes, m->size), MF_E_OK);
}

/* 400 m at the corner, 2 m more with each node to the south, 0.5 m less with each to the east; a
 * hole at (10, 10). */
static int32_t plane(int32_t row, int32_t column)
{
    return row == 10 && column == 10 ? VOID_NODE : 4000 + 20 * row - 5 * column;
}

static int32_t flat(int32_t row, int32_t column)
{
    (void)row, (void)column;
    return 123;
}

/* Steep, and nothing like a slope. */
static int32_t rough(int32_t row, int32_t column)
{
    return 4000 + (row * 7919 + column * 104729 + row * column * 31) % 1000;
}

static void test_sim029_heights_by_hand(void **state)
{
    static struct mf_terrain terrain;
    struct mf_pack pack;
    double m = -1.0;
    (void)state;
    make(&s_made[0], "egm96", MF_PACK_TERRAIN, plane, &pack);
    memset(&terrain, 0, sizeof terrain);
    assert_int_equal(mf_terrain_at(&terrain, 46.99, 8.01, &m), MF_E_RANGE);
    assert_int_equal(mf_terrain_spacing_m(&terrain), 0);
    assert_int_equal(mf_terrain_add(&terrain, &pack), MF_E_OK);
    assert_int_equal(mf_terrain_at(&terrain, 47.0, 8.0, &m), MF_E_OK);
    assert_true(fabs(m - 400.0) < 1e-9);
    /* 30.25 nodes to the south, 20.5 to the east */
    assert_int_equal(mf_terrain_at(&terrain, 46.96975, 8.0205, &m), MF_E_OK);
    assert_true(fabs(m - (400.0 + 60.5 - 10.25)) < 1e-6);
    m = -1.0;
    assert_int_equal(mf_terrain_at(&terrain, 46.9895, 8.0105, &m),
                     MF_E_RANGE); /* beside the hole */
    assert_int_equal(mf_terrain_at(&terrain, 47.1, 8.01, &m), MF_E_RANGE);
    assert_true(m == -1.0);
    assert_true(mf_terrain_under(&terrain, 46.9895, 8.0105, 7.0) == 7.0);
    assert_true(mf_terrain_under(NULL, 46.99, 8.02, 7.0) == 7.0);
    assert_int_equal(mf_terrain_spacing_m(&terrain), 111);
}

/* Where the first one has nothing, the second one serves. */
static void test_the_first_that_has_a_height_serves(void **state)
{
    static struct mf_terrain terrain;
    struct mf_pack first, second;
    double m;
    (void)state;
    make(&s_made[0], "egm96", MF_PACK_TERRAIN, plane, &first);
    make(&s_made[1], "egm96", MF_PACK_TERRAIN, flat, &second);
    memset(&terrain, 0, sizeof terrain);
    assert_int_equal(mf_terrain_add(&terrain, &first), MF_E_OK);
    assert_int_equal(mf_terrain_add(&terrain, &second), MF_E_OK);
    assert_int_equal(mf_terrain_at(&terrain, 46.9895, 8.0105, &m), MF_E_OK);
    assert_true(fabs(m - 12.3) < 1e-9);
    assert_int_equal(mf_terrain_at(&terrain, 46.96, 8.02, &m), MF_E_OK);
    assert_true(fabs(m - 470.0) < 1e-6);
    while (terrain.count < MF_TERRAIN_LAYERS) {
        assert_int_equal(mf_terrain_add(&terrain, &second), MF_E_OK);
    }
    assert_int_equal(mf_terrain_add(&terrain, &second), MF_E_FULL);
}

static void test_a_pack_says_what_its_heights_are_above(void **state)
{
    static struct mf_terrain terrain;
    struct mf_pack pack;
    (void)state;
    make(&s_made[0], "navd88+egm96", MF_PACK_TERRAIN, flat, &pack);
    assert_true(mf_terrain_is_above(&pack, "navd88") && mf_terrain_is_above(&pack, "egm96"));
    assert_false(mf_terrain_is_above(&pack, "egm") || mf_terrain_is_above(&pack, "egm2008"));
    assert_false(mf_terrain_is_above(&pack, "") || mf_terrain_is_above(&pack, "navd88+egm96"));
    make(&s_made[0], "egm96", MF_PACK_GEOID, flat, &pack);
    memset(&terrain, 0, sizeof terrain);
    assert_int_equal(mf_terrain_add(&terrain, &pack), MF_E_NOSUPP);
}

static void test_the_earth_knows_its_ground(void **state)
{
    static struct mf_terrain terrain;
    struct mf_earth earth;
    struct mf_pack pack;
    double m = -1.0;
    (void)state;
    make(&s_made[0], "none", MF_PACK_TERRAIN, plane, &pack);
    memset(&terrain, 0, sizeof terrain);
    assert_int_equal(mf_earth_init(&earth, NULL, 46.99, 8.02), MF_E_OK);
    mf_earth_set_terrain(&earth, &terrain); /* empty: as none */
    assert_int_equal(mf_earth_geoid_ops.ground(&earth, 46.99, 8.02, &m), MF_E_NOSUPP);
    (void)mf_terrain_add(&terrain, &pack);
    mf_earth_set_terrain(&earth, &terrain);
    assert_int_equal(mf_earth_geoid_ops.ground(&earth, 10.0, 8.02, &m), MF_E_NOENT);
    assert_true(m == -1.0);
    assert_int_equal(mf_earth_geoid_ops.ground(&earth, 46.99, 8.02, &m), MF_E_OK);
    assert_true(fabs(m - 410.0) < 1e-6);
    assert_int_equal(mf_earth_geoid_ops.about(&earth).ground_spacing_m, 111);
}

/* ---- bodies */

static uint32_t next(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 8;
}

static double between(uint32_t *x, double low, double high)
{
    return low + (high - low) * (double)next(x) / (double)(1u << 24);
}

static struct mf_leg any_leg(uint32_t *x)
{
    struct mf_leg leg = {.lat_deg = between(x, 46.945, 46.995),
                         .lon_deg = between(x, 8.005, 8.055),
                         .alt_amsl_m = between(x, 380.0, 560.0),
                         .speed_h_mps = (float)between(x, 1.0, 15.0),
                         .speed_up_mps = 5.0f,
                         .speed_down_mps = (float)between(x, 0.5, 5.0),
                         .yaw_rad = NAN,
                         .yaw_rate_rps = 1.0f};
    switch (next(x) % 4u) {
    case 0:
        leg.land = true;
        break;
    case 1:
        leg.velocity = true;
        leg.vel_ned_mps[0] = (float)between(x, -8.0, 8.0);
        leg.vel_ned_mps[1] = (float)between(x, -8.0, 8.0);
        leg.vel_ned_mps[2] = (float)between(x, -3.0, 3.0);
        break;
    default:
        leg.radius_m = next(x) % 2u == 0 ? 10.0f : 0.0f;
        break;
    }
    return leg;
}

static void check_state(const struct mf_airframe_ops *ops, void *body, mf_us_t t_us,
                        struct mf_terrain *terrain, struct mf_pose *pose)
{
    assert_int_equal(ops->sample(body, t_us, pose), MF_E_OK);
    const double ground_m = mf_terrain_under(terrain, pose->lat_deg, pose->lon_deg, 450.0);
    assert_true(pose->ground_amsl_m == ground_m);
    assert_true(pose->alt_amsl_m >= ground_m);
    assert_true(!pose->on_ground || pose->alt_amsl_m == ground_m);
}

/* Plans that replace each other at any time: above the ground always, at rest on it only where it
 * is, and without a jump where one begins. */
static void check_plans(const struct mf_airframe_ops *ops, void *body, struct mf_terrain *terrain)
{
    uint32_t x = 1;
    mf_us_t t_us = 0;
    struct mf_pose pose, after;
    check_state(ops, body, 0, terrain, &pose);
    assert_true(pose.on_ground);
    assert_int_equal(ops->arm(body, 0, true), MF_E_OK);
    for (int n = 0; n < 600; n++) {
        const struct mf_leg leg = any_leg(&x);
        mf_us_t down_us = MF_NEVER;
        check_state(ops, body, t_us, terrain, &pose);
        assert_int_equal(ops->plan(body, t_us, &leg, 1), MF_E_OK);
        check_state(ops, body, t_us, terrain, &after);
        assert_true(fabs(after.alt_amsl_m - pose.alt_amsl_m) < 1e-6);
        assert_int_equal(ops->next(body, t_us, MF_WHEN_TOUCHDOWN, 0.0, &down_us), MF_E_OK);
        if (down_us != MF_NEVER) {
            check_state(ops, body, down_us, terrain, &after);
            assert_true(after.on_ground);
        }
        const mf_us_t end_us = t_us + (mf_us_t)between(&x, 1.0, 90e6);
        for (int i = 0; i < 20; i++) {
            t_us += (end_us - t_us) / (20 - i);
            check_state(ops, body, t_us, terrain, &pose);
            assert_true(!pose.on_ground || t_us >= down_us || down_us == MF_NEVER);
        }
    }
}

static void test_sim029_no_plan_leads_below_the_ground(void **state)
{
    static struct mf_terrain terrain;
    static struct mf_airframe_constant constant;
    static struct mf_airframe_physics physics;
    struct mf_pack pack;
    (void)state;
    make(&s_made[0], "none", MF_PACK_TERRAIN, rough, &pack);
    memset(&terrain, 0, sizeof terrain);
    (void)mf_terrain_add(&terrain, &pack);
    mf_airframe_constant_init(&constant, 46.97, 8.03, 450.0, 0.0f);
    mf_airframe_constant_set_terrain(&constant, &terrain);
    check_plans(&mf_airframe_constant_ops, &constant, &terrain);
    mf_airframe_constant_init(&constant, 46.97, 8.03, 450.0, 0.0f);
    mf_airframe_constant_set_accel(&constant, 2.0f);
    mf_airframe_constant_set_terrain(&constant, &terrain);
    check_plans(&mf_airframe_constant_ops, &constant, &terrain);
    mf_airframe_physics_init(&physics, 46.97, 8.03, 450.0, 0.0f, &mf_physics_limits_px4);
    mf_airframe_physics_set_terrain(&physics, &terrain);
    check_plans(&mf_airframe_physics_ops, &physics, &terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim029_heights_by_hand),
        cmocka_unit_test(test_the_first_that_has_a_height_serves),
        cmocka_unit_test(test_a_pack_says_what_its_heights_are_above),
        cmocka_unit_test(test_the_earth_knows_its_ground),
        cmocka_unit_test(test_sim029_no_plan_leads_below_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
