/* SPDX-License-Identifier: Apache-2.0 */
/* The decision alone, without a vehicle: causes, parameters and users against each other. */
#include "firmware/core/param.h"
#include "firmware/flight/failsafe.h"
#include "firmware/state/vehicle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define BIT(cause) (1u << MF_CAUSE_##cause)

static const struct mf_options k_default;

static struct {
    struct mf_failsafe f;
    struct mf_params p;
    struct mf_inputs s;
    uint8_t causes;
} g;

static int setup(void **state)
{
    (void)state;
    g.f = (struct mf_failsafe){.intended = MF_MODE_MISSION, .act_us = MF_NEVER};
    g.s = (struct mf_inputs){.had_manual = false};
    mf_param_reset(&g.p, &k_default);
    return 0;
}

static void set(const char *name, double value)
{
    assert_true(mf_param_launch(&g.p, name, value) >= 0);
}

static enum mf_action wanted(void)
{
    return mf_failsafe_wanted(&g.f, &g.p, &g.s, &g.causes);
}

static void test_a_cause_is_news_once(void **state)
{
    (void)state;
    assert_int_equal(wanted(), MF_ACTION_NONE);
    assert_int_equal(g.causes, 0);
    assert_false(mf_failsafe_report(&g.f, MF_CAUSE_FENCE, false));
    assert_true(mf_failsafe_report(&g.f, MF_CAUSE_FENCE, true));
    assert_false(mf_failsafe_report(&g.f, MF_CAUSE_FENCE, true));
    assert_true(mf_failsafe_report(&g.f, MF_CAUSE_FENCE, false));
    assert_int_equal(g.f.present, 0);
}

static void test_the_strongest_action_counts_and_names_its_causes(void **state)
{
    (void)state;
    set("NAV_DLL_ACT", 2); /* return */
    set("NAV_RCL_ACT", 2);
    set("GF_ACTION", 1); /* warn */
    (void)mf_failsafe_report(&g.f, MF_CAUSE_FENCE, true);
    assert_int_equal(wanted(), MF_ACTION_WARN);
    assert_int_equal(g.causes, BIT(FENCE));
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_MANUAL_LOST, true);
    assert_int_equal(wanted(), MF_ACTION_RTL);
    assert_int_equal(g.causes, BIT(GCS_LOST) | BIT(MANUAL_LOST));
    (void)mf_failsafe_report(&g.f, MF_CAUSE_POSITION, true);
    assert_int_equal(wanted(), MF_ACTION_DESCEND);
    assert_int_equal(g.causes, BIT(POSITION));
}

/* PX4: lost sticks matter neither in a return nor in a landing. */
static void test_lost_sticks_by_the_mode_that_was_intended(void **state)
{
    static const struct {
        enum mf_mode mode;
        enum mf_action action;
    } k_case[] = {
        {MF_MODE_MISSION, MF_ACTION_LAND}, {MF_MODE_HOLD, MF_ACTION_LAND},
        {MF_MODE_POSCTL, MF_ACTION_LAND},  {MF_MODE_RTL, MF_ACTION_WARN},
        {MF_MODE_LAND, MF_ACTION_WARN},
    };
    (void)state;
    set("NAV_RCL_ACT", 3);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_MANUAL_LOST, true);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        g.f.intended = (uint8_t)k_case[i].mode;
        assert_int_equal(wanted(), k_case[i].action);
    }
}

/* A pilot goes on by altitude where the sticks are there; modes of position descend. */
static void test_a_lost_position_by_the_mode_that_was_intended(void **state)
{
    static const struct {
        enum mf_mode mode;
        bool sticks, attitude;
        enum mf_action action;
    } k_case[] = {
        {MF_MODE_HOLD, true, false, MF_ACTION_DESCEND},
        {MF_MODE_POSCTL, true, false, MF_ACTION_ALTITUDE},
        {MF_MODE_POSCTL, false, false, MF_ACTION_DESCEND},
        {MF_MODE_ALTCTL, false, false, MF_ACTION_WARN},
        {MF_MODE_STABILIZED, true, false, MF_ACTION_WARN},
        {MF_MODE_OFFBOARD, false, false, MF_ACTION_DESCEND},
        {MF_MODE_OFFBOARD, false, true, MF_ACTION_WARN},
    };
    (void)state;
    (void)mf_failsafe_report(&g.f, MF_CAUSE_POSITION, true);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        g.f.intended = (uint8_t)k_case[i].mode;
        g.s.manual.live = k_case[i].sticks;
        g.s.attitude.flown = k_case[i].attitude;
        assert_int_equal(wanted(), k_case[i].action);
    }
}

/* COM_OBL_RC_ACT hands over to sticks that are not there with 0 to 2, and -1 and 8 are no actions:
 * then NAV_RCL_ACT decides. */
static void test_lost_setpoints_by_parameter(void **state)
{
    static const struct {
        int32_t value;
        enum mf_action action;
    } k_case[] = {
        {-1, MF_ACTION_HOLD},     {0, MF_ACTION_HOLD},   {1, MF_ACTION_HOLD},
        {2, MF_ACTION_HOLD},      {3, MF_ACTION_RTL},    {4, MF_ACTION_LAND},
        {6, MF_ACTION_TERMINATE}, {7, MF_ACTION_DISARM}, {8, MF_ACTION_HOLD},
    };
    (void)state;
    set("NAV_RCL_ACT", 1);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_OFFBOARD_LOST, true);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        set("COM_OBL_RC_ACT", k_case[i].value);
        assert_int_equal(wanted(), k_case[i].action);
    }
    set("NAV_RCL_ACT", 3);
    set("COM_OBL_RC_ACT", 5);
    assert_int_equal(wanted(), MF_ACTION_HOLD);
}

static void test_exceptions_warn_only(void **state)
{
    (void)state;
    set("NAV_DLL_ACT", 5);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    for (int i = 0; i < 8; i++) { /* 1: mission, 2: hold, 4: offboard */
        set("COM_DLL_EXCEPT", i);
        g.f.intended = MF_MODE_MISSION;
        assert_int_equal(wanted(), (i & 1) != 0 ? MF_ACTION_WARN : MF_ACTION_TERMINATE);
        g.f.intended = MF_MODE_HOLD;
        assert_int_equal(wanted(), (i & 2) != 0 ? MF_ACTION_WARN : MF_ACTION_TERMINATE);
        g.f.intended = MF_MODE_OFFBOARD;
        assert_int_equal(wanted(), (i & 4) != 0 ? MF_ACTION_WARN : MF_ACTION_TERMINATE);
        g.f.intended = MF_MODE_RTL;
        assert_int_equal(wanted(), MF_ACTION_TERMINATE);
    }
}

/* What is latched and over keeps what is done, and asks for no more. */
static void test_a_cause_that_is_over_asks_for_no_more_than_is_done(void **state)
{
    (void)state;
    set("NAV_DLL_ACT", 2);
    g.f.latched = BIT(GCS_LOST);
    g.f.action = MF_ACTION_HOLD;
    assert_int_equal(wanted(), MF_ACTION_HOLD);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    assert_int_equal(wanted(), MF_ACTION_RTL);
}

static void test_a_user_has_the_last_word_until_the_cause_changes(void **state)
{
    const struct mf_commander c = {.mode = MF_MODE_POSCTL, .failsafe = false};
    (void)state;
    set("NAV_DLL_ACT", 2);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    g.f.act_us = 7;
    mf_failsafe_take_over(&g.f, &g.p, &c);
    assert_int_equal(wanted(), MF_ACTION_NONE);
    assert_int_equal(g.f.intended, MF_MODE_POSCTL);
    assert_true(g.f.act_us == MF_NEVER);
    assert_true(mf_failsafe_recount(&g.f, MF_CAUSE_GCS_LOST));
    assert_false(mf_failsafe_recount(&g.f, MF_CAUSE_FENCE));
    assert_int_equal(wanted(), MF_ACTION_RTL);
    mf_failsafe_take_over(&g.f, &g.p, &c);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, false);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    assert_int_equal(wanted(), MF_ACTION_RTL);
}

/* In an exception nothing was taken over from: the cause counts in the next mode. */
static void test_a_user_in_an_excepted_mode_takes_over_from_nothing(void **state)
{
    const struct mf_commander c = {.mode = MF_MODE_HOLD, .failsafe = false};
    (void)state;
    set("NAV_DLL_ACT", 2);
    set("COM_DLL_EXCEPT", 2);
    (void)mf_failsafe_report(&g.f, MF_CAUSE_GCS_LOST, true);
    mf_failsafe_take_over(&g.f, &g.p, &c);
    assert_int_equal(g.f.ignored, 0);
    g.f.intended = MF_MODE_POSCTL;
    assert_int_equal(wanted(), MF_ACTION_RTL);
}

static void test_clearing_keeps_what_is_wrong(void **state)
{
    (void)state;
    g.f = (struct mf_failsafe){
        .present = 5, .latched = 2, .ignored = 1, .action = MF_ACTION_RTL, .act_us = 9};
    mf_failsafe_clear(&g.f);
    assert_true(g.f.present == 5 && g.f.latched == 0 && g.f.ignored == 0);
    assert_true(g.f.action == MF_ACTION_NONE && g.f.act_us == MF_NEVER);
}

#define T(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_a_cause_is_news_once),
        T(test_the_strongest_action_counts_and_names_its_causes),
        T(test_lost_sticks_by_the_mode_that_was_intended),
        T(test_a_lost_position_by_the_mode_that_was_intended),
        T(test_lost_setpoints_by_parameter),
        T(test_exceptions_warn_only),
        T(test_a_cause_that_is_over_asks_for_no_more_than_is_done),
        T(test_a_user_has_the_last_word_until_the_cause_changes),
        T(test_a_user_in_an_excepted_mode_takes_over_from_nothing),
        T(test_clearing_keeps_what_is_wrong),
    };
    return cmocka_run_group_tests_name("failsafe", tests, NULL, NULL);
}
