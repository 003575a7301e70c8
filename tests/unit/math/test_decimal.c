/* SPDX-License-Identifier: Apache-2.0 */
#include "math/decimal.h"

#include "math/chance.h"
#include "tests/unit/support/cases.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* LDS-21: numbers of texts have the bits of strtod(), which rounds correctly. */
static void test_numbers_are_those_of_strtod(void **state)
{
    (void)state;
    for (int i = mf_cases(1000, 1000000); i > 0; i--) {
        char text[32];
        double value = 0.0;
        const uint64_t n = mf_chance_u64(7, (uint64_t)i);
        const int length = snprintf(text, sizeof text, "%s%015" PRIu64, i % 2 == 0 ? "-" : "",
                                    n % UINT64_C(1000000000000000));
        const int point = length - (int)(n >> 60) % 15; /* 0 to 14 digits behind it */
        memmove(text + point + 1, text + point, (size_t)(length - point) + 1u);
        text[point] = '.';
        const double expected = strtod(text, NULL);
        assert_true(mf_decimal(text, &value));
        assert_memory_equal(&value, &expected, sizeof value);
    }
}

static void test_other_texts_are_refused(void **state)
{
    static const char *const k_text[] = {
        "", "-", ".5", "+1", "1e3", "1.2.3", " 1", "1 ", "0x1", "nan", "1234567890123456"};
    double value = 42.0;
    (void)state;
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        assert_false(mf_decimal(k_text[i], &value));
        assert_true(value == 42.0);
    }
    assert_true(mf_decimal("-0", &value) && value == 0.0);
    assert_true(mf_decimal("7.", &value) && value == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_those_of_strtod),
        cmocka_unit_test(test_other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
