/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-07: messages from drone to drone, in a network that is an ordered list. */
#include "tests/unit/fleet/grid_fixture.h"

/* The nth message from drone to drone. */
static const struct mf_message *data(uint32_t nth)
{
    for (uint32_t i = 0; i < w.messages; i++) {
        if (w.message[i].type == MF_MESSAGE_DATA && nth-- == 0) {
            return &w.message[i];
        }
    }
    fail();
    return NULL;
}

static void assert_data(uint32_t nth, uint64_t tick, uint32_t from, uint32_t to, uint32_t at,
                        const char *name, const char *value)
{
    const struct mf_message *m = data(nth);
    assert_int_equal(m->tick, tick);
    assert_int_equal(m->sender, MF_ADDRESS_DRONE | from);
    assert_int_equal(m->receiver, MF_ADDRESS_DRONE | to);
    assert_int_equal(m->content.cell, at);
    assert_string_equal(m->content.name, name);
    assert_string_equal(m->content.value.text, value);
}

/* Drone 1 goes five cells and tells drone 2, which then goes five cells and tells both others. */
static void relay(void)
{
    begin(8, 4);
    add_drone(0, 0);
    add_drone(0, 1);
    add_drone(0, 2);
    struct mf_grid_task *t = add_goto(5, 0);
    t->drone = 1;
    add_step(t, MF_GRID_STEP_SEND, 0, "clear", "yes");
    t->step[1].drone = 2;
    add_step(t, MF_GRID_STEP_AWAIT, 0, "done", "");
    t = add_task();
    t->drone = 2;
    add_step(t, MF_GRID_STEP_AWAIT, 0, "clear", "yes");
    add_step(t, MF_GRID_STEP_GOTO, cell(5, 1), "", "");
    add_step(t, MF_GRID_STEP_SEND, 0, "done", "");
    t = add_task();
    t->drone = 3;
    add_step(t, MF_GRID_STEP_AWAIT, 0, "done", "");
    add_step(t, MF_GRID_STEP_GOTO, cell(5, 2), "", "");
}

/* LDS-07: ways begin in tick 3. Drone 1 arrives and sends in tick 7; drone 2 has a higher number,
 * takes the message and moves in the same tick, and arrives in tick 11; drone 3 begins then. Drone
 * 1 has ticked already, so it takes the message in tick 12. Waiting is not part of actual times. */
static void test_lds07_drones_tell_each_other(void **state)
{
    static const uint32_t k_task[] = {2, 1, 3};
    static const uint64_t k_tick[] = {12, 13, 16}; /* their controllers hear so in the next tick */
    (void)state;
    relay();
    run();
    assert_int_equal(count_messages(MF_MESSAGE_DATA), 3);
    assert_data(0, 7, 1, 2, cell(5, 0), "clear", "yes");
    assert_data(1, 11, 2, 1, cell(5, 1), "done", "");
    assert_data(2, 11, 2, 3, cell(5, 1), "done", "");
    assert_int_equal(w.records, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(w.record[i].task, k_task[i]);
        assert_int_equal(w.record[i].tick, k_tick[i]);
        assert_int_equal(w.record[i].estimated, 5);
        assert_int_equal(w.record[i].actual, 5);
        assert_true(w.record[i].trust == 1.0);
    }
}

/* LDS-23: the network loses the message of tick 7, so all wait; the summary says for what. */
static void test_lds23_the_network_loses_it(void **state)
{
    const char *reason;
    (void)state;
    relay();
    struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_NETWORK, 7);
    e->ticks = 1;
    e->drone = 2;
    run();
    assert_int_equal(count_messages(MF_MESSAGE_DATA), 0);
    assert_int_equal(w.records, 0);
    for (uint32_t task = 1; task <= 3; task++) {
        assert_false(mf_grid_is_done(w.q, task, &reason));
        assert_string_equal(reason, "awaits a message");
    }
}

/* A message of another value is left for a later step; of nine messages the first one is lost. */
static void test_lds07_messages_wait_for_their_step(void **state)
{
    struct mf_field_value value;
    (void)state;
    begin(4, 4);
    add_drone(0, 0);
    add_drone(0, 1);
    struct mf_grid_drone *absent = add_drone(0, 2);
    absent->appears = MF_GRID_NEVER;
    struct mf_grid_task *t = add_task();
    t->drone = 1;
    add_step(t, MF_GRID_STEP_AWAIT, 0, "n", "9");
    add_step(t, MF_GRID_STEP_AWAIT, 0, "n", "");
    t = add_task();
    t->drone = 1;
    add_step(t, MF_GRID_STEP_AWAIT, 0, "n", "1");
    start();
    for (uint32_t i = 1; i <= 9; i++) {
        const char text[] = {(char)('0' + (int)i), '\0'};
        assert_true(mf_field_value(text, &value));
        assert_int_equal(mf_grid_send(w.q, 2, i % 2u, "n", &value), 1);
    }
    assert_int_equal(mf_grid_send(w.q, 2, 3, "n", &value), 0);
    ticks(10);
    assert_true(mf_grid_is_done(w.q, 1, NULL)); /* took 9, then 2 */
    assert_false(mf_grid_is_done(w.q, 2, NULL));
    assert_true(mf_field_value("1", &value));
    assert_int_equal(mf_grid_send(w.q, 2, 1, "m", &value), 1);
    assert_int_equal(mf_grid_send(w.q, 1, 1, "n", &value), 0);
    ticks(2);
    assert_false(mf_grid_is_done(w.q, 2, NULL));
    assert_int_equal(mf_grid_send(w.q, 2, 1, "n", &value), 1);
    ticks(2);
    assert_true(mf_grid_is_done(w.q, 2, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds07_drones_tell_each_other),
        cmocka_unit_test(test_lds23_the_network_loses_it),
        cmocka_unit_test(test_lds07_messages_wait_for_their_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
