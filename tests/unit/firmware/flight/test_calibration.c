/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration: its texts in order, and who may not have one. */
#include "firmware/report/encode.h"
#include "tests/unit/firmware/flight_fixture.h"

enum { A = 0, T = 1, D = 2, U = 3 };

static const struct mf_options k_default;

/* Lets time pass until nothing more is said. */
static void finish(void)
{
    for (int i = 0; i < 20; i++) {
        mf_mock_advance(&fx.mock, 150000);
        (void)mf_vehicle_step(&fx.v);
    }
    assert_false(mf_calibration_runs(&fx.v.calibration));
}

/* The texts that were sent, in order. */
static void expect_texts(const char *const *texts)
{
    struct mf_msg_statustext m;
    for (; *texts != NULL; texts++) {
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_STATUSTEXT, &m));
        assert_int_equal(strncmp(m.text, *texts, sizeof m.text), 0);
    }
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
}

static void test_gyro(void **state)
{
    static const char *const k_texts[] = {"[cal] calibration started: 2 gyro",
                                          "[cal] progress <0>",
                                          "[cal] progress <16>",
                                          "[cal] progress <33>",
                                          "[cal] progress <50>",
                                          "[cal] progress <66>",
                                          "[cal] progress <83>",
                                          "[cal] progress <100>",
                                          "[cal] calibration done: gyro",
                                          NULL};
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, (const float[7]){1, NAN, NAN, NAN, NAN, NAN, NAN}), A);
    finish();
    expect_texts(k_texts);
}

static void test_accelerometer_asks_for_all_sides(void **state)
{
    static const char *const k_begin[] = {"[cal] calibration started: 2 accel",
                                          "[cal] progress <0>",
                                          "[cal] pending: back front right left up down",
                                          "[cal] hold vehicle still on a pending side", NULL};
    static const char *const k_first[] = {
        "[cal] down orientation detected", "[cal] down side done, rotate to a different side",
        "[cal] progress <16>", "[cal] pending: back front right left up", NULL};
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, (const float[7]){0, 0, 0, 0, 1}), A);
    expect_texts(k_begin);
    mf_mock_advance(&fx.mock, 150000);
    (void)mf_vehicle_step(&fx.v);
    expect_texts(k_first);
    finish();
    assert_true(fx_said("[cal] back side done"));
    assert_true(fx_said("[cal] progress <100>"));
    assert_true(fx_said("[cal] calibration done: accel"));
}

static void test_kinds(void **state)
{
    static const struct {
        float param[7];
        uint8_t result;
        const char *done;
    } k_case[] = {
        {{1}, A, "gyro"},
        {{0, 1}, A, "mag"},
        {{0, 0, 1}, A, "baro"},
        {{0, 0, 0, 0, 2}, A, "level"},
        {{0, 0, 0, 0, 4}, A, "accel"},
        {{3}, U, NULL},
        {{0, 0, 0, 1}, U, NULL},
        {{0, 0, 0, 0, 0, 1}, U, NULL},
        {{0.5f}, U, NULL},
        {{-1}, U, NULL},
        {{INFINITY}, U, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_boot(k_default);
        assert_int_equal(fx_command(241, k_case[i].param), k_case[i].result);
        assert_int_equal(mf_calibration_runs(&fx.v.calibration), k_case[i].done != NULL);
        finish();
        if (k_case[i].done != NULL) {
            char text[64] = "[cal] calibration done: ";
            strncat(text, k_case[i].done, 16);
            assert_true(fx_said(text));
        } else {
            assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
        }
    }
}

/* ArduPilot's, and what PX4 leaves unanswered. */
static void test_other_commands_for_sensors_are_answered(void **state)
{
    static const uint16_t k_command[] = {242, 243, 42424, 42425, 42426};
    (void)state;
    (void)fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_command / sizeof k_command[0]; i++) {
        assert_int_equal(fx_command(k_command[i], NO_PARAMS), U);
    }
}

static void test_cancel(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, NO_PARAMS), A); /* there is nothing to cancel, nor to tell */
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    assert_int_equal(fx_command(241, (const float[7]){0, 1}), A);
    assert_int_equal(fx_command(241, (const float[7]){1}), T); /* one at a time */
    mf_mock_advance(&fx.mock, 320000);
    (void)mf_vehicle_step(&fx.v);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(241, NANS), A);
    mf_mock_advance(&fx.mock, 140000);
    assert_int_equal(fx_command(241, NANS), A); /* asked again, it comes no later */
    assert_false(fx_said("[cal]"));             /* MAVSDK must have its answer first */
    mf_mock_advance(&fx.mock, 10000);
    (void)mf_vehicle_step(&fx.v);
    assert_true(fx_said("[cal] calibration cancelled"));
    mf_mock_clear(&fx.mock, 0);
    finish();
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    assert_int_equal(fx_command(241, (const float[7]){1}), A); /* and then another */
    finish();
    assert_true(fx_said("[cal] calibration done: gyro"));
}

static void test_the_sensors_do_it(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, (const float[7]){0, 1}), A);
    assert_int_equal(fx.mock.calibrates, MF_CALIBRATES_MAG_SIDES);
    assert_int_equal(fx_command(241, NANS), A);
    assert_int_equal(fx.mock.calibrates, MF_CALIBRATES_NOTHING);
    finish();
    mf_mock_clear(&fx.mock, 0);
    fx.mock.calibration_err = MF_E_NOSUPP; /* a board without */
    assert_int_equal(fx_command(241, (const float[7]){1}), U);
    assert_false(mf_calibration_runs(&fx.v.calibration));
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    fx.mock.calibration_err = MF_E_OK;
    fx.mock.calibration_fails = true;
    assert_int_equal(fx_command(241, (const float[7]){1}), A);
    assert_true(fx_said("[cal] calibration failed: sensor"));
    assert_false(mf_calibration_runs(&fx.v.calibration));
}

static void test_not_while_armed_and_no_arming_meanwhile(void **state)
{
    struct mf_msg_heartbeat m;
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, (const float[7]){1}), A);
    assert_int_equal(fx_command(400, ARM), T);
    assert_true(fx_named("Preflight Fail: calibration"));
    mf_mock_clear(&fx.mock, 0);
    mf_encode_heartbeat(&fx.v, &m);
    assert_int_equal(m.system_status, MAV_STATE_CALIBRATING);
    finish();
    assert_int_equal(fx_command(400, ARM), A);
    assert_int_equal(fx_command(241, (const float[7]){1}), T);
    assert_true(fx_said("[cal] calibration failed: armed"));
}

/* Which ones are done side by side, and what is left after each side. */
static void test_sides_are_asked_for_where_they_are_measured(void **state)
{
    static const struct {
        float param[7];
        bool sides;
    } k_case[] = {
        {{1}, false},
        {{0, 1}, true},
        {{0, 0, 1}, false},
        {{0, 0, 0, 0, 1}, true},
        {{0, 0, 0, 0, 2}, false},
        {{0, 0, 0, 0, 4}, false},
    };
    static const char *const k_left[] = {
        "[cal] pending: back front right left up down",
        "[cal] pending: back front right left up",
        "[cal] pending: back front right left",
        "[cal] pending: back front right",
        "[cal] pending: back front",
        "[cal] pending: back",
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_msg_statustext m;
        size_t pending = 0;
        (void)fx_boot(k_default);
        assert_int_equal(fx_command(241, k_case[i].param), A);
        finish();
        while (mf_mock_take(&fx.mock, 0, MF_MSG_STATUSTEXT, &m)) {
            if (strncmp(m.text, "[cal] pending", 13) == 0) {
                assert_true(pending < 6);
                assert_int_equal(strncmp(m.text, k_left[pending++], sizeof m.text), 0);
            }
        }
        assert_int_equal(pending, k_case[i].sides ? 6 : 0);
    }
}

/* A driver may set more than the six bits that have a side: as if it had not. */
static void test_bits_without_a_side_are_no_progress(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.calibration_bits = 0xC0;
    assert_int_equal(fx_command(241, (const float[7]){1}), A);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 2); /* it began, and 0 % */
    finish();
    assert_true(fx_said("[cal] progress <100>"));
    assert_true(fx_said("[cal] calibration done: gyro"));
}

/* ---- the module alone: its state and the sensors ---- */

static void test_only_what_changes_something_has_the_task_run(void **state)
{
    static const float k_gyro[7] = {1.0f};
    static const float k_none[8] = {[7] = 1.0f}; /* the last one is no parameter */
    struct mf_calibration c = {.what = 0};
    static struct mf_mock mock; /* of megabytes */
    mf_us_t run_us = 0;
    (void)state;
    mf_mock_init(&mock);
    const struct mf_hal hal = mf_mock_hal(&mock);
    assert_int_equal(mf_calibration_begin(&c, &hal, k_none, 5, &run_us), MF_E_OK);
    assert_true(run_us == MF_NEVER); /* there is none to cancel */
    assert_int_equal(mf_calibration_begin(&c, &hal, k_gyro, 6, &run_us), MF_E_OK);
    assert_true(run_us == 6 && mf_calibration_runs(&c));
    assert_int_equal(mf_calibration_begin(&c, &hal, k_gyro, 7, &run_us), MF_E_AGAIN);
    assert_true(run_us == MF_NEVER);
    assert_int_equal(mf_calibration_begin(&c, &hal, k_none, 8, &run_us), MF_E_OK);
    assert_true(run_us == 8 && c.cancelled);
    assert_int_equal(mf_calibration_begin(&c, &hal, k_none, 9, &run_us), MF_E_OK);
    assert_true(run_us == MF_NEVER && mf_calibration_runs(&c)); /* its end is not told twice */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gyro),
        cmocka_unit_test(test_accelerometer_asks_for_all_sides),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_other_commands_for_sensors_are_answered),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_the_sensors_do_it),
        cmocka_unit_test(test_not_while_armed_and_no_arming_meanwhile),
        cmocka_unit_test(test_only_what_changes_something_has_the_task_run),
        cmocka_unit_test(test_sides_are_asked_for_where_they_are_measured),
        cmocka_unit_test(test_bits_without_a_side_are_no_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
