/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/local_socket.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char s_dir[] = "/tmp/mayfly-local-XXXXXX";
static char s_why[MF_LOCAL_WHY_MAX];

static int enter(void **state)
{
    (void)state;
    return mkdtemp(s_dir) != NULL && chdir(s_dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") == 0 && rmdir(s_dir) == 0 ? 0 : -1;
}

static bool listens(struct mf_local_socket *l, int type)
{
    return mf_local_listen(l, "a", type, 4, 0600, s_why);
}

/* @return a client, or -1 */
static int come(int type)
{
    const struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "a"};
    const int fd = socket(AF_UNIX, type, 0);
    if (connect(fd, (const struct sockaddr *)&at, sizeof at) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static void test_a_live_socket_is_refused_and_does_not_notice(void **state)
{
    static const int k_type[] = {SOCK_STREAM, SOCK_SEQPACKET};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct mf_local_socket first, second;
        assert_true(listens(&first, k_type[i / 2]));
        assert_false(listens(&second, k_type[i % 2]));
        assert_non_null(strstr(s_why, "another program"));
        assert_int_equal(second.fd, -1);
        assert_int_equal(accept(first.fd, NULL, NULL), -1);
        assert_int_equal(errno, EAGAIN);
        const int client = come(k_type[i / 2]);
        assert_true(client >= 0);
        (void)close(client);
        mf_local_close(&first);
        assert_int_equal(access("a", F_OK), -1);
    }
}

static void test_a_stale_socket_is_replaced(void **state)
{
    (void)state;
    struct mf_local_socket l;
    assert_true(listens(&l, SOCK_STREAM));
    (void)close(l.fd); /* as if its program was killed */
    struct stat is;
    assert_int_equal(lstat("a", &is), 0);
    assert_true(listens(&l, SOCK_SEQPACKET));
    assert_int_equal(lstat("a", &is), 0);
    assert_int_equal(is.st_mode & 0777, 0600);
    mf_local_close(&l);
    assert_int_equal(l.fd, -1);
    mf_local_close(&l);
}

static void test_an_end_leaves_what_is_not_its_own(void **state)
{
    (void)state;
    struct mf_local_socket first, second;
    assert_true(listens(&first, SOCK_STREAM));
    assert_int_equal(unlink("a"), 0);
    assert_true(listens(&second, SOCK_STREAM));
    mf_local_close(&first);
    const int client = come(SOCK_STREAM);
    assert_true(client >= 0);
    (void)close(client);
    mf_local_close(&second);
    assert_int_equal(access("a", F_OK), -1);
}

static void test_other_files_and_paths_are_refused(void **state)
{
    (void)state;
    struct mf_local_socket l;
    FILE *file = fopen("a", "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_false(listens(&l, SOCK_STREAM));
    assert_string_equal(s_why, strerror(EADDRINUSE));
    assert_int_equal(unlink("a"), 0);
    assert_int_equal(symlink("nowhere", "a"), 0);
    assert_false(listens(&l, SOCK_STREAM));
    assert_int_equal(unlink("a"), 0);
    assert_false(mf_local_listen(&l, "no/folder", SOCK_STREAM, 4, 0600, s_why));
    assert_string_equal(s_why, strerror(ENOENT));
    char path[sizeof l.address.sun_path + 1u];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1u] = '\0';
    assert_false(mf_local_listen(&l, path, SOCK_STREAM, 4, 0600, s_why));
    assert_non_null(strstr(s_why, "107"));
    assert_false(mf_local_listen(&l, "", SOCK_STREAM, 4, 0600, s_why));
}

/* 8 threads find one stale socket: one of them may have it. */
static void *race(void *at)
{
    struct mf_local_socket *l = at;
    char why[MF_LOCAL_WHY_MAX];
    (void)mf_local_listen(l, "a", SOCK_STREAM, 4, 0600, why);
    return NULL;
}

static void test_of_many_at_once_one_gets_the_path(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        struct mf_local_socket l, all[8];
        pthread_t thread[8];
        int won = 0;
        assert_true(listens(&l, SOCK_STREAM));
        (void)close(l.fd);
        for (size_t k = 0; k < 8; k++) {
            assert_int_equal(pthread_create(&thread[k], NULL, race, &all[k]), 0);
        }
        for (size_t k = 0; k < 8; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
            won += all[k].fd >= 0;
        }
        assert_int_equal(won, 1);
        for (size_t k = 0; k < 8; k++) {
            mf_local_close(&all[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_live_socket_is_refused_and_does_not_notice),
        cmocka_unit_test(test_a_stale_socket_is_replaced),
        cmocka_unit_test(test_an_end_leaves_what_is_not_its_own),
        cmocka_unit_test(test_other_files_and_paths_are_refused),
        cmocka_unit_test(test_of_many_at_once_one_gets_the_path),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
