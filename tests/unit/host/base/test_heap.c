/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with --wrap, as build/mayfly is. Each attempt is made in a process of its own, since it is
 * the last. */
#include "host/base/heap.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void *volatile s_memory; /* what is stored here cannot be optimised away */

static void by_malloc(void)
{
    s_memory = malloc(8);
}

static void by_calloc(void)
{
    s_memory = calloc(2, 4);
}

static void by_realloc(void)
{
    s_memory = realloc(NULL, 8);
}

/* @return the wait status of a process that does it, and what it said on stderr */
static int status_of(void (*attempt)(void), int locked, char *said, size_t size)
{
    int out[2], status = 0;
    assert_int_equal(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0) {
        (void)dup2(out[1], STDERR_FILENO);
        (void)signal(SIGABRT, SIG_DFL); /* not the test framework's */
        if (locked) {
            mf_heap_lock();
        }
        attempt();
        _exit(0);
    }
    (void)close(out[1]);
    const ssize_t n = read(out[0], said, size - 1);
    said[n > 0 ? n : 0] = '\0';
    (void)close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_allocation_after_init_is_fatal_and_says_so(void **state)
{
    (void)state;
    void (*const attempts[])(void) = {by_malloc, by_calloc, by_realloc};
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        char said[256];
        int status = status_of(attempts[i], 1, said, sizeof said);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_names(said, "mayfly allocation");
        status = status_of(attempts[i], 0, said, sizeof said);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocation_after_init_is_fatal_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
