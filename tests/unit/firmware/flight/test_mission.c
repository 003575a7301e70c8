/* SPDX-License-Identifier: Apache-2.0 */
/* Mission items, and the mission as a whole. Command numbers, results and checksums are literals:
 * from MAVLink's XML, and the checksums from Python's zlib. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/flight/fence_change.h"
#include "firmware/flight/mission_store.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAN_BITS        0x7FC00000u
#define INF_BITS        0x7F800000u
#define HOME_LAT_E7     473977420
#define HOME_LON_E7     85455940

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[2];

static bool feasible(struct mf_text *why)
{
    const struct mf_bounds bounds = mf_bounds_of(&v);
    return mf_mission_feasible(&v.mission, &bounds, why);
}

static int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    const struct mf_setup s = {
        .hal = mf_mock_hal(&mock), .links = links, .link_count = 2, .sysid = 1, .compid = 1};
    return mf_vehicle_init(&v, &s);
}

/* Two links on which nothing runs by itself. */
static void open_links(void)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = MF_STREAM_OFF;
    }
    for (int port = 0; port < 2; port++) {
        const struct mf_serial serial = mf_mock_serial(&mock, port);
        assert_int_equal(mf_link_open(&v, &serial, "test", interval_us), port);
        mf_mock_clear(&mock, port);
    }
}

static struct mf_item item_of(uint16_t command, uint8_t frame)
{
    return (struct mf_item){.x = frame == 2 ? 0 : HOME_LAT_E7,
                            .y = frame == 2 ? 0 : HOME_LON_E7,
                            .z = mf_f32_bits(10.0f),
                            .command = command,
                            .frame = frame,
                            .autocontinue = 1};
}

static struct mf_item waypoint(void)
{
    return item_of(16, 6);
}

/* Items in the store, taken up as after a start. */
static void load(const struct mf_item *items, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        assert_int_equal(mf_store_put(&v.hal, MF_STORE_MISSION, i, &items[i]), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&v.hal, MF_STORE_MISSION, count, 0xABCD0123u), MF_E_OK);
    mf_mission_load(&v);
}

/* ---- items ---- */

static void test_sim031_items_that_clients_write(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t frame;
        int kind;
    } k_item[] = {
        {16, 6, MF_ITEM_WAYPOINT},    {17, 6, MF_ITEM_LOITER_UNLIM}, {18, 6, MF_ITEM_TURNS},
        {19, 6, MF_ITEM_LOITER_TIME}, {20, 2, MF_ITEM_RTL},          {21, 6, MF_ITEM_LAND},
        {22, 6, MF_ITEM_TAKEOFF},     {31, 6, MF_ITEM_TO_ALT},       {80, 2, MF_ITEM_ROI},
        {93, 2, MF_ITEM_DELAY},       {112, 2, MF_ITEM_DELAY},       {114, 2, MF_ITEM_INSTANT},
        {177, 2, MF_ITEM_JUMP},       {178, 2, MF_ITEM_SPEED},       {179, 2, MF_ITEM_SET_HOME},
        {183, 2, MF_ITEM_INSTANT},    {187, 2, MF_ITEM_INSTANT},     {189, 2, MF_ITEM_INSTANT},
        {195, 6, MF_ITEM_ROI},        {196, 2, MF_ITEM_ROI},         {197, 2, MF_ITEM_ROI},
        {200, 2, MF_ITEM_INSTANT},    {201, 2, MF_ITEM_ROI},         {203, 2, MF_ITEM_INSTANT},
        {204, 2, MF_ITEM_INSTANT},    {205, 2, MF_ITEM_INSTANT},     {206, 2, MF_ITEM_INSTANT},
        {211, 2, MF_ITEM_INSTANT},    {214, 2, MF_ITEM_INSTANT},     {260, 2, MF_ITEM_INSTANT},
        {530, 2, MF_ITEM_INSTANT},    {531, 2, MF_ITEM_INSTANT},     {532, 2, MF_ITEM_INSTANT},
        {534, 2, MF_ITEM_INSTANT},    {1000, 2, MF_ITEM_INSTANT},    {1001, 2, MF_ITEM_INSTANT},
        {2000, 2, MF_ITEM_INSTANT},   {2001, 2, MF_ITEM_INSTANT},    {2003, 2, MF_ITEM_INSTANT},
        {2500, 2, MF_ITEM_INSTANT},   {2501, 2, MF_ITEM_INSTANT},    {4501, 6, MF_ITEM_INSTANT},
        {42600, 2, MF_ITEM_INSTANT},  {115, 2, MF_ITEM_YAW},         {207, 2, MF_ITEM_INSTANT},
        {84, 6, MF_ITEM_INSTANT},     {85, 6, MF_ITEM_INSTANT},      {212, 2, MF_ITEM_INSTANT},
        {400, 2, MF_ITEM_INSTANT},    {3000, 2, MF_ITEM_INSTANT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_item); i++) {
        const struct mf_item item = item_of(k_item[i].command, k_item[i].frame);
        assert_int_equal(mf_item_kind(k_item[i].command), k_item[i].kind);
        assert_int_equal(mf_item_check(0, &item, false), 0);
        assert_int_equal(mf_item_has_position(&item), k_item[i].frame == 6);
    }
}

static void test_sim031_items_that_nobody_serves(void **state)
{
    /* SPLINE_WAYPOINT, CHANGE_ALT, DO_SET_MODE, DO_SET_REVERSE, USER_1, nothing at all */
    static const uint16_t k_command[] = {82, 113, 176, 194, 31010, 0, 65535};
    static const uint16_t k_other[] = {5000, 5001, 5002, 5003, 5004, 5100};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_command); i++) {
        const struct mf_item item = item_of(k_command[i], 2);
        assert_int_equal(mf_item_kind(k_command[i]), MF_E_NOSUPP);
        assert_int_equal(mf_item_check(0, &item, false), 3);
    }
    for (size_t i = 0; i < COUNT_OF(k_other); i++) {
        struct mf_item item = item_of(k_other[i], 5);
        item.param[0] = mf_f32_bits(3.0f);
        assert_int_equal(mf_item_kind(k_other[i]), MF_E_NOSUPP);
        assert_int_equal(mf_item_check(0, &item, false), 1);
        assert_int_equal(mf_item_check(k_other[i] == 5100 ? 2 : 1, &item, false), 0);
        assert_int_equal(mf_item_check(k_other[i] == 5100 ? 1 : 2, &item, false), 1);
    }
    const struct mf_item fence_of_waypoints = waypoint();
    assert_int_equal(mf_item_check(1, &fence_of_waypoints, false), 1);
}

static void test_sim031_frames(void **state)
{
    (void)state;
    for (unsigned frame = 0; frame < 256; frame++) {
        const bool global = frame == 0 || frame == 3 || frame == 5 || frame == 6 || frame == 10 ||
                            frame == 11; /* terrain */
        const bool terrain = frame == 10 || frame == 11;
        /* a frame that PX4 knows, with a command that does not go with it: UNSUPPORTED */
        const uint8_t other = (global && !terrain) || frame == 2 ? 3 : 2;
        struct mf_item item = waypoint();
        item.frame = (uint8_t)frame;
        assert_int_equal(mf_item_check(0, &item, false), global ? 0 : other);
        assert_int_equal(mf_item_check(0, &item, true), global && !terrain ? 0 : other);
        item.command = 178;
        assert_int_equal(mf_item_check(0, &item, false), frame == 2 ? 0 : other);
        assert_int_equal(mf_item_check(0, &item, true), frame == 2 ? 0 : other);
        item.command = 179;
        assert_int_equal(mf_item_check(0, &item, false), global || frame == 2 ? 0 : other);
        assert_int_equal(mf_item_check(0, &item, true), frame == 2 ? 0 : other);
    }
}

/* PX4 refuses the first five at upload, and denies the start with the others. */
static void test_sim031_items_beyond_px4(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t frame, strict;
        bool grounds, grounds_strict;
    } k_case[] = {
        {18, 6, 3, false, false},  {115, 2, 3, false, false}, {183, 2, 3, false, false},
        {207, 2, 3, false, false}, {531, 2, 3, false, false}, {112, 2, 0, false, true},
        {114, 2, 0, false, true},  {84, 6, 0, true, true},    {85, 6, 0, true, true},
        {16, 6, 0, false, false},  {212, 2, 0, false, false}, {400, 6, 0, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        const struct mf_item item = item_of(k_case[i].command, k_case[i].frame);
        assert_int_equal(mf_item_check(0, &item, false), 0);
        assert_int_equal(mf_item_check(0, &item, true), k_case[i].strict);
        assert_int_equal(mf_item_grounds(k_case[i].command, false), k_case[i].grounds);
        assert_int_equal(mf_item_grounds(k_case[i].command, true), k_case[i].grounds_strict);
    }
    assert_false(mf_item_grounds(65535, true)); /* an unknown command is no item at all */
}

static void test_sim031_infinite_parameters_are_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct mf_item item = waypoint();
        item.param[i] = INF_BITS;
        assert_int_equal(mf_item_check(0, &item, false), 6 + i);
        item.param[i] = 0xFF800000u;
        assert_int_equal(mf_item_check(0, &item, false), 6 + i);
        item.param[i] = NAN_BITS;
        assert_int_equal(mf_item_check(0, &item, false), 0);
        item.param[i] = 0xFFFFFFFFu; /* another not-a-number */
        assert_int_equal(mf_item_check(0, &item, false), 0);
    }
}

static void test_sim031_altitude_must_be_a_number_where_there_is_a_place(void **state)
{
    static const uint16_t k_command[] = {16, 21, 22, 195};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_command); i++) {
        struct mf_item item = item_of(k_command[i], 3);
        item.z = NAN_BITS;
        assert_int_equal(mf_item_check(0, &item, false), 12);
        item.z = 0xFF800000u;
        assert_int_equal(mf_item_check(0, &item, false), 12);
        item.z = mf_f32_bits(1e9f); /* where nothing flies */
        assert_int_equal(mf_item_check(0, &item, false), 12);
        item.z = mf_f32_bits(-100001.0f);
        assert_int_equal(mf_item_check(0, &item, false), 12);
        item.z = mf_f32_bits(100000.0f);
        assert_int_equal(mf_item_check(0, &item, false), 0);
    }
    struct mf_item rally = item_of(5100, 3);
    rally.z = mf_f32_bits(1e9f);
    assert_int_equal(mf_item_check(2, &rally, false), 12);
    struct mf_item speed = item_of(178, 2);
    speed.z = NAN_BITS;
    assert_int_equal(mf_item_check(0, &speed, false), 0);
    speed.z = INF_BITS;
    assert_int_equal(mf_item_check(0, &speed, false), 12);
    struct mf_item vertex = item_of(5001, 5);
    vertex.param[0] = mf_f32_bits(4.0f);
    vertex.z = NAN_BITS; /* a fence has no altitude */
    assert_int_equal(mf_item_check(1, &vertex, false), 0);
}

static void test_sim031_places(void **state)
{
    static const struct {
        int32_t x, y;
        uint8_t waypoint, takeoff;
        bool is_place;
    } k_place[] = {
        {900000000, 1800000000, 0, 0, true},  {-900000000, -1800000000, 0, 0, true},
        {900000001, 0, 10, 0, false},         {0, 1800000001, 11, 0, false},
        {INT32_MIN, INT32_MIN, 10, 0, false}, {0, INT32_MIN, 11, 0, false},
        {INT32_MAX, INT32_MAX, 10, 0, false}, {0, 0, 0, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_place); i++) {
        struct mf_item item = waypoint();
        item.x = k_place[i].x;
        item.y = k_place[i].y;
        assert_int_equal(mf_item_check(0, &item, false), k_place[i].waypoint);
        item.command = 22;
        assert_int_equal(mf_item_check(0, &item, false), k_place[i].takeoff);
        assert_int_equal(mf_item_has_position(&item), k_place[i].is_place);
        item.command = 21;
        assert_int_equal(mf_item_check(0, &item, false), k_place[i].takeoff);
        assert_int_equal(mf_item_has_position(&item), k_place[i].is_place);
        item.command = 178;
        item.frame = 2;
        assert_int_equal(mf_item_check(0, &item, false), 0);
        assert_false(mf_item_has_position(&item));
    }
}

static void test_sim031_first_parameter(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t frame, type;
        float param1;
        uint8_t result;
    } k_case[] = {
        {201, 2, 0, 0.0f, 0},   {201, 2, 0, 1.0f, 0},      {201, 2, 0, 2.0f, 0},
        {201, 2, 0, 3.0f, 6},   {201, 6, 0, 3.0f, 0},      {201, 6, 0, 0.0f, 0},
        {201, 6, 0, 1.0f, 6},   {80, 6, 0, 4.0f, 6},       {177, 2, 0, 0.0f, 0},
        {177, 2, 0, -1.0f, 0},  {5001, 5, 1, 3.0f, 0},     {5001, 5, 1, 2.0f, 1},
        {5002, 5, 1, -4.0f, 1}, {5002, 5, 1, 65536.0f, 1}, {5003, 5, 1, 20.0f, 0},
        {5003, 5, 1, 0.0f, 0},  {5004, 0, 1, -1.0f, 6},    {5000, 0, 1, 0.0f, 0},
        {5100, 3, 2, 0.0f, 0},  {5003, 5, 1, 0.5f, 0},
    };
    static const uint16_t k_number[] = {201, 5003};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        struct mf_item item = item_of(k_case[i].command, k_case[i].frame);
        item.param[0] = mf_f32_bits(k_case[i].param1);
        assert_int_equal(mf_item_check(k_case[i].type, &item, false), k_case[i].result);
    }
    for (size_t i = 0; i < COUNT_OF(k_number); i++) {
        struct mf_item item = item_of(k_number[i], k_number[i] == 5003 ? 5 : 2);
        item.param[0] = NAN_BITS;
        assert_int_equal(mf_item_check(k_number[i] == 5003, &item, false), 6);
    }
}

static void test_sim031_opaque_id(void **state)
{
    const struct mf_item first = {
        .param = {0x3F000000u, 0x40000000u, 0, NAN_BITS}, /* 0.5, 2, 0, NaN */
        .x = 473977420,
        .y = 85455940,
        .z = 0x41200000u, /* 10 */
        .command = 16,
        .frame = 6,
        .autocontinue = 1,
    };
    const struct mf_item second = {
        .param = {0x3F800000u, 0x40A00000u, 0xBF800000u, 0}, /* 1, 5, -1, 0 */
        .z = NAN_BITS,
        .command = 178,
        .frame = 2,
        .autocontinue = 1,
    };
    (void)state;
    assert_int_equal(mf_item_tag(0, &first), 0xDB84AB8Eu);
    assert_int_equal(mf_item_tag(0xDB84AB8Eu, &second), 0xD1D8FDD4u);
    assert_int_equal(mf_item_tag(0, &second), 0x3A2CBBE9u);
}

/* ---- the mission as a whole ---- */

static void test_mission_is_taken_up_from_the_store(void **state)
{
    const struct mf_item items[] = {item_of(22, 6), waypoint(), waypoint()};
    struct mf_item item;
    (void)state;
    assert_int_equal(v.mission.count, 0);
    assert_int_equal(mf_store_commit(&v.hal, MF_STORE_FENCE, 0, 77), MF_E_OK);
    assert_int_equal(mf_store_commit(&v.hal, MF_STORE_RALLY, 0, 88), MF_E_OK);
    load(items, 3);
    assert_int_equal(v.mission.count, 3);
    assert_int_equal(v.mission.tag, 0xABCD0123u);
    assert_int_equal(v.mission.fence_tag, 77);
    assert_int_equal(v.mission.rally_tag, 88);
    assert_int_equal(v.mission.current, 0);
    assert_int_equal(v.mission.reached, -1);
    assert_int_equal(mf_mission_get(&v.mission, &v.hal, 2, &item), MF_E_OK);
    assert_memory_equal(&item, &items[2], sizeof item);
    assert_int_equal(mf_mission_get(&v.mission, &v.hal, 3, &item), MF_E_RANGE);
    mock.store.get_result = MF_E_IO;
    assert_int_equal(mf_mission_get(&v.mission, &v.hal, 2, &item), MF_E_IO);
}

static void test_sim023_mission_state(void **state)
{
    const struct mf_item items[] = {waypoint(), waypoint()};
    (void)state;
    assert_int_equal(mf_mission_state(&v), 1);
    load(items, 2);
    assert_int_equal(mf_mission_state(&v), 2);
    v.commander.mode = MF_MODE_MISSION;
    assert_int_equal(mf_mission_state(&v), 3); /* also while disarmed, as in PX4 */
    v.commander.armed = true;
    mf_mission_reached(&v, 0, 0);
    v.mission.current = 1;
    assert_int_equal(mf_mission_state(&v), 3);
    v.commander.mode = MF_MODE_TAKEOFF; /* PX4's take-off and landing count as part of it */
    assert_int_equal(mf_mission_state(&v), 3);
    v.commander.mode = MF_MODE_LAND;
    assert_int_equal(mf_mission_state(&v), 3);
    v.commander.mode = MF_MODE_RTL;
    assert_int_equal(mf_mission_state(&v), 4);
    v.commander.mode = MF_MODE_HOLD;
    assert_int_equal(mf_mission_state(&v), 4);
    v.mission.finished = true;
    assert_int_equal(mf_mission_state(&v), 5);
    v.commander.mode = MF_MODE_MISSION;
    assert_int_equal(mf_mission_state(&v), 5);
    v.home.valid = false;
    assert_int_equal(mf_mission_state(&v), 1);
}

static void expect_infeasible(const char *text)
{
    struct mf_text why;
    assert_false(feasible(&why));
    assert_string_equal(why.s, text);
    assert_int_equal(mf_mission_state(&v), 1);
}

static void expect_infeasible_named(const char *data)
{
    struct mf_text why;
    assert_false(feasible(&why));
    expect_infeasible(why.s);
    assert_names(why.s, data);
}

static void expect_feasible(void)
{
    struct mf_text why;
    assert_true(feasible(&why));
    assert_string_equal(why.s, "");
}

static void test_sim031_a_mission_needs_items(void **state)
{
    (void)state;
    expect_infeasible_named("Mission rejected: no items");
}

/* PX4 flies it all the same. A place of an item that moves nothing does not count. */
static void test_sim031_warns_of_a_first_waypoint_far_away(void **state)
{
    static const struct {
        int32_t x; /* of the first waypoint */
        float max_m;
        const char *said;
    } k_case[] = {{HOME_LAT_E7 + 500000, 10000.0f, NULL},         /* 5.6 km */
                  {HOME_LAT_E7 + 1000000, 10000.0f, "10000 max"}, /* 11.1 km */
                  {HOME_LAT_E7 + 1000000, 12000.0f, NULL},
                  {-HOME_LAT_E7, 12000.0f, "12000 max"},
                  {-HOME_LAT_E7, -1.0f, NULL}};
    struct mf_item items[] = {item_of(178, 2), waypoint(), waypoint()};
    struct mf_msg_statustext text;
    (void)state;
    open_links();
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        items[1].x = k_case[i].x;
        items[2].x = HOME_LAT_E7 + 5000000;
        v.params.value[MF_PARAM_MIS_DIST_1WP] = mf_f32_bits(k_case[i].max_m);
        load(items, 3);
        expect_feasible();
        mf_mission_judge(&v);
        assert_int_equal(mf_mock_take(&mock, 0, MF_MSG_STATUSTEXT, &text), k_case[i].said != NULL);
        if (k_case[i].said != NULL) {
            assert_memory_equal(text.text, "First waypoint too far away: ", 29);
            assert_non_null(strstr(text.text, k_case[i].said));
            assert_int_equal(text.severity, 4);
        }
    }
}

static void test_sim031_takeoff_must_be_first(void **state)
{
    const struct mf_item good[] = {item_of(178, 2), item_of(22, 6), waypoint(), item_of(21, 6)};
    const struct mf_item bad[] = {item_of(178, 2), waypoint(), item_of(22, 6)};
    const struct mf_item back_first[] = {item_of(20, 2), item_of(22, 6)};
    (void)state;
    load(good, 4);
    expect_feasible();
    load(bad, 3);
    expect_infeasible("Mission rejected: takeoff not first waypoint item");
    load(back_first, 2);
    expect_infeasible("Mission rejected: takeoff not first waypoint item");
}

static void test_sim031_takeoff_must_climb(void **state)
{
    struct mf_item takeoff = item_of(22, 6);
    (void)state;
    takeoff.z = 0;
    load(&takeoff, 1);
    expect_infeasible("Mission rejected: Takeoff altitude below home altitude!");
    takeoff.frame = 5;
    takeoff.z = mf_f32_bits(488.0f); /* AMSL of home */
    load(&takeoff, 1);
    expect_infeasible("Mission rejected: Takeoff altitude below home altitude!");
    takeoff.z = mf_f32_bits(490.0f);
    load(&takeoff, 1);
    expect_feasible();
}

/* Landing first means nothing on the ground, and means to land in the air. */
static void test_sim031_a_mission_does_not_start_with_a_landing(void **state)
{
    const struct mf_item items[] = {item_of(21, 6), waypoint()};
    (void)state;
    load(items, 2);
    expect_infeasible("Mission rejected: starts with landing");
    v.commander.landed = MF_LANDED_IN_AIR;
    load(items, 2);
    expect_feasible();
    v.commander.landed = MF_LANDED_ON_GROUND; /* what it was when it came counts, as in PX4 */
    expect_feasible();
}

static void test_sim031_takeoff_and_landing_by_parameter(void **state)
{
    enum { NONE, UP, DOWN, BOTH };
    static const char k_up[] = "Mission rejected: Takeoff waypoint required.";
    static const char k_down[] = "Mission rejected: Landing waypoint/pattern required.";
    static const char k_one[] = "Mission rejected: Takeoff or Landing item missing.";
    static const char k_add_up[] = "Mission rejected: Add Takeoff item or remove Landing.";
    static const char k_add_down[] = "Mission rejected: Add Landing item or remove Takeoff.";
    static const struct {
        int setting;
        bool in_air;
        const char *text[4]; /* by what the mission has */
    } k_case[] = {
        {0, false, {"", "", "", ""}},
        {1, false, {k_up, "", k_up, ""}},
        {2, false, {k_down, k_down, "", ""}},
        {3, false, {k_one, k_one, k_one, ""}},
        {4, false, {"", k_add_down, k_add_up, ""}},
        {4, true, {"", k_add_down, k_add_up, ""}},
        {5, false, {"", k_add_down, k_add_up, ""}},
        {5, true, {k_down, k_down, "", ""}},
    };
    const struct mf_item items[4] = {item_of(178, 2), item_of(22, 6), waypoint(), item_of(21, 6)};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        v.params.value[MF_PARAM_MIS_TKO_LAND_REQ] = (uint32_t)k_case[i].setting;
        v.commander.landed = k_case[i].in_air ? MF_LANDED_IN_AIR : MF_LANDED_ON_GROUND;
        for (int has = NONE; has <= BOTH; has++) {
            struct mf_text why;
            load(&items[(has & UP) != 0 ? 1 : 2],
                 (uint16_t)(((has & UP) != 0) + 1 + ((has & DOWN) != 0)));
            assert_int_equal(feasible(&why), k_case[i].text[has][0] == '\0');
            assert_string_equal(why.s, k_case[i].text[has]);
        }
    }
}

static void test_sim031_relative_altitude_needs_home(void **state)
{
    struct mf_item items[] = {item_of(178, 2), item_of(16, 5), item_of(16, 3)};
    (void)state;
    load(items, 3);
    v.home.valid = false;
    expect_infeasible("Mission rejected: No home pos, WP 3 uses rel alt");
    load(items, 2);
    expect_feasible();
    load(items, 3);
    v.home.valid = true; /* no upload is needed for a second look */
    expect_feasible();
}

static void test_sim031_stored_items_are_not_trusted(void **state)
{
    struct mf_item items[] = {waypoint(), waypoint()};
    (void)state;
    items[1].x = 900000001;
    load(items, 2);
    expect_infeasible_named("Mission rejected: item 1 invalid");
    items[1] = waypoint();
    items[1].z = NAN_BITS;
    load(items, 2);
    expect_infeasible_named("Mission rejected: item 1 invalid");
    items[1] = item_of(5001, 5);
    load(items, 2);
    expect_infeasible_named("Mission rejected: item 1 invalid");
    mock.store.get_result = MF_E_IO;
    mf_mission_load(&v);
    expect_infeasible_named("Mission rejected: item 0 read");
}

/* ---- progress ---- */

static void expect_current(int port, uint16_t seq, uint8_t mission_state)
{
    struct mf_msg_mission_current m;
    assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_CURRENT, &m));
    assert_int_equal(m.seq, seq);
    assert_int_equal(m.total, v.mission.count);
    assert_int_equal(m.mission_state, mission_state);
    assert_int_equal(m.mission_id, 0xABCD0123u);
    assert_false(mf_mock_take(&mock, port, MF_MSG_MISSION_CURRENT, &m));
}

static void test_sim023_set_current_is_told_at_once(void **state)
{
    const struct mf_item items[] = {waypoint(), waypoint(), waypoint()};
    (void)state;
    load(items, 3);
    open_links();
    assert_int_equal(mf_mission_set_current(&v, 2, 0), MF_E_OK);
    assert_int_equal(v.mission.current, 2);
    expect_current(0, 2, 2);
    expect_current(1, 2, 2);
    assert_int_equal(mf_mission_set_current(&v, 3, 0), MF_E_RANGE);
    assert_int_equal(v.mission.current, 2);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_CURRENT), 0);
}

static void test_sim023_set_current_begins_a_finished_mission_anew(void **state)
{
    const struct mf_item items[] = {waypoint(), waypoint()};
    (void)state;
    load(items, 2);
    v.mission.current = 1;
    v.mission.reached = 0;
    v.mission.jump[3].done = 2;
    assert_int_equal(mf_mission_set_current(&v, 0, 0), MF_E_OK);
    assert_int_equal(v.mission.reached, 0); /* a step back is no new beginning */
    assert_int_equal(v.mission.jump[3].done, 2);
    v.mission.reached = 1;
    v.mission.finished = true;
    assert_int_equal(mf_mission_set_current(&v, 0, 0), MF_E_OK);
    assert_false(v.mission.finished);
    assert_int_equal(v.mission.reached, -1);
    assert_int_equal(v.mission.jump[3].done, 0);
    assert_int_equal(mf_mission_state(&v), 2);
}

static void test_sim023_reached_goes_to_every_link_once_and_in_order(void **state)
{
    const struct mf_item items[] = {item_of(22, 6), waypoint(),     item_of(178, 2),
                                    item_of(19, 6), item_of(17, 6), item_of(21, 6)};
    static const char *const k_text[] = {"Waypoint 1 reached", "Waypoint 3 reached",
                                         "Waypoint 4 reached"};
    struct mf_msg_mission_item_reached m;
    struct mf_msg_statustext text;
    (void)state;
    load(items, 6);
    open_links();
    for (uint16_t seq = 0; seq < 6; seq++) {
        mf_mission_reached(&v, seq, seq * MF_SECOND_US);
        assert_int_equal(v.mission.reached, seq);
    }
    for (int port = 0; port < 2; port++) {
        for (uint16_t seq = 0; seq < 6; seq++) {
            assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_ITEM_REACHED, &m));
            assert_int_equal(m.seq, seq);
        }
        assert_false(mf_mock_take(&mock, port, MF_MSG_MISSION_ITEM_REACHED, &m));
        for (size_t i = 0; i < COUNT_OF(k_text); i++) { /* SIM-024 */
            assert_true(mf_mock_take(&mock, port, MF_MSG_STATUSTEXT, &text));
            assert_string_equal(text.text, k_text[i]);
            assert_int_equal(text.severity, 6);
        }
        assert_false(mf_mock_take(&mock, port, MF_MSG_STATUSTEXT, &text));
    }
}

/* As PX4: 1 and 2 of {waypoint, speed, gimbal, waypoint} go before another one is done at once. */
static void test_sim023_reached_before_an_instant_item_is_lost_by_option(void **state)
{
    const struct mf_item items[] = {item_of(22, 6), waypoint(), item_of(178, 2), item_of(205, 2),
                                    waypoint()};
    static const uint16_t k_sent[] = {0, 3, 4};
    struct mf_msg_mission_item_reached m;
    (void)state;
    load(items, 5);
    open_links();
    v.options.lose_item_reached = true;
    for (uint16_t seq = 0; seq < 5; seq++) {
        mf_mission_reached(&v, seq, seq * MF_SECOND_US);
        assert_int_equal(v.mission.reached, seq);
    }
    for (size_t i = 0; i < COUNT_OF(k_sent); i++) {
        assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, k_sent[i]);
    }
    assert_false(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
}

static void test_sim023_reached_does_not_need_the_store(void **state)
{
    const struct mf_item item = waypoint();
    (void)state;
    load(&item, 1);
    open_links();
    mock.store.get_result = MF_E_IO;
    mf_mission_reached(&v, 0, 0);
    assert_int_equal(mf_mock_count(&mock, 1, MF_MSG_MISSION_ITEM_REACHED), 1);
    assert_int_equal(mf_mock_count(&mock, 1, MF_MSG_STATUSTEXT), 0);
}

static void test_sim031_a_new_mission_begins_from_its_current_item(void **state)
{
    const struct mf_item items[] = {waypoint(), waypoint(), waypoint()};
    (void)state;
    load(items, 3);
    open_links();
    v.mission.reached = 2;
    v.mission.finished = true;
    v.mission.jump[0].done = 1;
    mf_mission_replaced(&v, 1, 0);
    expect_current(0, 1, 2);
    expect_current(1, 1, 2);
    assert_int_equal(v.mission.current, 1);
    assert_int_equal(v.mission.reached, -1);
    assert_false(v.mission.finished);
    assert_int_equal(v.mission.jump[0].done, 0);
    mf_mission_replaced(&v, 3, 0); /* there is no item 3 */
    assert_int_equal(v.mission.current, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim031_items_that_clients_write),
        cmocka_unit_test(test_sim031_items_that_nobody_serves),
        cmocka_unit_test(test_sim031_frames),
        cmocka_unit_test(test_sim031_items_beyond_px4),
        cmocka_unit_test(test_sim031_infinite_parameters_are_refused),
        cmocka_unit_test(test_sim031_altitude_must_be_a_number_where_there_is_a_place),
        cmocka_unit_test(test_sim031_places),
        cmocka_unit_test(test_sim031_first_parameter),
        cmocka_unit_test(test_sim031_opaque_id),
        cmocka_unit_test_setup(test_mission_is_taken_up_from_the_store, setup),
        cmocka_unit_test_setup(test_sim023_mission_state, setup),
        cmocka_unit_test_setup(test_sim031_a_mission_needs_items, setup),
        cmocka_unit_test_setup(test_sim031_warns_of_a_first_waypoint_far_away, setup),
        cmocka_unit_test_setup(test_sim031_takeoff_must_be_first, setup),
        cmocka_unit_test_setup(test_sim031_takeoff_must_climb, setup),
        cmocka_unit_test_setup(test_sim031_a_mission_does_not_start_with_a_landing, setup),
        cmocka_unit_test_setup(test_sim031_takeoff_and_landing_by_parameter, setup),
        cmocka_unit_test_setup(test_sim031_relative_altitude_needs_home, setup),
        cmocka_unit_test_setup(test_sim031_stored_items_are_not_trusted, setup),
        cmocka_unit_test_setup(test_sim023_set_current_is_told_at_once, setup),
        cmocka_unit_test_setup(test_sim023_set_current_begins_a_finished_mission_anew, setup),
        cmocka_unit_test_setup(test_sim023_reached_goes_to_every_link_once_and_in_order, setup),
        cmocka_unit_test_setup(test_sim023_reached_before_an_instant_item_is_lost_by_option, setup),
        cmocka_unit_test_setup(test_sim023_reached_does_not_need_the_store, setup),
        cmocka_unit_test_setup(test_sim031_a_new_mission_begins_from_its_current_item, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
