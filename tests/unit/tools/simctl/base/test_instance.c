/* SPDX-License-Identifier: Apache-2.0 */
/* Times of instances as texts: annotations and files may hold any number. */
#include "tools/simctl/base/instance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_times_are_within_the_years_of_a_text(void **state)
{
    static const struct {
        int64_t utc_us;
        const char *text;
    } k_case[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {INT64_C(1772366400123456), "2026-03-01T12:00:00.123Z"},
        {INT64_C(253402300799999999), "9999-12-31T23:59:59.999Z"},
        {INT64_C(253402300800000000), "9999-12-31T23:59:59.999Z"},
        {INT64_MAX, "9999-12-31T23:59:59.999Z"},
        {-1, "1970-01-01T00:00:00.000Z"},
        {INT64_MIN, "1970-01-01T00:00:00.000Z"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[32] = "";
        simctl_utc_text(k_case[i].utc_us, text);
        assert_string_equal(text, k_case[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times_are_within_the_years_of_a_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
