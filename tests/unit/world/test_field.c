/* SPDX-License-Identifier: Apache-2.0 */
/* LDS-09, LDS-21: cells, attributes and ways by hand. LDS-15: who gets which charger. */
#include "world/field.h"
#include "world/mover_cell.h"
#include "world/things.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint8_t s_bytes[1 << 16];
static struct mf_field_map s_field;
static int32_t s_cost[256];
static uint32_t s_queue[256];

static uint32_t cell(int32_t x, int32_t y, int32_t z)
{
    return mf_field_index(&s_field, (struct mf_cell){x, y, z});
}

static void begin(uint32_t x, uint32_t y, uint32_t z)
{
    struct mf_memory memory = {s_bytes, sizeof s_bytes, 0};
    const uint32_t size[3] = {x, y, z};
    assert_true(mf_field_bytes(size, 4) <= sizeof s_bytes);
    assert_int_equal(mf_field_init(&s_field, size, 10.0, 4, &memory), MF_E_OK);
}

static struct mf_field_value value(const char *text)
{
    struct mf_field_value v;
    assert_true(mf_field_value(text, &v));
    return v;
}

static void test_cells_are_places(void **state)
{
    double at[3];
    (void)state;
    begin(4, 3, 2);
    assert_int_equal(mf_field_cells(&s_field), 24);
    mf_field_place(&s_field, cell(3, 1, 1), at);
    assert_true(at[0] == 35.0 && at[1] == 15.0 && at[2] == 15.0);
    const struct mf_cell c = mf_field_cell(&s_field, cell(3, 2, 1));
    assert_true(c.x == 3 && c.y == 2 && c.z == 1);
    const uint32_t none[3] = {4, 0, 1}, many[3] = {4000, 4000, 4000};
    struct mf_memory memory = {s_bytes, sizeof s_bytes, 0};
    struct mf_field_map f;
    assert_int_equal(mf_field_init(&f, none, 1.0, 1, &memory), MF_E_RANGE);
    assert_int_equal(mf_field_init(&f, many, 1.0, 1, &memory), MF_E_RANGE);
}

/* 4 x 3, a wall at x = 1 but for its top: the way from (0, 0) to (2, 0) takes 2 up, 2 along, 2
 * down. (3, 1) is walled in. */
static void test_lds09_costs(void **state)
{
    static const int32_t k_costs[12] = {6, -1, 0, -1, 5, -1, 1, -1, 4, 3, 2, -1};
    (void)state;
    begin(4, 3, 1);
    mf_field_block(&s_field, cell(1, 0, 0), true);
    mf_field_block(&s_field, cell(1, 1, 0), true);
    mf_field_block(&s_field, cell(3, 0, 0), true);
    mf_field_block(&s_field, cell(3, 2, 0), true);
    mf_field_costs(&s_field, s_field.blocked, cell(2, 0, 0), MF_FIELD_ALL, s_cost, s_queue);
    assert_int_equal(s_cost[cell(3, 1, 0)], 2);
    mf_field_block(&s_field, cell(3, 1, 0), true);
    mf_field_costs(&s_field, s_field.blocked, cell(2, 0, 0), MF_FIELD_ALL, s_cost, s_queue);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(s_cost[i], k_costs[i]);
    }
    mf_field_costs(&s_field, s_field.blocked, cell(2, 0, 0), cell(2, 2, 0), s_cost, s_queue);
    assert_int_equal(s_cost[cell(2, 2, 0)], 2);
    assert_int_equal(s_cost[cell(0, 2, 0)], -1); /* farther */
    mf_field_costs(&s_field, s_field.blocked, cell(1, 1, 0), MF_FIELD_ALL, s_cost, s_queue);
    assert_int_equal(s_cost[0], -1); /* nobody comes into a wall */
}

static void test_lds21_over_a_wall(void **state)
{
    (void)state;
    begin(3, 1, 2);
    mf_field_block(&s_field, cell(1, 0, 0), true);
    mf_field_costs(&s_field, s_field.blocked, cell(2, 0, 0), MF_FIELD_ALL, s_cost, s_queue);
    assert_int_equal(s_cost[cell(0, 0, 0)], 4);
}

static void test_lds21_attributes(void **state)
{
    const struct mf_field_value high = value("high"), number = value("36"), same = value("36.0");
    struct mf_attribute taken;
    (void)state;
    begin(4, 3, 1);
    assert_true(high.is_text && !number.is_text && number.number == 36.0);
    assert_true(mf_field_value_is(&number, &same) && !mf_field_value_is(&number, &high));
    assert_true(value("-0.5").number == -0.5 && value("1e3").is_text && value("").is_text);
    assert_int_equal(mf_field_put(&s_field, 3, "humidity", &high), MF_E_OK);
    assert_int_equal(mf_field_put(&s_field, 3, "heat", &number), MF_E_OK);
    assert_int_equal(mf_field_put(&s_field, 3, "heat", &high), MF_E_DENIED);
    assert_int_equal(mf_field_search(&s_field, "heat", &same)->cell, 3);
    assert_null(mf_field_search(&s_field, "heat", &high));
    assert_int_equal(mf_field_change(&s_field, 3, "heat", &high), MF_E_OK);
    assert_int_equal(mf_field_change(&s_field, 4, "heat", &high), MF_E_DENIED);
    assert_int_equal(mf_field_take(&s_field, 3, "humidity", &taken), MF_E_OK);
    assert_string_equal(taken.name, "humidity");
    assert_string_equal(mf_field_find(&s_field, 3, "heat")->value.text, "high");
    mf_field_block(&s_field, 5, true);
    assert_int_equal(mf_field_put(&s_field, 5, "heat", &high), MF_E_DENIED);
    for (uint32_t i = 6; i < 9; i++) {
        assert_int_equal(mf_field_put(&s_field, i, "heat", &high), MF_E_OK);
    }
    assert_int_equal(mf_field_put(&s_field, 9, "heat", &high), MF_E_FULL);
}

/* LDS-21: four attributes at most, of which one moves from cell to cell: it becomes the youngest,
 * and the others stay what they are. */
static void test_lds21_an_attribute_that_moves(void **state)
{
    const struct mf_field_value one = value("1"), two = value("2");
    (void)state;
    begin(4, 3, 1);
    assert_null(mf_field_first(&s_field, 2));
    assert_int_equal(mf_field_put(&s_field, 2, "box", &one), MF_E_OK);
    assert_int_equal(mf_field_put(&s_field, 2, "heat", &one), MF_E_OK);
    assert_int_equal(mf_field_put(&s_field, 7, "box", &two), MF_E_OK);
    for (uint32_t i = 0; i < 50; i++) {
        assert_int_equal(mf_field_take(&s_field, i % 2 == 0 ? 2 : 1, "box", NULL), MF_E_OK);
        assert_int_equal(mf_field_put(&s_field, i % 2 == 0 ? 1 : 2, "box", &one), MF_E_OK);
        assert_int_equal(mf_field_search(&s_field, "box", NULL)->cell, 7);
        assert_int_equal(mf_field_search(&s_field, "box", &one)->cell, i % 2 == 0 ? 1 : 2);
        assert_string_equal(mf_field_first(&s_field, 2)->name, "heat");
        assert_string_equal(mf_field_find(&s_field, 7, "box")->value.text, "2");
    }
    assert_int_equal(mf_field_take(&s_field, 1, "box", NULL), MF_E_DENIED);
    assert_int_equal(mf_field_put(&s_field, 0, "box", &one), MF_E_OK);
    assert_int_equal(mf_field_put(&s_field, 3, "box", &one), MF_E_FULL);
}

/* LDS-04: 250 moves of 10 from 2500; LDS-15: 20 ticks of 100 from 500. With 2 kg a move takes 16.
 */
static void test_battery_of_a_mover(void **state)
{
    const struct mf_mover_cell_settings s = {1, MF_FIELD_NORTH, 2500000, 10000, 1000, 3000};
    struct mf_mover_cell m = mf_mover_cell(&s, 0);
    uint32_t n = 0;
    (void)state;
    begin(2, 1, 1);
    while (mf_mover_cell_move(&s, &m, &s_field, n % 2 == 0 ? MF_FIELD_EAST : MF_FIELD_WEST, 0) ==
           MF_E_OK) {
        n++;
    }
    assert_int_equal(n, 250);
    assert_int_equal(m.battery_uah, 0);
    assert_int_equal(mf_mover_cell_move(&s, &m, &s_field, MF_FIELD_NORTH, 0), MF_E_DENIED);
    assert_int_equal(mf_mover_cell_cost_uah(&s, 2000), 16000);
    m.battery_uah = 500000;
    for (n = 1; !mf_mover_cell_charge(&s, &m, 100000); n++) {
    }
    assert_int_equal(n, 20);
    mf_mover_cell_tick(&s, &m);
    assert_int_equal(m.battery_uah, 2499000);
}

/* A free one before one in use, then the nearest, then the first. */
static void test_lds15_chargers(void **state)
{
    static const int32_t k_cost[4] = {1, 5, 3, 3};
    struct mf_charger c[4] = {{.cell = 0}, {.cell = 1}, {.cell = 2}, {.cell = 3}};
    (void)state;
    assert_int_equal(mf_charger_choose(c, 4, k_cost), 0);
    assert_true(mf_charger_enter(&c[0], 7) && mf_charger_enter(&c[0], 8));
    assert_int_equal(mf_charger_choose(c, 4, k_cost), 2);
    assert_true(mf_charger_is_first(&c[0], 7) && !mf_charger_is_first(&c[0], 8));
    mf_charger_leave(&c[0], 7);
    assert_true(mf_charger_is_first(&c[0], 8));
    static const int32_t k_none[4] = {-1, -1, -1, -1};
    assert_int_equal(mf_charger_choose(c, 4, k_none), 4);
    for (uint32_t i = 0; i < MF_CHARGER_QUEUE_MAX; i++) {
        (void)mf_charger_enter(&c[0], 8 + i);
    }
    assert_false(mf_charger_enter(&c[0], 100));
}

/* A cell each second tick, to x = 2 and back; it takes its attribute along. */
static void test_a_thing_goes_to_and_fro(void **state)
{
    static const uint32_t k_cells[10] = {0, 1, 1, 2, 2, 1, 1, 0, 0, 1};
    struct mf_thing t = {.cell = 0, .from = 0, .to = 2, .every = 2, .name = "boat"};
    (void)state;
    begin(4, 1, 1);
    t.value = value("1");
    assert_int_equal(mf_thing_place(&t, &s_field), MF_E_OK);
    for (uint32_t i = 0; i < 10; i++) {
        mf_thing_tick(&t, &s_field, i + 1);
        assert_int_equal(t.cell, k_cells[i]);
        assert_non_null(mf_field_find(&s_field, k_cells[i], "boat"));
    }
    assert_int_equal(s_field.attributes, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_are_places),
        cmocka_unit_test(test_lds09_costs),
        cmocka_unit_test(test_lds21_over_a_wall),
        cmocka_unit_test(test_lds21_attributes),
        cmocka_unit_test(test_lds21_an_attribute_that_moves),
        cmocka_unit_test(test_battery_of_a_mover),
        cmocka_unit_test(test_lds15_chargers),
        cmocka_unit_test(test_a_thing_goes_to_and_fro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
