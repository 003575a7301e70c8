/* SPDX-License-Identifier: Apache-2.0 */
/* Flights in wind, with an inexact receiver and a battery that is used up: reproducible,
 * and sane. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S          1000000
#define POINTS_MAX 8192
#define NORTH_E7   473986420 /* 100 m north of home */

static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};

/* What a client sees of a flight. */
struct trace {
    uint64_t hash; /* of all bytes */
    size_t points, batteries;
    struct mf_msg_global_position_int point[POINTS_MAX];
    struct mf_msg_battery_status battery[POINTS_MAX];
    struct mf_msg_hil_state_quaternion truth; /* the last one */
};

static struct trace g_trace[2];

static struct mf_world_settings calm(void)
{
    struct mf_world_settings s = mf_world_settings_default();
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.home_alt_amsl_m = RIG_ALT_M;
    s.instance = 1;
    return s;
}

static struct mf_world_settings disturbed(void)
{
    struct mf_world_settings s = calm();
    s.seed = 7;
    s.wind_mps = 6.0;
    s.wind_from_deg = 240.0;
    s.gusts_mps = 2.0;
    s.gnss_noise_m = 1.0;
    s.gnss_noise_vertical_m = 1.5;
    s.gnss_noise_mps = 0.1;
    s.gnss_drift_m = 2.0;
    s.gnss_drift_vertical_m = 3.0;
    s.battery_capacity_mah = 5000.0;
    return s;
}

static void collect(struct rig *r, struct trace *t)
{
    const struct mf_mock_port *port = &r->mock.port[0];
    for (size_t i = 0; i < port->sent_len; i++) {
        t->hash = (t->hash ^ port->sent[i]) * UINT64_C(0x100000001B3);
    }
    while (t->points < POINTS_MAX &&
           mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &t->point[t->points])) {
        t->points++;
    }
    while (t->batteries < POINTS_MAX &&
           mf_mock_take(&r->mock, 0, MF_MSG_BATTERY_STATUS, &t->battery[t->batteries])) {
        t->batteries++;
    }
    while (mf_mock_take(&r->mock, 0, MF_MSG_HIL_STATE_QUATERNION, &t->truth)) {
    }
    mf_mock_clear(&r->mock, 0);
}

static void run(struct rig *r, struct trace *t, mf_us_t until_us, bool jumps)
{
    while (!jumps && r->mock.now.vehicle_us < until_us) {
        rig_run_until(r, mf_earlier(r->mock.now.vehicle_us + S, until_us));
        collect(r, t);
    }
    if (jumps) {
        rig_jump_until(r, until_us);
        collect(r, t);
    }
}

static void interval(struct rig *r, uint32_t msgid, float interval_us)
{
    const float p[7] = {(float)msgid, interval_us};
    assert_int_equal(rig_command(r, MAV_CMD_SET_MESSAGE_INTERVAL, p), MAV_RESULT_ACCEPTED);
}

/* Up to 20 m, 100 m to the north, back home and down, with positions every @p interval_us. */
static struct rig *fly(struct trace *t, const struct mf_world_settings *settings, float interval_us,
                       bool jumps)
{
    struct rig *r = rig_new_in(NULL, settings);
    const float up[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 508.0f};
    const float go[4] = {-1.0f, 1.0f, 0.0f, NAN};
    *t = (struct trace){.hash = UINT64_C(0xCBF29CE484222325)};
    interval(r, MF_MSG_GLOBAL_POSITION_INT, interval_us);
    run(r, t, S, jumps);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    run(r, t, 12 * S, jumps);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, go, NORTH_E7, 85455940, 510.0f),
                     MAV_RESULT_ACCEPTED);
    run(r, t, 40 * S, jumps);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    interval(r, MF_MSG_HIL_STATE_QUATERNION, 1e6f);
    run(r, t, 120 * S, jumps);
    assert_false(r->drone.vehicle.commander.armed);
    return r;
}

static void test_sim043_sim042_equal_seeds_equal_bytes(void **state)
{
    struct mf_world_settings s = disturbed();
    (void)state;
    (void)fly(&g_trace[0], &s, 1e5f, false);
    (void)fly(&g_trace[1], &s, 1e5f, false);
    assert_true(g_trace[0].hash == g_trace[1].hash);
    s.seed = 8;
    (void)fly(&g_trace[1], &s, 1e5f, false);
    assert_true(g_trace[0].hash != g_trace[1].hash);
    s = disturbed();
    s.instance = 2;
    (void)fly(&g_trace[1], &s, 1e5f, false);
    assert_true(g_trace[0].hash != g_trace[1].hash);
}

/* What the two have at the same vehicle times is equal. A clock that jumps shows an instant before
 * anything happens at it, such as a new plan with another velocity. @return how many such times */
static size_t common_points(const struct trace *a, const struct trace *b, bool jumped)
{
    size_t common = 0;
    for (size_t i = 0, j = 0; i < a->points && j < b->points;) {
        const uint32_t at_ms = a->point[i].time_boot_ms, bt_ms = b->point[j].time_boot_ms;
        if (at_ms == bt_ms) {
            const size_t n =
                jumped ? offsetof(struct mf_msg_global_position_int, vx) : sizeof a->point[i];
            assert_memory_equal(&a->point[i], &b->point[j], n);
            common++;
        }
        i += at_ms <= bt_ms;
        j += bt_ms <= at_ms;
    }
    return common;
}

static void test_sim043_sim042_rates_of_streams_change_no_position(void **state)
{
    const struct mf_world_settings s = disturbed();
    (void)state;
    (void)fly(&g_trace[0], &s, 1e5f, false);
    (void)fly(&g_trace[1], &s, 2e4f, false);
    assert_true(g_trace[1].points > 4 * g_trace[0].points);
    assert_true(common_points(&g_trace[0], &g_trace[1], false) > 1190);
}

static void test_sim043_sim038_jumps_change_no_position(void **state)
{
    const struct mf_world_settings s = disturbed();
    (void)state;
    (void)fly(&g_trace[0], &s, 1e3f, true);
    const size_t points = g_trace[0].points;
    assert_true(points > 8 && points < 700); /* one set per event; so is each report, 5 a second */
    (void)fly(&g_trace[1], &s, 2e4f, false);
    const size_t common = common_points(&g_trace[0], &g_trace[1], true);
    assert_true(common >= 5); /* the events on its grid */
    assert_int_equal(g_trace[0].battery[g_trace[0].batteries - 1].current_consumed,
                     g_trace[1].battery[g_trace[1].batteries - 1].current_consumed);
}

/* Without an error of the receiver it lands where it would land in a calm: at home, bit for bit. */
static void test_sim043_wind_blows_it_nowhere_on_the_ground(void **state)
{
    struct mf_world_settings s = calm();
    (void)state;
    s.wind_mps = 10.0;
    s.gusts_mps = 3.0;
    struct rig *r = fly(&g_trace[0], &s, 1e5f, false);
    const struct mf_pose pose = rig_pose(r);
    assert_true(pose.on_ground && pose.lat_deg == RIG_LAT_DEG && pose.lon_deg == RIG_LON_DEG);
    int moved = 0;
    for (size_t i = 1; i < g_trace[0].points; i++) {
        const struct mf_msg_global_position_int *p = &g_trace[0].point[i];
        const bool hovers = p->time_boot_ms > 30000 && p->time_boot_ms < 40000;
        moved += hovers && p->lon != g_trace[0].point[i - 1].lon;
        assert_true(p->relative_alt > 0 || (p->lat == 473977420 && p->lon == 85455940));
    }
    assert_true(moved > 50); /* of 100 samples */
}

/* The receiver's error is in what is reported, and so in where the autopilot goes, not in the
 * truth. */
static void test_sim043_drift_is_reported_not_true(void **state)
{
    struct mf_world_settings s = calm();
    (void)state;
    s.gnss_drift_m = 3.0;
    s.gnss_drift_vertical_m = 3.0;
    s.gnss_drift_time_s = 20.0;
    struct rig *r = fly(&g_trace[0], &s, 1e5f, false);
    const struct mf_pose pose = rig_pose(r);
    const struct mf_msg_global_position_int *p = &g_trace[0].point[g_trace[0].points - 1];
    assert_true(pose.on_ground && pose.alt_amsl_m == RIG_ALT_M);
    assert_int_equal(g_trace[0].truth.alt, 488000);
    assert_true(p->alt != 488000 && abs(p->alt - 488000) < 12000);
    assert_true(p->lat != g_trace[0].truth.lat && abs(p->lat - g_trace[0].truth.lat) < 1100);
    assert_true(abs(g_trace[0].truth.lat - 473977420) < 2200); /* nearly home */
    for (size_t i = 1; i < g_trace[0].points; i++) {
        const struct mf_msg_global_position_int *q = &g_trace[0].point[i];
        assert_true(abs(q->lat - q[-1].lat) < 110 && abs(q->alt - q[-1].alt) < 500); /* no jumps */
    }
}

static void test_sim019_sim043_the_battery_is_used_up(void **state)
{
    struct mf_world_settings s = calm();
    struct mf_msg_sys_status sys = {0};
    (void)state;
    s.battery_capacity_mah = 1000.0;
    (void)fly(&g_trace[0], &s, 1e6f, false);
    const struct mf_msg_battery_status *first = &g_trace[0].battery[0];
    const struct mf_msg_battery_status *last = &g_trace[0].battery[g_trace[0].batteries - 1];
    assert_int_equal(first->battery_remaining, 100);
    assert_int_equal(first->current_consumed, 0);
    assert_int_equal(first->current_battery, 0);
    assert_int_equal(first->voltages[0], 4050);
    /* in the air from 1 s on; at 40 s up by 8 m, home by 100.07 m, down by 30 m at 3, 10 and 3 m/s:
     * 61.674 s of 15 A, then 2 s of 1 A until it disarms */
    assert_int_equal(last->current_consumed, 258);
    assert_int_equal(last->battery_remaining, 74);
    assert_int_equal(last->current_battery, 0); /* disarmed */
    assert_int_equal(last->voltages[0], 3934);  /* 16.2 - 0.25753 * 1.8, a quarter */
    bool flew = false;
    for (size_t i = 0; i < g_trace[0].batteries; i++) {
        flew = flew || g_trace[0].battery[i].current_battery == 1500;
    }
    assert_true(flew);
    struct rig *r = rig_new_in(NULL, &s);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &sys));
    assert_int_equal(sys.current_battery, 0);
    assert_int_equal(sys.battery_remaining, 100);
}

static void test_sim043_wind_is_told_on_request(void **state)
{
    struct mf_world_settings s = calm();
    struct mf_msg_wind_cov wind = {0};
    const float want[7] = {MF_MSG_WIND_COV};
    const float up[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 508.0f};
    (void)state;
    s.wind_mps = 6.0;
    s.wind_from_deg = 90.0;
    s.gusts_mps = 0.5;
    struct rig *r = rig_new_in(NULL, &s);
    rig_run_until(r, S);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, want), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_WIND_COV, &wind));
    assert_true(wind.wind_x == 0.0f && wind.wind_y == 0.0f); /* none on the ground */
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 15 * S);
    mf_mock_clear(&r->mock, 0); /* what was streamed */
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, want), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_WIND_COV, &wind));
    assert_true(fabsf(wind.wind_y + 6.0f) < 2.0f && fabsf(wind.wind_x) < 2.0f);
    assert_true(wind.var_horiz == 0.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_sim042_equal_seeds_equal_bytes),
        cmocka_unit_test(test_sim043_sim042_rates_of_streams_change_no_position),
        cmocka_unit_test(test_sim043_sim038_jumps_change_no_position),
        cmocka_unit_test(test_sim043_wind_blows_it_nowhere_on_the_ground),
        cmocka_unit_test(test_sim043_drift_is_reported_not_true),
        cmocka_unit_test(test_sim019_sim043_the_battery_is_used_up),
        cmocka_unit_test(test_sim043_wind_is_told_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
