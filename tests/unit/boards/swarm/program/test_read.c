/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/read.h and convert.h: what a scenario in memory is refused for before a run
 * opens anything, and which file is a listing of the published simulator. */
#include "boards/swarm/program/read.h"

#include "boards/swarm/program/convert.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#define MISSION "swarm: 1\nentities: [{name: v, count: 3}]\n"

static char s_folder[] = "/tmp/test_read_XXXXXX";
static char s_path[128];

static int begin(void **state)
{
    (void)state;
    swarm_begin();
    s_swarm.scenario = NULL;
    s_command.file = "test.yaml";
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "test.yaml");
    if (mkdtemp(s_folder) == NULL) {
        return -1;
    }
    (void)snprintf(s_path, sizeof s_path, "%s/f.json", s_folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (s_swarm.scenario != NULL && s_swarm.scenario != &s_scenario) {
        mf_scenario_free(s_swarm.scenario);
        free(s_swarm.scenario);
        s_swarm.scenario = NULL;
    }
    free(s_swarm.members.kind);
    s_swarm.members.kind = NULL;
    (void)remove(s_path);
    const int result = rmdir(s_folder);
    memset(s_folder + sizeof s_folder - 7u, 'X', 6);
    return result;
}

static bool is_listing(const char *text)
{
    FILE *file = fopen(s_path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return swarm_is_listing(s_path);
}

static int read_text(const char *text)
{
    return swarm_read_text(&s_swarm, &s_command, text, strlen(text));
}

/* JSON is YAML: a scenario of ours has the key swarm, in any place, with blanks before the colon.
 */
static void test_a_scenario_in_json_is_no_listing(void **state)
{
    (void)state;
    assert_false(is_listing("{\"swarm\": 1, \"entities\": []}"));
    assert_false(is_listing("{\"seed\": 3, \"swarm\" \n : 1}"));
    assert_true(is_listing("{\"environment\": {\"size\": [3, 4]}}"));
}

/* The word as a value, or within another key, does not make a scenario. */
static void test_a_value_is_no_key(void **state)
{
    (void)state;
    assert_true(is_listing("{\"name\": \"swarm\", \"drones\": []}"));
    assert_true(is_listing("{\"swarm2\": 1, \"drones\": []}"));
    assert_false(is_listing("{\"name\": \"swarm\", \"swarm\": 1}"));
}

static void test_a_listing_is_a_file_of_json(void **state)
{
    (void)state;
    assert_true(is_listing("{}"));
    assert_false(swarm_is_listing("/nowhere/at/all.json"));
    assert_false(swarm_is_listing(".json")); /* no name before the ending */
    assert_int_equal(remove(s_path), 0);
    s_path[strlen(s_path) - 4u] = 'x'; /* f.xson */
    assert_false(is_listing("{}"));
}

static void test_the_values_of_the_command_line_are_set(void **state)
{
    (void)state;
    s_command.set[0] = "entities.0.count=5";
    s_command.check = true;
    s_command.given = (struct mf_scenario_given){.set = s_command.set, .sets = 1};
    assert_int_equal(read_text(MISSION), SWARM_OK);
    assert_int_equal(s_swarm.scenario->members, 5);
}

/* A sweep's --variation is a run's number, so the scenario is read as it stands. */
static void test_a_sweep_reads_no_variation(void **state)
{
    static const char k_text[] = MISSION "variations: {many: {entities.0.count: 7}}\n";
    (void)state;
    s_command.check = true;
    s_command.given.variation = "many";
    assert_int_equal(read_text(k_text), SWARM_OK);
    assert_int_equal(s_swarm.scenario->members, 7);
    (void)end(state);
    (void)begin(state);
    s_command.sweep = true;
    s_command.given.variation = "4";
    (void)read_text(k_text);
    assert_int_equal(s_swarm.scenario->members, 3);
}

/* A world of cells has a console of its steps, but not in the runs of a sweep. */
static void test_a_sweep_has_no_console(void **state)
{
    static const char k_text[] =
        "swarm: 1\nspace:\n  cells: {size: [6, 4, 1], metres: 10}\nentities:\n"
        "  - {name: d, as: agent, body: {kind: cell, speed: 1}, place: [0, 2]}\n"
        "controllers:\n  - {id: 0}\nsweep: {for: {seed: [1, 2]}}\n";
    (void)state;
    s_command.steps = true;
    assert_int_equal(read_text(k_text), SWARM_OK);
    (void)end(state);
    (void)begin(state);
    s_command.sweep = s_command.steps = true;
    assert_int_equal(read_text(k_text), SWARM_INPUT);
    assert_names(s_swarm.error, "--step");
}

static void test_a_report_that_cannot_be_written(void **state)
{
    (void)state;
    s_command.junit = "/nowhere/at/all.xml";
    assert_int_equal(read_text(MISSION), SWARM_INPUT);
    assert_names(s_swarm.error, "--junit /nowhere/at/all.xml");
    (void)end(state);
    (void)begin(state);
    s_command.profile = "/nowhere/at/all.csv";
    assert_int_equal(read_text(MISSION), SWARM_INPUT);
    assert_names(s_swarm.error, "--profile /nowhere/at/all.csv");
}

static void test_other_values_are_checked_beside_the_run(void **state)
{
    static const char k_text[] = MISSION "variations: {many: {entities.0.count: 7}, none: "
                                         "{entities.0.count: 0}}\n";
    (void)state;
    struct mf_scenario_given given = {.variation = "0"};
    assert_int_equal(swarm_read_check(&s_swarm, k_text, sizeof k_text - 1u, &given), SWARM_OK);
    given.variation = "none";
    assert_int_equal(swarm_read_check(&s_swarm, k_text, sizeof k_text - 1u, &given), SWARM_INPUT);
    assert_names(s_swarm.error, "test.yaml:3 entities.0.count 0");
    assert_null(s_swarm.scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_scenario_in_json_is_no_listing, begin, end),
        cmocka_unit_test_setup_teardown(test_a_value_is_no_key, begin, end),
        cmocka_unit_test_setup_teardown(test_a_listing_is_a_file_of_json, begin, end),
        cmocka_unit_test_setup_teardown(test_the_values_of_the_command_line_are_set, begin, end),
        cmocka_unit_test_setup_teardown(test_a_sweep_reads_no_variation, begin, end),
        cmocka_unit_test_setup_teardown(test_a_sweep_has_no_console, begin, end),
        cmocka_unit_test_setup_teardown(test_a_report_that_cannot_be_written, begin, end),
        cmocka_unit_test_setup_teardown(test_other_values_are_checked_beside_the_run, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
