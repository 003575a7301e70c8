/* SPDX-License-Identifier: Apache-2.0 */
/* The table of parameters, their values, and what the store keeps of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/crc32.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[2];

/* A vehicle with what the mock's store holds, and no links. */
static void boot(void)
{
    const struct mf_setup setup = {.hal = mf_mock_hal(&mock),
                                   .links = links,
                                   .link_count = (uint16_t)COUNT_OF(links),
                                   .sysid = 7,
                                   .compid = 1};
    assert_int_equal(mf_vehicle_init(&v, &setup), MF_E_OK);
}

static int start(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    boot();
    return 0;
}

static void open_link(int index)
{
    static int32_t off[MF_STREAM_COUNT];
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    const struct mf_serial serial = mf_mock_serial(&mock, index);
    assert_int_equal(mf_link_open(&v, &serial, "test", off), index);
}

static enum mf_param id(const char *name)
{
    const int param = mf_param_find(name);
    assert_true(param >= 0);
    return (enum mf_param)param;
}

static uint32_t float_bits(float f)
{
    uint32_t bits = 0;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint32_t int_bits(int32_t i)
{
    uint32_t bits = 0;
    memcpy(&bits, &i, sizeof bits);
    return bits;
}

static int set_float(const char *name, float f)
{
    return mf_param_set(&v, id(name), float_bits(f));
}

static int set_int(const char *name, int32_t i)
{
    return mf_param_set(&v, id(name), int_bits(i));
}

/* Bit by bit, from the definition. */
static uint32_t slow_crc32(uint32_t crc, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= ((const uint8_t *)bytes)[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        }
    }
    return crc;
}

static void test_crc32(void **state)
{
    (void)state;
    /* the check value of CRC-32 as in zlib, PNG, Ethernet */
    assert_int_equal(~mf_crc32(0xFFFFFFFFu, "123456789", 9), 0xCBF43926u);
    assert_int_equal(mf_crc32(0, "123456789", 9), 0x2DFD2D88u);
    assert_int_equal(mf_crc32(mf_crc32(0, "1234", 4), "56789", 5), 0x2DFD2D88u);
    assert_int_equal(mf_crc32(0x1234, NULL, 0), 0x1234);
    uint8_t all[256];
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (uint8_t)i;
    }
    assert_int_equal(mf_crc32(0, all, sizeof all), slow_crc32(0, all, sizeof all));
}

static void test_names_ascend(void **state)
{
    (void)state;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const char *name = mf_param_info((enum mf_param)i)->name;
        assert_in_range(strlen(name), 1, 16);
        assert_int_equal(strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"), strlen(name));
        if (i > 0) {
            assert_true(strcmp(mf_param_info((enum mf_param)(i - 1))->name, name) < 0);
        }
    }
}

static void test_defaults_lie_in_their_ranges(void **state)
{
    (void)state;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        if (info->is_float) {
            assert_true(isfinite(info->min.f) && isfinite(info->max.f));
            assert_true(info->min.f <= info->value.f && info->value.f <= info->max.f);
        } else {
            assert_true(info->min.i <= info->value.i && info->value.i <= info->max.i);
        }
    }
}

/* What PX4's simulated quadrotor starts with, as far as clients look at it; SIM-037's speeds. */
static void test_defaults_SIM_037(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float value;
    } k_float[] = {
        {"MIS_TAKEOFF_ALT", 2.5f}, {"RTL_RETURN_ALT", 30.0f},  {"RTL_DESCEND_ALT", 10.0f},
        {"NAV_ACC_RAD", 2.0f},     {"COM_DISARM_LAND", 2.0f},  {"COM_DISARM_PRFLT", 10.0f},
        {"BAT_LOW_THR", 0.15f},    {"COM_ARM_BAT_MIN", -1.0f}, {"SENS_BOARD_X_OFF", 1e-6f},
        {"MPC_XY_CRUISE", 10.0f},  {"MPC_Z_V_AUTO_UP", 3.0f},  {"MPC_Z_V_AUTO_DN", 3.0f},
        {"MPC_XY_VEL_MAX", 12.0f}, {"MPC_YAWRAUTO_MAX", 60.0f}};
    static const struct {
        const char *name;
        int32_t value;
    } k_int[] = {{"MAV_SYS_ID", 7},       {"MAV_COMP_ID", 1},        {"MAV_TYPE", 2},
                 {"SYS_AUTOSTART", 4001}, {"SYS_FAILURE_EN", 1},     {"COM_LOW_BAT_ACT", 3},
                 {"COM_DL_LOSS_T", 10},   {"NAV_RCL_ACT", 2},        {"GF_ACTION", 2},
                 {"RTL_CONE_ANG", 45},    {"CBRK_USB_CHK", 197848},  {"CAL_ACC0_ID", 1310988},
                 {"CAL_MAG0_ID", 197388}, {"CBRK_IO_SAFETY", 22027}, {"CA_ROTOR_COUNT", 4},
                 {"MF_ARM_MODE", 0},      {"MF_RTL_LAND_MODE", 0},   {"COM_FLTMODE6", -1}};
    for (size_t i = 0; i < COUNT_OF(k_float); i++) {
        assert_int_equal(float_bits(mf_param_f(&v.params, id(k_float[i].name))),
                         float_bits(k_float[i].value));
    }
    for (size_t i = 0; i < COUNT_OF(k_int); i++) {
        assert_int_equal(mf_param_i(&v.params, id(k_int[i].name)), k_int[i].value);
    }
    assert_int_equal(set_float("MPC_XY_CRUISE", 100.0f), MF_E_OK);
    assert_int_equal(set_float("MPC_XY_VEL_MAX", 100.0f), MF_E_OK);
}

/* QGroundControl reports each of these as an error if it is not there. */
static void test_what_clients_must_find(void **state)
{
    (void)state;
    static const char *const k_name[] = {
        "BAT_CRIT_THR",     "BAT_EMERGEN_THR", "BAT_LOW_THR",      "CAL_ACC0_ID",
        "CAL_GYRO0_ID",     "CAL_MAG0_ID",     "CAL_MAG0_ROT",     "CAL_MAG1_ID",
        "CAL_MAG1_ROT",     "CAL_MAG2_ID",     "CAL_MAG2_ROT",     "CAL_MAG3_ID",
        "CAL_MAG3_ROT",     "SENS_BOARD_ROT",  "SENS_BOARD_X_OFF", "SENS_BOARD_Y_OFF",
        "SENS_DPRES_OFF",   "TRIG_MODE",       "UAVCAN_ENABLE",    "SYS_PARAM_VER",
        "GF_MAX_HOR_DIST",  "GF_MAX_VER_DIST", "RTL_LAND_DELAY",   "NAV_DLL_ACT",
        "MPC_LAND_SPEED",   "COM_RC_LOSS_T",   "COM_FLTMODE1",     "RC_MAP_THROTTLE",
        "BAT1_V_LOAD_DROP", "COM_OBS_AVOID"};
    for (size_t i = 0; i < COUNT_OF(k_name); i++) {
        (void)id(k_name[i]);
    }
    /* without it the page of the flight modes reads others that PX4 no longer has, and crashes */
    assert_int_equal(mf_param_i(&v.params, id("RC_MAP_MODE_SW")), 0);
    assert_true(mf_param_f(&v.params, id("RC_OFFB_TH")) == 0.75f);
    for (int channel = 1; channel <= 18; channel++) {
        static const struct {
            const char *name;
            float value;
        } k_of[] = {{"MIN", 1000.0f}, {"MAX", 2000.0f}, {"TRIM", 1500.0f}, {"REV", 1.0f}};
        for (size_t i = 0; i < COUNT_OF(k_of); i++) {
            char name[17];
            (void)snprintf(name, sizeof name, "RC%d_%s", channel, k_of[i].name);
            assert_true(mf_param_f(&v.params, id(name)) == k_of[i].value);
        }
    }
    assert_true(MF_PARAM_COUNT >= 130);
}

static void test_find(void **state)
{
    (void)state;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        assert_int_equal(mf_param_find(mf_param_info((enum mf_param)i)->name), i);
    }
    /* 16 characters and no NUL, as on the wire */
    assert_int_equal(mf_param_find("MIS_TKO_LAND_REQ\x7F"), id("MIS_TKO_LAND_REQ"));
    static const char *const k_unknown[] = {
        "", "A", "ZZZ", "_HASH_CHECK", "MIS_TAKEOFF", "RTL_TYPE_", "rtl_type", "RTL_TYP"};
    for (size_t i = 0; i < COUNT_OF(k_unknown); i++) {
        assert_int_equal(mf_param_find(k_unknown[i]), MF_E_NOENT);
    }
}

static void test_range(void **state)
{
    (void)state;
    assert_int_equal(set_float("MPC_XY_CRUISE", 0.1f), MF_E_OK);
    assert_int_equal(set_float("MPC_XY_CRUISE", 0.09f), MF_E_RANGE);
    assert_int_equal(set_float("MPC_XY_CRUISE", 100.5f), MF_E_RANGE);
    assert_int_equal(set_float("MPC_XY_CRUISE", -1.0f), MF_E_RANGE);
    assert_int_equal(set_float("MPC_XY_CRUISE", NAN), MF_E_RANGE);
    assert_int_equal(set_float("MPC_XY_CRUISE", INFINITY), MF_E_RANGE);
    assert_int_equal(set_float("MPC_XY_CRUISE", -INFINITY), MF_E_RANGE);
    assert_int_equal(mf_param_set(&v, id("MPC_XY_CRUISE"), 0xFF800001u), MF_E_RANGE);
    assert_int_equal(float_bits(mf_param_f(&v.params, id("MPC_XY_CRUISE"))), float_bits(0.1f));

    assert_int_equal(set_int("RTL_CONE_ANG", 0), MF_E_OK);
    assert_int_equal(set_int("RTL_CONE_ANG", 90), MF_E_OK);
    assert_int_equal(set_int("RTL_CONE_ANG", 91), MF_E_RANGE);
    assert_int_equal(set_int("RTL_CONE_ANG", -1), MF_E_RANGE);
    assert_int_equal(set_int("RTL_CONE_ANG", INT32_MIN), MF_E_RANGE);
    assert_int_equal(mf_param_i(&v.params, id("RTL_CONE_ANG")), 90);
}

static void test_read_only(void **state)
{
    (void)state;
    assert_int_equal(set_int("MAV_SYS_ID", 8), MF_E_DENIED);
    assert_int_equal(set_int("MAV_TYPE", 1), MF_E_DENIED);
    assert_int_equal(mf_param_i(&v.params, id("MAV_SYS_ID")), 7);
    assert_false(v.params.unsaved);
    /* what it is already, as when a saved file of parameters is loaded */
    assert_int_equal(set_int("MAV_SYS_ID", 7), MF_E_OK);
    assert_false(v.params.unsaved);
}

/* Parameters of PX4 without an effect here are only kept: MAVSDK's own test toggles SYS_HITL. */
static void test_inert_can_be_set(void **state)
{
    static const struct {
        const char *name;
        int32_t value;
    } k_inert[] = {{"SYS_HITL", 1},         {"SYS_HITL", -1},   {"SYS_HITL", 2},
                   {"SYS_AUTOSTART", 4002}, {"CA_AIRFRAME", 1}, {"CA_ROTOR_COUNT", 6},
                   {"SYS_PARAM_VER", 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_inert); i++) {
        assert_int_equal(set_int(k_inert[i].name, k_inert[i].value), MF_E_OK);
        assert_int_equal(mf_param_i(&v.params, id(k_inert[i].name)), k_inert[i].value);
    }
}

static void test_set_tells_every_link_once(void **state)
{
    (void)state;
    open_link(0);
    open_link(1);
    assert_int_equal(set_int("GF_ACTION", 3), MF_E_OK);
    assert_int_equal(set_int("GF_ACTION", 9), MF_E_RANGE);
    for (int i = 0; i < 2; i++) {
        struct mf_msg_param_value m;
        assert_int_equal(mf_mock_count(&mock, i, MF_MSG_PARAM_VALUE), 1);
        assert_true(mf_mock_take(&mock, i, MF_MSG_PARAM_VALUE, &m));
        assert_int_equal(m.param_value, 3);
        assert_int_equal(m.param_type, 6);
        assert_int_equal(m.param_index, id("GF_ACTION"));
        assert_int_equal(m.param_count, MF_PARAM_COUNT);
        assert_memory_equal(m.param_id, "GF_ACTION\0\0\0\0\0\0\0", 16);
    }
    assert_true(mf_mock_logged(&mock, "param", "GF_ACTION = 3"));
}

/* -1 as a float is a not-a-number; a signalling one would be quietened on some processors. */
static void test_bits_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t bits;
    } k_case[] = {{"COM_FLTMODE1", 0xFFFFFFFFu},    {"LND_FLIGHT_T_LO", 0x7FA00001u},
                  {"LND_FLIGHT_T_LO", 0xFF812345u}, {"LND_FLIGHT_T_LO", 0x80000000u},
                  {"CAL_ACC0_ID", 0x7F800000u},     {"NAV_LOITER_RAD", 0x80000000u},
                  {"SENS_BOARD_Y_OFF", 0x00000001u}};
    open_link(0);
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        struct mf_msg_param_value m;
        assert_int_equal(mf_param_set(&v, id(k_case[i].name), k_case[i].bits), MF_E_OK);
        assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_VALUE, &m));
        assert_int_equal(m.param_value, k_case[i].bits);
        assert_int_equal(v.params.value[id(k_case[i].name)], k_case[i].bits);
    }
    mf_vehicle_step(&v);
    boot();
    assert_int_equal(v.params.value[id("COM_FLTMODE1")], 0xFFFFFFFFu);
    assert_int_equal(v.params.value[id("LND_FLIGHT_T_LO")], 0x80000000u);
    assert_int_equal(v.params.value[id("NAV_LOITER_RAD")], 0x80000000u);
}

static void test_flight_follows_new_speed(void **state)
{
    (void)state;
    mf_mock_place(&mock, 47.4, 8.5, 500.0, false);
    v.commander.armed = true;
    v.navigator.mode = MF_MODE_HOLD;
    v.navigator.phase = MF_NAV_FLY;
    v.navigator.planned = true;
    v.navigator.leg = (struct mf_leg){.lat_deg = 47.5,
                                      .lon_deg = 8.5,
                                      .alt_amsl_m = 500.0,
                                      .speed_h_mps = 10.0f,
                                      .speed_up_mps = 3.0f,
                                      .speed_down_mps = 3.0f,
                                      .yaw_rate_rps = 1.0f};
    const size_t before = mock.airframe.plan_count;
    assert_int_equal(set_float("RTL_RETURN_ALT", 40.0f), MF_E_OK);
    assert_int_equal(mock.airframe.plan_count, before);
    assert_int_equal(set_float("MPC_XY_CRUISE", 25.0f), MF_E_OK);
    assert_int_equal(mock.airframe.plan_count, before + 1);
    assert_true(mock.airframe.plan[before].leg[0].speed_h_mps == 25.0f);
    assert_true(mock.airframe.plan[before].leg[0].lat_deg == 47.5);
    assert_int_equal(set_float("MPC_XY_CRUISE", 25.0f), MF_E_OK); /* nothing new */
    assert_int_equal(mock.airframe.plan_count, before + 1);
}

static uint32_t expected_hash(void)
{
    uint32_t crc = 0;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const char *name = mf_param_info((enum mf_param)i)->name;
        if (strcmp(name, "COM_FLIGHT_UUID") == 0 || strcmp(name, "LND_FLIGHT_T_HI") == 0 ||
            strcmp(name, "LND_FLIGHT_T_LO") == 0 || strcmp(name, "SENS_DPRES_OFF") == 0) {
            continue; /* volatile in PX4 */
        }
        const uint32_t x = v.params.value[i];
        const uint8_t le[4] = {(uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16),
                               (uint8_t)(x >> 24)};
        crc = slow_crc32(crc, name, strlen(name));
        crc = slow_crc32(crc, le, sizeof le);
    }
    return crc;
}

static void test_hash(void **state)
{
    (void)state;
    const uint32_t before = mf_param_hash(&v.params);
    assert_int_equal(before, expected_hash());
    assert_int_equal(set_int("COM_FLIGHT_UUID", 12), MF_E_OK);
    assert_int_equal(mf_param_hash(&v.params), before);
    assert_int_equal(set_float("SENS_DPRES_OFF", 0.25f), MF_E_OK); /* a calibration finds it */
    assert_int_equal(mf_param_hash(&v.params), before);
    assert_int_equal(set_float("RTL_RETURN_ALT", 60.0f), MF_E_OK);
    assert_int_equal(mf_param_hash(&v.params), expected_hash());
    assert_int_not_equal(mf_param_hash(&v.params), before);
    assert_int_equal(set_float("RTL_RETURN_ALT", 30.0f), MF_E_OK);
    assert_int_equal(mf_param_hash(&v.params), before);
}

/* The limits that a refusal names may be set: 0.1 is a little less than the float next to it. */
static void test_limits_as_decimals(void **state)
{
    (void)state;
    open_link(0);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        const union mf_param_value limit[] = {info->min, info->max};
        for (size_t k = 0; k < 2; k++) {
            char text[32];
            (void)snprintf(text, sizeof text, info->is_float ? "%.7g" : "%.10g",
                           info->is_float ? (double)limit[k].f : (double)limit[k].i);
            assert_true(mf_param_launch(&v.params, info->name, strtod(text, NULL)) == i);
            assert_int_equal(v.params.value[i], limit[k].bits);
        }
    }
    assert_int_equal(mf_param_launch(&v.params, "MPC_XY_CRUISE", 0.0999), MF_E_RANGE);
    assert_int_equal(mf_param_launch(&v.params, "MPC_XY_CRUISE", 1e300), MF_E_RANGE);
    assert_int_equal(mf_param_launch(&v.params, "RTL_TYPE", 1e300), MF_E_RANGE);
    assert_int_equal(mf_param_launch(&v.params, "RTL_TYPE", (double)NAN), MF_E_RANGE);
}

static void test_override(void **state)
{
    (void)state;
    open_link(0);
    assert_int_equal(mf_param_override(&v, "MPC_XY_CRUISE", 5.0), MF_E_OK);
    assert_true(mf_param_f(&v.params, id("MPC_XY_CRUISE")) == 5.0f);
    assert_int_equal(mf_param_override(&v, "BAT_LOW_THR", 0.2), MF_E_OK);
    assert_int_equal(float_bits(mf_param_f(&v.params, id("BAT_LOW_THR"))), float_bits(0.2f));
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 2.0), MF_E_OK);
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 2);
    assert_int_equal(mf_param_override(&v, "LND_FLIGHT_T_LO", -2147483648.0), MF_E_OK);
    assert_int_equal(mf_param_i(&v.params, id("LND_FLIGHT_T_LO")), INT32_MIN);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_PARAM_VALUE), 0);
    assert_false(v.params.unsaved);

    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 2.5), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 6.0), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 1e300), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", (double)NAN), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "MPC_XY_CRUISE", -1e300), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "MPC_XY_CRUISE", (double)INFINITY), MF_E_RANGE);
    assert_int_equal(mf_param_override(&v, "NO_SUCH", 1.0), MF_E_NOENT);
    assert_int_equal(mf_param_override(&v, "MIS_TKO_LAND_REQ_", 1.0), MF_E_NOENT);
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 2);
}

/* An override holds for one launch: it neither gets into the store nor out of it what was there. */
static void test_override_and_store(void **state)
{
    (void)state;
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    mf_vehicle_step(&v);
    boot();
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 1.0), MF_E_OK);
    assert_int_equal(mf_param_override(&v, "GF_ACTION", 1.0), MF_E_OK);
    assert_int_equal(set_float("NAV_ACC_RAD", 4.0f), MF_E_OK);
    mf_vehicle_step(&v);
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 1);
    boot();
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 3);
    assert_int_equal(mf_param_i(&v.params, id("GF_ACTION")), 2);
    assert_true(mf_param_f(&v.params, id("NAV_ACC_RAD")) == 4.0f);
    /* set by a client, it is the client's */
    assert_int_equal(mf_param_override(&v, "RTL_TYPE", 1.0), MF_E_OK);
    assert_int_equal(set_int("RTL_TYPE", 1), MF_E_OK);
    mf_vehicle_step(&v);
    boot();
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 1);
}

static void test_restart_keeps_values(void **state)
{
    (void)state;
    assert_int_equal(set_float("RTL_RETURN_ALT", 42.0f), MF_E_OK);
    assert_int_equal(set_int("COM_FLTMODE2", 4), MF_E_OK);
    assert_int_equal(set_int("GF_ACTION", 2), MF_E_OK); /* as it is */
    assert_true(v.params.unsaved);
    mf_vehicle_step(&v);
    assert_false(v.params.unsaved);
    assert_int_equal(mock.store.commits, 1);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 2);
    mf_vehicle_step(&v);
    assert_int_equal(mock.store.commits, 1);
    boot();
    assert_true(mf_param_f(&v.params, id("RTL_RETURN_ALT")) == 42.0f);
    assert_int_equal(mf_param_i(&v.params, id("COM_FLTMODE2")), 4);
    assert_false(v.params.unsaved);

    assert_int_equal(set_float("RTL_RETURN_ALT", 30.0f), MF_E_OK);
    assert_int_equal(set_int("COM_FLTMODE2", -1), MF_E_OK);
    mf_vehicle_step(&v);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 0);
}

/* name, MAV_PARAM_TYPE, zero, low half of the checksum over all the rest, value */
static void put_record(uint16_t index, const char *name, uint8_t type, uint32_t bits)
{
    uint8_t record[24] = {0};
    for (size_t i = 0; name[i] != '\0'; i++) {
        record[i] = (uint8_t)name[i];
    }
    record[16] = type;
    for (size_t i = 0; i < 4; i++) {
        record[20 + i] = (uint8_t)(bits >> 8 * i);
    }
    const uint32_t crc = slow_crc32(slow_crc32(0, record, 18), record + 20, 4);
    record[18] = (uint8_t)crc;
    record[19] = (uint8_t)(crc >> 8);
    const struct mf_hal hal = mf_mock_hal(&mock);
    assert_int_equal(mf_store_put(&hal, MF_STORE_PARAM, index, record), MF_E_OK);
}

static void commit_records(uint16_t count)
{
    const struct mf_hal hal = mf_mock_hal(&mock);
    assert_int_equal(mf_store_commit(&hal, MF_STORE_PARAM, count, 0), MF_E_OK);
}

static void test_load_skips_what_does_not_fit(void **state)
{
    (void)state;
    put_record(0, "OF_ANOTHER_VERSN", 6, 1);
    put_record(1, "RTL_RETURN_ALT", 9, float_bits(42.0f));
    put_record(2, "NAV_ACC_RAD", 9, float_bits(NAN));
    put_record(3, "NAV_MC_ALT_RAD", 9, float_bits(1e9f));
    put_record(4, "GF_ACTION", 9, 3);
    put_record(5, "RTL_CONE_ANG", 6, 91);
    put_record(6, "MAV_TYPE", 6, 13);
    put_record(7, "COM_FLTMODE3", 6, 5);
    put_record(8, "", 6, 5);
    commit_records(9);
    boot();
    assert_int_equal(mf_param_load(&v.params, &v.options, &v.hal), 2);
    assert_true(mf_param_f(&v.params, id("RTL_RETURN_ALT")) == 42.0f);
    assert_int_equal(mf_param_i(&v.params, id("COM_FLTMODE3")), 5);
    assert_true(mf_param_f(&v.params, id("NAV_ACC_RAD")) == 2.0f);
    assert_int_equal(mf_param_i(&v.params, id("GF_ACTION")), 2);
    assert_int_equal(mf_param_i(&v.params, id("RTL_CONE_ANG")), 45);
    assert_int_equal(mf_param_i(&v.params, id("MAV_TYPE")), 2);
}

static void test_load_skips_damaged_records(void **state)
{
    (void)state;
    for (size_t byte = 0; byte < 24; byte++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            mf_mock_init(&mock);
            put_record(0, "RTL_TYPE", 6, 3);
            put_record(1, "RTL_RETURN_ALT", 9, float_bits(42.0f));
            commit_records(2);
            uint8_t *record =
                mock.store.record[MF_STORE_PARAM][mock.store.active[MF_STORE_PARAM]][0];
            record[byte] = (uint8_t)(record[byte] ^ 1u << bit);
            boot();
            assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 0);
            assert_true(mf_param_f(&v.params, id("RTL_RETURN_ALT")) == 42.0f);
        }
    }
}

static void step_at(mf_us_t t_us)
{
    mock.now.vehicle_us = mock.now.transport_us = t_us;
    mf_vehicle_step(&v);
}

/* PARAM_SET was answered: the loss is told every 10 s, on every link that is there by then, until
 * there is room. */
static void test_store_that_fails_is_told_until_it_works(void **state)
{
    (void)state;
    open_link(0);
    mock.store.result = MF_E_IO;
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_IO);
    assert_true(v.params.unsaved);
    step_at(0);
    mf_wake_at(&v, MF_TASK_PARAMS, 0); /* as a running list would */
    step_at(0);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 1);
    assert_true(mf_mock_logged(&mock, "text", "Parameters not saved"));
    step_at(9999999);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 1);
    open_link(1);
    step_at(10000000);
    step_at(20000000);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 3);
    assert_int_equal(mf_mock_count(&mock, 1, MF_MSG_STATUSTEXT), 2); /* it came later */
    assert_int_equal(set_int("GF_ACTION", 1), MF_E_OK); /* the next change does not wait */
    step_at(21000000);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 4);
    mock.store.result = MF_E_OK;
    step_at(30999999);
    assert_int_equal(mock.store.commits, 0);
    step_at(31000000);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 2);
    assert_true(mf_mock_logged(&mock, "text", "Parameters saved again"));
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 5);
    step_at(41000000);
    step_at(51000000);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 5);
    assert_int_equal(mock.store.commits, 1);
}

/* A client that orders it (PREFLIGHT_STORAGE) ends the repetition, too. */
static void test_store_that_works_again_by_order(void **state)
{
    (void)state;
    open_link(0);
    mock.store.result = MF_E_IO;
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    step_at(0);
    mock.store.result = MF_E_OK;
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_OK);
    step_at(10000000);
    step_at(20000000);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 2);
    assert_true(mf_mock_logged(&mock, "text", "Parameters saved again"));
    assert_int_equal(mock.store.commits, 1);
}

static void test_store_whose_records_cannot_be_read(void **state)
{
    (void)state;
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    assert_int_equal(set_int("GF_ACTION", 1), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_OK);
    mock.store.get_result = MF_E_IO;
    boot();
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 0);
    mock.store.info_result = MF_E_IO;
    boot();
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_IO);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 2);
    mock.store.info_result = MF_E_OK; /* records that cannot be read do not stand in the way */
    assert_int_equal(set_int("GF_ACTION", 1), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_OK);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 1);
}

static void test_store_that_is_full(void **state)
{
    (void)state;
    mock.store.capacity[MF_STORE_PARAM] = 1;
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_OK);
    assert_int_equal(set_int("GF_ACTION", 1), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_IO);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 1); /* as before */
    boot();
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 3);
    assert_int_equal(mf_param_i(&v.params, id("GF_ACTION")), 2);
}

static void test_no_store_at_all(void **state)
{
    (void)state;
    const struct mf_setup setup = {.hal = mf_hal_null(), .sysid = 1, .compid = 1};
    assert_int_equal(mf_vehicle_init(&v, &setup), MF_E_OK);
    assert_int_equal(set_int("RTL_TYPE", 3), MF_E_OK);
    assert_int_equal(mf_param_save(&v.params, &v.options, &v.hal), MF_E_OK);
    assert_false(v.params.unsaved);
    assert_int_equal(mf_param_i(&v.params, id("RTL_TYPE")), 3);
}

/* The parameters alone, without a vehicle: one attempt in 10 s, told until one succeeds. */
static void test_saving_by_itself(void **state)
{
    static struct mf_mock s_mock;
    static struct mf_params s_params;
    const struct mf_options options = {0};
    (void)state;
    mf_mock_init(&s_mock);
    const struct mf_hal hal = mf_mock_hal(&s_mock);
    mf_param_reset(&s_params, &options);
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 0), MF_SAVE_QUIET);
    assert_int_equal(s_mock.store.commits, 0); /* nothing is unsaved */
    s_params.unsaved = true;
    s_mock.store.result = MF_E_IO;
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 5), MF_SAVE_FAILED);
    assert_int_equal(s_params.retry_us, 10000005);
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 10000004), MF_SAVE_QUIET);
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 10000005), MF_SAVE_FAILED);
    s_mock.store.result = MF_E_OK;
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 20000004), MF_SAVE_QUIET);
    assert_true(s_params.unsaved);
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 20000005), MF_SAVE_RECOVERED);
    assert_false(s_params.unsaved);
    assert_int_equal(s_mock.store.commits, 1);
    s_params.unsaved = true;
    assert_int_equal(mf_param_save_due(&s_params, &options, &hal, 20000006), MF_SAVE_QUIET);
    assert_false(s_params.unsaved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc32),
        cmocka_unit_test(test_names_ascend),
        cmocka_unit_test(test_defaults_lie_in_their_ranges),
        cmocka_unit_test_setup(test_defaults_SIM_037, start),
        cmocka_unit_test(test_what_clients_must_find),
        cmocka_unit_test(test_find),
        cmocka_unit_test_setup(test_range, start),
        cmocka_unit_test_setup(test_read_only, start),
        cmocka_unit_test_setup(test_inert_can_be_set, start),
        cmocka_unit_test_setup(test_set_tells_every_link_once, start),
        cmocka_unit_test_setup(test_bits_come_back, start),
        cmocka_unit_test_setup(test_flight_follows_new_speed, start),
        cmocka_unit_test_setup(test_hash, start),
        cmocka_unit_test_setup(test_limits_as_decimals, start),
        cmocka_unit_test_setup(test_override, start),
        cmocka_unit_test_setup(test_override_and_store, start),
        cmocka_unit_test_setup(test_restart_keeps_values, start),
        cmocka_unit_test_setup(test_load_skips_what_does_not_fit, start),
        cmocka_unit_test(test_load_skips_damaged_records),
        cmocka_unit_test_setup(test_store_that_fails_is_told_until_it_works, start),
        cmocka_unit_test(test_saving_by_itself),
        cmocka_unit_test_setup(test_store_that_works_again_by_order, start),
        cmocka_unit_test_setup(test_store_whose_records_cannot_be_read, start),
        cmocka_unit_test_setup(test_store_that_is_full, start),
        cmocka_unit_test_setup(test_no_store_at_all, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
