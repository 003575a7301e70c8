/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/file.h: names of outputs, and inputs of files or of the root. */
#include "boards/swarm/core/file.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

static char s_folder[] = "/tmp/test_file_XXXXXX";

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n");
    return 0;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const k_name[] = {"a.csv", "v12.log", "v12", "sub/b.csv", "in", "sub"};
    char path[PATH_MAX];
    (void)state;
    for (size_t k = 0; k < sizeof k_name / sizeof k_name[0]; k++) {
        (void)snprintf(path, sizeof path, "%s/%s", s_folder, k_name[k]);
        (void)remove(path);
    }
    return rmdir(s_folder);
}

static struct mf_scenario_output output_of(const char *file)
{
    struct mf_scenario_output o = {.line = 9};
    (void)snprintf(o.file, sizeof o.file, "%s", file);
    return o;
}

/* Open an output in the folder of the test, and find it under a name there. */
static void must_open(const char *file, uint32_t member, const char *name)
{
    char path[PATH_MAX];
    struct stat info;
    const struct mf_scenario_output o = output_of(file);
    s_command.out = s_folder;
    FILE *to = swarm_open(&s_swarm, &o, member);
    assert_non_null(to);
    assert_true(swarm_close(&s_swarm, to));
    (void)snprintf(path, sizeof path, "%s/%s", s_folder, name);
    assert_int_equal(stat(path, &info), 0);
}

static void test_an_output_lies_in_the_folder_of_outputs(void **state)
{
    (void)state;
    must_open("a.csv", 0, "a.csv");
}

static void test_the_number_of_a_member_counts_from_one(void **state)
{
    (void)state;
    must_open("v%n.log", 11, "v12.log");
    must_open("v%n", 11, "v12");
}

static void test_an_absolute_name_needs_no_folder(void **state)
{
    char path[MF_SCENARIO_FILE_MAX];
    (void)state;
    (void)snprintf(path, sizeof path, "%s/a.csv", s_folder);
    (void)remove(path);
    must_open(path, 0, "a.csv");
}

static void test_an_output_that_cannot_be_opened_is_an_error_of_its_line(void **state)
{
    const struct mf_scenario_output o = output_of("/nowhere/at/all.csv");
    (void)state;
    assert_null(swarm_open(&s_swarm, &o, 0));
    assert_names(s_swarm.error, "test.yaml 9 /nowhere/at/all.csv");
}

static void test_no_file_is_complete(void **state)
{
    (void)state;
    assert_true(swarm_close(&s_swarm, NULL));
}

static void test_a_file_that_is_full_is_not_complete(void **state)
{
    FILE *to = fopen("/dev/full", "w");
    (void)state;
    if (to == NULL) {
        skip();
    }
    (void)fputc('x', to);
    assert_false(swarm_close(&s_swarm, to));
    to = fopen("/dev/full", "w");
    (void)fputc('x', to);
    (void)fflush(to); /* the error was before the end */
    assert_false(swarm_close(&s_swarm, to));
}

/* Close a file of so many bytes in the folder of the test, as a run does. */
static void must_write(const char *file, size_t bytes)
{
    const struct mf_scenario_output o = output_of(file);
    s_command.out = s_folder;
    FILE *to = swarm_open(&s_swarm, &o, 0);
    assert_non_null(to);
    while (bytes-- > 0) {
        (void)fputc('x', to);
    }
    assert_true(swarm_close(&s_swarm, to));
}

static void test_files_that_were_written_are_named_with_their_size(void **state)
{
    static struct captured s_said;
    char expected[3 * PATH_MAX];
    (void)state;
    must_write("a.csv", 999);
    must_write("v12", 1250);
    swarm_file_add_written(&s_swarm, "/dev/null");
    must_write("v12.log", 1000);
    must_write("sub", 0);
    (void)snprintf(expected, sizeof expected, "%s/v12.log", s_folder);
    assert_int_equal(remove(expected), 0);
    capture(&s_said, stdout);
    swarm_files_print_written(&s_swarm);
    (void)snprintf(expected, sizeof expected,
                   "wrote     %s/a.csv, 999 bytes\nwrote     %s/v12, 1.2 kB\n"
                   "wrote     %s/sub, 0 bytes\n",
                   s_folder, s_folder, s_folder);
    assert_string_equal(captured(&s_said), expected);
}

static void test_of_many_files_the_last_are_named(void **state)
{
    static struct captured s_said;
    (void)state;
    for (unsigned k = 0; k < 23; k++) {
        must_write(k < 3 ? "a.csv" : "v12", k);
    }
    capture(&s_said, stdout);
    swarm_files_print_written(&s_swarm);
    const char *text = captured(&s_said);
    size_t lines = 0;
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n' ? 1u : 0u;
    }
    assert_int_equal(lines, 1 + 20);
    assert_names(text, "3 22");
    assert_null(strstr(text, "a.csv"));
}

static void must_find(const char *scenario, const char *name, const char *expected)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "%s", scenario);
    swarm_plan_path(&s_swarm, name, path, sizeof path);
    assert_string_equal(path, expected);
}

static void test_a_plan_lies_beside_its_scenario(void **state)
{
    (void)state;
    must_find("x.yaml", "a.plan", "a.plan");
    must_find("runs/x.yaml", "a.plan", "runs/a.plan");
    must_find("/there/x.yaml", "../a.plan", "/there/../a.plan");
    must_find("/x.yaml", "a.plan", "/a.plan");
    must_find("runs/x.yaml", "/plans/a.plan", "/plans/a.plan");
}

static void test_a_file_is_read_with_a_nul_behind_it(void **state)
{
    char path[PATH_MAX];
    size_t n = 0;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/in", s_folder);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    (void)fwrite("ab\0cd", 1, 5, to);
    (void)fclose(to);
    char *text = swarm_read_file(&s_swarm, path, &n);
    assert_non_null(text);
    assert_int_equal(n, 5);
    assert_memory_equal(text, "ab\0cd", 6);
    free(text);
}

static void test_a_file_that_is_not_there(void **state)
{
    size_t n = 0;
    (void)state;
    assert_null(swarm_read_file(&s_swarm, "/nowhere/at/all", &n));
    assert_int_equal(errno, ENOENT);
}

static void test_bytes_that_were_given_stand_for_a_file(void **state)
{
    size_t n = 0;
    (void)state;
    assert_true(swarm_file_set_bytes(&s_swarm, "/given/plan", "12345", 5));
    char *text = swarm_read_file(&s_swarm, "/given/plan", &n);
    assert_int_equal(n, 5);
    assert_string_equal(text, "12345");
    free(text);
    assert_true(swarm_file_set_bytes(&s_swarm, "/given/plan", "6", 1)); /* given again */
    text = swarm_read_file(&s_swarm, "/given/plan", &n);
    assert_int_equal(n, 1);
    assert_string_equal(text, "6");
    free(text);
}

/* Behind all tests that read: the list has each path once. */
static void test_files_that_were_read_are_listed_once(void **state)
{
    uint32_t found = 0, k = 0;
    size_t n = 0;
    (void)state;
    free(swarm_read_file(&s_swarm, "/given/plan", &n));
    free(swarm_read_file(&s_swarm, "/nowhere/at/all", &n));
    for (; swarm_file_get_path(&s_swarm, k) != NULL; k++) {
        found += strcmp(swarm_file_get_path(&s_swarm, k), "/given/plan") == 0 ? 1u : 0u;
        found += strcmp(swarm_file_get_path(&s_swarm, k), "/nowhere/at/all") == 0 ? 100u : 0u;
    }
    assert_int_equal(found, 101);
    assert_int_equal(k, 3); /* these two, and that of the folder */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_an_output_lies_in_the_folder_of_outputs, begin),
        cmocka_unit_test_setup(test_the_number_of_a_member_counts_from_one, begin),
        cmocka_unit_test_setup(test_an_absolute_name_needs_no_folder, begin),
        cmocka_unit_test_setup(test_an_output_that_cannot_be_opened_is_an_error_of_its_line, begin),
        cmocka_unit_test(test_no_file_is_complete),
        cmocka_unit_test(test_a_file_that_is_full_is_not_complete),
        cmocka_unit_test_setup(test_files_that_were_written_are_named_with_their_size, begin),
        cmocka_unit_test_setup(test_of_many_files_the_last_are_named, begin),
        cmocka_unit_test_setup(test_a_plan_lies_beside_its_scenario, begin),
        cmocka_unit_test(test_a_file_is_read_with_a_nul_behind_it),
        cmocka_unit_test(test_a_file_that_is_not_there),
        cmocka_unit_test(test_bytes_that_were_given_stand_for_a_file),
        cmocka_unit_test(test_files_that_were_read_are_listed_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
