/* SPDX-License-Identifier: Apache-2.0 */
/* The message table and its codec. Expected numbers come from the MAVLink XML and from arithmetic
 * done by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mavlink/enums.h"
#include "mavlink/message.h"
#include "mavlink/names.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct mf_msg_info *info_of(uint32_t id)
{
    const struct mf_msg_info *info = mf_msg_find(id);
    assert_non_null(info);
    return info;
}

static const struct mf_field *field_of(const struct mf_msg_info *info, size_t field)
{
    return &mf_fields()[info->field_first + field];
}

/* The sizes, by type name: not by the list that the codec is made of. */
static size_t size_of_type(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } k_sizes[] = {{"char", 1},     {"uint8_t", 1}, {"int8_t", 1}, {"uint16_t", 2}, {"int16_t", 2},
                   {"uint32_t", 4}, {"int32_t", 4}, {"float", 4},  {"uint64_t", 8}, {"int64_t", 8}};
    for (size_t i = 0; i < COUNT_OF(k_sizes); i++) {
        if (strcmp(k_sizes[i].name, name) == 0) {
            return k_sizes[i].size;
        }
    }
    fail_msg("unknown wire type %s", name);
    return 0;
}

static const char *type_of(const struct mf_field *field)
{
    return mf_wire_type_name((enum mf_wire_type)field->type);
}

/* CRC-16/MCRF4XX bit by bit, as the textbook has it: reflected polynomial 0x1021. */
static uint16_t crc_bitwise(uint16_t crc, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= ((const uint8_t *)bytes)[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 1) != 0 ? crc >> 1 ^ 0x8408 : crc >> 1);
        }
    }
    return crc;
}

static uint16_t crc_word(uint16_t crc, const char *word)
{
    return crc_bitwise(crc_bitwise(crc, word, strlen(word)), " ", 1);
}

/* MAVLink's digest of the fields from first to end, continued from crc. */
static uint8_t digest(uint16_t crc, const struct mf_msg_info *info, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct mf_field *field = field_of(info, i);
        crc = crc_word(crc, type_of(field));
        crc = crc_word(crc, mf_field_name(info, i));
        if (field->count > 1) {
            crc = crc_bitwise(crc, &field->count, 1);
        }
    }
    return (uint8_t)(crc ^ crc >> 8);
}

static size_t first_extension(const struct mf_msg_info *info)
{
    size_t i = 0;
    while (i < info->field_count && !mf_field_is_extension(info, i)) {
        i++;
    }
    return i;
}

static void test_crc_extra_of_every_message(void **state)
{
    (void)state;
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (const struct mf_msg_info *info = table; info < table + count; info++) {
        const char *name = mf_msg_name(info->id);
        const int computed = digest(crc_word(0xFFFF, name), info, 0, first_extension(info));
        if (computed != info->crc_extra) {
            fail_msg("%s: CRC_EXTRA is %d, its fields give %d", name, info->crc_extra, computed);
        }
    }
}

/* CRC_EXTRA leaves extensions out. Their digests, computed from the XML, do for them what it does
 * for the other fields. */
static void test_extensions_of_every_message(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct {
        uint32_t id;
        int digest;
    } k_extended[] = {
        {MF_MSG_SYS_STATUS, 74},                   {MF_MSG_GPS_RAW_INT, 8},
        {MF_MSG_SCALED_PRESSURE, 30},              {MF_MSG_ATTITUDE_QUATERNION, 46},
        {MF_MSG_SERVO_OUTPUT_RAW, 183},            {MF_MSG_MISSION_REQUEST_PARTIAL_LIST, 41},
        {MF_MSG_MISSION_WRITE_PARTIAL_LIST, 41},   {MF_MSG_MISSION_ITEM, 41},
        {MF_MSG_MISSION_REQUEST, 41},              {MF_MSG_MISSION_CURRENT, 180},
        {MF_MSG_MISSION_REQUEST_LIST, 41},         {MF_MSG_MISSION_COUNT, 198},
        {MF_MSG_MISSION_CLEAR_ALL, 41},            {MF_MSG_MISSION_ACK, 198},
        {MF_MSG_SET_GPS_GLOBAL_ORIGIN, 20},        {MF_MSG_GPS_GLOBAL_ORIGIN, 20},
        {MF_MSG_MISSION_REQUEST_INT, 41},          {MF_MSG_MANUAL_CONTROL, 84},
        {MF_MSG_RC_CHANNELS_OVERRIDE, 216},        {MF_MSG_MISSION_ITEM_INT, 41},
        {MF_MSG_COMMAND_ACK, 48},                  {MF_MSG_SET_ATTITUDE_TARGET, 128},
        {MF_MSG_VISION_POSITION_ESTIMATE, 85},     {MF_MSG_HIGHRES_IMU, 102},
        {MF_MSG_TIMESYNC, 165},                    {MF_MSG_GPS2_RAW, 151},
        {MF_MSG_SERIAL_CONTROL, 165},              {MF_MSG_DISTANCE_SENSOR, 159},
        {MF_MSG_ATT_POS_MOCAP, 165},               {MF_MSG_BATTERY_STATUS, 109},
        {MF_MSG_AUTOPILOT_VERSION, 169},           {MF_MSG_LANDING_TARGET, 42},
        {MF_MSG_FENCE_STATUS, 132},                {MF_MSG_GPS_INPUT, 174},
        {MF_MSG_HOME_POSITION, 20},                {MF_MSG_STATUSTEXT, 101},
        {MF_MSG_STORAGE_INFORMATION, 242},         {MF_MSG_FLIGHT_INFORMATION, 131},
        {MF_MSG_OBSTACLE_DISTANCE, 36},            {MF_MSG_ODOMETRY, 217},
    };
    /* clang-format on */
    size_t count, extended = 0;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (const struct mf_msg_info *info = table; info < table + count; info++) {
        const size_t first = first_extension(info);
        if (first == info->field_count) {
            continue;
        }
        const int computed = digest(0xFFFF, info, first, info->field_count);
        if (extended == COUNT_OF(k_extended) || k_extended[extended].id != info->id ||
            k_extended[extended].digest != computed) {
            fail_msg("%s: its extensions give %d; if they are as in the XML, note it here",
                     mf_msg_name(info->id), computed);
        }
        extended++;
    }
    assert_int_equal(extended, COUNT_OF(k_extended));
}

/* A few facts of the XML, so that table and recomputation cannot be wrong in the same way. */
static void test_known_messages(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t id;
        int crc_extra, len_min, len_max;
    } k_known[] = {
        {"HEARTBEAT", 0, 50, 9, 9},
        {"SYS_STATUS", 1, 124, 31, 43},
        {"PARAM_VALUE", 22, 220, 25, 25},
        {"GPS_RAW_INT", 24, 24, 30, 52},
        {"GLOBAL_POSITION_INT", 33, 104, 28, 28},
        {"MISSION_CURRENT", 42, 28, 2, 18},
        {"MISSION_ITEM_INT", 73, 38, 37, 38},
        {"COMMAND_LONG", 76, 152, 33, 33},
        {"COMMAND_ACK", 77, 143, 3, 10},
        {"FILE_TRANSFER_PROTOCOL", 110, 84, 254, 254},
        {"BATTERY_STATUS", 147, 154, 36, 54},
        {"STATUSTEXT", 253, 83, 51, 54},
        {"ODOMETRY", 331, 91, 230, 233},
        {"AVAILABLE_MODES", 435, 134, 46, 46},
        {"OPEN_DRONE_ID_LOCATION", 12901, 254, 59, 59},
    };
    for (size_t i = 0; i < COUNT_OF(k_known); i++) {
        const struct mf_msg_info *info = info_of(k_known[i].id);
        assert_string_equal(mf_msg_name(info->id), k_known[i].name);
        assert_int_equal(info->crc_extra, k_known[i].crc_extra);
        assert_int_equal(info->len_min, k_known[i].len_min);
        assert_int_equal(info->len_max, k_known[i].len_max);
    }
}

static void test_table_ascends_and_every_id_is_found(void **state)
{
    (void)state;
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    assert_true(count > 100);
    size_t next_field = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || table[i - 1].id < table[i].id);
        assert_true(table[i].id < 1u << 24);
        assert_ptr_equal(mf_msg_find(table[i].id), &table[i]);
        assert_int_equal(table[i].field_first, next_field);
        next_field += table[i].field_count;
    }
}

static void test_unknown_ids_are_not_found(void **state)
{
    (void)state;
    static const uint32_t k_unknown[] = {3, 27, 255, 9000, 12920, 0xFFFFFF, 0x1000000, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(k_unknown); i++) {
        assert_null(mf_msg_find(k_unknown[i]));
        assert_null(mf_msg_name(k_unknown[i]));
    }
}

/* Base fields stand in falling order of size, extensions behind them, and the lengths add up. */
static void test_wire_order_and_sizes(void **state)
{
    (void)state;
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (const struct mf_msg_info *info = table; info < table + count; info++) {
        size_t len[2] = {0, 0}, size_before = 8;
        bool was_extension = false;
        for (size_t i = 0; i < info->field_count; i++) {
            const struct mf_field *field = field_of(info, i);
            const size_t size = size_of_type(type_of(field));
            const bool is_extension = mf_field_is_extension(info, i);
            assert_true(field->count >= 1);
            assert_true(is_extension || (size <= size_before && !was_extension));
            size_before = size;
            was_extension = is_extension;
            len[is_extension] += size * field->count;
        }
        assert_int_equal(info->len_min, len[0]);
        assert_int_equal(info->len_max, len[0] + len[1]);
        assert_true(info->len_min > 0 && len[0] + len[1] <= MF_PAYLOAD_MAX);
    }
}

static void check_fields(const struct mf_msg_info *info, const struct mf_field *expected, size_t n)
{
    assert_int_equal(info->field_count, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(field_of(info, i)->offset, expected[i].offset);
        assert_int_equal(field_of(info, i)->type, expected[i].type);
        assert_int_equal(field_of(info, i)->count, expected[i].count);
        assert_int_equal(field_of(info, i)->role, expected[i].role);
    }
}

static uint8_t role_of(const char *name)
{
    if (strcmp(name, "target_system") == 0) {
        return MF_FIELD_TARGET_SYSTEM;
    }
    return strcmp(name, "target_component") == 0 ? MF_FIELD_TARGET_COMPONENT : MF_FIELD_PLAIN;
}

/* clang-format off */
#define MSG(NAME, name, id, crc_extra)                                          \
    static void check_##name(void)                                              \
    {                                                                           \
        typedef struct mf_msg_##name msg;                                       \
        const struct mf_field k_expected[] = {
#define F(type, name)       {offsetof(msg, name), MF_WIRE_##type, role_of(#name) & 7u, 1},
#define A(type, name, n)    {offsetof(msg, name), MF_WIRE_##type, MF_FIELD_PLAIN, n},
#define END(NAME, name)                                                         \
        };                                                                      \
        check_fields(info_of(MF_MSG_##NAME), k_expected, COUNT_OF(k_expected)); \
    }
#include "mavlink/messages.def"
/* clang-format on */

static void test_fields_lie_where_the_structs_have_them(void **state)
{
    (void)state;
    static void (*const k_checks[])(void) = {
#define MSG(NAME, name, id, crc_extra) check_##name,
#include "mavlink/messages.def"
    };
    for (size_t i = 0; i < COUNT_OF(k_checks); i++) {
        k_checks[i]();
    }
}

static void test_names(void **state)
{
    (void)state;
    const struct mf_msg_info *info = info_of(MF_MSG_STATUSTEXT);
    static const char *const k_names[] = {"severity", "text", "id", "chunk_seq"};
    static const char *const k_types[] = {"uint8_t", "char", "uint16_t", "uint8_t"};
    assert_int_equal(info->field_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(mf_field_name(info, i), k_names[i]);
        assert_string_equal(type_of(field_of(info, i)), k_types[i]);
        assert_int_equal(mf_field_is_extension(info, i), i >= 2);
    }
}

static void test_pack_is_little_endian(void **state)
{
    (void)state;
    const struct mf_msg_gps_raw_int gps = {
        .time_usec = 0x0102030405060708u,
        .lat = -2,
        .lon = 0x11223344,
        .alt = 488000,
        .eph = 0x1234,
        .satellites_visible = 10,
        .fix_type = GPS_FIX_TYPE_3D_FIX,
        .h_acc = 0xA1B2C3D4u,
        .yaw = 36000,
    };
    static const uint8_t k_expected[52] = {
        [0] = 0x08, 0x07, 0x06,     0x05, 0x04,        0x03, 0x02, 0x01, 0xFE,        0xFF,
        0xFF,       0xFF, 0x44,     0x33, 0x22,        0x11, 0x40, 0x72, 0x07,        0x00,
        0x34,       0x12, [28] = 3, 10,   [34] = 0xD4, 0xC3, 0xB2, 0xA1, [50] = 0xA0, 0x8C,
    };
    uint8_t payload[MF_PAYLOAD_MAX];
    memset(payload, 0x55, sizeof payload);
    assert_int_equal(mf_msg_pack(info_of(MF_MSG_GPS_RAW_INT), &gps, payload), 52);
    assert_memory_equal(payload, k_expected, 52);
    assert_int_equal(payload[52], 0x55);
}

static void test_unpack_is_little_endian(void **state)
{
    (void)state;
    static const uint8_t k_timesync[] = {
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xFE,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 7,    8,
    };
    struct mf_msg_timesync timesync;
    mf_msg_unpack(info_of(MF_MSG_TIMESYNC), k_timesync, sizeof k_timesync, &timesync);
    assert_true(timesync.tc1 == INT64_C(0x1122334455667788) && timesync.ts1 == -2);
    assert_int_equal(timesync.target_system, 7);
    assert_int_equal(timesync.target_component, 8);

    static const uint8_t k_hud[] = {0,    0,    0x80, 0x3F, 0, 0,    0,    0xC0, 0,    0,
                                    0x28, 0x42, 0,    0,    0, 0x80, 0xFF, 0xFF, 0x39, 0x30};
    struct mf_msg_vfr_hud hud;
    mf_msg_unpack(info_of(MF_MSG_VFR_HUD), k_hud, sizeof k_hud, &hud);
    assert_true(hud.airspeed == 1.0f && hud.groundspeed == -2.0f && hud.alt == 42.0f);
    assert_int_equal(mf_f32_bits(hud.climb), 0x80000000u);
    assert_int_equal(hud.heading, -1);
    assert_int_equal(hud.throttle, 12345);
}

static void test_arrays(void **state)
{
    (void)state;
    struct mf_msg_battery_status battery = {.voltages = {4000, 4001}, .battery_remaining = -1};
    battery.voltages[9] = 0xABCD;
    battery.voltages_ext[3] = 0x0102;
    uint8_t payload[MF_PAYLOAD_MAX];
    assert_int_equal(mf_msg_pack(info_of(MF_MSG_BATTERY_STATUS), &battery, payload), 54);
    static const uint8_t k_voltages[] = {0xA0, 0x0F, 0xA1, 0x0F};
    assert_memory_equal(payload + 10, k_voltages, sizeof k_voltages);
    assert_int_equal(payload[28], 0xCD);
    assert_int_equal(payload[29], 0xAB);
    assert_int_equal(payload[35], 0xFF);
    assert_int_equal(payload[47], 0x02); /* 41 + 3 * 2: extensions are not aligned */
    assert_int_equal(payload[48], 0x01);

    struct mf_msg_battery_status read;
    mf_msg_unpack(info_of(MF_MSG_BATTERY_STATUS), payload, 54, &read);
    assert_memory_equal(read.voltages, battery.voltages, sizeof read.voltages);
    assert_int_equal(read.voltages_ext[3], 0x0102);
    assert_int_equal(read.battery_remaining, -1);
}

static void test_missing_bytes_read_as_zero(void **state)
{
    (void)state;
    const struct mf_msg_info *info = info_of(MF_MSG_COMMAND_ACK);
    static const uint8_t k_payload[] = {0x90, 0x01, 4, 50, 0x78, 0x56, 0x34, 0x12, 245, 190};
    for (size_t len = 0; len <= sizeof k_payload; len++) {
        uint8_t exact[sizeof k_payload + 1]; /* so that a sanitizer sees a byte too many */
        uint8_t *payload = exact + sizeof exact - len;
        memcpy(payload, k_payload, len);
        struct mf_msg_command_ack ack;
        memset(&ack, 0xEE, sizeof ack);
        mf_msg_unpack(info, payload, len, &ack);
        assert_int_equal(ack.command, len > 1 ? 0x190 : len > 0 ? 0x90 : 0);
        assert_int_equal(ack.result, len > 2 ? 4 : 0);
        assert_int_equal(ack.progress, len > 3 ? 50 : 0);
        const uint32_t mask = len >= 8 ? UINT32_MAX : len > 4 ? (1u << (len - 4) * 8) - 1 : 0;
        assert_int_equal(ack.result_param2, 0x12345678u & mask);
        assert_int_equal(ack.target_system, len > 8 ? 245 : 0);
        assert_int_equal(ack.target_component, len > 9 ? 190 : 0);
    }
}

static void test_newer_extension_is_ignored(void **state)
{
    (void)state;
    uint8_t payload[MF_PAYLOAD_MAX];
    memset(payload, 0xFF, sizeof payload);
    payload[0] = 3;
    payload[1] = 4;
    struct {
        struct mf_msg_extended_sys_state msg;
        uint8_t guard[8];
    } read = {{9, 9}, {1, 2, 3, 4, 5, 6, 7, 8}};
    mf_msg_unpack(info_of(MF_MSG_EXTENDED_SYS_STATE), payload, sizeof payload, &read.msg);
    assert_int_equal(read.msg.vtol_state, 3);
    assert_int_equal(read.msg.landed_state, 4);
    static const uint8_t k_guard[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_memory_equal(read.guard, k_guard, sizeof k_guard);
}

/* What a processor or compiler makes of 0/0 differs; what goes out must not. */
static void test_sim042_every_nan_is_sent_as_one_pattern(void **state)
{
    (void)state;
    static const uint32_t k_nans[] = {0x7FC00000u, 0xFFC00000u, 0x7F800001u, 0x7FFFFFFFu,
                                      0xFFFFFFFFu};
    static const uint8_t k_canonical[] = {0x00, 0x00, 0xC0, 0x7F};
    for (size_t i = 0; i < COUNT_OF(k_nans); i++) {
        struct mf_msg_command_long command = {0};
        memcpy(&command.param4, &k_nans[i], sizeof command.param4);
        uint8_t payload[MF_PAYLOAD_MAX];
        mf_msg_pack(info_of(MF_MSG_COMMAND_LONG), &command, payload);
        assert_memory_equal(payload + 12, k_canonical, sizeof k_canonical);
    }
}

static void test_sim042_numbers_keep_their_bits(void **state)
{
    (void)state;
    static const uint32_t k_numbers[] = {0,           0x80000000u, 1,          0x7F800000u,
                                         0xFF800000u, 0x7F7FFFFFu, 0x3DCCCCCDu};
    for (size_t i = 0; i < COUNT_OF(k_numbers); i++) {
        const uint32_t bits = k_numbers[i];
        const uint8_t wire[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                (uint8_t)(bits >> 24)};
        struct mf_msg_attitude attitude = {0};
        memcpy(&attitude.roll, &bits, sizeof bits);
        uint8_t payload[MF_PAYLOAD_MAX];
        mf_msg_pack(info_of(MF_MSG_ATTITUDE), &attitude, payload);
        assert_memory_equal(payload + 4, wire, sizeof wire);
        assert_int_equal(mf_f32_bits(mf_f32_from_bits(bits)), bits);
    }
    assert_int_equal(mf_f32_bits(mf_f32_from_bits(0xFFC12345u)), 0x7FC00000u);
}

/* Every field that comes back bit for bit: parameter values, and the params and z of
 * mission items. */
static void test_sim042_echoed_fields_keep_every_bit(void **state)
{
    (void)state;
    static const struct {
        uint32_t id;
        size_t at[5], count;
    } k_echoed[] = {
        {MF_MSG_PARAM_VALUE, {0}, 1},
        {MF_MSG_PARAM_SET, {0}, 1},
        {MF_MSG_MISSION_ITEM, {0, 4, 8, 12, 24}, 5},
        {MF_MSG_MISSION_ITEM_INT, {0, 4, 8, 12, 24}, 5},
    };
    static const uint8_t k_odd_nan[] = {0x78, 0x56, 0x84,
                                        0xFF}; /* negative, signalling, with a payload */
    for (size_t i = 0; i < COUNT_OF(k_echoed); i++) {
        const struct mf_msg_info *info = info_of(k_echoed[i].id);
        uint8_t in[MF_PAYLOAD_MAX] = {0}, out[MF_PAYLOAD_MAX];
        for (size_t j = 0; j < k_echoed[i].count; j++) {
            memcpy(in + k_echoed[i].at[j], k_odd_nan, sizeof k_odd_nan);
        }
        union mf_msg msg;
        mf_msg_unpack(info, in, info->len_max, &msg);
        assert_int_equal(mf_msg_pack(info, &msg, out), info->len_max);
        assert_memory_equal(out, in, info->len_max);
    }
}

static uint32_t xorshift(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static bool is_nan(const uint8_t wire[4])
{
    const uint32_t magnitude = wire[0] | (uint32_t)wire[1] << 8 | (uint32_t)wire[2] << 16 |
                               (uint32_t)(wire[3] & 0x7F) << 24;
    return magnitude > 0x7F800000u;
}

/* What pack must make of bytes that unpack has read. */
static void canonicalise(const struct mf_msg_info *info, uint8_t *payload)
{
    static const uint8_t k_canonical[] = {0x00, 0x00, 0xC0, 0x7F};
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *field = field_of(info, i);
        const size_t size = size_of_type(type_of(field));
        for (size_t j = 0; j < field->count; j++, payload += size) {
            if (field->type == MF_WIRE_f32 && is_nan(payload)) {
                memcpy(payload, k_canonical, sizeof k_canonical);
            }
        }
    }
}

static void test_any_payload_survives_unpack_and_pack(void **state)
{
    (void)state;
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    uint32_t seed = 0x2545F491u;
    for (size_t round = 0; round < 200 * count; round++) {
        const struct mf_msg_info *info = &table[round % count];
        const uint32_t seed_before = seed;
        uint8_t in[MF_PAYLOAD_MAX], out[MF_PAYLOAD_MAX];
        for (size_t i = 0; i < info->len_max; i++) {
            const uint32_t random = xorshift(&seed);
            in[i] = (random & 3) == 0 ? 0xFF : (uint8_t)(random >> 24); /* a NaN now and then */
        }
        union mf_msg msg;
        mf_msg_unpack(info, in, info->len_max, &msg);
        assert_int_equal(mf_msg_pack(info, &msg, out), info->len_max);
        canonicalise(info, in);
        if (memcmp(in, out, info->len_max) != 0) {
            fail_msg("%s differs, seed 0x%08x", mf_msg_name(info->id), (unsigned)seed_before);
        }
    }
}

static void test_enums(void **state)
{
    (void)state;
    assert_int_equal(MAV_AUTOPILOT_PX4, 12);
    assert_int_equal(MAV_TYPE_QUADROTOR, 2);
    assert_int_equal(MAV_SYS_STATUS_SENSOR_BATTERY, 0x02000000);
    assert_int_equal(MAV_SYS_STATUS_PREARM_CHECK, 0x10000000);
    assert_int_equal(MAV_CMD_DO_REPOSITION, 192);
    assert_int_equal(MAV_PARAM_ERROR_READ_FAIL, 8);
    assert_int_equal(POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE, 2048);
}

/* Where the addresses stand on the wire, from MAVLink's XML. */
static void test_targets_are_found_on_the_wire(void **state)
{
    static const struct {
        uint32_t msgid;
        uint8_t system_at, component_at; /* 0xFF: there is none */
    } k_case[] = {
        {MF_MSG_COMMAND_LONG, 30, 31}, {MF_MSG_COMMAND_ACK, 8, 9},
        {MF_MSG_SETUP_SIGNING, 8, 9},  {MF_MSG_SET_ATTITUDE_TARGET, 36, 37},
        {MF_MSG_SET_MODE, 4, 0xFF},    {MF_MSG_HEARTBEAT, 0xFF, 0xFF},
        {MF_MSG_PARAM_SET, 4, 5},      {MF_MSG_MANUAL_CONTROL, 0xFF, 0xFF},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        uint8_t payload[MF_PAYLOAD_MAX];
        for (size_t at = 0; at < sizeof payload; at++) {
            payload[at] = (uint8_t)(100 + at);
        }
        const struct mf_msg_info *info = info_of(k_case[i].msgid);
        const int system = k_case[i].system_at == 0xFF ? 0 : 100 + k_case[i].system_at;
        const int component = k_case[i].component_at == 0xFF ? 0 : 100 + k_case[i].component_at;
        struct mf_address to = mf_msg_target(info, payload, info->len_max);
        assert_int_equal(to.system, system);
        assert_int_equal(to.component, component);
        if (component != 0) { /* cut: zero bytes at the end are not sent */
            to = mf_msg_target(info, payload, k_case[i].component_at);
            assert_int_equal(to.system, system);
            assert_int_equal(to.component, 0);
            assert_int_equal(mf_msg_target(info, payload, k_case[i].system_at).system, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc_extra_of_every_message),
        cmocka_unit_test(test_extensions_of_every_message),
        cmocka_unit_test(test_known_messages),
        cmocka_unit_test(test_table_ascends_and_every_id_is_found),
        cmocka_unit_test(test_unknown_ids_are_not_found),
        cmocka_unit_test(test_wire_order_and_sizes),
        cmocka_unit_test(test_fields_lie_where_the_structs_have_them),
        cmocka_unit_test(test_targets_are_found_on_the_wire),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_pack_is_little_endian),
        cmocka_unit_test(test_unpack_is_little_endian),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_missing_bytes_read_as_zero),
        cmocka_unit_test(test_newer_extension_is_ignored),
        cmocka_unit_test(test_sim042_every_nan_is_sent_as_one_pattern),
        cmocka_unit_test(test_sim042_numbers_keep_their_bits),
        cmocka_unit_test(test_sim042_echoed_fields_keep_every_bit),
        cmocka_unit_test(test_any_payload_survives_unpack_and_pack),
        cmocka_unit_test(test_enums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
