/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs in a folder of their own: what is replaced, refused and locked. Names are relative to it.
 */
#include "host/base/output.h"
#include "tests/unit/support/names.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int enter(void **state)
{
    static char s_folder[] = "/tmp/mf-output-XXXXXX";
    (void)state;
    return mkdtemp(s_folder) != NULL && chdir(s_folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return system("rm -rf \"$PWD\"");
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void assert_has(const char *path, const char *text)
{
    char found[32] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t n = fread(found, 1, sizeof found - 1u, file);
    (void)fclose(file);
    found[n] = '\0';
    assert_string_equal(found, text);
}

/* Two files exist behind the name afterwards: the old one as long as it is open. */
static void test_a_reader_keeps_the_old_file(void **state)
{
    const char *why;
    char old[8] = "";
    (void)state;
    put("a.csv", "old");
    assert_int_equal(chmod("a.csv", 0640), 0);
    const int reader = open("a.csv", O_RDONLY);
    FILE *file = mf_output_stream("a.csv", &why);
    assert_non_null(file);
    assert_true(fputs("new", file) >= 0 && fclose(file) == 0);
    assert_int_equal(pread(reader, old, 3, 0), 3);
    assert_string_equal(old, "old");
    (void)close(reader);
    assert_has("a.csv", "new");
    struct stat is;
    assert_int_equal(stat("a.csv", &is), 0);
    assert_int_equal(is.st_mode & 0777u, 0640);
    assert_int_equal(system("test \"$(ls)\" = a.csv"), 0); /* no draft is left */
}

/* A link stays, and its target is replaced. */
static void test_a_link_is_followed(void **state)
{
    const char *why;
    char target[16] = "";
    (void)state;
    put("b.csv", "old");
    assert_int_equal(symlink("b.csv", "link.csv"), 0);
    const int fd = mf_output_open("link.csv", &why);
    assert_true(fd >= 0 && write(fd, "x", 1) == 1);
    (void)close(fd);
    assert_int_equal(readlink("link.csv", target, sizeof target - 1u), 5);
    assert_has("b.csv", "x");
}

static void test_an_input_is_refused_by_any_name(void **state)
{
    static const char *const k_name[] = {"in.yaml", "./in.yaml", "soft.yaml", "hard.yaml"};
    (void)state;
    put("in.yaml", "in");
    assert_int_equal(symlink("in.yaml", "soft.yaml"), 0);
    assert_int_equal(link("in.yaml", "hard.yaml"), 0);
    mf_output_keep("missing.yaml");
    mf_output_keep(NULL);
    assert_false(mf_output_is_input("in.yaml"));
    mf_output_keep("in.yaml");
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        const char *why = NULL;
        assert_true(mf_output_is_input(k_name[i]));
        assert_int_equal(mf_output_open(k_name[i], &why), -1);
        assert_names(why, "input");
        assert_has("in.yaml", "in");
    }
    assert_false(mf_output_is_input("missing.yaml"));
}

static void test_one_writer_at_a_time(void **state)
{
    const char *why = NULL;
    (void)state;
    put("c.csv", "old");
    for (unsigned i = 0; i < 2; i++) { /* with content, and without */
        const int first = mf_output_open("c.csv", &why);
        assert_true(first >= 0);
        assert_int_equal(mf_output_open("c.csv", &why), -1);
        assert_names(why, "another");
        (void)close(first);
    }
    const int again = mf_output_open("c.csv", &why);
    assert_true(again >= 0);
    (void)close(again);
}

static void test_what_is_not_a_file_is_opened(void **state)
{
    const char *why = NULL;
    (void)state;
    const int null = mf_output_open("/dev/null", &why), other = mf_output_open("/dev/null", &why);
    assert_true(null >= 0 && other >= 0);
    (void)close(null);
    (void)close(other);
    assert_int_equal(mf_output_open("no/such/folder", &why), -1);
    assert_names(why, "No such file");
    assert_int_equal(mf_output_open(".", &why), -1);
}

/* @return whether another process gets the lock */
static bool other_locks(const char *folder, bool shared)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        _exit(mf_output_lock_folder(folder, shared) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status) == 0;
}

static void test_a_draft_takes_the_name_of_its_output_unless_that_is_a_pipe(void **state)
{
    (void)state;
    char draft[32];
    put("drafted", "old");
    mf_output_draft("drafted", draft, sizeof draft);
    assert_string_equal(draft, "drafted.part");
    put(draft, "new");
    assert_has("drafted", "old");
    assert_true(mf_output_place(draft, "drafted"));
    assert_has("drafted", "new");
    put(draft, "half");
    mf_output_drop(draft, "drafted");
    assert_int_not_equal(access(draft, F_OK), 0);
    assert_int_equal(mkfifo("piped", 0600), 0);
    mf_output_draft("piped", draft, sizeof draft);
    assert_string_equal(draft, "piped");
    assert_true(mf_output_place(draft, "piped"));
    mf_output_drop(draft, "piped");
    assert_int_equal(access("piped", F_OK), 0);
}

static void test_folders(void **state)
{
    (void)state;
    assert_int_equal(mkdir("one", 0777), 0);
    assert_int_equal(mkdir("many", 0777), 0);
    assert_true(mf_output_lock_folder("one", false));
    assert_true(mf_output_lock_folder("many", true));
    assert_false(other_locks("one", false));
    assert_false(other_locks("one", true));
    assert_false(other_locks("many", false));
    assert_true(other_locks("many", true));
    assert_true(mf_output_lock_folder("missing", false));
}

/* A reader that has the file open keeps its text; a failure leaves the file as it was. */
static void test_a_file_is_replaced_by_a_text(void **state)
{
    char old[8] = "";
    (void)state;
    put("text", "old");
    const int reader = open("text", O_RDONLY);
    assert_true(mf_output_replace("text", "new text"));
    assert_has("text", "new text");
    assert_int_equal(read(reader, old, sizeof old), 3);
    (void)close(reader);
    assert_false(mf_output_replace("missing/text", "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reader_keeps_the_old_file),
        cmocka_unit_test(test_a_link_is_followed),
        cmocka_unit_test(test_an_input_is_refused_by_any_name),
        cmocka_unit_test(test_one_writer_at_a_time),
        cmocka_unit_test(test_what_is_not_a_file_is_opened),
        cmocka_unit_test(test_a_draft_takes_the_name_of_its_output_unless_that_is_a_pipe),
        cmocka_unit_test(test_a_file_is_replaced_by_a_text),
        cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
