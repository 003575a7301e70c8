/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/hosts/manifest.h: the Job of a sweep, of files that the test writes. */
#include "boards/swarm/hosts/manifest.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <limits.h>
#include <sys/stat.h>

static char s_folder[] = "/tmp/test_manifest_XXXXXX";
static struct captured s_out;
static const char *const k_file[] = {"Az09_Hops.v2.yaml", "runs/---.yaml", "plans/a.plan", "b.plan",
                                     "table.csv",         "runs",          "plans"};

static char *path_of(const char *name)
{
    static char s_path[4][PATH_MAX];
    static unsigned s_next;
    char *path = s_path[s_next++ % 4u];
    (void)snprintf(path, PATH_MAX, "%s/%s", s_folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *to = fopen(path_of(name), "w");
    assert_non_null(to);
    (void)fputs(text, to);
    (void)fclose(to);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(s_folder) != NULL && mkdir(path_of("runs"), 0700) == 0 &&
                   mkdir(path_of("plans"), 0700) == 0
               ? 0
               : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_file / sizeof k_file[0]; i++) {
        (void)remove(path_of(k_file[i]));
    }
    return rmdir(s_folder);
}

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n");
    write_file(k_file[0], "swarm: 1\n# the scenario\n");
    write_file("plans/a.plan", "the plan");
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s", path_of(k_file[0]));
    return 0;
}

static struct swarm_command command(void)
{
    return (struct swarm_command){.kubernetes = "mine:1", .threads = 3, .jobs = 4};
}

/* Run swarm_manifest() with output in s_out. @return its exit code */
static int print(const struct swarm_command *c)
{
    capture(&s_out, stdout);
    const int result = swarm_manifest(&s_swarm, c, 12);
    (void)captured(&s_out);
    return result;
}

static void must_print(void)
{
    const struct swarm_command c = command();
    if (print(&c) != SWARM_OK) {
        fail_msg("%s", s_swarm.error);
    }
}

static void must_have(const char *text)
{
    if (strstr(s_out.text, text) == NULL) {
        fail_msg("no '%s' in\n%s", text, s_out.text);
    }
}

static void must_refuse(const char *data)
{
    const struct swarm_command c = command();
    assert_int_equal(print(&c), SWARM_INPUT);
    assert_string_equal(s_out.text, "");
    assert_names(s_swarm.error, data);
}

static void test_the_job_has_a_pod_for_each_run(void **state)
{
    (void)state;
    must_print();
    must_have("\"kind\": \"Job\"");
    must_have("\"completions\": 12");
    must_have("\"parallelism\": 4");
    must_have("\"image\": \"mine:1\"");
    must_have("\"action\": \"FailIndex\"");
    must_have("\"apiVersion\": \"batch/v1\"");
    must_have("\"claimName\": \"mayfly-az09-hops\"");
}

/* Lower case up to the first dot; '-' takes the place of all but letters and digits. */
static void test_objects_have_the_name_of_the_scenario(void **state)
{
    (void)state;
    must_print();
    must_have("\"name\": \"mayfly-az09-hops\"");
}

static void test_a_name_does_not_end_with_a_dash(void **state)
{
    (void)state;
    write_file("runs/---.yaml", "swarm: 1\n");
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s", path_of("runs/---.yaml"));
    must_print();
    must_have("\"name\": \"mayfly\"");
}

static void test_files_are_texts_of_the_config_map(void **state)
{
    (void)state;
    (void)snprintf(s_scenario.entity[0].plan, sizeof s_scenario.entity[0].plan, "plans/a.plan");
    must_print();
    must_have("\"file0\": \"swarm: 1\\u000a# the scenario\\u000a\"");
    must_have("\"file1\": \"the plan\"");
    must_have("\"path\": \"plans/a.plan\"");
    must_have("\"path\": \"Az09_Hops.v2.yaml\"");
    must_have("\"/scenario/Az09_Hops.v2.yaml\"");
}

static void test_a_plan_of_two_entities_is_there_once(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}, {name: x, behaviour: "
                   "walk}]\n");
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s", path_of(k_file[0]));
    for (uint32_t k = 0; k < 2; k++) {
        (void)snprintf(s_scenario.entity[k].plan, sizeof s_scenario.entity[k].plan,
                       k == 0 ? "plans/a.plan" : "plans/../plans/a.plan");
    }
    must_print();
    must_have("\"file1\"");
    assert_null(strstr(s_out.text, "\"file2\""));
}

/* The scenario lies in runs/, so paths begin above it. */
static void test_a_plan_beside_the_folder_keeps_its_place(void **state)
{
    (void)state;
    write_file("runs/---.yaml", "swarm: 1\n");
    write_file("b.plan", "b");
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s", path_of("runs/---.yaml"));
    (void)snprintf(s_scenario.entity[0].plan, sizeof s_scenario.entity[0].plan, "../b.plan");
    must_print();
    must_have("\"path\": \"b.plan\"");
    must_have("\"path\": \"runs/---.yaml\"");
    must_have("\"/scenario/runs/---.yaml\"");
}

static void test_what_was_set_is_set_in_each_pod(void **state)
{
    struct swarm_command c = command();
    (void)state;
    c.set[0] = "time.end=\"9\"";
    c.given = (struct mf_scenario_given){.set = c.set, .sets = 1};
    assert_int_equal(print(&c), SWARM_OK);
    must_have("\"--set\",");
    must_have("\"time.end=\\\"9\\\"\"");
    must_have("\"--threads\",");
    must_have("\"3\",");
    must_have("\"$(JOB_COMPLETION_INDEX)\"");
}

static void test_files_that_a_pod_would_not_have(void **state)
{
    struct mf_scenario_entity *e = &s_scenario.entity[0];
    (void)state;
    (void)snprintf(e->plan, sizeof e->plan, "/plans/a.plan");
    e->plan_line = 7;
    must_refuse("7 --kubernetes /plans/a.plan");
    (void)snprintf(e->plan, sizeof e->plan, "nowhere.plan");
    must_refuse(path_of("nowhere.plan"));
    e->plan[0] = '\0';
    (void)snprintf(s_scenario.search.detection.file, sizeof s_scenario.search.detection.file,
                   "/table.csv");
    s_scenario.search.detection.line = 8;
    must_refuse("8 --kubernetes /table.csv");
}

static void test_plug_ins_are_no_texts(void **state)
{
    (void)state;
    s_scenario.plugins = 1;
    s_scenario.plugin = &(struct mf_scenario_plugin){.line = 5, .file = "mine.so"};
    must_refuse("5 --kubernetes mine.so --variation");
    s_scenario.plugins = 0;
    FILE *to = fopen(path_of("plans/a.plan"), "w");
    assert_non_null(to);
    (void)fwrite("a\0b", 1, 3, to);
    (void)fclose(to);
    (void)snprintf(s_scenario.entity[0].plan, sizeof s_scenario.entity[0].plan, "plans/a.plan");
    must_refuse(path_of("plans/a.plan"));
}

static void test_files_beyond_a_mebibyte(void **state)
{
    (void)state;
    FILE *to = fopen(path_of("plans/a.plan"), "w");
    assert_non_null(to);
    for (size_t i = 0; i < (1u << 20) - 24u; i++) {
        (void)fputc('x', to); /* with the scenario's 24 bytes, exactly 1 MiB */
    }
    (void)fflush(to);
    (void)snprintf(s_scenario.entity[0].plan, sizeof s_scenario.entity[0].plan, "plans/a.plan");
    must_print();
    (void)fputc('x', to);
    (void)fclose(to);
    must_refuse("ConfigMap 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_job_has_a_pod_for_each_run, begin),
        cmocka_unit_test_setup(test_objects_have_the_name_of_the_scenario, begin),
        cmocka_unit_test_setup(test_a_name_does_not_end_with_a_dash, begin),
        cmocka_unit_test_setup(test_files_are_texts_of_the_config_map, begin),
        cmocka_unit_test_setup(test_a_plan_of_two_entities_is_there_once, begin),
        cmocka_unit_test_setup(test_a_plan_beside_the_folder_keeps_its_place, begin),
        cmocka_unit_test_setup(test_what_was_set_is_set_in_each_pod, begin),
        cmocka_unit_test_setup(test_files_that_a_pod_would_not_have, begin),
        cmocka_unit_test_setup(test_plug_ins_are_no_texts, begin),
        cmocka_unit_test_setup(test_files_beyond_a_mebibyte, begin),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
