/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of processes, while other processes sweep. */
#include "hal-posix/cgroup.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SWEEP_MS 100 /* that a sweep on a busy machine holds a lock */

/* Make a group, read its path, and end it. The test is skipped where the user may make none. */
static void read_path(struct mf_cgroup *g)
{
    mf_cgroup_make(g);
    if (g->folder < 0) {
        skip();
    }
    mf_cgroup_end(g);
    assert_int_equal(access(g->path, F_OK), -1);
}

/* Make a group's folder, and lock it in a child until the child has removed it.
 * @return the child, after it has the lock */
static pid_t start_sweep(const char *path)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(mkdir(path, 0755), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        const int fd = open(path, O_RDONLY | O_DIRECTORY);
        const bool locked = flock(fd, LOCK_EX) == 0 && write(ready[1], "", 1) == 1;
        (void)poll(NULL, 0, SWEEP_MS);
        _exit(locked && rmdir(path) == 0 ? 0 : 1);
    }
    assert_true(pid > 0);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return pid;
}

static void test_sim006_a_cgroup_that_a_sweep_removes_is_made_again(void **state)
{
    (void)state;
    struct mf_cgroup g;
    int status;
    read_path(&g);
    const pid_t sweep = start_sweep(g.path);
    mf_cgroup_make(&g);
    assert_int_equal(waitpid(sweep, &status, 0), sweep);
    assert_int_equal(status, 0);
    assert_true(g.folder >= 0);
    mf_cgroup_end(&g);
    assert_int_equal(access(g.path, F_OK), -1);
}

static void test_sim006_a_sweep_ends_a_cgroup_without_a_maker_alone(void **state)
{
    (void)state;
    struct mf_cgroup g;
    int status;
    read_path(&g);
    mf_cgroup_make(&g);
    assert_true(g.folder >= 0);
    const pid_t member = fork();
    if (member == 0) {
        (void)close(g.folder); /* the lock is the maker's */
        mf_cgroup_enter(&(struct mf_cgroup){.folder = open(g.path, O_RDONLY | O_DIRECTORY)});
        for (;;) {
            (void)pause();
        }
    }
    assert_true(member > 0);
    (void)mf_cgroup_sweep(false);
    assert_int_equal(access(g.path, F_OK), 0);
    (void)poll(NULL, 0, SWEEP_MS);
    assert_int_equal(waitpid(member, &status, WNOHANG), 0);
    (void)close(g.folder);
    (void)mf_cgroup_sweep(false);
    assert_int_equal(waitpid(member, &status, 0), member);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim006_a_cgroup_that_a_sweep_removes_is_made_again),
        cmocka_unit_test(test_sim006_a_sweep_ends_a_cgroup_without_a_maker_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
