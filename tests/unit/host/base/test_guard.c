/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion names its instance, and whoever runs several goes on without that one. */
#include "host/base/guard.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct part {
    int runs, ends;
    bool fails;
    struct mf_guard *inner; /* run within */
    bool inner_held;
    struct part *of_inner;
};

static void run_part(void *ctx)
{
    struct part *p = ctx;
    p->runs++;
    if (p->inner != NULL) {
        p->inner_held = mf_guard_run(p->inner, run_part, p->of_inner);
    }
    MF_ASSERT(!p->fails);
    p->ends++;
}

static void test_what_holds_runs_again_and_again(void **state)
{
    struct mf_guard guard = {.instance = 1};
    struct part part = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(mf_guard_run(&guard, run_part, &part));
    }
    assert_int_equal(part.ends, 3);
    assert_false(guard.broken);
}

static void test_what_is_broken_is_not_run_again(void **state)
{
    mf_us_t now_us = 1500000;
    struct mf_guard guard = {.instance = 39999, .now_us = &now_us};
    struct part part = {.fails = true};
    char text[MF_GUARD_TEXT_MAX], data[MF_GUARD_TEXT_MAX];
    (void)state;
    assert_false(mf_guard_run(&guard, run_part, &part));
    assert_int_equal(part.runs, 1);
    assert_int_equal(part.ends, 0);
    now_us = 2000000; /* the text tells when it broke */
    part.fails = false;
    assert_false(mf_guard_run(&guard, run_part, &part));
    assert_int_equal(part.runs, 1);
    (void)snprintf(data, sizeof data,
                   "39999 !p->fails tests/unit/host/base/test_guard.c %d 1.500000 s", guard.line);
    assert_names(mf_guard_text(&guard, text, sizeof text), data);
    assert_int_equal(strlen(mf_guard_text(&guard, text, 12)), 11);
}

/* Whoever runs it may itself be run: the inner one breaks alone, then the outer one is watched. */
static void test_one_within_another(void **state)
{
    struct mf_guard outer = {.instance = 1}, inner = {.instance = 2};
    struct part breaks = {.fails = true};
    struct part part = {.inner = &inner, .of_inner = &breaks, .inner_held = true};
    (void)state;
    assert_true(mf_guard_run(&outer, run_part, &part));
    assert_false(part.inner_held);
    assert_true(inner.broken);
    assert_int_equal(part.ends, 1);
    part.fails = true;
    assert_false(mf_guard_run(&outer, run_part, &part));
    assert_true(outer.broken);
    assert_int_equal(outer.instance, 1);
}

/* A program of one drone ends where the assertion failed. @return what it said */
static const char *last_words(struct mf_guard *guard)
{
    static char s_said[MF_GUARD_TEXT_MAX];
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)signal(SIGABRT, SIG_DFL);
        mf_guard_watch(guard);
        MF_ASSERT(guard == &(struct mf_guard){0});
        _exit(0);
    }
    (void)close(ends[1]);
    const ssize_t n = read(ends[0], s_said, sizeof s_said - 1);
    s_said[n > 0 ? n : 0] = '\0';
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    return s_said;
}

static void test_one_that_is_watched_names_itself_and_ends(void **state)
{
    const mf_us_t now_us = 7;
    struct mf_guard guard = {.instance = 3, .now_us = &now_us};
    (void)state;
    const char *said = last_words(&guard);
    assert_names(said, "test_guard 3 guard == 0.000007 s");
    said = last_words(NULL);
    assert_names(said, "test_guard guard ==");
    assert_false(mf_names(said, "instance"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_holds_runs_again_and_again),
        cmocka_unit_test(test_what_is_broken_is_not_run_again),
        cmocka_unit_test(test_one_within_another),
        cmocka_unit_test(test_one_that_is_watched_names_itself_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
