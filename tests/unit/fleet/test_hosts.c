/* SPDX-License-Identifier: Apache-2.0 */
/* GZ-06: frames between the processes of one swarm, as Python's struct packs them. */
#include "fleet/hosts.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* struct.pack('<BBHIQ', 1, 3, 0, 22, 258) + struct.pack('<BIIH', 23, 7, 2, 513) +
 * struct.pack('<BII2s', 3, 1, 2, b'ab') */
static const uint8_t k_frame[] = {1, 3, 0, 0, 22, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 23, 7,   0,
                                  0, 0, 2, 0, 0,  0, 1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0,  'a', 'b'};

static void test_gz06_a_frame_is_written(void **state)
{
    uint8_t bytes[64];
    struct mf_hosts_writer w = {.bytes = bytes, .size = sizeof bytes};
    (void)state;
    mf_hosts_begin(&w, MF_HOSTS_PHASE, 258);
    mf_hosts_put(&w, (enum mf_hosts_kind)23, 7);
    mf_hosts_put_u(&w, 513, 2);
    mf_hosts_put(&w, MF_HOSTS_VARIATION_, 1);
    mf_hosts_put_raw(&w, "ab", 2);
    mf_hosts_finish(&w);
    assert_int_equal(w.n, sizeof k_frame);
    assert_memory_equal(bytes, k_frame, sizeof k_frame);
}

static void test_gz06_a_frame_is_read(void **state)
{
    struct mf_hosts_head head;
    struct mf_hosts_record r;
    const char *why = NULL;
    const uint8_t *body = k_frame + MF_HOSTS_HEADER;
    char text[2];
    size_t at = 0;
    bool bad = false;
    (void)state;
    assert_int_equal(mf_hosts_head(k_frame, 22, &head, &why), MF_E_OK);
    assert_int_equal(head.type, MF_HOSTS_PHASE);
    assert_int_equal(head.n, 22);
    assert_int_equal(head.phase, 258);
    assert_true(mf_hosts_next(body, head.n, &at, &r, &bad));
    assert_int_equal(r.kind, 23);
    assert_int_equal(r.key, 7);
    assert_int_equal(mf_hosts_u(&r, 2), 513);
    assert_false(r.lacks);
    assert_int_equal(mf_hosts_u(&r, 1), 0); /* there is no more, and that is remembered */
    assert_true(r.lacks);
    assert_true(mf_hosts_next(body, head.n, &at, &r, &bad));
    mf_hosts_text(&r, text, sizeof text);
    assert_string_equal(text, "a");
    assert_false(mf_hosts_next(body, head.n, &at, &r, &bad));
    assert_false(bad);
}

static void test_gz06_what_is_no_frame_is_refused(void **state)
{
    struct mf_hosts_head head;
    struct mf_hosts_record r;
    const char *why = NULL;
    uint8_t bytes[sizeof k_frame];
    (void)state;
    assert_int_equal(mf_hosts_head(k_frame, 21, &head, &why), MF_E_RANGE);
    assert_names(why, "long");
    memcpy(bytes, k_frame, sizeof bytes);
    bytes[0] = 2;
    assert_int_equal(mf_hosts_head(bytes, 100, &head, &why), MF_E_RANGE);
    assert_names(why, "version 1");
    for (size_t n = 1; n < 22; n++) { /* cut anywhere but between records */
        size_t at = 0;
        bool bad = false;
        while (mf_hosts_next(k_frame + MF_HOSTS_HEADER, n, &at, &r, &bad)) {
        }
        assert_int_equal(bad, n != 11);
    }
}

/* A record of these bytes. */
static struct mf_hosts_record record_of(const void *bytes, size_t n)
{
    return (struct mf_hosts_record){.kind = MF_HOSTS_FLOCK_MEMBER_, .at = bytes, .n = n};
}

static void test_numbers_that_are_none_are_refused(void **state)
{
    static const double k_double[] = {NAN, INFINITY, -INFINITY, 10.1, -10.1, 1e300};
    static const int64_t k_time[] = {-1, INT64_MIN, MF_HOSTS_TIME_MAX + 1, INT64_MAX - 1};
    static const int64_t k_good[] = {0, 1, MF_HOSTS_TIME_MAX, MF_NEVER};
    double to[2];
    float small[2];
    (void)state;
    for (size_t i = 0; i < sizeof k_double / sizeof k_double[0]; i++) {
        const double all[] = {1.0, k_double[i]};
        const float few[] = {(float)k_double[i], 1.0f};
        struct mf_hosts_record r = record_of(all, sizeof all);
        mf_hosts_f64(&r, to, 2, 10.0);
        assert_true(r.lacks && to[0] == 0.0 && to[1] == 0.0);
        r = record_of(few, sizeof few);
        mf_hosts_f32(&r, small, 2, 10.0f);
        assert_true(r.lacks && small[0] == 0.0f && small[1] == 0.0f);
    }
    const double all[] = {10.0, -10.0};
    struct mf_hosts_record r = record_of(all, sizeof all);
    mf_hosts_f64(&r, to, 2, 10.0);
    assert_true(!r.lacks && to[0] == 10.0 && to[1] == -10.0 && r.n == 0);
    for (size_t i = 0; i < 4; i++) {
        r = record_of(&k_time[i], 8);
        assert_int_equal(mf_hosts_time(&r), 0);
        assert_true(r.lacks);
        r = record_of(&k_good[i], 8);
        assert_true(mf_hosts_time(&r) == k_good[i]);
        assert_false(r.lacks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gz06_a_frame_is_written),
        cmocka_unit_test(test_gz06_a_frame_is_read),
        cmocka_unit_test(test_gz06_what_is_no_frame_is_refused),
        cmocka_unit_test(test_numbers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
