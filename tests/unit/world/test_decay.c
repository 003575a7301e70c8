/* SPDX-License-Identifier: Apache-2.0 */
#include "world/decay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* In 25 digits. */
static void test_decay(void **state)
{
    static const struct {
        double x, want;
    } k[] = {
        {0.0, 1.0},
        {1e-9, 0.9999999990000000005},
        {0.5, 0.6065306597126334236},
        {1.0, 0.3678794411714423216},
        {10.0, 4.539992976248485154e-5},
        {30.0, 9.357622968840174605e-14},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_true(fabs(mf_decay(k[i].x) / k[i].want - 1.0) < 1e-14);
    }
    assert_true(mf_decay(1e300) == 0.0);
    assert_true(mf_decay(INFINITY) == 0.0);
}

static void test_logistic(void **state)
{
    (void)state;
    assert_true(mf_logistic(0.0) == 0.5);
    assert_true(fabs(mf_logistic(2.0) - 0.8807970779778823) < 1e-15);
    assert_true(fabs(mf_logistic(-2.0) - 0.1192029220221177) < 1e-15);
    assert_true(mf_logistic(1e4) == 1.0 && mf_logistic(-1e4) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decay),
        cmocka_unit_test(test_logistic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
