/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock g_mock;
static struct mf_vehicle g_vehicle;
static struct mf_link g_links[2];

static struct mf_vehicle *vehicle(bool gcs_only)
{
    mf_mock_init(&g_mock);
    memset(g_links, 0, sizeof g_links);
    const struct mf_setup setup = {
        .hal = mf_mock_hal(&g_mock),
        .links = g_links,
        .link_count = 2,
        .sysid = 1,
        .compid = 1,
        .options = {.statustext_gcs_only = gcs_only},
    };
    static int32_t off[MF_STREAM_COUNT];
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_OK);
    for (int i = 0; i < 2; i++) {
        const struct mf_serial serial = mf_mock_serial(&g_mock, i);
        assert_int_equal(mf_link_open(&g_vehicle, &serial, "mock", off), i);
    }
    return &g_vehicle;
}

static void test_numbers(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *text;
    } k_case[] = {
        {0.0, 0, "0"},
        {2.5, 1, "2.5"},
        {-0.04, 1, "0.0"},
        {-0.05, 1, "-0.1"},
        {9.999, 2, "10.00"},
        {0.000001, 6, "0.000001"},
        {1e13, 1, "out of range"},
        {NAN, 1, "nan"},
        {-12.345, 2, "-12.35"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_text t = mf_text("");
        mf_text_add_float(&t, k_case[i].value, k_case[i].decimals);
        assert_string_equal(t.s, k_case[i].text);
    }
    struct mf_text t = mf_text("min ");
    mf_text_add_int(&t, INT64_MIN);
    assert_string_equal(t.s, "min -9223372036854775808");
}

static void test_too_long_is_cut(void **state)
{
    (void)state;
    struct mf_text t = mf_text("");
    for (int i = 0; i < 40; i++) {
        mf_text_add(&t, "1234567");
    }
    assert_int_equal(t.len, 240);
    assert_int_equal(strlen(t.s), 240);
}

static void test_sim024_short_text_is_one_frame_without_id(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(false);
    struct mf_msg_statustext m;
    mf_say(v, MF_CRITICAL,
           "12345678901234567890123456789012345678901234567890"); /* 50: fills the field */
    for (int port = 0; port < 2; port++) {
        assert_true(mf_mock_take(&g_mock, port, MF_MSG_STATUSTEXT, &m));
        assert_int_equal(m.severity, 2);
        assert_int_equal(m.id, 0);
        assert_memory_equal(m.text, "12345678901234567890123456789012345678901234567890", 50);
        assert_false(mf_mock_take(&g_mock, port, MF_MSG_STATUSTEXT, &m));
    }
    assert_true(
        mf_mock_logged(&g_mock, "text", "12345678901234567890123456789012345678901234567890"));
}

static void test_long_text_in_chunks_with_one_id(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(false);
    struct mf_msg_statustext m;
    mf_say(v, MF_INFO, "12345678901234567890123456789012345678901234567890X");
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_STATUSTEXT, &m));
    assert_int_equal(m.id, 1);
    assert_int_equal(m.chunk_seq, 0);
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_STATUSTEXT, &m));
    assert_int_equal(m.id, 1);
    assert_int_equal(m.chunk_seq, 1);
    assert_string_equal(m.text, "X");
    mf_say(v, MF_INFO, "12345678901234567890123456789012345678901234567890Y");
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_STATUSTEXT, &m));
    assert_int_equal(m.id, 2);
}

static void test_setting_sends_texts_to_ground_stations_only(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    const struct mf_msg_heartbeat gcs = {.type = 6, .autopilot = 8, .mavlink_version = 3};
    mf_say(v, MF_INFO, "nobody");
    mf_mock_feed_msg(&g_mock, 1, MF_MSG_HEARTBEAT, &gcs);
    (void)mf_vehicle_step(v);
    mf_say(v, MF_INFO, "somebody");
    assert_int_equal(mf_mock_count(&g_mock, 0, MF_MSG_STATUSTEXT), 0);
    assert_int_equal(mf_mock_count(&g_mock, 1, MF_MSG_STATUSTEXT), 1);
    mf_mock_advance(&g_mock, 2600000);
    (void)mf_vehicle_step(v);
    mf_say(v, MF_INFO, "gone");
    assert_int_equal(mf_mock_count(&g_mock, 1, MF_MSG_STATUSTEXT), 1);
}

/* Two full chunks do not say that they are all: a third, empty one does. */
static void test_chunks_end_with_one_that_is_not_full(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(false);
    struct mf_msg_statustext m;
    struct mf_text t = mf_text("");
    for (int i = 0; i < 100; i++) {
        mf_text_add(&t, "x");
    }
    mf_say(v, MF_INFO, t.s);
    for (uint8_t chunk = 0; chunk < 3; chunk++) {
        assert_true(mf_mock_take(&g_mock, 0, MF_MSG_STATUSTEXT, &m));
        assert_int_equal(m.chunk_seq, chunk);
        assert_int_equal(m.text[0], chunk < 2 ? 'x' : '\0');
    }
    assert_false(mf_mock_take(&g_mock, 0, MF_MSG_STATUSTEXT, &m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_too_long_is_cut),
        cmocka_unit_test(test_sim024_short_text_is_one_frame_without_id),
        cmocka_unit_test(test_long_text_in_chunks_with_one_id),
        cmocka_unit_test(test_setting_sends_texts_to_ground_stations_only),
        cmocka_unit_test(test_chunks_end_with_one_that_is_not_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
