/* SPDX-License-Identifier: Apache-2.0 */
/* math/chance.h. Golden values: SplitMix64's published ones, and an implementation in Python. */
#include "math/chance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_sim043_numbers_are_those_of_splitmix64(void **state)
{
    static const uint64_t k_published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    (void)state;
    for (size_t i = 0; i < sizeof k_published / sizeof k_published[0]; i++) {
        assert_true(mf_chance_u64(1234567, i) == k_published[i]);
    }
    assert_true(mf_chance_u64(0, 0) == UINT64_C(0xE220A8397B1DCDAF));
    assert_true(mf_chance_u64(1234567, UINT64_C(1000000000000000)) == UINT64_C(0x5FCC926AC4B19E07));
}

static void test_sim043_units_are_their_upper_53_bits(void **state)
{
    (void)state;
    /* 0xE220A8397B1DCDAF >> 11, divided by 2^53 */
    assert_true(mf_chance_unit(0, 0) == 7956156453446585.0 / 9007199254740992.0);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(mf_chance_unit(7, i) >= 0.0 && mf_chance_unit(7, i) < 1.0);
    }
}

/* Seed, variation, entity and purpose: each alone gives another key. */
static void test_keys_differ_by_each_of_their_parts(void **state)
{
    (void)state;
    const uint64_t key = mf_chance_key(111982, 3, 7312, 2);
    assert_true(key == UINT64_C(0x9D2690DF683812E));
    assert_true(key != mf_chance_key(111983, 3, 7312, 2));
    assert_true(key != mf_chance_key(111982, 4, 7312, 2));
    assert_true(key != mf_chance_key(111982, 3, 7313, 2));
    assert_true(key != mf_chance_key(111982, 3, 7312, 3));
    assert_true(mf_chance_key(1, 2, 3, 4) != mf_chance_key(1, 3, 2, 4));
}

/* The published FNV-1a of "a" and "foobar", each mixed once. */
static void test_texts_are_folded_into_keys(void **state)
{
    (void)state;
    const uint64_t basis = UINT64_C(0xCBF29CE484222325);
    assert_true(mf_chance_text(basis, "") == mf_chance_u64(basis, 0));
    assert_true(mf_chance_text(basis, "a") == mf_chance_u64(UINT64_C(0xAF63DC4C8601EC8C), 0));
    assert_true(mf_chance_text(basis, "foobar") == mf_chance_u64(UINT64_C(0x85944171F73967E8), 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_numbers_are_those_of_splitmix64),
        cmocka_unit_test(test_sim043_units_are_their_upper_53_bits),
        cmocka_unit_test(test_keys_differ_by_each_of_their_parts),
        cmocka_unit_test(test_texts_are_folded_into_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
