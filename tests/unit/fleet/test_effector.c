/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-11, LDS-23: disturbances of a world of cells, by hand. Nine moves along a row take 9 ticks
 * without any: 3 to 11. */
#include "tests/unit/fleet/grid_fixture.h"

#include "math/chance.h"

static struct mf_grid_effect *row(enum mf_grid_effect_kind kind, uint64_t at)
{
    begin(10, 3);
    w.controller[0].go_home = MF_GRID_RETURN_NEVER;
    add_drone(0, 0);
    add_goto(9, 0);
    return kind < MF_GRID_EFFECTS ? add_effect(kind, at) : NULL;
}

static uint32_t actual(void)
{
    run();
    assert_true(w.records >= 1);
    return w.record[w.records - 1].actual;
}

static void test_lds11_off(void **state)
{
    (void)state;
    (void)row(MF_GRID_EFFECTS, 0);
    assert_int_equal(actual(), 9);
    assert_true(w.record[0].ratio == 1.0 && w.record[0].trust == 1.0);
}

static void test_lds11_block_prolong_fail(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_BLOCK, 4);
    e->from = e->to = (struct mf_cell){5, 0, 0};
    assert_int_equal(actual(), 9 + 2 + 1); /* around it, and a tick to ask */
    assert_true(mf_field_is_blocked(mf_grid_field(w.q), cell(5, 0)));

    e = row(MF_GRID_EFFECT_BLOCK, 4); /* gone again before anybody comes */
    e->from = e->to = (struct mf_cell){8, 0, 0};
    e->ticks = 3;
    assert_int_equal(actual(), 9);
    assert_false(mf_field_is_blocked(mf_grid_field(w.q), cell(8, 0)));

    e = row(MF_GRID_EFFECT_PROLONG, 1);
    e->task = 1;
    e->ticks = 6;
    assert_int_equal(actual(), 15);
    assert_true(w.record[0].ratio == 0.6);

    e = row(MF_GRID_EFFECT_FAIL, 6);
    e->task = 1;
    run();
    assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_FAILED);
    assert_string_equal(w.record[0].reason, "effector");
    assert_int_equal(where(1), cell(3, 0)); /* ticks 3 to 5 */
}

/* What a drone carries falls into its cell when it dies. */
static void test_lds11_kill_and_damage(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_KILL, 6);
    e->drone = 1;
    add_actuator(&w.drone[0], "package", MF_GRID_GRAB);
    add_attribute(0, 0, "package", "1");
    w.s.task_count = 0;
    add_carry("1", 9, 0);
    run();
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_DEAD);
    assert_non_null(mf_field_find(mf_grid_field(w.q), cell(3, 0), "package"));

    e = row(MF_GRID_EFFECT_DAMAGE, 6); /* ticks 3 to 5, then each third: 6, 9, ... 21 */
    e->drone = 1;
    e->part = MF_GRID_PART_SPEED;
    e->amount = 3;
    assert_int_equal(actual(), 21 - 2);

    e = row(MF_GRID_EFFECT_DAMAGE, 6);
    e->drone = 1;
    e->part = MF_GRID_PART_SENSORS;
    add_sensor(&w.drone[0], "heat", MF_GRID_NONE, 0);
    add_attribute(2, 0, "heat", "1");
    add_attribute(8, 0, "heat", "1");
    run();
    assert_int_equal(count_messages(MF_MESSAGE_CELL_ATTR), 1);
}

/* Within x 3 to 5 it moves in even ticks only: there in tick 5, then 6, 8, 10 and on. */
static void test_lds23_weather(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_WEATHER, 1);
    e->ticks = 100;
    e->from = (struct mf_cell){3, 0, 0};
    e->to = (struct mf_cell){5, 2, 0};
    e->amount = 2;
    assert_int_equal(actual(), 9 + 2);
}

/* It comes from the other end, a cell a tick: it is at 9 in tick 3 and meets the drone once. */
static void test_lds23_bird(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_BIRD, 3);
    e->from = (struct mf_cell){8, 0, 0};
    e->to = (struct mf_cell){0, 0, 0};
    assert_int_equal(actual(), 9 + 1);
}

/* A forged order to (3, 2) in tick 6, when it is at (3, 0): two ticks there, the way from there is
 * 8, and a tick to ask. */
static void test_lds23_cyberattack(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_CYBERATTACK, 6);
    e->drone = 1;
    e->from = e->to = (struct mf_cell){3, 2, 0};
    assert_int_equal(actual(), 3 + 2 + 8);
    assert_true(w.record[0].ratio < 1.0);
}

/* Its messages are lost from tick 4 to 23: the tracked task is revoked in tick 9, and again the
 * drone's once it is heard. */
static void test_lds23_network(void **state)
{
    (void)state;
    struct mf_grid_effect *e = row(MF_GRID_EFFECT_NETWORK, 4);
    e->drone = 1;
    e->ticks = 20;
    w.task[0].tracked = true;
    run();
    assert_string_equal(w.record[0].reason, "silent");
    assert_int_equal(w.record[0].tick, 4 + 5 + 1);
    assert_int_equal(w.record[w.records - 1].outcome, MF_GRID_OUTCOME_DONE);
    assert_int_equal(where(1), cell(9, 0));
}

/* ---- by chance: two numbers a tick, whether it happens and to what */

static struct mf_grid_effect *by_chance(enum mf_grid_effect_kind kind, double chance, uint64_t key)
{
    struct mf_grid_effect *e = row(kind, 1);
    e->chance = chance;
    e->key = key;
    return e;
}

static bool happens(uint64_t key, uint64_t tick, double chance)
{
    return mf_chance_unit(key, 2 * tick) < chance;
}

/* The drone has its task from tick 3 on, seen by the effector, and moves in each tick unless it is
 * held up. */
static void test_lds11_chance_prolongs(void **state)
{
    (void)state;
    uint32_t longer = 0;
    for (uint64_t key = 1; key <= 20; key++) {
        uint32_t hold = 0, moves = 0, tick = 2;
        by_chance(MF_GRID_EFFECT_PROLONG, 0.25, key)->ticks = 2;
        while (moves < 9) {
            tick++;
            hold += happens(key, tick, 0.25) ? 2u : 0u;
            moves += hold == 0 ? 1u : 0u;
            hold -= hold > 0 ? 1u : 0u;
        }
        assert_int_equal(actual(), tick - 2);
        longer += tick - 2 > 9 ? 1u : 0u;
    }
    assert_in_range(longer, 10, 20); /* 1 - 0.75^9 = 0.92 of them */
}

/* 10,000 ticks with a chance of 0.1: 1,000, and 4 standard deviations are 120. A cell that was a
 * wall before stays one. */
static void test_lds11_chance_blocks(void **state)
{
    (void)state;
    uint32_t count = 0;
    struct mf_grid_effect *e = by_chance(MF_GRID_EFFECT_BLOCK, 0.1, 77);
    e->ticks = 1;
    e->from = e->to = (struct mf_cell){9, 2, 0};
    e->box = true;
    start();
    for (uint32_t tick = 1; tick <= 10000; tick++) {
        (void)mf_grid_tick(w.q);
        const bool blocked = mf_field_is_blocked(mf_grid_field(w.q), cell(9, 2));
        assert_int_equal(blocked, happens(77, tick, 0.1));
        count += blocked ? 1u : 0u;
    }
    assert_in_range(count, 880, 1120);

    e = by_chance(MF_GRID_EFFECT_BLOCK, 0.1, 77);
    e->ticks = 3;
    e->from = e->to = (struct mf_cell){9, 2, 0};
    e->box = true;
    w.blocked[w.s.blocked_count++] = cell(9, 2);
    start();
    for (uint32_t tick = 1; tick <= 100; tick++) {
        (void)mf_grid_tick(w.q);
        assert_true(mf_field_is_blocked(mf_grid_field(w.q), cell(9, 2)));
    }
}

/* 800 draws among the 8 cells of a box, whose corners are given crosswise: chi square with 7
 * degrees of freedom is below 24.3 in 999 of 1,000. */
static void test_lds11_chance_draws_evenly(void **state)
{
    (void)state;
    uint32_t count[8] = {0}, all = 0;
    double chi = 0.0;
    for (uint64_t key = 1; key <= 400; key++) {
        struct mf_grid_effect *e = by_chance(MF_GRID_EFFECT_EDIT, 1.0, key);
        e->from = (struct mf_cell){5, 1, 0};
        e->to = (struct mf_cell){2, 2, 0};
        e->box = true;
        put_name(e->name, "heat");
        start();
        ticks(1);
        for (uint32_t i = 0; i < 8; i++) {
            count[i] +=
                mf_field_find(mf_grid_field(w.q), cell(2 + i % 4, 1 + i / 4), "heat") != NULL;
        }
    }
    for (uint32_t i = 0; i < 8; i++) {
        chi += (count[i] - 50.0) * (count[i] - 50.0) / 50.0;
        all += count[i];
    }
    assert_int_equal(all, 400);
    assert_true(chi < 24.3);
}

/* With chance 1 from tick 6 on it is as with a script at 6; of two drones the drawn one dies first.
 */
static void test_lds11_chance_kills_damages_fails(void **state)
{
    (void)state;
    for (uint64_t key = 1; key <= 4; key++) {
        struct mf_grid_effect *e = by_chance(MF_GRID_EFFECT_KILL, 1.0, key);
        e->at = 6;
        (void)add_drone(0, 2);
        const uint32_t first = mf_chance_unit(key, 2 * 6 + 1) < 0.5 ? 1u : 2u;
        start();
        ticks(6);
        assert_int_equal(mf_grid_drone(w.q, first).state, MF_GRID_STATE_DEAD);
        assert_int_not_equal(mf_grid_drone(w.q, 3 - first).state, MF_GRID_STATE_DEAD);
        ticks(1);
        assert_int_equal(mf_grid_drone(w.q, 3 - first).state, MF_GRID_STATE_DEAD);
    }
    struct mf_grid_effect *e = by_chance(MF_GRID_EFFECT_FAIL, 1.0, 5);
    e->at = 6;
    run();
    assert_string_equal(w.record[0].reason, "effector");
    assert_int_equal(where(1), cell(3, 0));

    e = by_chance(MF_GRID_EFFECT_DAMAGE, 1.0, 5); /* 1 mAh a tick besides 10 mAh a move */
    e->part = MF_GRID_PART_BATTERY;
    e->amount = 1000;
    start();
    ticks(11);
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 2500000 - 9 * 10000 - 11 * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds11_off),
        cmocka_unit_test(test_lds11_block_prolong_fail),
        cmocka_unit_test(test_lds11_kill_and_damage),
        cmocka_unit_test(test_lds23_weather),
        cmocka_unit_test(test_lds23_bird),
        cmocka_unit_test(test_lds23_cyberattack),
        cmocka_unit_test(test_lds23_network),
        cmocka_unit_test(test_lds11_chance_prolongs),
        cmocka_unit_test(test_lds11_chance_blocks),
        cmocka_unit_test(test_lds11_chance_draws_evenly),
        cmocka_unit_test(test_lds11_chance_kills_damages_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
