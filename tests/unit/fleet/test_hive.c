/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-22, fleet/hive.h: a world of 4 x 2 cells of 10 m, bees that are where they were sent at once,
 * flowers at places by hand. */
#include "fleet/hive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BEES    2u
#define FLOWERS 4u

static struct mf_hive s_hive;
static void *s_bytes;
static uint32_t s_told[MF_HIVE_NEWS];
static mf_us_t s_now_us;

static void tell(void *ctx, enum mf_hive_news news, uint32_t bee, uint32_t cell, uint32_t flower)
{
    (void)ctx;
    (void)bee;
    (void)cell;
    (void)flower;
    s_told[news]++;
}

/* A camera that shows 6 m to each side from 20 m up: hence one cell, from its middle. */
static void begin(const struct mf_en *corner, size_t corners)
{
    static const struct mf_en k_flower[FLOWERS] = {{4, 6}, {14, 13}, {16, 13}, {60, 0}};
    const struct mf_hive_settings settings = {.grid = mf_coverage_grid(corner, corners, 10.0),
                                              .corner = corner,
                                              .corners = corners,
                                              .reach_m = 1.0,
                                              .height_m = 20.0,
                                              .recharge_us = 30 * MF_SECOND_US,
                                              .lost_us = 5 * MF_SECOND_US};
    s_bytes = calloc(1, mf_hive_bytes(&settings.grid, BEES, FLOWERS));
    mf_hive_init(&s_hive, &settings, BEES, FLOWERS, s_bytes);
    s_hive.tell = tell;
    for (uint32_t i = 0; i < BEES; i++) {
        s_hive.bee[i] = (struct mf_bee){.home = {0, 0},
                                        .ahead_tan = 0.3,
                                        .across_tan = 0.3,
                                        .seeks = true,
                                        .draw_ma = 1000.0,
                                        .charge_below = 0.25};
    }
    for (uint32_t f = 0; f < FLOWERS; f++) {
        s_hive.flower[f].at = k_flower[f];
        s_hive.flower[f].pollen = 3;
    }
    memset(s_told, 0, sizeof s_told);
    s_now_us = 0;
    mf_hive_begin(&s_hive);
}

static int begin_test(void **state)
{
    static const struct mf_en k_corner[4] = {{0, 0}, {40, 0}, {40, 20}, {0, 20}};
    (void)state;
    begin(k_corner, 4);
    return 0;
}

static int end_test(void **state)
{
    (void)state;
    free(s_bytes);
    return 0;
}

/* What a bee that obeys at once shows: on the ground it rises where it is. */
static struct mf_bee_view obedient(const struct mf_bee *b)
{
    struct mf_bee_view v = b->view;
    v.fresh = v.pictures = true;
    v.speed_mps = 0.0;
    if (b->order == MF_BEE_RISE) {
        v.height_m = 20.0;
        v.on_ground = false;
    } else if (b->order == MF_BEE_GO) {
        v.at = b->goal;
    } else if (b->order == MF_BEE_LAND) {
        v.height_m = 0.0;
        v.on_ground = true;
    }
    return v;
}

static void put_down(uint32_t bee, double east, double north)
{
    const struct mf_bee_view v = {.fresh = true, .on_ground = true, .at = {east, north}};
    mf_hive_see(&s_hive, bee, s_now_us, &v);
    s_hive.bee[bee].view = v;
}

static void turn(bool first_silent)
{
    s_now_us += MF_SECOND_US;
    for (uint32_t i = 0; i < BEES; i++) {
        const struct mf_bee_view v =
            i == 0 && first_silent ? (struct mf_bee_view){0} : obedient(&s_hive.bee[i]);
        mf_hive_see(&s_hive, i, s_now_us, &v);
    }
    mf_hive_think(&s_hive, s_now_us);
    for (uint32_t i = 0; i < BEES; i++) {
        if (mf_hive_wants(&s_hive, i)) {
            mf_hive_told(&s_hive, i);
        }
    }
}

static void ground_all(void)
{
    for (uint32_t i = 0; i < BEES; i++) {
        put_down(i, 0, 0);
    }
}

static void test_sbe22_all_is_surveyed_and_each_flower_visited_once(void **state)
{
    (void)state;
    ground_all();
    assert_int_equal(s_hive.total.cells, 8);
    assert_int_equal(s_hive.total.flowers, 3); /* the fourth grows outside */
    for (int k = 0; k < 40 && s_hive.total.done_us < 0; k++) {
        turn(false);
    }
    assert_true(s_hive.total.done_us > 0);
    assert_int_equal(s_told[MF_HIVE_SURVEYED], 8);
    assert_int_equal(s_told[MF_HIVE_FOUND], 3);
    assert_int_equal(s_told[MF_HIVE_VISITED], 3);
    assert_int_equal(s_hive.total.pollen, 9);
    assert_int_equal(s_hive.bee[0].pollen + s_hive.bee[1].pollen, 9);
    assert_int_equal(s_hive.flower[3].pollen, 3); /* nobody came */
    for (int k = 0; k < 6; k++) {
        turn(false); /* home, down */
    }
    assert_int_equal(s_hive.total.pollen, 9);
    assert_int_equal(s_hive.bee[0].state, MF_BEE_READY);
    assert_int_equal(s_hive.bee[1].state, MF_BEE_READY);
    assert_int_equal(s_told[MF_HIVE_CHARGED], 0); /* no batteries */
}

static void test_the_nearest_cells_come_first_and_each_has_one_bee(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    assert_int_equal(s_hive.bee[0].order, MF_BEE_RISE);
    assert_int_equal(s_hive.bee[0].cell, 0); /* middle at (5, 5) */
    assert_int_equal(s_hive.bee[1].cell, 1); /* (15, 5) is as near as (5, 15) is, and first */
    turn(false);
    assert_int_equal(s_hive.bee[0].order, MF_BEE_GO);
    assert_true(s_hive.bee[0].goal.e == 5.0 && s_hive.bee[0].goal.n == 5.0);
}

static void test_flowers_come_before_cells_that_nobody_has_seen(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    turn(false);
    turn(false); /* the first is over (5, 5), and sees the flower at (4, 6) */
    assert_int_equal(s_told[MF_HIVE_FOUND], 1);
    assert_true(s_hive.bee[0].goal.e == 4.0 && s_hive.bee[0].goal.n == 6.0);
    assert_int_equal(s_told[MF_HIVE_VISITED], 0);
    turn(false);
    assert_int_equal(s_told[MF_HIVE_VISITED], 1);
    assert_int_equal(s_hive.flower[0].by, 0);
}

static void test_sbe22_who_stays_over_a_flower_has_visited_it_once(void **state)
{
    (void)state;
    ground_all();
    for (int k = 0; k < 4; k++) {
        turn(false);
    }
    assert_int_equal(s_hive.bee[0].visits, 1);
    const struct mf_bee_view v = {.fresh = true, .at = {4, 6}, .height_m = 20.0, .pictures = true};
    for (uint32_t k = 0; k < 6; k++) { /* both are there now */
        s_now_us += MF_SECOND_US;
        mf_hive_see(&s_hive, k % BEES, s_now_us, &v);
        mf_hive_think(&s_hive, s_now_us);
    }
    assert_int_equal(s_hive.total.visited, 1);
    assert_int_equal(s_hive.total.pollen, 3);
}

static void test_a_silent_bee_is_lost_its_cell_is_given_away_and_it_comes_back(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    turn(false);
    const uint32_t cell = s_hive.bee[0].cell;
    for (int k = 0; k < 4; k++) {
        turn(true);
    }
    assert_int_equal(s_told[MF_HIVE_LOST], 0); /* not yet 5 s */
    assert_int_equal(s_hive.bee[0].cell, cell);
    turn(true);
    assert_int_equal(s_told[MF_HIVE_LOST], 1);
    assert_int_equal(s_told[MF_HIVE_LEFT], 1);
    assert_int_equal(s_hive.bee[0].state, MF_BEE_LOST);
    assert_int_equal(s_hive.bee[0].cell, MF_HIVE_NONE);
    for (int k = 0; k < 40 && s_hive.total.done_us < 0; k++) {
        turn(true); /* the other one does all */
    }
    assert_int_equal(s_hive.total.surveyed, 8);
    assert_int_equal(s_hive.bee[1].visits, 3);
    put_down(0, 0, 0);
    turn(false);
    assert_int_equal(s_told[MF_HIVE_BACK], 1);
    assert_int_not_equal(s_hive.bee[0].state, MF_BEE_LOST);
}

static void test_one_that_is_back_takes_part(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    for (int k = 0; k < 5; k++) {
        turn(true);
    }
    assert_int_equal(s_hive.bee[0].state, MF_BEE_LOST);
    put_down(0, 0, 0);
    const uint32_t sent = s_told[MF_HIVE_SENT];
    turn(false);
    turn(false);
    assert_int_equal(s_hive.bee[0].state, MF_BEE_OUT);
    assert_true(s_told[MF_HIVE_SENT] > sent);
    assert_int_equal(s_hive.bee[0].order, MF_BEE_RISE);
}

static void test_a_bee_that_is_down_elsewhere_is_lost_until_it_is_at_home(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    turn(false);
    s_now_us += MF_SECOND_US;
    put_down(0, 30, 10);
    mf_hive_think(&s_hive, s_now_us);
    assert_int_equal(s_hive.bee[0].state, MF_BEE_LOST);
    put_down(0, 30, 10);
    mf_hive_think(&s_hive, s_now_us);
    assert_int_equal(s_told[MF_HIVE_BACK], 0);
    put_down(0, 3, 3);
    mf_hive_think(&s_hive, s_now_us);
    assert_int_equal(s_told[MF_HIVE_BACK], 1);
}

/* 1 A for 6 of 8 As; then home and 30 s on the charger. */
static void test_a_battery_calls_a_bee_home_and_is_charged(void **state)
{
    int called = -1, charged = -1;
    (void)state;
    s_hive.bee[0].capacity_mas = s_hive.bee[0].charge_mas = 8000.0;
    s_hive.bee[1].seeks = false; /* it sees nothing, so that there is work for long */
    ground_all();
    for (int k = 1; k <= 60 && charged < 0; k++) {
        turn(false);
        called = called < 0 && s_hive.bee[0].state == MF_BEE_COMING ? k : called;
        charged = s_told[MF_HIVE_CHARGED] > 0 ? k : charged;
    }
    assert_int_equal(called, 7); /* it rises in the first turn, and draws in the six after it */
    assert_true(charged - called >= 30 && charged - called <= 34);
    assert_true(s_hive.bee[0].charge_mas == 8000.0);
    assert_int_equal(s_hive.total.charges, 1);
}

static void test_an_order_without_effect_is_given_again(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    turn(false);
    struct mf_bee *b = &s_hive.bee[0];
    assert_int_equal(b->order, MF_BEE_GO);
    assert_false(mf_hive_wants(&s_hive, 0));
    struct mf_bee_view v = b->view;
    v.speed_mps = 2.0;
    for (int k = 0; k < 3; k++) { /* it moves: on its way */
        s_now_us += MF_SECOND_US;
        mf_hive_see(&s_hive, 0, s_now_us, &v);
        mf_hive_think(&s_hive, s_now_us);
        assert_false(mf_hive_wants(&s_hive, 0));
    }
    v.speed_mps = 0.0;
    mf_hive_see(&s_hive, 0, s_now_us, &v);
    mf_hive_think(&s_hive, s_now_us);
    assert_true(mf_hive_wants(&s_hive, 0));
}

/* One that hears and does not obey keeps nothing from the others. */
static void test_a_bee_that_stands_on_its_way_gives_up_its_cell(void **state)
{
    (void)state;
    ground_all();
    turn(false);
    turn(false);
    const struct mf_bee *b = &s_hive.bee[0];
    const struct mf_bee_view v = b->view;
    assert_int_equal(b->cell, 0);
    for (int k = 0; k < 20; k++) {
        s_now_us += MF_SECOND_US;
        mf_hive_see(&s_hive, 0, s_now_us, &v);
        mf_hive_think(&s_hive, s_now_us);
        assert_int_equal(b->cell, 0);
    }
    s_now_us += MF_SECOND_US;
    mf_hive_see(&s_hive, 0, s_now_us, &v);
    mf_hive_think(&s_hive, s_now_us);
    assert_int_equal(b->state, MF_BEE_COMING);
    assert_int_equal(b->cell, MF_HIVE_NONE);
}

/* Half of the world: below the diagonal from (0, 0) to (40, 40), 4 x 4 cells, of which those that
 * touch it are 10. */
static void test_cells_outside_the_boundary_have_no_work(void **state)
{
    static const struct mf_en k_corner[3] = {{0, 0}, {40, 0}, {40, 40}};
    (void)state;
    free(s_bytes);
    begin(k_corner, 3);
    assert_int_equal(s_hive.total.cells, 10);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)
    const struct CMUnitTest tests[] = {
        CASE(test_sbe22_all_is_surveyed_and_each_flower_visited_once),
        CASE(test_the_nearest_cells_come_first_and_each_has_one_bee),
        CASE(test_flowers_come_before_cells_that_nobody_has_seen),
        CASE(test_sbe22_who_stays_over_a_flower_has_visited_it_once),
        CASE(test_a_silent_bee_is_lost_its_cell_is_given_away_and_it_comes_back),
        CASE(test_one_that_is_back_takes_part),
        CASE(test_a_bee_that_is_down_elsewhere_is_lost_until_it_is_at_home),
        CASE(test_a_battery_calls_a_bee_home_and_is_charged),
        CASE(test_an_order_without_effect_is_given_again),
        CASE(test_a_bee_that_stands_on_its_way_gives_up_its_cell),
        CASE(test_cells_outside_the_boundary_have_no_work),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
