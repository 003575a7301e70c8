/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages leave a link, and when. The times are counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "firmware/report/encode.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[3];

static void set_clock(mf_us_t vehicle_us)
{
    mock.now = (struct mf_now){vehicle_us, vehicle_us};
    v.now = mock.now;
    v.instant_us = vehicle_us;
}

static int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    static struct mf_ftp s_ftp;
    const struct mf_setup s = {.hal = mf_mock_hal(&mock),
                               .links = links,
                               .ftp = &s_ftp,
                               .link_count = 3,
                               .sysid = 1,
                               .compid = 1};
    return mf_vehicle_init(&v, &s);
}

static struct mf_link *open_with(int port, const int32_t *interval_us)
{
    static int32_t s_interval_us[3][MF_STREAM_COUNT];
    memcpy(s_interval_us[port], interval_us, sizeof s_interval_us[port]);
    const struct mf_serial serial = mf_mock_serial(&mock, port);
    const int index = mf_link_open(&v, &serial, "test", s_interval_us[port]);
    assert_int_equal(index, port);
    return &links[index];
}

static struct mf_link *open_profile(int port, enum mf_rate_profile profile)
{
    int32_t interval_us[MF_STREAM_COUNT];
    mf_stream_profile(profile, interval_us);
    return open_with(port, interval_us);
}

/* A link on which nothing runs. */
static struct mf_link *open_silent(int port)
{
    int32_t interval_us[MF_STREAM_COUNT];
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = MF_STREAM_OFF;
    }
    return open_with(port, interval_us);
}

static mf_us_t earliest(void)
{
    mf_us_t next_us = MF_NEVER;
    for (size_t i = 0; i < v.links_top; i++) {
        if (links[i].open && links[i].stream.next_us < next_us) {
            next_us = links[i].stream.next_us;
        }
    }
    return next_us;
}

/* The task as the scheduler runs it on a punctual host: each pass at the due time itself. */
static void run_until(mf_us_t end_us)
{
    for (mf_us_t due_us = earliest(); due_us <= end_us;) {
        set_clock(due_us);
        due_us = mf_streams_run(&v, due_us);
    }
    set_clock(end_us);
}

static size_t sent(int port, uint32_t msgid)
{
    return mf_mock_count(&mock, port, msgid);
}

/* The ids and defaults as the requirements and PX4 give them, not as our table does. */
static void test_profiles(void **state)
{
    static const struct {
        uint32_t msgid;
        int32_t sim, px4, onboard, min;
    } k_want[] = {
        {1, 1000000, 1000000, 200000, 1000000}, /* SYS_STATUS */
        {2, 1000000, -1, 1000000, -1},          /* SYSTEM_TIME */
        {24, 1000000, 200000, 125000, 1000000}, /* GPS_RAW_INT */
        {30, 100000, 66667, 10000, -1},         /* ATTITUDE */
        {32, 100000, 1000000, 33333, -1},       /* LOCAL_POSITION_NED */
        {33, 100000, 200000, 20000, 1000000},   /* GLOBAL_POSITION_INT */
        {65, 200000, 200000, 50000, -1},        /* RC_CHANNELS */
        {74, 250000, 250000, 100000, -1},       /* VFR_HUD */
        {105, 1000000, -1, 20000, -1},          /* HIGHRES_IMU */
        {148, -1, -1, -1, -1},                  /* AUTOPILOT_VERSION */
        {241, 10000000, 10000000, 2000000, -1}, /* VIBRATION */
        {242, 2000000, 2000000, 2000000, 2000000},
        {245, 1000000, 1000000, 200000, 1000000},
        {331, 1000000, -1, 33333, -1}, /* ODOMETRY */
    };
    int32_t us[MF_PROFILE_COUNT][MF_STREAM_COUNT];
    (void)state;
    for (int i = 0; i < MF_PROFILE_COUNT; i++) {
        mf_stream_profile((enum mf_rate_profile)i, us[i]);
    }
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        const int stream = mf_stream_find(k_want[i].msgid);
        assert_in_range(stream, 0, MF_STREAM_COUNT - 1);
        assert_int_equal(mf_stream_msgid((enum mf_stream)stream), k_want[i].msgid);
        assert_int_equal(us[MF_PROFILE_sim][stream], k_want[i].sim);
        assert_int_equal(us[MF_PROFILE_px4][stream], k_want[i].px4);
        assert_int_equal(us[MF_PROFILE_onboard][stream], k_want[i].onboard);
        assert_int_equal(us[MF_PROFILE_min][stream], k_want[i].min);
    }
    for (int i = 0; i < MF_STREAM_COUNT; i++) { /* px4-rc.mavlinksim: 50 Hz, and 20 Hz of 65 */
        const uint32_t id = mf_stream_msgid((enum mf_stream)i);
        const bool fast =
            id == 30 || id == 31 || id == 32 || id == 33 || id == 36 || id == 83 || id == 85;
        assert_int_equal(us[MF_PROFILE_px4_sitl][i], fast       ? 20000
                                                     : id == 65 ? 50000
                                                                : us[MF_PROFILE_px4][i]);
    }
    assert_int_equal(mf_stream_find(0), MF_E_NOENT); /* HEARTBEAT is not a stream */
    assert_int_equal(mf_stream_find(435), MF_E_NOENT);
    assert_int_equal(mf_stream_find(0xFFFFFF), MF_E_NOENT);
}

static void test_start_sends_one_set_at_once(void **state)
{
    (void)state;
    set_clock(1234567);
    (void)open_profile(0, MF_PROFILE_sim);
    struct mf_msg_attitude m;
    assert_true(mf_mock_take(&mock, 0, 30, &m));
    assert_int_equal(m.time_boot_ms, 1234);
    static const uint32_t k_active[] = {1,   2,   24,  29,  31,  32,  33,  42,  74, 105,
                                        141, 147, 230, 231, 241, 242, 245, 331, 436};
    for (size_t i = 0; i < sizeof k_active / sizeof k_active[0]; i++) {
        assert_int_equal(sent(0, k_active[i]), 1);
    }
    static const uint32_t k_off[] = {36, 83, 115, 148, 300, 375};
    for (size_t i = 0; i < sizeof k_off / sizeof k_off[0]; i++) {
        assert_int_equal(sent(0, k_off[i]), 0);
    }
    /* then by their intervals since boot: 1.3 s, 2.0 s, 4.0 s */
    assert_int_equal(links[0].stream.due_us[MF_STREAM_ATTITUDE], 1300000);
    assert_int_equal(links[0].stream.due_us[MF_STREAM_VFR_HUD], 1250000);
    assert_int_equal(links[0].stream.due_us[MF_STREAM_SYS_STATUS], 2000000);
    assert_int_equal(links[0].stream.due_us[MF_STREAM_HOME_POSITION], 2000000);
    assert_int_equal(mf_stream_interval(&links[0], 115), MF_STREAM_OFF);
    assert_int_equal(links[0].stream.next_us, 1250000);
    assert_int_equal(v.due_us[MF_TASK_STREAMS], 1250000);
}

static void test_sim016_default_rates(void **state)
{
    (void)state;
    (void)open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    run_until(10 * MF_SECOND_US);
    static const struct {
        uint32_t msgid;
        size_t in_10_s;
    } k_want[] = {
        {33, 100}, {32, 100}, {30, 100}, /* SIM-016 .. 018 */
        {1, 10},   {24, 10},  {245, 10}, /* SIM-019 .. 021 */
        {242, 5},  {74, 40},  {147, 5},  {42, 10}, {0, 0},
    };
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        assert_int_equal(sent(0, k_want[i].msgid), k_want[i].in_10_s);
    }
}

static void test_phase_is_that_of_boot(void **state)
{
    struct mf_msg_global_position_int m;
    (void)state;
    set_clock(73123);
    (void)open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    run_until(1000000);
    for (uint32_t ms = 100; ms <= 1000; ms += 100) {
        assert_true(mf_mock_take(&mock, 0, 33, &m));
        assert_int_equal(m.time_boot_ms, ms);
    }
    assert_false(mf_mock_take(&mock, 0, 33, &m));
}

/* An interval that does not divide a second: multiples of it, without drift. */
static void test_odd_interval(void **state)
{
    struct mf_msg_attitude m;
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_int_equal(mf_stream_set(&v, link, 30, 66667.0f, 0), MF_E_OK);
    run_until(1000000);
    assert_int_equal(sent(0, 30), 14);
    static const uint32_t k_ms[] = {66, 133, 200, 266, 333, 400};
    for (size_t i = 0; i < sizeof k_ms / sizeof k_ms[0]; i++) {
        assert_true(mf_mock_take(&mock, 0, 30, &m));
        assert_int_equal(m.time_boot_ms, k_ms[i]);
    }
}

static void test_sim016_interval_is_set(void **state)
{
    (void)state;
    struct mf_link *link = open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    set_clock(110000);
    assert_int_equal(mf_stream_set(&v, link, 33, 20000.0f, 110000), MF_E_OK); /* 50 Hz */
    assert_int_equal(mf_stream_interval(link, 33), 20000);
    assert_int_equal(mf_stream_interval(link, mf_stream_msgid((enum mf_stream)0)),
                     link->stream.interval_us[0]);
    assert_int_equal(link->stream.due_us[MF_STREAM_GLOBAL_POSITION_INT], 120000);
    assert_int_equal(v.due_us[MF_TASK_STREAMS], 100000); /* was asked for before, stays */
    run_until(1100000);
    assert_int_equal(sent(0, 33), 50); /* 120 ms .. 1100 ms; none at the old 100 ms */
    assert_int_equal(sent(0, 30), 11);
}

static void test_set_off_and_default(void **state)
{
    (void)state;
    struct mf_link *link = open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    assert_int_equal(mf_stream_set(&v, link, 30, -1.0f, 0), MF_E_OK);
    assert_int_equal(mf_stream_interval(link, 30), -1);
    run_until(1000000);
    assert_int_equal(sent(0, 30), 0);
    assert_int_equal(mf_stream_set(&v, link, 30, 0.0f, 1000000), MF_E_OK);
    assert_int_equal(mf_stream_interval(link, 30), 100000);
    run_until(2000000);
    assert_int_equal(sent(0, 30), 10);
    /* the default of HIL_STATE_QUATERNION is off */
    assert_int_equal(mf_stream_set(&v, link, 115, 50000.0f, 2000000), MF_E_OK);
    assert_int_equal(mf_stream_set(&v, link, 115, 0.0f, 2000000), MF_E_OK);
    assert_int_equal(mf_stream_interval(link, 115), -1);
    run_until(3000000);
    assert_int_equal(sent(0, 115), 0);
}

static void test_set_wakes_the_task(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_true(v.due_us[MF_TASK_STREAMS] == MF_NEVER);
    assert_true(link->stream.next_us == MF_NEVER);
    assert_int_equal(mf_stream_set(&v, link, 105, 250000.0f, 300000), MF_E_OK);
    assert_int_equal(v.due_us[MF_TASK_STREAMS], 500000);
    assert_int_equal(link->stream.next_us, 500000);
    set_clock(500000);
    (void)mf_vehicle_step(&v);
    assert_int_equal(sent(0, 105), 1);
    assert_int_equal(v.due_us[MF_TASK_STREAMS], 750000);
}

static void test_set_values(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    static const struct {
        float interval_us;
        int32_t got_us;
    } k_case[] = {
        {33333.4f, 33333}, {33333.6f, 33334},  {1000.0f, 1000},    {999.0f, 1000},
        {0.25f, 1000},     {1e9f, 1000000000}, {1e30f, INT32_MAX}, {-0.25f, -1},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(mf_stream_set(&v, link, 33, k_case[i].interval_us, 0), MF_E_OK);
        assert_int_equal(mf_stream_interval(link, 33), k_case[i].got_us);
    }
    assert_int_equal(mf_stream_set(&v, link, 33, 40000.0f, 0), MF_E_OK);
    assert_int_equal(mf_stream_set(&v, link, 33, NAN, 0), MF_E_RANGE);
    assert_int_equal(mf_stream_set(&v, link, 33, INFINITY, 0), MF_E_RANGE);
    assert_int_equal(mf_stream_set(&v, link, 33, -INFINITY, 0), MF_E_RANGE);
    assert_int_equal(mf_stream_interval(link, 33), 40000);
    assert_int_equal(mf_stream_set(&v, link, 0, 500000.0f, 0), MF_E_NOENT); /* HEARTBEAT */
    assert_int_equal(mf_stream_set(&v, link, 9999, 500000.0f, 0), MF_E_NOENT);
    assert_int_equal(mf_stream_interval(link, 9999), -1);
}

/* What a configuration says is brought into range, too. */
static void test_start_values(void **state)
{
    int32_t interval_us[MF_STREAM_COUNT] = {0};
    (void)state;
    interval_us[MF_STREAM_ATTITUDE] = 10;
    interval_us[MF_STREAM_VFR_HUD] = -7;
    const struct mf_link *link = open_with(0, interval_us);
    assert_int_equal(mf_stream_interval(link, 30), 1000);
    assert_int_equal(mf_stream_interval(link, 74), -1);
    assert_int_equal(mf_stream_interval(link, 1), -1);
}

static void test_two_links_with_their_own_rates(void **state)
{
    (void)state;
    struct mf_link *a = open_profile(0, MF_PROFILE_sim);
    struct mf_link *b = open_profile(1, MF_PROFILE_min);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    assert_int_equal(mf_stream_set(&v, a, 33, 50000.0f, 0), MF_E_OK);
    assert_int_equal(mf_stream_interval(b, 33), 1000000);
    run_until(2000000);
    assert_int_equal(sent(0, 33), 40);
    assert_int_equal(sent(1, 33), 2);
    assert_int_equal(sent(0, 30), 20);
    assert_int_equal(sent(1, 30), 0);
}

static void test_closed_link_is_passed_over(void **state)
{
    (void)state;
    (void)open_profile(0, MF_PROFILE_sim);
    (void)open_profile(1, MF_PROFILE_min);
    mf_link_close(&v, 0);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    run_until(1000000);
    assert_int_equal(mock.port[0].frame_count, 0);
    assert_int_equal(sent(1, 33), 1);
    mf_link_close(&v, 1);
    assert_true(mf_streams_run(&v, 2000000) == MF_NEVER);
}

/* Ten periods late is caught up; more is not. */
static void test_late_host_skips_ahead(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_int_equal(mf_stream_set(&v, link, 33, 100000.0f, 0), MF_E_OK);
    assert_int_equal(mf_stream_set(&v, link, 24, 1000000.0f, 0), MF_E_OK);
    set_clock(1100000);
    assert_int_equal(mf_streams_run(&v, 100000), 200000);
    assert_int_equal(v.counters.overruns, 0);
    set_clock(1200001);
    assert_int_equal(mf_streams_run(&v, 200000), 1000000); /* GPS_RAW_INT, one period late */
    assert_int_equal(v.counters.overruns, 1);
    assert_int_equal(link->stream.due_us[MF_STREAM_GLOBAL_POSITION_INT], 1300000);
    assert_int_equal(mf_streams_run(&v, 1000000), 1300000);
    assert_int_equal(v.counters.overruns, 1);
    assert_int_equal(sent(0, 33), 2);
    assert_int_equal(sent(0, 24), 1);
    struct mf_msg_global_position_int m; /* of the due times, not of the time of the host */
    assert_true(mf_mock_take(&mock, 0, 33, &m));
    assert_int_equal(m.time_boot_ms, 100);
    assert_true(mf_mock_take(&mock, 0, 33, &m));
    assert_int_equal(m.time_boot_ms, 200);
}

/* Due times are kept in 32 bits, which are full after 4294.967296 s: streams of any interval
 * go on. */
static void test_intervals_outlast_32_bits(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    set_clock(4250 * MF_SECOND_US);
    assert_int_equal(mf_stream_set(&v, link, 33, 2e9f, v.now.vehicle_us), MF_E_OK);
    assert_int_equal(link->stream.next_us, 6000 * MF_SECOND_US);
    assert_int_equal(mf_stream_set(&v, link, 24, 1e8f, v.now.vehicle_us), MF_E_OK);
    assert_int_equal(link->stream.next_us, 4300 * MF_SECOND_US);
    run_until(5999 * MF_SECOND_US);
    assert_int_equal(sent(0, 24), 17); /* at 4300 s, 4400 s, ..., 5900 s */
    assert_int_equal(sent(0, 33), 0);
    run_until(12000 * MF_SECOND_US);
    struct mf_msg_global_position_int m;
    for (uint32_t s = 6000; s <= 12000; s += 2000) {
        assert_true(mf_mock_take(&mock, 0, 33, &m));
        assert_int_equal(m.time_boot_ms, s * 1000u);
    }
    assert_false(mf_mock_take(&mock, 0, 33, &m));
    assert_int_equal(v.counters.overruns, 0);
}

/* Hours late: each stream has one turn and goes on after them, however long its interval. */
static void test_host_hours_late(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_int_equal(mf_stream_set(&v, link, 33, 1e9f, 0), MF_E_OK);
    assert_int_equal(mf_stream_set(&v, link, 24, 2e9f, 0), MF_E_OK);
    set_clock(9500 * MF_SECOND_US);
    assert_int_equal(mf_streams_run(&v, 1000 * MF_SECOND_US), 10000 * MF_SECOND_US);
    assert_int_equal(v.counters.overruns, 2);
    assert_int_equal(sent(0, 33), 1);
    assert_int_equal(sent(0, 24), 1);
    run_until(11999 * MF_SECOND_US);
    assert_int_equal(sent(0, 33), 3); /* and at 10000 s, 11000 s */
    assert_int_equal(sent(0, 24), 2);
}

/* A clock that jumps re-phases the task to where it jumped: one set there, and no overrun. */
static void test_rephased_task_is_no_overrun(void **state)
{
    (void)state;
    (void)open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    set_clock(60050000);
    assert_int_equal(mf_streams_run(&v, 60050000), 60100000);
    assert_int_equal(v.counters.overruns, 0);
    struct mf_msg_attitude m;
    assert_true(mf_mock_take(&mock, 0, 30, &m));
    assert_int_equal(m.time_boot_ms, 60050);
    assert_int_equal(sent(0, 30), 0);
    assert_int_equal(sent(0, 1), 1);
}

static void test_full_device_loses_nothing_but_the_message(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_int_equal(mf_stream_set(&v, link, 33, 100000.0f, 0), MF_E_OK);
    mock.port[0].room = 0;
    set_clock(100000);
    assert_int_equal(mf_streams_run(&v, 100000), 200000);
    assert_int_equal(link->stats.tx_dropped, 1);
    mock.port[0].room = SIZE_MAX;
    set_clock(200000);
    assert_int_equal(mf_streams_run(&v, 200000), 300000);
    assert_int_equal(sent(0, 33), 1);
}

static void test_request_each_stream(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    v.commander.armed = true;
    v.commander.mode = MF_MODE_ORBIT;
    v.inputs.channels.count = 4;
    v.navigator.planned = true;
    v.navigator.leg = (struct mf_leg){.lat_deg = 47.4, .lon_deg = 8.5, .alt_amsl_m = 500.0};
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        const uint32_t msgid = mf_stream_msgid((enum mf_stream)i);
        mf_mock_clear(&mock, 0);
        assert_int_equal(mf_stream_request(&v, link, msgid, 1500000), MF_E_OK);
        assert_int_equal(mock.port[0].frame_count, 1);
        assert_int_equal(sent(0, msgid), 1);
        assert_int_equal(mf_stream_interval(link, msgid), -1); /* a request starts no stream */
    }
    assert_int_equal(mf_stream_request(&v, link, 9999, 1500000), MF_E_NOENT);
}

static void test_request_of_what_is_not_there(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    mock.gnss.result = MF_E_IO;
    mock.power.result = MF_E_IO;
    v.home.valid = false;
    v.origin.valid = false;
    v.navigator.planned = false;
    v.commander.armed = false;
    mf_mock_clear(&mock, 0);
    static const uint32_t k_gone[] = {32, 33, 49, 62, 83, 85, 87, 147, 242, 331, 360};
    for (size_t i = 0; i < sizeof k_gone / sizeof k_gone[0]; i++) {
        assert_int_equal(mf_stream_request(&v, link, k_gone[i], 2000000), MF_E_NOENT);
    }
    assert_int_equal(mock.port[0].frame_count, 0);
}

/* A stream that has nothing to send keeps its phase and comes back by itself. */
static void test_sim017_silent_without_position(void **state)
{
    (void)state;
    (void)open_profile(0, MF_PROFILE_sim);
    mf_mock_clear(&mock, 0);
    mock.gnss.result = MF_E_IO;
    run_until(1000000);
    assert_int_equal(sent(0, 32), 0);
    assert_int_equal(sent(0, 33), 0);
    assert_int_equal(sent(0, 30), 10);
    assert_int_equal(sent(0, 24), 1);
    mock.gnss.result = MF_E_OK;
    run_until(2000000);
    assert_int_equal(sent(0, 32), 10);
    assert_int_equal(sent(0, 33), 10);
}

static void test_broadcast(void **state)
{
    struct mf_msg_home_position m;
    (void)state;
    mf_news_send(&v, MF_NEWS_HOME_POSITION, 0); /* nobody there */
    (void)open_silent(0);
    (void)open_silent(1);
    (void)open_silent(2);
    mf_link_close(&v, 1);
    v.home.valid = true;
    mf_news_send(&v, MF_NEWS_HOME_POSITION, 3000000);
    assert_int_equal(sent(0, 242), 1);
    assert_int_equal(sent(1, 242), 0);
    assert_int_equal(sent(2, 242), 1);
    v.home.valid = false;
    mf_news_send(&v, MF_NEWS_HOME_POSITION, 3000000);
    assert_int_equal(sent(0, 242), 1);
    assert_true(mf_mock_take(&mock, 0, 242, &m));
}

/* HEARTBEAT of somebody, at both clocks' present time. */
static void hear(int port, uint8_t sysid, uint8_t compid, uint8_t type)
{
    const struct mf_msg_heartbeat m = {.type = type, .autopilot = 8, .mavlink_version = 3};
    mock.port[port].peer = (struct mf_sender){2, 0, sysid, compid};
    mf_mock_feed_msg(&mock, port, MF_MSG_HEARTBEAT, &m);
    (void)mf_vehicle_step(&v);
}

static struct mf_link *open_unchosen(int port)
{
    int32_t interval_us[MF_STREAM_COUNT];
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    mf_stream_leave_to_sdk(interval_us, false);
    return open_with(port, interval_us);
}

static void see_intervals(const struct mf_link *link, int32_t attitude_us, int32_t quaternion_us)
{
    assert_int_equal(mf_stream_interval(link, 30), attitude_us);
    assert_int_equal(mf_stream_interval(link, 31), quaternion_us);
    assert_int_equal(mf_stream_interval(link, 32), 100000);
    assert_int_equal(mf_stream_interval(link, 33), 100000);
}

/* Who gets attitude as an onboard computer does: whoever says that it is one, and MAVSDK. */
static void test_sim018_attitude_for_an_sdk(void **state)
{
    static const struct {
        uint8_t sysid, compid, type;
        bool sdk;
    } k_case[] = {
        {255, 190, 6, false},  /* QGroundControl */
        {255, 230, 6, false},  /* MAVProxy */
        {255, 0, 6, false},    /* pymavlink, DroneKit */
        {245, 191, 6, false},  /* another station of that number */
        {245, 190, 30, false}, /* that identity, but a camera */
        {1, 100, 30, false},   /* a camera */
        {245, 190, 6, true},   /* MAVSDK */
        {1, 195, 18, true},    /* MAVSDK as a companion computer */
        {1, 191, 18, true},    /* MAVROS */
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)setup(NULL);
        struct mf_link *link = open_unchosen(0);
        see_intervals(link, 100000, 100000); /* the connection is no sign */
        set_clock(1005000);
        hear(0, k_case[i].sysid, k_case[i].compid, k_case[i].type);
        see_intervals(link, k_case[i].sdk ? 10000 : 100000, k_case[i].sdk ? 20000 : 100000);
        mf_mock_clear(&mock, 0);
        run_until(2005000);
        assert_int_equal(sent(0, 30), k_case[i].sdk ? 100 : 10);
        assert_int_equal(sent(0, 31), k_case[i].sdk ? 50 : 10);
    }
}

static void test_an_sdk_is_one_link_and_goes(void **state)
{
    (void)state;
    struct mf_link *a = open_unchosen(0);
    struct mf_link *b = open_unchosen(1);
    hear(0, 245, 190, 6);
    see_intervals(a, 10000, 20000);
    see_intervals(b, 100000, 100000);
    mock.now = (struct mf_now){500000, 9000000}; /* once more, late by the wall */
    hear(0, 245, 190, 6);
    mock.now.transport_us = 18999999;
    (void)mf_vehicle_step(&v);
    see_intervals(a, 10000, 20000);
    mock.now.transport_us = 19000000; /* ten seconds of silence */
    (void)mf_vehicle_step(&v);
    see_intervals(a, 100000, 100000);
    hear(0, 245, 190, 6);
    see_intervals(a, 10000, 20000);
    mf_link_close(&v, 0);
    see_intervals(open_unchosen(0), 100000, 100000); /* who comes next is somebody else */
}

/* With --px4-strict all messages have the intervals of the profile onboard, also those that are off
 * without an SDK. */
static void test_the_whole_onboard_profile_for_an_sdk(void **state)
{
    int32_t px4_us[MF_STREAM_COUNT], left_us[MF_STREAM_COUNT], onboard_us[MF_STREAM_COUNT];
    (void)state;
    mf_stream_profile(MF_PROFILE_px4, px4_us);
    mf_stream_profile(MF_PROFILE_px4, left_us);
    mf_stream_profile(MF_PROFILE_onboard, onboard_us);
    mf_stream_leave_to_sdk(left_us, true);
    struct mf_link *link = open_with(0, left_us);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        assert_int_equal(link->stream.interval_us[i], px4_us[i]);
    }
    assert_int_equal(mf_stream_set(&v, link, 24, 500000.0f, 0), MF_E_OK); /* GPS_RAW_INT */
    hear(0, 245, 190, 6);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        assert_int_equal(link->stream.interval_us[i],
                         i == MF_STREAM_GPS_RAW_INT ? 500000 : onboard_us[i]);
    }
    mock.now.transport_us += 10 * MF_SECOND_US;
    (void)mf_vehicle_step(&v);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        assert_int_equal(link->stream.interval_us[i],
                         i == MF_STREAM_GPS_RAW_INT ? 500000 : px4_us[i]);
    }
}

/* A profile, a stream or a client that says so wins. */
static void test_chosen_rates_stay_with_an_sdk(void **state)
{
    int32_t interval_us[MF_STREAM_COUNT];
    (void)state;
    struct mf_link *link = open_profile(0, MF_PROFILE_sim);
    hear(0, 245, 190, 6);
    see_intervals(link, 100000, 100000);

    mf_stream_profile(MF_PROFILE_sim, interval_us);
    mf_stream_leave_to_sdk(interval_us, false);
    interval_us[MF_STREAM_ATTITUDE_QUATERNION] = 100000; /* --stream ATTITUDE_QUATERNION=10 */
    link = open_with(1, interval_us);
    hear(1, 245, 190, 6);
    see_intervals(link, 10000, 100000);

    link = open_unchosen(2);
    assert_int_equal(mf_stream_set(&v, link, 30, 100000.0f, 0), MF_E_OK);
    assert_int_equal(mf_stream_set(&v, link, 31, -1.0f, 0), MF_E_OK);
    hear(2, 245, 190, 6);
    see_intervals(link, 100000, -1);
    assert_int_equal(mf_stream_set(&v, link, 30, 0.0f, 0), MF_E_OK); /* the default, with an SDK */
    see_intervals(link, 10000, -1);
    mock.now.transport_us += 10 * MF_SECOND_US;
    (void)mf_vehicle_step(&v);
    see_intervals(link, 100000, -1);
    assert_int_equal(mf_stream_set(&v, link, 31, 0.0f, 0), MF_E_OK);
    see_intervals(link, 100000, 100000);
}

static void step_clock(mf_us_t to_us)
{
    set_clock(to_us);
    (void)mf_streams_run(&v, to_us);
}

/* EXTENDED_SYS_STATE at 1 Hz, on the ground (1), and a change that is told. */
static void test_sim044_a_turn_right_after_a_change_is_left_out(void **state)
{
    (void)state;
    struct mf_link *link = open_silent(0);
    assert_int_equal(mf_stream_set(&v, link, 245, 1000000.0f, 0), MF_E_OK);
    set_clock(500000);
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 500000);
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 500000);
    assert_int_equal(sent(0, 245), 1);
    step_clock(1000000); /* half an interval later */
    assert_int_equal(sent(0, 245), 1);
    step_clock(2000000);
    assert_int_equal(sent(0, 245), 2);
    set_clock(2499999);
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 2499999);
    step_clock(3000000); /* a little more than half of one */
    assert_int_equal(sent(0, 245), 4);
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 3000000); /* the turn told it */
    assert_int_equal(sent(0, 245), 4);
    v.commander.landed = MF_LANDED_TAKEOFF;
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 3000000);
    v.commander.landed = MF_LANDED_IN_AIR;
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 3000000);
    assert_int_equal(sent(0, 245), 6);
    v.commander.landed = MF_LANDED_LANDING; /* told by its turn alone */
    set_clock(3300000);
    mf_news_tell(&v, MF_NEWS_EXTENDED_SYS_STATE, 3300000);
    v.commander.landed = MF_LANDED_ON_GROUND;
    step_clock(4000000);
    assert_int_equal(sent(0, 245), 8);
}

static void test_answers_are_given_again_at_one_instant(void **state)
{
    (void)state;
    struct mf_link *link = open_profile(0, MF_PROFILE_sim);
    for (size_t i = 0; i < 2; i++) {
        mf_mock_clear(&mock, 0);
        assert_int_equal(mf_stream_request(&v, link, 245, 0), MF_E_OK);
        assert_int_equal(mf_stream_request(&v, link, 42, 0), MF_E_OK);
        mf_news_send(&v, MF_NEWS_MISSION_CURRENT, 0);
        assert_int_equal(sent(0, 245), 1);
        assert_int_equal(sent(0, 42), 2);
    }
}

/* A client that has just connected and missed the first set waits no longer than the interval. */
static void test_turns_after_the_first_set_are_taken(void **state)
{
    (void)state;
    set_clock(900000);
    (void)open_profile(0, MF_PROFILE_sim);
    step_clock(1000000);
    assert_int_equal(sent(0, 245), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_profiles, setup),
        cmocka_unit_test_setup(test_start_sends_one_set_at_once, setup),
        cmocka_unit_test_setup(test_sim016_default_rates, setup),
        cmocka_unit_test_setup(test_phase_is_that_of_boot, setup),
        cmocka_unit_test_setup(test_odd_interval, setup),
        cmocka_unit_test_setup(test_sim016_interval_is_set, setup),
        cmocka_unit_test_setup(test_set_off_and_default, setup),
        cmocka_unit_test_setup(test_set_wakes_the_task, setup),
        cmocka_unit_test_setup(test_set_values, setup),
        cmocka_unit_test_setup(test_start_values, setup),
        cmocka_unit_test_setup(test_two_links_with_their_own_rates, setup),
        cmocka_unit_test_setup(test_closed_link_is_passed_over, setup),
        cmocka_unit_test_setup(test_late_host_skips_ahead, setup),
        cmocka_unit_test_setup(test_intervals_outlast_32_bits, setup),
        cmocka_unit_test_setup(test_host_hours_late, setup),
        cmocka_unit_test_setup(test_rephased_task_is_no_overrun, setup),
        cmocka_unit_test_setup(test_full_device_loses_nothing_but_the_message, setup),
        cmocka_unit_test_setup(test_request_each_stream, setup),
        cmocka_unit_test_setup(test_request_of_what_is_not_there, setup),
        cmocka_unit_test_setup(test_sim017_silent_without_position, setup),
        cmocka_unit_test_setup(test_broadcast, setup),
        cmocka_unit_test_setup(test_sim044_a_turn_right_after_a_change_is_left_out, setup),
        cmocka_unit_test_setup(test_answers_are_given_again_at_one_instant, setup),
        cmocka_unit_test_setup(test_turns_after_the_first_set_are_taken, setup),
        cmocka_unit_test_setup(test_sim018_attitude_for_an_sdk, setup),
        cmocka_unit_test_setup(test_an_sdk_is_one_link_and_goes, setup),
        cmocka_unit_test_setup(test_the_whole_onboard_profile_for_an_sdk, setup),
        cmocka_unit_test_setup(test_chosen_rates_stay_with_an_sdk, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
