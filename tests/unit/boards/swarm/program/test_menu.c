/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/menu.h: the scenarios of a folder, and which one a person chooses. LDS-22.
 */
#include "boards/swarm/program/menu.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <limits.h>

static char s_folder[] = "/tmp/test_menu_XXXXXX";
static char s_file[MF_SCENARIO_FILE_MAX];
static struct captured s_out, s_err;

static const struct {
    const char *name, *text;
} k_file[] = {{"b.yaml", "swarm: 1\ntitle:   Two bees\n"},
              {"a.yaml", "\xEF\xBB\xBFtitle: One\nswarm: 1\n"},
              {"c.yaml", "swarm: 1\n  title: of something else\n"},
              {"notes.txt", "title: no scenario\n"},
              {".yaml", "title: no name\n"}};

static const char *path_of(const char *name)
{
    static char s_path[PATH_MAX];
    (void)snprintf(s_path, sizeof s_path, "%s/%s", s_folder, name);
    return s_path;
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(s_folder) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < sizeof k_file / sizeof k_file[0]; i++) {
        FILE *to = fopen(path_of(k_file[i].name), "w");
        (void)fputs(k_file[i].text, to);
        (void)fclose(to);
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_file / sizeof k_file[0]; i++) {
        (void)remove(path_of(k_file[i].name));
    }
    return rmdir(s_folder);
}

/* Type something on stdin. @return the exit code */
static int choose(const char *folder, const char *typed)
{
    int ends[2];
    const int before = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], typed, strlen(typed)), (ssize_t)strlen(typed));
    (void)close(ends[1]);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    capture(&s_out, stdout);
    capture(&s_err, stderr);
    const int result = swarm_menu(folder, s_file);
    (void)captured(&s_err);
    (void)captured(&s_out);
    assert_true(dup2(before, STDIN_FILENO) >= 0);
    (void)close(before);
    (void)close(ends[0]);
    return result;
}

static void test_scenarios_by_name_with_their_titles(void **state)
{
    (void)state;
    assert_int_equal(choose(s_folder, "1\n"), SWARM_OK);
    assert_string_equal(s_out.text, "  1  a.yaml                       One\n"
                                    "  2  b.yaml                       Two bees\n"
                                    "  3  c.yaml                       \n"
                                    "scenario> ");
}

static void test_a_number_is_a_scenario(void **state)
{
    (void)state;
    assert_int_equal(choose(s_folder, "2\n"), SWARM_OK);
    assert_string_equal(s_file, path_of("b.yaml"));
    assert_int_equal(choose(s_folder, "3"), SWARM_OK); /* the end of input ends the line */
    assert_string_equal(s_file, path_of("c.yaml"));
}

static void test_numbers_that_are_not_in_the_menu(void **state)
{
    static const char *const k[] = {"0\n", "4\n", "-1\n", "b.yaml\n", "\n", ""};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_int_equal(choose(s_folder, k[i]), SWARM_INPUT);
        assert_names(s_err.text, "1 3 200");
    }
}

static void test_a_folder_without_scenarios(void **state)
{
    (void)state;
    assert_int_equal(choose("/dev", "1\n"), SWARM_INPUT);
    assert_names(s_err.text, "/dev *.yaml");
    assert_string_equal(s_out.text, "");
}

static void test_a_folder_that_is_not_there(void **state)
{
    (void)state;
    assert_int_equal(choose("/nowhere/at/all", "1\n"), SWARM_INPUT);
    assert_names(s_err.text, "/nowhere/at/all");
}

static void test_the_input_behind_the_line_is_left(void **state)
{
    char rest[8] = "";
    int ends[2];
    (void)state;
    const int before = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "1\nplay\n", 7), 7);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    capture(&s_out, stdout);
    assert_int_equal(swarm_menu(s_folder, s_file), SWARM_OK);
    (void)captured(&s_out);
    assert_int_equal(read(STDIN_FILENO, rest, sizeof rest - 1u), 5);
    assert_string_equal(rest, "play\n");
    assert_true(dup2(before, STDIN_FILENO) >= 0);
    (void)close(before);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios_by_name_with_their_titles),
        cmocka_unit_test(test_a_number_is_a_scenario),
        cmocka_unit_test(test_numbers_that_are_not_in_the_menu),
        cmocka_unit_test(test_a_folder_without_scenarios),
        cmocka_unit_test(test_a_folder_that_is_not_there),
        cmocka_unit_test(test_the_input_behind_the_line_is_left),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
