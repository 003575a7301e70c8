/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/hive_port.h: what a planner sees of a drone, and the orders that the drone gets. SBE-22. At
 * the equator a degree of longitude is 111,319.49 m, one of latitude 110,574.28 m. */
#include "fleet/hive_port.h"

#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAT_E7(north_m) ((int32_t)lround((north_m) / 110574.2758 * 1e7))
#define LON_E7(east_m)  ((int32_t)lround((east_m) / 111319.4908 * 1e7))

static const struct mf_hive_flight k_flight = {.origin = {0.0, 0.0, 500.0},
                                               .height_m = 20.0,
                                               .speed_mps = 3.5,
                                               .rise = {.rate_hz = 4.0},
                                               .period_us = 250000};
static struct mf_bee s_drone[2];
static struct mf_hive s_hive;
static struct mf_hive_pilot s_pilot;
static struct mf_order_view s_view;
static char s_given[400];
static struct mf_msg_command_int s_last;
static uint8_t s_answer;

static int begin(void **state)
{
    (void)state;
    memset(s_drone, 0, sizeof s_drone);
    s_hive = (struct mf_hive){.bees = 2, .bee = s_drone, .total = {.done_us = -1}};
    s_pilot = (struct mf_hive_pilot){.boot_ms = UINT32_MAX, .fps = 2.0};
    s_pilot.mind.height_m = 20.0f;
    s_view = (struct mf_order_view){.known = true, .landed = MAV_LANDED_STATE_IN_AIR};
    s_view.position.time_boot_ms = 1000;
    s_given[0] = '\0';
    s_answer = MAV_RESULT_ACCEPTED;
    return 0;
}

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const size_t at = strlen(s_given);
    (void)ctx;
    assert_int_equal(msgid, MF_MSG_COMMAND_INT);
    s_last = *(const struct mf_msg_command_int *)msg;
    (void)snprintf(s_given + at, sizeof s_given - at, "%u ", (unsigned)s_last.command);
    *result = s_answer;
    return MF_E_OK;
}

static void look(void *ctx, struct mf_order_view *view)
{
    (void)ctx;
    *view = s_view;
}

static const struct mf_order_ops k_ops = {.give = give, .look = look};
static const struct mf_order_port k_port = {&k_ops, NULL};

static const struct mf_bee_view *see_at(mf_us_t at_us)
{
    mf_hive_look(&s_hive, 1, &s_pilot, &k_flight, at_us, &k_port);
    return &s_drone[1].view;
}

static void steer(void)
{
    mf_hive_steer(&s_hive, 1, &s_pilot, &k_flight, &k_port);
}

static void test_a_pilot_is_found_by_its_member(void **state)
{
    static const struct mf_hive_pilot k[] = {{.member = 2}, {.member = 5}, {.member = 6}};
    (void)state;
    assert_int_equal(mf_hive_pilot_of(k, 3, 2), 0);
    assert_int_equal(mf_hive_pilot_of(k, 3, 5), 1);
    assert_int_equal(mf_hive_pilot_of(k, 3, 6), 2);
    assert_int_equal(mf_hive_pilot_of(k, 3, 1), MF_HIVE_NONE);
    assert_int_equal(mf_hive_pilot_of(k, 3, 4), MF_HIVE_NONE);
    assert_int_equal(mf_hive_pilot_of(k, 3, 7), MF_HIVE_NONE);
    assert_int_equal(mf_hive_pilot_of(k, 0, 2), MF_HIVE_NONE);
}

static void test_a_position_is_a_place_in_the_world(void **state)
{
    (void)state;
    s_view.position.lat = LAT_E7(30.0);
    s_view.position.lon = LON_E7(-40.0);
    s_view.position.alt = 512500;
    s_view.position.vx = 300;
    s_view.position.vy = -400;
    s_view.position.vz = 1200;
    s_view.position.hdg = 18000;
    const struct mf_bee_view *seen = see_at(1000000);
    assert_true(seen->fresh && !seen->on_ground);
    assert_true(fabs(seen->at.n - 30.0) < 0.02 && fabs(seen->at.e + 40.0) < 0.02);
    assert_true(seen->height_m == 12.5);
    assert_true(fabs(seen->speed_mps - 13.0) < 1e-9); /* 3, 4, 12 */
    assert_true(fabs(seen->heading_rad - 3.14159265358979) < 1e-9);
}

static void test_a_heading_that_is_not_known_is_north(void **state)
{
    (void)state;
    s_view.position.hdg = UINT16_MAX;
    assert_true(see_at(0)->heading_rad == 0.0);
}

static void test_a_drone_on_the_ground(void **state)
{
    (void)state;
    s_view.landed = MAV_LANDED_STATE_ON_GROUND;
    assert_true(see_at(0)->on_ground);
}

static void test_a_position_is_seen_once(void **state)
{
    (void)state;
    assert_true(see_at(0)->fresh);
    s_drone[1].view.fresh = false;
    assert_false(see_at(250000)->fresh);
    s_view.position.time_boot_ms = 1250;
    assert_true(see_at(500000)->fresh);
}

static void test_a_drone_at_no_known_place_is_not_seen(void **state)
{
    (void)state;
    s_view.known = false;
    assert_false(see_at(0)->fresh);
    assert_int_equal(s_pilot.boot_ms, UINT32_MAX);
}

/* Two pictures a second: at 1.0 s, 1.5 s, but not between. */
static void test_pictures_are_taken_at_their_rate(void **state)
{
    static const struct {
        mf_us_t at_us;
        bool picture;
    } k[] = {{1000000, true}, {1250000, false}, {1500000, true}, {1750000, false}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        s_view.position.time_boot_ms++;
        assert_int_equal(see_at(k[i].at_us)->pictures, k[i].picture);
    }
}

static void test_a_drone_goes_to_its_goal_at_height_and_speed(void **state)
{
    (void)state;
    s_drone[1].order = MF_BEE_GO;
    s_drone[1].view.fresh = true;
    s_drone[1].goal = (struct mf_en){40.0, 30.0};
    steer();
    assert_string_equal(s_given, "192 ");
    assert_true(abs(s_last.x - LAT_E7(30.0)) <= 2 && abs(s_last.y - LON_E7(40.0)) <= 2);
    assert_true(s_last.z == 520.0f);
    assert_true(s_last.param1 == 3.5f);
    assert_true(s_drone[1].told);
    steer(); /* the order was given, and has its time to show an effect */
    assert_string_equal(s_given, "192 ");
}

static void test_an_order_that_is_denied_is_given_again(void **state)
{
    (void)state;
    s_answer = MAV_RESULT_TEMPORARILY_REJECTED;
    s_drone[1].order = MF_BEE_GO;
    s_drone[1].view.fresh = true;
    steer();
    assert_false(s_drone[1].told);
    steer();
    assert_string_equal(s_given, "192 192 ");
}

static void test_a_drone_that_comes_home_lands(void **state)
{
    (void)state;
    s_drone[1].order = MF_BEE_LAND;
    s_drone[1].view.fresh = true;
    steer();
    assert_string_equal(s_given, "21 ");
    assert_true(s_drone[1].told);
}

static void test_a_drone_takes_off(void **state)
{
    (void)state;
    s_view.landed = MAV_LANDED_STATE_ON_GROUND;
    s_drone[1].order = MF_BEE_RISE;
    s_drone[1].view.fresh = true;
    s_pilot.mind.phase = MF_BEHAVIOUR_DONE; /* of a flight before */
    steer();
    assert_string_equal(s_given, "400 22 ");
    assert_true(s_last.z == 20.0f);
    assert_true(s_drone[1].told);
    assert_int_equal(s_pilot.mind.phase, MF_BEHAVIOUR_CLIMB);
}

static void test_a_drone_that_rests_or_is_silent_gets_no_order(void **state)
{
    (void)state;
    s_drone[1].view.fresh = true;
    steer();
    s_drone[1].order = MF_BEE_GO;
    s_drone[1].view.fresh = false;
    steer();
    s_drone[1].order = MF_BEE_RISE;
    steer();
    assert_string_equal(s_given, "");
    assert_int_equal(s_pilot.mind.turns, 3);
}

static void test_work_rests_when_all_is_done_and_all_are_down(void **state)
{
    (void)state;
    s_drone[0].state = MF_BEE_READY;
    s_drone[1].state = MF_BEE_CHARGING;
    assert_false(mf_hive_rests(&s_hive));
    s_hive.total.done_us = 0;
    assert_true(mf_hive_rests(&s_hive));
    s_drone[1].state = MF_BEE_COMING;
    assert_false(mf_hive_rests(&s_hive));
    s_drone[1].state = MF_BEE_OUT;
    assert_false(mf_hive_rests(&s_hive));
    s_drone[1].state = MF_BEE_LOST;
    assert_true(mf_hive_rests(&s_hive));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pilot_is_found_by_its_member),
        cmocka_unit_test_setup(test_a_position_is_a_place_in_the_world, begin),
        cmocka_unit_test_setup(test_a_heading_that_is_not_known_is_north, begin),
        cmocka_unit_test_setup(test_a_drone_on_the_ground, begin),
        cmocka_unit_test_setup(test_a_position_is_seen_once, begin),
        cmocka_unit_test_setup(test_a_drone_at_no_known_place_is_not_seen, begin),
        cmocka_unit_test_setup(test_pictures_are_taken_at_their_rate, begin),
        cmocka_unit_test_setup(test_a_drone_goes_to_its_goal_at_height_and_speed, begin),
        cmocka_unit_test_setup(test_an_order_that_is_denied_is_given_again, begin),
        cmocka_unit_test_setup(test_a_drone_that_comes_home_lands, begin),
        cmocka_unit_test_setup(test_a_drone_takes_off, begin),
        cmocka_unit_test_setup(test_a_drone_that_rests_or_is_silent_gets_no_order, begin),
        cmocka_unit_test_setup(test_work_rests_when_all_is_done_and_all_are_down, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
