/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-04, LDS-08, LDS-12, LDS-15 .. LDS-21: tasks, trust, chargers, actuators, matching, maps and
 * controllers of a world of cells, by hand. */
#include "tests/unit/fleet/grid_fixture.h"

static uint32_t tick_of(enum mf_message_type type, uint32_t nth)
{
    for (uint32_t i = 0; i < w.messages; i++) {
        if (w.message[i].type == type && nth-- == 0) {
            return (uint32_t)w.message[i].tick;
        }
    }
    return 0;
}

/* LDS-09: moves to (0, 0) in a field of 4 x 3, the southern row first; -1: no way, or blocked. A
 * hidden wall counts after a drone has met it, which closes the corner (3, 0). */
static void test_lds09_costs(void **state)
{
    static const int32_t k_before[] = {0, -1, -1, 7, 1, -1, 5, 6, 2, 3, 4, 5};
    static const int32_t k_after[] = {0, -1, -1, -1, 1, -1, 5, -1, 2, 3, 4, 5};
    (void)state;
    begin(4, 3);
    w.blocked[w.s.blocked_count++] = cell(1, 0);
    w.blocked[w.s.blocked_count++] = cell(2, 0);
    w.blocked[w.s.blocked_count++] = cell(1, 1);
    w.hidden[w.s.hidden_count++] = cell(3, 1);
    add_drone(2, 2);
    add_goto(3, 1);
    start();
    assert_memory_equal(mf_grid_costs(w.q, 0, cell(0, 0)), k_before, sizeof k_before);
    assert_false(mf_field_is_blocked(mf_grid_known(w.q, 0), cell(3, 1)));
    ticks(10);
    assert_memory_equal(mf_grid_costs(w.q, 0, cell(0, 0)), k_after, sizeof k_after);
    assert_true(mf_field_is_blocked(mf_grid_known(w.q, 0), cell(3, 1)));
}

/* A tick for INFO_UPDATE, one for TASK, then a way each tick. */
static void test_lds08_instructions(void **state)
{
    (void)state;
    begin(10, 10);
    add_actuator(add_drone(0, 0), "package", MF_GRID_GRAB);
    add_attribute(2, 0, "package", "7");
    struct mf_grid_task *t = add_goto(3, 0); /* FROMTO: 3, then 4 */
    add_step(t, MF_GRID_STEP_GOTO, cell(3, 4), "", "");
    t = add_task();
    add_step(t, MF_GRID_STEP_WAIT, 5, "", "");
    add_carry("7", 2, 3); /* from (3, 4): 5, then 3 */
    t = add_task();
    add_step(t, MF_GRID_STEP_HOME, 0, "", "");
    run();
    static const uint32_t k_actual[] = {7, 5, 8, 5};
    assert_int_equal(w.records, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(w.record[i].task, i + 1);
        assert_int_equal(w.record[i].estimated, k_actual[i]);
        assert_int_equal(w.record[i].actual, k_actual[i]);
    }
    assert_int_equal(tick_of(MF_MESSAGE_PATH, 0), 3);
    assert_int_equal(tick_of(MF_MESSAGE_TASK_DONE, 0), 9); /* 3 to 9: seven moves */
    assert_int_equal(tick_of(MF_MESSAGE_TASK_DONE, 1), 15);
    assert_int_equal(where(1), cell(0, 0));
}

static void test_lds08_priorities(void **state)
{
    static const uint32_t k_order[] = {3, 2, 4, 1};
    (void)state;
    begin(10, 10);
    add_drone(0, 0);
    add_goto(1, 0)->priority = MF_GRID_PRIORITY_LOW;
    add_goto(2, 0);
    add_goto(3, 0)->priority = MF_GRID_PRIORITY_HIGH;
    add_goto(4, 0);
    run();
    assert_int_equal(w.records, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(w.record[i].task, k_order[i]);
    }
}

/* A drone that stands still misses the deadline; the task goes to another one. Not tracked, it
 * stays where it is. */
static void deadline(bool tracked)
{
    begin(10, 10);
    add_drone(0, 0);
    add_drone(0, 3);
    struct mf_grid_task *t = add_goto(4, 0);
    t->tracked = tracked;
    t->deadline = 8;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_DAMAGE, 3);
    e->drone = 1;
    e->part = MF_GRID_PART_SPEED;
    e->amount = 1000;
    start();
    ticks(60);
}

static void test_lds08_deadline(void **state)
{
    (void)state;
    deadline(true);
    /* Given in tick 2, revoked in tick 11. Drone 1 lets go of it in tick 11, and is the first
     * again when it asks in tick 12; but drone 2 is free in the same tick 11. */
    assert_int_equal(tick_of(MF_MESSAGE_REVOKE, 0), 11);
    assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_REVOKED);
    assert_string_equal(w.record[0].reason, "deadline");
    assert_int_equal(w.record[0].drone, 1);
    assert_true(w.record[0].ratio == 0.5 && w.record[0].trust == 0.5);
    assert_int_equal(tick_of(MF_MESSAGE_TASK, 1), 11);
    assert_int_equal(w.record[1].drone, 2);
    assert_int_equal(w.record[1].actual, 7);
    deadline(false);
    assert_int_equal(count_messages(MF_MESSAGE_REVOKE), 0);
    assert_int_equal(w.records, 0);
}

/* LDS-08: a tracked task whose drone falls silent goes to another one; the old one hears so. */
static void test_silent_drone(void **state)
{
    (void)state;
    begin(10, 10);
    add_drone(0, 0);
    add_drone(9, 9);
    add_goto(6, 0)->tracked = true;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_KILL, 5);
    e->drone = 1;
    run();
    assert_string_equal(w.record[0].reason, "silent"); /* heard in tick 4, silent for 5 ticks */
    assert_int_equal(w.record[0].tick, 10);
    assert_int_equal(w.record[1].drone, 2);
    assert_int_equal(w.record[1].outcome, MF_GRID_OUTCOME_DONE);
    assert_int_equal(w.record[1].actual, 12);
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_DEAD);
}

/* LDS-08: a tracked task whose drone has too little battery left for the rest goes to another one.
 */
static void test_lds08_weak_drone(void **state)
{
    (void)state;
    begin(20, 20);
    add_drone(0, 0);
    add_drone(0, 9);
    add_goto(12, 0)->tracked = true;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_DAMAGE, 6); /* 9 moves are left */
    e->drone = 1;
    e->part = MF_GRID_PART_BATTERY;
    e->amount = 2390000; /* of 2470: 8 moves */
    run();
    assert_string_equal(w.record[0].reason, "battery");
    assert_int_equal(w.record[0].tick, 6);
    assert_int_equal(w.record[1].drone, 2);
    assert_int_equal(w.record[1].actual, 21);
}

/* LDS-04: 250 moves of 10 from 2500, by an operator's order that nobody counts. */
static void test_lds04_battery(void **state)
{
    (void)state;
    begin(300, 1);
    add_drone(0, 0)->autonomy = MF_GRID_AUTONOMY_MANUAL;
    w.order[w.s.order_count++] = (struct mf_grid_order){.at = 1, .drone = 1, .cell = cell(299, 0)};
    run();
    assert_int_equal(where(1), cell(250, 0));
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 0);
}

/* LDS-12: with beta the battery counts below a half. 3 moves of 10 from 50 leave 20, 0.4 of it,
 * whose factor is 0.8. */
static void test_lds12_trust_and_battery(void **state)
{
    (void)state;
    begin(10, 10);
    w.controller[0].go_home = MF_GRID_RETURN_NEVER;
    w.controller[0].trust.alpha = 0.75;
    w.controller[0].trust.beta = 0.25;
    struct mf_grid_drone *d = add_drone(0, 0);
    d->body.capacity_uah = 50000;
    d->charge_below_uah = 0;
    add_goto(3, 0);
    run();
    assert_int_equal(w.records, 1);
    assert_true(w.record[0].trust > 0.9499999 && w.record[0].trust < 0.9500001);
}

/* LDS-12: the first of two drones has taken twice its estimate. A parcel appears beside it while
 * both are at home: an important task goes to the other one, one of low priority to the nearest. */
static void by_trust(int32_t priority, uint32_t expected)
{
    begin(20, 20);
    w.controller[0].kind = MF_GRID_BY_TRUST;
    add_actuator(add_drone(0, 0), "package", MF_GRID_GRAB);
    add_actuator(add_drone(0, 10), "package", MF_GRID_GRAB);
    add_goto(4, 0)->drone = 1;
    add_goto(4, 10)->drone = 2;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_PROLONG, 1);
    e->task = 1;
    e->ticks = 4;
    e = add_effect(MF_GRID_EFFECT_EDIT, 30);
    e->from = (struct mf_cell){1, 0, 0};
    put_name(e->name, "package");
    assert_true(mf_field_value("9", &e->value));
    add_carry("9", 2, 2)->priority = priority;
    run();
    assert_int_equal(w.records, 3);
    assert_true(w.record[1].drone == 1 && w.record[1].trust == 0.5);
    assert_int_equal(w.record[2].drone, expected);
}

static void test_lds12_scheduler_by_trust(void **state)
{
    (void)state;
    by_trust(MF_GRID_PRIORITY_NORMAL, 2);
    by_trust(MF_GRID_PRIORITY_HIGH, 2);
    by_trust(MF_GRID_PRIORITY_LOW, 1);
}

/* A faulty drone is taken out: its trust falls below the limit, and the other does the rest. */
static void test_lds12_exclude_below(void **state)
{
    (void)state;
    begin(10, 10);
    w.controller[0].trust.exclude_below = 0.6;
    add_actuator(add_drone(0, 0), "package", MF_GRID_GRAB);
    add_actuator(add_drone(0, 9), "package", MF_GRID_GRAB);
    add_attribute(1, 0, "package", "1");
    add_attribute(2, 0, "package", "2");
    add_carry("1", 1, 5)->tracked = true;
    add_carry("2", 2, 5)->tracked = true;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_DAMAGE, 1);
    e->drone = 1;
    e->part = MF_GRID_PART_ACTUATORS;
    run();
    assert_string_equal(w.record[0].reason, "no actuator");
    assert_int_equal(w.record[0].drone, 1);
    for (uint32_t i = 1; i < w.records; i++) {
        assert_int_equal(w.record[i].drone, 2);
        assert_int_equal(w.record[i].outcome, MF_GRID_OUTCOME_DONE);
    }
    assert_int_equal(w.records, 3);
    assert_true(mf_grid_drone(w.q, 1).trust == 0.5);
}

/* LDS-15: at 500 of 2500 it goes to the nearest free charger. 100 a tick: full 20 ticks after it
 * began with 500. */
static void test_lds15_charger(void **state)
{
    (void)state;
    begin(10, 1);
    struct mf_grid_drone *d = add_drone(0, 0);
    w.charger[0] = (struct mf_charger){.cell = cell(0, 0), .rate_uah = 100000};
    w.charger[1] = (struct mf_charger){.cell = cell(9, 0), .rate_uah = 100000};
    w.s.charger_count = 2;
    d->body.move_uah = 0;
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_DAMAGE, 2);
    e->drone = 1;
    e->part = MF_GRID_PART_BATTERY;
    e->amount = 2000000;
    start();
    ticks(3);
    assert_int_equal(tick_of(MF_MESSAGE_CHARGE, 0), 3);
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_CHARGING);
    ticks(19);
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 2400000);
    ticks(1);
    assert_int_equal(mf_grid_drone(w.q, 1).battery_uah, 2500000);
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_IDLE);
}

/* LDS-15: two drones at one charger: the second waits until the first one is full. A task goes on
 * after the charge. */
static void test_lds15_queue_and_task(void **state)
{
    (void)state;
    begin(12, 2);
    for (uint32_t i = 0; i < 2; i++) {
        struct mf_grid_drone *d = add_drone(0, i);
        d->body.capacity_uah = 100000; /* ten moves */
        d->charge_below_uah = 50000;
        d->body.move_uah = 10000;
    }
    w.charger[0] = (struct mf_charger){.cell = cell(5, 0), .rate_uah = 10000};
    w.s.charger_count = 1;
    add_goto(9, 0);
    add_goto(9, 1);
    run();
    /* Drone 1 charges from tick 9 on for 5 ticks, drone 2 from then on; charging is no part. */
    assert_int_equal(w.records, 2);
    assert_int_equal(w.record[0].drone, 1);
    assert_int_equal(w.record[0].actual, 9 + 1); /* a tick in which it asks for its way again */
    assert_int_equal(w.record[1].actual, 10 + 1);
    assert_true(w.record[1].tick >= w.record[0].tick + 5);
}

/* LDS-16 */
static void test_lds16_actuators(void **state)
{
    (void)state;
    begin(6, 6);
    struct mf_grid_drone *d = add_drone(0, 0);
    add_actuator(d, "box", MF_GRID_GRAB);
    add_actuator(d, "paint", MF_GRID_ASSIGN);
    add_actuator(d, "valve", MF_GRID_CHANGE);
    add_attribute(1, 0, "box", "a");
    add_attribute(3, 0, "box", "b");
    add_attribute(5, 0, "valve", "open");
    struct mf_grid_task *t = add_goto(1, 0);
    add_step(t, MF_GRID_STEP_GRAB, 0, "box", "");
    add_step(t, MF_GRID_STEP_GOTO, cell(3, 0), "", "");
    add_step(t, MF_GRID_STEP_DROP, 0, "box", ""); /* there is one: refused */
    t = add_goto(4, 0);
    add_step(t, MF_GRID_STEP_ASSIGN, 0, "paint", "red");
    t = add_goto(4, 0);
    add_step(t, MF_GRID_STEP_ASSIGN, 0, "paint", "blue"); /* it has one already */
    t = add_goto(5, 0);
    add_step(t, MF_GRID_STEP_CHANGE, 0, "valve", "shut");
    t = add_goto(0, 5);
    add_step(t, MF_GRID_STEP_CHANGE, 0, "valve", "shut"); /* there is none */
    run();
    static const char *const k_reason[] = {"no room to drop", "", "attribute exists", "",
                                           "no attribute"};
    assert_int_equal(w.records, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(w.record[i].reason, k_reason[i]);
    }
    const struct mf_field_map *f = mf_grid_field(w.q);
    assert_string_equal(mf_field_find(f, cell(4, 0), "paint")->value.text, "red");
    assert_string_equal(mf_field_find(f, cell(5, 0), "valve")->value.text, "shut");
    assert_string_equal(mf_field_find(f, cell(3, 0), "box")->value.text, "b");
    assert_string_equal(mf_field_find(f, cell(4, 0), "box")->value.text, "a"); /* fell beside it */
}

/* LDS-16: an actuator ahead works on the cell in the direction of the last move. */
static void test_lds16_direction(void **state)
{
    (void)state;
    begin(6, 6);
    struct mf_grid_drone *d = add_drone(0, 0);
    add_actuator(d, "flag", MF_GRID_ASSIGN);
    d->actuator[0].direction = MF_GRID_LEFT;
    d->actuator[0].range = 2;
    struct mf_grid_task *t = add_goto(3, 0); /* heads east: its left is north */
    add_step(t, MF_GRID_STEP_ASSIGN, 0, "flag", "1");
    run();
    assert_non_null(mf_field_find(mf_grid_field(w.q), cell(3, 2), "flag"));
}

/* LDS-16: direction and range decide where a drone stands to grab and to drop. In each row it
 * begins in (4, 0), and the moves are counted by hand. */
static void test_lds16_reach(void **state)
{
    static const struct {
        enum mf_grid_direction direction;
        uint32_t range;
        enum mf_field_way heading;
        uint32_t from[2], to[2], moves;
    } k_rows[] = {
        {MF_GRID_NONE, 0, MF_FIELD_EAST, {7, 0}, {9, 0}, 3 + 2},
        {MF_GRID_NONE, 1, MF_FIELD_EAST, {7, 0}, {11, 0}, 2 + 4},
        {MF_GRID_NONE, 2, MF_FIELD_EAST, {5, 1}, {11, 0}, 0 + 5},
        {MF_GRID_FORWARD, 1, MF_FIELD_EAST, {7, 0}, {11, 0}, 2 + 4},
        {MF_GRID_FORWARD, 2, MF_FIELD_EAST, {7, 0}, {11, 0}, 1 + 4},
        {MF_GRID_FORWARD, 1, MF_FIELD_WEST, {3, 0}, {0, 0}, 0 + 3},
        {MF_GRID_FORWARD, 1, MF_FIELD_EAST, {3, 0}, {0, 0}, 2 + 3}, /* east, west: it faces west */
        {MF_GRID_BACKWARD, 1, MF_FIELD_EAST, {7, 0}, {11, 0}, 4 + 4}, /* Listing 3 */
        {MF_GRID_BACKWARD, 1, MF_FIELD_EAST, {3, 0}, {6, 0}, 0 + 3},
        {MF_GRID_LEFT, 1, MF_FIELD_EAST, {7, 1}, {11, 1}, 3 + 4},
        {MF_GRID_RIGHT, 1, MF_FIELD_WEST, {4, 1}, {1, 1}, 0 + 3},
        {MF_GRID_LEFT, 2, MF_FIELD_NORTH, {2, 0}, {0, 2}, 0 + 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_rows / sizeof k_rows[0]; i++) {
        begin(13, 4);
        struct mf_grid_drone *d = add_drone(4, 0);
        d->body.heading = k_rows[i].heading;
        add_actuator(d, "package", MF_GRID_GRAB);
        d->actuator[0].direction = (int32_t)k_rows[i].direction;
        d->actuator[0].range = k_rows[i].range;
        add_attribute(k_rows[i].from[0], k_rows[i].from[1], "package", "1");
        add_attribute(12, 3, "package", "2");
        add_carry("1", k_rows[i].to[0], k_rows[i].to[1]);
        w.task[0].step[2].reach = true;
        put_name(w.task[0].step[2].name, "package");
        w.controller[0].go_home = MF_GRID_RETURN_NEVER;
        run();
        assert_int_equal(w.records, 1);
        assert_int_equal(w.record[0].outcome, MF_GRID_OUTCOME_DONE);
        assert_int_equal(w.record[0].estimated, k_rows[i].moves);
        assert_true(w.record[0].ratio == 1.0);
        const struct mf_attribute *a =
            mf_field_find(mf_grid_field(w.q), cell(k_rows[i].to[0], k_rows[i].to[1]), "package");
        assert_non_null(a);
        assert_string_equal(a->value.text, "1");
        assert_int_equal(mf_grid_drone(w.q, 1).battery_uah,
                         2500000 - 10000 * (int64_t)k_rows[i].moves);
    }
}

/* LDS-16: of two boxes in reach a drone takes the one that it was sent for. */
static void test_lds16_which_of_two(void **state)
{
    (void)state;
    begin(6, 6);
    add_actuator(add_drone(0, 0), "package", MF_GRID_GRAB);
    w.drone[0].actuator[0].range = 2;
    add_attribute(1, 0, "package", "near");
    add_attribute(2, 0, "package", "far");
    add_carry("far", 5, 5);
    run();
    assert_int_equal(w.records, 1);
    assert_non_null(mf_field_find(mf_grid_field(w.q), cell(1, 0), "package"));
    assert_null(mf_field_find(mf_grid_field(w.q), cell(2, 0), "package"));
}

/* LDS-17 */
static void test_lds17_waits_for_a_fit_drone(void **state)
{
    const char *reason;
    (void)state;
    begin(10, 10);
    add_drone(0, 0);
    struct mf_grid_drone *late = add_drone(9, 0);
    late->appears = 20;
    add_sensor(late, "heat", MF_GRID_NONE, 1);
    put_name(add_goto(9, 3)->needs, "heat");
    start();
    ticks(20);
    assert_false(mf_grid_is_done(w.q, 1, &reason));
    assert_string_equal(reason, "no sensor");
    assert_int_equal(count_messages(MF_MESSAGE_TASK), 0);
    ticks(1); /* the tick in which its controller hears of it */
    assert_int_equal(tick_of(MF_MESSAGE_TASK, 0), 21);
    ticks(6);
    assert_int_equal(w.record[0].drone, 2);
}

/* LDS-17: too far for its battery. */
static void test_lds17_battery(void **state)
{
    const char *reason;
    (void)state;
    begin(30, 1);
    add_drone(0, 0)->body.capacity_uah = 100000;
    w.drone[0].charge_below_uah = 0;
    add_goto(11, 0);
    add_goto(10, 0);
    run();
    assert_false(mf_grid_is_done(w.q, 1, &reason));
    assert_string_equal(reason, "battery");
    assert_true(mf_grid_is_done(w.q, 2, NULL));
}

/* LDS-18: a wall at x = 3 from y = 0 to 2. The first drone meets (3, 0), then beside it (3, 1) and
 * (3, 2), and goes 3 moves north on the way; each wall costs a tick in which it asks. The second
 * one knows all of it. */
static void test_lds18_learned_map(void **state)
{
    (void)state;
    begin(8, 8);
    add_drone(0, 0);
    for (uint32_t y = 0; y < 3; y++) {
        w.hidden[w.s.hidden_count++] = cell(3, y);
    }
    add_goto(6, 0);
    add_goto(0, 0);
    run();
    assert_int_equal(w.records, 2);
    assert_int_equal(w.record[0].estimated, 6);
    assert_int_equal(w.record[0].actual, 12 + 3); /* by y = 3: 6 + 2 * 3 moves, three walls */
    assert_int_equal(w.record[1].estimated, 12);
    assert_int_equal(w.record[1].actual, 12);
    assert_int_equal(count_messages(MF_MESSAGE_CELL_ATTR), 3);
}

/* LDS-18: a sensor of walls sees them from afar; the way changes before it meets one. */
static void test_lds18_sensed_walls(void **state)
{
    (void)state;
    begin(8, 8);
    add_sensor(add_drone(0, 0), "blocked", MF_GRID_NONE, 4);
    for (uint32_t y = 0; y < 3; y++) {
        w.hidden[w.s.hidden_count++] = cell(3, y);
    }
    add_goto(6, 0);
    run();
    assert_int_equal(w.record[0].estimated, 10); /* (3, 2) is 5 away */
    assert_int_equal(w.record[0].actual, 12);
}

/* LDS-19: each controller has its own drones and tasks. */
static void test_lds19_two_controllers(void **state)
{
    (void)state;
    begin(10, 10);
    w.s.controller_count = 2;
    add_drone(0, 0);
    add_drone(0, 9)->controller = 1;
    add_goto(5, 9);
    add_goto(5, 0)->controller = 1;
    run();
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(w.record[i].drone, w.record[i].task);
        assert_int_equal(w.record[i].controller, w.record[i].task - 1);
        assert_int_equal(w.record[i].actual, 14);
    }
}

/* LDS-19: an operator takes over for eight ticks. */
static void test_lds19_operator(void **state)
{
    (void)state;
    begin(10, 10);
    w.controller[0].go_home = MF_GRID_RETURN_NEVER;
    add_drone(0, 0);
    add_goto(9, 0);
    w.order[0] = (struct mf_grid_order){.at = 5, .drone = 1, .cell = cell(2, 3)};
    w.order[1] = (struct mf_grid_order){.at = 13, .drone = 1, .play = true};
    w.s.order_count = 2;
    start();
    ticks(4);
    assert_int_equal(where(1), cell(2, 0));
    ticks(8);
    assert_int_equal(where(1), cell(2, 3));
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_OPERATED);
    assert_int_equal(mf_grid_drone(w.q, 1).task, 1);
    ticks(1);
    assert_int_equal(mf_grid_drone(w.q, 1).state, MF_GRID_STATE_ASKING);
    ticks(12);
    assert_int_equal(w.records, 1);
    assert_int_equal(where(1), cell(9, 0));
}

/* LDS-19: who obeys an operator only gets no task; who plans itself asks for no way. */
static void test_lds19_autonomy(void **state)
{
    (void)state;
    begin(10, 10);
    add_drone(0, 0)->autonomy = MF_GRID_AUTONOMY_MANUAL;
    add_drone(0, 5)->autonomy = MF_GRID_AUTONOMY_PLANNING;
    add_goto(4, 5);
    run();
    assert_int_equal(w.record[0].drone, 2);
    assert_int_equal(w.record[0].actual, 4);
    assert_int_equal(count_messages(MF_MESSAGE_REQ_PATH), 0);
    assert_int_equal(tick_of(MF_MESSAGE_TASK_DONE, 0), 5); /* it begins in the tick of the task */
}

/* LDS-21: over a wall by the level above. */
static void test_lds21_three_dimensions(void **state)
{
    (void)state;
    begin(5, 1);
    w.s.size[2] = 2;
    add_drone(0, 0);
    w.blocked[w.s.blocked_count++] = cell(2, 0);
    add_attribute(4, 0, "humidity", "high");
    add_sensor(&w.drone[0], "humidity", MF_GRID_NONE, 0);
    add_goto(4, 0);
    run();
    assert_int_equal(w.record[0].actual, 6);
    assert_int_equal(count_messages(MF_MESSAGE_CELL_ATTR), 1);
}

/* A drone reports a value once, and the next value of the same cell once. */
static void test_lds18_a_changed_value_is_told_once(void **state)
{
    (void)state;
    begin(5, 1);
    add_attribute(0, 0, "humidity", "high");
    add_sensor(add_drone(0, 0), "humidity", MF_GRID_NONE, 0);
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_EDIT, 3);
    e->from = e->to = (struct mf_cell){0, 0, 0};
    put_name(e->name, "humidity");
    assert_true(mf_field_value("low", &e->value));
    start();
    ticks(9);
    assert_int_equal(count_messages(MF_MESSAGE_CELL_ATTR), 2);
}

/* Equal settings give equal worlds; another task another number. */
static void test_hash(void **state)
{
    uint64_t hash[3];
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        begin(10, 10);
        add_drone(0, 0);
        add_goto(5, 5 + i / 2);
        run();
        hash[i] = mf_grid_hash(w.q);
    }
    assert_true(hash[0] == hash[1] && hash[1] != hash[2]);
}

/* A drone is shown by the last digit of its number, the lowest of those in one cell; below it is
 * the southern row. */
static void test_a_map_shows_drones_by_their_last_digit(void **state)
{
    char map[2 * 12 + 1];
    (void)state;
    begin(11, 2);
    for (uint32_t i = 0; i < 10; i++) {
        add_drone(i, i == 9u ? 1u : 0u);
    }
    add_drone(4, 0);
    w.blocked[w.s.blocked_count++] = cell(10, 0);
    start();
    mf_grid_map(w.q, 0, map);
    assert_string_equal(map, ".........0.\n123456789.X\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds09_costs),
        cmocka_unit_test(test_lds08_instructions),
        cmocka_unit_test(test_lds08_priorities),
        cmocka_unit_test(test_lds08_deadline),
        cmocka_unit_test(test_silent_drone),
        cmocka_unit_test(test_lds08_weak_drone),
        cmocka_unit_test(test_lds04_battery),
        cmocka_unit_test(test_lds12_trust_and_battery),
        cmocka_unit_test(test_lds12_scheduler_by_trust),
        cmocka_unit_test(test_lds12_exclude_below),
        cmocka_unit_test(test_lds15_charger),
        cmocka_unit_test(test_lds15_queue_and_task),
        cmocka_unit_test(test_lds16_actuators),
        cmocka_unit_test(test_lds16_direction),
        cmocka_unit_test(test_lds16_reach),
        cmocka_unit_test(test_lds16_which_of_two),
        cmocka_unit_test(test_lds17_waits_for_a_fit_drone),
        cmocka_unit_test(test_lds17_battery),
        cmocka_unit_test(test_lds18_learned_map),
        cmocka_unit_test(test_lds18_sensed_walls),
        cmocka_unit_test(test_lds19_two_controllers),
        cmocka_unit_test(test_lds19_operator),
        cmocka_unit_test(test_lds19_autonomy),
        cmocka_unit_test(test_lds21_three_dimensions),
        cmocka_unit_test(test_lds18_a_changed_value_is_told_once),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_a_map_shows_drones_by_their_last_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
