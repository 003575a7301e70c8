/* SPDX-License-Identifier: Apache-2.0 */
/* Every fault of the table, by every way in, in flight and on the ground, on both bodies: its field
 * changes within one publish period of the message that has it, and is as before within one when
 * the fault is over. */
#include "host/spec/faultspec.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"
#include "tests/unit/support/cases.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S 1000000
/* Messages of every stream leave then, and none so much later. */
#define GROUND_US  (6 * S)
#define AIR_US     (14 * S)
#define BETWEEN_US 337000
#define HEIGHT_M   6.0f
/* 2026-01-01 00:00 */
#define EPOCH_US INT64_C(1767225600000000)

union seen {
    struct mf_msg_sys_status sys;
    struct mf_msg_gps_raw_int gps;
    struct mf_msg_global_position_int pos;
    struct mf_msg_system_time time;
    struct mf_msg_wind_cov wind;
    struct mf_msg_heartbeat heartbeat;
    struct mf_msg_home_position home;
};

/* ---- what shows each fault ---- */

struct look {
    const union seen *now;    /* the last message in one period */
    const union seen *before; /* the last one without the fault */
    mf_us_t from_us;          /* the fault began */
};

static bool unhealthy(const struct look *k, uint32_t bit)
{
    return (k->now->sys.onboard_control_sensors_present & bit) != 0 &&
           (k->now->sys.onboard_control_sensors_health & bit) == 0;
}

static double moved_m(const struct look *k)
{
    double ne[2];
    mf_geo_to_local((struct mf_geo){k->before->pos.lat / 1e7, k->before->pos.lon / 1e7},
                    (struct mf_geo){k->now->pos.lat / 1e7, k->now->pos.lon / 1e7}, ne);
    return ne[0]; /* all of them lead north by default */
}

#define SHOWS(name, condition)             \
    static bool name(const struct look *k) \
    {                                      \
        return condition;                  \
    }
/* clang-format off */
SHOWS(gps_off, k->now->gps.fix_type == 0)
SHOWS(gps_no_fix, k->now->gps.fix_type == 1 && k->now->gps.satellites_visible == 3)
SHOWS(gps_stuck, (mf_us_t)k->now->gps.time_usec <= k->from_us)
SHOWS(gps_jam, k->now->gps.fix_type == 1 && k->now->gps.satellites_visible == 0)
SHOWS(gps_glitch, moved_m(k) > 28.0 && moved_m(k) < 31.0)
SHOWS(drifts, moved_m(k) > 0.02 && moved_m(k) < 1.0)
SHOWS(gps_satellites, k->now->gps.satellites_visible == 5)
SHOWS(gps_accuracy, k->now->gps.h_acc == 20000 && k->now->gps.v_acc == 30000)
SHOWS(gps_datum, k->now->gps.alt_ellipsoid == k->now->gps.alt)
SHOWS(battery, k->now->sys.battery_remaining == 50)
SHOWS(battery_drain, k->now->sys.voltage_battery < k->before->sys.voltage_battery)
SHOWS(battery_low, k->now->sys.battery_remaining == 12)
SHOWS(battery_critical, k->now->sys.battery_remaining == 6)
SHOWS(battery_emergency, k->now->sys.battery_remaining == 3)
SHOWS(battery_off, k->now->sys.battery_remaining == 0)
SHOWS(battery_voltage, k->now->sys.voltage_battery == 13200)
SHOWS(gyro, unhealthy(k, 0x01))
SHOWS(accel, unhealthy(k, 0x02))
SHOWS(mag, unhealthy(k, 0x04))
SHOWS(baro, unhealthy(k, 0x08))
SHOWS(motor_off, unhealthy(k, 0x8000))
SHOWS(teleport, moved_m(k) > 109.9 - 1.0 && moved_m(k) < 110.1)
SHOWS(wind, k->now->wind.wind_x == -10.0f && k->before->wind.wind_x == 0.0f)
SHOWS(rc_lost, unhealthy(k, 0x10000))
SHOWS(prearm, unhealthy(k, 0x10000000))
SHOWS(utc_step, (int64_t)(k->now->time.time_unix_usec / S) ==
                    (EPOCH_US / 1000 + k->now->time.time_boot_ms) / 1000 + 3600)
/* clang-format on */

static const struct proof {
    uint32_t msgid;
    mf_us_t period_us;                      /* of the message */
    bool (*shows)(const struct look *look); /* NULL: the message stops */
} k_proof[MF_FAULT_COUNT] = {
    [MF_FAULT_GPS_OFF] = {MF_MSG_GPS_RAW_INT, S, gps_off},
    [MF_FAULT_GPS_NO_FIX] = {MF_MSG_GPS_RAW_INT, S, gps_no_fix},
    [MF_FAULT_GPS_STUCK] = {MF_MSG_GPS_RAW_INT, S, gps_stuck},
    [MF_FAULT_GPS_JAM] = {MF_MSG_GPS_RAW_INT, S, gps_jam},
    [MF_FAULT_GPS_GLITCH] = {MF_MSG_GLOBAL_POSITION_INT, S / 10, gps_glitch},
    [MF_FAULT_GPS_DRIFT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10, drifts},
    [MF_FAULT_GPS_SATELLITES] = {MF_MSG_GPS_RAW_INT, S, gps_satellites},
    [MF_FAULT_GPS_ACCURACY] = {MF_MSG_GPS_RAW_INT, S, gps_accuracy},
    [MF_FAULT_GPS_DATUM] = {MF_MSG_GPS_RAW_INT, S, gps_datum},
    [MF_FAULT_BATTERY] = {MF_MSG_SYS_STATUS, S, battery},
    [MF_FAULT_BATTERY_DRAIN] = {MF_MSG_SYS_STATUS, S, battery_drain},
    [MF_FAULT_BATTERY_LOW] = {MF_MSG_SYS_STATUS, S, battery_low},
    [MF_FAULT_BATTERY_CRITICAL] = {MF_MSG_SYS_STATUS, S, battery_critical},
    [MF_FAULT_BATTERY_EMERGENCY] = {MF_MSG_SYS_STATUS, S, battery_emergency},
    [MF_FAULT_BATTERY_OFF] = {MF_MSG_SYS_STATUS, S, battery_off},
    [MF_FAULT_BATTERY_VOLTAGE] = {MF_MSG_SYS_STATUS, S, battery_voltage},
    [MF_FAULT_GYRO_OFF] = {MF_MSG_SYS_STATUS, S, gyro},
    [MF_FAULT_GYRO_STUCK] = {MF_MSG_SYS_STATUS, S, gyro},
    [MF_FAULT_ACCEL_OFF] = {MF_MSG_SYS_STATUS, S, accel},
    [MF_FAULT_ACCEL_STUCK] = {MF_MSG_SYS_STATUS, S, accel},
    [MF_FAULT_MAG_OFF] = {MF_MSG_SYS_STATUS, S, mag},
    [MF_FAULT_MAG_STUCK] = {MF_MSG_SYS_STATUS, S, mag},
    [MF_FAULT_BARO_OFF] = {MF_MSG_SYS_STATUS, S, baro},
    [MF_FAULT_BARO_STUCK] = {MF_MSG_SYS_STATUS, S, baro},
    [MF_FAULT_MOTOR_OFF] = {MF_MSG_SYS_STATUS, S, motor_off},
    [MF_FAULT_BREACH_TELEPORT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10, teleport},
    [MF_FAULT_BREACH_DRIFT] = {MF_MSG_GLOBAL_POSITION_INT, S / 10, drifts},
    [MF_FAULT_WIND] = {MF_MSG_WIND_COV, S / 10, wind}, /* not a default stream */
    [MF_FAULT_RC_LOST] = {MF_MSG_SYS_STATUS, S, rc_lost},
    [MF_FAULT_PREARM] = {MF_MSG_SYS_STATUS, S, prearm},
    [MF_FAULT_HOME_LOST] = {MF_MSG_HOME_POSITION, 2 * S, NULL},
    [MF_FAULT_HEARTBEAT_OFF] = {MF_MSG_HEARTBEAT, S, NULL},
    [MF_FAULT_HEARTBEAT_LATE] = {MF_MSG_HEARTBEAT, S, NULL},
    [MF_FAULT_UTC_STEP] = {MF_MSG_SYSTEM_TIME, S, utc_step},
};

/* By MAVLink: FAILURE_UNIT and FAILURE_TYPE of common.xml, as docs/faults.md promises them. */
static const struct {
    int unit, type;
} k_mavlink[MF_FAULT_COUNT] = {
    [MF_FAULT_GPS_OFF] = {4, 1},
    [MF_FAULT_GPS_NO_FIX] = {4, MF_NO_TYPE},
    [MF_FAULT_GPS_STUCK] = {4, 2},
    [MF_FAULT_GPS_JAM] = {4, 3},
    [MF_FAULT_GPS_GLITCH] = {4, 4},
    [MF_FAULT_GPS_DRIFT] = {4, MF_NO_TYPE},
    [MF_FAULT_GPS_SATELLITES] = {4, MF_NO_TYPE},
    [MF_FAULT_GPS_ACCURACY] = {4, MF_NO_TYPE},
    [MF_FAULT_GPS_DATUM] = {4, MF_NO_TYPE},
    [MF_FAULT_BATTERY] = {100, MF_NO_TYPE},
    [MF_FAULT_BATTERY_DRAIN] = {100, MF_NO_TYPE},
    [MF_FAULT_BATTERY_LOW] = {100, MF_NO_TYPE},
    [MF_FAULT_BATTERY_CRITICAL] = {100, MF_NO_TYPE},
    [MF_FAULT_BATTERY_EMERGENCY] = {100, MF_NO_TYPE},
    [MF_FAULT_BATTERY_OFF] = {100, 1},
    [MF_FAULT_BATTERY_VOLTAGE] = {100, MF_NO_TYPE},
    [MF_FAULT_GYRO_OFF] = {0, 1},
    [MF_FAULT_GYRO_STUCK] = {0, 2},
    [MF_FAULT_ACCEL_OFF] = {1, 1},
    [MF_FAULT_ACCEL_STUCK] = {1, 2},
    [MF_FAULT_MAG_OFF] = {2, 1},
    [MF_FAULT_MAG_STUCK] = {2, 2},
    [MF_FAULT_BARO_OFF] = {3, 1},
    [MF_FAULT_BARO_STUCK] = {3, 2},
    [MF_FAULT_MOTOR_OFF] = {101, 1},
    [MF_FAULT_BREACH_TELEPORT] = {MF_NO_UNIT, MF_NO_TYPE},
    [MF_FAULT_BREACH_DRIFT] = {MF_NO_UNIT, MF_NO_TYPE},
    [MF_FAULT_WIND] = {MF_NO_UNIT, MF_NO_TYPE},
    [MF_FAULT_RC_LOST] = {104, 1},
    [MF_FAULT_PREARM] = {MF_NO_UNIT, MF_NO_TYPE},
    [MF_FAULT_HOME_LOST] = {MF_NO_UNIT, MF_NO_TYPE},
    [MF_FAULT_HEARTBEAT_OFF] = {105, 1},
    [MF_FAULT_HEARTBEAT_LATE] = {105, MF_NO_TYPE},
    [MF_FAULT_UTC_STEP] = {4, MF_NO_TYPE},
};

/* ---- the walk ---- */

enum way { BY_REQUEST, BY_SCHEDULE, BY_MAVLINK };

/* One walk through a fault: how it is asked for, with what, where, and from when on. */
struct walk {
    const char *spec; /* NULL: the name alone */
    enum mf_fault fault;
    const struct proof *proof;
    enum way way;
    enum mf_world_motion motion;
    bool flying;
    mf_us_t phase_us; /* after a second at which messages leave */
};

static struct mf_fault_plan plan_of(const char *spec)
{
    struct mf_fault_plan plan;
    char reason[MF_FAULT_REASON_MAX];
    if (mf_fault_spec_parse(spec, strlen(spec), &plan, reason) != MF_E_OK) {
        fail_msg("%s: %s", spec, reason);
    }
    return plan;
}

/* The mock holds few frames. */
static void run_quietly(struct rig *r, mf_us_t until_us)
{
    while (r->mock.now.vehicle_us < until_us) {
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, mf_earlier(r->mock.now.vehicle_us + S, until_us));
    }
}

static struct rig *rig_with(const struct mf_fault_plan *plan, enum mf_world_motion motion)
{
    const struct mf_options options = {.px4_motion = motion == MF_WORLD_MOTION_PHYSICS};
    struct mf_world_settings s = mf_world_settings_default();
    static struct mf_geoid geoid;
    memset(&geoid, 0, sizeof geoid);
    assert_int_equal(mf_geoid_add_constant(&geoid, 47.0), MF_E_OK);
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.home_alt_amsl_m = RIG_ALT_M;
    s.geoid = &geoid;
    s.epoch_utc_us = EPOCH_US;
    s.motion = motion;
    if (plan != NULL) {
        s.fault[s.fault_count++] = *plan;
    }
    struct rig *r = rig_new_in(&options, &s);
    const float wind[7] = {(float)MF_MSG_WIND_COV, 1e5f};
    assert_int_equal(rig_command(r, MAV_CMD_SET_MESSAGE_INTERVAL, wind), MAV_RESULT_ACCEPTED);
    return r;
}

static struct rig *rig_there(const struct mf_fault_plan *plan, enum mf_world_motion motion,
                             bool flying)
{
    struct rig *r = rig_with(plan, motion);
    run_quietly(r, S);
    if (flying) {
        rig_take_off(r, HEIGHT_M);
    }
    return r;
}

/* What nothing is scheduled for is the same until a fault is asked for. */
static struct rig *rig_that_waits(enum mf_world_motion motion, bool flying)
{
    static struct rig s_kept[2][2];
    static bool s_is_kept[2][2];
    const int m = motion == MF_WORLD_MOTION_PHYSICS;
    if (!s_is_kept[m][flying]) {
        struct rig *r = rig_there(NULL, motion, flying);
        run_quietly(r, (flying ? AIR_US : GROUND_US) - 2 * S);
        rig_keep(r, &s_kept[m][flying]);
        s_is_kept[m][flying] = true;
    }
    return rig_again(&s_kept[m][flying]);
}

static void ask(struct rig *r, enum way way, enum mf_fault fault, bool on,
                const struct mf_fault_values *with)
{
    if (way == BY_MAVLINK) {
        const float p[7] = {(float)k_mavlink[fault].unit, on ? (float)k_mavlink[fault].type : 0.0f,
                            1.0f};
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, p), MAV_RESULT_ACCEPTED);
    } else if (way == BY_REQUEST) {
        assert_int_equal(
            mf_vehicle_inject(&r->drone.vehicle, r->mock.now.vehicle_us, fault, on, with), MF_E_OK);
    }
}

/* Messages until then, and with those before. @param last  out */
static size_t messages(struct rig *r, const struct proof *proof, mf_us_t until_us, union seen *last)
{
    size_t n = 0;
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, until_us);
    while (mf_mock_take(&r->mock, 0, proof->msgid, last)) {
        n++;
    }
    return n;
}

/* What a schedule begins at an instant the messages of that instant may show. */
static void walk(const struct walk *w)
{
    const struct proof *proof = w->proof;
    const mf_us_t from_us = (w->flying ? AIR_US : GROUND_US) + w->phase_us;
    const mf_us_t lasts_us = proof->period_us + 100000;
    struct mf_fault_plan plan = plan_of(w->spec != NULL ? w->spec : mf_fault_name(w->fault));
    union seen before = {0}, now = {0};
    const struct look look = {&now, &before, from_us};
    plan.after_us = from_us;
    plan.for_us = lasts_us;
    assert_true(proof->period_us > 0); /* a fault without a row here */
    struct rig *r = w->way == BY_SCHEDULE ? rig_there(&plan, w->motion, w->flying)
                                          : rig_that_waits(w->motion, w->flying);
    const mf_us_t last_us = w->way == BY_SCHEDULE ? from_us - 1 : from_us;
    run_quietly(r, last_us - proof->period_us);
    assert_true(messages(r, proof, last_us, &before) > 0 || proof->shows == NULL);
    ask(r, w->way, w->fault, true, w->spec != NULL ? &plan.with : NULL);
    size_t n = messages(r, proof, from_us + proof->period_us, &now);
    const bool began = proof->shows != NULL ? n > 0 && proof->shows(&look) : n == 0;
    rig_run_until(r, from_us + lasts_us - (from_us - last_us));
    ask(r, w->way, w->fault, false, NULL);
    n = messages(r, proof, from_us + lasts_us + proof->period_us, &now);
    bool ended = n > 0 && (proof->shows == NULL || !proof->shows(&look));
    if (w->fault == MF_FAULT_BREACH_TELEPORT || w->fault == MF_FAULT_BREACH_DRIFT) {
        /* it stays where it is */
        before = now;
        n = messages(r, proof, r->mock.now.vehicle_us + proof->period_us, &now);
        ended = n > 0 && !(moved_m(&look) > 0.0);
    }
    if (!began || !ended) {
        fail_msg("%s way %d motion %d flying %d phase %d: %s",
                 w->spec != NULL ? w->spec : mf_fault_name(w->fault), (int)w->way, (int)w->motion,
                 (int)w->flying, (int)w->phase_us, began ? "does not end" : "does not show");
    }
}

/* On both bodies, on the ground and in the air; by day a schedule, which has to be flown whole,
 * in one of these ways. @param turn  the next one has the next */
static void walk_everywhere(struct walk w, unsigned turn)
{
    const bool all = w.way != BY_SCHEDULE || mf_cases(2, 4) == 4;
    for (unsigned k = 0; k < 4; k++) {
        if (!all && k != turn % 4) {
            continue;
        }
        w.motion = k / 2 == 0 ? MF_WORLD_MOTION_CONSTANT : MF_WORLD_MOTION_PHYSICS;
        w.flying = k % 2 == 1;
        walk(&w);
    }
}

/* With the messages, just after and just before them, and in between. */
static const mf_us_t k_phase_us[] = {0, 1, S / 10 - 1, S - 1, BETWEEN_US};

static void walk_all(enum way way)
{
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        for (size_t k = 0; k < sizeof k_phase_us / sizeof k_phase_us[0]; k++) {
            if (way != BY_MAVLINK || k_mavlink[i].type != MF_NO_TYPE) {
                walk_everywhere((struct walk){.fault = (enum mf_fault)i,
                                              .proof = &k_proof[i],
                                              .way = way,
                                              .phase_us = k_phase_us[k]},
                                (unsigned)i + (unsigned)k);
            }
        }
    }
}

/* ---- the least that is accepted ---- */

#define DIFFERS(field) (k->now->field != k->before->field)
/* clang-format off */
SHOWS(elsewhere, DIFFERS(pos.lat) || DIFFERS(pos.lon) || DIFFERS(pos.alt))
SHOWS(fewer_satellites, DIFFERS(gps.satellites_visible))
SHOWS(less_accurate, DIFFERS(gps.h_acc) || DIFFERS(gps.v_acc))
SHOWS(less_charge, DIFFERS(sys.battery_remaining))
SHOWS(less_voltage, DIFFERS(sys.voltage_battery))
SHOWS(windy, DIFFERS(wind.wind_x) || DIFFERS(wind.wind_y))
SHOWS(wrong_time, (int64_t)k->now->time.time_unix_usec !=
                      EPOCH_US + (int64_t)k->now->time.time_boot_ms * 1000)
/* clang-format on */

static const struct proof k_elsewhere = {MF_MSG_GLOBAL_POSITION_INT, S / 10, elsewhere};
static const struct proof k_satellites = {MF_MSG_GPS_RAW_INT, S, fewer_satellites};
static const struct proof k_accuracy = {MF_MSG_GPS_RAW_INT, S, less_accurate};
static const struct proof k_charge = {MF_MSG_SYS_STATUS, S, less_charge};
static const struct proof k_voltage = {MF_MSG_SYS_STATUS, S, less_voltage};
static const struct proof k_wind = {MF_MSG_WIND_COV, S / 10, windy};
static const struct proof k_time = {MF_MSG_SYSTEM_TIME, S, wrong_time};

/* The least of each row whose values have a magnitude, in several directions; what sets a level is
 * next to what is shown without it. heartbeat_late is a time and has a test of its own. */
static const struct {
    enum mf_fault fault;
    const char *spec;
    const struct proof *proof;
} k_least[] = {
    {MF_FAULT_GPS_GLITCH, "gps_glitch=0.02:0:0", &k_elsewhere},
    {MF_FAULT_GPS_GLITCH, "gps_glitch=0:-0.02:0", &k_elsewhere},
    {MF_FAULT_GPS_GLITCH, "gps_glitch=0:0:0.02", &k_elsewhere},
    {MF_FAULT_GPS_DRIFT, "gps_drift=0.02:0:0", &k_elsewhere},
    {MF_FAULT_GPS_DRIFT, "gps_drift=0:-0.02:0", &k_elsewhere},
    {MF_FAULT_GPS_DRIFT, "gps_drift=0:0:0.02", &k_elsewhere},
    {MF_FAULT_GPS_DRIFT, "gps_drift=-0.02:0.02:-0.02", &k_elsewhere},
    {MF_FAULT_GPS_SATELLITES, "gps_satellites=9", &k_satellites},
    {MF_FAULT_GPS_ACCURACY, "gps_accuracy=0.9:1.781", &k_accuracy},
    {MF_FAULT_GPS_ACCURACY, "gps_accuracy=0.899:1.78", &k_accuracy},
    {MF_FAULT_BATTERY, "battery=99", &k_charge},
    {MF_FAULT_BATTERY_DRAIN, "battery_drain=0.01", &k_voltage},
    {MF_FAULT_BATTERY_VOLTAGE, "battery_voltage=16.201", &k_voltage},
    {MF_FAULT_BREACH_TELEPORT, "breach_teleport=0.02:0", &k_elsewhere},
    {MF_FAULT_BREACH_TELEPORT, "breach_teleport=0.02:225", &k_elsewhere},
    {MF_FAULT_BREACH_DRIFT, "breach_drift=0.02:180", &k_elsewhere},
    {MF_FAULT_BREACH_DRIFT, "breach_drift=0.02:45", &k_elsewhere},
    {MF_FAULT_WIND, "wind=0.01:90", &k_wind},
    {MF_FAULT_WIND, "wind=0.01:180", &k_wind},
    {MF_FAULT_UTC_STEP, "utc_step=0.001", &k_time},
    {MF_FAULT_UTC_STEP, "utc_step=-0.001", &k_time},
};

static void walk_least(enum way way)
{
    for (size_t i = 0; i < sizeof k_least / sizeof k_least[0]; i++) {
        for (size_t k = 0; k < sizeof k_phase_us / sizeof k_phase_us[0]; k++) {
            walk_everywhere((struct walk){.spec = k_least[i].spec,
                                          .fault = k_least[i].fault,
                                          .proof = k_least[i].proof,
                                          .way = way,
                                          .phase_us = k_phase_us[k]},
                            (unsigned)(i + k));
        }
    }
}

static void test_sim047_the_least_that_is_accepted_by_request_shows_within_one_period(void **state)
{
    (void)state;
    walk_least(BY_REQUEST);
}

static void test_sim047_the_least_that_is_accepted_by_schedule_shows_within_one_period(void **state)
{
    (void)state;
    walk_least(BY_SCHEDULE);
}

/* Every row that has a least has it in the list above, and nothing less is accepted. */
static void test_sim046_the_list_of_the_least_is_complete(void **state)
{
    static const enum mf_fault k_least_of[] = {
#define X(name, count, least) MF_FAULT_##name,
        MF_FAULT_LEAST_LIST(X)
#undef X
    };
    static const float k_limit[] = {
#define X(name, count, least) least,
        MF_FAULT_LEAST_LIST(X)
#undef X
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_least_of / sizeof k_least_of[0]; i++) {
        const struct mf_fault_values less = {{k_limit[i] * 0.99f, 0.0f, 0.0f}, ""};
        bool found = k_least_of[i] == MF_FAULT_HEARTBEAT_LATE;
        for (size_t k = 0; k < sizeof k_least / sizeof k_least[0]; k++) {
            const struct mf_fault_plan plan = plan_of(k_least[k].spec);
            found = found || (plan.fault == k_least_of[i] && (plan.with.value[0] == k_limit[i] ||
                                                              plan.with.value[1] == k_limit[i] ||
                                                              plan.with.value[2] == k_limit[i]));
        }
        assert_true(found);
        assert_true(mf_fault_least(k_least_of[i], &less) > 0.0f);
    }
}

/* 1 s and 1 ms after the last one. */
static void test_sim047_the_least_lateness_of_heartbeats_shows_with_the_next_one(void **state)
{
    const struct mf_fault_plan plan = plan_of("heartbeat_late=0.001");
    (void)state;
    for (size_t k = 0; k < sizeof k_phase_us / sizeof k_phase_us[0]; k++) {
        struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
        const mf_us_t from_us = GROUND_US + k_phase_us[k];
        run_quietly(r, from_us);
        ask(r, BY_REQUEST, MF_FAULT_HEARTBEAT_LATE, true, &plan.with);
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, GROUND_US + S + 999);
        assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 0);
        rig_run_until(r, GROUND_US + S + 1000);
        assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 1);
    }
}

static void test_sim047_every_fault_by_request_shows_within_one_period(void **state)
{
    (void)state;
    walk_all(BY_REQUEST);
}

static void test_sim046_sim047_every_fault_by_schedule_shows_within_one_period(void **state)
{
    (void)state;
    walk_all(BY_SCHEDULE);
}

static void test_sim046_sim047_every_unit_of_mavlink_shows_within_one_period(void **state)
{
    (void)state;
    walk_all(BY_MAVLINK);
}

static bool is_offered(int unit, int type)
{
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (k_mavlink[i].unit == unit && (type == 0 || k_mavlink[i].type == type)) {
            return unit != MF_NO_UNIT;
        }
    }
    return false;
}

static void test_sim046_all_other_units_types_and_instances_are_unsupported(void **state)
{
    static const float k_instance[] = {-1.0f, 0.5f, 2.0f, 255.0f};
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    (void)state;
    for (int unit = 0; unit <= 255; unit++) {
        for (int type = 0; type <= 8; type++) {
            const float p[7] = {(float)unit, (float)type};
            assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, p),
                             is_offered(unit, type) ? MAV_RESULT_ACCEPTED : MAV_RESULT_UNSUPPORTED);
            if (is_offered(unit, type)) {
                (void)rig_command(r, MAV_CMD_INJECT_FAILURE, (const float[7]){(float)unit});
            }
        }
        mf_mock_clear(&r->mock, 0);
    }
    for (size_t i = 0; i < sizeof k_instance / sizeof k_instance[0]; i++) {
        const float p[7] = {4.0f, 1.0f, k_instance[i]};
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, p), MAV_RESULT_UNSUPPORTED);
    }
    assert_false(
        mf_inject_active(&r->drone.vehicle.hal, r->mock.now.vehicle_us, MF_FAULT_GPS_OFF, NULL));
}

/* As a client sees them: type after type, without an OK in between. */
static void test_sim046_a_unit_fails_in_one_way_at_a_time(void **state)
{
    static const enum mf_fault k_order[] = {MF_FAULT_GPS_OFF,    MF_FAULT_GPS_STUCK,
                                            MF_FAULT_GPS_GLITCH, MF_FAULT_GPS_JAM,
                                            MF_FAULT_GYRO_OFF,   MF_FAULT_GYRO_STUCK};
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    union seen before = {0}, now = {0};
    (void)state;
    run_quietly(r, GROUND_US + BETWEEN_US);
    (void)messages(r, &k_proof[MF_FAULT_GPS_GLITCH], r->mock.now.vehicle_us + S, &before);
    for (size_t i = 0; i < sizeof k_order / sizeof k_order[0]; i++) {
        const struct proof *proof = &k_proof[k_order[i]];
        const struct look look = {&now, &before, r->mock.now.vehicle_us};
        ask(r, BY_MAVLINK, k_order[i], true, NULL);
        const mf_us_t until_us = r->mock.now.vehicle_us + proof->period_us;
        assert_true(messages(r, proof, until_us, &now) > 0 && proof->shows(&look));
    }
    ask(r, BY_MAVLINK, MF_FAULT_GPS_JAM, false, NULL);
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool active =
            mf_inject_active(&r->drone.vehicle.hal, r->mock.now.vehicle_us, (enum mf_fault)i, NULL);
        assert_int_equal(active, i == MF_FAULT_GYRO_STUCK);
    }
}

/* However they came: OK clears what MAVLink has no type for as well, and nothing else. */
static void test_sim046_ok_clears_all_of_a_unit(void **state)
{
    static const struct {
        int unit;
        enum mf_fault of[8];
    } k_unit[] = {
        {4,
         {MF_FAULT_GPS_DRIFT, MF_FAULT_GPS_GLITCH, MF_FAULT_GPS_SATELLITES, MF_FAULT_GPS_ACCURACY,
          MF_FAULT_GPS_DATUM, MF_FAULT_UTC_STEP, MF_FAULT_GPS_STUCK, MF_FAULT_GPS_NO_FIX}},
        {100,
         {MF_FAULT_BATTERY, MF_FAULT_BATTERY_DRAIN, MF_FAULT_BATTERY_VOLTAGE, MF_FAULT_BATTERY_LOW,
          MF_FAULT_BATTERY_CRITICAL, MF_FAULT_BATTERY_EMERGENCY, MF_FAULT_BATTERY_OFF,
          MF_FAULT_BATTERY}},
        {105,
         {MF_FAULT_HEARTBEAT_LATE, MF_FAULT_HEARTBEAT_OFF, MF_FAULT_HEARTBEAT_OFF,
          MF_FAULT_HEARTBEAT_OFF, MF_FAULT_HEARTBEAT_OFF, MF_FAULT_HEARTBEAT_OFF,
          MF_FAULT_HEARTBEAT_OFF, MF_FAULT_HEARTBEAT_OFF}},
    };
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    const struct mf_hal *hal = &r->drone.vehicle.hal;
    (void)state;
    run_quietly(r, GROUND_US);
    ask(r, BY_REQUEST, MF_FAULT_WIND, true, NULL);
    for (size_t u = 0; u < sizeof k_unit / sizeof k_unit[0]; u++) {
        const float ok[7] = {(float)k_unit[u].unit};
        const mf_us_t now_us = r->mock.now.vehicle_us;
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(r->drone.faults.inject->set(r->drone.faults.inject_ctx, now_us,
                                                         k_unit[u].of[i], true, NULL),
                             MF_E_OK);
        }
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, ok), MAV_RESULT_ACCEPTED);
        for (int i = 0; i < MF_FAULT_COUNT; i++) {
            assert_int_equal(mf_inject_active(hal, r->mock.now.vehicle_us, (enum mf_fault)i, NULL),
                             i == MF_FAULT_WIND);
        }
        run_quietly(r, now_us + S);
    }
}

/* A row without a type has a unit of its kind, or none. */
static void test_sim046_units_are_those_of_the_rows_that_have_a_type(void **state)
{
    (void)state;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        bool known = k_mavlink[i].unit == MF_NO_UNIT;
        for (int k = 0; k < MF_FAULT_COUNT; k++) {
            known = known ||
                    (k_mavlink[k].unit == k_mavlink[i].unit && k_mavlink[k].type != MF_NO_TYPE);
        }
        assert_true(known);
        assert_true(k_mavlink[i].unit != MF_NO_UNIT || k_mavlink[i].type == MF_NO_TYPE);
    }
}

/* What would not show is not accepted, and begins nothing. */
static void test_sim046_a_fault_that_another_hides_is_refused(void **state)
{
    static const struct {
        enum mf_fault hidden, by;
    } k_pair[] = {
        {MF_FAULT_GPS_JAM, MF_FAULT_GPS_OFF},
        {MF_FAULT_GPS_NO_FIX, MF_FAULT_GPS_JAM},
        {MF_FAULT_GPS_STUCK, MF_FAULT_GPS_NO_FIX},
        {MF_FAULT_GPS_GLITCH, MF_FAULT_GPS_OFF},
        {MF_FAULT_GPS_DRIFT, MF_FAULT_GPS_NO_FIX},
        {MF_FAULT_GPS_SATELLITES, MF_FAULT_GPS_STUCK},
        {MF_FAULT_GPS_ACCURACY, MF_FAULT_GPS_STUCK},
        {MF_FAULT_GPS_DATUM, MF_FAULT_GPS_STUCK},
        {MF_FAULT_UTC_STEP, MF_FAULT_GPS_STUCK},
        {MF_FAULT_BATTERY, MF_FAULT_BATTERY_LOW},
        {MF_FAULT_BATTERY_LOW, MF_FAULT_BATTERY_CRITICAL},
        {MF_FAULT_BATTERY_CRITICAL, MF_FAULT_BATTERY_EMERGENCY},
        {MF_FAULT_BATTERY_EMERGENCY, MF_FAULT_BATTERY_OFF},
        {MF_FAULT_BATTERY_DRAIN, MF_FAULT_BATTERY_VOLTAGE},
        {MF_FAULT_GYRO_OFF, MF_FAULT_GYRO_STUCK},
        {MF_FAULT_GYRO_STUCK, MF_FAULT_GYRO_OFF},
        {MF_FAULT_ACCEL_OFF, MF_FAULT_ACCEL_STUCK},
        {MF_FAULT_ACCEL_STUCK, MF_FAULT_ACCEL_OFF},
        {MF_FAULT_MAG_OFF, MF_FAULT_MAG_STUCK},
        {MF_FAULT_MAG_STUCK, MF_FAULT_MAG_OFF},
        {MF_FAULT_BARO_OFF, MF_FAULT_BARO_STUCK},
        {MF_FAULT_BARO_STUCK, MF_FAULT_BARO_OFF},
        {MF_FAULT_BREACH_TELEPORT, MF_FAULT_GPS_OFF},
        {MF_FAULT_BREACH_TELEPORT, MF_FAULT_GPS_JAM},
        {MF_FAULT_BREACH_DRIFT, MF_FAULT_GPS_NO_FIX},
        {MF_FAULT_HEARTBEAT_LATE, MF_FAULT_HEARTBEAT_OFF},
    };
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    struct mf_vehicle *v = &r->drone.vehicle;
    (void)state;
    run_quietly(r, GROUND_US + BETWEEN_US);
    for (size_t i = 0; i < sizeof k_pair / sizeof k_pair[0]; i++) {
        const mf_us_t now_us = r->mock.now.vehicle_us;
        const enum mf_fault hidden = k_pair[i].hidden, by = k_pair[i].by;
        assert_int_equal(mf_vehicle_inject(v, now_us, by, true, NULL), MF_E_OK);
        assert_int_equal(mf_vehicle_inject(v, now_us, hidden, true, NULL), MF_E_AGAIN);
        assert_false(mf_inject_active(&v->hal, now_us, hidden, NULL));
        assert_int_equal(mf_vehicle_inject(v, now_us, hidden, false, NULL), MF_E_OK);
        assert_int_equal(mf_vehicle_inject(v, now_us, by, false, NULL), MF_E_OK);
        assert_int_equal(mf_vehicle_inject(v, now_us, hidden, true, NULL), MF_E_OK);
        assert_int_equal(mf_vehicle_inject(v, now_us, hidden, false, NULL), MF_E_OK);
        rig_run_until(r, now_us + S);
        mf_mock_clear(&r->mock, 0);
    }
    const float jam[7] = {4.0f, 3.0f};
    assert_int_equal(mf_vehicle_inject(v, r->mock.now.vehicle_us, MF_FAULT_GPS_NO_FIX, true, NULL),
                     MF_E_OK);
    const float stuck[7] = {4.0f, 2.0f};
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, jam), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, stuck),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(mf_inject_active(&v->hal, r->mock.now.vehicle_us, MF_FAULT_GPS_JAM, NULL));
}

static int inject_values(struct rig *r, enum mf_fault fault, float a, float b, float c)
{
    const struct mf_fault_values with = {{a, b, c}, ""};
    return mf_vehicle_inject(&r->drone.vehicle, r->mock.now.vehicle_us, fault, true, &with);
}

static void test_sim046_values_that_would_not_show_are_refused(void **state)
{
    static const struct {
        enum mf_fault fault;
        int result;
        float small[3], enough[3];
    } k_case[] = {
        {MF_FAULT_HEARTBEAT_LATE, MF_E_RANGE, {0}, {0.5f}},
        {MF_FAULT_WIND, MF_E_RANGE, {0, 90}, {1, 90}},
        {MF_FAULT_GPS_GLITCH, MF_E_RANGE, {0}, {0, 0, -1}},
        {MF_FAULT_GPS_DRIFT, MF_E_RANGE, {0}, {0, -0.5f, 0}},
        {MF_FAULT_UTC_STEP, MF_E_RANGE, {0}, {-1}},
        {MF_FAULT_BREACH_TELEPORT, MF_E_RANGE, {0, 90}, {1, 90}},
        {MF_FAULT_BREACH_DRIFT, MF_E_RANGE, {0, 90}, {1, 90}},
        {MF_FAULT_BATTERY_DRAIN, MF_E_RANGE, {0}, {1}},
        {MF_FAULT_BATTERY, MF_E_DENIED, {100}, {99}},
        {MF_FAULT_BATTERY_VOLTAGE, MF_E_DENIED, {16.2f}, {16.1f}},
        {MF_FAULT_GPS_SATELLITES, MF_E_DENIED, {10}, {9}},
    };
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    struct mf_vehicle *v = &r->drone.vehicle;
    (void)state;
    run_quietly(r, GROUND_US + BETWEEN_US);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const enum mf_fault fault = k_case[i].fault;
        const float *s = k_case[i].small, *e = k_case[i].enough;
        assert_int_equal(inject_values(r, fault, s[0], s[1], s[2]), k_case[i].result);
        assert_false(mf_inject_active(&v->hal, r->mock.now.vehicle_us, fault, NULL));
        assert_int_equal(inject_values(r, fault, e[0], e[1], e[2]), MF_E_OK);
        assert_int_equal(mf_vehicle_inject(v, r->mock.now.vehicle_us, fault, false, NULL), MF_E_OK);
    }
}

/* Levels that are shown anyway, by whatever it is, and a receiver that has no position anyway. */
static void test_sim046_what_is_shown_already_is_refused(void **state)
{
    struct rig *r = rig_with(NULL, MF_WORLD_MOTION_CONSTANT);
    struct mf_vehicle *v = &r->drone.vehicle;
    (void)state;
    run_quietly(r, GROUND_US + BETWEEN_US);
    const mf_us_t now_us = r->mock.now.vehicle_us;
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY_VOLTAGE, 13.2f, 0, 0), MF_E_OK);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BATTERY_VOLTAGE, false, NULL), MF_E_OK);
    r->drone.world.battery.state.voltage_v = 13.2f;
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BATTERY_VOLTAGE, true, NULL),
                     MF_E_DENIED);
    r->drone.world.battery.state.voltage_v = 80.0f; /* more than 16 bits of millivolts */
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY_VOLTAGE, 90.0f, 0, 0), MF_E_DENIED);
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY_DRAIN, 1.0f, 0, 0), MF_E_NOSUPP);
    r->drone.world.battery.state.voltage_v = 0.0f;
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY_DRAIN, 1.0f, 0, 0), MF_E_NOSUPP);
    r->drone.world.battery.state.voltage_v = 13.2f;
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY, 12.0f, 0, 0), MF_E_OK);
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY, 12.0f, 0, 0), MF_E_OK); /* goes on */
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BATTERY_LOW, true, NULL), MF_E_DENIED);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BATTERY_CRITICAL, true, NULL), MF_E_OK);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BATTERY_CRITICAL, false, NULL), MF_E_OK);
    assert_int_equal(inject_values(r, MF_FAULT_BATTERY, 0.0f, 0, 0), MF_E_OK);
    const float off[7] = {100.0f, 1.0f};
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, off), MAV_RESULT_DENIED);
    assert_true(mf_mock_named(&r->mock, 0, "Failure injection already"));
    assert_int_equal(inject_values(r, MF_FAULT_GPS_SATELLITES, 3.0f, 0, 0), MF_E_OK);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_GPS_NO_FIX, true, NULL), MF_E_AGAIN);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_GPS_GLITCH, true, NULL), MF_E_AGAIN);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_BREACH_TELEPORT, true, NULL),
                     MF_E_AGAIN);
    assert_int_equal(inject_values(r, MF_FAULT_GPS_SATELLITES, 7.0f, 0, 0), MF_E_OK);
    assert_int_equal(mf_vehicle_inject(v, now_us, MF_FAULT_GPS_GLITCH, true, NULL), MF_E_OK);
}

/* One line each, however it came. */
static void test_the_log_has_the_beginning_and_the_end_of_each_fault(void **state)
{
    static const enum mf_fault k_fault[] = {MF_FAULT_GPS_JAM, MF_FAULT_GYRO_OFF};
    struct mf_fault_plan plan = plan_of("gps_jam");
    (void)state;
    for (int way = BY_REQUEST; way <= (int)BY_MAVLINK; way++) {
        const enum mf_fault fault = k_fault[way == (int)BY_MAVLINK];
        plan.after_us = GROUND_US;
        plan.for_us = S;
        struct rig *r = rig_with(way == (int)BY_SCHEDULE ? &plan : NULL, MF_WORLD_MOTION_CONSTANT);
        run_quietly(r, GROUND_US - 1);
        assert_false(mf_mock_logged(&r->mock, "fault", ""));
        rig_run_until(r, GROUND_US);
        ask(r, (enum way)way, fault, true, NULL);
        rig_run_until(r, GROUND_US + 1);
        assert_true(mf_mock_logged(&r->mock, "fault",
                                   way == (int)BY_MAVLINK ? "gyro_off begins" : "gps_jam begins"));
        assert_false(mf_mock_logged(&r->mock, "fault", "ends"));
        rig_run_until(r, GROUND_US + S);
        ask(r, (enum way)way, fault, false, NULL);
        rig_run_until(r, GROUND_US + S + 1);
        assert_true(mf_mock_logged(&r->mock, "fault",
                                   way == (int)BY_MAVLINK ? "gyro_off ends" : "gps_jam ends"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim047_every_fault_by_request_shows_within_one_period),
        cmocka_unit_test(test_sim046_sim047_every_fault_by_schedule_shows_within_one_period),
        cmocka_unit_test(test_sim046_sim047_every_unit_of_mavlink_shows_within_one_period),
        cmocka_unit_test(test_sim047_the_least_that_is_accepted_by_request_shows_within_one_period),
        cmocka_unit_test(
            test_sim047_the_least_that_is_accepted_by_schedule_shows_within_one_period),
        cmocka_unit_test(test_sim046_the_list_of_the_least_is_complete),
        cmocka_unit_test(test_sim047_the_least_lateness_of_heartbeats_shows_with_the_next_one),
        cmocka_unit_test(test_sim046_a_unit_fails_in_one_way_at_a_time),
        cmocka_unit_test(test_sim046_ok_clears_all_of_a_unit),
        cmocka_unit_test(test_sim046_units_are_those_of_the_rows_that_have_a_type),
        cmocka_unit_test(test_sim046_a_fault_that_another_hides_is_refused),
        cmocka_unit_test(test_sim046_values_that_would_not_show_are_refused),
        cmocka_unit_test(test_sim046_what_is_shown_already_is_refused),
        cmocka_unit_test(test_the_log_has_the_beginning_and_the_end_of_each_fault),
        cmocka_unit_test(test_sim046_all_other_units_types_and_instances_are_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
