/* SPDX-License-Identifier: Apache-2.0 */
/* Circles, and a target to follow. */
#include "tests/sim/steer_fixture.h"

static double distance_m(struct rig *r, double north_m, double east_m)
{
    double neu_m[3];
    from_home(r, neu_m);
    return hypot(neu_m[0] - north_m, neu_m[1] - east_m);
}

static uint8_t orbit(struct rig *r, float radius, float speed, float yaw)
{
    return rig_command_int(r, MAV_CMD_DO_ORBIT, (const float[4]){radius, speed, yaw, NAN},
                           473986410, 85455940, 508.0f); /* 99.956 m north of home, 20 m up */
}

static void wait(struct rig *r, double seconds)
{
    const mf_us_t until_us = r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6);
    while (r->mock.now.vehicle_us < until_us) {
        rig_run_until(r, mf_earlier(until_us, r->mock.now.vehicle_us + PERIOD_US));
        check(r);
    }
}

/* 4 m/s on 20 m is 0.2 rad/s: once around in 31.4 s, always at its radius, nose to the centre. */
static void test_orbit(void **state)
{
    (void)state;
    for (int turn = -1; turn <= 1; turn += 2) {
        struct rig *r = rig_airborne(20.0f);
        assert_int_equal(orbit(r, (float)turn * 20.0f, 4.0f, 0.0f), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_mode_seen(r), 16973824);
        wait(r, 12.0);
        for (int i = 0; i < 400; i++) {
            wait(r, 0.1);
            const struct mf_pose p = truth(r);
            double neu_m[3];
            from_home(r, neu_m);
            assert_close(distance_m(r, 99.956, 0.0), 20.0, 0.01);
            assert_close(neu_m[2], 20.0, 1e-3);
            assert_close(hypot((double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1]), 4.0, 1e-3);
            const double to_centre = atan2(-neu_m[1], 99.956 - neu_m[0]);
            assert_close(remainder((double)p.yaw_rad - to_centre, 2.0 * MF_PI), 0.0, 0.02);
            assert_close((double)p.yawspeed_rps, 0.2 * turn, 0.02);
        }
        double a[3], b[3];
        from_home(r, a);
        wait(r, 10.0 * MF_PI);
        from_home(r, b);
        assert_close(a[0], b[0], 0.1);
        assert_close(a[1], b[1], 0.1);
    }
}

/* Less than the least radius: its sign stays the way around. */
static void test_small_orbits_keep_their_way_around(void **state)
{
    (void)state;
    for (int turn = -1; turn <= 1; turn += 2) {
        struct mf_msg_orbit_execution_status m;
        struct rig *r = rig_airborne(20.0f);
        assert_int_equal(orbit(r, (float)turn * 0.5f, -0.5f, 0.0f), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ORBIT_EXECUTION_STATUS, &m));
        assert_close((double)m.radius, 1.0 * turn, 1e-7);
    }
}

static void test_orbit_status_and_limits(void **state)
{
    struct mf_msg_orbit_execution_status m;
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){360.0f}),
                     MAV_RESULT_DENIED);
    /* 9 m/s on 2 m would be 40 m/s2 to the centre; 2 m/s2 are 2 m/s */
    assert_int_equal(orbit(r, -2.0f, 9.0f, 3.0f), MAV_RESULT_ACCEPTED);
    wait(r, 20.0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ORBIT_EXECUTION_STATUS, &m));
    assert_close((double)m.radius, -2.0, 1e-7);
    assert_int_equal(m.x, 473986410);
    assert_int_equal(m.y, 85455940);
    assert_close((double)m.z, 508.0, 1e-7);
    const struct mf_pose p = truth(r);
    assert_close(hypot((double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1]), 2.0, 0.01);
    const double course = atan2((double)p.vel_ned_mps[1], (double)p.vel_ned_mps[0]);
    assert_close(remainder((double)p.yaw_rad - course, 2.0 * MF_PI), 0.0, 0.2); /* tangent */
}

/* Nothing given: around here, 10 m, 1 m/s, at this height. By mode as well. */
static void test_orbit_here(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_ORBIT, rig_nan7()), MAV_RESULT_ACCEPTED);
    wait(r, 20.0);
    assert_close(distance_m(r, 0.0, 0.0), 10.0, 0.01);
    assert_int_equal(set_mode(r, 4.0f, 3.0f), MAV_RESULT_ACCEPTED);
    wait(r, 1.0);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
    assert_int_equal(set_mode(r, 3.0f, 1.0f), MAV_RESULT_ACCEPTED);
    double here[3];
    from_home(r, here);
    wait(r, 20.0);
    assert_close(distance_m(r, here[0], here[1]), 10.0, 0.01);
}

/* With physics it lags, but it flies that circle. */
static void test_orbit_with_physics(void **state)
{
    (void)state;
    struct rig *r = offboard(true);
    assert_int_equal(orbit(r, 20.0f, 4.0f, 0.0f), MAV_RESULT_ACCEPTED);
    wait(r, 80.0);
    for (int i = 0; i < 400; i++) {
        wait(r, 0.1);
        assert_close(distance_m(r, 99.956, 0.0), 20.0, 2.0);
    }
}

/* 2 m/s to the east, or to the north, followed 8 m behind and 8 m above home. */
static void test_follow(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool physics = i % 2 != 0;
        struct rig *r = physics ? offboard(true) : rig_airborne(20.0f);
        struct mf_msg_follow_target m = {.est_capabilities = 1, .alt = 488.0f};
        assert_int_equal(set_mode(r, 4.0f, 8.0f), MAV_RESULT_ACCEPTED);
        const bool north = i == 2;
        m.vel[1] = i < 2 ? 2.0f : 0.0f; /* given, or found out */
        double ahead_m = 0.0;
        for (int k = 0; k < 60; k++) { /* once a second */
            const struct mf_geo at = mf_geo_from_local(
                (struct mf_geo){47.398641, 8.545594}, north ? 2.0 * k : 0.0, north ? 0.0 : 2.0 * k);
            m.lat = (int32_t)lrint(at.lat_deg * 1e7);
            m.lon = (int32_t)lrint(at.lon_deg * 1e7);
            rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
            wait(r, 1.0);
            ahead_m = 2.0 * (double)(k + 1);
        }
        double neu_m[3];
        from_home(r, neu_m);
        assert_close(neu_m[0], 99.956 + (north ? ahead_m - 8.0 : 0.0), physics ? 1.0 : 0.1);
        assert_close(neu_m[1], north ? 0.0 : ahead_m - 8.0, physics ? 1.0 : 0.1);
        assert_close(neu_m[2], 8.0, physics ? 0.1 : 0.02);
        const double look = north ? 0.0 : atan2(8.0, 0.0);
        assert_close((double)truth(r).yaw_rad, look, 0.1);
        wait(r, 12.0); /* nobody reports any more: it stands */
        assert_velocity(r, 0.0, 0.0, 0.0, 0.01);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_FOLLOW);
    }
}

/* A target that stands still 99.956 m north: course north, so behind it is south. Half a stick does
 * nothing, a whole one 1.5 m/s up, 2 m/s away, and around at FLW_TGT_MAX_VEL. */
static struct rig *trimmed(int16_t x, int16_t y, int16_t z, double north_m, double east_m,
                           double up_m)
{
    struct mf_msg_follow_target m = {.est_capabilities = 1, .alt = 488.0f};
    const struct mf_msg_manual_control held = {.x = x, .y = y, .z = z, .target = 1};
    const struct mf_msg_manual_control rest = {.z = 500, .target = 1};
    struct rig *r = rig_airborne(20.0f);
    double neu_m[3];
    m.lat = 473986410;
    m.lon = 85455940;
    assert_int_equal(set_mode(r, 4.0f, 8.0f), MAV_RESULT_ACCEPTED);
    for (int i = 0; i < 300; i++) { /* for two seconds, and twenty to get there */
        rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
        rig_send(r, MF_MSG_MANUAL_CONTROL, i >= 200 || i < 180 ? &rest : &held);
        wait(r, 0.1);
    }
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_FOLLOW);
    from_home(r, neu_m);
    assert_close(neu_m[0], 99.956 + north_m, 0.05);
    assert_close(neu_m[1], east_m, 0.05);
    assert_close(neu_m[2], up_m, 0.02);
    return r;
}

static void test_sticks_change_how_it_follows(void **state)
{
    (void)state;
    (void)trimmed(500, -500, 700, -8.0, 0.0, 8.0);
    (void)trimmed(0, 0, 1000, -8.0, 0.0, 11.0);
    (void)trimmed(0, 0, 0, -8.0, 0.0, 5.0);
    (void)trimmed(1000, 0, 500, -12.0, 0.0, 8.0);
    (void)trimmed(-1000, 0, 500, -4.0, 0.0, 8.0);
    /* 5 m/s at 8 m for 2 s are 1.25 rad, clockwise from south: to the west */
    (void)trimmed(0, 1000, 500, -8.0 * cos(1.25), -8.0 * sin(1.25), 8.0);
    struct rig *r = trimmed(0, -1000, 500, -8.0 * cos(1.25), 8.0 * sin(1.25), 8.0);
    assert_close(r->drone.vehicle.navigator.trim.angle_rad, -1.25, 0.05);
    assert_int_equal(set_mode(r, 4.0f, 3.0f), MAV_RESULT_ACCEPTED); /* and it is forgotten */
    wait(r, 0.5);
    assert_int_equal(set_mode(r, 4.0f, 8.0f), MAV_RESULT_ACCEPTED);
    wait(r, 0.5);
    assert_close(r->drone.vehicle.navigator.trim.angle_rad, 0.0, 0.0);
}

/* 4 m nearer than 8 m, and then 4 m nearer than 2 m: not nearer than 1 m. */
static void test_sticks_and_a_parameter(void **state)
{
    (void)state;
    struct rig *r = trimmed(-1000, 0, 500, -4.0, 0.0, 8.0);
    double neu_m[3];
    const struct mf_msg_manual_control rest = {.z = 500, .target = 1};
    rig_set_f(r, "FLW_TGT_DST", 2.0f);
    for (int i = 0; i < 80; i++) {
        rig_send(r, MF_MSG_MANUAL_CONTROL, &rest);
        wait(r, 0.1);
    }
    from_home(r, neu_m);
    assert_close(neu_m[0], 98.956, 0.05);
}

/* FLW_TGT_ALT_M 2: 8 m above the target, which is 12 m above home; above home where it does not say
 * how high it is. */
static void test_follow_as_high_as_the_target(void **state)
{
    static const struct {
        float alt_m;
        double up_m;
    } k_case[] = {{500.0f, 20.0}, {NAN, 8.0}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_msg_follow_target m = {
            .est_capabilities = 1, .lat = 473986410, .lon = 85455940, .alt = k_case[i].alt_m};
        struct rig *r = rig_airborne(10.0f);
        double neu_m[3];
        rig_set_i(r, "FLW_TGT_ALT_M", 2);
        assert_int_equal(set_mode(r, 4.0f, 8.0f), MAV_RESULT_ACCEPTED);
        for (int k = 0; k < 30; k++) { /* once a second */
            rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
            wait(r, 1.0);
        }
        from_home(r, neu_m);
        assert_close(neu_m[2], k_case[i].up_m, 0.02);
    }
}

/* MPC_Z_P 0.5: half the height that is missing, each second. */
static void test_follow_climbs_by_its_gain(void **state)
{
    const struct mf_msg_follow_target m = {
        .est_capabilities = 1, .lat = 473986410, .lon = 85455940, .alt = 488.0f};
    (void)state;
    struct rig *r = rig_airborne(4.0f);
    rig_set_f(r, "MPC_Z_P", 0.5f);
    assert_int_equal(set_mode(r, 4.0f, 8.0f), MAV_RESULT_ACCEPTED);
    for (int k = 0; k < 3; k++) {
        double neu_m[3];
        rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
        wait(r, 1.0);
        from_home(r, neu_m);
        const double missing_m = 8.0 - neu_m[2];
        assert_close(-(double)truth(r).vel_ned_mps[2], 0.5 * missing_m, 0.05 * missing_m);
    }
}

static void test_bad_targets_are_refused(void **state)
{
    struct mf_msg_follow_target m = {.est_capabilities = 0, .lat = 473986410, .lon = 85455940};
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
    m.est_capabilities = 1;
    m.lat = 900000001;
    rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
    assert_false(r->drone.vehicle.inputs.target.live);
    m.lat = 473986410;
    m.alt = NAN;
    rig_send(r, MF_MSG_FOLLOW_TARGET, &m);
    assert_true(r->drone.vehicle.inputs.target.live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orbit),
        cmocka_unit_test(test_small_orbits_keep_their_way_around),
        cmocka_unit_test(test_orbit_status_and_limits),
        cmocka_unit_test(test_orbit_here),
        cmocka_unit_test(test_orbit_with_physics),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_sticks_change_how_it_follows),
        cmocka_unit_test(test_sticks_and_a_parameter),
        cmocka_unit_test(test_follow_as_high_as_the_target),
        cmocka_unit_test(test_follow_climbs_by_its_gain),
        cmocka_unit_test(test_bad_targets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
