/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/behaviour.h: turn by turn, on a port that writes orders down; SBE-02. */
#include "fleet/behaviour.h"

#include "math/chance.h"
#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct {
    uint16_t command[16]; /* COMMAND_INTs since the last turn */
    uint32_t commands;
    struct mf_msg_command_int last;
    struct mf_msg_set_position_target_local_ned setpoint;
    uint32_t setpoints;
    struct mf_order_view view;
} s;

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    (void)ctx;
    *result = MAV_RESULT_ACCEPTED;
    if (msgid == MF_MSG_COMMAND_INT) {
        s.last = *(const struct mf_msg_command_int *)msg;
        s.command[s.commands++ % 16u] = s.last.command;
    } else {
        assert_int_equal(msgid, MF_MSG_SET_POSITION_TARGET_LOCAL_NED);
        s.setpoint = *(const struct mf_msg_set_position_target_local_ned *)msg;
        s.setpoints++;
    }
    return MF_E_OK;
}

static void look(void *ctx, struct mf_order_view *view)
{
    (void)ctx;
    *view = s.view;
}

static const struct mf_order_ops k_ops = {give, look, NULL};
static const struct mf_order_port k_port = {&k_ops, NULL};
static const struct mf_behaviour_home k_home = {47.0, 8.0, 400.0};

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.view.known = true;
    return 0;
}

static struct mf_behaviour walk(void)
{
    return (struct mf_behaviour){.kind = MF_BEHAVIOUR_WALK,
                                 .rate_hz = 10,
                                 .height_m = {20, 60},
                                 .speed_max_mps = 2,
                                 .speed_sigma_mps = 0.2,
                                 .heading_sigma_rad = 0.2};
}

static void turn(const struct mf_behaviour *b, struct mf_mind *mind)
{
    s.commands = s.setpoints = 0;
    assert_true(mf_behave(b, mind, &k_home, &k_port));
}

static void test_it_takes_off_once_and_waits_for_its_height(void **state)
{
    const struct mf_behaviour b = walk();
    struct mf_mind mind = mf_mind_begin(&b, 42);
    (void)state;
    assert_true(mind.height_m >= 20.0f && mind.height_m <= 60.0f);
    s.view.known = false;
    turn(&b, &mind);
    assert_int_equal(s.commands, 0); /* nobody knows where it is */
    s.view.known = true;
    turn(&b, &mind);
    assert_int_equal(s.commands, 2);
    assert_int_equal(s.command[0], MAV_CMD_COMPONENT_ARM_DISARM);
    assert_int_equal(s.command[1], MAV_CMD_NAV_TAKEOFF);
    assert_true(s.last.z == mind.height_m && s.last.frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT);
    s.view.position.vz = -300;
    for (int i = 0; i < 100; i++) {
        turn(&b, &mind);
        assert_int_equal(s.commands + s.setpoints, 0);
    }
    s.view.position.relative_alt = (int32_t)(mind.height_m * 1000.0f) - 400;
    turn(&b, &mind);
    assert_int_equal(s.setpoints, 1);
    assert_int_equal(s.commands, 1);
    assert_int_equal(s.command[0], MAV_CMD_DO_SET_MODE);
    assert_true(s.last.param2 == 6.0f); /* PX4's main mode of Offboard */
    turn(&b, &mind);
    assert_int_equal(s.commands, 0);
    assert_int_equal(s.setpoints, 1);
}

/* A vehicle that could not be armed is told again after two seconds. */
static void test_an_order_without_effect_is_given_again(void **state)
{
    const struct mf_behaviour b = walk();
    struct mf_mind mind = mf_mind_begin(&b, 42);
    (void)state;
    turn(&b, &mind);
    assert_int_equal(s.commands, 2);
    for (int i = 0; i < 19; i++) {
        turn(&b, &mind);
        assert_int_equal(s.commands, 0);
    }
    turn(&b, &mind);
    assert_int_equal(s.commands, 2);
}

/* Steps of heading and speed have the spread that was asked for: 10,000 of them. */
static void test_a_walk_has_its_moments(void **state)
{
    struct mf_behaviour b = walk();
    struct mf_mind mind = mf_mind_begin(&b, 7);
    double sum = 0.0, squares = 0.0;
    (void)state;
    b.speed_max_mps = 1.0;
    s.view.position.relative_alt = 60000;
    turn(&b, &mind);
    for (int i = 0; i < 10000; i++) {
        const double before = (double)mind.heading_rad;
        turn(&b, &mind);
        double step = (double)mind.heading_rad - before;
        step = step > 3.2    ? step - 2.0 * 3.14159265358979
               : step < -3.2 ? step + 2.0 * 3.14159265358979
                             : step;
        sum += step;
        squares += step * step;
        const double speed = hypot((double)s.setpoint.vx, (double)s.setpoint.vy);
        assert_true(speed <= 1.0 + 1e-6 && s.setpoint.vz == 0.0f);
        assert_true(s.setpoint.yaw == mind.heading_rad);
    }
    /* three standard errors: 0.2 / 100, 0.2 / sqrt(2 * 10,000) */
    assert_true(fabs(sum / 10000) < 3 * 0.002);
    assert_true(fabs(sqrt(squares / 10000) - 0.2) < 3 * 0.00142);
}

/* SBE-02: a member's walk follows from its key alone. */
static void test_sbe02_a_walk_is_its_members_own(void **state)
{
    const struct mf_behaviour b = walk();
    struct mf_mind one = mf_mind_begin(&b, mf_chance_key(1, 0, 3, 2)), same = one;
    struct mf_mind other = mf_mind_begin(&b, mf_chance_key(1, 0, 4, 2));
    (void)state;
    s.view.position.relative_alt = 60000;
    for (int i = 0; i < 50; i++) {
        turn(&b, &one);
        turn(&b, &other);
    }
    for (int i = 0; i < 50; i++) {
        turn(&b, &same);
    }
    assert_true(one.heading_rad == same.heading_rad && one.speed_mps == same.speed_mps);
    assert_true(one.heading_rad != other.heading_rad);
}

static void test_waypoints_are_visited_in_order(void **state)
{
    double point[2][3] = {{100, 0, 30}, {0, 0, 20}};
    struct mf_behaviour b = {.kind = MF_BEHAVIOUR_WAYPOINTS,
                             .rate_hz = 2,
                             .height_m = {20, 20},
                             .speed_max_mps = 5,
                             .points = 2,
                             .point = point};
    struct mf_mind mind = mf_mind_begin(&b, 1);
    (void)state;
    s.view.position.relative_alt = 20000;
    turn(&b, &mind);
    assert_int_equal(s.commands, 1);
    assert_int_equal(s.last.command, MAV_CMD_DO_REPOSITION);
    /* a degree of latitude at 47 degrees is 111.17 km */
    assert_in_range(s.last.x - 470000000, 8994, 8996);
    assert_true(s.last.z == 430.0f && s.last.param1 == 5.0f);
    turn(&b, &mind);
    assert_int_equal(s.commands, 0);
    s.view.position = (struct mf_msg_global_position_int){
        .lat = s.last.x, .lon = s.last.y, .alt = 430000, .relative_alt = 30000};
    turn(&b, &mind);
    assert_int_equal(s.commands, 1);
    assert_in_range(s.last.x - 470000000 + 1, 0, 2);
    s.view.position.lat = 470000000;
    s.view.position.alt = 420000;
    assert_false(mf_behave(&b, &mind, &k_home, &k_port));
    b.loop = true;
    mind = mf_mind_begin(&b, 1);
    for (int i = 0; i < 3; i++) {
        turn(&b, &mind);
        s.view.position.lat = s.last.x;
        s.view.position.alt = (int32_t)(s.last.z * 1000.0f);
    }
    assert_int_equal(mind.point, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_it_takes_off_once_and_waits_for_its_height, begin),
        cmocka_unit_test_setup(test_an_order_without_effect_is_given_again, begin),
        cmocka_unit_test_setup(test_a_walk_has_its_moments, begin),
        cmocka_unit_test_setup(test_sbe02_a_walk_is_its_members_own, begin),
        cmocka_unit_test_setup(test_waypoints_are_visited_in_order, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
