/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/reception.h: what members do by packets, on an area of 70 x 2 cells of 10 m at the equator,
 * where a degree of longitude is 111,319.49 m, one of latitude 110,574.28 m. */
#include "fleet/reception.h"

#include "mavlink/enums.h"
#include "mavlink/frame.h"

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
#define QUARTER         0.78539816339744831 /* its tangent is 1 */

static const struct mf_en k_corner[4] = {{0, 0}, {700, 0}, {700, 20}, {0, 20}};
static const double k_origin[2] = {0.0, 0.0};
static struct mf_survey s_survey;
static uint64_t s_area[8];
static struct mf_survey_member *s_member;
static struct mf_scenario_entity s_entity;
static struct mf_mind s_mind;
static struct mf_order_view s_view;
static float s_vel_mps[3]; /* of the last setpoint */
static int s_setpoints, s_landings;
static uint8_t s_answer;

static int begin(void **state)
{
    (void)state;
    s_survey = (struct mf_survey){
        .grid = mf_coverage_grid(k_corner, 4, 10.0), .area = s_area, .silent_turns = 5};
    s_survey.words = mf_coverage_words(&s_survey.grid);
    memset(s_area, 0, sizeof s_area);
    mf_coverage_fill(s_area, &s_survey.grid, k_corner, 4);
    s_member = calloc(1, mf_survey_bytes(&s_survey));
    s_entity =
        (struct mf_scenario_entity){.seeker = {.lateral_rad = QUARTER, .horizontal_rad = 1.4},
                                    .behaviour = {.speed_max_mps = 5.0}};
    s_mind = (struct mf_mind){.phase = MF_BEHAVIOUR_GO};
    s_view = (struct mf_order_view){.known = true};
    s_vel_mps[0] = s_vel_mps[1] = s_vel_mps[2] = 99.0f;
    s_setpoints = s_landings = 0;
    s_answer = MAV_RESULT_ACCEPTED;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s_member);
    return 0;
}

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    (void)ctx;
    if (msgid == MF_MSG_SET_POSITION_TARGET_LOCAL_NED) {
        const struct mf_msg_set_position_target_local_ned *m = msg;
        s_vel_mps[0] = m->vx;
        s_vel_mps[1] = m->vy;
        s_vel_mps[2] = m->vz;
        s_setpoints++;
    } else if (msgid == MF_MSG_COMMAND_INT) {
        const struct mf_msg_command_int *m = msg;
        s_landings += m->command == MAV_CMD_NAV_LAND ? 1 : 0;
    }
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

static void survey(void)
{
    mf_reception_survey(&s_survey, s_member, &s_entity, k_origin, &s_mind, &k_port);
}

/* A packet of member 9 at a place. */
static void hear(double north_m, double east_m, int32_t height_mm)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_msg_global_position_int m = {
        .lat = LAT_E7(north_m), .lon = LON_E7(east_m), .relative_alt = height_mm};
    const struct mf_sender from = {.version = 2, .sysid = 1, .compid = 1};
    const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_GLOBAL_POSITION_INT), &m, bytes);
    const struct mf_packet packet = {.sender = 9, .bytes = bytes, .size = (uint32_t)n};
    mf_reception_position(&s_survey, s_member, &s_entity, k_origin, &packet);
}

static void test_a_neighbour_is_where_it_says(void **state)
{
    (void)state;
    hear(15.0, 305.0, 20000);
    assert_int_equal(s_member->neighbours, 1);
    assert_int_equal(s_member->neighbour[0].member, 9);
    assert_true(fabs(s_member->neighbour[0].at.n - 15.0) < 0.02);
    assert_true(fabs(s_member->neighbour[0].at.e - 305.0) < 0.02);
    assert_true(s_member->neighbour[0].flies);
}

static void test_a_neighbour_flies_above_a_metre(void **state)
{
    (void)state;
    hear(15.0, 305.0, 1000);
    assert_false(s_member->neighbour[0].flies);
    hear(15.0, 305.0, 1001);
    assert_true(s_member->neighbour[0].flies);
    assert_int_equal(s_member->neighbours, 1);
}

static void test_other_packets_say_no_place(void **state)
{
    uint8_t bytes[MF_FRAME_MAX] = {0};
    const struct mf_msg_heartbeat m = {.type = 2};
    const struct mf_sender from = {.version = 2, .sysid = 1, .compid = 1};
    (void)state;
    const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_HEARTBEAT), &m, bytes);
    struct mf_packet packet = {.sender = 9, .bytes = bytes, .size = (uint32_t)n};
    mf_reception_position(&s_survey, s_member, &s_entity, k_origin, &packet);
    packet.size = 5;
    mf_reception_position(&s_survey, s_member, &s_entity, k_origin, &packet);
    bytes[n - 1] ^= 1u; /* its checksum */
    packet.size = (uint32_t)n;
    mf_reception_position(&s_survey, s_member, &s_entity, k_origin, &packet);
    assert_int_equal(s_member->neighbours, 0);
}

/* On the ground its camera sees nothing: (645, 5) is 1 m north and 1 m east of it. */
static void must_fly_to_the_next_cell(float north_mps, float east_mps)
{
    s_view.position.lat = LAT_E7(4.0);
    s_view.position.lon = LON_E7(644.0);
    survey();
    assert_int_equal(s_setpoints, 1);
    assert_true(fabsf(s_vel_mps[0] - north_mps) < 0.02f);
    assert_true(fabsf(s_vel_mps[1] - east_mps) < 0.02f);
    assert_true(s_vel_mps[2] == 0.0f);
}

static void test_near_a_cell_it_slows_down(void **state)
{
    (void)state;
    must_fly_to_the_next_cell(1.0f, 1.0f);
    assert_true(fabsf(s_mind.heading_rad - (float)QUARTER) < 0.02f);
}

static void test_it_flies_at_its_speed_at_most(void **state)
{
    (void)state;
    s_entity.behaviour.speed_max_mps = sqrt(0.5);
    must_fly_to_the_next_cell(0.5f, 0.5f);
}

/* Height 20 m at tangent 1: 20 m each way, of which a square within any heading has 14.1 m:
 * columns 63 to 65 in both rows. So the nearest is (625, 5), 19 m west and 1 m north. */
static void test_it_leaves_to_a_neighbour_what_that_one_sees(void **state)
{
    (void)state;
    hear(10.0, 645.0, 20000);
    s_view.position.lat = LAT_E7(4.0);
    s_view.position.lon = LON_E7(644.0);
    survey();
    s_member->turn += 10; /* the neighbour has fallen silent; what it saw stays marked */
    survey();
    assert_true(fabsf(s_vel_mps[1] - -5.0f * 19.0f / sqrtf(362.0f)) < 0.02f);
    assert_true(fabsf(s_vel_mps[0] - 5.0f / sqrtf(362.0f)) < 0.02f);
}

/* A camera that sees 12 m along and much across: which of both lies north depends on the heading.
 */
static void test_its_camera_turns_with_it(void **state)
{
    (void)state;
    s_view.position.lat = LAT_E7(10.0);
    s_view.position.lon = LON_E7(350.0);
    s_view.position.relative_alt = 12000;
    s_view.position.hdg = 9000; /* east: lateral is along the area */
    survey();
    uint64_t *seen = mf_survey_seen(s_member);
    const uint64_t along = mf_coverage_both(seen, s_area, &s_survey.grid);
    memset(seen, 0, 2u * s_survey.words * sizeof *seen);
    s_view.position.hdg = 0;
    survey();
    const uint64_t across = mf_coverage_both(seen, s_area, &s_survey.grid);
    assert_int_equal(along, 4);   /* middles within 338 to 362 m, in both rows */
    assert_int_equal(across, 28); /* 12 m tan 1.4 = 69.6 m: middles from 285 to 415 m */
}

static void test_without_a_place_it_gives_no_order(void **state)
{
    (void)state;
    s_view.known = false;
    survey();
    assert_int_equal(s_setpoints + s_landings, 0);
    assert_int_equal(s_member->turn, 0);
}

static void see_all(void)
{
    const struct mf_coverage_frame all = {{350, 10}, {0, 1}, 1000, 1000};
    mf_survey_see(&s_survey, s_member, &all);
}

static void test_it_lands_when_all_is_seen(void **state)
{
    (void)state;
    see_all();
    survey();
    assert_int_equal(s_landings, 1);
    assert_int_equal(s_setpoints, 0);
    assert_int_equal(s_mind.phase, MF_BEHAVIOUR_DONE);
}

static void test_a_landing_that_is_denied_is_ordered_again(void **state)
{
    (void)state;
    see_all();
    s_answer = MAV_RESULT_DENIED;
    survey();
    survey();
    assert_int_equal(s_landings, 2);
    assert_int_equal(s_mind.phase, MF_BEHAVIOUR_GO);
}

static void test_a_climb_is_level(void **state)
{
    struct mf_gradient g = {.count = 3};
    (void)state;
    s_entity.behaviour.rate_hz = 10.0;
    mf_reception_climb(&g, &s_entity, &s_mind, &k_port);
    assert_int_equal(s_setpoints, 1);
    assert_int_equal(s_landings, 0);
    assert_true(s_vel_mps[2] == 0.0f);
    const float speed_mps = hypotf(s_vel_mps[0], s_vel_mps[1]);
    assert_true(speed_mps > 0.1f && speed_mps < 5.01f);
}

static void test_a_climb_that_is_done_ends_on_the_ground(void **state)
{
    struct mf_gradient g = {.count = 3, .done = true};
    (void)state;
    mf_reception_climb(&g, &s_entity, &s_mind, &k_port);
    assert_int_equal(s_landings, 1);
    assert_int_equal(s_setpoints, 0);
    assert_int_equal(s_mind.phase, MF_BEHAVIOUR_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_neighbour_is_where_it_says, begin, end),
        cmocka_unit_test_setup_teardown(test_a_neighbour_flies_above_a_metre, begin, end),
        cmocka_unit_test_setup_teardown(test_other_packets_say_no_place, begin, end),
        cmocka_unit_test_setup_teardown(test_near_a_cell_it_slows_down, begin, end),
        cmocka_unit_test_setup_teardown(test_it_flies_at_its_speed_at_most, begin, end),
        cmocka_unit_test_setup_teardown(test_it_leaves_to_a_neighbour_what_that_one_sees, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_its_camera_turns_with_it, begin, end),
        cmocka_unit_test_setup_teardown(test_without_a_place_it_gives_no_order, begin, end),
        cmocka_unit_test_setup_teardown(test_it_lands_when_all_is_seen, begin, end),
        cmocka_unit_test_setup_teardown(test_a_landing_that_is_denied_is_ordered_again, begin, end),
        cmocka_unit_test_setup_teardown(test_a_climb_is_level, begin, end),
        cmocka_unit_test_setup_teardown(test_a_climb_that_is_done_ends_on_the_ground, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
