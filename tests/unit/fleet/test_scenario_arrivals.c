/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/scenario_arrivals.h: the moments of a Poisson process by hand, and what is refused. */
#include "fleet/scenario_arrivals.h"

#include "fleet/place.h"
#include "fleet/scenario.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario s_scenario;

static int try_text(const char *text, char *error)
{
    const struct mf_scenario_given none = {0};
    mf_scenario_free(&s_scenario);
    return mf_scenario_read("s", text, strlen(text), &none, &s_scenario, error);
}

static void read_text(const char *text)
{
    char error[MF_KEYS_ERROR_MAX];
    if (try_text(text, error) != MF_E_OK) {
        fail_msg("%s", error);
    }
}

/* UTM-01: six a minute are 60 in ten minutes, with a variance of 60. The variance of a mean of 400
 * is 60 / 400; that of a variance is (60 + 2 * 60^2) / 400. Three deviations of each. */
static void test_utm01_counts_are_poisson(void **state)
{
    double sum = 0.0, squares = 0.0;
    (void)state;
    read_text("{swarm: 1, entities: [{count: 200, arrivals: {per_minute: 6, plan: x.plan}}]}");
    for (uint64_t seed = 1; seed <= 400; seed++) {
        mf_us_t at_us = 0;
        uint32_t n = 0;
        s_scenario.seed = seed;
        for (; n < 200; n++) {
            at_us += mf_arrival_gap_us(&s_scenario, n);
            if (at_us > 600 * MF_SECOND_US) {
                break;
            }
        }
        assert_true(n < 200);
        sum += n;
        squares += (double)n * n;
    }
    const double mean = sum / 400.0, variance = (squares - sum * mean) / 399.0;
    assert_true(fabs(mean - 60.0) < 3.0 * sqrt(60.0 / 400.0));
    assert_true(fabs(variance - 60.0) < 3.0 * sqrt(7260.0 / 400.0));
}

/* UTM-01: 20,000 gaps of 10 s on average in 20 bins of equal chance, whose bounds are
 * -10 ln(1 - k / 20). Chi square with 19 degrees of freedom is 19 +- 3 * sqrt(38); neighbouring
 * gaps have no correlation: 0 +- 3 / sqrt(20000). */
static void test_utm01_gaps_are_exponential(void **state)
{
    uint32_t bin[20] = {0};
    double chi2 = 0.0, product = 0.0, before_s = 10.0;
    (void)state;
    read_text("{swarm: 1, entities: [{count: 20000, arrivals: {per_minute: 6, plan: x.plan}}]}");
    for (uint32_t i = 0; i < 20000; i++) {
        const double gap_s = (double)mf_arrival_gap_us(&s_scenario, i) / 1e6;
        uint32_t k = 0;
        while (k < 19 && gap_s > -10.0 * log(1.0 - (k + 1) / 20.0)) {
            k++;
        }
        bin[k]++;
        product += (gap_s - 10.0) * (before_s - 10.0);
        before_s = gap_s;
    }
    for (uint32_t k = 0; k < 20; k++) {
        chi2 += pow((double)bin[k] - 1000.0, 2) / 1000.0;
    }
    assert_true(chi2 > 19.0 - 3.0 * sqrt(38.0) && chi2 < 19.0 + 3.0 * sqrt(38.0));
    assert_true(fabs(product / (20000.0 * 100.0)) < 3.0 / sqrt(20000.0));
}

/* UTM-01: an L of three squares of 100 m: each has a third of 3,000 +- 3 sqrt(3000 * 2 / 9). */
static void test_utm01_places_are_even_within_the_area(void **state)
{
    uint32_t in[3] = {0};
    (void)state;
    read_text("{swarm: 1, entities: [{count: 3000, arrivals: {per_minute: 6, plan: x.plan, in: "
              "[[0, 0], [200, 0], [200, 100], [100, 100], [100, 200], [0, 200]]}}]}");
    for (uint32_t i = 0; i < 3000; i++) {
        double neu_m[3];
        mf_place_local(&s_scenario, i, neu_m);
        const bool low = neu_m[0] >= 0.0 && neu_m[0] <= 100.0;
        const bool west = neu_m[1] >= 0.0 && neu_m[1] <= 100.0;
        assert_true((low && neu_m[1] >= 0.0 && neu_m[1] <= 200.0) ||
                    (west && neu_m[0] >= 0.0 && neu_m[0] <= 200.0));
        assert_true(neu_m[2] == 0.0);
        in[low && west ? 0 : low ? 1 : 2]++;
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs((double)in[k] - 1000.0) < 3.0 * sqrt(3000.0 * 2.0 / 9.0));
    }
}

/* UTM-01: of four plans each has a quarter; a member's chance is its own. */
static void test_utm01_plans_are_chosen_evenly(void **state)
{
    uint32_t flies[4] = {0};
    mf_us_t gap_us[2];
    (void)state;
    read_text(
        "{swarm: 1, entities: [{count: 4000, arrivals: {per_minute: 60, plan: [a, b, c, d]}}]}");
    for (uint32_t i = 0; i < 4000; i++) {
        assert_true(mf_arrival_plan(&s_scenario, i) < 4);
        flies[mf_arrival_plan(&s_scenario, i)]++;
    }
    for (int k = 0; k < 4; k++) {
        assert_true(fabs((double)flies[k] - 1000.0) < 3.0 * sqrt(4000.0 * 3.0 / 16.0));
    }
    gap_us[0] = mf_arrival_gap_us(&s_scenario, 7);
    read_text("{swarm: 1, entities: [{count: 8, arrivals: {per_minute: 60, plan: a}}, {name: z}]}");
    gap_us[1] = mf_arrival_gap_us(&s_scenario, 7);
    assert_int_equal(gap_us[0], gap_us[1]);
    s_scenario.seed = 2;
    assert_int_not_equal(gap_us[0], mf_arrival_gap_us(&s_scenario, 7));
}

static void must_refuse(const char *entity, const char *data)
{
    char text[1024], error[MF_KEYS_ERROR_MAX] = "";
    (void)snprintf(text, sizeof text, "swarm: 1\nentities:\n  - %s\n", entity);
    assert_int_not_equal(try_text(text, error), MF_E_OK);
    assert_names(error, "s 3");
    assert_names(error, data);
}

static void test_utm01_bad_input_is_refused(void **state)
{
    (void)state;
    must_refuse("{arrivals: {per_minute: -1, plan: a}}",
                "entities.0.arrivals.per_minute -1 0.001 1000000");
    must_refuse("{arrivals: {per_minute: 0, plan: a}}",
                "entities.0.arrivals.per_minute 0 0.001 1000000");
    must_refuse("{arrivals: {per_minute: .nan, plan: a}}",
                "entities.0.arrivals.per_minute .nan 0.001 1000000");
    must_refuse("{arrivals: {plan: a}}", "entity1 arrivals per_minute");
    must_refuse("{arrivals: {per_minute: 6}}", "entity1 arrivals plan");
    must_refuse("{arrivals: {per_minute: 6, plan: []}}", "entities.0.arrivals.plan 1 16");
    must_refuse("{arrivals: {per_minute: 6, plan: ['']}}", "entities.0.arrivals.plan file 200");
    must_refuse("{arrivals: {per_minute: 6, plan: a, in: [[0, 0], [5, 5]]}}",
                "entities.0.arrivals.in 3 64");
    must_refuse("{arrivals: {per_minute: 6, plan: a, in: [[0, 0], [5, 5], [9, 9]]}}",
                "entity1 arrivals.in line");
    must_refuse("{arrivals: {per_minute: 6, plan: a, in: [[0, 0], [0, 5], [0, 9]]}}",
                "entity1 arrivals.in line");
    must_refuse("{arrivals: {per_minute: 6, plan: a}, as: ghost}",
                "entity1 arrivals vehicles agents arrivals.plan");
    must_refuse(
        "{arrivals: {per_minute: 6, plan: a}, as: agent, body: {kind: bee, compat: simbeeotic}}",
        "entity1 arrivals ground body");
    must_refuse("{arrivals: {per_minute: 6, plan: a}, plan: b}",
                "entity1 arrivals vehicles agents arrivals.plan");
    must_refuse("{arrivals: {per_minute: 6, plan: a}, behaviour: walk}",
                "entity1 arrivals vehicles agents arrivals.plan");
    must_refuse("{arrivals: {per_minute: 6, plan: a}, place: [1, 2]}",
                "entity1 arrivals arrivals.in place");
    must_refuse("{arrivals: {per_minute: 6, plan: a}, body: {kind: bee}}",
                "entity1 arrivals body arrivals.in");
    must_refuse("{arrivals: {often: 6, plan: a}}", "entities.0.arrivals often");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utm01_counts_are_poisson),
        cmocka_unit_test(test_utm01_gaps_are_exponential),
        cmocka_unit_test(test_utm01_places_are_even_within_the_area),
        cmocka_unit_test(test_utm01_plans_are_chosen_evenly),
        cmocka_unit_test(test_utm01_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
