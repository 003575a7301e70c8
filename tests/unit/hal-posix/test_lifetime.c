/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of lifetimes: a time, a file that has one, and the earlier of both. */
#include "hal-posix/clock.h"
#include "hal-posix/lifetime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static char s_file[] = "/tmp/mf-lifetime-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(s_file);
    return fd >= 0 && close(fd) == 0 ? 0 : -1;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(s_file);
}

/* Look at a lifetime whose file has a text. */
static mf_us_t look_with(mf_us_t end_us, const char *text)
{
    const struct mf_lifetime l = {end_us, s_file};
    FILE *file = fopen(s_file, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    return mf_lifetime_look(&l);
}

static mf_us_t look_in(mf_us_t end_us, double from_now_s)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.6f\n", (double)mf_utc_us() / 1e6 + from_now_s);
    return look_with(end_us, text);
}

static void test_a_time_alone_needs_one_look(void **state)
{
    const mf_us_t now_us = mf_monotonic_us();
    struct mf_lifetime l = {MF_NEVER, ""};
    (void)state;
    assert_true(mf_lifetime_look(&l) == MF_NEVER);
    l.end_us = now_us + 60 * MF_SECOND_US;
    assert_true(mf_lifetime_look(&l) == l.end_us);
    l.end_us = now_us;
    assert_true(mf_lifetime_look(&l) == 0);
}

static void test_a_file_ends_it_before_and_is_read_again(void **state)
{
    (void)state;
    const mf_us_t far = look_in(MF_NEVER, 60.0);
    assert_true(far != 0 && far <= mf_monotonic_us() + 2 * MF_SECOND_US);
    assert_true(look_in(MF_NEVER, -0.001) == 0);
    assert_true(look_in(mf_monotonic_us(), 60.0) == 0);
    const mf_us_t near = look_in(MF_NEVER, 1.0);
    assert_true(near != 0 && near <= mf_monotonic_us() + MF_SECOND_US);
}

static void test_a_file_without_a_time_ends_it(void **state)
{
    const struct mf_lifetime missing = {MF_NEVER, "/nowhere/ends"};
    (void)state;
    assert_true(look_with(MF_NEVER, "") == 0);
    assert_true(look_with(MF_NEVER, "soon") == 0);
    assert_true(look_with(MF_NEVER, "nan") == 0);
    assert_true(mf_lifetime_look(&missing) == 0);
}

/* A flood of connections takes all descriptors for a while. */
static void test_a_lack_of_descriptors_does_not_end_it(void **state)
{
    struct rlimit before;
    const struct mf_lifetime l = {MF_NEVER, s_file};
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = {0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const mf_us_t look_us = mf_lifetime_look(&l);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(look_us != 0 && look_us != MF_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_time_alone_needs_one_look),
        cmocka_unit_test(test_a_file_ends_it_before_and_is_read_again),
        cmocka_unit_test(test_a_file_without_a_time_ends_it),
        cmocka_unit_test(test_a_lack_of_descriptors_does_not_end_it),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
