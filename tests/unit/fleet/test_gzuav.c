/* SPDX-License-Identifier: Apache-2.0 */
/* GZ-02: bytes of gzuav's protocol, as its Python clients pack and unpack them. */
#include "fleet/gzuav.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* struct.pack('<d', 0.5) */
static void test_gz02_a_tick_is_a_double(void **state)
{
    static const uint8_t k_half[MF_GZUAV_TIME] = {0, 0, 0, 0, 0, 0, 0xE0, 0x3F};
    uint8_t out[MF_GZUAV_TIME];
    (void)state;
    mf_gzuav_time(out, 0.5);
    assert_memory_equal(out, k_half, sizeof k_half);
}

/* struct.pack('<I', 258), struct.pack('<I3d', 7, 1.0, -2.0, 0.25) */
static void test_gz02_places_have_28_bytes(void **state)
{
    static const uint8_t k_count[MF_GZUAV_COUNT] = {2, 1, 0, 0};
    static const uint8_t k_place[MF_GZUAV_PLACE] = {7,    0,    0, 0, 0, 0, 0,    0,   0, 0,
                                                    0xF0, 0x3F, 0, 0, 0, 0, 0,    0,   0, 0xC0,
                                                    0,    0,    0, 0, 0, 0, 0xD0, 0x3F};
    uint8_t count[MF_GZUAV_COUNT], place[MF_GZUAV_PLACE];
    (void)state;
    mf_gzuav_count(count, 258);
    mf_gzuav_place(place, 7, (const double[3]){1.0, -2.0, 0.25});
    assert_memory_equal(count, k_count, sizeof k_count);
    assert_memory_equal(place, k_place, sizeof k_place);
}

/* A client of gzuav says hello to all: the length counts the four bytes of the destination. */
static void test_gz04_a_length_counts_the_destination(void **state)
{
    static const uint8_t k_hello[] = {0x0A, 0,   0,   0,   0xFF, 0xFF, 0xFF,
                                      0xFF, 'h', 'e', 'l', 'l',  'o',  '0'};
    static const uint8_t k_short[MF_GZUAV_HEADER] = {3};
    int32_t to = 0;
    (void)state;
    assert_int_equal(mf_gzuav_header(k_hello, &to), sizeof k_hello - MF_GZUAV_HEADER);
    assert_int_equal(to, -1);
    assert_true(mf_gzuav_header(k_short, &to) > UINT32_MAX - 4u);
}

/* struct.pack('<Ii', 4 + 65507, -1), struct.pack('<II', 4 + 3, 4000000000) */
static void test_gz04_headers_of_packets(void **state)
{
    static const uint8_t k_in[MF_GZUAV_HEADER] = {0xE7, 0xFF, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
    static const uint8_t k_out[MF_GZUAV_HEADER] = {7, 0, 0, 0, 0x00, 0x28, 0x6B, 0xEE};
    uint8_t out[MF_GZUAV_HEADER];
    int32_t to = 0;
    (void)state;
    assert_int_equal(mf_gzuav_header(k_in, &to), 65507);
    assert_int_equal(to, -1);
    mf_gzuav_packet(out, 3, 4000000000u);
    assert_memory_equal(out, k_out, sizeof k_out);
    assert_int_equal(mf_gzuav_id(k_out), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gz02_a_tick_is_a_double),
        cmocka_unit_test(test_gz02_places_have_28_bytes),
        cmocka_unit_test(test_gz04_a_length_counts_the_destination),
        cmocka_unit_test(test_gz04_headers_of_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
