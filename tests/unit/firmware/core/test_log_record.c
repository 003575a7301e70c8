/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a flight log, byte by byte as the ULog specification has them (version 1): length of
 * what follows the type, type, content. */
#include "firmware/core/log_record.h"
#include "tests/unit/support/mock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock s_mock;

static struct mf_hal begin(void)
{
    mf_mock_init(&s_mock);
    s_mock.archive.begin_result = MF_E_OK;
    const struct mf_hal hal = mf_mock_hal(&s_mock);
    assert_int_equal(mf_archive_begin(&hal, 0), MF_E_OK);
    return hal;
}

static void see(const uint8_t *expected, size_t n)
{
    assert_int_equal(s_mock.archive.info[0].size, n);
    assert_memory_equal(s_mock.archive.bytes[0], expected, n);
}

static void test_values_are_little_endian(void **state)
{
    static const uint8_t k_record[] = {34,   0,    'D',  0xAB, 1,    0x34, 0x12, 0x78, 0x56, 0x34,
                                       0x12, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 0x00,
                                       0x00, 0x80, 0x3F, 0x00, 0x00, 0xC0, 0x7F, 0x00, 0x00, 0x00,
                                       0x00, 0x00, 0x00, 0xF8, 0x3F, 'h',  'i'};
    (void)state;
    const struct mf_hal hal = begin();
    struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_DATA);
    mf_log_u8(&r, 0xAB);
    mf_log_bool(&r, true);
    mf_log_u16(&r, 0x1234);
    mf_log_u32(&r, 0x12345678);
    mf_log_u64(&r, UINT64_C(0x0123456789ABCDEF));
    mf_log_f32(&r, 1.0f);
    mf_log_f32(&r, -NAN); /* of all that is no number, one pattern */
    mf_log_f64(&r, 1.5);
    mf_log_chars(&r, "hi");
    mf_log_append(&hal, &r);
    see(k_record, sizeof k_record);
}

static void test_a_key_and_its_value(void **state)
{
    static const uint8_t k_record[] = {8, 0, 'I', 3, 'k', 'e', 'y', 0x04, 0x03, 0x02, 0x01};
    (void)state;
    const struct mf_hal hal = begin();
    mf_log_keyed(&hal, MF_LOG_TYPE_INFO, "key", 0x01020304);
    see(k_record, sizeof k_record);
}

static void test_a_long_record_has_a_long_length(void **state)
{
    static char s_text[301];
    (void)state;
    const struct mf_hal hal = begin();
    memset(s_text, 'x', 300);
    struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_FORMAT);
    mf_log_chars(&r, s_text);
    mf_log_append(&hal, &r);
    assert_int_equal(s_mock.archive.info[0].size, 303);
    assert_int_equal(s_mock.archive.bytes[0][0], 300 - 256);
    assert_int_equal(s_mock.archive.bytes[0][1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_little_endian),
        cmocka_unit_test(test_a_key_and_its_value),
        cmocka_unit_test(test_a_long_record_has_a_long_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
