/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint8_t s_bytes[MF_QUEUE_BYTES];
static uint8_t s_frame[2000];

static void put_many(struct mf_queue *q, size_t n, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memset(s_frame, (int)(i + 1), n);
        assert_true(mf_queue_put(q, s_frame, n));
    }
}

static void test_stream_goes_out_as_one_piece(void **state)
{
    (void)state;
    struct mf_queue q;
    const uint8_t *bytes = NULL;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, false);
    assert_int_equal(mf_queue_next(&q, &bytes), 0);
    put_many(&q, 300, 10);
    assert_int_equal(mf_queue_next(&q, &bytes), 3000);
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[2999], 10);
    mf_queue_took(&q, 450); /* what a socket took need not end with a frame */
    assert_int_equal(mf_queue_next(&q, &bytes), 2550);
    assert_int_equal(bytes[0], 2);
}

static void test_an_empty_queue_begins_at_its_first_byte(void **state)
{
    (void)state;
    struct mf_queue q;
    const uint8_t *bytes = NULL;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, false);
    for (int i = 0; i < 1000; i++) {
        put_many(&q, 280, 1);
        mf_queue_took(&q, mf_queue_next(&q, &bytes));
        assert_ptr_equal(bytes, s_bytes);
        assert_true(mf_queue_empty(&q));
    }
}

static void test_a_full_queue_takes_whole_frames_or_nothing(void **state)
{
    (void)state;
    struct mf_queue q;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, false);
    put_many(&q, 1024, 63);
    assert_int_equal(mf_queue_room(&q), 1024);
    assert_false(mf_queue_put(&q, s_frame, 1025));
    assert_int_equal(mf_queue_room(&q), 1024);
    assert_true(mf_queue_put(&q, s_frame, 1024));
    assert_false(mf_queue_put(&q, s_frame, 1));
    assert_int_equal(mf_queue_room(&q), 0);
}

static void test_room_tells_what_put_takes(void **state)
{
    (void)state;
    struct mf_queue q;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, false);
    put_many(&q, 1000, 65);
    for (uint32_t taken = 0; taken < 64000; taken += 100) {
        mf_queue_took(&q, 100);
        const size_t room = mf_queue_room(&q);
        assert_false(room < 1000 && mf_queue_put(&q, s_frame, room + 1));
        assert_true(room >= q.head || room == MF_QUEUE_BYTES - q.tail);
    }
    const size_t room = mf_queue_room(&q);
    assert_int_equal(room, MF_QUEUE_BYTES - 1000);
    assert_true(mf_queue_put(&q, s_frame, sizeof s_frame));
    const uint8_t *bytes = NULL;
    assert_int_equal(mf_queue_next(&q, &bytes), 1000 + sizeof s_frame);
    assert_int_equal(bytes[0], 65);
}

/* A quarter of the memory that is free at the front counts as room, a byte less does not. */
static void test_a_quarter_at_the_front_is_room(void **state)
{
    (void)state;
    struct mf_queue q;
    mf_queue_init(&q, s_bytes, 400, false);
    put_many(&q, 200, 2);
    mf_queue_took(&q, 99);
    assert_int_equal(mf_queue_room(&q), 0);
    mf_queue_took(&q, 1);
    assert_int_equal(mf_queue_room(&q), 100);
}

static void test_datagrams_are_cut_between_frames(void **state)
{
    (void)state;
    struct mf_queue q;
    const uint8_t *bytes = NULL;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, true);
    put_many(&q, 280, 12); /* five make 1400 */
    const size_t expected[] = {1400, 1400, 560};
    const uint8_t first[] = {1, 6, 11};
    for (size_t i = 0; i < 3; i++) {
        const size_t n = mf_queue_next(&q, &bytes);
        assert_int_equal(n, expected[i]);
        assert_int_equal(bytes[0], first[i]);
        mf_queue_took(&q, n);
    }
    assert_true(mf_queue_empty(&q));
}

static void test_a_long_frame_is_a_datagram_of_its_own(void **state)
{
    (void)state;
    struct mf_queue q;
    const uint8_t *bytes = NULL;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, true);
    put_many(&q, 10, 1);
    put_many(&q, 1900, 1);
    put_many(&q, 10, 1);
    const size_t expected[] = {10, 1900, 10};
    for (size_t i = 0; i < 3; i++) {
        const size_t n = mf_queue_next(&q, &bytes);
        assert_int_equal(n, expected[i]);
        mf_queue_took(&q, n);
    }
}

static void test_every_frame_of_a_full_datagram_queue_arrives(void **state)
{
    (void)state;
    struct mf_queue q;
    const uint8_t *bytes = NULL;
    size_t in = 0, out = 0;
    mf_queue_init(&q, s_bytes, MF_QUEUE_BYTES, true);
    for (int round = 0; round < 200; round++) {
        while (
            mf_queue_put(&q, s_frame, in % 3 == 0 ? 701 : 700)) { /* the most cuts there can be */
            in += in % 3 == 0 ? 701 : 700;
        }
        for (int i = 0; i < 30 && !mf_queue_empty(&q); i++) {
            const size_t n = mf_queue_next(&q, &bytes);
            assert_true(n <= 1400);
            mf_queue_took(&q, n);
            out += n;
        }
        assert_int_equal(q.tail - q.head, in - out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_goes_out_as_one_piece),
        cmocka_unit_test(test_an_empty_queue_begins_at_its_first_byte),
        cmocka_unit_test(test_a_full_queue_takes_whole_frames_or_nothing),
        cmocka_unit_test(test_room_tells_what_put_takes),
        cmocka_unit_test(test_a_quarter_at_the_front_is_room),
        cmocka_unit_test(test_datagrams_are_cut_between_frames),
        cmocka_unit_test(test_a_long_frame_is_a_datagram_of_its_own),
        cmocka_unit_test(test_every_frame_of_a_full_datagram_queue_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
