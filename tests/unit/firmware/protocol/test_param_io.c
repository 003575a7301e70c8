/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink's parameter protocol. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

static const struct {
    const char *name, *help;
} k_help[] = {
#define P(name, type, value, min, max, unit, doc) {#name, doc},
#include "firmware/state/params.def"
};
static const char *const k_list[] = {
#define PHYSICS(name) #name,
#include "firmware/state/params.def"
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* MAV_PARAM_TYPE, MAV_PARAM_ERROR */
#define INT32          6
#define REAL32         9
#define DOES_NOT_EXIST 1
#define OUT_OF_RANGE   2
#define READ_ONLY      5
#define UNSUPPORTED    6
#define MISMATCH       7

#define TEN_MS_US 10000

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[2];

static void open_link(int index)
{
    static int32_t off[MF_STREAM_COUNT];
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    const struct mf_serial serial = mf_mock_serial(&mock, index);
    assert_int_equal(mf_link_open(&v, &serial, "test", off), index);
    mf_mock_clear(&mock, index);
}

/* A vehicle 1/1 with two links; on link 0 speaks 245/190, on link 1 255/230. */
static int start(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    mock.port[1].peer.sysid = 255;
    mock.port[1].peer.compid = 230;
    const struct mf_setup setup = {.hal = mf_mock_hal(&mock),
                                   .links = links,
                                   .link_count = (uint16_t)COUNT_OF(links),
                                   .sysid = 1,
                                   .compid = 1};
    assert_int_equal(mf_vehicle_init(&v, &setup), MF_E_OK);
    open_link(0);
    open_link(1);
    return 0;
}

static uint32_t float_bits(float f)
{
    uint32_t bits = 0;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void copy_name(char to[16], const char *name)
{
    memset(to, 0, 16);
    for (size_t i = 0; name[i] != '\0'; i++) {
        to[i] = name[i];
    }
}

static void ask_name(int link, const char *name)
{
    struct mf_msg_param_request_read m = {
        .param_index = -1, .target_system = 1, .target_component = 1};
    copy_name(m.param_id, name);
    mf_mock_feed_msg(&mock, link, MF_MSG_PARAM_REQUEST_READ, &m);
    mf_vehicle_step(&v);
}

static void ask_index(int link, int16_t index)
{
    const struct mf_msg_param_request_read m = {
        .param_index = index, .target_system = 1, .target_component = 1};
    mf_mock_feed_msg(&mock, link, MF_MSG_PARAM_REQUEST_READ, &m);
    mf_vehicle_step(&v);
}

static void ask_list(int link)
{
    const struct mf_msg_param_request_list m = {.target_system = 1, .target_component = 1};
    mf_mock_feed_msg(&mock, link, MF_MSG_PARAM_REQUEST_LIST, &m);
    mf_vehicle_step(&v);
}

static void set(int link, const char *name, uint8_t type, uint32_t bits)
{
    struct mf_msg_param_set m = {
        .param_value = bits, .target_system = 1, .target_component = 1, .param_type = type};
    copy_name(m.param_id, name);
    mf_mock_feed_msg(&mock, link, MF_MSG_PARAM_SET, &m);
    mf_vehicle_step(&v);
}

static void pass(mf_us_t by_us)
{
    mf_mock_advance(&mock, by_us);
    mf_vehicle_step(&v);
}

static size_t values(int link)
{
    return mf_mock_count(&mock, link, MF_MSG_PARAM_VALUE);
}

static size_t errors(int link)
{
    return mf_mock_count(&mock, link, MF_MSG_PARAM_ERROR);
}

static struct mf_msg_param_value take_value(int link)
{
    struct mf_msg_param_value m = {0};
    assert_true(mf_mock_take(&mock, link, MF_MSG_PARAM_VALUE, &m));
    assert_int_equal(m.param_count, MF_PARAM_COUNT);
    return m;
}

static void see_value(int link, const char *name, uint8_t type, uint32_t bits)
{
    const struct mf_msg_param_value m = take_value(link);
    char padded[16];
    copy_name(padded, name);
    assert_memory_equal(m.param_id, padded, 16);
    assert_int_equal(m.param_type, type);
    assert_int_equal(m.param_value, bits);
    const int param = mf_param_find(name);
    assert_int_equal(m.param_index, param < 0 ? UINT16_MAX : param);
}

static void see_error(int link, const char *name, int16_t index, uint8_t error)
{
    struct mf_msg_param_error m = {0};
    char padded[16];
    copy_name(padded, name);
    assert_true(mf_mock_take(&mock, link, MF_MSG_PARAM_ERROR, &m));
    assert_memory_equal(m.param_id, padded, 16);
    assert_int_equal(m.param_index, index);
    assert_int_equal(m.error, error);
    assert_int_equal(m.target_system, mock.port[link].peer.sysid);
    assert_int_equal(m.target_component, mock.port[link].peer.compid);
}

/* A refused PARAM_SET on link 0: the error, then the value that holds, and a text; nothing
 * elsewhere. */
static void see_refused(const char *name, uint8_t error, uint8_t type, uint32_t old_bits)
{
    const struct mf_mock_port *port = &mock.port[0];
    assert_true(port->frame_count >= 3);
    assert_int_equal(port->frame[port->frame_count - 3].msgid, MF_MSG_PARAM_ERROR);
    assert_int_equal(port->frame[port->frame_count - 2].msgid, MF_MSG_PARAM_VALUE);
    assert_int_equal(port->frame[port->frame_count - 1].msgid, MF_MSG_STATUSTEXT);
    see_error(0, name, -1, error);
    see_value(0, name, type, old_bits);
    assert_int_equal(values(0), 0);
    assert_int_equal(values(1), 0);
    assert_int_equal(errors(1), 0);
}

static void test_read_every_index_SIM_032(void **state)
{
    (void)state;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        ask_index(0, (int16_t)i);
        see_value(0, info->name, info->is_float ? REAL32 : INT32, v.params.value[i]);
    }
    assert_int_equal(errors(0), 0);
    assert_int_equal(values(1), 0);
}

static void test_read_every_name_SIM_032(void **state)
{
    (void)state;
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        ask_name(1, info->name);
        see_value(1, info->name, info->is_float ? REAL32 : INT32, v.params.value[i]);
    }
    assert_int_equal(errors(1), 0);
    assert_int_equal(values(0), 0);
}

/* For an audit (SIM-048): what acts on a body of PX4's motion alone is not-a-number elsewhere, by
 * name, by index and as the answer to PARAM_SET; the speeds that a body of constant speed flies
 * are told. With PX4's motion all are told. */
static void test_sim048_audited_what_physics_alone_obeys_has_no_value(void **state)
{
    (void)state;
    v.options.audit = true;
    mf_param_reset(&v.params, &v.options);
    ask_name(0, "MPC_ACC_HOR");
    see_value(0, "MPC_ACC_HOR", REAL32, 0x7FC00000u);
    ask_index(0, (int16_t)MF_PARAM_MPC_JERK_AUTO);
    see_value(0, "MPC_JERK_AUTO", REAL32, 0x7FC00000u);
    set(0, "MPC_TKO_SPEED", REAL32, float_bits(2.0f));
    see_value(0, "MPC_TKO_SPEED", REAL32, 0x7FC00000u);
    ask_name(0, "MPC_XY_CRUISE");
    see_value(0, "MPC_XY_CRUISE", REAL32, float_bits(10.0f));
    v.options.px4_motion = true;
    mf_param_reset(&v.params, &v.options);
    ask_name(0, "MPC_ACC_HOR");
    see_value(0, "MPC_ACC_HOR", REAL32, float_bits(3.0f));
    v.options = (struct mf_options){.px4_motion = false};
    mf_param_reset(&v.params, &v.options);
    ask_name(0, "MPC_ACC_HOR");
    see_value(0, "MPC_ACC_HOR", REAL32, float_bits(3.0f));
}

/* The help of a parameter says "Physics:" if, and only if, it acts on PX4's motion alone. */
static void test_physics_in_help_and_list_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_help / sizeof k_help[0]; i++) {
        bool listed = false;
        for (size_t j = 0; j < sizeof k_list / sizeof k_list[0]; j++) {
            listed = listed || strcmp(k_list[j], k_help[i].name) == 0;
        }
        assert_int_equal(listed, strncmp(k_help[i].help, "Physics: ", 9) == 0);
    }
}

/* golden: PARAM_VALUE MAV_TYPE int32 = 2 bytewise, but for count, index, sequence and checksum */
static void test_bytes_of_a_value(void **state)
{
    (void)state;
    static const uint8_t k_name_and_type[17] = "MAV_TYPE\0\0\0\0\0\0\0\0\x06";
    static const uint8_t k_head[] = {0xFD, 0x19, 0, 0};
    static const uint8_t k_from_id_value[] = {1, 1, 0x16, 0, 0, 0x02, 0, 0, 0};
    ask_name(0, "MAV_TYPE");
    size_t len = 0;
    const uint8_t *frame = mf_mock_take_frame(&mock, 0, MF_MSG_PARAM_VALUE, &len);
    assert_non_null(frame);
    assert_int_equal(len, 37);
    assert_memory_equal(frame, k_head, sizeof k_head);
    assert_memory_equal(frame + 5, k_from_id_value, sizeof k_from_id_value);
    assert_int_equal(frame[14] | frame[15] << 8, MF_PARAM_COUNT);
    assert_int_equal(frame[16] | frame[17] << 8, mf_param_find("MAV_TYPE"));
    assert_memory_equal(frame + 18, k_name_and_type, sizeof k_name_and_type);
}

static void test_read_home_position_SIM_032(void **state)
{
    (void)state;
    v.home.valid = false;
    ask_name(0, "HOME_POSITION");
    see_value(0, "HOME_POSITION", REAL32, 0);
    v.home.valid = true;
    ask_name(0, "HOME_POSITION");
    see_value(0, "HOME_POSITION", REAL32, 0x3F800000);
    assert_int_equal(errors(0), 0);
}

static void test_read_hash(void **state)
{
    (void)state;
    ask_name(0, "_HASH_CHECK");
    see_value(0, "_HASH_CHECK", 5, mf_param_hash(&v.params));
    assert_int_equal(values(1), 0);
}

static void test_read_unknown(void **state)
{
    (void)state;
    ask_name(0, "NO_SUCH");
    see_error(0, "NO_SUCH", -1, DOES_NOT_EXIST);
    ask_name(1, "SIXTEEN_CHARS_NO");
    see_error(1, "SIXTEEN_CHARS_NO", -1, DOES_NOT_EXIST);
    ask_name(0, "");
    see_error(0, "", -1, DOES_NOT_EXIST);
    ask_index(0, MF_PARAM_COUNT);
    see_error(0, "", MF_PARAM_COUNT, DOES_NOT_EXIST);
    ask_index(0, INT16_MAX);
    see_error(0, "", INT16_MAX, DOES_NOT_EXIST);
    assert_int_equal(values(0) + values(1) + errors(0) + errors(1), 0);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 0);
    ask_index(0, INT16_MIN); /* negative: by name, and there is none */
    see_error(0, "", -1, DOES_NOT_EXIST);
}

static void test_not_for_us(void **state)
{
    (void)state;
    struct mf_msg_param_request_read read = {.target_system = 2, .target_component = 1};
    struct mf_msg_param_request_list list = {.target_system = 1, .target_component = 154};
    struct mf_msg_param_set write = {
        .target_system = 9, .target_component = 1, .param_type = INT32};
    copy_name(write.param_id, "RTL_TYPE");
    write.param_value = 1;
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_REQUEST_READ, &read);
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_REQUEST_LIST, &list);
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_SET, &write);
    mf_vehicle_step(&v);
    pass(TEN_MS_US);
    assert_int_equal(values(0) + errors(0), 0);
    assert_int_equal(mf_param_i(&v.params, MF_PARAM_RTL_TYPE), 0);
    read.target_system = 0; /* everybody */
    read.target_component = 0;
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_REQUEST_READ, &read);
    mf_vehicle_step(&v);
    assert_int_equal(values(0), 1);
}

/* The hash, then everything in order, without a gap or a repetition. */
static void see_list(int link, bool with_hash)
{
    if (with_hash) {
        see_value(link, "_HASH_CHECK", 5, mf_param_hash(&v.params));
    }
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_msg_param_value m = take_value(link);
        assert_int_equal(m.param_index, i);
        assert_int_equal(m.param_value, v.params.value[i]);
    }
    assert_int_equal(values(link), 0);
}

static void test_list(void **state)
{
    (void)state;
    ask_list(0);
    assert_int_equal(values(0), 20);
    mf_us_t took_us = 0;
    for (; values(0) < MF_PARAM_COUNT + 1; took_us += TEN_MS_US) {
        const size_t before = values(0);
        pass(TEN_MS_US);
        assert_in_range(values(0) - before, 1, 20);
    }
    assert_true(took_us <= 200 * MF_MS_US);
    see_list(0, true);
    assert_int_equal(v.due_us[MF_TASK_PARAMS], MF_NEVER);
    pass(TEN_MS_US);
    assert_int_equal(values(0), 0);
    assert_int_equal(values(1), 0);
    ask_list(0); /* a new one has its hash again */
    see_value(0, "_HASH_CHECK", 5, mf_param_hash(&v.params));
}

static void test_list_waits_for_room(void **state)
{
    (void)state;
    mock.port[0].room = 0;
    ask_list(0);
    pass(TEN_MS_US);
    assert_int_equal(values(0), 0);
    for (int i = 0; i < 200 && values(0) < MF_PARAM_COUNT + 1; i++) {
        mock.port[0].room = 400; /* a small transmit buffer, empty again every time */
        pass(TEN_MS_US);
        assert_true(mock.port[0].room >= 400 - 5 * 37);
    }
    see_list(0, true);
    assert_int_equal(mock.port[0].refused, 0); /* nothing was lost */
    assert_int_equal(links[0].stats.tx_dropped, 0);
}

static void test_list_on_two_links(void **state)
{
    (void)state;
    ask_list(0);
    pass(TEN_MS_US);
    mock.port[0].room = 0; /* one that stands still does not hold up the other */
    ask_list(1);
    for (int i = 0; i < 20; i++) {
        pass(TEN_MS_US);
    }
    assert_int_equal(values(0), 40);
    see_list(1, true);
    mock.port[0].room = SIZE_MAX;
    for (int i = 0; i < 20; i++) {
        pass(TEN_MS_US);
    }
    see_list(0, true);
}

static void test_list_asked_for_again(void **state)
{
    (void)state;
    ask_list(0);
    pass(TEN_MS_US);
    mf_mock_clear(&mock, 0);
    ask_list(0); /* within the list: from the start, without the hash */
    for (int i = 0; i < 20; i++) {
        pass(TEN_MS_US);
    }
    see_list(0, false);
}

static void test_hash_check_stops_the_list(void **state)
{
    (void)state;
    ask_list(0);
    ask_list(1);
    set(0, "_HASH_CHECK", 5, 0x12345678);
    see_error(0, "_HASH_CHECK", -1, READ_ONLY);
    const size_t before = values(0);
    for (int i = 0; i < 20; i++) {
        pass(TEN_MS_US);
    }
    assert_int_equal(values(0), before);
    see_list(1, true);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), 0); /* business as usual */
}

static void test_list_ends_with_its_link(void **state)
{
    (void)state;
    ask_list(0);
    mf_link_close(&v, 0);
    pass(TEN_MS_US);
    assert_int_equal(values(0), 20);
    assert_int_equal(v.due_us[MF_TASK_PARAMS], MF_NEVER);
}

static void test_set(void **state)
{
    (void)state;
    set(0, "RTL_RETURN_ALT", REAL32, float_bits(55.5f));
    set(1, "MIS_TKO_LAND_REQ", INT32, 2); /* 16 characters: no NUL on the wire */
    for (int link = 0; link < 2; link++) {
        assert_int_equal(values(link), 2); /* once each, also where it was asked for */
        assert_int_equal(errors(link), 0);
        see_value(link, "RTL_RETURN_ALT", REAL32, float_bits(55.5f));
        see_value(link, "MIS_TKO_LAND_REQ", INT32, 2);
    }
    assert_true(mf_param_f(&v.params, MF_PARAM_RTL_RETURN_ALT) == 55.5f);
    assert_int_equal(mf_param_i(&v.params, MF_PARAM_MIS_TKO_LAND_REQ), 2);
    assert_int_equal(mock.store.count[MF_STORE_PARAM], 2); /* in the same pass */
}

/* Passes at the wall's pace alone. */
static void wait_us(mf_us_t transport_us)
{
    mock.now.transport_us += transport_us;
    mf_vehicle_step(&v);
}

static void test_sim044_a_change_is_told_again(void **state)
{
    (void)state;
    set(0, "SYS_FAILURE_EN", INT32, 0);
    wait_us(1000);
    set(1, "RTL_CONE_ANG", INT32, 30);
    set(1, "RTL_CONE_ANG", INT32, 60);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    wait_us(3999);
    assert_int_equal(values(0) + values(1), 0);
    wait_us(1); /* 5 ms after the first change */
    for (int link = 0; link < 2; link++) {
        assert_int_equal(values(link), 2);
        see_value(link, "RTL_CONE_ANG", INT32, 60);
        see_value(link, "SYS_FAILURE_EN", INT32, 0);
    }
    assert_int_equal(v.due_us[MF_TASK_PARAMS], MF_NEVER);
    set(0, "SYS_FAILURE_EN", INT32, 0); /* no change: the answer is all */
    wait_us(5000);
    assert_int_equal(values(0), 1);
    assert_int_equal(values(1), 1);
}

/* A file of parameters is loaded: no burst is longer than one of the list. */
static void test_many_changes_are_told_again_in_bursts(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t k = 0; k < MF_PARAM_COUNT && n < MF_MOCK_RECORDS; k++) { /* as many as are saved */
        const struct mf_param_info *info = mf_param_info((enum mf_param)k);
        (void)mf_param_set(&v, (enum mf_param)k, info->max.bits);
        n += mf_param_marked(v.params.again, (enum mf_param)k);
    }
    assert_in_range(n, 150, MF_MOCK_RECORDS);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    wait_us(5000);
    assert_int_equal(values(0), 20);
    for (int i = 0; i < 16; i++) {
        wait_us(TEN_MS_US);
    }
    assert_int_equal(values(0), n);
    assert_int_equal(values(1), n);
    assert_int_equal(v.due_us[MF_TASK_PARAMS], MF_NEVER);
}

/* golden: v2 PARAM_SET MIS_TAKEOFF_ALT 10.0 from 245/190 */
static void test_set_golden(void **state)
{
    (void)state;
    static const uint8_t k_frame[] = {0xfd, 0x17, 0x00, 0x00, 0x06, 0xf5, 0xbe, 0x17, 0x00,
                                      0x00, 0x00, 0x00, 0x20, 0x41, 0x01, 0x01, 0x4d, 0x49,
                                      0x53, 0x5f, 0x54, 0x41, 0x4b, 0x45, 0x4f, 0x46, 0x46,
                                      0x5f, 0x41, 0x4c, 0x54, 0x00, 0x09, 0x0e, 0xf7};
    mf_mock_feed(&mock, 0, k_frame, sizeof k_frame);
    mf_vehicle_step(&v);
    see_value(0, "MIS_TAKEOFF_ALT", REAL32, 0x41200000);
    see_value(1, "MIS_TAKEOFF_ALT", REAL32, 0x41200000);
    assert_true(mf_param_f(&v.params, MF_PARAM_MIS_TAKEOFF_ALT) == 10.0f);
}

/* Integers travel in the bits of a float; -1 is a not-a-number there. */
static void test_set_odd_bits(void **state)
{
    (void)state;
    static const uint32_t k_bits[] = {0xFFFFFFFFu, 0x7FA00001u, 0xFF812345u, 0x80000000u, 1u};
    for (size_t i = 0; i < COUNT_OF(k_bits); i++) {
        set(0, "LND_FLIGHT_T_LO", INT32, k_bits[i]);
        see_value(0, "LND_FLIGHT_T_LO", INT32, k_bits[i]);
        ask_name(0, "LND_FLIGHT_T_LO");
        see_value(0, "LND_FLIGHT_T_LO", INT32, k_bits[i]);
        assert_int_equal(v.params.value[MF_PARAM_LND_FLIGHT_T_LO], k_bits[i]);
    }
}

static void test_set_refused(void **state)
{
    (void)state;
    const uint32_t alt = 0x41F00000; /* 30.0 */
    set(0, "RTL_RETURN_ALT", INT32, 50);
    see_refused("RTL_RETURN_ALT", MISMATCH, REAL32, alt);
    set(0, "RTL_CONE_ANG", REAL32, float_bits(20.0f));
    see_refused("RTL_CONE_ANG", MISMATCH, INT32, 45);
    static const uint8_t k_other[] = {0, 1, 2, 3, 4, 5, 7, 8, 10, 11, 255};
    for (size_t i = 0; i < COUNT_OF(k_other); i++) {
        set(0, "RTL_CONE_ANG", k_other[i], 20);
        see_refused("RTL_CONE_ANG", UNSUPPORTED, INT32, 45);
    }
    set(0, "RTL_CONE_ANG", INT32, 91);
    see_refused("RTL_CONE_ANG", OUT_OF_RANGE, INT32, 45);
    set(0, "RTL_RETURN_ALT", REAL32, 0x7FC00000);
    see_refused("RTL_RETURN_ALT", OUT_OF_RANGE, REAL32, alt);
    set(0, "RTL_RETURN_ALT", REAL32, 0xFF800000);
    see_refused("RTL_RETURN_ALT", OUT_OF_RANGE, REAL32, alt);
    set(0, "MAV_TYPE", INT32, 13);
    see_refused("MAV_TYPE", READ_ONLY, INT32, 2);
    assert_int_equal(links[0].stats.rx_rejected, 6 + COUNT_OF(k_other));
    assert_true(mf_mock_logged(&mock, "text", "RTL_RETURN_ALT REAL32"));
    assert_true(mf_mock_logged(&mock, "text", "RTL_CONE_ANG INT32"));
    assert_true(mf_mock_logged(&mock, "text", "RTL_CONE_ANG range"));
    assert_true(mf_mock_logged(&mock, "text", "MAV_TYPE read-only"));
    assert_int_equal(mock.store.commits, 0);
}

static void test_set_what_is_no_parameter(void **state)
{
    (void)state;
    set(0, "NO_SUCH", INT32, 1);
    see_error(0, "NO_SUCH", -1, DOES_NOT_EXIST);
    assert_true(mf_mock_logged(&mock, "text", "NO_SUCH parameter"));
    set(0, "B\xC3\xA4 \x01", INT32, 1);
    see_error(0, "B\xC3\xA4 \x01", -1, DOES_NOT_EXIST);
    assert_true(mf_mock_logged(&mock, "text", "B???? parameter"));
    set(0, "HOME_POSITION", REAL32, 0x3F800000);
    see_error(0, "HOME_POSITION", -1, READ_ONLY);
    assert_int_equal(values(0) + values(1) + errors(1), 0);
}

static void test_set_lenient(void **state)
{
    (void)state;
    v.options.lenient_param_types = true;
    set(0, "RTL_CONE_ANG", REAL32, float_bits(20.0f));
    see_value(0, "RTL_CONE_ANG", INT32, 20);
    set(0, "COM_FLTMODE1", REAL32, float_bits(-1.0f));
    see_value(0, "COM_FLTMODE1", INT32, 0xFFFFFFFFu);
    set(0, "LND_FLIGHT_T_LO", REAL32, float_bits(-2147483648.0f));
    see_value(0, "LND_FLIGHT_T_LO", INT32, 0x80000000u);
    set(0, "RTL_RETURN_ALT", INT32, 50);
    see_value(0, "RTL_RETURN_ALT", REAL32, float_bits(50.0f));
    assert_int_equal(values(1), 4);
    mf_mock_clear(&mock, 1);

    set(0, "RTL_CONE_ANG", REAL32, float_bits(20.5f));
    see_refused("RTL_CONE_ANG", OUT_OF_RANGE, INT32, 20);
    set(0, "RTL_CONE_ANG", REAL32, float_bits(91.0f));
    see_refused("RTL_CONE_ANG", OUT_OF_RANGE, INT32, 20);
    set(0, "LND_FLIGHT_T_LO", REAL32, float_bits(2147483648.0f));
    see_refused("LND_FLIGHT_T_LO", OUT_OF_RANGE, INT32, 0x80000000u);
    set(0, "LND_FLIGHT_T_LO", REAL32, float_bits(NAN));
    see_refused("LND_FLIGHT_T_LO", OUT_OF_RANGE, INT32, 0x80000000u);
    set(0, "RTL_RETURN_ALT", INT32, 0xFFFFFFFFu);
    see_refused("RTL_RETURN_ALT", OUT_OF_RANGE, REAL32, float_bits(50.0f));
    set(0, "RTL_CONE_ANG", 1, 20); /* UINT8: of neither type */
    see_refused("RTL_CONE_ANG", UNSUPPORTED, INT32, 20);
}

/* PX4 does not look at ranges. What flies is the nearest value that can be flown. */
static void test_where_px4s_rules_hold_any_number_is_taken(void **state)
{
    (void)state;
    v.options.px4_strict = true;
    set(0, "RTL_CONE_ANG", INT32, 91);
    see_value(0, "RTL_CONE_ANG", INT32, 91);
    assert_int_equal(mf_param_i(&v.params, MF_PARAM_RTL_CONE_ANG), 90);
    set(0, "RTL_CONE_ANG", INT32, 0x80000000u);
    see_value(0, "RTL_CONE_ANG", INT32, 0x80000000u);
    assert_int_equal(mf_param_i(&v.params, MF_PARAM_RTL_CONE_ANG), 0);
    set(0, "RTL_RETURN_ALT", REAL32, float_bits(-7.0f));
    see_value(0, "RTL_RETURN_ALT", REAL32, float_bits(-7.0f));
    assert_true(mf_param_f(&v.params, MF_PARAM_RTL_RETURN_ALT) == 0.0f);
    set(0, "RTL_RETURN_ALT", REAL32, float_bits(3e38f));
    see_value(0, "RTL_RETURN_ALT", REAL32, float_bits(3e38f));
    assert_true(mf_param_f(&v.params, MF_PARAM_RTL_RETURN_ALT) == 10000.0f);
    mf_mock_clear(&mock, 0);
    set(0, "RTL_RETURN_ALT", REAL32, float_bits(NAN));
    struct mf_msg_param_error error;
    assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_ERROR, &error));
    assert_int_equal(error.error, OUT_OF_RANGE);
    see_value(0, "RTL_RETURN_ALT", REAL32, float_bits(3e38f));
    (void)mf_vehicle_step(&v);
    mf_param_reset(&v.params, &v.options);
    (void)mf_param_load(&v.params, &v.options,
                        &v.hal); /* they come back from the store, but not where ranges count */
    assert_int_equal(v.params.value[MF_PARAM_RTL_CONE_ANG], 0x80000000u);
    assert_int_equal(v.params.value[MF_PARAM_RTL_RETURN_ALT], float_bits(3e38f));
    v.options.px4_strict = false;
    mf_param_reset(&v.params, &v.options);
    (void)mf_param_load(&v.params, &v.options, &v.hal);
    assert_int_equal(v.params.value[MF_PARAM_RTL_CONE_ANG], 45);
    assert_int_equal(v.params.value[MF_PARAM_RTL_RETURN_ALT], float_bits(30.0f));
}

/* A parameter that the usual protocol would set: the extended one refuses it, and says so once. */
static void test_extended_parameters_are_refused(void **state)
{
    struct mf_msg_param_ext_set m = {
        .target_system = 1, .target_component = 1, .param_id = "RTL_CONE_ANG", .param_type = 6};
    struct mf_msg_param_ext_ack ack;
    const struct mf_msg_param_ext_request_list list = {.target_system = 1, .target_component = 1};
    (void)state;
    m.param_value[0] = 30;
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_EXT_SET, &m);
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_EXT_REQUEST_LIST, &list);
    (void)mf_vehicle_step(&v);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_EXT_ACK, &ack));
    assert_string_equal(ack.param_id, "RTL_CONE_ANG");
    assert_int_equal(ack.param_result, 2); /* FAILED */
    assert_int_equal(ack.param_type, 6);
    assert_int_equal(ack.param_value[0], 30);
    assert_int_equal(mf_param_i(&v.params, MF_PARAM_RTL_CONE_ANG), 45);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_PARAM_EXT_VALUE), 0);
    m.target_component = 100; /* a camera's */
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_EXT_SET, &m);
    v.options.px4_strict = true;
    m.target_component = 1;
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_EXT_SET, &m);
    (void)mf_vehicle_step(&v);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_PARAM_EXT_ACK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_read_every_index_SIM_032, start),
        cmocka_unit_test_setup(test_read_every_name_SIM_032, start),
        cmocka_unit_test_setup(test_bytes_of_a_value, start),
        cmocka_unit_test_setup(test_sim048_audited_what_physics_alone_obeys_has_no_value, start),
        cmocka_unit_test_setup(test_physics_in_help_and_list_agree, start),
        cmocka_unit_test_setup(test_read_home_position_SIM_032, start),
        cmocka_unit_test_setup(test_read_hash, start),
        cmocka_unit_test_setup(test_read_unknown, start),
        cmocka_unit_test_setup(test_not_for_us, start),
        cmocka_unit_test_setup(test_list, start),
        cmocka_unit_test_setup(test_list_waits_for_room, start),
        cmocka_unit_test_setup(test_list_on_two_links, start),
        cmocka_unit_test_setup(test_list_asked_for_again, start),
        cmocka_unit_test_setup(test_hash_check_stops_the_list, start),
        cmocka_unit_test_setup(test_list_ends_with_its_link, start),
        cmocka_unit_test_setup(test_set, start),
        cmocka_unit_test_setup(test_sim044_a_change_is_told_again, start),
        cmocka_unit_test_setup(test_many_changes_are_told_again_in_bursts, start),
        cmocka_unit_test_setup(test_set_golden, start),
        cmocka_unit_test_setup(test_set_odd_bits, start),
        cmocka_unit_test_setup(test_set_refused, start),
        cmocka_unit_test_setup(test_set_what_is_no_parameter, start),
        cmocka_unit_test_setup(test_set_lenient, start),
        cmocka_unit_test_setup(test_where_px4s_rules_hold_any_number_is_taken, start),
        cmocka_unit_test_setup(test_extended_parameters_are_refused, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
