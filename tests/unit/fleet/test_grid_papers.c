/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-01, LDS-02, LDS-05, LDS-06, LDS-13, LDS-24: published listings of the grid simulator. */
#include "tests/unit/fleet/grid_fixture.h"

static const uint32_t k_plain[9][2] = {{18, 11}, {20, 9},  {5, 21}, {6, 5},  {8, 13},
                                       {14, 8},  {21, 23}, {14, 9}, {14, 18}};
static const uint32_t k_interrupted[9][2] = {{18, 11}, {20, 9},  {5, 21},  {6, 5},  {13, 13},
                                             {7, 16},  {21, 23}, {10, 21}, {23, 14}};
static const uint32_t k_blocked[15][2] = {{4, 9},   {6, 3},   {6, 20},  {7, 10},  {11, 18},
                                          {12, 5},  {13, 16}, {14, 14}, {15, 10}, {15, 14},
                                          {18, 12}, {19, 5},  {19, 16}, {20, 4},  {21, 7}};
static const uint32_t k_prolong[9] = {5, 15, 2, 4, 12, 8, 4, 4, 8};
static const char *const k_number[10] = {"", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

static void package_delivery(const uint32_t to[9][2])
{
    begin(24, 24);
    for (uint32_t i = 0; i < 3; i++) {
        add_actuator(add_drone(0, 2 + 2 * i), "package", MF_GRID_GRAB);
        w.charger[i] = (struct mf_charger){.cell = cell(0, 3 + 2 * i), .rate_uah = 100000};
    }
    w.s.charger_count = 3;
    for (uint32_t i = 0; i < 9; i++) {
        add_attribute(1, 2 + 2 * i, "package", k_number[i + 1]);
        add_carry(k_number[i + 1], to[i][0], to[i][1]);
    }
}

static void assert_rows(const uint32_t rows[9][3])
{
    assert_int_equal(w.records, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(w.record[i].drone, rows[i][0]);
        assert_int_equal(w.record[i].estimated, rows[i][1]);
        assert_int_equal(w.record[i].actual, rows[i][2]);
        assert_int_equal(w.record[i].outcome, MF_GRID_OUTCOME_DONE);
    }
}

/* LDS-11: without the effector each score is 1.0. LDS-06: nine packages on nine A. */
static void test_lds24_listing_6(void **state)
{
    static const uint32_t k_rows[9][3] = {{3, 20, 20}, {2, 25, 25}, {1, 27, 27},
                                          {3, 25, 25}, {2, 30, 30}, {1, 35, 35},
                                          {2, 30, 30}, {3, 43, 43}, {1, 36, 36}};
    char map[25 * 24 + 1];
    uint32_t delivered = 0;
    (void)state;
    package_delivery(k_plain);
    run();
    assert_rows(k_rows);
    for (uint32_t i = 0; i < 9; i++) {
        assert_true(w.record[i].ratio == 1.0 && w.record[i].trust == 1.0);
    }
    mf_grid_map(w.q, 0, map);
    for (const char *p = map; *p != '\0'; p++) {
        delivered += *p == 'A' ? 1u : 0u;
    }
    assert_int_equal(delivered, 9);
    for (uint32_t i = 0; i < 9; i++) {
        assert_non_null(
            mf_field_find(mf_grid_field(w.q), cell(k_plain[i][0], k_plain[i][1]), "package"));
    }
    assert_int_equal(where(1), cell(0, 2)); /* home again */
    assert_int_equal(where(3), cell(0, 6));
}

/* The published scores to three digits, and the product that Eq. 1 asks for beside them. */
static void test_lds24_listing_7(void **state)
{
    static const uint32_t k_rows[9][3] = {{3, 20, 22}, {1, 27, 32}, {2, 25, 40},
                                          {3, 25, 29}, {1, 33, 45}, {2, 32, 40},
                                          {3, 43, 47}, {1, 29, 33}, {2, 34, 42}};
    static const int32_t k_score[9] = {909, 844, 625, 862, 733, 800, 915, 879, 810};
    static const int32_t k_trust[9] = {909, 844, 625, 784, 619, 500, 717, 544, 405};
    (void)state;
    package_delivery(k_interrupted);
    for (uint32_t i = 0; i < 15; i++) {
        w.blocked[w.s.blocked_count++] = cell(k_blocked[i][0], k_blocked[i][1]);
    }
    for (uint32_t i = 0; i < 9; i++) {
        struct mf_grid_effect *e = add_effect(MF_GRID_EFFECT_PROLONG, 0);
        e->task = i + 1;
        e->ticks = k_prolong[i];
    }
    run();
    assert_rows(k_rows);
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal((int32_t)(w.record[i].ratio * 1000.0 + 0.5), k_score[i]);
        assert_int_equal((int32_t)(w.record[i].trust * 1000.0 + 0.5), k_trust[i]);
    }
}

/* LDS-05: five messages, none again on the way back. */
static void test_lds24_listing_8(void **state)
{
    static const char *const k_value[5] = {"36", "34", "32", "30", "28"};
    uint32_t n = 0;
    (void)state;
    begin(8, 8);
    w.controller[0].go_home = MF_GRID_RETURN_ALWAYS;
    add_sensor(add_drone(3, 0), "temperature", MF_GRID_NONE, 1);
    for (uint32_t i = 0; i < 5; i++) {
        add_attribute(4, i, "temperature", k_value[i]);
    }
    add_goto(3, 4);
    run();
    for (uint32_t i = 0; i < w.messages; i++) {
        const struct mf_message *m = &w.message[i];
        if (m->type == MF_MESSAGE_CELL_ATTR) {
            assert_true(n < 5);
            assert_int_equal(m->content.cell, cell(4, n));
            assert_string_equal(m->content.name, "temperature");
            assert_string_equal(m->content.value.text, k_value[n++]);
            assert_int_equal(m->sender, MF_ADDRESS_DRONE | 1u);
            assert_int_equal(m->receiver, 0);
        }
    }
    assert_int_equal(n, 5);
    assert_int_equal(where(1), cell(3, 0));
}

/* Listing 4: the controller before the drones, these by number; INFO_UPDATE before REQ_PATH. */
static void test_lds01_lds02_order_of_a_tick(void **state)
{
    static const struct {
        enum mf_grid_phase phase;
        uint32_t number;
    } k_phases[] = {
        {MF_GRID_PHASE_WORLD, 0},    {MF_GRID_PHASE_CONTROLLER, 0}, {MF_GRID_PHASE_BATTERY, 1},
        {MF_GRID_PHASE_MESSAGES, 1}, {MF_GRID_PHASE_SENSE, 1},      {MF_GRID_PHASE_ACT, 1},
        {MF_GRID_PHASE_REPORT, 1},   {MF_GRID_PHASE_LOG, 1},        {MF_GRID_PHASE_BATTERY, 2},
        {MF_GRID_PHASE_MESSAGES, 2}, {MF_GRID_PHASE_SENSE, 2},      {MF_GRID_PHASE_ACT, 2},
        {MF_GRID_PHASE_REPORT, 2},   {MF_GRID_PHASE_LOG, 2}};
    static const enum mf_message_type k_types[] = {
        MF_MESSAGE_INFO_UPDATE, MF_MESSAGE_REQ_TASK,    MF_MESSAGE_INFO_UPDATE,
        MF_MESSAGE_REQ_TASK,    MF_MESSAGE_TASK,        MF_MESSAGE_TASK,
        MF_MESSAGE_REQ_PATH,    MF_MESSAGE_INFO_UPDATE, MF_MESSAGE_REQ_PATH,
        MF_MESSAGE_INFO_UPDATE, MF_MESSAGE_PATH,        MF_MESSAGE_PATH};
    static const uint32_t k_drone[] = {1, 1, 2, 2, 1, 2, 1, 1, 2, 2, 1, 2};
    (void)state;
    begin(8, 8);
    add_drone(0, 0);
    add_drone(2, 0);
    add_goto(5, 7);
    add_goto(7, 5);
    start();
    ticks(1);
    assert_int_equal(w.phases, sizeof k_phases / sizeof k_phases[0]);
    for (uint32_t i = 0; i < w.phases; i++) {
        assert_int_equal(w.phase[i].phase, k_phases[i].phase);
        assert_int_equal(w.phase[i].number, k_phases[i].number);
    }
    ticks(3);
    for (uint32_t i = 0; i < sizeof k_types / sizeof k_types[0]; i++) {
        const struct mf_message *m = &w.message[i];
        const uint32_t drone = MF_ADDRESS_IS_DRONE(m->sender) ? m->sender : m->receiver;
        assert_int_equal(m->type, k_types[i]);
        assert_int_equal(MF_ADDRESS_NUMBER(drone), k_drone[i]);
    }
    assert_int_equal(w.message[10].content.cost, 12); /* 12 / 11 and 10 / 9 stand in the listing */
    assert_int_equal(w.message[11].content.cost, 10);
}

/* LDS-13: a golden map. */
static void test_lds13_text_map(void **state)
{
    char map[6 * 4 + 1];
    (void)state;
    begin(5, 4);
    add_actuator(add_drone(0, 0), "package", MF_GRID_GRAB);
    add_drone(3, 1);
    add_attribute(1, 0, "package", "1");
    add_attribute(4, 3, "package", "2");
    w.blocked[w.s.blocked_count++] = cell(2, 2);
    add_carry("1", 1, 3);
    run();
    mf_grid_map(w.q, 0, map);
    assert_string_equal(map, ".A..p\n"
                             "..X..\n"
                             "...2.\n"
                             "1....\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lds24_listing_6), cmocka_unit_test(test_lds24_listing_7),
        cmocka_unit_test(test_lds24_listing_8), cmocka_unit_test(test_lds01_lds02_order_of_a_tick),
        cmocka_unit_test(test_lds13_text_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
