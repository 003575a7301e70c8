/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-17: what sensors measure, as MAVLink. The frames are pymavlink's. */
#include "fleet/sensor_messages.h"

#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void is_frame(const struct mf_sensor_report *report, uint8_t seq, uint8_t sysid,
                     const char *hex)
{
    uint8_t bytes[MF_FRAME_MAX];
    char text[2 * MF_FRAME_MAX + 1] = "";
    const struct mf_sender from = {2, seq, sysid, MF_SENSOR_COMPID};
    const size_t n = mf_sensor_frame(report, &from, bytes);
    for (size_t k = 0; k < n; k++) {
        (void)snprintf(&text[2 * k], 3, "%02x", bytes[k]);
    }
    assert_string_equal(text, hex);
}

static struct mf_msg_distance_sensor distance_of(const struct mf_scenario_sensor *s, double seen_m)
{
    uint8_t bytes[MF_FRAME_MAX];
    struct mf_frame frame;
    struct mf_msg_distance_sensor m;
    const struct mf_sensor_report report = {.sensor = s, .id = 1, .value = &seen_m};
    const struct mf_sender from = {2, 0, 1, MF_SENSOR_COMPID};
    const size_t n = mf_sensor_frame(&report, &from, bytes);
    assert_true(mf_frame_read(bytes, n, &frame));
    mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
    return m;
}

static void test_sbe17_a_range_is_a_distance_sensor(void **state)
{
    (void)state;
    struct mf_scenario_sensor s = {
        .kind = MF_SCENARIO_SENSOR_RANGE, .reach_m = 8, .sigma = 0.05, .yaw_deg = 90};
    const double seen_m = 4.57;
    is_frame(
        &(struct mf_sensor_report){&s, 2, 1234567, &seen_m, NULL}, 1, 9,
        "fd2700000109c4840000d204000000002003c901000202190000000000000000000000000000000000000000"
        "00000000647aed");
    assert_int_equal(distance_of(&s, 8.004).current_distance, 800);
    assert_int_equal(distance_of(&s, (double)INFINITY).current_distance, 801);
    s.sigma = 3;
    assert_int_equal(distance_of(&s, 1).covariance, 254);
    s.reach_m = 1000;
    assert_int_equal(distance_of(&s, 900).current_distance, 65501);
    assert_int_equal(distance_of(&s, 900).max_distance, 65500);
}

static void test_sbe17_orientations(void **state)
{
    static const struct {
        double yaw_deg, pitch_deg;
        uint8_t orientation;
    } k_case[] = {{0, 0, 0},    {45, 0, 1},    {180, 0, 4},   {-45, 0, 7},
                  {-360, 0, 0}, {360, 0, 0},   {0, 90, 24},   {0, -90, 25},
                  {30, 0, 100}, {0, -30, 100}, {90, -90, 100}};
    (void)state;
    for (size_t k = 0; k < sizeof k_case / sizeof k_case[0]; k++) {
        const struct mf_scenario_sensor s = {.kind = MF_SCENARIO_SENSOR_RANGE,
                                             .reach_m = 8,
                                             .yaw_deg = k_case[k].yaw_deg,
                                             .pitch_deg = k_case[k].pitch_deg};
        const struct mf_msg_distance_sensor m = distance_of(&s, 1);
        assert_int_equal(m.orientation, k_case[k].orientation);
        if (m.orientation != 100) {
            assert_true(m.quaternion[0] == 0.0f);
            continue;
        }
        /* it turns ahead to where the sensor looks: forward, right, down */
        const double w = (double)m.quaternion[0], x = (double)m.quaternion[1],
                     y = (double)m.quaternion[2], z = (double)m.quaternion[3];
        const double yaw = s.yaw_deg / 180 * 3.14159265358979,
                     pitch = s.pitch_deg / 180 * 3.14159265358979;
        assert_true(fabs(1 - 2 * (y * y + z * z) - cos(pitch) * cos(yaw)) < 1e-6);
        assert_true(fabs(2 * (x * y + w * z) - cos(pitch) * sin(yaw)) < 1e-6);
        assert_true(fabs(2 * (x * z - w * y) + sin(pitch)) < 1e-6);
    }
}

static void test_sbe17_a_ring_is_obstacle_distance(void **state)
{
    float ray[MF_SENSOR_RAYS];
    (void)state;
    const struct mf_scenario_sensor s = {
        .kind = MF_SCENARIO_SENSOR_RING, .reach_m = 4, .yaw_deg = -10};
    const double value[2] = {2.5, 90};
    for (uint32_t n = 0; n < MF_SENSOR_RAYS; n++) {
        ray[n] = n >= 17 && n <= 19 ? 2.5f : INFINITY;
    }
    is_frame(
        &(struct mf_sensor_report){&s, 1, 2500000, value, ray}, 3, 9,
        "fda700000309c44a0100a0252600000000009101910191019101910191019101910191019101910191019101"
        "9101910191019101fa00fa00fa00910191019101910191019101910191019101910191019101910191019101"
        "9101910191019101910191019101910191019101910191019101910191019101910191019101910191019101"
        "9101910191019101910191019101910191019101910191019101910191010000900100050000a040000020c1"
        "0c4841");
}

static void test_sbe17_flow_is_optical_flow_rad(void **state)
{
    (void)state;
    const struct mf_scenario_sensor s = {.kind = MF_SCENARIO_SENSOR_OPTICAL_FLOW, .rate_hz = 20};
    const double sees[6] = {0.5, -0.25, 4, 1, 2, 3};
    const double blind[6] = {1, 2, (double)INFINITY, 1, 2, 3};
    is_frame(
        &(struct mf_sensor_report){&s, 3, 2500000, sees, NULL}, 7, 42,
        "fd2c0000072ac46a0000a02526000000000050c30000cdcccc3ccdcc4cbccdcc4c3dcdcccc3d9a99193e0000"
        "000000008040000003ff9f39");
    is_frame(
        &(struct mf_sensor_report){&s, 3, 2500000, blind, NULL}, 7, 42,
        "fd2b0000072ac46a0000a02526000000000050c30000cdcc4c3dcdcccc3dcdcc4c3dcdcccc3d9a99193e0000"
        "0000000080bf000003046e");
}

static void test_others_have_no_message(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < (int32_t)MF_SCENARIO_SENSOR_KINDS; kind++) {
        const struct mf_scenario_sensor s = {.kind = kind, .rate_hz = 1, .reach_m = 1};
        const double value[MF_SENSOR_VALUES_MAX] = {0};
        const float ray[MF_SENSOR_RAYS] = {0};
        uint8_t bytes[MF_FRAME_MAX];
        const struct mf_sender from = {2, 0, 1, MF_SENSOR_COMPID};
        const size_t n =
            mf_sensor_frame(&(struct mf_sensor_report){&s, 1, 0, value, ray}, &from, bytes);
        assert_true((n > 0) == mf_sensor_has_message(kind));
    }
}

/* 20 measurements a second, of which 10 may leave, and 100 bytes a second. */
static void test_rate_and_bytes_are_bounded(void **state)
{
    struct mf_sensor_bounds b = {0};
    struct mf_scenario_sensor_link link = {10, 1e6};
    int sent = 0;
    (void)state;
    for (mf_us_t t = 0; t < 10 * MF_SECOND_US; t += 50000) {
        sent += mf_sensor_may(&b, &link, 0, t, 50) ? 1 : 0;
    }
    assert_int_equal(sent, 100);
    b = (struct mf_sensor_bounds){0};
    link = (struct mf_scenario_sensor_link){100, 100};
    sent = 0;
    for (mf_us_t t = 0; t < 10 * MF_SECOND_US; t += 10000) {
        sent += (mf_sensor_may(&b, &link, 0, t, 50) ? 1 : 0) +
                (mf_sensor_may(&b, &link, 1, t, 50) ? 1 : 0);
    }
    assert_int_equal(sent, 2 + 19); /* two at once, then two a second */
    link.rate_hz = 0;
    assert_false(mf_sensor_may(&b, &link, 0, 1000 * MF_SECOND_US, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe17_a_range_is_a_distance_sensor),
        cmocka_unit_test(test_sbe17_orientations),
        cmocka_unit_test(test_sbe17_a_ring_is_obstacle_distance),
        cmocka_unit_test(test_sbe17_flow_is_optical_flow_rad),
        cmocka_unit_test(test_others_have_no_message),
        cmocka_unit_test(test_rate_and_bytes_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
