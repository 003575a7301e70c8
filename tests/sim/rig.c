/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/sim/rig.h"

#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct rig g_rig;

static struct mf_drone_setup setup_of(struct rig *r, const struct mf_options *options)
{
    return (struct mf_drone_setup){
        .world = &r->world,
        .vehicle = {.hal = mf_mock_hal(&r->mock),
                    .links = r->links,
                    .shells = r->shells,
                    .barriers = r->drone.vehicle.barriers, /* a reboot keeps them */
                    .signing = &r->signing,
                    .ftp = &r->ftp,
                    .link_count = MF_MOCK_PORTS,
                    .sysid = 1,
                    .compid = 1,
                    .uid = 1,
                    .journal = &r->journal,
                    .options = options != NULL ? *options : (struct mf_options){0}},
    };
}

static void open_link(struct rig *r)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    const struct mf_drone_link link = {
        .serial = mf_mock_serial(&r->mock, 0), .name = "mock", .interval_us = interval_us};
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    r->link = mf_drone_open(&r->drone, &link);
    assert_int_equal(r->link, 0);
}

struct rig *rig_new_in(const struct mf_options *options, const struct mf_world_settings *settings)
{
    struct rig *r = &g_rig;
    mf_mock_init(&r->mock);
    memset(&r->world, 0, sizeof *r - offsetof(struct rig, world));
    r->world = *settings;
    r->memory = (struct mf_memory){.bytes = r->parts, .size = sizeof r->parts};
    r->world.memory = &r->memory;
    const struct mf_drone_setup setup = setup_of(r, options);
    assert_int_equal(mf_drone_init(&r->drone, &setup), MF_E_OK);
    open_link(r);
    return r;
}

static struct mf_world_settings at_home(void)
{
    struct mf_world_settings settings = mf_world_settings_default();
    settings.home_lat_deg = RIG_LAT_DEG;
    settings.home_lon_deg = RIG_LON_DEG;
    settings.home_alt_amsl_m = RIG_ALT_M;
    return settings;
}

struct rig *rig_new(const struct mf_options *options)
{
    const struct mf_world_settings settings = at_home();
    return rig_new_in(options, &settings);
}

struct rig *rig_new_dragged(double drag_per_s)
{
    const struct mf_options options = {.px4_motion = true};
    struct mf_world_settings settings = at_home();
    settings.motion = MF_WORLD_MOTION_PHYSICS;
    settings.drag_per_s = drag_per_s;
    return rig_new_in(&options, &settings);
}

struct rig *rig_new_moving(enum mf_world_motion motion, double accel_mps2)
{
    const struct mf_options options = {.px4_motion = motion == MF_WORLD_MOTION_PHYSICS};
    struct mf_world_settings settings = at_home();
    settings.motion = motion;
    settings.accel_mps2 = accel_mps2;
    return rig_new_in(&options, &settings);
}

/* @param to  the one rig, or what keeps it: pointers within are those of the one rig */
static void copy(struct rig *to, const struct rig *from)
{
    mf_mock_copy(&to->mock, &from->mock);
    memcpy(&to->world, &from->world, sizeof *to - offsetof(struct rig, world));
}

void rig_keep(struct rig *r, struct rig *kept)
{
    for (int i = 0; i < MF_MOCK_PORTS; i++) {
        mf_mock_clear(&r->mock, i);
    }
    copy(kept, r);
}

struct rig *rig_again(const struct rig *kept)
{
    copy(&g_rig, kept);
    return &g_rig;
}

void rig_reboot(struct rig *r)
{
    const struct mf_options options = r->drone.vehicle.options;
    const struct mf_drone_setup setup = setup_of(r, &options);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(mf_drone_reboot(&r->drone, &setup), MF_E_OK);
    open_link(r);
}

/* One step at the present time, then the clock goes to the next due instant, at most to @p
 * until_us. */
static void step_towards(struct rig *r, mf_us_t until_us)
{
    const struct mf_wake wake = mf_drone_step(&r->drone);
    const mf_us_t due_us =
        mf_earlier(mf_earlier(wake.essential_us, wake.periodic_us), wake.transport_us);
    assert_true(due_us > r->mock.now.vehicle_us); /* nothing due is left undone */
    const mf_us_t now_us = mf_earlier(due_us, until_us);
    r->mock.now = (struct mf_now){now_us, now_us};
}

void rig_run_until(struct rig *r, mf_us_t until_us)
{
    while (r->mock.now.vehicle_us < until_us) {
        step_towards(r, until_us);
    }
    (void)mf_drone_step(&r->drone);
}

void rig_jump_until(struct rig *r, mf_us_t until_us)
{
    struct mf_wake wake = mf_drone_step(&r->drone);
    while (r->mock.now.vehicle_us < until_us) {
        const mf_us_t at_us = mf_earlier(wake.essential_us, until_us);
        r->mock.now = (struct mf_now){at_us, at_us};
        mf_drone_jump_to(&r->drone, at_us);
        wake = mf_drone_step(&r->drone);
    }
}

mf_us_t rig_run_while(struct rig *r, bool (*condition)(const struct rig *r), double limit_s)
{
    const mf_us_t limit_us = r->mock.now.vehicle_us + (mf_us_t)(limit_s * 1e6);
    (void)mf_drone_step(&r->drone);
    while (condition(r)) {
        assert_true(r->mock.now.vehicle_us < limit_us);
        step_towards(r, limit_us);
        (void)mf_drone_step(&r->drone);
        if (r->mock.port[0].frame_count > MF_MOCK_FRAMES / 2) {
            fail_msg("the mock is about to overflow: mf_mock_clear() in between");
        }
    }
    return r->mock.now.vehicle_us;
}

void rig_send(struct rig *r, uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&r->mock, 0, msgid, msg);
    (void)mf_drone_step(&r->drone);
}

static uint8_t answer(struct rig *r, uint16_t command)
{
    struct mf_msg_command_ack ack;
    /* with PX4's rules a mode has two */
    const int more = r->drone.vehicle.options.px4_strict && command == MAV_CMD_DO_SET_MODE;
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_COMMAND_ACK), 1 + more);
    assert_true(more == 0 || mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, command);
    assert_int_equal(ack.target_system, 245);
    assert_int_equal(ack.target_component, 190);
    return ack.result;
}

uint8_t rig_command(struct rig *r, uint16_t command, const float param[7])
{
    const struct mf_msg_command_long m = {
        .command = command,
        .target_system = 1,
        .target_component = 1,
        .param1 = param[0],
        .param2 = param[1],
        .param3 = param[2],
        .param4 = param[3],
        .param5 = param[4],
        .param6 = param[5],
        .param7 = param[6],
    };
    rig_send(r, MF_MSG_COMMAND_LONG, &m);
    return answer(r, command);
}

uint8_t rig_command_int(struct rig *r, uint16_t command, const float param[4], int32_t x, int32_t y,
                        float z)
{
    const struct mf_msg_command_int m = {
        .command = command,
        .target_system = 1,
        .target_component = 1,
        .frame = MAV_FRAME_GLOBAL_INT,
        .param1 = param[0],
        .param2 = param[1],
        .param3 = param[2],
        .param4 = param[3],
        .x = x,
        .y = y,
        .z = z,
    };
    rig_send(r, MF_MSG_COMMAND_INT, &m);
    return answer(r, command);
}

static void set(struct rig *r, const char *name, uint32_t bits, uint8_t type)
{
    struct mf_msg_param_set m = {
        .target_system = 1, .target_component = 1, .param_value = bits, .param_type = type};
    struct mf_msg_param_value got;
    memcpy(m.param_id, name, strlen(name) < sizeof m.param_id ? strlen(name) : sizeof m.param_id);
    while (mf_mock_take(&r->mock, 0, MF_MSG_PARAM_VALUE, &got)) {
    }
    rig_send(r, MF_MSG_PARAM_SET, &m);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_PARAM_VALUE, &got));
    assert_int_equal(got.param_value, bits);
    assert_int_equal(got.param_type, type);
}

void rig_set_f(struct rig *r, const char *name, float value)
{
    set(r, name, mf_f32_bits(value), MAV_PARAM_TYPE_REAL32);
}

void rig_set_i(struct rig *r, const char *name, int32_t value)
{
    set(r, name, (uint32_t)value, MAV_PARAM_TYPE_INT32);
}

/* marked: the item that has "current", -1 none */
static uint8_t upload(struct rig *r, uint8_t type, const struct mf_item *items, uint16_t count,
                      int marked)
{
    const struct mf_msg_mission_count m = {
        .count = count, .target_system = 1, .target_component = 1, .mission_type = type};
    struct mf_msg_mission_request_int request;
    struct mf_msg_mission_ack ack;
    rig_send(r, MF_MSG_MISSION_COUNT, &m);
    while (mf_mock_take(&r->mock, 0, MF_MSG_MISSION_REQUEST_INT, &request)) {
        const uint16_t i = request.seq;
        assert_true(i < count);
        const struct mf_msg_mission_item_int item = {
            .target_system = 1,
            .target_component = 1,
            .mission_type = type,
            .seq = i,
            .command = items[i].command,
            .frame = items[i].frame,
            .autocontinue = items[i].autocontinue,
            .current = i == marked,
            .param1 = items[i].param[0],
            .param2 = items[i].param[1],
            .param3 = items[i].param[2],
            .param4 = items[i].param[3],
            .x = items[i].x,
            .y = items[i].y,
            .z = items[i].z,
        };
        rig_send(r, MF_MSG_MISSION_ITEM_INT, &item);
    }
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ACK, &ack));
    return ack.type;
}

uint8_t rig_upload_plan(struct rig *r, uint8_t type, const struct mf_item *items, uint16_t count)
{
    return upload(r, type, items, count, 0);
}

void rig_upload(struct rig *r, const struct mf_item *items, uint16_t count)
{
    assert_int_equal(rig_upload_plan(r, MAV_MISSION_TYPE_MISSION, items, count),
                     MAV_MISSION_ACCEPTED);
}

void rig_upload_unmarked(struct rig *r, const struct mf_item *items, uint16_t count)
{
    assert_int_equal(upload(r, MAV_MISSION_TYPE_MISSION, items, count, -1), MAV_MISSION_ACCEPTED);
}

struct mf_pose rig_pose(struct rig *r)
{
    return mf_world_pose(&r->drone.world, r->mock.now.vehicle_us);
}

bool rig_said(struct rig *r, const char *part)
{
    struct mf_msg_statustext m;
    while (mf_mock_take(&r->mock, 0, MF_MSG_STATUSTEXT, &m)) {
        char text[sizeof m.text + 1] = {0};
        memcpy(text, m.text, sizeof m.text);
        if (strstr(text, part) != NULL) {
            return true;
        }
    }
    return false;
}

const float *rig_nan7(void)
{
    static float p[7];
    for (int i = 0; i < 7; i++) {
        p[i] = NAN;
    }
    return p;
}

bool rig_armed(const struct rig *r)
{
    return r->drone.vehicle.commander.armed;
}

bool rig_in_takeoff(const struct rig *r)
{
    return r->drone.vehicle.commander.mode == MF_MODE_TAKEOFF;
}

bool rig_moving(const struct rig *r)
{
    return r->drone.vehicle.navigator.phase != MF_NAV_IDLE;
}

uint32_t rig_mode_seen(struct rig *r)
{
    struct mf_msg_heartbeat m = {0};
    while (mf_mock_take(&r->mock, 0, MF_MSG_HEARTBEAT, &m)) {
    }
    return m.custom_mode;
}

uint8_t rig_landed_seen(struct rig *r)
{
    struct mf_msg_extended_sys_state m = {0};
    while (mf_mock_take(&r->mock, 0, MF_MSG_EXTENDED_SYS_STATE, &m)) {
    }
    return m.landed_state;
}

void rig_take_off(struct rig *r, float height_m)
{
    rig_set_f(r, "MIS_TAKEOFF_ALT", height_m);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_in_takeoff, 60.0);
    (void)rig_run_while(r, rig_moving, 20.0); /* a body with inertia has not come to rest yet */
    mf_mock_clear(&r->mock, 0);
}

struct rig *rig_airborne(float height_m)
{
    struct rig *r = rig_new(NULL);
    rig_take_off(r, height_m);
    return r;
}

struct mf_item rig_item(uint16_t command, uint8_t frame, int32_t x, int32_t y, float z, float p1)
{
    return (struct mf_item){
        .param = {mf_f32_bits(p1), 0, 0, mf_f32_bits(NAN)},
        .x = x,
        .y = y,
        .z = mf_f32_bits(z),
        .command = command,
        .frame = frame,
        .autocontinue = 1,
    };
}
