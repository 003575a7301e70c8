/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the bus, byte by byte as docs/bus.md has them. */
#include "fleet/bus.h"
#include "hal/types.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_bus_reader s_reader;
static struct mf_bus_writer s_writer;

/* DONE of tick 258 at 1 ns, until 3 ns or a report; half of an empty TURN. */
static const uint8_t k_bytes[] = {1, 2, 16, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,  0, 3, 0, 0,
                                  0, 0, 0,  0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 73, 0, 0, 0, 0};

static int take(const uint8_t *bytes, size_t n, struct mf_bus_frame *f, const char **why)
{
    size_t room = 0;
    uint8_t *at = mf_bus_room(&s_reader, &room);
    assert_true(room >= n);
    memcpy(at, bytes, n);
    return mf_bus_next(&s_reader, n, f, why);
}

static void test_a_frame_however_it_is_cut(void **state)
{
    (void)state;
    for (size_t cut = 0; cut <= 32; cut++) {
        struct mf_bus_frame f;
        struct mf_bus_done done;
        const char *why = NULL;
        memset(&s_reader, 0, sizeof s_reader);
        int result = take(k_bytes, cut, &f, &why);
        assert_int_equal(result, cut == 32 ? MF_E_OK : MF_E_AGAIN);
        result = cut == 32 ? result : take(k_bytes + cut, sizeof k_bytes - cut, &f, &why);
        assert_int_equal(result, MF_E_OK);
        assert_int_equal(f.type, MF_BUS_DONE);
        assert_int_equal(f.tick, 258);
        assert_int_equal(f.ns, 1);
        assert_null(mf_bus_done(&f, &done));
        assert_int_equal(done.until_ns, 3);
        assert_true(done.on_report);
        assert_int_equal(mf_bus_next(&s_reader, 0, &f, &why), MF_E_AGAIN);
    }
}

static void test_what_is_no_frame(void **state)
{
    static const struct {
        uint8_t bytes[16];
        const char *data;
    } k[] = {
        {{2, 2}, "version 1"}, {{1, 2, 0xF1, 0xFF}, "64 kB"}, /* 65,521 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct mf_bus_frame f;
        const char *why = NULL;
        memset(&s_reader, 0, sizeof s_reader);
        assert_int_equal(take(k[i].bytes, 16, &f, &why), MF_E_RANGE);
        assert_names(why, k[i].data);
    }
}

/* The largest frame that there is: 65,520 bytes of payload. */
static void test_the_largest_frame(void **state)
{
    struct mf_bus_frame f;
    const char *why = NULL;
    (void)state;
    mf_bus_begin(&s_writer, MF_BUS_PARAMS, 1, 2);
    while (mf_bus_fits(&s_writer, 8)) {
        mf_bus_put_u(&s_writer, UINT64_C(0x0807060504030201), 8);
    }
    mf_bus_end(&s_writer);
    assert_int_equal(s_writer.n, 65536);
    memset(&s_reader, 0, sizeof s_reader);
    assert_int_equal(take(s_writer.bytes, 65536, &f, &why), MF_E_OK);
    assert_int_equal(f.n, 65520);
    assert_int_equal(f.payload[65519], 8);
}

static void test_a_path(void **state)
{
    uint8_t payload[8 + 32] = {5, 0, 0, 0, 1};
    const double goal[] = {100.5, 200.25, 30.0, 20.0}; /* north, east, up, speed */
    struct mf_bus_frame f = {MF_BUS_PATH, 1, 0, payload, sizeof payload};
    struct mf_bus_path path;
    (void)state;
    memcpy(payload + 8, goal, sizeof goal); /* the tests' processors are little endian */
    assert_null(mf_bus_path(&f, &path));
    assert_int_equal(path.member, 5);
    assert_int_equal(path.where, MF_SEARCH_FIRST);
    assert_int_equal(path.goals, 1);
    const struct mf_mover_goal g = mf_bus_goal(&path, 0);
    assert_true(g.at_m.n == 100.5f && g.at_m.e == 200.25f && g.at_m.u == 30.0f);
    assert_true(g.speed_mps == 20.0f);
    payload[4] = 3;
    assert_non_null(mf_bus_path(&f, &path));
    payload[4] = 0;
    f.n--;
    assert_non_null(mf_bus_path(&f, &path));
}

/* A refusal names whoever is refused: what is no name must not stand in that line, nor what follows
 * it. */
static void test_gz21_a_name_that_is_refused_is_none(void **state)
{
    (void)state;
    uint8_t payload[1u + MF_BUS_NAME_MAX + 6u] = "\1a name";
    const struct mf_bus_frame f = {MF_BUS_HELLO, 0, 0, payload, sizeof payload};
    struct mf_bus_hello hello;
    assert_null(mf_bus_hello(&f, &hello));
    assert_string_equal(hello.name, "a name");
    payload[3] = 0x1b;
    assert_non_null(mf_bus_hello(&f, &hello));
    assert_string_equal(hello.name, "");
    memset(payload + 1, 'x', sizeof payload - 1u);
    assert_non_null(mf_bus_hello(&f, &hello));
    assert_string_equal(hello.name, "");
}

static void test_orders(void **state)
{
    static const uint8_t k_payload[] = {1, 0, 0, 0, 84, 0, 0, 0, 2, 0, 0, 0, 7,
                                        8, 9, 0, 0, 0,  1, 0, 0, 0, 0, 0, 0, 0};
    struct mf_bus_frame f = {MF_BUS_ORDERS, 1, 0, k_payload, sizeof k_payload};
    struct mf_bus_order o;
    const char *why = NULL;
    size_t at = 0;
    (void)state;
    assert_true(mf_bus_order(&f, &at, &o, &why));
    assert_int_equal(o.member, 1);
    assert_int_equal(o.msgid, 84);
    assert_int_equal(o.n, 2);
    assert_memory_equal(o.payload, ((uint8_t[]){7, 8}), 2);
    assert_true(mf_bus_order(&f, &at, &o, &why));
    assert_int_equal(o.member, 9);
    assert_int_equal(o.msgid, 1);
    assert_false(mf_bus_order(&f, &at, &o, &why));
    assert_null(why);
    f.n = 13; /* of the payload a byte is not there */
    at = 0;
    assert_false(mf_bus_order(&f, &at, &o, &why));
    assert_non_null(why);
}

static void test_a_clock(void **state)
{
    static const double k_value[] = {2.5, -1.0, (double)NAN, 2e9};
    uint8_t payload[16] = {MF_BUS_CLOCK_RUN};
    struct mf_bus_frame f = {MF_BUS_CLOCK, 1, 0, payload, sizeof payload};
    struct mf_bus_clock clock;
    (void)state;
    for (size_t i = 0; i < sizeof k_value / sizeof k_value[0]; i++) {
        memcpy(payload + 8, &k_value[i], 8);
        assert_true((mf_bus_clock(&f, &clock) == NULL) == (i == 0));
    }
    assert_int_equal(clock.action, 3);
    assert_true(clock.value == 2.5);
    memcpy(payload + 8, &k_value[0], 8);
    payload[0] = 5;
    assert_non_null(mf_bus_clock(&f, &clock));
    payload[0] = 0;
    assert_non_null(mf_bus_clock(&f, &clock));
    payload[0] = 1;
    f.n = 15;
    assert_non_null(mf_bus_clock(&f, &clock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_frame_however_it_is_cut),
        cmocka_unit_test(test_what_is_no_frame),
        cmocka_unit_test(test_the_largest_frame),
        cmocka_unit_test(test_a_path),
        cmocka_unit_test(test_gz21_a_name_that_is_refused_is_none),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_a_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
