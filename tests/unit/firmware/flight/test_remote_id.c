/* SPDX-License-Identifier: Apache-2.0 */
/* What a ground station says of the operator, and what is none of this vehicle's. */
#include "tests/unit/firmware/flight_fixture.h"

#include <float.h>

static const struct mf_options k_default;

static const struct mf_msg_open_drone_id_system k_system = {
    .operator_latitude = 473977420,
    .operator_longitude = 85455940,
    .area_ceiling = 700.5f,
    .area_floor = 500.25f,
    .operator_altitude_geo = 535.75f,
    .timestamp = 5,
    .area_count = 3,
    .area_radius = 40,
    .target_system = 1,
    .operator_location_type = 1,
    .classification_type = 1,
    .category_eu = 2,
    .class_eu = 4,
};

static void receive(uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&fx.mock, 0, msgid, msg);
    (void)mf_vehicle_step(&fx.v);
    mf_mock_clear(&fx.mock, 0);
}

static struct mf_msg_open_drone_id_system asked(void)
{
    struct mf_msg_open_drone_id_system m;
    assert_int_equal(fx_command(512, (const float[7]){12904.0f}), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_OPEN_DRONE_ID_SYSTEM, &m));
    return m;
}

static void expect_taken(bool taken)
{
    assert_int_equal(asked().area_count, taken ? 3 : 1);
}

static void test_what_a_ground_station_says_of_the_operator_is_passed_on(void **state)
{
    struct mf_msg_open_drone_id_operator_id id = {.operator_id = "FIN87astrdge12k8"};
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.gnss.fix.utc_us = INT64_C(1772368496789000);
    mf_estimate_forget(&fx.v);
    receive(MF_MSG_OPEN_DRONE_ID_SYSTEM, &k_system);
    const struct mf_msg_open_drone_id_system m = asked();
    assert_int_equal(m.operator_latitude, 473977420);
    assert_int_equal(m.operator_longitude, 85455940);
    assert_true(m.operator_altitude_geo == 535.75f);
    assert_true(m.area_ceiling == 700.5f && m.area_floor == 500.25f);
    assert_true(m.area_count == 3 && m.area_radius == 40);
    assert_true(m.operator_location_type == 1 && m.classification_type == 1);
    assert_true(m.category_eu == 2 && m.class_eu == 4);
    assert_true(m.target_system == 0 && m.target_component == 0);
    assert_int_equal(m.timestamp, 226067696); /* now, not when it was said */
    receive(MF_MSG_OPEN_DRONE_ID_OPERATOR_ID, &id);
    assert_int_equal(fx_command(512, (const float[7]){12905.0f}), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_OPEN_DRONE_ID_OPERATOR_ID, &id));
    assert_memory_equal(id.operator_id, "FIN87astrdge12k8\0\0\0", 20);
}

static void test_other_aircraft_are_no_ground_station(void **state)
{
    struct mf_msg_open_drone_id_system m = k_system;
    struct mf_msg_open_drone_id_operator_id id = {.operator_id = "other", .id_or_mac = {[19] = 1}};
    (void)state;
    (void)fx_boot(k_default);
    m.target_system = 2;
    receive(MF_MSG_OPEN_DRONE_ID_SYSTEM, &m);
    expect_taken(false);
    m.target_system = 0;
    m.id_or_mac[0] = 1; /* a receiver tells of somebody */
    receive(MF_MSG_OPEN_DRONE_ID_SYSTEM, &m);
    expect_taken(false);
    m.id_or_mac[0] = 0;
    fx.mock.port[0].peer.compid = 1; /* another vehicle tells of itself */
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_OPEN_DRONE_ID_SYSTEM, &m);
    fx.mock.port[0].peer.compid = 190;
    (void)mf_vehicle_step(&fx.v);
    expect_taken(false);
    receive(MF_MSG_OPEN_DRONE_ID_OPERATOR_ID, &id);
    assert_false(fx.v.remote_id.operator_id_given);
    assert_int_equal(fx.links[0].stats.rx_foreign, 4);
    receive(MF_MSG_OPEN_DRONE_ID_SYSTEM, &m); /* to everybody, from a ground station */
    expect_taken(true);
}

static void test_an_operator_nowhere_is_rejected(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 0; i < 7; i++) {
        struct mf_msg_open_drone_id_system m = k_system;
        m.operator_latitude = i == 0 ? 900000001 : i == 1 ? -900000001 : m.operator_latitude;
        m.operator_longitude = i == 2 ? 1800000001 : i == 3 ? -1800000001 : m.operator_longitude;
        m.operator_altitude_geo = i == 4 ? NAN : 1.0f;
        m.area_ceiling = i == 5 ? INFINITY : 1.0f;
        m.area_floor = i == 6 ? -INFINITY : 1.0f;
        receive(MF_MSG_OPEN_DRONE_ID_SYSTEM, &m);
    }
    assert_int_equal(fx.links[0].stats.rx_rejected, 7);
    expect_taken(false);
}

/* The place of the last arming, not of the boot. */
static void test_sim039_the_take_off_is_where_it_was_armed(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_int_equal(asked().operator_latitude, 473977420);
    mf_mock_place(&fx.mock, HERE_LAT + 0.5, HERE_LON, GROUND_M, true);
    (void)fx_step_at(S);
    assert_int_equal(asked().operator_latitude, 473977420);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    mf_mock_clear(&fx.mock, 0);
    const struct mf_msg_open_drone_id_system m = asked();
    assert_int_equal(m.operator_latitude, 478977420);
    assert_true(m.operator_altitude_geo ==
                (float)((double)fx.mock.gnss.fix.alt_ellipsoid_mm / 1e3));
    assert_true(v->remote_id.takeoff_known);
}

/* ---- the module alone, without a vehicle ---- */

static void test_the_card_of_the_board_or_one_of_the_uid(void **state)
{
    static const struct mf_remote_id_card k_card = {.uas_id = "TEST4ABCD", .id_type = 2};
    struct mf_remote_id r = {.card = NULL};
    (void)state;
    const struct mf_remote_id_card made = mf_remote_id_card(&r, UINT64_C(0xFFFFFFFF0012ABCD));
    assert_memory_equal(made.uas_id, "MAYF80012ABCD\0\0\0\0\0\0\0", 20);
    assert_true(made.id_type == 1 && made.ua_type == 2);
    r.card = &k_card;
    assert_memory_equal(mf_remote_id_card(&r, 7).uas_id, "TEST4ABCD", 10);
}

static void test_a_take_off_without_a_position_is_nowhere(void **state)
{
    struct mf_remote_id r = {.card = NULL};
    struct mf_estimate e = {
        .position = true,
        .pose = {.lat_deg = -33.5, .lon_deg = 151.25, .alt_amsl_m = 12.5},
        .undulation_m = 22.25,
    };
    (void)state;
    mf_remote_id_take_off(&r, &e);
    assert_true(r.takeoff_known);
    assert_int_equal(r.takeoff_lat_e7, -335000000);
    assert_int_equal(r.takeoff_lon_e7, 1512500000);
    assert_int_equal(r.takeoff_alt_ellipsoid_mm, 34750);
    e.position = false;
    mf_remote_id_take_off(&r, &e);
    assert_false(r.takeoff_known);
}

/* The poles and the date line are on the Earth. */
static void test_the_last_operator_counts_unless_it_is_off_the_earth(void **state)
{
    struct mf_remote_id r = {.card = NULL};
    struct mf_msg_open_drone_id_system m = k_system;
    (void)state;
    m.operator_latitude = 900000000;
    m.operator_longitude = -1800000000;
    m.area_ceiling = FLT_MAX;
    m.area_floor = -FLT_MAX;
    assert_int_equal(mf_remote_id_set_operator(&r, &m), MF_E_OK);
    m.operator_latitude = -900000001;
    assert_int_equal(mf_remote_id_set_operator(&r, &m), MF_E_RANGE);
    assert_true(r.operator_given && !r.operator_id_given);
    assert_int_equal(r.said.lat_e7, 900000000);
    assert_int_equal(r.said.lon_e7, -1800000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_ground_station_says_of_the_operator_is_passed_on),
        cmocka_unit_test(test_other_aircraft_are_no_ground_station),
        cmocka_unit_test(test_an_operator_nowhere_is_rejected),
        cmocka_unit_test(test_sim039_the_take_off_is_where_it_was_armed),
        cmocka_unit_test(test_the_card_of_the_board_or_one_of_the_uid),
        cmocka_unit_test(test_a_take_off_without_a_position_is_nowhere),
        cmocka_unit_test(test_the_last_operator_counts_unless_it_is_off_the_earth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
