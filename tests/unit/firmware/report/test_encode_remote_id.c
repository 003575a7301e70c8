/* SPDX-License-Identifier: Apache-2.0 */
/* What those who watch the airspace are told. Expected values are literals, computed by hand from
 * the vehicle of the fixture and from ASTM F3411's tables as MAVLink states them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mavlink/enums.h"
#include "tests/unit/firmware/encode_fixture.h"

/* 2026-03-01T12:34:56.789Z: 2096.789 s after the hour, 226067696 s after 2019-01-01 */
#define UTC_US INT64_C(1772368496789000)

static void know_time(int64_t utc_us)
{
    mock.gnss.fix.utc_us = utc_us;
    mf_estimate_forget(&v);
}

static void move(float north_mps, float east_mps, float down_mps)
{
    struct mf_pose *p = &mock.airframe.pose;
    p->vel_ned_mps[0] = north_mps;
    p->vel_ned_mps[1] = east_mps;
    p->vel_ned_mps[2] = down_mps;
    mf_estimate_forget(&v);
}

static void accuracy(uint32_t h_mm, uint32_t v_mm, uint32_t speed_mmps)
{
    mock.gnss.fix.h_acc_mm = h_mm;
    mock.gnss.fix.v_acc_mm = v_mm;
    mock.gnss.fix.vel_acc_mmps = speed_mmps;
    mf_estimate_forget(&v);
}

static void in_the_air(void)
{
    v.commander.armed = true;
    v.commander.landed = MF_LANDED_IN_AIR;
}

static struct mf_msg_utm_global_position utm(void)
{
    struct mf_msg_utm_global_position m;
    assert_true(mf_encode_utm_global_position(&v, mf_estimate_at(&v, T_US), &m));
    return m;
}

static struct mf_msg_open_drone_id_location location(void)
{
    struct mf_msg_open_drone_id_location m;
    assert_true(mf_encode_open_drone_id_location(&v, mf_estimate_at(&v, T_US), &m));
    return m;
}

static struct mf_msg_open_drone_id_system odid_system(void)
{
    struct mf_msg_open_drone_id_system m;
    assert_true(mf_encode_open_drone_id_system(&v, mf_estimate_at(&v, T_US), &m));
    return m;
}

/* ---- UTM_GLOBAL_POSITION */

static void test_sim039_utm_global_position(void **state)
{
    static const uint8_t k_uid[18] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    (void)state;
    know_time(UTC_US);
    accuracy(65536, 1780, 700000);
    const struct mf_msg_utm_global_position m = utm();
    assert_true(m.time == (uint64_t)UTC_US);
    assert_int_equal(m.lat, -334488901);
    assert_int_equal(m.lon, -706692655);
    assert_int_equal(m.alt, 594123); /* 567892 + the receiver's 26231 */
    assert_int_equal(m.relative_alt, 47892);
    assert_int_equal(m.vx, 346);
    assert_int_equal(m.vy, -789);
    assert_int_equal(m.vz, -124);
    assert_int_equal(m.h_acc, 65535);
    assert_int_equal(m.v_acc, 1780);
    assert_int_equal(m.vel_acc, 65535); /* 70000 cm/s */
    assert_int_equal(m.update_rate, 0);
    assert_memory_equal(m.uas_id, k_uid, sizeof k_uid);
    assert_int_equal(m.flight_state, 2); /* on the ground */
    assert_int_equal(m.flags, 0x7F);     /* all but a next waypoint */
    assert_true(m.next_lat == 0 && m.next_lon == 0 && m.next_alt == 0);
    accuracy(1000, 1000, 2349);
    assert_int_equal(utm().vel_acc, 234); /* [cm/s] */
}

static void test_utm_without_time_home_and_fix(void **state)
{
    (void)state;
    know_time(INT64_C(978307199999999)); /* 2000: a clock that was never set */
    v.home.valid = false;
    struct mf_msg_utm_global_position m = utm();
    assert_int_equal(m.flags, 0x6E); /* neither time nor relative altitude */
    assert_true(m.time == 0 && m.relative_alt == 0);
    know_time(INT64_C(978307200000000));
    assert_int_equal(utm().flags, 0x6F);
    lose_gps();
    m = utm();
    assert_int_equal(m.flags, 0x02); /* who it is */
    assert_true(m.time == 0 && m.lat == 0 && m.alt == 0 && m.h_acc == 0);
}

static void test_sim039_utm_next_waypoint_is_above_the_ellipsoid(void **state)
{
    (void)state;
    v.navigator.planned = true;
    v.navigator.leg =
        (struct mf_leg){.lat_deg = -33.44000004, .lon_deg = -70.66, .alt_amsl_m = 600.25};
    struct mf_msg_utm_global_position m = utm();
    assert_int_equal(m.flags & 0x80, 0x80);
    assert_int_equal(m.next_lat, -334400000);
    assert_int_equal(m.next_lon, -706600000);
    assert_int_equal(m.next_alt, 626481); /* 600250 + 26231 */
    v.navigator.leg.land = true;
    assert_int_equal(utm().next_alt, 545731); /* the ground, 519500, + 26231 */
    v.navigator.leg.velocity = true;          /* leads to no place */
    assert_int_equal(utm().flags & 0x80, 0);
    v.navigator.leg.velocity = false;
    lose_gps();
    assert_int_equal(utm().flags & 0x80, 0);
}

static void test_flight_state_and_status(void **state)
{
    (void)state;
    v.commander.failsafe = true; /* it says so in the air only */
    assert_int_equal(utm().flight_state, 2);
    assert_int_equal(location().status, 1);
    in_the_air();
    assert_int_equal(utm().flight_state, 16);
    assert_int_equal(location().status, 3);
    v.commander.failsafe = false;
    assert_int_equal(utm().flight_state, 3);
    assert_int_equal(location().status, 2);
    v.commander.mode = MF_MODE_TERMINATION; /* nobody flies it any more */
    assert_int_equal(utm().flight_state, 32);
    assert_int_equal(location().status, 3);
    v.commander.mode = MF_MODE_HOLD;
    v.commander.armed = false;
    assert_int_equal(utm().flight_state, 32);
    assert_int_equal(location().status, 3);
}

/* ---- OPEN_DRONE_ID_LOCATION */

static void test_sim039_location(void **state)
{
    static const uint8_t k_nobody[20] = {0};
    (void)state;
    know_time(UTC_US);
    accuracy(900, 1780, 400);
    const struct mf_msg_open_drone_id_location m = location();
    assert_true(m.target_system == 0 && m.target_component == 0);
    assert_memory_equal(m.id_or_mac, k_nobody, sizeof k_nobody);
    assert_int_equal(m.latitude, -334488901);
    assert_int_equal(m.longitude, -706692655);
    assert_true(m.altitude_geodetic == 594.123f);
    assert_true(m.altitude_barometric == 567.8916f);
    assert_int_equal(m.height_reference, 0); /* the take-off */
    assert_near(m.height, 47.8912, 4e-6);
    assert_int_equal(m.direction, 29365);      /* 293.6518 deg */
    assert_int_equal(m.speed_horizontal, 861); /* 8.6146 m/s */
    assert_int_equal(m.speed_vertical, 124);   /* up */
    assert_true(m.timestamp == 2096.789f);
    assert_int_equal(m.timestamp_accuracy, 1);
    assert_int_equal(m.horizontal_accuracy, 12); /* < 1 m */
    assert_int_equal(m.vertical_accuracy, 5);    /* < 3 m */
    assert_int_equal(m.speed_accuracy, 3);       /* < 1 m/s */
    assert_int_equal(m.barometer_accuracy, 0);
}

static void test_location_without_fix_time_and_home(void **state)
{
    (void)state;
    know_time(UTC_US);
    lose_gps();
    v.home.valid = false;
    const struct mf_msg_open_drone_id_location m = location();
    assert_true(m.latitude == 0 && m.longitude == 0);
    assert_true(m.altitude_geodetic == -1000.0f && m.height == -1000.0f);
    assert_true(m.altitude_barometric == 567.8916f); /* the barometer needs no satellites */
    assert_int_equal(m.direction, 36100);
    assert_int_equal(m.speed_horizontal, 25500);
    assert_int_equal(m.speed_vertical, 6300);
    assert_true(m.timestamp == 65535.0f);
    assert_int_equal(m.timestamp_accuracy, 0);
    assert_int_equal(m.horizontal_accuracy, 0);
    assert_int_equal(m.vertical_accuracy, 0);
    assert_int_equal(m.speed_accuracy, 0);
}

static void test_location_without_barometer(void **state)
{
    (void)state;
    mock.sensors_lost = ~(1u << MF_SENSOR_BARO);
    assert_true(location().altitude_barometric == 567.8916f);
    mock.sensors_lost = 1u << MF_SENSOR_BARO;
    assert_true(location().altitude_barometric == -1000.0f);
    assert_true(location().altitude_geodetic == 594.123f);
}

static void test_location_speeds_and_directions(void **state)
{
    static const struct {
        float north, east, down;
        int speed, up, direction;
    } k_case[] = {
        {0.0f, 0.0f, 0.0f, 0, 0, 36100},
        {0.004f, 0.0f, 0.25f, 0, -25, 36100}, /* rounds to standing still */
        {1.0f, 0.0f, 0.0f, 100, 0, 0},
        {1.0f, -0.00001f, 0.0f, 100, 0, 0}, /* 359.9994 deg is north */
        {0.0f, 2.0f, 0.0f, 200, 0, 9000},
        {-3.0f, 0.0f, 0.0f, 300, 0, 18000},
        {0.0f, -4.0f, 62.0f, 400, -6200, 27000},
        {300.0f, 0.0f, 70.0f, 25425, -6200, 0},
        {0.0f, 0.0f, -70.0f, 0, 6200, 36100},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        move(k_case[i].north, k_case[i].east, k_case[i].down);
        const struct mf_msg_open_drone_id_location m = location();
        assert_int_equal(m.speed_horizontal, k_case[i].speed);
        assert_int_equal(m.speed_vertical, k_case[i].up);
        assert_int_equal(m.direction, k_case[i].direction);
    }
}

/* The limit itself is not below the limit; what a receiver does not tell is 0. */
static void test_location_classes_of_accuracy(void **state)
{
    static const struct {
        uint32_t h_mm, v_mm, speed_mmps;
        int h, v, speed;
    } k_case[] = {
        {0, 0, 0, 0, 0, 0},
        {1, 1, 1, 12, 6, 4},
        {999, 999, 299, 12, 6, 4},
        {1000, 1000, 300, 11, 5, 3},
        {3000, 3000, 1000, 10, 4, 2},
        {10000, 10000, 3000, 9, 3, 1},
        {30000, 25000, 10000, 8, 2, 0},
        {92600, 45000, UINT32_MAX, 7, 1, 0},
        {185200, 150000, 9999, 6, 0, 1},
        {555600, 149999, 2999, 5, 1, 2},
        {926000, 44999, 999, 4, 2, 3},
        {1852000, 24999, 1, 3, 3, 4},
        {3704000, 9999, 1, 2, 4, 4},
        {7408000, 2999, 1, 1, 5, 4},
        {18519999, 1, 1, 1, 6, 4},
        {18520000, UINT32_MAX, 1, 0, 0, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        accuracy(k_case[i].h_mm, k_case[i].v_mm, k_case[i].speed_mmps);
        const struct mf_msg_open_drone_id_location m = location();
        assert_int_equal(m.horizontal_accuracy, k_case[i].h);
        assert_int_equal(m.vertical_accuracy, k_case[i].v);
        assert_int_equal(m.speed_accuracy, k_case[i].speed);
    }
}

static void test_location_time_is_that_of_the_hour(void **state)
{
    (void)state;
    know_time(INT64_C(1772366400000000) - 1000); /* 11:59:59.999 */
    assert_true(location().timestamp == 3599.999f);
    know_time(INT64_C(1772366400000000));
    assert_true(location().timestamp == 0.0f);
    know_time(0);
    assert_true(location().timestamp == 65535.0f);
    assert_int_equal(location().timestamp_accuracy, 0);
}

/* ---- OPEN_DRONE_ID_SYSTEM */

static void test_sim039_system_has_the_place_of_take_off(void **state)
{
    (void)state;
    know_time(UTC_US);
    mf_remote_id_take_off(&v.remote_id, mf_estimate_at(&v, T_US));
    mock.airframe.pose.lat_deg += 0.01; /* flies on, over another geoid */
    mock.gnss.fix.alt_ellipsoid_mm += 777;
    mf_estimate_forget(&v);
    const struct mf_msg_open_drone_id_system m = odid_system();
    assert_int_equal(m.operator_latitude, -334488901);
    assert_int_equal(m.operator_longitude, -706692655);
    assert_true(m.operator_altitude_geo == 594.123f);
    assert_int_equal(m.operator_location_type, 0);
    assert_int_equal(m.timestamp, 226067696);
    assert_int_equal(m.area_count, 1);
    assert_int_equal(m.area_radius, 0);
    assert_true(m.area_ceiling == -1000.0f && m.area_floor == -1000.0f);
    assert_true(m.classification_type == 0 && m.category_eu == 0 && m.class_eu == 0);
}

static void test_system_without_take_off_and_time(void **state)
{
    (void)state;
    know_time(UTC_US);
    lose_gps();
    mf_remote_id_take_off(&v.remote_id, mf_estimate_at(&v, T_US));
    struct mf_msg_open_drone_id_system m = odid_system();
    assert_true(m.operator_latitude == 0 && m.operator_longitude == 0);
    assert_true(m.operator_altitude_geo == -1000.0f);
    assert_int_equal(m.timestamp, 0);
    mock.gnss.result = MF_E_OK;
    know_time(INT64_C(1546300799999999)); /* the last second before 2019 */
    assert_int_equal(odid_system().timestamp, 0);
    know_time(INT64_C(1546300801000000));
    assert_int_equal(odid_system().timestamp, 1);
}

/* ---- OPEN_DRONE_ID_BASIC_ID, OPERATOR_ID */

static void test_ids_by_default(void **state)
{
    static const char k_serial[20] = "MAYF855667788";
    static const char k_none[20] = "";
    struct mf_msg_open_drone_id_basic_id id;
    struct mf_msg_open_drone_id_operator_id operator_id;
    (void)state;
    assert_true(mf_encode_open_drone_id_basic_id(&v, T_US, &id));
    assert_int_equal(id.id_type, 1); /* a serial number */
    assert_int_equal(id.ua_type, 2); /* of a multirotor */
    assert_memory_equal(id.uas_id, k_serial, sizeof k_serial);
    assert_true(mf_encode_open_drone_id_operator_id(&v, T_US, &operator_id));
    assert_int_equal(operator_id.operator_id_type, 0);
    assert_memory_equal(operator_id.operator_id, k_none, sizeof k_none);
    v.uid = 0xFEDCBA98ABCDEF01u;
    assert_true(mf_encode_open_drone_id_basic_id(&v, T_US, &id));
    assert_memory_equal(id.uas_id, "MAYF8ABCDEF01", 14);
}

static void test_ids_of_the_board(void **state)
{
    static const struct mf_remote_id_card k_card = {
        .uas_id = "UAS-ID-OF-20-LETTERS",
        .operator_id = "FIN87astrdge12k8",
        .id_type = 2,
        .ua_type = 15,
        .category_eu = 1,
        .class_eu = 3,
    };
    struct mf_msg_open_drone_id_basic_id id;
    struct mf_msg_open_drone_id_operator_id operator_id;
    (void)state;
    v.remote_id.card = &k_card;
    assert_true(mf_encode_open_drone_id_basic_id(&v, T_US, &id));
    assert_int_equal(id.id_type, 2);
    assert_int_equal(id.ua_type, 15);
    assert_memory_equal(id.uas_id, "UAS-ID-OF-20-LETTERS", 20);
    assert_true(mf_encode_open_drone_id_operator_id(&v, T_US, &operator_id));
    assert_memory_equal(operator_id.operator_id, "FIN87astrdge12k8\0\0\0", 20);
    const struct mf_msg_open_drone_id_system m = odid_system();
    assert_true(m.classification_type == 1 && m.category_eu == 1 && m.class_eu == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim039_utm_global_position, setup),
        cmocka_unit_test_setup(test_utm_without_time_home_and_fix, setup),
        cmocka_unit_test_setup(test_sim039_utm_next_waypoint_is_above_the_ellipsoid, setup),
        cmocka_unit_test_setup(test_flight_state_and_status, setup),
        cmocka_unit_test_setup(test_sim039_location, setup),
        cmocka_unit_test_setup(test_location_without_fix_time_and_home, setup),
        cmocka_unit_test_setup(test_location_without_barometer, setup),
        cmocka_unit_test_setup(test_location_speeds_and_directions, setup),
        cmocka_unit_test_setup(test_location_classes_of_accuracy, setup),
        cmocka_unit_test_setup(test_location_time_is_that_of_the_hour, setup),
        cmocka_unit_test_setup(test_sim039_system_has_the_place_of_take_off, setup),
        cmocka_unit_test_setup(test_system_without_take_off_and_time, setup),
        cmocka_unit_test_setup(test_ids_by_default, setup),
        cmocka_unit_test_setup(test_ids_of_the_board, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
