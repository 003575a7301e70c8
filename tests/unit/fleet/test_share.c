/* SPDX-License-Identifier: Apache-2.0 */
/* GZ-06: who gets which members of a swarm on several hosts, by hand. */
#include "fleet/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* 7, 6, 5, 4, 3 on two: 7 | 6 5 | 4 3, hence 7+4+3 = 14 and 6+5 = 11. */
static void test_gz06_the_longest_first_each_to_who_has_least(void **state)
{
    struct mf_share all[] = {{0, 3.0, -1}, {1, 7.0, -1}, {2, 5.0, -1}, {3, 4.0, -1}, {4, 6.0, -1}};
    static const int32_t k_place[] = {0, 0, 1, 0, 1};
    double load[2];
    (void)state;
    mf_share_out(all, 5, load, 2);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(all[i].member, i);
        assert_int_equal(all[i].place, k_place[i]);
    }
    assert_true(load[0] == 14.0 && load[1] == 11.0);
}

/* The pinned one counts first, so that others keep away from it. */
static void test_gz06_pins_count(void **state)
{
    struct mf_share all[] = {{10, 1.0, -1}, {11, 1.0, -1}, {12, 5.0, 2}, {13, 1.0, -1}};
    static const int32_t k_place[] = {0, 1, 2, 0};
    double load[3];
    (void)state;
    mf_share_out(all, 4, load, 3);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(all[i].place, k_place[i]);
    }
    assert_true(load[0] == 2.0 && load[1] == 1.0 && load[2] == 5.0);
}

static void test_gz06_equals_go_round_and_nobody_is_nothing(void **state)
{
    struct mf_share all[] = {{0, 0.0, -1}, {1, 2.0, -1}, {2, 2.0, -1}, {3, 2.0, -1}};
    double load[2];
    (void)state;
    mf_share_out(all, 4, load, 2);
    assert_int_equal(all[1].place, 0);
    assert_int_equal(all[2].place, 1);
    assert_int_equal(all[3].place, 0);
    assert_int_equal(all[0].place, 1);
    mf_share_out(all, 0, load, 2);
    assert_true(load[0] == 0.0 && load[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gz06_the_longest_first_each_to_who_has_least),
        cmocka_unit_test(test_gz06_pins_count),
        cmocka_unit_test(test_gz06_equals_go_round_and_nobody_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
