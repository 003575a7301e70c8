/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/members/routes.h: the orders of a plan's items, one leg after the other. */
#include "boards/swarm/members/routes.h"

#include "mavlink/enums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_item s_item[8];
static struct mf_shared_plan s_shared;
static struct swarm_route_plan s_plan;
static struct swarm_route s_route;
static char s_given[600]; /* "COMMAND(z) " of each order */
static int s_legs;        /* turns for which a leg goes on */
static int32_t s_alt_mm;

static uint32_t bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static int begin(void **state)
{
    (void)state;
    memset(s_item, 0, sizeof s_item);
    s_shared = (struct mf_shared_plan){.mission = {.item = s_item}};
    s_plan = (struct swarm_route_plan){
        .plan = &s_shared, .shift = {.lon_scale = 1.0}, .home_amsl_m = 100.0};
    s_route = (struct swarm_route){0};
    s_given[0] = '\0';
    s_legs = 0;
    s_alt_mm = 0;
    return 0;
}

static struct mf_item *add(uint16_t command, uint8_t frame, float z)
{
    struct mf_item *item = &s_item[s_shared.mission.count++];
    *item = (struct mf_item){
        .command = command, .frame = frame, .x = 470000000, .y = 80000000, .z = bits(z)};
    return item;
}

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct mf_msg_command_int *m = msg;
    const size_t at = strlen(s_given);
    (void)ctx;
    assert_int_equal(msgid, MF_MSG_COMMAND_INT);
    (void)snprintf(s_given + at, sizeof s_given - at, "%u(%g) ", (unsigned)m->command,
                   (double)m->z);
    *result = MAV_RESULT_ACCEPTED;
    return MF_E_OK;
}

static void look(void *ctx, struct mf_order_view *view)
{
    (void)ctx;
    *view = (struct mf_order_view){.known = true, .position = {.alt = s_alt_mm}};
}

static bool moves(void *ctx)
{
    (void)ctx;
    return s_legs-- > 0;
}

static mf_us_t act(mf_us_t at_us)
{
    static const struct mf_order_ops k_ops = {.give = give, .look = look};
    const struct mf_order_port port = {&k_ops, NULL};
    return swarm_route_act(&s_route, &s_plan, at_us, &port, moves, NULL);
}

static void test_a_take_off_arms_and_climbs_above_home(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_RELATIVE_ALT, 10.0f);
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT, 20.0f);
    s_legs = 0;
    (void)act(0);
    assert_memory_equal(s_given, "400(0) 22(10) ", 14);
}

/* A leg that goes on needs no orders. */
static void test_one_item_is_given_at_the_end_of_each_leg(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT, 20.0f);
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT, 30.0f);
    s_legs = 1;
    assert_int_equal(act(0), MF_NEVER);
    assert_string_equal(s_given, "");
    s_legs = 0;
    (void)act(5);
    assert_string_equal(s_given, "192(120) 192(130) ");
    assert_true(s_route.finished);
    assert_int_equal(act(6), MF_NEVER);
    assert_string_equal(s_given, "192(120) 192(130) ");
}

static void test_a_height_above_the_sea_is_not_moved_by_home(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 150.0f);
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_INT, 160.0f);
    (void)act(0);
    assert_string_equal(s_given, "192(150) 192(160) ");
}

static void test_the_shift_of_a_plan_counts(void **state)
{
    (void)state;
    s_plan.shift.up_m = 7.0f;
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 150.0f);
    (void)act(0);
    assert_string_equal(s_given, "192(157) ");
}

static void test_it_waits_where_an_item_says_so(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 1.0f)->param[0] = bits(2.5f);
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 2.0f);
    assert_int_equal(act(1000000), 3500000); /* 1 s and 2.5 s */
    assert_string_equal(s_given, "192(1) ");
    assert_int_equal(act(3499999), 3500000);
    assert_int_equal(act(3500000), MF_NEVER);
    assert_string_equal(s_given, "192(1) 192(2) ");
}

static void test_a_delay_gives_no_order(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_DELAY, MAV_FRAME_MISSION, 0.0f)->param[0] = bits(4.0f);
    assert_int_equal(act(0), 4000000);
    assert_string_equal(s_given, "");
    assert_int_equal(act(4000000), MF_NEVER);
    assert_true(s_route.finished);
}

static void test_a_wait_that_is_not_a_time_is_none(void **state)
{
    static const float k_s[] = {0.0f, -1.0f, 1e6f, __builtin_nanf("")};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        (void)begin(NULL);
        add(MAV_CMD_NAV_LOITER_TIME, MAV_FRAME_GLOBAL, 1.0f)->param[0] = bits(k_s[i]);
        assert_int_equal(act(0), MF_NEVER);
        assert_true(s_route.finished);
    }
}

/* It goes to the place of the landing at its own height, and lands there. */
static void test_a_landing_is_two_orders(void **state)
{
    (void)state;
    add(MAV_CMD_NAV_LAND, MAV_FRAME_GLOBAL_RELATIVE_ALT, 0.0f);
    s_alt_mm = 130500;
    (void)act(0);
    assert_string_equal(s_given, "192(130.5) 21(0) ");
    assert_true(s_route.finished);
}

static void test_a_return_and_a_speed_are_commands(void **state)
{
    (void)state;
    add(MAV_CMD_DO_CHANGE_SPEED, MAV_FRAME_MISSION, 0.0f);
    add(MAV_CMD_NAV_RETURN_TO_LAUNCH, MAV_FRAME_MISSION, 0.0f);
    (void)act(0);
    assert_string_equal(s_given, "178(0) 20(0) ");
}

static void test_an_action_of_an_instant_is_over_at_once(void **state)
{
    (void)state;
    add(MAV_CMD_DO_SET_ROI_LOCATION, MAV_FRAME_GLOBAL, 5.0f);
    assert_int_equal(act(0), MF_NEVER);
    assert_string_equal(s_given, "");
    assert_true(s_route.finished);
}

static void test_a_plan_that_agents_fly_whole(void **state)
{
    static const uint16_t k[] = {MAV_CMD_DO_CHANGE_SPEED, MAV_CMD_NAV_TAKEOFF, MAV_CMD_NAV_WAYPOINT,
                                 MAV_CMD_NAV_LOITER_TIME, MAV_CMD_NAV_DELAY,   MAV_CMD_NAV_LAND};
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        add(k[i], MAV_FRAME_GLOBAL, 1.0f);
    }
    assert_int_equal(swarm_route_refuses(&s_shared), 6);
}

static void test_items_before_the_take_off_are_refused(void **state)
{
    (void)state;
    add(MAV_CMD_DO_CHANGE_SPEED, MAV_FRAME_MISSION, 0.0f); /* needs no height */
    add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 1.0f);
    assert_int_equal(swarm_route_refuses(&s_shared), 1);
}

static void test_the_first_item_that_agents_do_not_fly(void **state)
{
    static const uint16_t k[] = {MAV_CMD_NAV_LOITER_UNLIM, MAV_CMD_DO_JUMP,
                                 112 /* CONDITION_DELAY */};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        (void)begin(NULL);
        add(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL, 1.0f);
        add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 1.0f);
        add(k[i], MAV_FRAME_GLOBAL, 1.0f);
        add(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL, 1.0f);
        assert_int_equal(swarm_route_refuses(&s_shared), 2);
    }
}

static void test_an_empty_plan_has_no_item_to_refuse(void **state)
{
    (void)state;
    assert_int_equal(swarm_route_refuses(&s_shared), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_take_off_arms_and_climbs_above_home, begin),
        cmocka_unit_test_setup(test_one_item_is_given_at_the_end_of_each_leg, begin),
        cmocka_unit_test_setup(test_a_height_above_the_sea_is_not_moved_by_home, begin),
        cmocka_unit_test_setup(test_the_shift_of_a_plan_counts, begin),
        cmocka_unit_test_setup(test_it_waits_where_an_item_says_so, begin),
        cmocka_unit_test_setup(test_a_delay_gives_no_order, begin),
        cmocka_unit_test_setup(test_a_wait_that_is_not_a_time_is_none, begin),
        cmocka_unit_test_setup(test_a_landing_is_two_orders, begin),
        cmocka_unit_test_setup(test_a_return_and_a_speed_are_commands, begin),
        cmocka_unit_test_setup(test_an_action_of_an_instant_is_over_at_once, begin),
        cmocka_unit_test_setup(test_a_plan_that_agents_fly_whole, begin),
        cmocka_unit_test_setup(test_items_before_the_take_off_are_refused, begin),
        cmocka_unit_test_setup(test_the_first_item_that_agents_do_not_fly, begin),
        cmocka_unit_test_setup(test_an_empty_plan_has_no_item_to_refuse, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
