/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <signal.h>

static void check(const char *text, const char *expected, size_t n)
{
    char bytes[128];
    (void)snprintf(bytes, sizeof bytes, "%s", text);
    assert_int_equal(simctl_recording_decode(bytes, strlen(text)), n);
    assert_memory_equal(bytes, expected, n);
}

/* Base64 by RFC 4648, section 10. */
static void test_sim042_lines_of_a_log_are_a_file_again(void **state)
{
    (void)state;
    check("", "", 0);
    check("Zm9v\nYmFy\n", "foobar", 6);
    check("Zg==\nZm8=\nAAAA\n", "ffo\0\0\0", 6);
    check("Zm9v\nanew\nYmFy\n", "bar", 3);
    check("Zm9v\nYmF", "foo", 3);                 /* a line that is still written */
    check("Zm9v\nanew", "foo", 3);                /* so is this */
    check("no base64\n\nZm9v\n!!!!\n", "foo", 3); /* what a runtime wrote between */
}

/* What `simctl copy-recording` writes, from a process of its own. @return its bytes, decoded */
static size_t copied(const char *path, void (*meanwhile)(const char *path), char *text, size_t cap)
{
    int ends[2];
    size_t n = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        _exit(simctl_recording_copy(path));
    }
    (void)close(ends[1]);
    usleep(100000);
    meanwhile(path);
    (void)kill(pid, SIGTERM);
    for (ssize_t got = read(ends[0], text, cap); got > 0; got = read(ends[0], text + n, cap - n)) {
        n += (size_t)got;
    }
    int code;
    assert_int_equal(waitpid(pid, &code, 0), pid);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == EXIT_SUCCESS);
    (void)close(ends[0]);
    return simctl_recording_decode(text, n);
}

static void write_it(const char *path, const char *bytes, const char *mode)
{
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    assert_true(fputs(bytes, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void write_twice(const char *path)
{
    write_it(path, "one ", "w");
    usleep(500000);
    write_it(path, "two", "a"); /* just before its end */
}

static void begin_anew(const char *path)
{
    write_it(path, "of the first drone", "w");
    usleep(500000);
    write_it(path, "second", "w");
}

static void test_sim042_a_file_is_copied_as_it_grows_to_its_last_byte(void **state)
{
    (void)state;
    char folder[] = "/tmp/recording-XXXXXX", path[64], text[4096];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/%s", folder, SIMCTL_RECORDING_FILE);
    size_t n = copied(path, write_twice, text, sizeof text);
    assert_int_equal(n, 7);
    assert_memory_equal(text, "one two", 7);
    n = copied(path, begin_anew, text, sizeof text);
    assert_int_equal(n, 6);
    assert_memory_equal(text, "second", 6);
    (void)unlink(path);
    (void)rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim042_lines_of_a_log_are_a_file_again),
        cmocka_unit_test(test_sim042_a_file_is_copied_as_it_grows_to_its_last_byte),
    };
    return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
