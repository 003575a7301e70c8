/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/command.h: the words of a command line, and which of them are refused. */
#include "boards/swarm/program/command.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <getopt.h>
#include <math.h>

static struct swarm_command s_command;
static struct captured s_said;

#define WORDS_MAX 40

/* Read a command line of words without blanks. @return the exit code */
static int read_line(const char *line)
{
    static char s_line[2048];
    static char *s_word[WORDS_MAX + 1];
    int words = 1;
    s_word[0] = s_line;
    assert_true(strlen(line) + 14u < sizeof s_line);
    (void)snprintf(s_line, sizeof s_line, "mayfly-swarm %s", line);
    for (char *c = s_line; *c != '\0'; c++) {
        if (*c == ' ') {
            *c = '\0';
            assert_true(words < WORDS_MAX);
            s_word[words++] = c + 1;
        }
    }
    words -= s_word[words - 1][0] == '\0' ? 1 : 0;
    s_word[words] = NULL;
    optind = 0;
    capture(&s_said, stderr);
    const int result = swarm_command_read(&s_command, words, s_word);
    (void)captured(&s_said);
    return result;
}

static void must_read(const char *line)
{
    if (read_line(line) != SWARM_OK) {
        fail_msg("%s: %s", line, s_said.text);
    }
    assert_string_equal(s_said.text, "");
}

/* @param data  what the line on stderr names */
static void must_refuse(const char *line, const char *data)
{
    assert_int_equal(read_line(line), SWARM_INPUT);
    assert_names(s_said.text, data);
}

static void test_a_scenario_alone(void **state)
{
    (void)state;
    must_read("x.yaml");
    assert_string_equal(s_command.file, "x.yaml");
    assert_string_equal(s_command.out, "");
    assert_int_equal(s_command.threads, 1);
    assert_int_equal(s_command.jobs, 1);
    assert_int_equal(s_command.leaves, 1);
    assert_int_equal(s_command.given.sets, 0);
    assert_true(isinf(s_command.at_s));
    assert_false(s_command.sweep || s_command.check || s_command.steps || s_command.merge);
    assert_null(s_command.junit);
    assert_null(s_command.checkpoint);
    assert_null(s_command.join);
    assert_null(s_command.kubernetes);
}

static void test_options_stand_before_and_behind_the_scenario(void **state)
{
    (void)state;
    must_read("--threads 3 x.yaml --out runs");
    assert_string_equal(s_command.file, "x.yaml");
    assert_string_equal(s_command.out, "runs");
    assert_int_equal(s_command.threads, 3);
}

/* Each option whose text is kept goes to its own field. */
static void test_each_text_has_its_field(void **state)
{
    (void)state;
    must_read("x.yaml --variation v --out o --result r --profile p --resume s --replay y "
              "--time-socket 1 --time-server 2 --trace t --junit j --export-plans e");
    assert_string_equal(s_command.given.variation, "v");
    assert_string_equal(s_command.out, "o");
    assert_string_equal(s_command.result, "r");
    assert_string_equal(s_command.profile, "p");
    assert_string_equal(s_command.resume, "s");
    assert_string_equal(s_command.replay, "y");
    assert_string_equal(s_command.time_socket, "1");
    assert_string_equal(s_command.time_server, "2");
    assert_string_equal(s_command.trace, "t");
    assert_string_equal(s_command.junit, "j");
    assert_string_equal(s_command.export_plans, "e");
}

static void test_each_flag_has_its_field(void **state)
{
    (void)state;
    must_read("x.yaml --check");
    assert_true(s_command.check && !s_command.steps);
    must_read("x.yaml --step");
    assert_true(s_command.steps && !s_command.check);
    must_read("x.yaml --progress");
    assert_true(s_command.progress);
    must_read("x.yaml --progress --quiet");
    assert_false(s_command.progress);
}

static void test_sets_are_kept_in_their_order(void **state)
{
    (void)state;
    must_read("--set a.b=1 x.yaml --seed 7 --set c=2 --address 10.0.0.1:5");
    assert_int_equal(s_command.given.sets, 4);
    assert_string_equal(s_command.given.set[0], "a.b=1");
    assert_string_equal(s_command.given.set[1], "seed=7");
    assert_string_equal(s_command.given.set[2], "c=2");
    assert_string_equal(s_command.given.set[3], "links.address=10.0.0.1:5");
}

static void test_too_many_sets(void **state)
{
    static char *s_word[2 * SWARM_SETS_MAX + 8];
    static char s_set[] = "--set", s_value[] = "a=1", s_file[] = "x.yaml", s_name[] = "swarm";
    int words = 0;
    (void)state;
    s_word[words++] = s_name;
    s_word[words++] = s_file;
    for (uint32_t k = 0; k < SWARM_SETS_MAX; k++) {
        s_word[words++] = s_set;
        s_word[words++] = s_value;
    }
    optind = 0;
    assert_int_equal(swarm_command_read(&s_command, words, s_word), SWARM_OK);
    assert_int_equal(s_command.given.sets, SWARM_SETS_MAX);
    s_word[words++] = s_set;
    s_word[words++] = s_value;
    optind = 0;
    capture(&s_said, stderr);
    assert_int_equal(swarm_command_read(&s_command, words, s_word), SWARM_INPUT);
    assert_names(captured(&s_said), "--set a=1");
}

static void test_numbers_are_1_to_64(void **state)
{
    (void)state;
    must_read("x.yaml --threads 64 --jobs 1");
    assert_int_equal(s_command.threads, 64);
    must_refuse("x.yaml --threads 65", "--threads 1 64 65");
    must_refuse("x.yaml --threads 0", "--threads 1 64 0");
    must_refuse("x.yaml --threads -1", "--threads -1");
    must_refuse("x.yaml --jobs 2x", "--jobs 2x");
    must_refuse("x.yaml --leaves none", "--leaves none");
}

static void test_a_time_of_a_checkpoint(void **state)
{
    (void)state;
    must_read("x.yaml --checkpoint f --at 60.5");
    assert_true(s_command.at_s == 60.5);
    assert_string_equal(s_command.checkpoint, "f");
    must_read("x.yaml --checkpoint f --at 0");
    assert_true(s_command.at_s == 0.0);
    must_read("x.yaml --checkpoint f");
    assert_true(isinf(s_command.at_s));
    must_refuse("x.yaml --checkpoint f --at -1", "--at -1");
    must_refuse("x.yaml --checkpoint f --at 1e10", "--at 1e10");
    must_refuse("x.yaml --checkpoint f --at 5s", "--at 5s");
}

static void test_a_time_without_a_checkpoint(void **state)
{
    (void)state;
    must_refuse("x.yaml --at 5", "--at --checkpoint");
}

static void test_reports_of_the_end_and_a_checkpoint_exclude_each_other(void **state)
{
    (void)state;
    must_refuse("x.yaml --checkpoint f --junit j", "--junit --result --checkpoint");
    must_refuse("x.yaml --checkpoint f --result r", "--junit --result --checkpoint");
    must_read("x.yaml --junit j --result r");
}

static void test_a_checkpoint_belongs_to_one_run(void **state)
{
    (void)state;
    must_refuse("sweep x.yaml --out o --checkpoint f", "checkpoint sweep");
    must_refuse("sweep x.yaml --out o --resume f", "checkpoint sweep");
}

static void test_a_sweep(void **state)
{
    (void)state;
    must_read("sweep x.yaml --out runs --jobs 4");
    assert_true(s_command.sweep);
    assert_string_equal(s_command.file, "x.yaml");
    assert_int_equal(s_command.jobs, 4);
    must_read("--out runs sweep x.yaml");
    assert_true(s_command.sweep);
    must_refuse("sweep x.yaml", "sweep --out");
}

static void test_a_file_that_is_called_sweep(void **state)
{
    (void)state;
    must_read("./sweep");
    assert_false(s_command.sweep);
    must_refuse("sweep --out o", "SCENARIO.yaml");
}

static void test_a_merge_names_the_folder(void **state)
{
    (void)state;
    must_read("sweep x.yaml --merge runs");
    assert_true(s_command.merge);
    assert_string_equal(s_command.out, "runs");
    must_refuse("x.yaml --merge runs", "--merge sweep");
}

static void test_a_job_of_kubernetes(void **state)
{
    (void)state;
    must_read("sweep x.yaml --kubernetes");
    assert_string_equal(s_command.kubernetes, "localhost/mayfly-tools");
    must_read("sweep x.yaml --kubernetes=mine:1");
    assert_string_equal(s_command.kubernetes, "mine:1");
    must_refuse("x.yaml --kubernetes", "--kubernetes sweep");
}

static void test_a_leaf_takes_no_scenario(void **state)
{
    (void)state;
    must_read("--join 10.0.0.1:5 --token t --name n --listen 7 --leaves 2");
    assert_string_equal(s_command.join, "10.0.0.1:5");
    assert_string_equal(s_command.token, "t");
    assert_string_equal(s_command.name, "n");
    assert_string_equal(s_command.listen, "7");
    assert_int_equal(s_command.leaves, 2);
    must_refuse("--join 10.0.0.1:5 x.yaml", "--join x.yaml");
}

static void test_the_token_of_a_leaf_may_come_by_its_environment(void **state)
{
    (void)state;
    (void)unsetenv("SWARM_HOSTS_TOKEN");
    must_read("--join h:1");
    assert_string_equal(s_command.token, "");
    (void)setenv("SWARM_HOSTS_TOKEN", "secret", 1);
    must_read("--join h:1");
    assert_string_equal(s_command.token, "secret");
    must_read("--join h:1 --token other");
    assert_string_equal(s_command.token, "other");
    must_read("x.yaml");
    assert_null(s_command.token);
    (void)unsetenv("SWARM_HOSTS_TOKEN");
}

static void test_options_of_a_leaf_need_a_root(void **state)
{
    (void)state;
    must_refuse("x.yaml --listen 7", "--listen --join");
    must_refuse("x.yaml --token t", "--token --join");
    must_refuse("x.yaml --name n", "--name --join");
}

static void test_files_that_are_converted(void **state)
{
    (void)state;
    must_read("convert a.json b.json");
    assert_int_equal(s_command.jsons, 2);
    assert_string_equal(s_command.json[0], "a.json");
    assert_string_equal(s_command.json[1], "b.json");
    assert_null(s_command.file);
    must_read("convert");
    assert_int_equal(s_command.jsons, 0);
    assert_non_null(s_command.json);
}

static void test_one_scenario_and_no_other_words(void **state)
{
    (void)state;
    must_refuse("", "SCENARIO.yaml --help");
    must_refuse("x.yaml y.yaml", "SCENARIO.yaml --help");
}

static void test_an_unknown_option(void **state)
{
    (void)state;
    must_refuse("x.yaml --nonsense", "--nonsense --help");
    must_refuse("x.yaml --set", "--set --help");
}

/* A path has 199 characters at most. */
static void test_long_paths(void **state)
{
    char path[201], line[256];
    (void)state;
    memset(path, 'p', 199);
    path[199] = '\0';
    must_read(path);
    (void)snprintf(line, sizeof line, "x.yaml --out %s", path);
    must_read(line);
    (void)snprintf(line, sizeof line, "x.yaml --checkpoint %s", path);
    must_read(line);
    path[199] = 'p';
    path[200] = '\0';
    must_refuse(path, "199");
    (void)snprintf(line, sizeof line, "x.yaml --out %s", path);
    must_refuse(line, "199");
    (void)snprintf(line, sizeof line, "x.yaml --checkpoint %s", path);
    must_refuse(line, "199");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_scenario_alone),
        cmocka_unit_test(test_options_stand_before_and_behind_the_scenario),
        cmocka_unit_test(test_each_text_has_its_field),
        cmocka_unit_test(test_each_flag_has_its_field),
        cmocka_unit_test(test_sets_are_kept_in_their_order),
        cmocka_unit_test(test_too_many_sets),
        cmocka_unit_test(test_numbers_are_1_to_64),
        cmocka_unit_test(test_a_time_of_a_checkpoint),
        cmocka_unit_test(test_a_time_without_a_checkpoint),
        cmocka_unit_test(test_reports_of_the_end_and_a_checkpoint_exclude_each_other),
        cmocka_unit_test(test_a_checkpoint_belongs_to_one_run),
        cmocka_unit_test(test_a_sweep),
        cmocka_unit_test(test_a_file_that_is_called_sweep),
        cmocka_unit_test(test_a_merge_names_the_folder),
        cmocka_unit_test(test_a_job_of_kubernetes),
        cmocka_unit_test(test_a_leaf_takes_no_scenario),
        cmocka_unit_test(test_the_token_of_a_leaf_may_come_by_its_environment),
        cmocka_unit_test(test_options_of_a_leaf_need_a_root),
        cmocka_unit_test(test_files_that_are_converted),
        cmocka_unit_test(test_one_scenario_and_no_other_words),
        cmocka_unit_test(test_an_unknown_option),
        cmocka_unit_test(test_long_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
