/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/means.h: means and 95 % intervals of merged files, by hand. Quantiles of
 * Student's distribution are those of a printed table, t(0.975; 1) = 12.7062, t(0.975; 2) = 4.3027,
 * t(0.975; 3) = 3.1824. */
#include "boards/swarm/program/means.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#define REST     "entities: [{name: v}]\n"
#define FOUR     "sweep: {for: {seed: [1, 4]}}\n" REST
#define RUNS     "run,variation,seed,code,simulated_s,hash\n"
#define OF_SEEDS "variation,name,figure,runs,mean,low,high\n"

static char s_folder[] = "/tmp/test_means_XXXXXX";
static struct captured s_out;

static const char *path_of(const char *name)
{
    static char s_path[128];
    (void)snprintf(s_path, sizeof s_path, "%s/%s", s_folder, name);
    return s_path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int end(void **state)
{
    static const char *const k_name[] = {"runs.csv", "stats.csv", "counts.csv", "means.csv"};
    (void)state;
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        (void)remove(path_of(k_name[i]));
    }
    const int result = rmdir(s_folder);
    memset(s_folder + sizeof s_folder - 7u, 'X', 6);
    return result;
}

/* Write the means of the files. @return means.csv; "": the file is missing */
static const char *means(const char *scenario)
{
    static char s_text[4096];
    struct swarm *w = swarm_of(scenario);
    capture(&s_out, stdout);
    const int result = swarm_means(w, s_folder);
    (void)captured(&s_out);
    assert_int_equal(result, SWARM_OK);
    FILE *file = fopen(path_of("means.csv"), "r");
    s_text[0] = '\0';
    if (file != NULL) {
        s_text[fread(s_text, 1, sizeof s_text - 1u, file)] = '\0';
        (void)fclose(file);
    }
    return s_text;
}

/* UAV-12: mean 4, squares 4 + 0 + 0 + 4 = 8, variance 8 / 3, standard error sqrt(8 / 3 / 4) =
 * 0.8164965809, half of the interval 3.1824 * 0.8164965809 = 2.598418719. */
static void test_the_interval_of_four_seeds(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,2,a\n1,,2,0,4,b\n2,,3,0,4,c\n3,,4,0,6,d\n");
    assert_string_equal(means(FOUR), OF_SEEDS ",,simulated_s,4,4,1.40158128,6.59841872\n");
    assert_names(s_out.text, path_of("means.csv"));
}

/* The mean of one run lacks an interval: a spread needs two runs. */
static void test_one_run_has_no_interval(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,2.5,a\n");
    assert_string_equal(means("sweep: {for: {seed: [1, 1]}}\n" REST),
                        OF_SEEDS ",,simulated_s,1,2.5,,\n");
}

/* Equal values: the interval is a point. */
static void test_equal_runs_have_an_interval_of_no_width(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,7,a\n1,,2,0,7,b\n2,,3,0,7,c\n3,,4,0,7,d\n");
    assert_string_equal(means(FOUR), OF_SEEDS ",,simulated_s,4,7,7,7\n");
}

/* A setting is a line, in the order of runs: the first range changes last. Two runs m - d, m + d
 * have variance 2 d^2, standard error d and the interval m -+ 12.7062 d. */
static void test_settings_are_lines_in_the_order_of_runs(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,1,a\n1,,2,0,3,b\n2,,1,0,10,c\n3,,2,0,10,d\n"
                         "4,,1,0,20,e\n5,,2,0,40,f\n6,,1,0,0,g\n7,,2,0,1,h\n");
    assert_string_equal(
        means("sweep: {for: {entities.0.count: [5, 8, 3], seed: [1, 2]}, "
              "each: {time.clock: [fast, lockstep]}}\n" REST),
        "variation,entities.0.count,time.clock,name,figure,runs,mean,low,high\n"
        ",5,fast,,simulated_s,2,5.5,-51.6779,62.6779\n"          /* runs 0, 2: 1, 10; d = 4.5 */
        ",5,lockstep,,simulated_s,2,6.5,-37.9717,50.9717\n"      /* runs 1, 3: 3, 10; d = 3.5 */
        ",8,fast,,simulated_s,2,10,-117.062,137.062\n"           /* runs 4, 6: 20, 0; d = 10 */
        ",8,lockstep,,simulated_s,2,20.5,-227.2709,268.2709\n"); /* runs 5, 7: 40, 1; d = 19.5 */
}

/* Figures are by name and column. Of 1, 2, 6 the mean is 3, squares 4 + 1 + 9 = 14, standard error
 * sqrt(14 / 2 / 3) = 1.527525232, half 4.3027 * 1.527525232 = 6.572482815. */
static void test_figures_of_outputs_are_by_name_and_column(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,9,a\n1,,2,0,9,b\n2,,3,0,9,c\n");
    put("stats.csv", "run,Name,found,lost\n0,a,1,0\n0,b,5,2\n1,b,5,2\n1,a,2,0\n2,a,6,0\n2,b,5,2\n");
    assert_string_equal(means("sweep: {for: {seed: [1, 3]}}\noutputs: {stats: stats.csv}\n" REST),
                        OF_SEEDS ",,simulated_s,3,9,9,9\n"
                                 ",a,found,3,3,-3.57248281,9.57248281\n"
                                 ",a,lost,3,0,0,0\n"
                                 ",b,found,3,5,5,5\n"
                                 ",b,lost,3,2,2,2\n");
}

/* Two of 1, -, 3, word are numbers: mean 2, standard error 1. */
static void test_values_that_are_no_numbers_do_not_count(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,1,a\n1,,2,0,,b\n2,,3,0,3,c\n3,,4,0,never,d\n");
    assert_string_equal(means(FOUR), OF_SEEDS ",,simulated_s,2,2,-10.7062,14.7062\n");
}

/* Figures of counts stand behind those of statistics, and have the variation that runs.csv names.
 */
static void test_variations_have_their_names(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,slow,1,0,3,a\n1,slow,2,0,3,b\n2,fast,1,0,1,c\n3,fast,2,0,1,d\n");
    put("counts.csv", "run,Name,n\r\n0,Total,4\r\n1,Total,4\r\n2,Total,8\r\n3,Total,8\r\n");
    assert_string_equal(means("variations: {slow: {}, fast: {}}\nsweep: {over: variations, for: "
                              "{seed: [1, 2]}}\noutputs: {counts: counts.csv}\n" REST),
                        OF_SEEDS "slow,,simulated_s,2,3,3,3\nfast,,simulated_s,2,1,1,1\n"
                                 "slow,Total,n,2,4,4,4\nfast,Total,n,2,8,8,8\n");
}

/* 42 values 0 and 2 in turn: mean 1, squares 42, standard error sqrt(42 / 41 / 42) = 1 / sqrt(41) =
 * 0.1561737619; a table has t(0.975; 41) = 2.0195, so the half is 0.31539. */
static void test_many_runs_have_the_quantile_of_their_number(void **state)
{
    char rows[2048] = RUNS;
    (void)state;
    for (unsigned k = 0; k < 42; k++) {
        const size_t used = strlen(rows);
        (void)snprintf(rows + used, sizeof rows - used, "%u,,%u,0,%u,a\n", k, k + 1u,
                       2u * (k % 2u));
    }
    put("runs.csv", rows);
    const char *text = means("sweep: {uniform: {entities.0.count: [1, 9]}, count: 42}\n" REST);
    static const char k_begin[] = OF_SEEDS ",,simulated_s,42,1,";
    char *end;
    assert_memory_equal(text, k_begin, sizeof k_begin - 1u);
    assert_true(fabs(strtod(text + sizeof k_begin - 1u, &end) - 0.68461) < 2e-5);
    assert_true(fabs(strtod(end + 1, NULL) - 1.31539) < 2e-5);
}

static void test_a_sweep_without_repetitions_has_no_means(void **state)
{
    (void)state;
    put("runs.csv", RUNS "0,,1,0,2,a\n1,,1,0,4,b\n");
    assert_string_equal(means("sweep: {for: {entities.0.count: [1, 2]}}\n" REST), "");
    assert_string_equal(s_out.text, "");
}

static void test_means_of_a_file_that_is_missing(void **state)
{
    (void)state;
    assert_int_equal(swarm_means(swarm_of(FOUR), s_folder), SWARM_INPUT);
    assert_names(s_swarm.error, "test.yaml:1 sweep");
    put("runs.csv", RUNS "0,,1,0,2,a\n");
    assert_int_equal(swarm_means(swarm_of("outputs: {stats: stats.csv}\n" FOUR), s_folder),
                     SWARM_INPUT);
    assert_names(s_swarm.error, "test.yaml:1 sweep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_interval_of_four_seeds, begin, end),
        cmocka_unit_test_setup_teardown(test_one_run_has_no_interval, begin, end),
        cmocka_unit_test_setup_teardown(test_equal_runs_have_an_interval_of_no_width, begin, end),
        cmocka_unit_test_setup_teardown(test_settings_are_lines_in_the_order_of_runs, begin, end),
        cmocka_unit_test_setup_teardown(test_figures_of_outputs_are_by_name_and_column, begin, end),
        cmocka_unit_test_setup_teardown(test_values_that_are_no_numbers_do_not_count, begin, end),
        cmocka_unit_test_setup_teardown(test_variations_have_their_names, begin, end),
        cmocka_unit_test_setup_teardown(test_many_runs_have_the_quantile_of_their_number, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_sweep_without_repetitions_has_no_means, begin, end),
        cmocka_unit_test_setup_teardown(test_means_of_a_file_that_is_missing, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
