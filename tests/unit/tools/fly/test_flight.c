/* SPDX-License-Identifier: Apache-2.0 */
/* Whole flights with a vehicle in memory that keeps PX4's ways, in a time that runs as fast as it
 * likes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fake_vehicle.h"
#include "tests/unit/support/cases.h"
#include "tests/unit/support/names.h"
#include "tools/fly/report.h"

#define HOME_LAT 47.397742
#define HOME_LON 8.545594
#define HOME_ALT 488.0
#define SPEED    10.0 /* m/s, horizontal */
#define CLIMB    3.0  /* m/s */

#define MODE(main, sub) ((uint32_t)(main) << 16 | (uint32_t)(sub) << 24)
#define HOLD            MODE(4, 3)
#define MISSION         MODE(4, 4)
#define RTL             MODE(4, 5)
#define LAND            MODE(4, 6)

/* The flying part. Positions are metres north, east and up of home. */
static struct {
    int64_t rate;        /* milliseconds of its time in one of ours */
    int64_t ms;          /* its time */
    int64_t position_ms; /* between two positions */
    uint32_t mode;
    bool armed;
    bool sick;          /* fails the pre-arm check */
    bool stubborn;      /* refuses to arm, and says why */
    bool choosy;        /* takes the mission, and then rejects it, as PX4 does */
    int hold_at_item;   /* leaves the mission there; -1: never */
    int disarm_at_item; /* motors stop there; -1: never */
    int silent_at_item; /* the radio dies there; -1: never */
    uint16_t current;
    bool complete;
    double at[3];
    double velocity[2]; /* north, east */
    int64_t landed_ms;
    unsigned returns; /* RTL or LAND commanded */
} s_fly;

static struct fake s_vehicle;
static struct fly_client s_client;
static struct mf_plan s_plan;
static struct fly_flight s_flight;
static struct fly_console s_console;
static struct fly_options s_options;
static char s_error[256];

/* ---- what it says */

static void say(const char *text, uint8_t severity)
{
    struct mf_msg_statustext out = {.severity = severity};
    memcpy(out.text, text, strlen(text) < sizeof out.text ? strlen(text) : sizeof out.text);
    fake_send(&s_vehicle, MF_MSG_STATUSTEXT, &out);
}

static void send_heartbeat(void)
{
    const struct mf_msg_heartbeat out = {
        .custom_mode = s_fly.mode,
        .type = MAV_TYPE_QUADROTOR,
        .autopilot = MAV_AUTOPILOT_PX4,
        .base_mode = (uint8_t)(29 + (s_fly.armed ? 128 : 0)),
        .system_status = 3,
        .mavlink_version = 3,
    };
    fake_send(&s_vehicle, MF_MSG_HEARTBEAT, &out);
}

static void send_status(void)
{
    const uint32_t prearm = MAV_SYS_STATUS_PREARM_CHECK;
    const uint32_t gps = MAV_SYS_STATUS_SENSOR_GPS;
    const struct mf_msg_sys_status status = {
        .onboard_control_sensors_enabled = prearm | gps,
        .onboard_control_sensors_health = s_fly.sick ? 0 : prearm | gps,
    };
    const struct mf_msg_home_position home = {
        .latitude = 473977420, .longitude = 85455940, .altitude = 488000};
    const struct mf_msg_extended_sys_state landed = {
        .landed_state = s_fly.at[2] > 0.01 ? MAV_LANDED_STATE_IN_AIR : MAV_LANDED_STATE_ON_GROUND};
    const struct mf_msg_mission_current current = {
        .seq = s_fly.current,
        .mission_state = s_fly.choosy     ? MISSION_STATE_NO_MISSION
                         : s_fly.complete ? MISSION_STATE_COMPLETE
                                          : MISSION_STATE_ACTIVE,
    };
    fake_send(&s_vehicle, MF_MSG_SYS_STATUS, &status);
    fake_send(&s_vehicle, MF_MSG_HOME_POSITION, &home);
    fake_send(&s_vehicle, MF_MSG_EXTENDED_SYS_STATE, &landed);
    fake_send(&s_vehicle, MF_MSG_MISSION_CURRENT, &current);
}

static void send_position(void)
{
    const struct mf_geo at =
        mf_geo_from_local((struct mf_geo){HOME_LAT, HOME_LON}, s_fly.at[0], s_fly.at[1]);
    const struct mf_msg_global_position_int out = {
        .time_boot_ms = (uint32_t)s_fly.ms,
        .lat = (int32_t)lround(at.lat_deg * 1e7),
        .lon = (int32_t)lround(at.lon_deg * 1e7),
        .alt = (int32_t)lround((HOME_ALT + s_fly.at[2]) * 1e3),
        .relative_alt = (int32_t)lround(s_fly.at[2] * 1e3),
        .vx = (int16_t)lround(s_fly.velocity[0] * 100),
        .vy = (int16_t)lround(s_fly.velocity[1] * 100),
    };
    fake_send(&s_vehicle, MF_MSG_GLOBAL_POSITION_INT, &out);
}

/* ---- what it does */

/* A millisecond of its time towards a point. @return true on arrival */
static bool go(double north, double east, double up)
{
    const double dn = north - s_fly.at[0];
    const double de = east - s_fly.at[1];
    const double flat = sqrt(dn * dn + de * de);
    const double du = up - s_fly.at[2];
    const double step = SPEED * 1e-3;
    const double part = flat > step ? step / flat : 1.0;
    s_fly.at[0] += dn * part;
    s_fly.at[1] += de * part;
    s_fly.velocity[0] = flat > step ? SPEED * dn / flat : 0.0;
    s_fly.velocity[1] = flat > step ? SPEED * de / flat : 0.0;
    s_fly.at[2] += fabs(du) > CLIMB * 1e-3 ? copysign(CLIMB * 1e-3, du) : du;
    return flat <= step && fabs(du) <= CLIMB * 1e-3;
}

static void reach_item(void)
{
    const struct mf_msg_mission_item_reached reached = {.seq = s_fly.current};
    fake_send(&s_vehicle, MF_MSG_MISSION_ITEM_REACHED, &reached);
    if (s_fly.current + 1 < s_vehicle.count) {
        s_fly.current++;
        return;
    }
    s_fly.complete = true;
    s_fly.mode = s_fly.mode == MISSION ? HOLD : s_fly.mode;
    say("Mission finished, loitering\t", MAV_SEVERITY_INFO);
}

static void fly_item(const struct mf_msg_mission_item_int *item)
{
    double at[2] = {0, 0};
    switch (item->command) {
    case MAV_CMD_NAV_RETURN_TO_LAUNCH:
        reach_item();
        s_fly.mode = RTL;
        return;
    case MAV_CMD_NAV_TAKEOFF:
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_LAND:
        mf_geo_to_local((struct mf_geo){HOME_LAT, HOME_LON}, fly_item_place(item), at);
        if (go(at[0], at[1], (double)mf_f32_from_bits(item->z))) {
            reach_item();
        }
        return;
    default:
        reach_item();
    }
}

static void touch_ground(void)
{
    if (s_fly.at[2] > 0.0) {
        s_fly.landed_ms = 0;
    } else if (s_fly.landed_ms == 0) {
        s_fly.landed_ms = s_fly.ms;
    } else if (s_fly.ms - s_fly.landed_ms > 2000 && s_fly.mode != MISSION) {
        s_fly.armed = false;
        s_fly.mode = HOLD;
    }
}

static void fly_a_millisecond(void)
{
    s_fly.ms++;
    if (!s_fly.armed) {
        return;
    }
    if (s_fly.mode == MISSION && s_vehicle.count > 0 && !s_fly.complete) {
        fly_item(&s_vehicle.stored[s_fly.current]);
        s_fly.mode = s_fly.current == s_fly.hold_at_item ? HOLD : s_fly.mode;
        s_fly.armed = s_fly.current != s_fly.disarm_at_item;
        s_vehicle.mute = s_vehicle.mute || s_fly.current == s_fly.silent_at_item;
    } else if (s_fly.mode == RTL && go(0, 0, s_fly.at[2])) {
        (void)go(0, 0, 0);
    } else if (s_fly.mode == LAND) {
        (void)go(s_fly.at[0], s_fly.at[1], 0);
    }
    touch_ground();
}

static void tick(struct fake *v)
{
    for (int64_t i = 0; i < s_fly.rate; i++) {
        fly_a_millisecond();
        if (s_fly.ms % s_fly.position_ms == 0) {
            send_position();
        }
    }
    if (v->now_us % 1000000 == 0) {
        send_heartbeat();
        send_status();
    }
}

static uint8_t arm(void)
{
    if (s_fly.stubborn) {
        say("Arming denied: Resolve system health failures first\t", MAV_SEVERITY_CRITICAL);
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    s_fly.armed = true;
    s_fly.landed_ms = 0;
    return MAV_RESULT_ACCEPTED;
}

static uint8_t on_command(struct fake *v, const struct mf_msg_command_long *in)
{
    uint8_t result = MAV_RESULT_ACCEPTED;
    (void)v;
    switch (in->command) {
    case MAV_CMD_DO_SET_MODE:
        s_fly.mode = MODE(lrintf(in->param2), lrintf(in->param3));
        break;
    case MAV_CMD_COMPONENT_ARM_DISARM:
        result = arm();
        break;
    case MAV_CMD_NAV_RETURN_TO_LAUNCH:
    case MAV_CMD_NAV_LAND:
        s_fly.mode = in->command == MAV_CMD_NAV_LAND ? LAND : RTL;
        s_fly.returns++;
        break;
    case MAV_CMD_REQUEST_MESSAGE:
        if (lrintf(in->param1) == MF_MSG_GLOBAL_POSITION_INT) {
            send_position();
        } else {
            send_status();
        }
        break;
    default:
        result = MAV_RESULT_UNSUPPORTED;
    }
    send_heartbeat();
    return result;
}

/* ---- the tests */

static int begin(void **state)
{
    (void)state;
    fake_begin(&s_vehicle, &s_client, 1);
    s_vehicle.on_tick = tick;
    s_vehicle.on_command = on_command;
    memset(&s_fly, 0, sizeof s_fly);
    s_fly.rate = 1;
    s_fly.position_ms = 100;
    s_fly.mode = HOLD;
    s_fly.hold_at_item = s_fly.disarm_at_item = s_fly.silent_at_item = -1;
    memset(&s_plan, 0, sizeof s_plan);
    memset(&s_flight, 0, sizeof s_flight);
    memset(&s_console, 0, sizeof s_console);
    s_console.out = fopen("/dev/null", "w");
    s_options = (struct fly_options){
        .endpoint = "memory", .takeoff_alt_m = 12.0, .side_m = 40.0, .verify = true};
    return s_console.out == NULL ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    return fclose(s_console.out);
}

static void prepare_flight(void)
{
    const struct fly_link link = s_client.link;
    s_flight.options = &s_options;
    s_flight.client = &s_client;
    s_flight.console = &s_console;
    s_flight.plan = &s_plan;
    fly_client_init(&s_client, link, fly_flight_observe, &s_flight);
}

static int fly(void)
{
    prepare_flight();
    return fly_flight_run(&s_flight);
}

static void load(const char *path)
{
    s_options.plan_path = path;
    assert_int_equal(fly_plan_load(path, MF_PLAN_HOME_SEEN, &s_plan, s_error, sizeof s_error), 0);
}

static void expect_flown(size_t legs, const char *target)
{
    if (fly() != FLY_EXIT_FLOWN) {
        fail_msg("%s", s_flight.reason);
    }
    assert_int_equal(s_flight.leg_count, legs);
    for (size_t i = 0; i < legs; i++) {
        assert_int_equal(s_flight.leg[i].seq, i);
    }
    assert_string_equal(s_flight.target_name, target);
    assert_true(s_flight.miss_m < 0.1);
}

static void expect_failed(int exit_code, const char *data)
{
    assert_int_equal(fly(), exit_code);
    assert_names(s_flight.reason, data);
}

/* The last position, by which the end is judged, is asked for instead of waited for. */
static void test_ends_with_disarming(void **state)
{
    (void)state;
    s_fly.position_ms = 900;
    expect_flown(5, "home");
    assert_true(fly_client_now(&s_client) - s_flight.end_wall_us < 20000);
    assert_true(s_flight.begin_us <= s_flight.upload_wall_us);
    assert_true(s_flight.upload_wall_us < s_flight.arm_wall_us);
}

static void test_square(void **state)
{
    (void)state;
    expect_flown(5, "home");
    assert_int_equal(s_fly.returns, 1);
    assert_false(s_fly.armed);
    /* up 12 m at 3 m/s, four sides of 40 m at 10 m/s, down, 2 s until it disarms: 26 s */
    const double seconds = (double)(s_flight.end_vehicle_us - s_flight.arm_vehicle_us) * 1e-6;
    assert_true(seconds > 25.0 && seconds < 29.0);
    assert_true(fabs(s_flight.state.distance_m - 184.0) < 3.0);
    assert_true(fabs(s_flight.state.alt_max_m - 12.0) < 0.05);
    assert_true(fabs(s_flight.state.speed_max_mps - 10.0) < 0.05);
}

static void test_square_a_hundred_times_faster(void **state)
{
    (void)state;
    s_fly.rate = 100;
    expect_flown(5, "home");
    const double seconds = (double)(s_flight.end_vehicle_us - s_flight.arm_vehicle_us) * 1e-6;
    const double wall = (double)(s_flight.end_wall_us - s_flight.arm_wall_us) * 1e-6;
    assert_true(seconds > 25.0);
    assert_true(wall < 10.0);
    assert_true(fabs(s_flight.state.distance_m - 184.0) < 3.0);
}

static void test_stay(void **state)
{
    (void)state;
    s_options.stay = true;
    expect_flown(5, "the last item");
    assert_int_equal(s_fly.returns, 0);
    assert_true(s_fly.armed);
}

static void test_land_where_the_mission_ends(void **state)
{
    (void)state;
    s_options.land = true;
    expect_flown(5, "the last item");
    assert_int_equal(s_fly.returns, 1);
    assert_false(s_fly.armed);
}

static void test_speed_is_an_item(void **state)
{
    (void)state;
    s_options.speed_mps = 7.5;
    expect_flown(6, "home");
    assert_int_equal(s_vehicle.stored[1].command, MAV_CMD_DO_CHANGE_SPEED);
    assert_float_equal(mf_f32_from_bits(s_vehicle.stored[1].param2), 7.5f, 0.0f);
}

static void test_plan_that_returns(void **state)
{
    (void)state;
    load("tests/data/plans/square.plan");
    expect_flown(6, "home");
    assert_int_equal(s_fly.returns, 0);
}

static void test_plan_that_lands(void **state)
{
    (void)state;
    load("tests/data/plans/takeoff_land.plan");
    s_plan.item[4].command = MAV_CMD_NAV_WAYPOINT;
    expect_flown(6, "the last item");
    assert_int_equal(s_fly.returns, 0);
}

static void test_survey(void **state)
{
    (void)state;
    load("tests/data/plans/survey.plan");
    s_fly.rate = 20;
    expect_flown(22, "home");
}

static void test_flights_on_bad_links(void **state)
{
    for (uint64_t seed = 1; seed <= (uint64_t)mf_cases(3, 20); seed++) {
        (void)end(state);
        assert_int_equal(begin(state), 0);
        s_vehicle.random = seed * 2654435761u;
        s_vehicle.loss_percent = 20;
        s_vehicle.twice_percent = 10;
        s_vehicle.delay_max_us = 60000;
        if (fly() != FLY_EXIT_FLOWN) {
            fail_msg("seed %llu: %s", (unsigned long long)seed, s_flight.reason);
        }
        assert_false(s_fly.armed);
        assert_true(s_flight.miss_m < 0.1);
    }
}

static void test_no_vehicle(void **state)
{
    (void)state;
    s_vehicle.mute = true;
    expect_failed(FLY_EXIT_NO_VEHICLE, "HEARTBEAT 15 s");
}

static void test_not_ready_says_what_is_wrong(void **state)
{
    (void)state;
    s_fly.sick = true;
    expect_failed(FLY_EXIT_FAILED, "90 s GPS pre-arm");
}

static void test_arming_denied_says_why(void **state)
{
    (void)state;
    s_fly.stubborn = true;
    expect_failed(FLY_EXIT_FAILED, "temporarily rejected Arming denied");
}

static void test_mission_refused_says_which_item(void **state)
{
    (void)state;
    load("tests/data/plans/takeoff_land.plan");
    s_vehicle.unsupported = MAV_CMD_NAV_LOITER_TIME;
    expect_failed(FLY_EXIT_FAILED, "item 4 loiter time");
}

static void test_mission_rejected_after_its_upload(void **state)
{
    (void)state;
    s_fly.choosy = true;
    expect_failed(FLY_EXIT_FAILED, "mission");
    assert_false(s_fly.armed);
}

static void test_armed_already(void **state)
{
    (void)state;
    s_fly.armed = true;
    expect_failed(FLY_EXIT_FAILED, "armed");
}

static void test_interrupted(void **state)
{
    (void)state;
    static const volatile int k_stop = 1;
    s_flight.stop = &k_stop;
    expect_failed(FLY_EXIT_NO_VEHICLE, "interrupted");
}

static void test_mission_left(void **state)
{
    (void)state;
    s_fly.hold_at_item = 3;
    expect_failed(FLY_EXIT_FAILED, "HOLD item 3 5");
}

static void test_disarmed_in_flight(void **state)
{
    (void)state;
    s_fly.disarm_at_item = 2;
    expect_failed(FLY_EXIT_FAILED, "disarmed MISSION item 1 5");
}

static void test_radio_lost_in_flight(void **state)
{
    (void)state;
    s_fly.silent_at_item = 2;
    expect_failed(FLY_EXIT_FAILED, "10 s");
}

static void test_connection_closed(void **state)
{
    (void)state;
    s_vehicle.gone = true;
    expect_failed(FLY_EXIT_NO_VEHICLE, "closed");
}

static void test_timeout(void **state)
{
    (void)state;
    s_options.timeout_s = 8.0;
    expect_failed(FLY_EXIT_FAILED, "8 s --timeout");
}

/* ---- what is made of single messages */

static unsigned update(struct fly_state *state, uint32_t id, int64_t order, const union mf_msg *m)
{
    const struct fly_message in = {
        .info = mf_msg_find(id), .sysid = 1, .compid = 1, .order = order, .m = *m};
    return fly_state_update(state, &in);
}

static unsigned piece(struct fly_state *state, uint16_t id, uint8_t chunk, const char *text)
{
    union mf_msg m = {.statustext = {.severity = 4, .id = id, .chunk_seq = chunk}};
    memcpy(m.statustext.text, text, strlen(text));
    return update(state, MF_MSG_STATUSTEXT, 1, &m);
}

static void test_texts_in_pieces(void **state)
{
    static const char k_fifty[] = "12345678901234567890123456789012345678901234567890";
    static struct fly_state s;
    (void)state;
    memset(&s, 0, sizeof s);
    assert_int_equal(piece(&s, 0, 0, "one\t"), FLY_TEXT);
    assert_string_equal(s.text, "one");
    assert_int_equal(piece(&s, 0, 0, k_fifty), FLY_TEXT);
    assert_string_equal(s.text, k_fifty);
    assert_int_equal(piece(&s, 7, 0, k_fifty), 0);
    assert_int_equal(piece(&s, 7, 1, "\x1b[2J and \xc3\xa9"), FLY_TEXT);
    assert_string_equal(s.text + 50, "?[2J and ??");
    assert_string_equal(s.complaint, s.text);
    for (uint8_t i = 0; i < 20; i++) { /* more than there is room for */
        assert_int_equal(piece(&s, 8, i, k_fifty), 0);
    }
    assert_int_equal(piece(&s, 8, 20, "end"), FLY_TEXT);
    assert_int_equal(strlen(s.text), sizeof s.text - 1);
}

static void test_overtaken_heartbeat_is_no_news(void **state)
{
    static struct fly_state s;
    union mf_msg m = {.heartbeat = {.type = 2, .autopilot = 12, .base_mode = 29}};
    (void)state;
    memset(&s, 0, sizeof s);
    assert_int_equal(update(&s, MF_MSG_HEARTBEAT, 300, &m), FLY_SEEN);
    m.heartbeat.base_mode = 157;
    assert_int_equal(update(&s, MF_MSG_HEARTBEAT, 310, &m), FLY_ARMED);
    m.heartbeat.base_mode = 29;
    assert_int_equal(update(&s, MF_MSG_HEARTBEAT, 309, &m), 0);
    assert_true(s.armed);
    assert_int_equal(update(&s, MF_MSG_HEARTBEAT, 311, &m), FLY_ARMED);
}

static void test_vehicle_time_wraps_and_restarts(void **state)
{
    static struct fly_state s;
    union mf_msg m = {.system_time = {.time_boot_ms = 4294967290u}};
    (void)state;
    memset(&s, 0, sizeof s);
    assert_int_equal(update(&s, MF_MSG_SYSTEM_TIME, 1, &m), 0);
    m.system_time.time_boot_ms = 4;
    assert_int_equal(update(&s, MF_MSG_SYSTEM_TIME, 2, &m), 0);
    assert_int_equal(s.time_us, 4294967300000);
    m.system_time.time_boot_ms = 1000000;
    assert_int_equal(update(&s, MF_MSG_SYSTEM_TIME, 3, &m), 0);
    m.system_time.time_boot_ms = 200;
    assert_int_equal(update(&s, MF_MSG_SYSTEM_TIME, 4, &m), FLY_REBOOT);
}

/* A vehicle is armed by another ground station, and reaches an item, before the plan has items. */
static void test_an_empty_plan_is_not_finished(void **state)
{
    struct fly_message in = {
        .info = mf_msg_find(MF_MSG_HEARTBEAT), .sysid = 1, .compid = 1, .order = 1};
    (void)state;
    in.m.heartbeat = (struct mf_msg_heartbeat){
        .type = MAV_TYPE_QUADROTOR, .autopilot = MAV_AUTOPILOT_PX4, .base_mode = 29};
    prepare_flight();
    assert_int_equal(s_plan.count, 0);
    s_client.target_sysid = s_client.target_compid = 1;
    fly_flight_observe(&s_flight, &in);
    in.m.heartbeat.base_mode |= MAV_MODE_FLAG_SAFETY_ARMED;
    in.order++;
    fly_flight_observe(&s_flight, &in);
    in.info = mf_msg_find(MF_MSG_MISSION_ITEM_REACHED);
    in.m.mission_item_reached = (struct mf_msg_mission_item_reached){.seq = UINT16_MAX};
    fly_flight_observe(&s_flight, &in);
    assert_true(s_flight.armed_once);
    assert_false(s_flight.finished);
}

static void test_reports(void **state)
{
    (void)state;
    char text[16384] = "";
    expect_flown(5, "home");
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    fly_report_json(&s_flight, FLY_EXIT_FLOWN, out);
    fclose(out);
    assert_non_null(strstr(text, "\"result\": \"flown\""));
    assert_non_null(strstr(text, "\"reason\": null"));
    assert_non_null(strstr(text, "\"target\": \"home\""));
    assert_non_null(strstr(text, "\"name\": \"takeoff\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_square, begin, end),
        cmocka_unit_test_setup_teardown(test_ends_with_disarming, begin, end),
        cmocka_unit_test_setup_teardown(test_square_a_hundred_times_faster, begin, end),
        cmocka_unit_test_setup_teardown(test_stay, begin, end),
        cmocka_unit_test_setup_teardown(test_land_where_the_mission_ends, begin, end),
        cmocka_unit_test_setup_teardown(test_speed_is_an_item, begin, end),
        cmocka_unit_test_setup_teardown(test_plan_that_returns, begin, end),
        cmocka_unit_test_setup_teardown(test_plan_that_lands, begin, end),
        cmocka_unit_test_setup_teardown(test_survey, begin, end),
        cmocka_unit_test_setup_teardown(test_flights_on_bad_links, begin, end),
        cmocka_unit_test_setup_teardown(test_no_vehicle, begin, end),
        cmocka_unit_test_setup_teardown(test_not_ready_says_what_is_wrong, begin, end),
        cmocka_unit_test_setup_teardown(test_arming_denied_says_why, begin, end),
        cmocka_unit_test_setup_teardown(test_mission_refused_says_which_item, begin, end),
        cmocka_unit_test_setup_teardown(test_mission_rejected_after_its_upload, begin, end),
        cmocka_unit_test_setup_teardown(test_armed_already, begin, end),
        cmocka_unit_test_setup_teardown(test_interrupted, begin, end),
        cmocka_unit_test_setup_teardown(test_mission_left, begin, end),
        cmocka_unit_test_setup_teardown(test_disarmed_in_flight, begin, end),
        cmocka_unit_test_setup_teardown(test_radio_lost_in_flight, begin, end),
        cmocka_unit_test_setup_teardown(test_connection_closed, begin, end),
        cmocka_unit_test_setup_teardown(test_timeout, begin, end),
        cmocka_unit_test(test_texts_in_pieces),
        cmocka_unit_test(test_overtaken_heartbeat_is_no_news),
        cmocka_unit_test(test_vehicle_time_wraps_and_restarts),
        cmocka_unit_test_setup_teardown(test_an_empty_plan_is_not_finished, begin, end),
        cmocka_unit_test_setup_teardown(test_reports, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
