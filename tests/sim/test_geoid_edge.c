/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flights to where a model of the geoid ends: out of the last one, and from one into the next. The
 * models are made here: one of 40 m and one of 50 m, between which a parallel runs.
 */
#include "tests/sim/rig.h"

#include "mavlink/enums.h"
#include "tools/geoid/pack_write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EDGE_DEG 47.4 /* the northern end of the first model */
#define GPS      0x20u

static struct mf_geoid g_one, g_two;
static uint8_t *g_bytes[2];

/* A model of 2 by 2 degrees that is flat. */
static void make(uint8_t **bytes, const char *model, double north_deg, double undulation_m,
                 struct mf_geoid *geoid)
{
    struct mf_raster raster = {.rows = 21,
                               .columns = 21,
                               .north_e9 = (int64_t)llround(north_deg * 1e9),
                               .west_e9 = 7500000000,
                               .lat_num = 1,
                               .lat_den = 10,
                               .lon_num = 1,
                               .lon_den = 10,
                               .frame = "none",
                               .epoch = "none"};
    const struct mf_pack_plan plan = {MF_PACK_GEOID, MF_PACK_BILINEAR, 1000};
    struct mf_pack pack;
    size_t size;
    char error[200];
    memcpy(raster.model, model, strlen(model));
    assert_true(mf_raster_alloc(&raster));
    for (size_t i = 0; i < (size_t)21 * 21; i++) {
        raster.node_m[i] = undulation_m;
    }
    assert_true(mf_pack_make(&raster, &plan, bytes, &size, error, sizeof error));
    mf_raster_free(&raster);
    assert_int_equal(mf_pack_open(&pack, *bytes, size), MF_E_OK);
    assert_int_equal(mf_geoid_add(geoid, &pack, MF_PACK_AS_MADE), MF_E_OK);
}

static int make_models(void **state)
{
    struct mf_pack second;
    (void)state;
    make(&g_bytes[0], "egm2008", EDGE_DEG, 40.0, &g_one);
    make(&g_bytes[1], "navd88", EDGE_DEG + 2.0, 50.0, &g_two);
    second = g_two.layer[0].pack; /* the list of both, in this order */
    g_two.count = 0;
    (void)mf_geoid_add(&g_two, &g_one.layer[0].pack, MF_PACK_AS_MADE);
    (void)mf_geoid_add(&g_two, &second, MF_PACK_AS_MADE);
    return 0;
}

static int free_models(void **state)
{
    (void)state;
    free(g_bytes[0]);
    free(g_bytes[1]);
    return 0;
}

static struct rig *begin(struct mf_geoid *geoid)
{
    struct mf_world_settings s = mf_world_settings_default();
    s.geoid = geoid;
    struct rig *r = rig_new_in(NULL, &s);
    rig_take_off(r, 20.0f);
    return r;
}

static struct mf_msg_gps_raw_int gps(struct rig *r)
{
    struct mf_msg_gps_raw_int m;
    assert_int_equal(mf_stream_request(&r->drone.vehicle, &r->links[0], MF_MSG_GPS_RAW_INT,
                                       r->mock.now.vehicle_us),
                     MF_E_OK);
    do {
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GPS_RAW_INT, &m));
    } while (mf_mock_count(&r->mock, 0, MF_MSG_GPS_RAW_INT) > 0);
    return m;
}

static bool healthy(struct rig *r)
{
    return (mf_health_at(&r->drone.vehicle, r->mock.now.vehicle_us).healthy & GPS) != 0;
}

/* Sticks to the north, so to speak: a velocity asks for no place. */
static void fly(struct rig *r, float north_mps, double seconds)
{
    struct mf_msg_set_position_target_local_ned m = {
        .target_system = 1,
        .target_component = 1,
        .coordinate_frame = MAV_FRAME_LOCAL_NED,
        .type_mask = 0xDC7, /* velocity alone */
        .vx = north_mps,
    };
    const mf_us_t end_us = r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6);
    while (r->mock.now.vehicle_us < end_us) {
        rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
        if (r->drone.vehicle.commander.mode != MF_MODE_OFFBOARD) {
            const float p[7] = {1.0f, 6.0f};
            assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, p), MAV_RESULT_ACCEPTED);
        }
        rig_run_until(r, r->mock.now.vehicle_us + 200000);
    }
}

/* 251 m north of home: at 10 m/s after 25.1 s. */
static void test_sim040_beyond_the_last_model_the_undulation_is_held(void **state)
{
    (void)state;
    struct rig *r = begin(&g_one);
    struct mf_msg_gps_raw_int m = gps(r);
    assert_int_equal(m.alt_ellipsoid - m.alt, 40000);
    fly(r, 10.0f, 24.0);
    assert_true(rig_pose(r).lat_deg < EDGE_DEG && healthy(r));
    assert_false(mf_mock_named(&r->mock, 0, "outside geoid"));
    mf_mock_clear(&r->mock, 0);
    fly(r, 10.0f, 3.0);
    assert_true(rig_pose(r).lat_deg > EDGE_DEG && !healthy(r));
    assert_true(mf_mock_named(&r->mock, 0, "GNSS outside geoid"));
    m = gps(r);
    assert_int_equal(m.fix_type, 3);
    assert_int_equal(m.alt, 508000);
    assert_int_equal(m.alt_ellipsoid, 548000);
    const float p[4] = {10.0f, 1.0f, 0.0f, NAN}; /* where it is, it may be asked to be no more */
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 474010000, 85455940, 508.0f),
                     MAV_RESULT_DENIED);
    assert_true(mf_mock_named(&r->mock, 0, "Reposition outside geoid"));
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 200.0);
    assert_true(mf_mock_named(&r->mock, 0, "GNSS inside geoid"));
    assert_true(healthy(r));
}

/* Whether anybody looks or not, it is noticed: within the 100 ms of a poll. */
static void test_sim040_the_edge_is_noticed_without_an_observer(void **state)
{
    (void)state;
    struct rig *r = begin(&g_one);
    const float p[4] = {10.0f, 1.0f, 0.0f, NAN};
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        (void)mf_stream_set(&r->drone.vehicle, &r->links[0], mf_stream_msgid((enum mf_stream)i),
                            -1.0f, 0);
    }
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473999000, 85455940, 508.0f),
                     MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_moving, 60.0);
    fly(r, 10.0f, 1.0); /* the edge is 11 m ahead */
    assert_false(r->drone.vehicle.watched.uncharted);
    const mf_us_t before_us = r->mock.now.vehicle_us;
    fly(r, 10.0f, 0.4);
    assert_true(r->drone.vehicle.watched.uncharted);
    assert_true(mf_mock_logged(&r->mock, NULL, "outside geoid"));
    assert_true(r->mock.now.vehicle_us - before_us <= 400000);
}

/* A body at rest needs no looking after. */
static void test_sim040_at_rest_nothing_is_polled(void **state)
{
    struct mf_world_settings s = mf_world_settings_default();
    (void)state;
    s.geoid = &g_one;
    struct rig *r = rig_new_in(NULL, &s);
    rig_run_until(r, 1000000);
    assert_true(r->drone.vehicle.due_us[MF_TASK_HEALTH] == MF_NEVER);
    rig_take_off(r, 20.0f);
    rig_run_until(r, r->mock.now.vehicle_us + 1000000);
    assert_true(r->drone.vehicle.due_us[MF_TASK_HEALTH] == MF_NEVER);
}

/* The altitude above the geoid is that of the model that serves: the flight goes on at its number,
 * and the altitude above the ellipsoid takes the step. */
static void test_sim040_from_one_model_into_the_next(void **state)
{
    (void)state;
    struct rig *r = begin(&g_two);
    const float p[4] = {10.0f, 1.0f, 0.0f, NAN};
    assert_int_equal(mf_param_i(&r->drone.vehicle.params, MF_PARAM_MF_GEOID), MF_EARTH_EGM2008);
    struct mf_msg_gps_raw_int m = gps(r);
    assert_int_equal(m.alt_ellipsoid - m.alt, 40000);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 474010000, 85455940, 508.0f),
                     MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_moving, 100.0);
    m = gps(r);
    assert_int_equal(m.alt, 508000);
    assert_int_equal(m.alt_ellipsoid, 558000);
    assert_true(healthy(r));
    assert_false(mf_mock_named(&r->mock, 0, "geoid"));
    assert_int_equal(mf_param_i(&r->drone.vehicle.params, MF_PARAM_MF_GEOID),
                     MF_EARTH_EGM2008); /* of home */
}

static void test_sim040_a_home_without_a_model_makes_no_world(void **state)
{
    static struct mf_world world;
    struct mf_world_settings s = mf_world_settings_default();
    (void)state;
    s.geoid = &g_one;
    s.home_lat_deg = 47.5;
    assert_int_equal(mf_world_init(&world, &s), MF_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim040_beyond_the_last_model_the_undulation_is_held),
        cmocka_unit_test(test_sim040_the_edge_is_noticed_without_an_observer),
        cmocka_unit_test(test_sim040_at_rest_nothing_is_polled),
        cmocka_unit_test(test_sim040_from_one_model_into_the_next),
        cmocka_unit_test(test_sim040_a_home_without_a_model_makes_no_world),
    };
    return cmocka_run_group_tests(tests, make_models, free_models);
}
