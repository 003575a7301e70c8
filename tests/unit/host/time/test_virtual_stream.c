/* SPDX-License-Identifier: Apache-2.0 */
/* host/time/virtual_stream.h: events byte by byte as docs/bus.md has them, and bytes that wait. */
#include "host/time/virtual_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_stream_bytes s_bytes;

static int end(void **state)
{
    (void)state;
    mf_stream_bytes_free(&s_bytes);
    assert_null(s_bytes.first);
    assert_null(s_bytes.last);
    return 0;
}

static void put(const char *text)
{
    assert_true(mf_stream_bytes_put(&s_bytes, (const uint8_t *)text, strlen(text)));
}

/* The next bytes are these. */
static void must_be(const char *text)
{
    size_t n = 99;
    const uint8_t *bytes = mf_stream_bytes_next(&s_bytes, &n);
    assert_non_null(bytes);
    assert_int_equal(n, strlen(text));
    assert_memory_equal(bytes, text, n);
}

static void must_be_empty(void)
{
    size_t n = 99;
    assert_null(mf_stream_bytes_next(&s_bytes, &n));
    assert_int_equal(n, 0);
}

static const uint8_t k_answer[] = {2, 111, 0x50, 0xC3, 4, 3, 2, 1}; /* ECONNREFUSED, port 50,000 */
static const uint8_t k_data[] = {4, 0, 80, 0, 7, 0, 0, 0xC0, 'a', 'b'};

static void test_events_are_written(void **state)
{
    uint8_t to[16];
    const struct mf_stream_event answer = {
        .kind = MF_STREAM_ANSWER, .why = 111, .port = 50000, .number = 0x01020304};
    const struct mf_stream_event data = {.kind = MF_STREAM_DATA,
                                         .port = 80,
                                         .number = 0xC0000007u,
                                         .bytes = (const uint8_t *)"ab",
                                         .n = 2};
    (void)state;
    assert_int_equal(mf_stream_write(&answer, to), 8);
    assert_memory_equal(to, k_answer, 8);
    assert_int_equal(mf_stream_write(&data, to), 10);
    assert_memory_equal(to, k_data, 10);
}

static void test_events_are_read(void **state)
{
    struct mf_stream_event e;
    (void)state;
    assert_true(mf_stream_read(k_answer, sizeof k_answer, &e));
    assert_int_equal(e.kind, MF_STREAM_ANSWER);
    assert_int_equal(e.why, 111);
    assert_int_equal(e.port, 50000);
    assert_int_equal(e.number, 0x01020304);
    assert_int_equal(e.n, 0);
    assert_true(mf_stream_read(k_data, sizeof k_data, &e));
    assert_int_equal(e.number, 0xC0000007u);
    assert_int_equal(e.n, 2);
    assert_ptr_equal(e.bytes, k_data + 8);
}

static void test_bytes_that_are_no_event(void **state)
{
    uint8_t bytes[8] = {1};
    struct mf_stream_event e;
    (void)state;
    assert_true(mf_stream_read(bytes, 8, &e));
    assert_false(mf_stream_read(bytes, 7, &e));
    bytes[0] = 0;
    assert_false(mf_stream_read(bytes, 8, &e));
    bytes[0] = 6;
    assert_true(mf_stream_read(bytes, 8, &e));
    bytes[0] = 7;
    assert_false(mf_stream_read(bytes, 8, &e));
}

static void test_bytes_leave_in_their_order(void **state)
{
    (void)state;
    must_be_empty();
    put("one");
    put("two");
    must_be("one");
    mf_stream_bytes_took(&s_bytes, 3);
    must_be("two");
    mf_stream_bytes_took(&s_bytes, 3);
    must_be_empty();
    put("three"); /* after it was empty */
    must_be("three");
}

static void test_a_program_takes_a_part(void **state)
{
    (void)state;
    put("abcde");
    put("f");
    mf_stream_bytes_took(&s_bytes, 2);
    must_be("cde");
    mf_stream_bytes_took(&s_bytes, 0);
    must_be("cde");
    mf_stream_bytes_took(&s_bytes, 3);
    must_be("f");
}

static void test_no_bytes_are_no_piece(void **state)
{
    (void)state;
    put("");
    must_be_empty();
    put("a");
    put("");
    must_be("a");
    mf_stream_bytes_took(&s_bytes, 1);
    must_be_empty();
}

static void test_bytes_without_memory_are_refused(void **state)
{
    (void)state;
    put("a");
    assert_false(mf_stream_bytes_put(&s_bytes, (const uint8_t *)"b", SIZE_MAX / 4u));
    must_be("a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_written),
        cmocka_unit_test(test_events_are_read),
        cmocka_unit_test(test_bytes_that_are_no_event),
        cmocka_unit_test_teardown(test_bytes_leave_in_their_order, end),
        cmocka_unit_test_teardown(test_a_program_takes_a_part, end),
        cmocka_unit_test_teardown(test_no_bytes_are_no_piece, end),
        cmocka_unit_test_teardown(test_bytes_without_memory_are_refused, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
