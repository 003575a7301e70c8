/* SPDX-License-Identifier: Apache-2.0 */
/* Flights at the edges: as PX4, killed in the air, landings in the middle of a mission. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S 1000000

static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};
static const float k_none[7] = {0};

/* How many STATUSTEXT the ground station has got. */
static size_t texts(const struct rig *r)
{
    return mf_mock_count(&r->mock, 0, MF_MSG_STATUSTEXT);
}

/* The settings that are PX4's: Hold after arming, Return down to the ground, its results. */
static void test_sim028_sim035_a_flight_as_px4(void **state)
{
    (void)state;
    const struct mf_options options = {.px4_strict = true};
    const float reposition[4] = {-1.0f, 1.0f, 0.0f, NAN};
    const float without_flag[4] = {-1.0f, 0.0f, 0.0f, NAN};
    struct rig *r = rig_new(&options);
    assert_int_equal(
        rig_command_int(r, MAV_CMD_DO_REPOSITION, reposition, 473977418, 85469186, 498.0f),
        MAV_RESULT_ACCEPTED); /* disarmed: accepted, and forgotten */
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 50593792);
    rig_run_until(r, 5 * S);
    assert_true(rig_pose(r).on_ground);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_in_takeoff, 60.0);
    assert_int_equal(
        rig_command_int(r, MAV_CMD_DO_REPOSITION, without_flag, 473977418, 85469186, 498.0f),
        MAV_RESULT_UNSUPPORTED);
    assert_int_equal(
        rig_command_int(r, MAV_CMD_DO_REPOSITION, reposition, 473977418, 85469186, 498.0f),
        MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_moving, 60.0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_UNSUPPORTED);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    while (!rig_pose(r).on_ground) {
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_RTL);
        assert_true(r->mock.now.vehicle_us < 200 * S);
    }
    assert_int_equal(rig_landed_seen(r), 1);
    assert_int_equal(texts(r), 0); /* no ground station's HEARTBEAT was heard */
    (void)rig_run_while(r, rig_armed, 10.0);
    assert_int_equal(rig_mode_seen(r), 50593792);
}

/* Circles below the ground are flown on it; at every look, landed is who stands there. */
static void test_sim021_circles_below_the_ground(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 6.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LOITER_TURNS, 5, 473977420, 85460000, 6.0f, 3.0f),
    };
    rig_upload(r, items, 2);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    for (int i = 0; i < 600; i++) {
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, r->mock.now.vehicle_us + S / 10);
        assert_int_equal(r->drone.vehicle.commander.landed == MF_LANDED_ON_GROUND,
                         rig_pose(r).on_ground);
    }
    assert_true(rig_pose(r).on_ground);
    assert_false(rig_armed(r));
}

static void test_sim031_landing_in_the_middle_of_a_mission(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 6.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LAND, 6, 473977420, 85455940, 0.0f, 0.0f),
        rig_item(MAV_CMD_NAV_DELAY, 2, 0, 0, 0.0f, 10.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473986412, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f),
    };
    rig_upload(r, items, 5);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 4 * S); /* up 2 s, down 2 s */
    assert_int_equal(rig_landed_seen(r), 1);
    rig_run_until(r, 14 * S - 1);
    assert_true(rig_armed(r) && rig_pose(r).on_ground);
    rig_run_until(r, 14 * S + S / 2);
    assert_true(rig_pose(r).lat_deg == RIG_LAT_DEG); /* straight up first: 2.5 m at 3 m/s */
    assert_true(fabs(rig_pose(r).alt_amsl_m - 489.5) < 1e-9);
    (void)rig_run_while(r, rig_armed, 120.0);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED), 5);
    assert_true(r->drone.vehicle.mission.finished);
    assert_true(rig_pose(r).lat_deg == RIG_LAT_DEG && rig_pose(r).on_ground);
}

/* Killed 30 m up, armed again after one second of fall (4.903325 m): it hangs there, and lands. */
static void test_sim025_armed_again_in_its_fall(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(30.0f);
    const float kill[7] = {0.0f, 21196.0f, 0, 0, 0, 0, 0};
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, kill), MAV_RESULT_ACCEPTED);
    rig_run_until(r, from_us + S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    rig_run_until(r, from_us + 31 * S);
    assert_true(rig_armed(r));
    assert_true(fabs(rig_pose(r).alt_amsl_m - (518.0 - 4.903325)) < 1e-6);
    assert_true(r->drone.vehicle.home.alt_amsl_m == RIG_ALT_M);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 60.0);
    assert_true(rig_pose(r).on_ground);
}

static void test_sim021_reboot_in_a_fall_knows_that_it_falls(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(30.0f);
    const float kill[7] = {0.0f, 21196.0f, 0, 0, 0, 0, 0};
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, kill), MAV_RESULT_ACCEPTED);
    rig_run_until(r, from_us + S);
    rig_reboot(r);
    assert_int_equal(rig_landed_seen(r), 2);
    rig_run_until(r, from_us + 3 * S); /* sqrt(2 * 30 / 9.80665) = 2.47 s */
    assert_int_equal(rig_landed_seen(r), 1);
}

/* Landing, then a mission whose first item waits: the descent does not go on behind its back. */
static void test_sim031_mission_resumed_out_of_a_landing(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 30.0f, 0.0f),
        rig_item(MAV_CMD_NAV_DELAY, 2, 0, 0, 0.0f, 30.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473986412, 85455940, 10.0f, 0.0f),
    };
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 12 * S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 15 * S);
    const double alt_m = rig_pose(r).alt_amsl_m;
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, (float[7]){1.0f, 4.0f, 4.0f}),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, 40 * S);
    assert_true(rig_pose(r).alt_amsl_m == alt_m);
}

/* A command that comes shortly before the end of a phase takes effect on the grid all the same. */
static void test_start_on_the_grid_after_the_phase_before_has_ended(void **state)
{
    (void)state;
    const struct mf_options options = {.start_grid_us = 100000};
    struct rig *r = rig_new(&options);
    const float up[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 508.0f};
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 6650000); /* the climb ends at 6.666667 s */
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, (float[4]){-1, 1, 0, NAN}, 474877420,
                                     85455940, 508.0f),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, 6699000);
    assert_true(rig_pose(r).vel_ned_mps[0] == 0.0f);
    rig_run_until(r, 6701000);
    assert_true(rig_pose(r).vel_ned_mps[0] > 9.99f);
}

static bool before_item_1(const struct rig *r)
{
    return r->drone.vehicle.mission.reached < 1;
}

/* From the place of item 1 of at_item_1() [m]. */
static double off_m(struct rig *r)
{
    const struct mf_pose pose = rig_pose(r);
    return mf_geo_inverse((struct mf_geo){pose.lat_deg, pose.lon_deg},
                          (struct mf_geo){47.3981184, 8.5455940})
        .distance_m;
}

/* At 10 m/s and at the very instant at which the mission reaches item 1, without a stop there.
 * @return the rig, whose next instant of the grid is far enough for a mistake to be seen */
static struct rig *at_item_1(void)
{
    const struct mf_options options = {.start_grid_us = 100000};
    struct rig *r = rig_new(&options);
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473981184, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473999999, 85455940, 10.0f, 0.0f),
    };
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    const mf_us_t at_us = rig_run_while(r, before_item_1, 60.0);
    assert_in_range(at_us % 100000, 1, 50000);
    assert_true(off_m(r) < 0.001);
    assert_true(rig_pose(r).vel_ned_mps[0] > 9.99f);
    mf_mock_clear(&r->mock, 0);
    return r;
}

/* Motion that begins waits for the grid, stopping does not. */
static void test_sim030_a_stop_at_an_event_is_at_its_place(void **state)
{
    (void)state;
    static const struct {
        uint16_t command;
        float param[7];
    } k_stop[] = {
        {MAV_CMD_NAV_LOITER_UNLIM, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
        {MAV_CMD_DO_SET_MODE, {1.0f, 4.0f, 3.0f}},
        {MAV_CMD_NAV_LAND, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
    };
    for (size_t i = 0; i < sizeof k_stop / sizeof k_stop[0]; i++) {
        struct rig *r = at_item_1();
        assert_int_equal(rig_command(r, k_stop[i].command, k_stop[i].param), MAV_RESULT_ACCEPTED);
        assert_true(rig_pose(r).vel_ned_mps[0] == 0.0f);
        rig_run_until(r, r->mock.now.vehicle_us + 20 * S);
        assert_true(off_m(r) < 0.001);
    }
}

/* A landing stops at once, and sinks from the grid on. */
static void test_sim029_a_landing_begins_on_the_grid(void **state)
{
    (void)state;
    struct rig *r = at_item_1();
    const mf_us_t grid_us = (r->mock.now.vehicle_us / 100000 + 1) * 100000;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    rig_run_until(r, grid_us - 1);
    assert_true(rig_pose(r).alt_amsl_m == 498.0);
    assert_true(mf_vehicle_moving(&r->drone.vehicle)); /* no clock waits there */
    rig_run_until(r, grid_us + 1000);
    assert_true(rig_pose(r).alt_amsl_m < 498.0);
}

/* Another flight begins on the grid, and the one before goes on up to there. */
static void test_sim027_a_reposition_begins_on_the_grid(void **state)
{
    (void)state;
    struct rig *r = at_item_1();
    const mf_us_t at_us = r->mock.now.vehicle_us;
    const mf_us_t grid_us = (at_us / 100000 + 1) * 100000;
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, (float[4]){-1, 1, 0, NAN}, 473981184,
                                     85555940, 498.0f),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, grid_us - 1);
    assert_true(rig_pose(r).vel_ned_mps[0] > 9.99f);
    rig_run_until(r, grid_us + 1000);
    assert_true(rig_pose(r).vel_ned_mps[1] > 9.99f);
    assert_true(fabs(off_m(r) - 1e-5 * (double)(grid_us - at_us)) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_on_the_grid_after_the_phase_before_has_ended),
        cmocka_unit_test(test_sim030_a_stop_at_an_event_is_at_its_place),
        cmocka_unit_test(test_sim029_a_landing_begins_on_the_grid),
        cmocka_unit_test(test_sim027_a_reposition_begins_on_the_grid),
        cmocka_unit_test(test_sim028_sim035_a_flight_as_px4),
        cmocka_unit_test(test_sim021_circles_below_the_ground),
        cmocka_unit_test(test_sim031_landing_in_the_middle_of_a_mission),
        cmocka_unit_test(test_sim025_armed_again_in_its_fall),
        cmocka_unit_test(test_sim021_reboot_in_a_fall_knows_that_it_falls),
        cmocka_unit_test(test_sim031_mission_resumed_out_of_a_landing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
