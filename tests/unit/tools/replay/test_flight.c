/* SPDX-License-Identifier: Apache-2.0 */
/* The flight in a recording: which frames make it, altitudes between two fixes, what JSON and
 * KML say. */
#include "tools/replay/flight.h"

#include "mavlink/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S        INT64_C(1000000)
#define EPOCH_US INT64_C(1772368496000000) /* 2026-03-01T12:34:56Z */
#define LINK     3

static struct {
    uint8_t bytes[65536];
    size_t len;
} tape;
static struct replay_source source;
static struct replay_flight flight;
static char text[65536];

static void add(const struct mf_record *record)
{
    tape.len += mf_record_encode(record, tape.bytes + tape.len);
}

static void add_setting(const char *setting)
{
    add(&(struct mf_record){
        .type = MF_RECORD_SETTING, .bytes = (const uint8_t *)setting, .n = strlen(setting)});
}

static void add_boot(int64_t epoch_us, const char *link)
{
    char name[MF_RECORD_NAME_BYTES] = {0};
    (void)snprintf(name, sizeof name, "%s", link);
    add(&(struct mf_record){.type = MF_RECORD_BOOT, .value = {epoch_us}});
    add(&(struct mf_record){
        .type = MF_RECORD_OPEN, .link = LINK, .bytes = (const uint8_t *)name, .n = sizeof name});
}

static void at(int64_t t_us)
{
    add(&(struct mf_record){.type = MF_RECORD_CLOCK, .value = {t_us, t_us}});
}

static void send_as(struct mf_sender sender, uint16_t link, uint32_t msgid, const void *msg)
{
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = mf_frame_encode(&sender, mf_msg_find(msgid), msg, frame);
    add(&(struct mf_record){.type = MF_RECORD_OUT, .link = link, .bytes = frame, .n = n});
}

static void send(uint32_t msgid, const void *msg)
{
    send_as((struct mf_sender){2, 0, 1, 1}, LINK, msgid, msg);
}

static void send_position(uint32_t boot_ms, int32_t alt_mm)
{
    send(MF_MSG_GLOBAL_POSITION_INT, &(struct mf_msg_global_position_int){.time_boot_ms = boot_ms,
                                                                          .lat = -334488901,
                                                                          .lon = 1799999999,
                                                                          .alt = alt_mm,
                                                                          .relative_alt = -5,
                                                                          .vx = -7,
                                                                          .vz = 1234,
                                                                          .hdg = 35999});
}

static void send_fix(uint64_t t_us, int32_t undulation_mm)
{
    send(MF_MSG_GPS_RAW_INT,
         &(struct mf_msg_gps_raw_int){
             .time_usec = t_us, .alt = 1000, .fix_type = 3, .alt_ellipsoid = 1000 + undulation_mm});
}

static void send_heartbeat(uint32_t custom_mode, bool armed)
{
    send(MF_MSG_HEARTBEAT,
         &(struct mf_msg_heartbeat){.custom_mode = custom_mode, .base_mode = armed ? 157 : 29});
}

static void read_flight(void)
{
    FILE *file = fmemopen(tape.bytes, tape.len, "rb");
    assert_non_null(file);
    replay_source_init(&source, "tape", file);
    assert_true(replay_flight_read(&flight, &source, LINK));
    (void)fclose(file);
}

static void write_flight(bool (*write)(const struct replay_flight *flight, FILE *out))
{
    FILE *file = fmemopen(text, sizeof text, "wb");
    assert_non_null(file);
    assert_true(write(&flight, file));
    (void)fclose(file);
}

static void expect(const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' is not in:\n%s", part, text);
    }
}

static int setup(void **state)
{
    (void)state;
    mf_recording_header(tape.bytes);
    tape.len = MF_RECORDING_HEADER_BYTES;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    replay_flight_free(&flight);
    return 0;
}

static void expect_ellipsoid(size_t sample, int64_t mm)
{
    assert_true(flight.sample[sample].ellipsoid_known);
    assert_int_equal(flight.sample[sample].alt_ellipsoid_mm, mm);
}

static void test_sim039_the_undulation_between_two_fixes(void **state)
{
    (void)state;
    add_boot(EPOCH_US, "tcp");
    at(4 * S);
    send_position(1500, 500000); /* before the first fix: as there */
    send_fix(2000000, 47000);
    send_position(2000, 500100);
    send_position(2250, 500200);
    send_position(2999, 500300);
    send_fix(3000000, 46998);
    send_position(3000, -500400);
    send_fix(4000000, -3);
    send_position(3500, 0);
    send_position(9000, 1); /* after the last one: as there */
    read_flight();
    assert_int_equal(flight.samples, 7);
    expect_ellipsoid(0, 547000);
    expect_ellipsoid(1, 547100);
    expect_ellipsoid(2, 547199); /* 46999.5: half goes away from the earlier one */
    expect_ellipsoid(3, 547298);
    expect_ellipsoid(4, -453402);
    expect_ellipsoid(5, 23497); /* 23497.5: the same */
    expect_ellipsoid(6, -2);
}

static void test_fixes_that_say_nothing_of_the_ellipsoid(void **state)
{
    struct mf_msg_gps_raw_int m = {.alt = 1000, .alt_ellipsoid = 9000, .fix_type = 2};
    (void)state;
    add_boot(EPOCH_US, "tcp");
    send(MF_MSG_GPS_RAW_INT, &m);
    m.fix_type = 3;
    send_as((struct mf_sender){1, 0, 1, 1}, LINK, MF_MSG_GPS_RAW_INT, &m); /* no extensions */
    send_position(10, 5000);
    add_boot(EPOCH_US, "tcp");
    send_fix(0, 8000); /* of another boot, after one sample and before the other */
    add_boot(EPOCH_US, "tcp");
    send_position(10, 5000);
    read_flight();
    assert_int_equal(flight.samples, 2);
    assert_false(flight.sample[0].ellipsoid_known);
    assert_false(flight.sample[1].ellipsoid_known);
    write_flight(replay_json);
    expect("\"alt_ellipsoid_m\": null, \"alt_amsl_m\": 5.000");
}

static void test_only_what_the_vehicle_said_on_this_link(void **state)
{
    const struct mf_msg_heartbeat m = {.base_mode = 128};
    const struct mf_msg_global_position_int p = {.time_boot_ms = 1};
    (void)state;
    add_setting("sysid=77");
    add_setting("compid=2");
    add_setting("param.LONG_NAME_OF_A_PARAMETER=1");
    send(MF_MSG_HEARTBEAT, &m); /* before any boot */
    add_boot(EPOCH_US, "tcp");
    send(MF_MSG_HEARTBEAT, &m); /* of 1/1: passed on */
    send_as((struct mf_sender){2, 0, 77, 1}, LINK, MF_MSG_GLOBAL_POSITION_INT, &p);
    send_as((struct mf_sender){2, 0, 77, 2}, LINK + 1, MF_MSG_GLOBAL_POSITION_INT, &p);
    add(&(struct mf_record){
        .type = MF_RECORD_OUT, .link = LINK, .bytes = (const uint8_t *)"\xfd\x09", .n = 2});
    read_flight();
    assert_int_equal(flight.events + flight.samples, 0);
    assert_int_equal(flight.sysid, 77);
    assert_int_equal(flight.compid, 2);
}

static void test_the_same_instant_is_told_once(void **state)
{
    (void)state;
    add_boot(EPOCH_US, "tcp");
    send_position(100, 1);
    send_position(100, 2);
    send_position(99, 3);
    send_position(101, 4);
    read_flight();
    assert_int_equal(flight.samples, 2);
    assert_int_equal(flight.sample[0].alt_amsl_mm, 1);
    assert_int_equal(flight.sample[1].alt_amsl_mm, 4);
}

/* 2^32 ms are 4294967.296 s. */
static void test_milliseconds_begin_anew(void **state)
{
    (void)state;
    add_boot(EPOCH_US, "tcp");
    at(4294967 * S);
    send_position(4294966900u, 1);
    at(4294968 * S);
    send_position(604, 2);
    at(INT64_MAX); /* no clock */
    send_position(605, 3);
    read_flight();
    assert_int_equal(flight.samples, 2);
    assert_int_equal(flight.sample[0].t_us, 4294966900000);
    assert_int_equal(flight.sample[1].t_us, 4294967900000);
}

static void test_json_of_a_short_flight(void **state)
{
    (void)state;
    add_boot(EPOCH_US, "a \"b\\\x01\xe9");
    at(0);
    send_heartbeat(0x03040000, false);
    at(1500000);
    send_fix(1500000, -21);
    send_position(1500, 12);
    send_heartbeat(0x04040000, true);
    send_heartbeat(0x04040000, true);
    send(MF_MSG_EXTENDED_SYS_STATE, &(struct mf_msg_extended_sys_state){.landed_state = 3});
    at(2 * S);
    send(MF_MSG_MISSION_ITEM_REACHED, &(struct mf_msg_mission_item_reached){.seq = 9});
    send_heartbeat(0x00630000, false);
    add(&(struct mf_record){.type = MF_RECORD_END});
    read_flight();
    write_flight(replay_json);
    assert_string_equal(
        text,
        "{\"format\": \"mayfly-flight\",\n \"version\": 1,\n \"system_id\": 1,\n"
        " \"component_id\": 1,\n \"link\": \"a \\\"b\\\\\\u0001\\u00e9\",\n"
        " \"complete\": true,\n \"boots\": [\n"
        "  {\"utc\": \"2026-03-01T12:34:56.000000Z\",\n   \"events\": [\n"
        "    {\"t_s\": 0.000000, \"utc\": \"2026-03-01T12:34:56.000000Z\", \"type\": \"mode\", "
        "\"mode\": \"HOLD\", \"custom_mode\": 50593792},\n"
        "    {\"t_s\": 1.500000, \"utc\": \"2026-03-01T12:34:57.500000Z\", \"type\": \"armed\"},\n"
        "    {\"t_s\": 1.500000, \"utc\": \"2026-03-01T12:34:57.500000Z\", \"type\": \"mode\", "
        "\"mode\": \"MISSION\", \"custom_mode\": 67371008},\n"
        "    {\"t_s\": 1.500000, \"utc\": \"2026-03-01T12:34:57.500000Z\", "
        "\"type\": \"landed_state\", \"state\": \"takeoff\"},\n"
        "    {\"t_s\": 2.000000, \"utc\": \"2026-03-01T12:34:58.000000Z\", "
        "\"type\": \"mission_item_reached\", \"item\": 9},\n"
        "    {\"t_s\": 2.000000, \"utc\": \"2026-03-01T12:34:58.000000Z\", "
        "\"type\": \"disarmed\"},\n"
        "    {\"t_s\": 2.000000, \"utc\": \"2026-03-01T12:34:58.000000Z\", \"type\": \"mode\", "
        "\"mode\": \"6488064\", \"custom_mode\": 6488064}],\n"
        "   \"samples\": [\n"
        "    {\"t_s\": 1.500000, \"utc\": \"2026-03-01T12:34:57.500000Z\", "
        "\"lat_deg\": -33.4488901, \"lon_deg\": 179.9999999, \"alt_ellipsoid_m\": -0.009, "
        "\"alt_amsl_m\": 0.012, \"height_m\": -0.005, \"vel_ned_mps\": [-0.07, 0.00, 12.34], "
        "\"heading_deg\": 359.99}]}]}\n");
}

static void test_kml_of_a_flight_without_time(void **state)
{
    (void)state;
    add_boot(0, "tcp");
    at(1 * S);
    send_heartbeat(0x03040000, false);
    send_position(1000, 12);
    send_heartbeat(0x06040000, false);
    read_flight();
    write_flight(replay_kml);
    assert_null(strstr(text, "<when>"));
    assert_null(strstr(text, "<LineString>")); /* one point is no line */
    expect("  <Folder><name>Boot 1</name>\n   <Placemark><name>mode HOLD</name><Point>");
    expect("<Placemark><name>mode LAND</name><Point><altitudeMode>absolute</altitudeMode>"
           "<coordinates>179.9999999,-33.4488901,0.012</coordinates></Point></Placemark>\n");
    write_flight(replay_json);
    expect("{\"utc\": null,\n");
    expect("\"t_s\": 1.000000, \"utc\": null, \"lat_deg\"");
}

static void test_many_positions(void **state)
{
    (void)state;
    add_boot(EPOCH_US, "tcp");
    for (uint32_t i = 0; i < 1000; i++) {
        send_position(100 * i, (int32_t)i);
    }
    read_flight();
    assert_int_equal(flight.samples, 1000);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(flight.sample[i].alt_amsl_mm, i);
    }
}

/* Main and sub mode of PX4's px4_custom_mode.h. */
static void test_names_of_modes(void **state)
{
    static const struct {
        uint8_t main, sub;
        const char *name;
    } k[] = {{1, 0, "MANUAL"},     {2, 0, "ALTCTL"},       {3, 0, "POSCTL"},    {3, 1, "ORBIT"},
             {4, 2, "TAKEOFF"},    {4, 3, "HOLD"},         {4, 4, "MISSION"},   {4, 5, "RTL"},
             {4, 6, "LAND"},       {4, 8, "FOLLOW"},       {5, 0, "ACRO"},      {6, 0, "OFFBOARD"},
             {7, 0, "STABILIZED"}, {10, 0, "TERMINATION"}, {4, 7, "117702656"}, {0, 0, "0"}};
    char name[REPLAY_EVENT_TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_string_equal(replay_mode_name((uint32_t)(k[i].main << 16 | k[i].sub << 24), name),
                            k[i].name);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_sim039_the_undulation_between_two_fixes),
        TEST(test_fixes_that_say_nothing_of_the_ellipsoid),
        TEST(test_only_what_the_vehicle_said_on_this_link),
        TEST(test_the_same_instant_is_told_once),
        TEST(test_milliseconds_begin_anew),
        TEST(test_json_of_a_short_flight),
        TEST(test_kml_of_a_flight_without_time),
        TEST(test_many_positions),
        cmocka_unit_test(test_names_of_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
