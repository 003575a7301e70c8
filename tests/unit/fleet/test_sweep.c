/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/sweep.h: the runs of a sweep, and the values of each. */
#include "fleet/scenario.h"
#include "fleet/sweep.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario s_scenario;

static int read_more(const char *more, const struct mf_scenario_given *given, char *error)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "swarm: 1\nseed: 5\nentities: [{name: a}]\n%s", more);
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("s.yaml", text, strlen(text), given, &s_scenario, error);
}

static void must_read(const char *more)
{
    const struct mf_scenario_given none = {0};
    char error[MF_KEYS_ERROR_MAX] = "";
    if (read_more(more, &none, error) != MF_E_OK) {
        fail_msg("%s", error);
    }
}

static void assert_value(uint32_t run, uint32_t range, const char *wanted)
{
    char text[MF_SCENARIO_VALUE_MAX];
    mf_sweep_value(&s_scenario, run, range, text);
    assert_string_equal(text, wanted);
}

/* SBE-01: 2 variations, 3 numbers, 2 words: the last changes fastest. */
static void test_sbe01_runs_are_counted_like_digits(void **state)
{
    (void)state;
    must_read("variations: {x: {}, y: {}}\n"
              "sweep: {over: variations, for: {time.end: [1, 2, 0.5]}, each: {W: [p, q]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 12);
    static const char *const k_end[] = {"1", "1", "1.5", "1.5", "2", "2"};
    for (uint32_t run = 0; run < 12; run++) {
        assert_int_equal(mf_sweep_variation(&s_scenario, run), run / 6);
        assert_value(run, 0, k_end[run % 6]);
        assert_value(run, 1, run % 2 == 0 ? "p" : "q");
    }
    must_read("");
    assert_int_equal(mf_sweep_runs(&s_scenario), 1);
    assert_int_equal(mf_sweep_variation(&s_scenario, 0), 0);
}

/* SBE-01: runs of one setting differ by seeds and draws: of 2 variations, 3 seeds and 2 words there
 * are 4 settings, of one variation and 5 draws one. */
static void test_runs_of_one_setting(void **state)
{
    static const uint32_t k_setting[] = {0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3};
    (void)state;
    must_read("variations: {x: {}, y: {}}\n"
              "sweep: {over: variations, for: {seed: [1, 3]}, each: {W: [p, q]}}\n");
    assert_true(mf_sweep_repeats(&s_scenario, 0) && !mf_sweep_repeats(&s_scenario, 1));
    for (uint32_t run = 0; run < 12; run++) {
        assert_int_equal(mf_sweep_setting(&s_scenario, run), k_setting[run]);
    }
    must_read("sweep: {uniform: {time.end: [1, 2]}, count: 5}\n");
    assert_true(mf_sweep_repeats(&s_scenario, 0));
    for (uint32_t run = 0; run < 5; run++) {
        assert_int_equal(mf_sweep_setting(&s_scenario, run), 0);
    }
}

/* 0.1 + 0.2 is not 0.3, but a range of three tenths has four values. */
static void test_rounding_loses_no_value_of_a_range(void **state)
{
    (void)state;
    must_read("sweep: {for: {time.end: [0.1, 0.4, 0.1]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 4);
    assert_value(2, 0, "0.3");
    assert_value(3, 0, "0.4");
}

/* Draw after draw a new value, which depends on the seed and on the draw alone. */
static void test_draws_are_those_of_the_seed(void **state)
{
    (void)state;
    char text[MF_SCENARIO_VALUE_MAX], again[MF_SCENARIO_VALUE_MAX];
    const char more[] = "variations: {x: {}, y: {}}\n"
                        "sweep: {over: variations, uniform: {time.end: [3, 4]}, count: 50}\n";
    must_read(more);
    assert_int_equal(mf_sweep_runs(&s_scenario), 100);
    double sum = 0.0;
    for (uint32_t run = 0; run < 50; run++) {
        mf_sweep_value(&s_scenario, run, 0, text);
        mf_sweep_value(&s_scenario, run + 50, 0, again);
        assert_string_equal(text, again);
        const double value = strtod(text, NULL);
        assert_true(value >= 3.0 && value < 4.0);
        sum += value;
    }
    /* the mean of 50 has a deviation of 1 / sqrt(12 * 50) = 0.041 */
    assert_true(sum / 50.0 > 3.5 - 0.2 && sum / 50.0 < 3.5 + 0.2);
    s_scenario.seed = 6;
    mf_sweep_value(&s_scenario, 0, 0, text);
    mf_sweep_value(&s_scenario, 49, 0, again);
    assert_string_not_equal(text, again);
}

/* --set gives a parameter by its dotted key, in place of the file's parameter or in addition to it.
 */
static void test_dotted_keys_reach_into_maps_of_names(void **state)
{
    (void)state;
    char error[MF_KEYS_ERROR_MAX] = "";
    const char *const sets[] = {"entities.0.params.MPC_XY_CRUISE=7",
                                "entities.0.settings.battery.capacity=3000",
                                "sweep.for.seed=[2, 4]"};
    const struct mf_scenario_given given = {.set = sets, .sets = 3};
    assert_int_equal(read_more("sweep: {for: {seed: [1, 9]}}\n", &given, error), MF_E_OK);
    assert_int_equal(s_scenario.entity[0].params, 1);
    assert_string_equal(s_scenario.entity[0].param[0].name, "MPC_XY_CRUISE");
    assert_true(s_scenario.entity[0].param[0].value == 7.0);
    assert_string_equal(s_scenario.entity[0].setting[0].name, "battery.capacity");
    assert_int_equal(mf_sweep_runs(&s_scenario), 3);
    assert_value(0, 0, "2");
    const char *const wrong[] = {"entities.0.params.MPC_XY_CRUISE=fast"};
    const struct mf_scenario_given bad = {.set = wrong, .sets = 1};
    assert_int_equal(read_more("", &bad, error), MF_E_RANGE);
    assert_names(error, "entities.0.params fast -1000000000000 1000000000000");
}

/* SBE-01: the reader refuses a sweep without runs, with too many, and with impossible values. */
static void test_sbe01_a_sweep_without_sense_is_refused(void **state)
{
    static const struct {
        const char *sweep, *names;
    } k[] = {
        {"{for: {time.end: [2, 1]}}", "s.yaml 4 time.end"},
        {"{for: {time.end: [1, 2, 0]}}", "s.yaml 4 time.end"},
        {"{for: {time.end: [1, 2, -1]}}", "s.yaml 4 time.end"},
        {"{for: {time.end: [1, 2, 1, 1]}}", "s.yaml 4"},
        {"{for: {time.end: [1]}}", "s.yaml 4"},
        {"{for: {time.end: [0, 2e12]}}", "s.yaml 4"},
        {"{for: {seed: [1, 100001]}}", "s.yaml 4 seed 100000"},
        {"{each: {W: []}}", "s.yaml 4 W"},
        {"{each: {W: p}}", "s.yaml 4 W"},
        {"{each: {W: [p, 'q,r']}}", "s.yaml 4 W"},
        {"{each: {W: ['']}}", "s.yaml 4 W"},
        {"{each: {'W=1': [p]}}", "s.yaml 4 W=1"},
        {"{uniform: {time.end: [4, 3]}, count: 2}", "s.yaml 4 time.end"},
        {"{uniform: {time.end: [3, 4, 5]}, count: 2}", "s.yaml 4"},
        {"{normal: {time.end: [3, -1]}, count: 2}", "s.yaml 4 time.end"},
        {"{normal: {time.end: [3, 1]}}", "s.yaml 1 count"},
        {"{for: {seed: [1, 2]}, count: 2}", "s.yaml 1 count"},
        {"{uniform: {time.end: [3, 4]}, count: 100001}", "s.yaml 4 sweep.count 100001 1 100000"},
        {"{for: {seed: [1, 2]}, each: {seed: [1, 2]}}", "s.yaml 4 seed"},
        {"{for: {seed: [1, 2], time.end: [1, 2]}, each: {time.end: [1, 2]}}", "s.yaml 4 time.end"},
        {"{over: variations}", "s.yaml 1"},
        {"{for: {seed: [1, 101], time.end: [1, 1000]}}", "s.yaml 1 100000"},
        {"{each: {A23456789A123456789A123456789A123456789A12345678: [p]}}", "s.yaml 4"},
    };
    const struct mf_scenario_given none = {0};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        char more[200], error[MF_KEYS_ERROR_MAX] = "";
        (void)snprintf(more, sizeof more, "sweep: %s\n", k[i].sweep);
        if (read_more(more, &none, error) == MF_E_OK) {
            fail_msg("%s", k[i].sweep);
        }
        assert_names(error, k[i].names);
    }
}

/* The smallest and the largest of each that makes sense. */
static void test_sbe01_limits_of_a_sweep(void **state)
{
    (void)state;
    must_read("sweep: {for: {time.end: [3, 3]}, each: {W: [p]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 1);
    assert_value(0, 0, "3");
    must_read("sweep: {uniform: {time.end: [3, 3]}, count: 1}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 1);
    assert_value(0, 0, "3");
    must_read("sweep: {normal: {time.end: [4, 0]}, count: 100000}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 100000);
    assert_value(99999, 0, "4");
    must_read("sweep: {for: {seed: [1, 100], time.end: [1, 1000]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 100000);
    must_read("sweep: {for: {seed: [1, 100000]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 100000);
    must_read("sweep: {each: {A23456789A123456789A123456789A123456789A1234567: [p, q]}}\n");
    assert_int_equal(mf_sweep_runs(&s_scenario), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe01_runs_are_counted_like_digits),
        cmocka_unit_test(test_runs_of_one_setting),
        cmocka_unit_test(test_rounding_loses_no_value_of_a_range),
        cmocka_unit_test(test_draws_are_those_of_the_seed),
        cmocka_unit_test(test_dotted_keys_reach_into_maps_of_names),
        cmocka_unit_test(test_sbe01_a_sweep_without_sense_is_refused),
        cmocka_unit_test(test_sbe01_limits_of_a_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
