/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures against frames that pymavlink signed: key 00 01 .. 1f, link 3, time 0x0102030405. */
#include "mavlink/sign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t k_heartbeat[] = {
    0xfd, 0x09, 0x01, 0x00, 0x07, 0xff, 0xbe, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x06, 0x08, 0x00, 0x04, 0x03, 0x99, 0x02, 0x03, 0x05, 0x04,
    0x03, 0x02, 0x01, 0x00, 0x82, 0x55, 0x1e, 0xbc, 0xbd, 0x1a,
};
static const uint8_t k_command[] = {
    0xfd, 0x20, 0x01, 0x00, 0x07, 0xff, 0xbe, 0x4c, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x40, 0x91, 0x01, 0x01, 0x01, 0xc4, 0x46, 0x03,
    0x06, 0x04, 0x03, 0x02, 0x01, 0x00, 0x9e, 0x3f, 0x74, 0xe0, 0xb1, 0x17,
};

static void make_key(uint8_t *key)
{
    for (size_t i = 0; i < MF_SIGN_KEY_BYTES; i++) {
        key[i] = (uint8_t)i;
    }
}

static void test_signs_as_pymavlink_does(void **state)
{
    (void)state;
    const struct mf_sender from = {.version = 2, .seq = 7, .sysid = 255, .compid = 190};
    const struct mf_msg_heartbeat m = {
        .type = 6, .autopilot = 8, .system_status = 4, .mavlink_version = 3};
    const struct mf_msg_info *info = mf_msg_find(MF_MSG_HEARTBEAT);
    uint8_t key[MF_SIGN_KEY_BYTES], frame[MF_FRAME_MAX];
    make_key(key);
    size_t n = mf_frame_encode(&from, info, &m, frame);
    n = mf_frame_sign(frame, n, info, key, (struct mf_signature){3, 0x0102030405});
    assert_int_equal(n, sizeof k_heartbeat);
    assert_memory_equal(frame, k_heartbeat, n);
}

static void test_reads_what_pymavlink_signed(void **state)
{
    static const struct {
        const uint8_t *bytes;
        size_t n;
        uint64_t time;
    } k_case[] = {{k_heartbeat, sizeof k_heartbeat, 0x0102030405},
                  {k_command, sizeof k_command, 0x0102030406}};
    (void)state;
    uint8_t key[MF_SIGN_KEY_BYTES];
    make_key(key);
    for (size_t i = 0; i < 2; i++) {
        struct mf_parser parser = {0};
        struct mf_frame frame;
        assert_int_equal(mf_parser_feed(&parser, k_case[i].bytes, k_case[i].n), k_case[i].n);
        assert_true(mf_parser_next(&parser, &frame));
        assert_true(mf_frame_is_signed(&frame));
        assert_int_equal(mf_frame_signature(&frame).link_id, 3);
        assert_true(mf_frame_signature(&frame).time == k_case[i].time);
        assert_true(mf_frame_signed_with(&frame, key));
        key[31] ^= 0x80u;
        assert_false(mf_frame_signed_with(&frame, key));
        key[31] ^= 0x80u;
    }
}

/* Every byte of frame and signature counts. */
static void test_no_byte_may_differ(void **state)
{
    (void)state;
    uint8_t key[MF_SIGN_KEY_BYTES], bytes[sizeof k_command];
    make_key(key);
    for (size_t i = 0; i < sizeof bytes; i++) {
        memcpy(bytes, k_command, sizeof bytes);
        bytes[i] ^= 1u;
        const struct mf_frame frame = {
            .raw = bytes, .raw_len = sizeof bytes, .incompat = MF_INCOMPAT_SIGNED};
        assert_false(mf_frame_signed_with(&frame, key));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs_as_pymavlink_does),
        cmocka_unit_test(test_reads_what_pymavlink_signed),
        cmocka_unit_test(test_no_byte_may_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
