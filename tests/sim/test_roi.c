/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of interest: the front follows a place, and the way stays as it is. */
#include "tests/sim/steer_fixture.h"

#define STEP_US 37000 /* no multiple of anything */

static const double k_deg = 57.29577951308232;

/* Of the place at which the tests look, from home. */
static const double k_north_m = 200.0;
static const double k_east_m = 50.0;

/* 1e-7 deg; at this latitude a degree is 111,188.6 m to the north, 75,486.4 m to the
 * east (WGS84). */
static int32_t north_e7(double m)
{
    return (int32_t)(473977420.0 + m / 111188.6 * 1e7);
}

static int32_t east_e7(double m)
{
    return (int32_t)(85455940.0 + m / 75486.4 * 1e7);
}

static uint8_t look_at(struct rig *r, double north_m, double east_m)
{
    return rig_command_int(r, MAV_CMD_DO_SET_ROI_LOCATION, (const float[4]){0}, north_e7(north_m),
                           east_e7(east_m), 500.0f);
}

static uint8_t look_at_nothing(struct rig *r)
{
    return rig_command(r, MAV_CMD_DO_SET_ROI_NONE, (const float[7]){0});
}

static void go(struct rig *r, double north_m, double east_m, float speed, float yaw_rad)
{
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION,
                                     (const float[4]){speed, 1.0f, 0.0f, yaw_rad},
                                     north_e7(north_m), east_e7(east_m), 508.0f),
                     MAV_RESULT_ACCEPTED);
}

/* Heading minus the bearing of a place [deg]. */
static double off_deg(struct rig *r, double north_m, double east_m)
{
    double neu_m[3];
    from_home(r, neu_m);
    const double bearing = atan2(east_m - neu_m[1], north_m - neu_m[0]);
    return k_deg * remainder((double)truth(r).yaw_rad - bearing, 2.0 * MF_PI);
}

static double heading_deg(struct rig *r)
{
    return k_deg * (double)truth(r).yaw_rad;
}

static void wait(struct rig *r, double seconds)
{
    rig_run_until(r, r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6));
}

/* @return the worst error while it flies, from @p from_s on [deg] */
static double worst_deg(struct rig *r, double from_s)
{
    const mf_us_t from_us = r->mock.now.vehicle_us + (mf_us_t)(from_s * 1e6);
    double worst = 0.0;
    while (rig_moving(r)) {
        rig_run_until(r, r->mock.now.vehicle_us + STEP_US);
        assert_true(fabs((double)truth(r).yawspeed_rps) <= 60.0 / k_deg + 1e-6);
        const double off = fabs(off_deg(r, k_north_m, k_east_m));
        worst = r->mock.now.vehicle_us > from_us && off > worst ? off : worst;
        assert_true(r->mock.now.vehicle_us < 300 * S);
    }
    return worst;
}

/* 10 m/s past a place 50 m aside: never more than a degree off, and the flight is the same to
 * the bit. */
static void test_sim031_heading_follows_the_place(void **state)
{
    struct mf_pose end[2];
    mf_us_t end_us[2];
    (void)state;
    for (int looks = 0; looks < 2; looks++) {
        struct rig *r = rig_airborne(20.0f);
        go(r, 400.0, 0.0, NAN, NAN);
        if (looks == 1) {
            assert_int_equal(look_at(r, k_north_m, k_east_m), MAV_RESULT_ACCEPTED);
            assert_true(worst_deg(r, 1.0) < 1.0);
        }
        end_us[looks] = rig_run_while(r, rig_moving, 100.0);
        wait(r, 0.1);
        end[looks] = truth(r);
    }
    assert_true(end[0].lat_deg == end[1].lat_deg && end[0].lon_deg == end[1].lon_deg);
    assert_true(end_us[1] - end_us[0] < STEP_US);
    assert_close((double)end[0].yaw_rad * k_deg, 0.0, 0.1);
    assert_close((double)end[1].yaw_rad * k_deg, 165.96, 0.01); /* atan2(50, -200) */
}

/* The same with inertia, once it has turned there. */
static void test_sim031_heading_of_a_body_with_inertia(void **state)
{
    (void)state;
    struct rig *r = rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
    rig_take_off(r, 20.0f);
    go(r, 400.0, 0.0, 9.6f, NAN);
    assert_int_equal(look_at(r, k_north_m, k_east_m), MAV_RESULT_ACCEPTED);
    assert_true(worst_deg(r, 4.0) < 1.0);
    wait(r, 5.0);
    assert_close(heading_deg(r), 165.96, 0.01);
}

/* However the host slices time. */
static void test_sim038_slices_of_time_do_not_matter(void **state)
{
    static const mf_us_t k_slice_us[] = {1000, 77777, 500000};
    struct mf_pose at[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct rig *r = rig_airborne(20.0f);
        const mf_us_t t0_us = r->mock.now.vehicle_us;
        go(r, 400.0, 0.0, NAN, NAN);
        assert_int_equal(look_at(r, k_north_m, k_east_m), MAV_RESULT_ACCEPTED);
        while (r->mock.now.vehicle_us < t0_us + 21123456) {
            rig_run_until(r, mf_earlier(r->mock.now.vehicle_us + k_slice_us[i], t0_us + 21123456));
        }
        at[i] = truth(r);
    }
    for (int i = 1; i < 3; i++) {
        assert_true(at[i].yaw_rad == at[0].yaw_rad && at[i].lat_deg == at[0].lat_deg &&
                    at[i].yawspeed_rps == at[0].yawspeed_rps);
    }
}

/* 10 m aside the place swings by faster than MPC_YAWRAUTO_MAX allows: the heading lags, by 53
 * degrees (between the instants 1.37 s before and behind, 0.349 rad/s against atan(t)), and
 * catches up. */
static void test_turning_is_limited(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_f(r, "MPC_YAWRAUTO_MAX", 20.0f);
    go(r, 400.0, 0.0, NAN, NAN);
    assert_int_equal(look_at(r, k_north_m, 10.0), MAV_RESULT_ACCEPTED);
    double worst = 0.0;
    while (rig_moving(r)) {
        rig_run_until(r, r->mock.now.vehicle_us + STEP_US);
        assert_true(fabs((double)truth(r).yawspeed_rps) <= 20.0 / k_deg + 1e-6);
        worst = fmax(worst, fabs(off_deg(r, k_north_m, 10.0)));
    }
    assert_true(worst > 50.0 && worst < 54.0);
    assert_close(off_deg(r, k_north_m, 10.0), 0.0, 0.1);
}

/* Also where it holds, on the ground not, and at the place itself it stays. */
static void test_holding(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    assert_int_equal(look_at(r, 0.0, -100.0), MAV_RESULT_ACCEPTED);
    wait(r, 5.0);
    assert_close(heading_deg(r), 0.0, 1e-6);
    rig_take_off(r, 20.0f);
    wait(r, 5.0);
    assert_close(heading_deg(r), -90.0, 0.01);
    assert_int_equal(look_at(r, -100.0, 0.0), MAV_RESULT_ACCEPTED);
    wait(r, 5.0);
    assert_close(fabs(heading_deg(r)), 180.0, 0.01);
    assert_int_equal(look_at(r, 1.0, 1.0), MAV_RESULT_ACCEPTED); /* nearer than NAV_ACC_RAD */
    wait(r, 5.0);
    assert_close(fabs(heading_deg(r)), 180.0, 0.01);
    assert_close((double)truth(r).yawspeed_rps, 0.0, 0.0);
}

/* NONE: the heading stays until the next leg, also in the middle of a turn. */
static void test_none_ends_it(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    go(r, 400.0, 0.0, NAN, NAN);
    assert_int_equal(look_at(r, k_north_m, k_east_m), MAV_RESULT_ACCEPTED);
    wait(r, 19.0);
    assert_int_equal(look_at_nothing(r), MAV_RESULT_ACCEPTED);
    wait(r, 0.2);
    const double stays = heading_deg(r);
    assert_true(stays > 45.0 && stays < 90.0);
    wait(r, 10.0);
    assert_close(heading_deg(r), stays, 0.0);
    assert_close((double)truth(r).yawspeed_rps, 0.0, 0.0);
    (void)rig_run_while(r, rig_moving, 100.0);
    go(r, 0.0, 0.0, NAN, NAN);
    wait(r, 5.0);
    assert_close(fabs(heading_deg(r)), 180.0, 0.1);
}

/* Whoever asks for a heading gets it, until the next region of interest. */
static void test_a_heading_that_is_asked_for(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    assert_int_equal(look_at(r, 0.0, 100.0), MAV_RESULT_ACCEPTED);
    wait(r, 5.0);
    assert_close(heading_deg(r), 90.0, 0.01);
    go(r, 0.0, 0.0, NAN, -1.0f);
    wait(r, 5.0);
    assert_close(heading_deg(r), -k_deg, 0.01);
    assert_int_equal(look_at(r, 0.0, 100.0), MAV_RESULT_ACCEPTED);
    wait(r, 5.0);
    assert_close(heading_deg(r), 90.0, 0.01);
}

/* The next waypoint, 30 degrees to the right of it. */
static void test_next_waypoint_with_an_offset(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const float offset[7] = {[6] = 30.0f};
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET, offset), MAV_RESULT_ACCEPTED);
    go(r, 0.0, 300.0, NAN, NAN);
    wait(r, 10.0);
    assert_close(heading_deg(r), 120.0, 0.01);
    go(r, 300.0, 100.0, NAN, NAN);
    wait(r, 5.0);
    double neu_m[3];
    from_home(r, neu_m);
    assert_close(heading_deg(r), k_deg * atan2(100.0 - neu_m[1], 300.0 - neu_m[0]) + 30.0, 0.1);
}

/* ROI items act on what follows, but for take-off and landing, and whatever MPC_YAW_MODE says. */
static void test_sim031_items(void **state)
{
    (void)state;
    for (int32_t yaw_mode = 0; yaw_mode < 2; yaw_mode++) {
        const struct mf_item items[] = {
            rig_item(MAV_CMD_DO_SET_ROI_LOCATION, 6, north_e7(k_north_m), east_e7(k_east_m), 0.0f,
                     0.0f),
            rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 20.0f, 0.0f),
            rig_item(MAV_CMD_NAV_WAYPOINT, 6, north_e7(400.0), east_e7(0.0), 20.0f, 8.0f),
            rig_item(MAV_CMD_DO_SET_ROI_NONE, 2, 0, 0, 0.0f, 0.0f),
            rig_item(MAV_CMD_NAV_WAYPOINT, 6, north_e7(400.0), east_e7(-300.0), 20.0f, 0.0f),
            rig_item(MAV_CMD_DO_SET_ROI, 6, north_e7(800.0), east_e7(-300.0), 0.0f, 3.0f),
            rig_item(MAV_CMD_NAV_WAYPOINT, 6, north_e7(100.0), east_e7(-300.0), 20.0f, 0.0f),
        };
        struct rig *r = rig_new(NULL);
        rig_set_i(r, "MPC_YAW_MODE", yaw_mode);
        rig_upload(r, items, 7);
        assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                         MAV_RESULT_ACCEPTED);
        wait(r, 4.0); /* 20 m take 6.7 s */
        assert_close(heading_deg(r), 0.0, 1e-6);
        wait(r, 4.5);
        for (int i = 0; i < 450; i++) { /* 40 s of way, 8 s of hold */
            wait(r, 0.1);
            assert_close(off_deg(r, k_north_m, k_east_m), 0.0, 1.0);
        }
        assert_int_equal(r->drone.vehicle.mission.current, 2);
        wait(r, 8.0);
        assert_int_equal(r->drone.vehicle.mission.current, 4);
        assert_close(heading_deg(r), yaw_mode == 0 ? -90.0 : 166.0, 0.5);
        while (r->drone.vehicle.mission.current < 6) {
            wait(r, 1.0);
        }
        wait(r, 5.0);
        assert_close(heading_deg(r), 0.0, 0.1); /* backwards */
        rig_upload(r, items + 4, 1);            /* another mission */
        wait(r, 1.0);
        assert_int_equal(r->drone.vehicle.navigator.roi.kind, MF_ROI_NONE);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_ROI_SYSID, (const float[7]){1.0f}),
                     MAV_RESULT_UNSUPPORTED);
    for (int kind = 0; kind < 6; kind++) {
        const float p[4] = {(float)kind};
        const bool good =
            kind == MAV_ROI_NONE || kind == MAV_ROI_WPNEXT || kind == MAV_ROI_LOCATION;
        assert_int_equal(rig_command_int(r, MAV_CMD_DO_SET_ROI, p, 473977420, 85455940, 500.0f),
                         good ? MAV_RESULT_ACCEPTED : MAV_RESULT_DENIED);
    }
    assert_int_equal(rig_command(r, MAV_CMD_NAV_ROI, (const float[7]){3.0f, 0, 0, 0, 91.0f}),
                     MAV_RESULT_DENIED);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_ROI_LOCATION, rig_nan7()), MAV_RESULT_DENIED);
    assert_int_equal(r->drone.vehicle.navigator.roi.kind, MF_ROI_PLACE); /* the last good one */
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 60.0);
    assert_int_equal(r->drone.vehicle.navigator.roi.kind, MF_ROI_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim031_heading_follows_the_place),
        cmocka_unit_test(test_sim031_heading_of_a_body_with_inertia),
        cmocka_unit_test(test_sim038_slices_of_time_do_not_matter),
        cmocka_unit_test(test_turning_is_limited),
        cmocka_unit_test(test_holding),
        cmocka_unit_test(test_none_ends_it),
        cmocka_unit_test(test_a_heading_that_is_asked_for),
        cmocka_unit_test(test_next_waypoint_with_an_offset),
        cmocka_unit_test(test_sim031_items),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
