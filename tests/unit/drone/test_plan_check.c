/* SPDX-License-Identifier: Apache-2.0 */
/* A plan is judged as uploads of its parts would be, and the vehicle stays as it is. */
#include "drone/plan_check.h"

#include "firmware/protocol/mission_io.h"
#include "mavlink/enums.h"
#include "tests/unit/firmware/mission_client.h"

enum { MISSION, FENCE, RALLY };

#define CORNER 5001
#define CIRCLE 5003
#define POINT  5100

static struct mf_msg_mission_item_int s_item[3][300];

static struct mf_plan_part offer_items(uint8_t type, const struct mf_item *items, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        s_item[type][i] = item_int(type, i, &items[i]);
    }
    return (struct mf_plan_part){s_item[type], count, true};
}

static struct mf_item circle(int32_t east_e7, float radius_m)
{
    return (struct mf_item){.param = {mf_f32_bits(radius_m)},
                            .x = HOME_LAT_E7,
                            .y = HOME_LON_E7 + east_e7,
                            .command = CIRCLE};
}

static void expect_verdict(const struct mf_plan_part *part, uint8_t result, uint8_t type,
                           int32_t seq)
{
    struct mf_plan_verdict verdict;
    assert_false(mf_plan_check(&v, part, &verdict));
    assert_int_equal(verdict.result, result);
    assert_int_equal(verdict.type, type);
    assert_int_equal(verdict.seq, seq);
    assert_true(verdict.why.len > 0);
}

static void test_each_part_is_checked(void **state)
{
    struct mf_plan_part part[MF_PLAN_PARTS] = {{0}};
    struct mf_item items[4];
    struct mf_plan_verdict verdict;
    (void)state;
    part[MISSION] = offer_items(MISSION, k_square, k_square_count);
    assert_true(mf_plan_check(&v, part, &verdict));
    memcpy(items, k_square, sizeof items);
    items[2].x = 910000000;
    part[MISSION] = offer_items(MISSION, items, 4);
    expect_verdict(part, MAV_MISSION_INVALID_PARAM5_X, MISSION, 2);
    part[MISSION].given = false; /* the vehicle would keep its own */
    assert_true(mf_plan_check(&v, part, &verdict));
    for (int i = 0; i < 3; i++) {
        items[i] = circle(0, 0.0f);
        items[i].command = CORNER;
        items[i].param[0] = mf_f32_bits(3.0f);
    }
    part[FENCE] = offer_items(FENCE, items, 3);
    assert_true(mf_plan_check(&v, part, &verdict));
    part[FENCE].count = 2; /* a corner is missing, which the first one shows */
    expect_verdict(part, MAV_MISSION_ERROR, FENCE, 0);
    part[FENCE].given = false;
    items[0] = (struct mf_item){.x = 1, .y = 2, .command = POINT, .frame = 9};
    part[RALLY] = offer_items(RALLY, items, 1);
    assert_false(mf_plan_check(&v, part, &verdict));
    assert_int_equal(verdict.type, RALLY);
    assert_int_equal(v.mission.count, 0);
}

static void test_room_and_other_clients(void **state)
{
    struct mf_plan_part part[MF_PLAN_PARTS] = {{0}};
    struct mf_store_info info = {0};
    struct mf_plan_verdict verdict;
    (void)state;
    (void)mf_store_info(&v.hal, MF_STORE_FENCE, &info);
    part[FENCE] = (struct mf_plan_part){s_item[FENCE], (uint16_t)(info.capacity + 1u), true};
    expect_verdict(part, MAV_MISSION_NO_SPACE, FENCE, -1);
    v.options.px4_strict = true;
    assert_int_equal(mf_mission_room(&v, FENCE), 64);
    assert_int_equal(mf_mission_room(&v, RALLY), 32);
    v.options.px4_strict = false;
    part[FENCE].given = false;
    part[MISSION] = offer_items(MISSION, k_square, k_square_count);
    say_count(0, MISSION, 2);
    expect_verdict(part, MAV_MISSION_ERROR, MISSION, -1);
    say_ack(0, MISSION, MAV_MISSION_OPERATION_CANCELLED);
    assert_true(mf_plan_check(&v, part, &verdict));
}

/* The mission is judged by the fence that comes with it, not by the one that is stored. */
static void test_a_mission_with_its_fence(void **state)
{
    struct mf_plan_part part[MF_PLAN_PARTS] = {{0}};
    struct mf_item near[] = {circle(0, 50.0f)}, wide[] = {circle(0, 500.0f)};
    struct mf_text why;
    (void)state;
    assert_false(mf_plan_feasible(&v, NULL, &why)); /* there is none */
    part[MISSION] = offer_items(MISSION, k_square, k_square_count);
    assert_true(mf_plan_feasible(&v, part, &why));
    assert_int_equal(why.len, 0);
    part[FENCE] = offer_items(FENCE, near, 1);
    assert_false(mf_plan_feasible(&v, part, &why));
    assert_names(why.s, "waypoint 2");
    part[FENCE] = offer_items(FENCE, wide, 1);
    assert_true(mf_plan_feasible(&v, part, &why));
    (void)upload(0, FENCE, near, 1);
    part[FENCE].given = false;
    assert_false(mf_plan_feasible(&v, part, &why));
    assert_int_equal(v.mission.count, 0); /* nothing of it was stored */
    assert_false(mf_plan_feasible(&v, NULL, &why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_each_part_is_checked, setup),
        cmocka_unit_test_setup(test_room_and_other_clients, setup),
        cmocka_unit_test_setup(test_a_mission_with_its_fence, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
