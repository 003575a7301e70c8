/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/trace.h: lines, their order, and the SHA-256 that names a run (by sha256sum).
 */
#include "boards/swarm/core/trace.h"

#include "boards/swarm/core/command.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <pthread.h>

static char s_path[] = "/tmp/test_trace_XXXXXX";
static struct captured s_out;

/* Open the file of --trace. */
static int open_trace(const char *path)
{
    s_command.trace = path;
    return swarm_trace_system.on[SWARM_CONNECT](&s_swarm);
}

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n");
    const int fd = mkstemp(s_path);
    if (fd < 0) {
        return -1;
    }
    (void)close(fd);
    return open_trace(s_path) == SWARM_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    (void)remove(s_path);
    memset(s_path + sizeof s_path - 7u, 'X', 6);
    return 0;
}

/* Close the trace. @return its text; the summary is in s_out */
static const char *text(void)
{
    static char s_text[4096];
    capture(&s_out, stdout);
    assert_true(swarm_trace_system.complete(&s_swarm));
    (void)captured(&s_out);
    assert_null(swarm_trace_of(&s_swarm));
    FILE *file = fopen(s_path, "r");
    assert_non_null(file);
    s_text[fread(s_text, 1, sizeof s_text - 1u, file)] = '\0';
    (void)fclose(file);
    return s_text;
}

static void test_lines_are_written_as_they_come(void **state)
{
    (void)state;
    swarm_trace(swarm_trace_of(&s_swarm), 5000, "b %d", 1);
    swarm_trace(swarm_trace_of(&s_swarm), 4000, "a");
    assert_string_equal(text(), "5000 b 1\n4000 a\n");
}

/* printf '5000 b 1\n4000 a\n' | sha256sum */
static void test_the_summary_names_the_run(void **state)
{
    (void)state;
    swarm_trace(swarm_trace_of(&s_swarm), 5000, "b %d", 1);
    swarm_trace(swarm_trace_of(&s_swarm), 4000, "a");
    (void)text();
    assert_string_equal(
        s_out.text,
        "trace     2 lines, 15f313ab4f4b9bb8dfa73d7e8d6a042dea133e4ff70f8505ab60c011b0a973c0\n");
}

static void test_an_empty_trace(void **state)
{
    (void)state;
    assert_string_equal(text(), "");
    assert_names(s_out.text, "0 lines "
                             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void test_lines_side_by_side_are_sorted(void **state)
{
    (void)state;
    swarm_trace(swarm_trace_of(&s_swarm), 1, "first");
    swarm_trace_hold(swarm_trace_of(&s_swarm));
    swarm_trace(swarm_trace_of(&s_swarm), 7, "c");
    swarm_trace(swarm_trace_of(&s_swarm), 7, "a");
    swarm_trace(swarm_trace_of(&s_swarm), 7, "b");
    swarm_trace_release(swarm_trace_of(&s_swarm));
    swarm_trace(swarm_trace_of(&s_swarm), 0, "last");
    assert_string_equal(text(), "1 first\n7 a\n7 b\n7 c\n0 last\n");
}

static void test_lines_are_sorted_within_each_hold(void **state)
{
    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        swarm_trace_hold(swarm_trace_of(&s_swarm));
        swarm_trace(swarm_trace_of(&s_swarm), 2, "b");
        swarm_trace(swarm_trace_of(&s_swarm), 1, "a");
        swarm_trace_release(swarm_trace_of(&s_swarm));
    }
    assert_string_equal(text(), "1 a\n2 b\n1 a\n2 b\n");
}

/* The run has come to a time. */
static void drain_at(mf_us_t now_us)
{
    s_swarm.now_us = now_us;
    assert_int_equal(swarm_trace_system.on[SWARM_DRAIN](&s_swarm), SWARM_OK);
}

/* printf abc | sha256sum: ba7816bf8f01cfea..., of ab fb8e20fc2e4c3f24..., of c 2e7d2c03a9507ae2...
 */
static void test_bytes_are_one_line_however_they_are_cut(void **state)
{
    struct swarm_trace *t = swarm_trace_of(&s_swarm);
    (void)state;
    swarm_trace_carry(t, 1000, false, "ab", 2, "link %d", 2);
    swarm_trace_carry(t, 1000, false, "abc", 3, "link %d", 1);
    swarm_trace_carry(t, 1000, false, "c", 1, "link %d", 2);
    swarm_trace_carry(t, 2000, false, "ab", 2, "link %d", 2); /* at another time */
    drain_at(0);
    swarm_trace_carry(t, 2000, true, "c", 1, "link %d", 2); /* a message of its own */
    swarm_trace_carry(t, 2000, true, "c", 1, "link %d", 2); /* twice */
    swarm_trace_carry(t, 2000, true, "", 0, "link %d", 2);
    assert_string_equal(text(),
                        "1000 link 1: 3:ba7816bf8f01cfea\n1000 link 2: 3:ba7816bf8f01cfea\n"
                        "2000 link 2: 2:fb8e20fc2e4c3f24\n2000 link 2: 1:2e7d2c03a9507ae2\n"
                        "2000 link 2: 1:2e7d2c03a9507ae2\n2000 link 2: 0:e3b0c44298fc1c14\n");
}

static void test_ends_of_pieces_change_no_order(void **state)
{
    struct swarm_trace *t = swarm_trace_of(&s_swarm);
    (void)state;
    swarm_trace_carry(t, 3000, false, "a", 1, "v"); /* a vehicle ran ahead */
    swarm_trace_carry(t, 1000, false, "ab", 2, "w");
    drain_at(2);
    swarm_trace_carry(t, 2000, false, "c", 1, "w");
    swarm_trace(t, 2000, "now");
    drain_at(3);
    swarm_trace(t, 1500, "told late");
    swarm_trace_carry(t, 3000, false, "bc", 2, "v"); /* abc */
    drain_at(4);
    assert_string_equal(text(), "1000 w: 2:fb8e20fc2e4c3f24\n2000 now\n"
                                "2000 w: 1:2e7d2c03a9507ae2\n1500 told late\n"
                                "3000 v: 3:ba7816bf8f01cfea\n");
}

static void *carry_many(void *ctx)
{
    for (uint64_t k = 0; k < 1000; k++) {
        swarm_trace_carry(swarm_trace_of(&s_swarm), k, false, "abc", 3, "%s", (const char *)ctx);
    }
    return NULL;
}

static void test_threads_write_lines_in_one_order(void **state)
{
    static char s_names[2][2] = {"a", "b"};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, carry_many, s_names[1]), 0);
    (void)carry_many(s_names[0]);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)text();
    /* for k in range(1000): for n in "ab": f"{k} {n}: 3:ba7816bf8f01cfea" */
    assert_names(s_out.text, "2000 lines "
                             "9374ee243caded87039c202247433253867c5d69e2cf232ce6cbeef4fdc9557a");
}

static void test_after_an_error_the_trace_is_as_far_as_the_run_came(void **state)
{
    char all[64];
    (void)state;
    swarm_trace_hold(swarm_trace_of(&s_swarm));
    swarm_trace(swarm_trace_of(&s_swarm), 1, "a");
    swarm_trace_system.close(&s_swarm, 3);
    assert_null(swarm_trace_of(&s_swarm));
    FILE *file = fopen(s_path, "r");
    assert_non_null(file);
    all[fread(all, 1, sizeof all - 1u, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(all, "1 a\n");
}

static void test_a_long_line_is_cut_off(void **state)
{
    char word[700];
    (void)state;
    memset(word, 'x', sizeof word - 1u);
    word[sizeof word - 1u] = '\0';
    swarm_trace(swarm_trace_of(&s_swarm), 1, "%s", word);
    swarm_trace(swarm_trace_of(&s_swarm), 2, "y");
    const char *all = text();
    const char *line_end = strchr(all, '\n');
    assert_non_null(line_end);
    assert_true(line_end - all < 512);
    assert_string_equal(line_end, "\n2 y\n");
}

/* printf abc | sha256sum: ba7816bf8f01cfea... */
static void test_a_short_name_of_bytes(void **state)
{
    char name[SWARM_TRACE_BYTES_MAX];
    (void)state;
    swarm_trace_bytes("abc", 3, name);
    assert_string_equal(name, "3:ba7816bf8f01cfea");
    swarm_trace_bytes("", 0, name);
    assert_string_equal(name, "0:e3b0c44298fc1c14");
    (void)text();
}

static void test_without_a_trace_no_line_is_written(void **state)
{
    (void)state;
    (void)text();
    assert_int_equal(open_trace(NULL), SWARM_OK);
    swarm_trace(swarm_trace_of(&s_swarm), 1, "a");
    swarm_trace_hold(swarm_trace_of(&s_swarm));
    swarm_trace_release(swarm_trace_of(&s_swarm));
    capture(&s_out, stdout);
    assert_true(swarm_trace_system.complete(&s_swarm));
    assert_string_equal(captured(&s_out), "");
}

static void test_a_trace_that_cannot_be_written(void **state)
{
    (void)state;
    (void)text();
    assert_int_equal(open_trace("/nowhere/at/all"), SWARM_INPUT);
    assert_names(s_swarm.error, "--trace /nowhere/at/all");
    assert_false(swarm_trace_system.complete(&s_swarm));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_are_written_as_they_come, begin, end),
        cmocka_unit_test_setup_teardown(test_the_summary_names_the_run, begin, end),
        cmocka_unit_test_setup_teardown(test_an_empty_trace, begin, end),
        cmocka_unit_test_setup_teardown(test_lines_side_by_side_are_sorted, begin, end),
        cmocka_unit_test_setup_teardown(test_lines_are_sorted_within_each_hold, begin, end),
        cmocka_unit_test_setup_teardown(test_bytes_are_one_line_however_they_are_cut, begin, end),
        cmocka_unit_test_setup_teardown(test_ends_of_pieces_change_no_order, begin, end),
        cmocka_unit_test_setup_teardown(test_threads_write_lines_in_one_order, begin, end),
        cmocka_unit_test_setup_teardown(test_after_an_error_the_trace_is_as_far_as_the_run_came,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_a_long_line_is_cut_off, begin, end),
        cmocka_unit_test_setup_teardown(test_a_short_name_of_bytes, begin, end),
        cmocka_unit_test_setup_teardown(test_without_a_trace_no_line_is_written, begin, end),
        cmocka_unit_test_setup_teardown(test_a_trace_that_cannot_be_written, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
