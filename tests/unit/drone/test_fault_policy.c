/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a request for a fault: imposed on the vehicle, chosen by unit and type, put into
 * the log, refused. */
#include "tests/unit/drone/fault_fixture.h"
#include "tests/unit/support/names.h"

static int set(enum mf_fault fault, bool on, const struct mf_fault_values *with)
{
    const int err = mf_inject_set(&fx.drone.vehicle.hal, S, fault, on, with);
    (void)mf_inject_next(&fx.drone.vehicle.hal, S);
    return err;
}

static bool active(enum mf_fault fault)
{
    return mf_inject_active(&fx.drone.vehicle.hal, S, fault, NULL);
}

static void test_sim046_what_no_device_shows_is_imposed(void **state)
{
    static const struct {
        enum mf_fault fault;
        struct mf_imposed imposed;
    } k_case[] = {
        {MF_FAULT_GPS_OFF, {0}},
        {MF_FAULT_PREARM, {.denial = "Preflight Fail: fault"}},
        {MF_FAULT_RC_LOST, {.rc_lost = true}},
        {MF_FAULT_HOME_LOST, {.home_hidden = true}},
        {MF_FAULT_HEARTBEAT_OFF, {.silent = true}},
        {MF_FAULT_HEARTBEAT_LATE, {.late_us = 4 * S}},
        {MF_FAULT_BREACH_TELEPORT, {.leash_m = 100.0f}},
        {MF_FAULT_BREACH_DRIFT, {.leash_m = 100.0f}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_imposed *is = &fx_boot()->imposed, *want = &k_case[i].imposed;
        assert_int_equal(set(k_case[i].fault, true, NULL), MF_E_OK);
        if (want->denial[0] != '\0') {
            assert_names(is->denial, want->denial);
        } else {
            assert_string_equal(is->denial, "");
        }
        assert_int_equal(is->rc_lost, want->rc_lost);
        assert_int_equal(is->home_hidden, want->home_hidden);
        assert_int_equal(is->silent, want->silent);
        assert_true(is->late_us == want->late_us && is->leash_m == want->leash_m);
        assert_int_equal(set(k_case[i].fault, false, NULL), MF_E_OK);
        assert_int_equal(is->denial[0], 0);
        assert_false(is->rc_lost || is->home_hidden || is->silent);
        assert_true(is->late_us == 0 && is->leash_m == 0.0f);
    }
}

static void test_sim046_a_reason_of_its_own(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot();
    const struct mf_fault_values with = {.text = "door open"};
    assert_int_equal(set(MF_FAULT_PREARM, true, &with), MF_E_OK);
    assert_string_equal(v->imposed.denial, "Preflight Fail: door open");
}

static void test_sim046_beginnings_and_ends_are_logged(void **state)
{
    (void)state;
    (void)fx_boot();
    assert_int_equal(set(MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    assert_true(mf_mock_logged(&fx.mock, "fault", "gps_off begins"));
    assert_false(mf_mock_logged(&fx.mock, "fault", "gps_off ends"));
    assert_int_equal(set(MF_FAULT_GPS_OFF, false, NULL), MF_E_OK);
    assert_true(mf_mock_logged(&fx.mock, "fault", "gps_off ends"));
}

/* Away from home, 1.1 times the fence and 10 m more; 100 km at most. */
static void test_sim046_a_teleport_leads_out_of_the_fence(void **state)
{
    static const struct {
        float fence_m, distance_m;
    } k_case[] = {{0.0f, 110.0f}, {50.0f, 65.0f}, {200.0f, 230.0f}, {1e5f, 1e5f}};
    const struct mf_fault_values east = {.value = {40.0f, 90.0f}};
    struct mf_fault_values with;
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = fx_boot();
        assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", (double)k_case[i].fence_m),
                         MF_E_OK);
        for (int away = 0; away < 2; away++) {
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, true, NULL), MF_E_OK);
            assert_true(mf_inject_active(&v->hal, S, MF_FAULT_BREACH_TELEPORT, &with));
            assert_true(fabs((double)(with.value[0] - k_case[i].distance_m)) < 0.01);
            assert_true(fabs((double)with.value[1] - (away != 0 ? 90.0 : 0.0)) < 0.1);
            fx_boot();
            assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", (double)k_case[i].fence_m),
                             MF_E_OK);
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, true, &east), MF_E_OK);
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, false, NULL), MF_E_OK);
        }
    }
}

/* A zone as the store has it: a circle, or a vertex of a square, so many metres north of home. */
struct zone {
    uint16_t command; /* MAV_CMD */
    float radius_m;   /* of a circle; of a vertex: how many there are */
    double north_deg, east_deg;
};

#define M_NORTH \
    (1.0 / 111178.2) /* degrees of latitude at home, by the series of WGS84's meridian */

static void put_zones(struct mf_vehicle *v, const struct zone *zone, uint16_t count)
{
    const struct mf_hal mock = mf_mock_hal(&fx.mock);
    v->hal.store = mock.store;
    v->hal.store_ctx = mock.store_ctx;
    for (uint16_t i = 0; i < count; i++) {
        const struct mf_item item = {.command = zone[i].command,
                                     .frame = MAV_FRAME_GLOBAL,
                                     .param = {mf_f32_bits(zone[i].radius_m)},
                                     .x = (int32_t)lround((47.397742 + zone[i].north_deg) * 1e7),
                                     .y = (int32_t)lround((8.545594 + zone[i].east_deg) * 1e7)};
        assert_int_equal(mf_store_put(&v->hal, MF_STORE_FENCE, i, &item), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&v->hal, MF_STORE_FENCE, count, 1), MF_E_OK);
    mf_fence_changed(v, S);
}

/* North from home, which is what a vehicle at home has for "away", and 10 m beyond the border. */
static void test_sim046_a_teleport_leads_out_of_all_zones(void **state)
{
    enum { IN = 5003, OUT = 5004, VERTEX_IN = 5001 };
    static const struct {
        struct zone zone[4];
        uint16_t count;
        float distance_m;
    } k_case[] = {
        {{{IN, 300.0f, 0.0, 0.0}}, 1, 310.0f},
        {{{IN, 300.0f, 100.0 * M_NORTH, 0.0}}, 1, 410.0f},
        /* a square that reaches 0.01 degrees north; depths in polygons are up to 1.1 % too small,
         * and what is missing then is a step of 1 m */
        {{{VERTEX_IN, 4.0f, -0.01, -0.01},
          {VERTEX_IN, 4.0f, -0.01, 0.01},
          {VERTEX_IN, 4.0f, 0.01, 0.01},
          {VERTEX_IN, 4.0f, 0.01, -0.01}},
         4,
         1122.3f},
        /* out of one inclusion zone into the next, and out of that */
        {{{IN, 300.0f, 0.0, 0.0}, {IN, 300.0f, 400.0 * M_NORTH, 0.0}}, 2, 710.0f},
        /* into an exclusion zone that lies nearer than the border */
        {{{IN, 1000.0f, 0.0, 0.0}, {OUT, 100.0f, 500.0 * M_NORTH, 0.0}}, 2, 410.0f},
        /* the same, nearer: its near side is 300 m away */
        {{{IN, 1000.0f, 0.0, 0.0}, {OUT, 200.0f, 500.0 * M_NORTH, 0.0}}, 2, 310.0f},
        /* nothing keeps the vehicle in: as without zones */
        {{{OUT, 100.0f, 500.0 * M_NORTH, 0.0}}, 1, 110.0f},
        /* outside already, and farther than 10 m: as without zones */
        {{{IN, 300.0f, -400.0 * M_NORTH, 0.0}}, 1, 110.0f},
        /* outside, but nearer: as far as is missing, and a step at least */
        {{{IN, 300.0f, -304.0 * M_NORTH, 0.0}}, 1, 6.0f},
        {{{IN, 300.0f, -309.5 * M_NORTH, 0.0}}, 1, 1.0f},
        /* farther than a teleport leads */
        {{{IN, 2e5f, 0.0, 0.0}}, 1, 1e5f},
    };
    struct mf_fault_values with;
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        mf_mock_init(&fx.mock);
        struct mf_vehicle *v = fx_boot();
        put_zones(v, k_case[i].zone, k_case[i].count);
        assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, true, NULL), MF_E_OK);
        assert_true(mf_inject_active(&v->hal, S, MF_FAULT_BREACH_TELEPORT, &with));
        assert_float_equal(with.value[0], k_case[i].distance_m,
                           k_case[i].zone[0].command == VERTEX_IN ? 0.8f : 0.3f);
        assert_float_equal(with.value[1], 0.0, 1e-6);
    }
}

#define BIT(name) (UINT64_C(1) << MF_FAULT_##name)

/* A unit fails in one way at a time; OK ends them all, and nothing of another unit. */
static void test_sim046_units_and_types(void **state)
{
    static const struct {
        uint64_t before;
        int32_t unit, type;
        int result;
        uint64_t after;
    } k_case[] = {
        {0, 4, 1, MF_E_OK, BIT(GPS_OFF)},
        {BIT(GPS_OFF), 4, 2, MF_E_OK, BIT(GPS_STUCK)},
        {BIT(GPS_OFF) | BIT(GPS_DRIFT), 4, 2, MF_E_OK, BIT(GPS_STUCK) | BIT(GPS_DRIFT)},
        {BIT(GPS_STUCK) | BIT(GYRO_OFF), 4, 4, MF_E_OK, BIT(GPS_GLITCH) | BIT(GYRO_OFF)},
        {BIT(GPS_JAM) | BIT(GPS_DRIFT) | BIT(GYRO_OFF), 4, 0, MF_E_OK, BIT(GYRO_OFF)},
        {BIT(GPS_STUCK) | BIT(GPS_NO_FIX), 4, 4, MF_E_AGAIN, BIT(GPS_STUCK) | BIT(GPS_NO_FIX)},
        {BIT(GPS_OFF), 4, 7, MF_E_NOSUPP, BIT(GPS_OFF)},   /* no such type */
        {BIT(GPS_OFF), 4, 255, MF_E_NOSUPP, BIT(GPS_OFF)}, /* MF_NO_TYPE */
        {BIT(WIND), 255, 0, MF_E_NOSUPP, BIT(WIND)},       /* MF_NO_UNIT */
        {BIT(GPS_OFF), 8, 0, MF_E_NOSUPP, BIT(GPS_OFF)},
        {0, 4, 0, MF_E_OK, 0},
        {0, 100, 1, MF_E_OK, BIT(BATTERY_OFF)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_vehicle *v = fx_boot();
        for (int fault = 0; fault < MF_FAULT_COUNT; fault++) {
            if ((k_case[i].before >> fault & 1u) != 0) {
                fx_force((enum mf_fault)fault, NULL);
            }
        }
        assert_int_equal(mf_inject_unit(&v->hal, S, k_case[i].unit, k_case[i].type),
                         k_case[i].result);
        for (int fault = 0; fault < MF_FAULT_COUNT; fault++) {
            assert_int_equal(active((enum mf_fault)fault), k_case[i].after >> fault & 1u);
        }
    }
}

/* What begins at once is judged as a request; what waits may show by then. */
static void test_sim046_plans(void **state)
{
    static const struct {
        enum mf_happening on;
        mf_us_t after_us;
        enum mf_fault fault;
        int result;
    } k_case[] = {
        {MF_HAPPENING_BOOT, S, MF_FAULT_UTC_STEP, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S + 1, MF_FAULT_UTC_STEP, MF_E_OK},
        {MF_HAPPENING_ARMED, S, MF_FAULT_UTC_STEP, MF_E_OK},
        {MF_HAPPENING_BOOT, S - 1, MF_FAULT_GPS_OFF, MF_E_RANGE},
        {MF_HAPPENING_BOOT, S, MF_FAULT_COUNT, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S, (enum mf_fault)77, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S, (enum mf_fault)(-1), MF_E_NOSUPP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_vehicle *v = fx_boot();
        const struct mf_fault_plan plan = {.fault = k_case[i].fault,
                                           .on = k_case[i].on,
                                           .after_us = k_case[i].after_us,
                                           .for_us = S,
                                           .with.value = {3600.0f * (i < 3)}};
        assert_int_equal(mf_inject_plan(&v->hal, S, &plan), k_case[i].result);
    }
    assert_int_equal(set((enum mf_fault)77, true, NULL), MF_E_NOSUPP);
}

static void test_sim046_a_plan_follows_what_happens_and_is_taken_back(void **state)
{
    const struct mf_fault_plan plan = {
        .fault = MF_FAULT_RC_LOST, .on = MF_HAPPENING_ARMED, .for_us = MF_NEVER};
    struct mf_fault_planned planned;
    (void)state;
    struct mf_vehicle *v = fx_boot();
    assert_int_equal(mf_inject_plan(&v->hal, S, &plan), MF_E_OK);
    assert_true(mf_inject_next(&v->hal, S) == MF_NEVER);
    assert_false(mf_inject_happened(&v->hal, S, MF_HAPPENING_LANDED, 0) || v->imposed.rc_lost);
    assert_true(mf_inject_happened(&v->hal, S, MF_HAPPENING_ARMED, 0));
    (void)mf_inject_next(&v->hal, S);
    assert_true(v->imposed.rc_lost);
    assert_true(mf_inject_planned(&v->hal, S, 0, &planned));
    mf_inject_unplan(&v->hal, S, MF_FAULT_RC_LOST);
    (void)mf_inject_next(&v->hal, S);
    assert_false(v->imposed.rc_lost);
    assert_false(mf_inject_planned(&v->hal, S, 0, &planned));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim046_what_no_device_shows_is_imposed, fx_before),
        cmocka_unit_test_setup(test_sim046_a_reason_of_its_own, fx_before),
        cmocka_unit_test_setup(test_sim046_beginnings_and_ends_are_logged, fx_before),
        cmocka_unit_test_setup(test_sim046_a_teleport_leads_out_of_the_fence, fx_before),
        cmocka_unit_test_setup(test_sim046_a_teleport_leads_out_of_all_zones, fx_before),
        cmocka_unit_test_setup(test_sim046_units_and_types, fx_before),
        cmocka_unit_test_setup(test_sim046_plans, fx_before),
        cmocka_unit_test_setup(test_sim046_a_plan_follows_what_happens_and_is_taken_back,
                               fx_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
