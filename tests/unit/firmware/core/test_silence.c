/* SPDX-License-Identifier: Apache-2.0 */
/* Silence counts on both clocks. Times by hand: heard at 10 s of the wall, 100 s of the vehicle. */
#include "firmware/core/silence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define S 1000000

static mf_us_t look(mf_us_t transport_us, mf_us_t vehicle_us)
{
    const struct mf_heard heard = {.rx_us = 10 * S, .at_us = 100 * S};
    const struct mf_now now = {.vehicle_us = vehicle_us, .transport_us = transport_us};
    return mf_silence_next(&now, &heard, 2 * S, S / 10, transport_us);
}

static void test_silence_lasts_by_both_clocks(void **state)
{
    (void)state;
    assert_true(look(11 * S, 150 * S) == 12 * S);          /* a fast vehicle: the wall decides */
    assert_true(look(12 * S, 100 * S) == 12 * S + S / 10); /* a held one: look again */
    assert_true(look(60 * S, 102 * S - 1) == 60 * S + S / 10);
    assert_true(look(60 * S, 102 * S) == MF_NEVER);
    assert_true(look(12 * S, 102 * S) == MF_NEVER);
}

static void test_heard_now(void **state)
{
    (void)state;
    const struct mf_now now = {.vehicle_us = 7 * S, .transport_us = 3 * S};
    const struct mf_heard heard = mf_heard_now(&now, 6 * S);
    assert_true(heard.rx_us == 3 * S && heard.at_us == 6 * S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence_lasts_by_both_clocks),
        cmocka_unit_test(test_heard_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
