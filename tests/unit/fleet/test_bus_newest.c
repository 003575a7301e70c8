/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/bus_newest.h: what watchers get of a stream of frames, and which bytes of theirs pass. */
#include "fleet/bus_newest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_bus_newest s_newest;
static uint8_t s_got[1 << 20];

static int begin(void **state)
{
    (void)state;
    mf_bus_newest_free(&s_newest);
    s_newest = (struct mf_bus_newest){0};
    return 0;
}

static int end(void **state)
{
    return begin(state);
}

/* Keep a frame whose payload is a number of four bytes and a letter. */
static void keep_at(enum mf_bus_type type, uint32_t tick, uint32_t number, char letter)
{
    static struct mf_bus_writer s_writer;
    mf_bus_begin(&s_writer, type, tick, 0);
    mf_bus_put_u(&s_writer, number, 4);
    mf_bus_put_text(&s_writer, (const char[]){letter, '\0'}, 1, false);
    mf_bus_end(&s_writer);
    mf_bus_newest_keep(&s_newest, &(struct mf_bus_frame){.type = (uint8_t)type,
                                                         .tick = tick,
                                                         .payload = s_writer.bytes + MF_BUS_HEADER,
                                                         .n = s_writer.n - MF_BUS_HEADER});
}

static void keep(enum mf_bus_type type, uint32_t number, char letter)
{
    keep_at(type, 0, number, letter);
}

#define FRAME (MF_BUS_HEADER + 5u)

/* The letters of the frames that a watcher gets. */
static const char *copy_some(uint64_t *after, size_t room)
{
    static char s_letters[8192];
    const size_t n = mf_bus_newest_copy(&s_newest, after, s_got, room);
    assert_int_equal(n % FRAME, 0);
    assert_true(n / FRAME < sizeof s_letters);
    for (size_t i = 0; i < n / FRAME; i++) {
        s_letters[i] = (char)s_got[i * FRAME + MF_BUS_HEADER + 4u];
    }
    s_letters[n / FRAME] = '\0';
    return s_letters;
}

static const char *copy(uint64_t *after)
{
    return copy_some(after, sizeof s_got);
}

static void test_a_watcher_gets_frames_in_their_order(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_WELCOME, 0, 'w');
    keep(MF_BUS_SCENE, 0, 's');
    keep(MF_BUS_TIME, 0, 't');
    assert_string_equal(copy(&after), "wst");
    assert_int_equal(after, 3);
    assert_int_equal(s_got[0], MF_BUS_VERSION);
    assert_int_equal(s_got[1], MF_BUS_WELCOME);
    assert_int_equal(s_got[2], 5); /* length of the payload */
}

static void test_a_watcher_gets_each_frame_once(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_TIME, 0, 'a');
    assert_string_equal(copy(&after), "a");
    assert_string_equal(copy(&after), "");
    assert_int_equal(after, 1);
    keep(MF_BUS_TIME, 0, 'b');
    assert_string_equal(copy(&after), "b");
}

static void test_a_frame_takes_the_place_of_the_one_before(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_TIME, 0, 'a');
    keep(MF_BUS_SCENE, 0, 's');
    keep(MF_BUS_TIME, 7, 'b'); /* its number does not make it another kind */
    assert_string_equal(copy(&after), "sb");
    assert_int_equal(s_newest.count, 2);
}

static void test_types_with_several_frames_keep_one_for_each_number(void **state)
{
    static const enum mf_bus_type k[] = {MF_BUS_ENTITY, MF_BUS_STATE, MF_BUS_OBSTACLES,
                                         MF_BUS_RASTER, MF_BUS_SENSED};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        uint64_t after = 0;
        (void)begin(NULL);
        keep(k[i], 0, 'a');
        keep(k[i], 0x01000000, 'b');
        keep(k[i], 0, 'c');
        assert_string_equal(copy(&after), "bc");
    }
}

static void test_rows_of_the_last_sixteen_instants_are_kept(void **state)
{
    uint64_t after = 0;
    (void)state;
    for (uint32_t tick = 0; tick < 20; tick++) {
        keep_at(MF_BUS_RECEPTIONS, tick, 5, (char)('a' + tick));
    }
    assert_string_equal(copy(&after), "efghijklmnopqrst");
    (void)begin(NULL);
    after = 0;
    keep_at(MF_BUS_REPORTS, 1, 0, 'x');
    keep_at(MF_BUS_REPORTS, 2, 0, 'y');
    assert_string_equal(copy(&after), "xy");
}

static void test_answers_and_turns_are_not_for_watchers(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_TURN, 0, 'a');
    keep(MF_BUS_ACKS, 0, 'b');
    keep(MF_BUS_LOOKS, 0, 'c');
    keep(MF_BUS_PARAMS, 0, 'd');
    assert_string_equal(copy(&after), "");
    assert_int_equal(s_newest.sequence, 0);
}

static void test_as_many_frames_as_fit(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_WELCOME, 0, 'a');
    keep(MF_BUS_SCENE, 0, 'b');
    keep(MF_BUS_TIME, 0, 'c');
    assert_string_equal(copy_some(&after, 2 * FRAME + FRAME - 1), "ab");
    assert_int_equal(after, 2);
    assert_string_equal(copy_some(&after, FRAME), "c");
    after = 0;
    assert_string_equal(copy_some(&after, FRAME - 1), "");
    assert_int_equal(after, 0);
}

/* A page that was open before the swarm was started anew. */
static void test_a_watcher_of_another_run_begins_anew(void **state)
{
    uint64_t after = 1000;
    (void)state;
    keep(MF_BUS_TIME, 0, 'a');
    assert_string_equal(copy(&after), "a");
    assert_int_equal(after, 1);
}

static void test_the_newest_frame_of_a_type(void **state)
{
    size_t n = 9;
    (void)state;
    assert_null(mf_bus_newest_find(&s_newest, MF_BUS_SCENE, &n));
    assert_int_equal(n, 0);
    keep(MF_BUS_STATE, 1, 'a');
    keep(MF_BUS_STATE, 0, 'b');
    keep(MF_BUS_TIME, 0, 't');
    keep(MF_BUS_STATE, 1, 'c');
    const uint8_t *payload = mf_bus_newest_find(&s_newest, MF_BUS_STATE, &n);
    assert_non_null(payload);
    assert_int_equal(n, 5);
    assert_int_equal(payload[4], 'c');
}

static void test_kinds_beyond_4096_are_left_out(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4096; i++) {
        keep(MF_BUS_STATE, i, 'a');
    }
    assert_int_equal(s_newest.count, 4096);
    keep(MF_BUS_STATE, 4096, 'b');
    assert_int_equal(s_newest.count, 4096);
    assert_int_equal(s_newest.sequence, 4096);
    keep(MF_BUS_STATE, 17, 'c'); /* in its place */
    uint64_t after = 4096;
    assert_string_equal(copy(&after), "c");
}

static void test_who_is_freed_begins_anew(void **state)
{
    uint64_t after = 0;
    (void)state;
    keep(MF_BUS_SCENE, 0, 'a');
    keep(MF_BUS_TIME, 0, 'b');
    mf_bus_newest_free(&s_newest);
    assert_null(s_newest.slots);
    assert_int_equal(s_newest.count, 0);
    keep(MF_BUS_TIME, 0, 'c');
    assert_int_equal(s_newest.count, 1);
    assert_string_equal(copy(&after), "c");
}

static void put_frame(uint8_t *to, uint8_t version, uint8_t type, uint16_t n)
{
    memset(to, 0, MF_BUS_HEADER + n);
    to[0] = version;
    to[1] = type;
    to[2] = (uint8_t)n;
    to[3] = (uint8_t)(n >> 8);
}

static void test_frames_of_an_operator(void **state)
{
    uint8_t bytes[400];
    (void)state;
    put_frame(bytes, 1, MF_BUS_ORDERS, 300);
    put_frame(bytes + 316, 1, MF_BUS_CLOCK, 0);
    put_frame(bytes + 332, 1, MF_BUS_TASK, 4);
    assert_true(mf_bus_is_operators(bytes, 316));
    assert_true(mf_bus_is_operators(bytes, 332));
    assert_true(mf_bus_is_operators(bytes, 352));
}

static void test_bytes_that_are_not_frames_of_an_operator(void **state)
{
    uint8_t bytes[64];
    (void)state;
    put_frame(bytes, 1, MF_BUS_CLOCK, 9);
    assert_false(mf_bus_is_operators(bytes, 0));
    assert_false(mf_bus_is_operators(bytes, 15)); /* less than a header */
    assert_false(mf_bus_is_operators(bytes, 24)); /* cut off */
    assert_false(mf_bus_is_operators(bytes, 26)); /* a byte behind it */
    put_frame(bytes, 2, MF_BUS_CLOCK, 9);
    assert_false(mf_bus_is_operators(bytes, 25));
    put_frame(bytes, 1, MF_BUS_STATE, 9);
    assert_false(mf_bus_is_operators(bytes, 25));
    put_frame(bytes, 1, MF_BUS_CLOCK, 0);
    put_frame(bytes + 16, 1, MF_BUS_HELLO, 0);
    assert_false(mf_bus_is_operators(bytes, 32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_watcher_gets_frames_in_their_order, begin),
        cmocka_unit_test_setup(test_a_watcher_gets_each_frame_once, begin),
        cmocka_unit_test_setup(test_a_frame_takes_the_place_of_the_one_before, begin),
        cmocka_unit_test_setup(test_types_with_several_frames_keep_one_for_each_number, begin),
        cmocka_unit_test_setup(test_rows_of_the_last_sixteen_instants_are_kept, begin),
        cmocka_unit_test_setup(test_answers_and_turns_are_not_for_watchers, begin),
        cmocka_unit_test_setup(test_as_many_frames_as_fit, begin),
        cmocka_unit_test_setup(test_a_watcher_of_another_run_begins_anew, begin),
        cmocka_unit_test_setup(test_the_newest_frame_of_a_type, begin),
        cmocka_unit_test_setup(test_kinds_beyond_4096_are_left_out, begin),
        cmocka_unit_test_setup(test_who_is_freed_begins_anew, begin),
        cmocka_unit_test(test_frames_of_an_operator),
        cmocka_unit_test(test_bytes_that_are_not_frames_of_an_operator),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
