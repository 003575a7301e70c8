/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/bus_frames.h: payloads, byte by byte as the tables of docs/bus.md have them. */
#include "fleet/bus_frames.h"

#include "world/space.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario_entity s_entity[3];
static struct mf_scenario_obstacle s_obstacle[2];
static struct mf_scenario s_scenario;
static struct mf_bus_writer s_frame;
static size_t s_at; /* of the payload, how far the test has read */

static int begin(void **state)
{
    (void)state;
    memset(s_entity, 0, sizeof s_entity);
    s_scenario = (struct mf_scenario){.entity = s_entity, .search.obstacle = s_obstacle};
    mf_bus_begin(&s_frame, MF_BUS_STATE, 0, 0);
    s_at = MF_BUS_HEADER;
    return 0;
}

static uint64_t next_u(size_t bytes)
{
    uint64_t value = 0;
    for (size_t k = 0; k < bytes; k++) {
        value |= (uint64_t)s_frame.bytes[s_at++] << (8 * k);
    }
    return value;
}

/* IEEE 754 by hand: 1.5 is sign 0, exponent 127 or 1023, half of the fraction. */
static void expect_f32(float expected)
{
    const uint32_t bits = (uint32_t)next_u(4);
    float value;
    memcpy(&value, &bits, sizeof value);
    assert_true(value == expected);
}

static void expect_f64(double expected)
{
    const uint64_t bits = next_u(8);
    double value;
    memcpy(&value, &bits, sizeof value);
    assert_true(value == expected);
}

static void expect_end(void)
{
    assert_int_equal(s_at, s_frame.n);
}

static void expect_text(const char *text)
{
    assert_int_equal(s_frame.n - s_at, strlen(text));
    assert_memory_equal(s_frame.bytes + s_at, text, strlen(text));
}

static void test_welcome(void **state)
{
    (void)state;
    s_scenario.members = 300;
    s_scenario.seed = 0x0102030405060708u;
    s_scenario.variation_number = 2;
    s_scenario.origin[0] = 47.5;
    s_scenario.origin[1] = -8.25;
    s_scenario.origin[2] = 488.0;
    mf_bus_put_welcome(&s_frame, &s_scenario, 5, 0.5);
    assert_int_equal(next_u(4), 5);
    assert_int_equal(next_u(4), 300);
    assert_int_equal(s_frame.bytes[s_at], 8); /* little endian */
    assert_true(next_u(8) == 0x0102030405060708u);
    assert_int_equal(next_u(8), 2);
    expect_f64(0.5);
    expect_f64(47.5);
    expect_f64(-8.25);
    expect_f64(488.0);
    expect_end();
}

static void test_params_are_lines(void **state)
{
    struct mf_scenario_own_value value[] = {{.name = "gain", .value = "1.5"},
                                            {.name = "who", .value = "a = b"}};
    const struct mf_scenario_own own = {.params = 2, .param = value};
    (void)state;
    mf_bus_put_params(&s_frame, &own);
    expect_text("gain=1.5\nwho=a = b\n");
}

static void test_no_params_are_no_bytes(void **state)
{
    const struct mf_scenario_own own = {.params = 0};
    (void)state;
    mf_bus_put_params(&s_frame, &own);
    expect_end();
}

static void test_entity(void **state)
{
    struct mf_scenario_entity *e = &s_scenario.entity[0];
    (void)state;
    e->first = 7;
    e->count = 40;
    e->as = MF_SCENARIO_KIND_AGENT;
    e->object.thing = 2;
    e->seeker.fps = 4.0;
    e->seeker.lateral_rad = 0.5;
    e->seeker.horizontal_rad = 0.75;
    (void)snprintf(e->name, sizeof e->name, "bee");
    (void)snprintf(e->seeker.seeks, sizeof e->seeker.seeks, "flower");
    mf_bus_put_entity(&s_frame, e);
    assert_int_equal(next_u(4), 7);
    assert_int_equal(next_u(4), 40);
    assert_int_equal(next_u(1), 1); /* 0 vehicle, 1 agent */
    assert_int_equal(next_u(1), 2);
    assert_int_equal(next_u(6), 0);
    expect_f64(4.0);
    expect_f64(0.5);
    expect_f64(0.75);
    assert_int_equal(s_frame.n - s_at, 64);
    assert_memory_equal(s_frame.bytes + s_at, "bee\0\0", 5);
    assert_memory_equal(s_frame.bytes + s_at + 32, "flower\0\0", 8);
}

/* (65,520 - 8) / 48 = 1,364 */
static void test_members_of_a_frame_of_states(void **state)
{
    (void)state;
    assert_int_equal(mf_bus_put_states(&s_frame, 0, 1365), 1364);
    assert_int_equal(next_u(4), 0);
    assert_int_equal(next_u(4), 1364);
    assert_int_equal(mf_bus_put_states(&s_frame, 1364, 1365), 1365);
    assert_int_equal(next_u(4), 1364);
    assert_int_equal(next_u(4), 1);
    expect_end();
}

static void test_a_frame_that_holds_all_states_exactly(void **state)
{
    (void)state;
    assert_int_equal(mf_bus_put_states(&s_frame, 0, 1364), 1364);
    assert_int_equal(mf_bus_put_states(&s_frame, 0, 0), 0);
}

static const struct mf_bus_state k_state = {.neu_m = {1.0, -2.0, 3.5},
                                            .vel_neu_mps = {0.25f, -0.5f, 4.0f},
                                            .yaw_rad = 1.5f,
                                            .custom_mode = 0x04030000u,
                                            .known = true,
                                            .armed = true,
                                            .landed = 2,
                                            .charge = 0.5f};

static void test_state_of_a_member(void **state)
{
    (void)state;
    mf_bus_put_state(&s_frame, &k_state);
    assert_int_equal(s_frame.n, MF_BUS_HEADER + 48);
    expect_f64(1.0);
    expect_f64(-2.0);
    expect_f64(3.5);
    expect_f32(0.25f);
    expect_f32(-0.5f);
    expect_f32(4.0f);
    assert_int_equal(next_u(4), 0x3FC00000u); /* 1.5 */
    assert_int_equal(next_u(4), 0x04030000u);
    assert_int_equal(next_u(1), 3); /* known, armed */
    assert_int_equal(next_u(1), 2);
    assert_int_equal(next_u(1), 51);
    assert_int_equal(next_u(1), 0);
    expect_end();
}

static void test_each_flag_of_a_state_has_its_bit(void **state)
{
    static const struct {
        bool known, armed, failsafe;
        uint8_t bits;
    } k[] = {{false, false, false, 0},
             {true, false, false, 1},
             {false, true, false, 2},
             {false, false, true, 4},
             {true, true, true, 7}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct mf_bus_state one = k_state;
        one.known = k[i].known;
        one.armed = k[i].armed;
        one.failsafe = k[i].failsafe;
        (void)begin(NULL);
        mf_bus_put_state(&s_frame, &one);
        assert_int_equal(s_frame.bytes[MF_BUS_HEADER + 44], k[i].bits);
    }
}

static void test_a_charge_is_one_and_per_cent(void **state)
{
    static const struct {
        float charge;
        uint8_t byte;
    } k[] = {{0.0f, 1},   {0.004f, 1}, {0.006f, 2}, {0.996f, 101},
             {1.0f, 101}, {-1.0f, 0},  {1.01f, 0},  {NAN, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct mf_bus_state one = k_state;
        one.charge = k[i].charge;
        (void)begin(NULL);
        mf_bus_put_state(&s_frame, &one);
        assert_int_equal(s_frame.bytes[MF_BUS_HEADER + 46], k[i].byte);
    }
}

static void test_no_obstacles_are_an_empty_frame(void **state)
{
    (void)state;
    assert_int_equal(mf_bus_put_obstacles(&s_frame, &s_scenario.search, NULL, 0), 0);
    assert_int_equal(next_u(4), 0);
    assert_int_equal(next_u(4), 0);
    expect_end();
}

static void test_a_box_has_its_size_and_a_cylinder_its_radius(void **state)
{
    struct mf_scenario_search *s = &s_scenario.search;
    (void)state;
    s->obstacles = 2;
    s->obstacle[0] = (struct mf_scenario_obstacle){
        .kind = MF_SCENARIO_SHAPE_BOX, .at = {1, 2, 3}, .size = {4, 5, 6}};
    s->obstacle[1] = (struct mf_scenario_obstacle){
        .kind = MF_SCENARIO_SHAPE_CYLINDER, .at = {7, 8, 9}, .radius_m = 1.5, .height_m = 20};
    assert_int_equal(mf_bus_put_obstacles(&s_frame, s, NULL, 0), 0);
    assert_int_equal(next_u(4), 0);
    assert_int_equal(next_u(4), 2);
    assert_int_equal(next_u(4), 0); /* box */
    for (unsigned k = 1; k <= 6; k++) {
        expect_f32((float)k);
    }
    s_at += 12;
    assert_int_equal(next_u(4), 1); /* cylinder */
    expect_f32(7);
    expect_f32(8);
    expect_f32(9);
    expect_f32(1.5f);
    expect_f32(1.5f);
    expect_f32(20);
    expect_f32(0);
    expect_f32(0);
    expect_f32(0);
    expect_end();
}

/* A hull is the second obstacle of the scenario; its triangles follow the sphere. */
static void test_a_hull_is_its_triangles(void **state)
{
    struct mf_scenario_search *s = &s_scenario.search;
    static double s_memory[4096];
    struct mf_space space;
    const struct mf_triangle triangle = {.at = {1, 2, 3}, .along = {{10, 0, 0}, {0, 0, 30}}};
    const struct mf_solid ball = {.radius_m = 1.0, .kind = MF_SOLID_SPHERE, .heading = {1.0, 0.0}};
    (void)state;
    s->obstacles = 2;
    s->obstacle[0] =
        (struct mf_scenario_obstacle){.kind = MF_SCENARIO_SHAPE_SPHERE, .radius_m = 1.0};
    s->obstacle[1] = (struct mf_scenario_obstacle){.kind = MF_SCENARIO_SHAPE_HULL};
    assert_true(mf_space_bytes(2) <= sizeof s_memory);
    mf_space_init(&space, 2, s_memory);
    assert_int_equal(mf_space_add_solid(&space, 0, &ball), MF_E_OK);
    assert_int_equal(mf_space_add_triangles(&space, 1, &triangle, 1), MF_E_OK);
    mf_space_build(&space);
    assert_int_equal(mf_bus_put_obstacles(&s_frame, s, &space, 0), 0);
    s_at += 4;
    assert_int_equal(next_u(4), 2);
    assert_int_equal(next_u(4), 2); /* sphere */
    s_at += 36;
    assert_int_equal(next_u(4), 6); /* triangle */
    expect_f32(1);
    expect_f32(2);
    expect_f32(3);
    expect_f32(10);
    expect_f32(0);
    expect_f32(0);
    expect_f32(0);
    expect_f32(0);
    expect_f32(30);
    expect_end();
}

/* (65,520 - 8) / 40 = 1,637.8: a frame has 1,637 rows, as many as fit. */
static void test_more_obstacles_than_a_frame_holds(void **state)
{
    static double s_memory[400000];
    struct mf_space space;
    const struct mf_triangle triangle = {.along = {{1, 0, 0}, {0, 1, 0}}};
    (void)state;
    assert_true(mf_space_bytes(1700) <= sizeof s_memory);
    mf_space_init(&space, 1700, s_memory);
    for (uint32_t i = 0; i < 1700; i++) {
        assert_int_equal(mf_space_add_triangles(&space, 0, &triangle, 1), MF_E_OK);
    }
    mf_space_build(&space);
    assert_int_equal(mf_bus_put_obstacles(&s_frame, &s_scenario.search, &space, 0), 1637);
    s_at += 4;
    assert_int_equal(next_u(4), 1637);
    (void)begin(NULL);
    assert_int_equal(mf_bus_put_obstacles(&s_frame, &s_scenario.search, &space, 1637), 0);
    assert_int_equal(next_u(4), 1637);
    assert_int_equal(next_u(4), 63);
}

static void test_a_scene_without_title_has_the_name_of_its_file(void **state)
{
    (void)state;
    s_scenario.medium.range_m = 12.5;
    mf_bus_put_scene(&s_frame, &s_scenario, "x.yaml", "");
    expect_text("title=x.yaml\nvariation=\napi=\nrange=12.5\nradios=\n");
}

static void test_a_scene_lists_radios_and_sensors(void **state)
{
    static const char *const k_name[] = {"bee", "tree", "v"};
    (void)state;
    (void)snprintf(s_scenario.title, sizeof s_scenario.title, "Meadow");
    (void)snprintf(s_scenario.variation, sizeof s_scenario.variation, "b");
    s_scenario.entities = 3;
    for (size_t k = 0; k < 3; k++) {
        struct mf_scenario_entity *e = &s_scenario.entity[k];
        (void)snprintf(e->name, sizeof e->name, "%s", k_name[k]);
        e->radio.kind = k == 1 ? -1 : 0;
    }
    struct mf_scenario_entity *bee = &s_scenario.entity[0];
    bee->sensors = 2;
    bee->sensor = (struct mf_scenario_sensor[]){
        {.kind = MF_SCENARIO_SENSOR_COMPASS},
        {.kind = MF_SCENARIO_SENSOR_ATTRIBUTE, .attr = "heat"},
    };
    mf_bus_put_scene(&s_frame, &s_scenario, "x.yaml", "127.0.0.1:80");
    expect_text("title=Meadow\nvariation=b\napi=127.0.0.1:80\nrange=0\nradios=bee,v\n"
                "sensors.bee=compass,attribute heat\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_welcome, begin),
        cmocka_unit_test_setup(test_params_are_lines, begin),
        cmocka_unit_test_setup(test_no_params_are_no_bytes, begin),
        cmocka_unit_test_setup(test_entity, begin),
        cmocka_unit_test_setup(test_members_of_a_frame_of_states, begin),
        cmocka_unit_test_setup(test_a_frame_that_holds_all_states_exactly, begin),
        cmocka_unit_test_setup(test_state_of_a_member, begin),
        cmocka_unit_test_setup(test_each_flag_of_a_state_has_its_bit, begin),
        cmocka_unit_test_setup(test_a_charge_is_one_and_per_cent, begin),
        cmocka_unit_test_setup(test_no_obstacles_are_an_empty_frame, begin),
        cmocka_unit_test_setup(test_a_box_has_its_size_and_a_cylinder_its_radius, begin),
        cmocka_unit_test_setup(test_a_hull_is_its_triangles, begin),
        cmocka_unit_test_setup(test_more_obstacles_than_a_frame_holds, begin),
        cmocka_unit_test_setup(test_a_scene_without_title_has_the_name_of_its_file, begin),
        cmocka_unit_test_setup(test_a_scene_lists_radios_and_sensors, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
