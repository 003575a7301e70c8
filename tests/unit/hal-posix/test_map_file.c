/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/map_file.h"

#include "hal/types.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char s_dir[] = "/tmp/mayfly-map-XXXXXX";
static const uint8_t *s_bytes;
static size_t s_size;

static int enter(void **state)
{
    (void)state;
    return mkdtemp(s_dir) != NULL && chdir(s_dir) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    (void)unlink("a");
    (void)unlink("fifo");
    return chdir("/") == 0 && rmdir(s_dir) == 0 ? 0 : -1;
}

static void write_a(const char *text)
{
    FILE *file = fopen("new", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename("new", "a"), 0);
}

static void test_a_mapping_outlives_the_name(void **state)
{
    (void)state;
    write_a("first");
    assert_int_equal(mf_map_file("a", &s_bytes, &s_size), MF_E_OK);
    write_a("second, which is longer");
    assert_int_equal(s_size, 5);
    assert_memory_equal(s_bytes, "first", 5);
}

static void test_what_cannot_be_mapped(void **state)
{
    (void)state;
    write_a("");
    assert_int_equal(mf_map_file("a", &s_bytes, &s_size), MF_E_NOENT);
    assert_int_equal(mf_map_file(".", &s_bytes, &s_size), MF_E_NOENT);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(mf_map_file("fifo", &s_bytes, &s_size), MF_E_NOENT);
    assert_int_equal(mf_map_file("none", &s_bytes, &s_size), MF_E_IO);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mapping_outlives_the_name),
        cmocka_unit_test(test_what_cannot_be_mapped),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
