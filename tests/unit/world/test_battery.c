/* SPDX-License-Identifier: Apache-2.0 */
#include "world/battery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_sim019_full_and_healthy_for_ever(void **state)
{
    static const mf_us_t k_when_us[] = {0, 1, 3600 * MF_SECOND_US, INT64_C(1000000000000000)};
    struct mf_battery_static battery;
    (void)state;
    mf_battery_static_init(&battery);
    for (size_t i = 0; i < sizeof k_when_us / sizeof k_when_us[0]; i++) {
        struct mf_battery b = {0};
        assert_int_equal(mf_battery_static_ops.read(&battery, k_when_us[i], &b), MF_E_OK);
        assert_true(b.voltage_v == 16.2f && b.remaining == 1.0f && b.cells == 4);
        assert_true(b.current_a == -1.0f && b.consumed_mah == -1.0f);
    }
}

static void test_sim019_configured_values_are_what_is_read(void **state)
{
    struct mf_battery_static battery;
    struct mf_battery b = {0};
    (void)state;
    mf_battery_static_init(&battery);
    battery.state.voltage_v = 22.8f;
    battery.state.remaining = 0.15f;
    battery.state.cells = 6;
    assert_int_equal(mf_battery_static_ops.read(&battery, 0, &b), MF_E_OK);
    assert_true(b.voltage_v == 22.8f && b.remaining == 0.15f && b.cells == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim019_full_and_healthy_for_ever),
        cmocka_unit_test(test_sim019_configured_values_are_what_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
