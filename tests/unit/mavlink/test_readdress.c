/* SPDX-License-Identifier: Apache-2.0 */
/* mavlink/readdress.h: frames with another system id, compared with frames that were made
 * with it.
 */
#include "mavlink/readdress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static size_t heartbeat(uint8_t version, uint8_t sysid, uint8_t *out)
{
    const struct mf_msg_heartbeat m = {.custom_mode = 50593792, .type = 2, .autopilot = 12};
    const struct mf_sender from = {.version = version, .seq = 7, .sysid = sysid, .compid = 1};
    return mf_frame_encode(&from, mf_msg_find(MF_MSG_HEARTBEAT), &m, out);
}

static size_t order(uint8_t version, uint8_t target, uint8_t *out)
{
    const struct mf_msg_command_long m = {
        .command = 400, .param1 = 1.0f, .target_system = target, .target_component = 1};
    const struct mf_sender from = {.version = version, .seq = 9, .sysid = 255, .compid = 190};
    return mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_LONG), &m, out);
}

static void test_a_sender_is_another(void **state)
{
    uint8_t own[MF_FRAME_MAX], other[MF_FRAME_MAX], out[MF_FRAME_MAX];
    (void)state;
    for (uint8_t version = 1; version <= 2; version++) {
        const size_t n = heartbeat(version, 1, own);
        assert_int_equal(heartbeat(version, 200, other), n);
        assert_int_equal(mf_readdress_sender(own, n, 200, out), n);
        assert_memory_equal(out, other, n);
    }
}

static void test_what_is_no_frame_is_left_out(void **state)
{
    uint8_t own[MF_FRAME_MAX], out[MF_FRAME_MAX];
    (void)state;
    const size_t n = heartbeat(2, 1, own);
    assert_int_equal(mf_readdress_sender(own, n - 1, 200, out), 0);
    own[n - 1] ^= 1u;
    assert_int_equal(mf_readdress_sender(own, n, 200, out), 0);
    assert_int_equal(mf_readdress_sender(own, MF_FRAME_MAX + 1u, 200, out), 0);
}

static void test_a_target_is_another(void **state)
{
    uint8_t own[MF_FRAME_MAX], other[MF_FRAME_MAX], out[MF_FRAME_MAX];
    struct mf_frame frame;
    (void)state;
    for (uint8_t version = 1; version <= 2; version++) {
        const size_t n = order(version, 3, own);
        assert_int_equal(order(version, 253, other), n);
        assert_true(mf_frame_read(own, n, &frame));
        assert_int_equal(mf_readdress_target(&frame, 253, out), n);
        assert_memory_equal(out, other, n);
    }
}

/* A signature would be that of another frame. */
static void test_a_signature_is_left_out(void **state)
{
    uint8_t own[MF_FRAME_MAX] = {0}, other[MF_FRAME_MAX], out[MF_FRAME_MAX];
    struct mf_frame frame;
    (void)state;
    const size_t n = order(2, 3, own);
    const size_t plain = order(2, 4, other);
    assert_true(mf_frame_read(own, n, &frame));
    own[2] |= MF_INCOMPAT_SIGNED;
    const uint8_t extra = frame.info->crc_extra;
    const uint16_t crc = mf_crc16(mf_crc16(0xFFFFu, own + 1, n - 3), &extra, 1);
    own[n - 2] = (uint8_t)crc;
    own[n - 1] = (uint8_t)(crc >> 8);
    assert_true(mf_frame_read(own, n + 13, &frame));
    assert_int_equal(mf_readdress_target(&frame, 4, out), plain);
    assert_memory_equal(out, other, plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sender_is_another),
        cmocka_unit_test(test_what_is_no_frame_is_left_out),
        cmocka_unit_test(test_a_target_is_another),
        cmocka_unit_test(test_a_signature_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
