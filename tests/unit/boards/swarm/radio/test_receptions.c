/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/radio/receptions.h: receptions that frames RECEPTIONS show to observers. */
#include "boards/swarm/radio/receptions.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct mf_bus_writer s_frame;
static struct swarm_onlooker s_onlooker;

static uint32_t at(size_t offset)
{
    const uint8_t *p = s_frame.bytes + MF_BUS_HEADER + offset;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Write a frame for an observer. @return true: it has rows */
static bool put(struct swarm_onlooker *o)
{
    mf_bus_begin(&s_frame, MF_BUS_RECEPTIONS, 0, 0);
    return swarm_receptions_put(&s_swarm, o, &s_frame);
}

static void expect_rows(uint32_t fresh, uint32_t rows)
{
    assert_int_equal(at(0), fresh);
    assert_int_equal(at(4), rows);
    assert_int_equal(s_frame.n, MF_BUS_HEADER + 8u + 8u * rows);
}

/* Runs first, as later tests call swarm_receptions_watch(). */
static void test_without_an_onlooker_no_reception_is_kept(void **state)
{
    (void)state;
    swarm_begin();
    swarm_receptions_add(&s_swarm, 0, 1, 2);
    assert_false(put(&s_onlooker));
    expect_rows(0, 0);
    swarm_receptions_watch(&s_swarm);
}

static void test_a_reception_is_told_once(void **state)
{
    (void)state;
    swarm_receptions_add(&s_swarm, 1, 11, 12);
    swarm_receptions_add(&s_swarm, 0, 1, 0x01020304);
    assert_true(put(&s_onlooker));
    expect_rows(2, 2);
    assert_int_equal(at(8), 1); /* rows are in the order of shards */
    assert_int_equal(at(12), 0x01020304);
    assert_int_equal(at(16), 11);
    assert_int_equal(at(20), 12);
    assert_false(put(&s_onlooker));
    expect_rows(0, 0);
}

static void test_each_onlooker_has_its_own_place(void **state)
{
    struct swarm_onlooker late = s_onlooker;
    (void)state;
    swarm_receptions_add(&s_swarm, 0, 5, 6);
    assert_true(put(&s_onlooker));
    swarm_receptions_add(&s_swarm, 0, 7, 8);
    assert_true(put(&s_onlooker));
    expect_rows(1, 1);
    assert_int_equal(at(8), 7);
    assert_true(put(&late));
    expect_rows(2, 2);
    assert_int_equal(at(8), 5);
    assert_int_equal(at(16), 7);
}

/* A shard keeps its newest 500 receptions. */
static void test_the_oldest_of_too_many_are_counted_only(void **state)
{
    (void)state;
    (void)put(&s_onlooker);
    for (uint32_t i = 0; i < 1234; i++) {
        swarm_receptions_add(&s_swarm, 2, i, i + 1);
    }
    swarm_receptions_add(&s_swarm, 3, 9, 9);
    assert_true(put(&s_onlooker));
    expect_rows(1235, 501);
    for (uint32_t k = 0; k < 500; k++) {
        assert_int_equal(at(8 + 8 * k), 734 + k);
        assert_int_equal(at(12 + 8 * k), 735 + k);
    }
    assert_int_equal(at(8 + 8 * 500), 9);
}

static void test_exactly_as_many_as_are_kept(void **state)
{
    (void)state;
    (void)put(&s_onlooker);
    for (uint32_t i = 0; i < 500; i++) {
        swarm_receptions_add(&s_swarm, 0, i, 0);
    }
    assert_true(put(&s_onlooker));
    expect_rows(500, 500);
    assert_int_equal(at(8), 0);
}

static void test_all_shards_fit_into_a_frame(void **state)
{
    (void)state;
    (void)put(&s_onlooker);
    for (uint32_t i = 0; i < 600 * MF_CROWD_SHARDS; i++) {
        swarm_receptions_add(&s_swarm, i % MF_CROWD_SHARDS, i, i);
    }
    assert_true(put(&s_onlooker));
    expect_rows(600 * MF_CROWD_SHARDS, 500 * MF_CROWD_SHARDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_an_onlooker_no_reception_is_kept),
        cmocka_unit_test(test_a_reception_is_told_once),
        cmocka_unit_test(test_each_onlooker_has_its_own_place),
        cmocka_unit_test(test_the_oldest_of_too_many_are_counted_only),
        cmocka_unit_test(test_exactly_as_many_as_are_kept),
        cmocka_unit_test(test_all_shards_fit_into_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
