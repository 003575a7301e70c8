/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/agent.h: legs by hand. Cruise 10 m/s, climb and descent 3 m/s, as a vehicle's defaults. */
#include "fleet/agent.h"

#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_agent_plane k_plane = {{47.0, 8.0}, 400.0};
static struct mf_agent s_agent;

#define S MF_SECOND_US

static int begin(void **state)
{
    (void)state;
    mf_agent_init(&s_agent, &k_plane, (struct mf_geo){47.0, 8.0}, 410.0);
    return 0;
}

static struct mf_order_port port_at(struct mf_agent_port *port, mf_us_t now_us)
{
    *port = (struct mf_agent_port){&s_agent, &k_plane, now_us};
    return (struct mf_order_port){&mf_agent_port_ops, port};
}

static uint8_t command(mf_us_t now_us, struct mf_msg_command_int m)
{
    return mf_agent_obey(&s_agent, &k_plane, now_us, MF_MSG_COMMAND_INT, &m);
}

/* North, east, up of home. */
static void must_be_at(mf_us_t t_us, double north_m, double east_m, double up_m)
{
    double ne_m[2];
    const struct mf_pose p = mf_agent_pose(&s_agent, &k_plane, t_us);
    mf_geo_to_local(k_plane.origin, (struct mf_geo){p.lat_deg, p.lon_deg}, ne_m);
    if (!(fabs(ne_m[0] - north_m) < 1e-3 && fabs(ne_m[1] - east_m) < 1e-3 &&
          fabs(p.alt_amsl_m - 410.0 - up_m) < 1e-3)) {
        fail_msg("%.4f %.4f %.4f", ne_m[0], ne_m[1], p.alt_amsl_m - 410.0);
    }
}

static void take_off(void)
{
    struct mf_agent_port at;
    const struct mf_order_port port = port_at(&at, 1 * S);
    assert_true(mf_order_arm(&port));
    assert_true(mf_order_take_off(&port, 30.0f));
}

static void test_it_takes_off_goes_there_returns_and_lands(void **state)
{
    struct mf_agent_port at;
    (void)state;
    struct mf_order_port port = port_at(&at, 0);
    assert_false(mf_order_take_off(&port, 30.0f)); /* disarmed */
    take_off();
    must_be_at(6 * S, 0, 0, 15);
    must_be_at(12 * S, 0, 0, 30);
    assert_int_equal(mf_agent_status(&s_agent).landed, MAV_LANDED_STATE_TAKEOFF);
    /* 0.001 degrees of latitude at 47 degrees are 111.1709 m (WGS84): 11.117 s */
    port = port_at(&at, 12 * S);
    assert_true(mf_order_go(&port, 470010000, 80000000, 440.0f, 0.0f));
    must_be_at(17 * S, 50, 0, 30);
    must_be_at(40 * S, 111.1709, 0, 30);
    /* home at 10 m/s, then 10 s of descent */
    assert_int_equal(
        command(40 * S, (struct mf_msg_command_int){.command = MAV_CMD_NAV_RETURN_TO_LAUNCH}),
        MAV_RESULT_ACCEPTED);
    must_be_at(45 * S, 61.1709, 0, 30);
    must_be_at(40 * S + 11117090 + 5 * S, 0, 0, 15);
    mf_agent_settle(&s_agent, 62 * S);
    must_be_at(62 * S, 0, 0, 0);
    assert_false(mf_agent_status(&s_agent).armed);
    assert_true(mf_agent_next(&s_agent, 62 * S) == MF_NEVER);
}

static void test_it_obeys_velocities_in_offboard_only(void **state)
{
    struct mf_agent_port at;
    (void)state;
    take_off();
    struct mf_order_port port = port_at(&at, 20 * S);
    assert_false(mf_order_offboard(&port)); /* no setpoint */
    mf_order_velocity(&port, (const float[]){3.0f, -4.0f, 0.0f}, 0.5f);
    must_be_at(25 * S, 0, 0, 30);
    assert_true(mf_order_offboard(&port));
    must_be_at(25 * S, 15, -20, 30);
    assert_true(fabs((double)mf_agent_pose(&s_agent, &k_plane, 25 * S).yaw_rad - 0.5) < 1e-6);
    /* 12 m/s at most; down 1.5 m/s, to the ground in 20 s, where it stops and disarms */
    port = port_at(&at, 25 * S);
    mf_order_velocity(&port, (const float[]){24.0f, 0.0f, 5.0f}, NAN);
    must_be_at(35 * S, 15 + 120, -20, 15);
    must_be_at(60 * S, 15 + 240, -20, 0);
    struct mf_order_view view;
    port.ops->look(&(struct mf_agent_port){&s_agent, &k_plane, 60 * S}, &view);
    assert_true(view.known && !view.armed && view.landed == MAV_LANDED_STATE_ON_GROUND);
    assert_int_equal(view.position.relative_alt, 0);
    assert_int_equal(view.position.alt, 410000);
}

static void test_hold_and_speed(void **state)
{
    struct mf_agent_port at;
    (void)state;
    take_off();
    assert_int_equal(command(12 * S, (struct mf_msg_command_int){.command = MAV_CMD_DO_CHANGE_SPEED,
                                                                 .param2 = 5.0f}),
                     MAV_RESULT_ACCEPTED);
    const struct mf_order_port port = port_at(&at, 12 * S);
    assert_true(mf_order_go(&port, 470010000, 80000000, 440.0f, 0.0f));
    assert_int_equal(
        command(16 * S, (struct mf_msg_command_int){.command = MAV_CMD_NAV_LOITER_UNLIM}),
        MAV_RESULT_ACCEPTED);
    must_be_at(100 * S, 20, 0, 30);
}

/* What the table of orders does not have. */
static void test_all_else_is_unsupported(void **state)
{
    (void)state;
    take_off();
    assert_int_equal(command(2 * S, (struct mf_msg_command_int){.command = MAV_CMD_DO_ORBIT}),
                     MAV_RESULT_UNSUPPORTED);
    assert_int_equal(command(2 * S, (struct mf_msg_command_int){.command = MAV_CMD_NAV_TAKEOFF,
                                                                .frame = MAV_FRAME_MISSION}),
                     MAV_RESULT_UNSUPPORTED);
    const struct mf_msg_heartbeat heartbeat = {0};
    assert_int_equal(mf_agent_obey(&s_agent, &k_plane, 2 * S, MF_MSG_HEARTBEAT, &heartbeat),
                     MAV_RESULT_UNSUPPORTED);
    /* a setpoint of an acceleration; one with infinities */
    const struct mf_msg_set_position_target_local_ned acceleration = {
        .coordinate_frame = MAV_FRAME_LOCAL_NED, .type_mask = 0x3F};
    assert_int_equal(mf_agent_obey(&s_agent, &k_plane, 2 * S, MF_MSG_SET_POSITION_TARGET_LOCAL_NED,
                                   &acceleration),
                     MAV_RESULT_UNSUPPORTED);
    const struct mf_msg_set_position_target_local_ned infinite = {
        .coordinate_frame = MAV_FRAME_LOCAL_NED, .type_mask = 0xDC7, .vx = INFINITY};
    assert_int_equal(
        mf_agent_obey(&s_agent, &k_plane, 2 * S, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &infinite),
        MAV_RESULT_DENIED);
    must_be_at(11 * S, 0, 0, 30);
}

/* NAV_LAND as a command and as an item, and the mode Land: from 30 m at 3 m/s, where it is. */
static void test_it_lands_where_it_is(void **state)
{
    const struct mf_msg_command_int command_land = {.command = MAV_CMD_NAV_LAND};
    const struct mf_msg_command_int mode = {
        .command = MAV_CMD_DO_SET_MODE, .param1 = 1.0f, .param2 = 4.0f, .param3 = 6.0f};
    const struct mf_msg_mission_item_int item = {.command = MAV_CMD_NAV_LAND};
    const struct {
        uint32_t msgid;
        const void *order;
    } form[] = {{MF_MSG_COMMAND_INT, &command_land},
                {MF_MSG_COMMAND_INT, &mode},
                {MF_MSG_MISSION_ITEM_INT, &item}};
    for (size_t i = 0; i < 3; i++) {
        (void)begin(state);
        assert_int_equal(mf_agent_obey(&s_agent, &k_plane, 0, form[i].msgid, form[i].order),
                         MAV_RESULT_TEMPORARILY_REJECTED); /* on the ground */
        take_off();
        struct mf_agent_port at;
        const struct mf_order_port port = port_at(&at, 12 * S);
        assert_true(mf_order_go(&port, 470010000, 80000000, 440.0f, 0.0f));
        assert_int_equal(mf_agent_obey(&s_agent, &k_plane, 17 * S, form[i].msgid, form[i].order),
                         MAV_RESULT_ACCEPTED);
        struct mf_agent_status status = mf_agent_status(&s_agent);
        assert_int_equal(status.custom_mode, MF_ORDER_LAND);
        assert_int_equal(status.landed, MAV_LANDED_STATE_LANDING);
        must_be_at(22 * S, 50, 0, 15);
        must_be_at(27 * S, 50, 0, 0);
        mf_agent_settle(&s_agent, 27 * S);
        status = mf_agent_status(&s_agent);
        assert_true(!status.armed && status.landed == MAV_LANDED_STATE_ON_GROUND);
        must_be_at(60 * S, 50, 0, 0);
    }
}

static void test_an_item_is_an_order(void **state)
{
    (void)state;
    take_off();
    const struct mf_msg_mission_item_int m = {.command = MAV_CMD_NAV_WAYPOINT,
                                              .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                              .x = 470010000,
                                              .y = 80000000,
                                              .z = 0x41F00000}; /* 30 */
    assert_int_equal(mf_agent_obey(&s_agent, &k_plane, 12 * S, MF_MSG_MISSION_ITEM_INT, &m),
                     MAV_RESULT_ACCEPTED);
    must_be_at(17 * S, 50, 0, 30);
}

static void test_a_place_as_a_setpoint_and_axes_of_the_body(void **state)
{
    struct mf_agent_port at;
    (void)state;
    take_off();
    const struct mf_order_port port = port_at(&at, 12 * S);
    struct mf_msg_set_position_target_local_ned m = {.coordinate_frame = MAV_FRAME_LOCAL_NED,
                                                     .type_mask = 0xFF8 & ~0x400,
                                                     .y = 20.0f,
                                                     .z = -30.0f,
                                                     .yaw = 1.5707964f};
    assert_int_equal(
        mf_agent_obey(&s_agent, &k_plane, 12 * S, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m),
        MAV_RESULT_ACCEPTED);
    assert_true(mf_order_offboard(&port));
    must_be_at(13 * S, 0, 10, 30);
    must_be_at(20 * S, 0, 20, 30);
    /* forward is east now, and right is south */
    m = (struct mf_msg_set_position_target_local_ned){
        .coordinate_frame = MAV_FRAME_BODY_NED, .type_mask = 0xDC7, .vx = 2.0f, .vy = 1.0f};
    assert_int_equal(
        mf_agent_obey(&s_agent, &k_plane, 20 * S, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m),
        MAV_RESULT_ACCEPTED);
    must_be_at(30 * S, -10, 40, 30);
}

/* ---- bodies of their own (world/mover_stepped.h) */

static struct mf_stepped s_body;

/* A bee of 2 m/s^2 that no air slows down. */
static struct mf_stepped_settings bee(void)
{
    return (struct mf_stepped_settings){
        .kind = MF_STEPPED_BEE,
        .rate_hz = 10.0,
        .bee = {.mass_kg = 1e9, .length_m = 0.2, .accel_max_mps2 = 2.0, .period_s = 0.1}};
}

/* SBE-05: the same orders lead a bee: up at 3 m/s after 1.5 s, there, home, and to the ground. */
static void test_sbe05_a_bee_obeys_as_other_agents_do(void **state)
{
    struct mf_agent_port at;
    (void)state;
    const struct mf_stepped_settings made = bee();
    mf_agent_carry(&s_agent, &s_body, &made, false);
    assert_true(mf_agent_next(&s_agent, 0) == MF_NEVER);
    take_off();
    assert_true(mf_agent_next(&s_agent, 1 * S) == 1100000);
    mf_agent_settle(&s_agent, 5 * S);
    must_be_at(5 * S, 0, 0, 2.25 + 3.0 * 2.5);
    assert_int_equal(mf_agent_status(&s_agent).landed, MAV_LANDED_STATE_TAKEOFF);
    mf_agent_settle(&s_agent, 20 * S);
    must_be_at(20 * S, 0, 0, 30);
    assert_int_equal(mf_agent_status(&s_agent).custom_mode, MF_ORDER_HOLD);
    struct mf_order_port port = port_at(&at, 20 * S);
    assert_true(mf_order_go(&port, 470010000, 80000000, 440.0f, 0.0f));
    mf_agent_settle(&s_agent, 60 * S);
    must_be_at(60 * S, 111.1709, 0, 30);
    assert_int_equal(
        command(60 * S, (struct mf_msg_command_int){.command = MAV_CMD_NAV_RETURN_TO_LAUNCH}),
        MAV_RESULT_ACCEPTED);
    mf_agent_settle(&s_agent, 200 * S);
    const struct mf_pose p = mf_agent_pose(&s_agent, &k_plane, 200 * S);
    assert_true(p.on_ground && fabs(p.alt_amsl_m - 410.0) < 1e-9);
    assert_false(mf_agent_status(&s_agent).armed);
    assert_true(mf_agent_next(&s_agent, 200 * S) == MF_NEVER);
}

/* As published it begins in the air, half its length above its place, and obeys at once. */
static void test_sbe05_a_published_bee_begins_in_the_air(void **state)
{
    struct mf_agent_port at;
    (void)state;
    struct mf_stepped_settings made = bee();
    made.bee.compat = true;
    mf_agent_carry(&s_agent, &s_body, &made, true);
    assert_true(mf_agent_status(&s_agent).armed);
    assert_int_equal(mf_agent_status(&s_agent).landed, MAV_LANDED_STATE_IN_AIR);
    struct mf_order_port port = port_at(&at, 0);
    mf_order_velocity(&port, (const float[]){1.0f, 0.0f, 0.0f}, 0.0f);
    assert_true(mf_order_offboard(&port));
    mf_agent_settle(&s_agent, 1 * S);
    const struct mf_pose p = mf_agent_pose(&s_agent, &k_plane, 1 * S);
    assert_true(fabs((double)p.vel_ned_mps[0] - (1.0 - pow(0.9, 10))) < 1e-6);
    assert_true(fabs(p.alt_amsl_m - 410.1) < 1e-9 && fabs(p.ground_amsl_m - 400.0) < 1e-9);
}

/* SBE-15: a raw body has nothing by which it could obey. It falls 45 m in 3.03 s. */
static void test_sbe15_a_raw_body_only_falls(void **state)
{
    struct mf_agent_port at;
    (void)state;
    const struct mf_stepped_settings made = {.kind = MF_STEPPED_RIGID,
                                             .rate_hz = 60.0,
                                             .rigid = {.mass_kg = 1.0,
                                                       .inertia_kgm2 = {1.0, 1.0, 1.0},
                                                       .radius_m = 0.1,
                                                       .gravity_mps2 = 10.0}};
    mf_agent_init(&s_agent, &k_plane, (struct mf_geo){47.0, 8.0}, 445.0);
    mf_agent_carry(&s_agent, &s_body, &made, true);
    struct mf_order_port port = port_at(&at, 0);
    assert_false(mf_order_arm(&port));
    mf_agent_settle(&s_agent, 2 * S);
    assert_int_equal(mf_agent_status(&s_agent).landed, MAV_LANDED_STATE_IN_AIR);
    assert_true(fabs(mf_agent_pose(&s_agent, &k_plane, 2 * S).alt_amsl_m - 425.0) < 1e-6);
    mf_agent_settle(&s_agent, 4 * S);
    assert_int_equal(mf_agent_status(&s_agent).landed, MAV_LANDED_STATE_ON_GROUND);
    assert_true(mf_agent_next(&s_agent, 4 * S) == MF_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_it_takes_off_goes_there_returns_and_lands, begin),
        cmocka_unit_test_setup(test_it_obeys_velocities_in_offboard_only, begin),
        cmocka_unit_test_setup(test_hold_and_speed, begin),
        cmocka_unit_test_setup(test_it_lands_where_it_is, begin),
        cmocka_unit_test_setup(test_all_else_is_unsupported, begin),
        cmocka_unit_test_setup(test_an_item_is_an_order, begin),
        cmocka_unit_test_setup(test_a_place_as_a_setpoint_and_axes_of_the_body, begin),
        cmocka_unit_test_setup(test_sbe05_a_bee_obeys_as_other_agents_do, begin),
        cmocka_unit_test_setup(test_sbe05_a_published_bee_begins_in_the_air, begin),
        cmocka_unit_test_setup(test_sbe15_a_raw_body_only_falls, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
