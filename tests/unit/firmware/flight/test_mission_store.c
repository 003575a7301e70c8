/* SPDX-License-Identifier: Apache-2.0 */
/* A mission's items and progress alone: a store, and no vehicle. */
#include "firmware/core/units.h"
#include "firmware/flight/mission_store.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ITEMS 20

static struct mf_mock s_mock; /* large: not on the stack */
static struct mf_hal s_hal;
static struct mf_mission s_m;

static void put(enum mf_store_area area, uint16_t count, uint32_t tag)
{
    for (uint16_t i = 0; i < count; i++) {
        const struct mf_item item = {.command = MAV_CMD_NAV_WAYPOINT, .x = i};
        assert_int_equal(mf_store_put(&s_hal, area, i, &item), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&s_hal, area, count, tag), MF_E_OK);
}

/* A mission of 20 items, at its first one. */
static int start(void **state)
{
    (void)state;
    mf_mock_init(&s_mock);
    s_hal = mf_mock_hal(&s_mock);
    s_m = (struct mf_mission){0};
    put(MF_STORE_MISSION, ITEMS, 0xCAFE);
    mf_mission_take_up(&s_m, &s_hal, 0);
    return 0;
}

static struct mf_item jump_to(float to, float times)
{
    return (struct mf_item){.command = MAV_CMD_DO_JUMP,
                            .param = {mf_f32_bits(to), mf_f32_bits(times)}};
}

/* What comes after item @p seq, if that is a jump. */
static uint16_t after(uint16_t seq, float to, float times)
{
    const struct mf_item item = jump_to(to, times);
    uint16_t next = UINT16_MAX;
    const uint16_t target = mf_mission_jump_target(&s_m, seq, &item);
    assert_int_equal(mf_mission_jump(&s_m, seq, &item, &next), MF_E_OK);
    assert_int_equal(next, target); /* who looks ahead sees the same */
    return next;
}

static void test_a_new_mission_is_at_its_begin(void **state)
{
    (void)state;
    s_m.reached = 7;
    s_m.jump[3].done = 2;
    put(MF_STORE_MISSION, 3, 0xBEEF);
    mf_mission_take_up(&s_m, &s_hal, 2);
    assert_int_equal(s_m.tag, 0xBEEF);
    assert_int_equal(s_m.count, 3);
    assert_int_equal(s_m.current, 2);
    assert_int_equal(s_m.reached, -1);
    assert_int_equal(s_m.jump[3].done, 0);
    assert_false(s_m.finished);
    mf_mission_take_up(&s_m, &s_hal, 3); /* there is no such item */
    assert_int_equal(s_m.current, 0);
}

static void test_a_store_that_fails_holds_no_mission(void **state)
{
    (void)state;
    s_mock.store.info_result = MF_E_IO;
    mf_mission_take_up(&s_m, &s_hal, 5);
    assert_int_equal(s_m.count, 0);
    assert_int_equal(s_m.current, 0);
    assert_int_equal(s_m.tag, 0);
}

static void test_items_by_index(void **state)
{
    struct mf_item item;
    (void)state;
    assert_int_equal(mf_mission_get(&s_m, &s_hal, ITEMS - 1, &item), MF_E_OK);
    assert_int_equal(item.x, ITEMS - 1);
    assert_int_equal(mf_mission_get(&s_m, &s_hal, ITEMS, &item), MF_E_RANGE);
    s_m.count = 3; /* whatever else the store holds */
    assert_int_equal(mf_mission_get(&s_m, &s_hal, 3, &item), MF_E_RANGE);
}

static void test_ids_of_all_plans(void **state)
{
    (void)state;
    put(MF_STORE_FENCE, 1, 0x11);
    put(MF_STORE_RALLY, 2, 0x22);
    mf_mission_read_tags(&s_m, &s_hal);
    assert_int_equal(s_m.fence_tag, 0x11);
    assert_int_equal(s_m.rally_tag, 0x22);
    assert_int_equal(s_m.tag, 0xCAFE);
}

/* Another item of the same run, and another run. */
static void test_only_a_finished_mission_begins_anew(void **state)
{
    (void)state;
    mf_mission_go_on(&s_m, 4);
    assert_int_equal(s_m.current, 4);
    mf_mission_reach(&s_m, 4);
    assert_int_equal(after(5, 1.0f, 2.0f), 1);
    mf_mission_begin(&s_m, 8);
    assert_int_equal(s_m.current, 8);
    assert_int_equal(s_m.reached, 4);
    assert_int_equal(s_m.jump[0].done, 1);
    mf_mission_finish(&s_m);
    assert_int_equal(s_m.current, 8);
    mf_mission_begin(&s_m, 2);
    assert_false(s_m.finished);
    assert_int_equal(s_m.current, 2);
    assert_int_equal(s_m.reached, -1);
    assert_int_equal(s_m.jump[0].done, 0);
}

static void test_a_jump_is_taken_so_often_and_then_counts_anew(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(after(9, 3.0f, 2.0f), 3);
        assert_int_equal(after(9, 3.0f, 2.0f), 3);
        assert_int_equal(after(9, 3.0f, 2.0f), 10);
    }
    assert_int_equal(after(9, 3.0f, 0.0f), 10);
}

static void test_two_jumps_count_for_themselves(void **state)
{
    (void)state;
    assert_int_equal(after(9, 3.0f, 1.0f), 3);
    assert_int_equal(after(6, 0.0f, 2.0f), 0);
    assert_int_equal(after(9, 3.0f, 1.0f), 10);
    assert_int_equal(after(6, 0.0f, 2.0f), 0);
    assert_int_equal(after(6, 0.0f, 2.0f), 7);
}

/* A jump that leads nowhere ends the mission, as in PX4. */
static void test_jumps_that_lead_nowhere(void **state)
{
    const float none = __builtin_nanf("");
    (void)state;
    assert_int_equal(after(9, (float)ITEMS, 1.0f), ITEMS);
    assert_int_equal(after(9, -1.0f, 1.0f), ITEMS);
    assert_int_equal(after(9, none, 0.0f), ITEMS);
    assert_int_equal(after(9, 3.0f, none), 10);
    assert_int_equal(after(9, (float)ITEMS - 1.0f, 1.0f), ITEMS - 1);
}

/* 16 jumps count at the same time; one for ever needs no counter. */
static void test_too_many_jumps(void **state)
{
    const struct mf_item more = jump_to(0.0f, 1.0f);
    uint16_t next = 0;
    (void)state;
    for (uint16_t seq = 1; seq <= 16; seq++) {
        assert_int_equal(after(seq, 0.0f, 1.0f), 0);
    }
    assert_int_equal(mf_mission_jump(&s_m, 17, &more, &next), MF_E_FULL);
    assert_int_equal(next, 18);
    assert_int_equal(after(17, 0.0f, -1.0f), 0);
    assert_int_equal(after(16, 0.0f, 1.0f), 17); /* which frees one */
    assert_int_equal(after(17, 0.0f, 1.0f), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_new_mission_is_at_its_begin, start),
        cmocka_unit_test_setup(test_a_store_that_fails_holds_no_mission, start),
        cmocka_unit_test_setup(test_items_by_index, start),
        cmocka_unit_test_setup(test_ids_of_all_plans, start),
        cmocka_unit_test_setup(test_only_a_finished_mission_begins_anew, start),
        cmocka_unit_test_setup(test_a_jump_is_taken_so_often_and_then_counts_anew, start),
        cmocka_unit_test_setup(test_two_jumps_count_for_themselves, start),
        cmocka_unit_test_setup(test_jumps_that_lead_nowhere, start),
        cmocka_unit_test_setup(test_too_many_jumps, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
