/* SPDX-License-Identifier: Apache-2.0 */
/* drone/wiring.h: wrappers come between a drone and its links when they are first needed, in
 * their order. */
#include "drone/wiring.h"

#include "drone/drone.h"
#include "firmware/report/stream.h"
#include "host/record/recording.h"
#include "host/spec/misbehavespec.h"
#include "host/spec/qualityspec.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define LINKS    3
#define CHUNKS   4
#define RECORDED 4096u
#define START_US (50 * MF_SECOND_US)
#define PORT     5

static struct mf_mock s_mock;
static struct mf_drone s_drone;
static struct mf_link s_links[LINKS];
static struct mf_world_settings s_world;
static struct mf_wiring s_wiring;
static struct mf_connection s_connections[LINKS];
static struct mf_memory s_memory;
static uint8_t s_parts[MF_WIRING_QUALITY_BYTES(LINKS, CHUNKS) + MF_WIRING_MISBEHAVE_BYTES(LINKS) +
                       MF_WIRING_RECORDER_BYTES(LINKS, RECORDED)];
static int32_t s_interval_us[MF_STREAM_COUNT];

/* What was recorded. */
static struct {
    uint8_t bytes[1 << 16];
    size_t len, at;
} s_file;

static bool write_file(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    assert_true(s_file.len + n <= sizeof s_file.bytes);
    memcpy(s_file.bytes + s_file.len, bytes, n);
    s_file.len += n;
    return true;
}

static size_t read_file(void *ctx, uint8_t *bytes, size_t n)
{
    (void)ctx;
    n = s_file.len - s_file.at < n ? s_file.len - s_file.at : n;
    memcpy(bytes, s_file.bytes + s_file.at, n);
    s_file.at += n;
    return n;
}

static void boot(void)
{
    const struct mf_hal mock = mf_mock_hal(&s_mock);
    struct mf_drone_setup setup = {
        .world = &s_world,
        .wiring = &s_wiring,
        .vehicle = {
            .hal = mf_hal_null(), .links = s_links, .link_count = LINKS, .sysid = 1, .compid = 1}};
    setup.vehicle.hal.clock = mock.clock;
    setup.vehicle.hal.clock_ctx = mock.clock_ctx;
    setup.vehicle.utc_us = 1700000000000000;
    assert_int_equal(mf_drone_init(&s_drone, &setup), MF_E_OK);
}

static void wire(size_t bytes)
{
    s_memory = (struct mf_memory){.bytes = s_parts, .size = bytes};
    mf_wiring_init(&s_wiring, &(struct mf_wiring_setup){.connections = s_connections,
                                                        .count = LINKS,
                                                        .memory = &s_memory,
                                                        .quality_chunks = CHUNKS,
                                                        .recorder_bytes = RECORDED,
                                                        .start_us = START_US});
}

static int before(void **state)
{
    (void)state;
    mf_mock_init(&s_mock);
    memset(&s_drone, 0, sizeof s_drone);
    memset(&s_file, 0, sizeof s_file);
    memset(s_parts, 0xA5, sizeof s_parts); /* of any content */
    memset(s_connections, 0xA5, sizeof s_connections);
    s_world = mf_world_settings_default();
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        s_interval_us[i] = MF_STREAM_OFF;
    }
    wire(sizeof s_parts);
    return 0;
}

static struct mf_link_quality quality_of(const char *spec)
{
    struct mf_link_quality quality;
    char reason[MF_LINK_REASON_MAX];
    assert_int_equal(mf_link_spec_parse(spec, &quality, reason), MF_E_OK);
    return quality;
}

static int open_as(uint16_t number, const struct mf_link_quality *quality)
{
    return mf_drone_open(&s_drone,
                         &(struct mf_drone_link){.serial = mf_mock_serial(&s_mock, number),
                                                 .name = "mock",
                                                 .interval_us = s_interval_us,
                                                 .number = number,
                                                 .port = PORT,
                                                 .quality = quality});
}

static int add_rule(const char *spec)
{
    struct mf_rule rule;
    char reason[MF_RULE_REASON_MAX];
    assert_int_equal(mf_rule_spec_parse(spec, strlen(spec), &rule, reason), MF_E_OK);
    return mf_drone_add_rule(&s_drone, &rule);
}

static void pass_time(mf_us_t by_us)
{
    mf_mock_advance(&s_mock, by_us);
    mf_drone_run(&s_drone, START_US + s_mock.now.transport_us);
    (void)mf_drone_step(&s_drone);
}

/* Asked on a port. @return its answer, MAV_RESULT; -1: none */
static int command(int port, uint16_t id)
{
    const struct mf_msg_command_long m = {
        .command = id, .target_system = 1, .target_component = 1, .param1 = 1.0f};
    struct mf_msg_command_ack ack;
    mf_mock_clear(&s_mock, port);
    mf_mock_feed_msg(&s_mock, port, MF_MSG_COMMAND_LONG, &m);
    (void)mf_drone_step(&s_drone);
    return mf_mock_take(&s_mock, port, MF_MSG_COMMAND_ACK, &ack) ? ack.result : -1;
}

/* Frames of a port are numbered without a gap. @param next  in, out: of the next frame */
static void check_numbers(int port, uint8_t *next)
{
    const struct mf_mock_port *p = &s_mock.port[port];
    for (size_t i = 0; i < p->frame_count; i++) {
        assert_int_equal(p->sent[p->frame[i].at + 4], *next);
        (*next)++;
    }
}

static void test_a_drone_that_needs_no_wrapper_has_none(void **state)
{
    (void)state;
    boot();
    assert_int_equal(open_as(2, NULL), 2);
    assert_int_equal(mf_drone_link(&s_drone, 2), 0); /* the vehicle's first one */
    assert_int_equal(command(2, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
    assert_int_equal(s_memory.used, 0);
    assert_null(s_wiring.quality);
    assert_null(s_wiring.misbehave);
    assert_null(s_wiring.recorder);
    assert_true(s_drone.vehicle.links[0].serial.ops == mf_mock_serial(&s_mock, 2).ops);
    assert_int_equal(mf_drone_due(&s_drone), MF_NEVER);
    mf_drone_close(&s_drone, 2);
    assert_int_equal(s_drone.vehicle.links_open, 0);
    assert_int_equal(s_wiring.top, 0);
}

static void test_the_first_rule_comes_between_open_links(void **state)
{
    (void)state;
    boot();
    assert_int_equal(open_as(0, NULL), 0);
    assert_int_equal(open_as(1, NULL), 1);
    uint8_t next = 0;
    check_numbers(1, &next);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
    check_numbers(1, &next);
    assert_int_equal(add_rule("command_denied(do_set_home)*1"), 1);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_DENIED);
    assert_int_equal(s_mock.port[1].frame_count, 1); /* which the vehicle did not send */
    check_numbers(1, &next);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
    check_numbers(1, &next);
    assert_int_equal(add_rule("command_ignored(do_set_home)"), 2);
    assert_int_equal(open_as(2, NULL), 2); /* whoever comes later has rules, too */
    assert_int_equal(command(2, MAV_CMD_DO_SET_HOME), -1);
}

/* They end as if there had been none; other memory is for rules of another time. */
static void test_rules_are_forgotten_with_their_memory(void **state)
{
    static uint8_t s_other[sizeof s_parts];
    struct mf_memory other = {.bytes = s_other, .size = sizeof s_other};
    (void)state;
    boot();
    assert_int_equal(open_as(1, NULL), 1);
    mf_drone_forget_rules(&s_drone); /* there are none */
    assert_int_equal(add_rule("command_denied(do_set_home)"), 1);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_DENIED);
    mf_drone_forget_rules(&s_drone);
    mf_drone_provide(&s_drone, NULL);
    memset(s_parts, 0x5A, sizeof s_parts);
    assert_null(mf_drone_rules(&s_drone));
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
    assert_int_equal(add_rule("command_denied(do_set_home)"), MF_E_FULL);
    mf_drone_provide(&s_drone, &other);
    assert_int_equal(add_rule("command_denied(do_set_home)"), 1);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_DENIED);
    mf_drone_close(&s_drone, 1);
}

static void test_a_quality_comes_beneath_rules_and_goes_with_its_port(void **state)
{
    (void)state;
    const struct mf_link_quality lost = quality_of("out:loss=100"), slow = quality_of("delay=0.5");
    boot();
    assert_int_equal(open_as(1, NULL), 1);
    assert_int_equal(add_rule("command_denied(do_set_home)"), 1);
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT + 1, &lost), MF_E_OK);
    assert_null(mf_drone_quality(&s_drone, 1));
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT, &lost), MF_E_OK);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), -1);
    assert_int_equal(mf_drone_rules(&s_drone)->rule[0].fired, 1);
    const struct mf_quality_link *quality = mf_drone_quality(&s_drone, 1);
    assert_int_equal(quality->line[MF_WAY_OUT].stats.lost, 1); /* the answer of the rule */
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT, &slow), MF_E_OK);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), -1); /* arrives in half a second */
    pass_time(500000);
    assert_int_equal(mf_drone_rules(&s_drone)->rule[0].fired, 2);
    assert_int_equal(mf_drone_due(&s_drone), START_US + 1000000); /* and its answer as much later */
    mf_drone_close(&s_drone, 1);
    assert_int_equal(mf_drone_due(&s_drone), MF_NEVER);
}

static void test_a_quality_comes_to_an_open_link_without_rules(void **state)
{
    (void)state;
    const struct mf_link_quality lost = quality_of("out:loss=100");
    boot();
    assert_int_equal(open_as(1, NULL), 1);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT, &lost), MF_E_OK);
    assert_int_equal(command(1, MAV_CMD_DO_SET_HOME), -1);
    assert_true(mf_drone_quality(&s_drone, 1)->line[MF_WAY_OUT].stats.lost > 0);
}

static void test_a_link_whose_quality_disconnects_it_is_not_opened(void **state)
{
    (void)state;
    const struct mf_link_quality quality = quality_of("disconnect=10+5");
    boot();
    assert_int_equal(open_as(0, &quality), 0);
    pass_time(10000000);
    assert_int_equal(mf_drone_cut(&s_drone), 0);
    assert_int_equal(mf_drone_cut(&s_drone), -1);
    mf_drone_close(&s_drone, 0);
    assert_int_equal(open_as(0, &quality), MF_E_AGAIN);
    assert_int_equal(s_wiring.top, 0);
    pass_time(5000000);
    assert_int_equal(open_as(0, &quality), 0);
}

static void test_without_memory_what_needs_some_is_refused(void **state)
{
    (void)state;
    const struct mf_link_quality quality = quality_of("loss=50");
    wire(MF_WIRING_RECORDER_BYTES(LINKS, RECORDED) + 1024);
    assert_int_equal(mf_wiring_record(&s_wiring, write_file, NULL), MF_E_OK);
    boot();
    assert_int_equal(open_as(0, &quality), MF_E_FULL);
    assert_int_equal(open_as(0, NULL), 0);
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT, &quality), MF_E_FULL);
    assert_int_equal(add_rule("command_denied"), MF_E_FULL);
    assert_int_equal(command(0, MAV_CMD_DO_SET_HOME), MAV_RESULT_ACCEPTED);
}

static void test_links_and_wrappers_outlive_a_boot(void **state)
{
    (void)state;
    const struct mf_link_quality quality = quality_of("out:loss=100");
    boot();
    assert_int_equal(open_as(0, &quality), 0);
    assert_int_equal(open_as(2, NULL), 2);
    assert_int_equal(add_rule("command_denied(do_set_home)"), 1);
    const uint32_t frames = mf_drone_quality(&s_drone, 0)->line[MF_WAY_OUT].stats.frames;
    boot();
    assert_true(mf_drone_link(&s_drone, 2) < 0);
    mf_drone_reconnect(&s_drone);
    assert_int_equal(mf_drone_link(&s_drone, 0), 0);
    assert_int_equal(mf_drone_link(&s_drone, 2), 1);
    assert_int_equal(command(2, MAV_CMD_DO_SET_HOME), MAV_RESULT_DENIED);
    assert_true(mf_drone_quality(&s_drone, 0)->line[MF_WAY_OUT].stats.frames > frames);
    boot(); /* a board may also open them itself */
    assert_int_equal(open_as(0, NULL), 0);
    assert_null(mf_drone_quality(&s_drone, 0));
}

/* Of each record its type, and of a link its number, up to the end. */
static size_t read_calls(char *calls, size_t cap)
{
    struct mf_recording_reader reader = {.read = read_file};
    struct mf_record record;
    size_t n = 0;
    mf_recorder_flush(s_wiring.recorder);
    while (mf_recording_next(&reader, &record) == MF_RECORDING_RECORD) {
        if (record.type != MF_RECORD_CLOCK && n + 2 < cap) {
            static const char k_letter[] = "?.shBcSOCJio";
            calls[n++] = record.type < sizeof k_letter - 1 ? k_letter[record.type] : '?';
            if (record.type == MF_RECORD_OPEN || record.type == MF_RECORD_CLOSE) {
                calls[n++] = (char)('0' + record.link);
            }
        }
    }
    calls[n] = '\0';
    return n;
}

static void test_what_the_vehicle_does_is_recorded_inside_all_wrappers(void **state)
{
    (void)state;
    char calls[256];
    const struct mf_link_quality quality = quality_of("out:loss=100");
    assert_int_equal(mf_wiring_record(&s_wiring, write_file, NULL), MF_E_OK);
    mf_recorder_setting(s_wiring.recorder, "sysid=1", 7);
    boot();
    assert_int_equal(open_as(2, NULL), 2);
    assert_int_equal(add_rule("message_silence(heartbeat)"), 1);
    assert_int_equal(mf_drone_set_quality(&s_drone, PORT, &quality), MF_E_OK);
    mf_mock_clear(&s_mock, 2);
    pass_time(1000000);
    assert_int_equal(s_mock.port[2].frame_count, 0); /* lost, but sent */
    mf_drone_jump_to(&s_drone, 1000000);
    mf_drone_close(&s_drone, 2);
    (void)read_calls(calls, sizeof calls);
    /* a setting, the boot, the link with what is sent at once, the step with a HEARTBEAT, the jump,
     * the end */
    assert_non_null(strstr(calls, "."));
    assert_non_null(strstr(calls, "BO2o"));
    assert_non_null(strstr(calls, "oSo"));
    assert_non_null(strstr(calls, "JC2"));
}

/* ---- the pace */

static void test_vehicle_time_follows_the_pace(void **state)
{
    (void)state;
    struct mf_pace pace = {.mode = MF_PACE_SCALED, .rate = 2.0};
    s_wiring.has.pace = &pace;
    mf_pace_start(&pace, START_US);
    boot();
    const struct mf_drone_hold free = {.limit_us = MF_NEVER}, held = {.limit_us = 3000000},
                               standing = {.limit_us = MF_NEVER, .standing = true};
    struct mf_wake wake = mf_drone_pass(&s_drone, START_US);
    assert_int_equal(mf_drone_next(&s_drone, &wake, &standing, START_US), MF_NEVER);
    wake = mf_drone_pass(&s_drone, START_US + 1000000);
    assert_int_equal(pace.vehicle_us, 0);
    (void)mf_drone_next(&s_drone, &wake, &held, START_US + 1000000);
    (void)mf_drone_pass(&s_drone, START_US + 11000000);
    assert_int_equal(pace.vehicle_us, 3000000); /* as far as somebody permits */
    (void)mf_drone_next(&s_drone, &wake, &free, START_US + 11000000);
    mf_drone_catch_up(&s_drone, START_US + 12000000);
    assert_true(pace.vehicle_us > 3000000 && pace.vehicle_us <= 5000000);
    assert_int_equal(s_wiring.now_us, START_US + 12000000);
}

/* A HEARTBEAT leaves at 0 with the link, and is 250 ms on its way. */
static void test_a_frame_under_way_arrives_in_granted_time(void **state)
{
    (void)state;
    struct mf_pace pace = {.mode = MF_PACE_LOCKSTEP, .rate = 1.0, .granted = true};
    const struct mf_link_quality quality = quality_of("delay=250ms");
    const struct mf_drone_hold held = {.limit_us = 900000};
    s_wiring.has.pace = &pace;
    mf_pace_start(&pace, START_US);
    boot();
    mf_drone_run(&s_drone, 7 * START_US);
    assert_int_equal(s_wiring.now_us, START_US);
    assert_int_equal(open_as(1, &quality), 1);
    assert_int_equal(s_mock.port[1].frame_count, 0);
    struct mf_wake wake = mf_drone_pass(&s_drone, 8 * START_US);
    assert_int_equal(wake.periodic_us, 250000);
    assert_true(wake.transport_us == MF_NEVER && mf_drone_due(&s_drone) == MF_NEVER);
    assert_int_equal(mf_drone_next(&s_drone, &wake, &held, 8 * START_US), 8 * START_US);
    (void)mf_drone_pass(&s_drone, 9 * START_US);
    assert_int_equal(pace.vehicle_us, 250000);
    assert_int_equal(s_mock.port[1].frame_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_drone_that_needs_no_wrapper_has_none, before),
        cmocka_unit_test_setup(test_the_first_rule_comes_between_open_links, before),
        cmocka_unit_test_setup(test_rules_are_forgotten_with_their_memory, before),
        cmocka_unit_test_setup(test_a_quality_comes_beneath_rules_and_goes_with_its_port, before),
        cmocka_unit_test_setup(test_a_quality_comes_to_an_open_link_without_rules, before),
        cmocka_unit_test_setup(test_a_link_whose_quality_disconnects_it_is_not_opened, before),
        cmocka_unit_test_setup(test_without_memory_what_needs_some_is_refused, before),
        cmocka_unit_test_setup(test_links_and_wrappers_outlive_a_boot, before),
        cmocka_unit_test_setup(test_what_the_vehicle_does_is_recorded_inside_all_wrappers, before),
        cmocka_unit_test_setup(test_vehicle_time_follows_the_pace, before),
        cmocka_unit_test_setup(test_a_frame_under_way_arrives_in_granted_time, before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
