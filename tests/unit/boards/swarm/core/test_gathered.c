/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/gathered.h: rows of shards, and the file that they are for. */
#include "boards/swarm/core/gathered.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static void test_rows_are_kept_in_order_as_their_array_grows(void **state)
{
    struct swarm_gathered g = {NULL, {{0}}};
    (void)state;
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t *row = swarm_gather(&g.shard[0], sizeof *row);
        assert_non_null(row);
        *row = 7u * i;
    }
    assert_int_equal(g.shard[0].count, 3000);
    assert_int_equal(g.shard[0].capacity, 4096); /* 1,024, doubled twice */
    for (uint32_t i = 0; i < 3000; i++) {
        assert_int_equal(((const uint32_t *)g.shard[0].at)[i], 7u * i);
    }
    assert_true(swarm_gathered_close(&s_swarm, &g));
}

static void test_shards_do_not_share_rows(void **state)
{
    struct swarm_gathered g = {NULL, {{0}}};
    (void)state;
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        uint32_t *row = swarm_gather(&g.shard[shard], sizeof *row);
        assert_non_null(row);
        *row = shard;
    }
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        assert_int_equal(g.shard[shard].count, 1);
        assert_int_equal(*(const uint32_t *)g.shard[shard].at, shard);
    }
    assert_true(swarm_gathered_close(&s_swarm, &g));
}

static void test_rows_without_memory_are_remembered(void **state)
{
    struct swarm_gathered g = {tmpfile(), {{0}}};
    (void)state;
    swarm_begin();
    assert_non_null(g.file);
    assert_null(swarm_gather(&g.shard[3], SIZE_MAX / 4096u));
    assert_true(g.shard[3].failed);
    assert_int_equal(g.shard[3].count, 0);
    assert_false(swarm_gathered_close(&s_swarm, &g)); /* the file lacks a row */
}

static void test_a_file_with_all_rows_is_whole(void **state)
{
    struct swarm_gathered g = {tmpfile(), {{0}}};
    (void)state;
    swarm_begin();
    assert_non_null(g.file);
    assert_non_null(swarm_gather(&g.shard[3], 8));
    assert_true(swarm_gathered_close(&s_swarm, &g));
}

static void test_rows_of_no_file_lack_nothing(void **state)
{
    struct swarm_gathered g = {NULL, {{0}}};
    (void)state;
    g.shard[1].failed = true;
    assert_true(swarm_gathered_close(&s_swarm, &g));
}

static void test_a_file_that_did_not_take_its_bytes(void **state)
{
    struct swarm_gathered g = {fopen("/dev/full", "w"), {{0}}};
    (void)state;
    swarm_begin();
    if (g.file == NULL) {
        skip();
    }
    (void)fputs("row\n", g.file);
    assert_false(swarm_gathered_close(&s_swarm, &g));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_kept_in_order_as_their_array_grows),
        cmocka_unit_test(test_shards_do_not_share_rows),
        cmocka_unit_test(test_rows_without_memory_are_remembered),
        cmocka_unit_test(test_a_file_with_all_rows_is_whole),
        cmocka_unit_test(test_rows_of_no_file_lack_nothing),
        cmocka_unit_test(test_a_file_that_did_not_take_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
