/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/mode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* PX4's numbers: px4_custom_mode.h */
static void test_sim034_custom_modes_are_px4s(void **state)
{
    static const struct {
        enum mf_mode mode;
        uint32_t custom;
        uint8_t base;
    } k_case[MF_MODE_COUNT] = {
        {MF_MODE_MANUAL, 65536u, 0x51},       {MF_MODE_ALTCTL, 131072u, 0x51},
        {MF_MODE_POSCTL, 196608u, 0x51},      {MF_MODE_TAKEOFF, 33816576u, 0x1D},
        {MF_MODE_HOLD, 50593792u, 0x1D},      {MF_MODE_MISSION, 67371008u, 0x1D},
        {MF_MODE_RTL, 84148224u, 0x1D},       {MF_MODE_LAND, 100925440u, 0x1D},
        {MF_MODE_DESCEND, 100925440u, 0x1D},  {MF_MODE_ACRO, 327680u, 0x41},
        {MF_MODE_OFFBOARD, 393216u, 0x11},    {MF_MODE_STABILIZED, 458752u, 0x51},
        {MF_MODE_TERMINATION, 655360u, 0x01}, {MF_MODE_ORBIT, 16973824u, 0x11},
        {MF_MODE_FOLLOW, 134479872u, 0x1D},
    };
    (void)state;
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        assert_int_equal(mf_mode_custom(k_case[i].mode), k_case[i].custom);
        assert_int_equal(mf_mode_info(k_case[i].mode)->base_mode, k_case[i].base);
    }
}

static void test_sim033_modes_from_numbers(void **state)
{
    (void)state;
    assert_int_equal(mf_mode_from_custom(4, 0), MF_MODE_MISSION);
    assert_int_equal(mf_mode_from_custom(4, 6),
                     MF_MODE_LAND); /* DESCEND shares the number and cannot be chosen */
    assert_int_equal(mf_mode_from_custom(4, 1), MF_E_NOSUPP);
    assert_int_equal(mf_mode_from_custom(10, 0), MF_E_NOSUPP);
    assert_int_equal(mf_mode_from_custom(0, 0), MF_E_NOSUPP);
    assert_int_equal(mf_mode_from_standard(5), MF_MODE_RTL);
    assert_int_equal(mf_mode_from_standard(8), MF_MODE_TAKEOFF);
    assert_int_equal(mf_mode_from_standard(0), MF_E_NOSUPP);
    assert_int_equal(mf_mode_from_standard(200), MF_E_NOSUPP);
}

/* Every pair of mode and event: what is not named here leads nowhere. */
static void test_sim035_all_transitions(void **state)
{
    static const struct {
        enum mf_mode from;
        enum mf_event event;
        enum mf_mode to;
    } k_named[] = {
        {MF_MODE_MANUAL, MF_EV_ARMED, MF_MODE_MANUAL},
        {MF_MODE_HOLD, MF_EV_ARMED, MF_MODE_MANUAL},
        {MF_MODE_LAND, MF_EV_ARMED, MF_MODE_MANUAL},
        {MF_MODE_RTL, MF_EV_ARMED, MF_MODE_MANUAL},
        {MF_MODE_DESCEND, MF_EV_ARMED, MF_MODE_MANUAL},
        {MF_MODE_TAKEOFF, MF_EV_TAKEOFF_DONE, MF_MODE_HOLD},
        {MF_MODE_MISSION, MF_EV_MISSION_DONE, MF_MODE_HOLD},
        {MF_MODE_MISSION, MF_EV_MISSION_RTL, MF_MODE_RTL},
        {MF_MODE_RTL, MF_EV_ABOVE_HOME, MF_MODE_LAND},
        {MF_MODE_TAKEOFF, MF_EV_TARGET_REFUSED, MF_MODE_HOLD},
        {MF_MODE_MISSION, MF_EV_TARGET_REFUSED, MF_MODE_HOLD},
        {MF_MODE_RTL, MF_EV_TARGET_REFUSED, MF_MODE_HOLD},
        {MF_MODE_ORBIT, MF_EV_TARGET_REFUSED, MF_MODE_HOLD},
        {MF_MODE_FOLLOW, MF_EV_TARGET_REFUSED, MF_MODE_HOLD},
    };
    static const int k_failsafe[] = {MF_MODE_ALTCTL, MF_MODE_HOLD, MF_MODE_RTL, MF_MODE_LAND,
                                     MF_MODE_DESCEND};
    (void)state;
    for (int from = 0; from < MF_MODE_COUNT; from++) {
        for (int event = 0; event < MF_EV_REQUEST; event++) {
            int expected = MF_E_DENIED;
            if (event >= MF_EV_FAILSAFE_ALTITUDE && event <= MF_EV_FAILSAFE_DESCEND &&
                from != MF_MODE_TERMINATION) {
                expected = k_failsafe[event - MF_EV_FAILSAFE_ALTITUDE];
            }
            if (event == MF_EV_TERMINATED) {
                expected = MF_MODE_TERMINATION;
            } else if (event == MF_EV_DISARMED && from != MF_MODE_TERMINATION) {
                expected = MF_MODE_HOLD;
            }
            for (size_t i = 0; i < sizeof k_named / sizeof k_named[0]; i++) {
                if ((int)k_named[i].from == from && (int)k_named[i].event == event) {
                    expected = (int)k_named[i].to;
                }
            }
            assert_int_equal(mf_mode_next((enum mf_mode)from, (enum mf_event)event), expected);
        }
    }
}

static void test_requests(void **state)
{
    (void)state;
    for (int from = 0; from < MF_MODE_COUNT; from++) {
        for (int to = 0; to < MF_MODE_COUNT; to++) {
            const bool possible =
                from != MF_MODE_TERMINATION && to != MF_MODE_TERMINATION && to != MF_MODE_DESCEND;
            const int got =
                mf_mode_next((enum mf_mode)from, (enum mf_event)((int)MF_EV_REQUEST + to));
            assert_int_equal(got, possible ? to : MF_E_DENIED);
        }
    }
}

static void test_needs_have_texts(void **state)
{
    (void)state;
    for (unsigned need = 1; need <= MF_NEED_SETPOINT; need <<= 1) {
        assert_true(strlen(mf_need_text(need)) > 0);
    }
    assert_string_equal(mf_need_text(0), "");
    assert_string_equal(mf_need_text(MF_NEED_MISSION | MF_NEED_MANUAL),
                        mf_need_text(MF_NEED_MISSION));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim034_custom_modes_are_px4s),
        cmocka_unit_test(test_sim033_modes_from_numbers),
        cmocka_unit_test(test_sim035_all_transitions),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_needs_have_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
