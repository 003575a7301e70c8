/* SPDX-License-Identifier: Apache-2.0 */
/* What clients, faults and clocks can do: one row per kind of input, in INPUT_LIST. */
#include "math/trig.h"
#include "mavlink/enums.h"
#include "mavlink/names.h"
#include "tests/sim/states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX  12u
#define PASSES_MAX 40 /* of one input that lets time pass */
#define S          MF_SECOND_US

/* ---- messages ---- */

unsigned states_any_port(struct states *s)
{
    const unsigned first = states_below(s, STATES_PORTS);
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        if (s->port[(first + i) % STATES_PORTS].link >= 0) {
            return (first + i) % STATES_PORTS;
        }
    }
    states_open(s, first, MF_PROFILE_sim);
    return first;
}

static void put(struct states *s, unsigned port, uint32_t msgid, const void *msg)
{
    union mf_msg m;
    uint8_t payload[MF_PAYLOAD_MAX];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    if (s->r->mock.port[port].gone) {
        return;
    }
    mf_msg_unpack(info, payload, mf_msg_pack(info, msg, payload), &m);
    mf_mock_feed_msg(&s->r->mock, (int)port, msgid, msg);
    states_expect(s, port, msgid, &m);
}

void states_feed(struct states *s, unsigned port, uint32_t msgid, const void *msg)
{
    put(s, port, msgid, msg);
    states_pass(s);
}

static struct mf_msg_command_long long_of(struct states *s, uint16_t command, const float p[7])
{
    return (struct mf_msg_command_long){
        .command = command,
        .target_system = states_any_target(s),
        .target_component = states_any_target(s),
        .param1 = p[0],
        .param2 = p[1],
        .param3 = p[2],
        .param4 = p[3],
        .param5 = p[4],
        .param6 = p[5],
        .param7 = p[6],
    };
}

void states_command(struct states *s, uint16_t id, const float p[7])
{
    const struct mf_msg_command_long m = long_of(s, id, p);
    if (s->trace) {
        fprintf(stderr, "  command %u (%g %g %g %g %g %g %g) to %u/%u\n", (unsigned)id,
                (double)p[0], (double)p[1], (double)p[2], (double)p[3], (double)p[4], (double)p[5],
                (double)p[6], m.target_system, m.target_component);
    }
    states_feed(s, states_any_port(s), MF_MSG_COMMAND_LONG, &m);
}

static void command_1(struct states *s, uint16_t id, float param1)
{
    states_command(s, id, (const float[7]){param1, 0, 0, NAN, NAN, NAN, NAN});
}

void states_command_int(struct states *s, uint16_t id, const float p[4], uint8_t frame)
{
    const bool relative = frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT;
    const struct mf_msg_command_int m = {
        .command = id,
        .target_system = states_any_target(s),
        .target_component = states_any_target(s),
        .frame = frame,
        .param1 = p[0],
        .param2 = p[1],
        .param3 = p[2],
        .param4 = p[3],
        .x = states_any_x(s, STATES_HOME_X),
        .y = states_any_x(s, STATES_HOME_Y),
        .z = states_any_altitude(s, relative),
    };
    if (s->trace) {
        fprintf(stderr, "  command %u (%g %g %g %g %d %d %g) in frame %u to %u/%u\n", (unsigned)id,
                (double)p[0], (double)p[1], (double)p[2], (double)p[3], m.x, m.y, (double)m.z,
                frame, m.target_system, m.target_component);
    }
    states_feed(s, states_any_port(s), MF_MSG_COMMAND_INT, &m);
}

/* ---- time ---- */

static void set_clock(struct states *s, mf_us_t vehicle_us, mf_us_t transport_us)
{
    s->r->mock.now = (struct mf_now){vehicle_us, transport_us};
}

/* Both clocks go through every due instant. */
void states_go_on(struct states *s, mf_us_t by_us)
{
    const mf_us_t end_us = by_us + s->r->mock.now.vehicle_us;
    for (int i = 0; i < PASSES_MAX && s->r->mock.now.vehicle_us < end_us; i++) {
        const struct mf_now now = s->r->mock.now;
        const mf_us_t due_us = mf_earlier(s->wake.essential_us, s->wake.periodic_us);
        mf_us_t by = mf_earlier(mf_earlier(due_us, end_us) - now.vehicle_us,
                                s->wake.transport_us - now.transport_us);
        by = mf_earlier(by, s->wake.limit_us > now.vehicle_us ? by : 10 * MF_MS_US);
        set_clock(s, now.vehicle_us + by, now.transport_us + by);
        states_pass(s);
    }
}

static void moment(struct states *s)
{
    states_go_on(s, (mf_us_t)states_below(s, 300000) + 1);
}

static void while_(struct states *s)
{
    states_go_on(s, (mf_us_t)states_below(s, 20000000) + 1);
}

/* An event clock: from one event to the next. */
static void events(struct states *s)
{
    for (uint32_t i = states_below(s, 8); i < 8; i++) {
        const struct mf_now now = s->r->mock.now;
        const mf_us_t at_us = s->wake.essential_us;
        if (at_us == MF_NEVER || at_us - now.vehicle_us > 3600 * S) {
            break;
        }
        if (mf_vehicle_moving(&s->r->drone.vehicle)) {
            mf_vehicle_jump_to(&s->r->drone.vehicle, at_us);
        }
        set_clock(s, at_us, now.transport_us + 100);
        states_pass(s);
    }
}

/* The host was busy elsewhere. */
static void sleep_(struct states *s)
{
    const uint32_t shift = states_below(s, 9);
    const mf_us_t by_us = (mf_us_t)states_below(s, 1000000) << shift;
    set_clock(s, s->r->mock.now.vehicle_us + by_us, s->r->mock.now.transport_us + by_us);
    states_pass(s);
}

static void vehicle_time(struct states *s)
{
    set_clock(s, s->r->mock.now.vehicle_us + states_below(s, 30000000),
              s->r->mock.now.transport_us);
    states_pass(s);
}

static void wall_time(struct states *s)
{
    set_clock(s, s->r->mock.now.vehicle_us, s->r->mock.now.transport_us + states_below(s, 7000000));
    states_pass(s);
}

/* ---- flight ---- */

static void arm(struct states *s)
{
    states_command(s, MAV_CMD_COMPONENT_ARM_DISARM,
                   (const float[7]){1.0f, states_chance(s, 20) ? 21196.0f : 0.0f});
}

static void disarm(struct states *s)
{
    states_command(s, MAV_CMD_COMPONENT_ARM_DISARM,
                   (const float[7]){0.0f, states_chance(s, 15) ? 21196.0f : 0.0f});
}

static void take_off(struct states *s)
{
    if (states_chance(s, 70)) {
        arm(s);
    }
    states_command(s, MAV_CMD_NAV_TAKEOFF,
                   (const float[7]){0, 0, 0, NAN, NAN, NAN,
                                    states_chance(s, 60) ? NAN : states_any_altitude(s, false)});
    if (states_chance(s, 70)) {
        events(s);
    }
}

static void land(struct states *s)
{
    command_1(s, MAV_CMD_NAV_LAND, 0.0f);
}

static void go_home(struct states *s)
{
    command_1(s, MAV_CMD_NAV_RETURN_TO_LAUNCH, 0.0f);
}

static void go_to(struct states *s)
{
    const float speed = states_chance(s, 70) ? -1.0f : states_any_float(s);
    const float flags = states_chance(s, 90) ? 1.0f : states_any_float(s);
    const uint8_t frame = states_any_frame(s);
    states_command_int(s, MAV_CMD_DO_REPOSITION,
                       (const float[4]){speed, flags, 0.0f, states_any_float(s)}, frame);
}

static void change_altitude(struct states *s)
{
    command_1(s, MAV_CMD_DO_CHANGE_ALTITUDE, states_any_altitude(s, false));
}

static void change_speed(struct states *s)
{
    states_command(s, MAV_CMD_DO_CHANGE_SPEED,
                   (const float[7]){1.0f, states_chance(s, 80)
                                              ? (float)states_between(s, -1.0, 20.0)
                                              : states_any_float(s)});
}

static void set_home(struct states *s)
{
    const float here = states_chance(s, 50) ? 1.0f : 0.0f;
    const uint8_t frame = states_any_frame(s);
    states_command_int(s, MAV_CMD_DO_SET_HOME,
                       (const float[4]){here, 0.0f, 0.0f, states_any_float(s)}, frame);
}

static void terminate(struct states *s)
{
    command_1(s, MAV_CMD_DO_FLIGHTTERMINATION, states_chance(s, 30) ? 1.0f : states_any_float(s));
}

/* ---- modes ---- */

static uint32_t any_custom(struct states *s)
{
    if (states_chance(s, 80)) {
        return mf_mode_custom((enum mf_mode)states_below(s, MF_MODE_COUNT));
    }
    const uint32_t main_mode = states_below(s, 12);
    return main_mode << 16 | states_below(s, 12) << 24;
}

static void old_mode(struct states *s)
{
    const struct mf_msg_set_mode m = {
        .custom_mode = any_custom(s),
        .target_system = states_any_target(s),
        .base_mode = states_chance(s, 85) ? MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
                                          : (uint8_t)states_below(s, 256),
    };
    states_feed(s, states_any_port(s), MF_MSG_SET_MODE, &m);
}

static void mode(struct states *s)
{
    const uint32_t custom = any_custom(s);
    states_command(
        s, MAV_CMD_DO_SET_MODE,
        (const float[7]){states_chance(s, 90) ? 1.0f : states_any_float(s),
                         states_chance(s, 95) ? (float)(custom >> 16 & 0xFFu) : states_any_float(s),
                         states_chance(s, 95) ? (float)(custom >> 24) : states_any_float(s)});
}

static void standard_mode(struct states *s)
{
    command_1(s, MAV_CMD_DO_SET_STANDARD_MODE, (float)states_below(s, 12));
}

/* ---- anything ---- */

static void any_command(struct states *s)
{
    static const uint16_t k_command[] = {
        16,  17,  20,   21,   22,   24,   34,   176,  178,  179,  185,  186,   189,
        192, 193, 195,  197,  201,  207,  209,  224,  241,  245,  252,  262,   300,
        310, 400, 401,  410,  420,  510,  511,  512,  519,  520,  521,  525,   526,
        528, 530, 1000, 2000, 2001, 2500, 2510, 2511, 3000, 4501, 5000, 31010, 42600,
    };
    float p[7];
    for (size_t i = 0; i < 7; i++) {
        p[i] = states_any_float(s);
    }
    const uint16_t id =
        states_chance(s, 90) ? STATES_PICK(s, k_command) : (uint16_t)states_below(s, 65536);
    if (states_chance(s, 50)) {
        states_command(s, id, p);
    } else {
        states_command_int(s, id, p, states_any_frame(s));
    }
}

/* Several commands at once. */
static void burst(struct states *s)
{
    const unsigned port = states_any_port(s);
    for (uint32_t i = states_below(s, 8); i < 10; i++) {
        static const uint16_t k_command[] = {17, 20, 21, 22, 300, 400, 400, 401, 192};
        const uint16_t command = STATES_PICK(s, k_command);
        const struct mf_msg_command_long m =
            long_of(s, command,
                    (const float[7]){(float)states_below(s, 2), 0, 0, NAN, NAN, NAN,
                                     states_any_altitude(s, false)});
        put(s, port, MF_MSG_COMMAND_LONG, &m);
    }
    states_pass(s);
}

/* Any message of the table with any content, mostly addressed to the vehicle. Left out is what
 * would make it deaf to these clients, who do not sign. */
static void any_message(struct states *s)
{
    size_t count;
    union mf_msg m;
    uint8_t payload[MF_PAYLOAD_MAX];
    const unsigned port = states_any_port(s);
    const struct mf_msg_info *info = &mf_msg_table(&count)[0];
    info += states_below(s, (uint32_t)count);
    if (info->id == MF_MSG_SETUP_SIGNING ||
        (s->r->mock.port[port].peer.version == 1 && info->id > 255)) {
        return;
    }
    const uint32_t zeros = states_below(s, 100);
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = states_chance(s, zeros) ? 0 : (uint8_t)states_below(s, 256);
    }
    mf_msg_unpack(info, payload, states_below(s, info->len_max + 1u), &m);
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *field = &mf_fields()[info->field_first + i];
        const char *name = mf_field_name(info, i);
        uint8_t *at = (uint8_t *)&m + field->offset;
        if (strcmp(name, "target_system") == 0 || strcmp(name, "target_component") == 0) {
            *at = states_any_target(s);
        } else if (field->type == MF_WIRE_f32) {
            for (size_t k = 0; k < field->count; k++) {
                const float value = states_any_float(s);
                memcpy(at + k * sizeof value, &value, sizeof value);
            }
        }
    }
    if (s->trace) {
        fprintf(stderr, "  %s\n", mf_msg_name(info->id));
    }
    states_feed(s, port, info->id, &m);
}

static void ground_station(struct states *s)
{
    const struct mf_msg_heartbeat m = {.type = MAV_TYPE_GCS,
                                       .autopilot = MAV_AUTOPILOT_INVALID,
                                       .system_status = MAV_STATE_ACTIVE,
                                       .mavlink_version = 3};
    states_feed(s, states_any_port(s), MF_MSG_HEARTBEAT, &m);
}

static void pass_gap(struct states *s)
{
    set_clock(s, s->r->mock.now.vehicle_us, s->r->mock.now.transport_us + MF_SECOND_US);
    states_pass(s);
}

/* Bytes; then silence, so that a frame that they began is over. */
static void noise(struct states *s)
{
    uint8_t bytes[300];
    const size_t n = states_below(s, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = states_chance(s, 5) ? MF_STX_V2 : (uint8_t)states_below(s, 256);
    }
    mf_mock_feed(&s->r->mock, (int)states_any_port(s), bytes, n);
    states_pass(s);
    pass_gap(s);
}

/* A frame in two parts, sometimes without the second. */
static void halves(struct states *s)
{
    const unsigned port = states_any_port(s);
    struct mf_sender *peer = &s->r->mock.port[port].peer;
    uint8_t bytes[MF_FRAME_MAX];
    union mf_msg m = {.command_long = long_of(s, MAV_CMD_RUN_PREARM_CHECKS, (const float[7]){0})};
    const size_t n = mf_frame_encode(peer, mf_msg_find(MF_MSG_COMMAND_LONG), &m, bytes);
    const size_t cut = s->r->mock.port[port].datagram ? n : states_below(s, (uint32_t)n + 1);
    peer->seq++;
    if (s->r->mock.port[port].gone) {
        return;
    }
    mf_mock_feed(&s->r->mock, (int)port, bytes, cut);
    if (cut < n) {
        states_pass(s);
    }
    if (cut == n || states_chance(s, 70)) {
        mf_mock_feed(&s->r->mock, (int)port, bytes + cut, n - cut);
        states_expect(s, port, MF_MSG_COMMAND_LONG, &m);
        states_pass(s);
    }
    pass_gap(s);
}

/* ---- missions, fences, rally points ---- */

/* An upload by a client that makes mistakes. */
static void upload(struct states *s)
{
    const unsigned port = states_any_port(s);
    const uint8_t type = states_chance(s, 75) ? 0 : (uint8_t)states_below(s, 4);
    const uint16_t count = (uint16_t)states_below(s, ITEMS_MAX + 1);
    const struct mf_msg_mission_count m = {.count = count,
                                           .target_system = 1,
                                           .target_component = states_any_target(s),
                                           .mission_type = type};
    s->port[port].wanted = -1;
    s->port[port].ended = false;
    states_feed(s, port, MF_MSG_MISSION_COUNT, &m);
    for (uint32_t i = 0; i < count + 4u && !s->port[port].ended && s->port[port].wanted >= 0; i++) {
        const uint32_t pick = states_below(s, s->careful ? 96 : 100);
        const uint16_t seq = pick < 3 && !s->careful ? (uint16_t)states_below(s, 20)
                                                     : (uint16_t)s->port[port].wanted;
        const struct mf_msg_mission_item_int item = states_plan_item(s, type, seq, count);
        if (pick == 99) {
            return; /* it gives up */
        }
        if (pick > 95) {
            moment(s);
        }
        if (s->port[port].link < 0) {
            return;
        }
        if (pick > 93) {
            put(s, port, MF_MSG_MISSION_ITEM_INT, &item);
        }
        states_feed(s, port, MF_MSG_MISSION_ITEM_INT, &item);
    }
}

static void clear_plan(struct states *s)
{
    const struct mf_msg_mission_clear_all m = {
        .target_system = 1,
        .target_component = states_any_target(s),
        .mission_type = states_chance(s, 20) ? 255 : (uint8_t)states_below(s, 4)};
    states_feed(s, states_any_port(s), MF_MSG_MISSION_CLEAR_ALL, &m);
}

static void set_current(struct states *s)
{
    const struct mf_msg_mission_set_current m = {
        .seq = (uint16_t)states_below(s, ITEMS_MAX), .target_system = 1, .target_component = 1};
    states_feed(s, states_any_port(s), MF_MSG_MISSION_SET_CURRENT, &m);
}

static void download(struct states *s)
{
    const unsigned port = states_any_port(s);
    const uint8_t type = (uint8_t)states_below(s, 3);
    const struct mf_msg_mission_request_list m = {
        .target_system = 1, .target_component = 1, .mission_type = type};
    states_feed(s, port, MF_MSG_MISSION_REQUEST_LIST, &m);
    const uint16_t items = (uint16_t)states_below(s, ITEMS_MAX);
    for (uint16_t i = 0; i < items; i++) {
        const struct mf_msg_mission_request_int item = {
            .seq = i, .target_system = 1, .target_component = 1, .mission_type = type};
        states_feed(s, port, MF_MSG_MISSION_REQUEST_INT, &item);
    }
    const struct mf_msg_mission_ack ack = {
        .target_system = 1, .target_component = 1, .mission_type = type};
    states_feed(s, port, MF_MSG_MISSION_ACK, &ack);
}

static void start_mission(struct states *s)
{
    states_command(s, MAV_CMD_MISSION_START,
                   (const float[7]){states_chance(s, 80) ? 0.0f : states_any_float(s), 0.0f});
    if (states_chance(s, 50)) {
        events(s);
    }
}

/* ---- parameters ---- */

static void set_param(struct states *s, enum mf_param param, uint32_t bits, bool as_float)
{
    struct mf_msg_param_set m = {
        .target_system = 1,
        .target_component = states_any_target(s),
        .param_value = bits,
        .param_type = as_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32,
    };
    memcpy(m.param_id, mf_param_info(param)->name, sizeof m.param_id);
    if (s->trace) {
        fprintf(stderr, "  %s = %08x\n", mf_param_info(param)->name, (unsigned)bits);
    }
    states_feed(s, states_any_port(s), MF_MSG_PARAM_SET, &m);
}

/* Any parameter, mostly within its range. */
static void any_param(struct states *s)
{
    const enum mf_param param = (enum mf_param)states_below(s, MF_PARAM_COUNT);
    const struct mf_param_info *info = mf_param_info(param);
    if (param == MF_PARAM_MAV_SIGN_CFG) {
        return; /* it would be deaf to clients who do not sign */
    }
    if (states_chance(s, 10)) {
        const bool as_float = states_chance(s, 50);
        set_param(s, param, mf_f32_bits(states_any_float(s)), as_float);
    } else if (info->is_float) {
        const float value = (float)states_between(s, (double)info->min.f, (double)info->max.f);
        set_param(s, param, mf_f32_bits(value), true);
    } else {
        const double value = states_between(s, (double)info->min.i, (double)info->max.i);
        set_param(s, param, (uint32_t)(int32_t)value, false);
    }
}

/* Those that decide what happens, with values that clients give them. */
static void flight_param(struct states *s)
{
    static const struct {
        enum mf_param param;
        float low, high;
    } k_param[] = {
        {MF_PARAM_COM_DISARM_LAND, -1, 5}, {MF_PARAM_COM_DISARM_PRFLT, -1, 20},
        {MF_PARAM_COM_FAIL_ACT_T, 0, 8},   {MF_PARAM_COM_LOW_BAT_ACT, 0, 3},
        {MF_PARAM_COM_TAKEOFF_ACT, 0, 1},  {MF_PARAM_COM_RC_IN_MODE, 0, 4},
        {MF_PARAM_COM_OBL_RC_ACT, 0, 8},   {MF_PARAM_COM_DL_LOSS_T, 1, 15},
        {MF_PARAM_GF_ACTION, 0, 5},        {MF_PARAM_GF_MAX_HOR_DIST, 0, 150},
        {MF_PARAM_GF_MAX_VER_DIST, 0, 60}, {MF_PARAM_GF_PREDICT, 0, 1},
        {MF_PARAM_MF_ARM_MODE, 0, 1},      {MF_PARAM_MF_RTL_LAND_MODE, 0, 1},
        {MF_PARAM_MIS_TAKEOFF_ALT, 1, 30}, {MF_PARAM_MPC_XY_CRUISE, 2, 20},
        {MF_PARAM_MPC_YAW_MODE, 0, 4},     {MF_PARAM_NAV_DLL_ACT, 0, 6},
        {MF_PARAM_NAV_RCL_ACT, 0, 6},      {MF_PARAM_NAV_ACC_RAD, 0.1f, 20},
        {MF_PARAM_RTL_LAND_DELAY, -1, 10}, {MF_PARAM_RTL_RETURN_ALT, 5, 60},
        {MF_PARAM_RTL_DESCEND_ALT, 2, 30}, {MF_PARAM_RTL_TYPE, 0, 5},
        {MF_PARAM_RTL_CONE_ANG, 0, 90},    {MF_PARAM_MAV_PROTO_VER, 0, 2},
        {MF_PARAM_MPC_Z_V_AUTO_DN, 1, 10}, {MF_PARAM_MPC_Z_V_AUTO_UP, 1, 10},
        {MF_PARAM_COM_ARM_MIS_REQ, 0, 1},  {MF_PARAM_COM_HOME_EN, 0, 1},
    };
    const uint32_t i = states_below(s, sizeof k_param / sizeof k_param[0]);
    const double value = states_between(s, (double)k_param[i].low, (double)k_param[i].high + 0.999);
    if (mf_param_info(k_param[i].param)->is_float) {
        set_param(s, k_param[i].param, mf_f32_bits((float)value), true);
    } else {
        set_param(s, k_param[i].param, (uint32_t)(int32_t)(value < 0.0 ? value - 0.999 : value),
                  false);
    }
}

static void read_params(struct states *s)
{
    const struct mf_msg_param_request_list list = {.target_system = 1, .target_component = 1};
    const struct mf_msg_param_request_read one = {
        .param_index = (int16_t)(states_below(s, MF_PARAM_COUNT + 5) - 2),
        .target_system = 1,
        .target_component = 1};
    if (states_chance(s, 20)) {
        states_feed(s, states_any_port(s), MF_MSG_PARAM_REQUEST_LIST, &list);
    } else {
        states_feed(s, states_any_port(s), MF_MSG_PARAM_REQUEST_READ, &one);
    }
}

static void storage(struct states *s)
{
    command_1(s, MAV_CMD_PREFLIGHT_STORAGE, (float)states_below(s, 6));
}

/* ---- requests ---- */

static uint32_t any_msgid(struct states *s)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    return states_chance(s, 60) ? mf_stream_msgid((enum mf_stream)states_below(s, MF_STREAM_COUNT))
                                : table[states_below(s, (uint32_t)count)].id;
}

static void interval(struct states *s)
{
    static const float k_us[] = {-1.0f, 0.0f, 100000.0f, 50000.0f, 500000.0f, 2000000.0f, 10000.0f};
    states_command(s, MAV_CMD_SET_MESSAGE_INTERVAL,
                   (const float[7]){(float)any_msgid(s), states_chance(s, 95)
                                                             ? STATES_PICK(s, k_us)
                                                             : states_any_float(s)});
}

static void request(struct states *s)
{
    states_command(
        s, MAV_CMD_REQUEST_MESSAGE,
        (const float[7]){(float)any_msgid(s), states_chance(s, 80) ? 0.0f : states_any_float(s)});
}

static void barrier(struct states *s)
{
    states_command(s, MAV_CMD_USER_1,
                   (const float[7]){(float)states_below(s, 5), (float)states_between(s, 0.0, 5.0)});
}

/* ---- faults ---- */

static void fail_gps(struct states *s)
{
    states_command(s, MAV_CMD_INJECT_FAILURE,
                   (const float[7]){4.0f, states_chance(s, 20) ? 1.0f : 0.0f, 0.0f});
}

static void any_failure(struct states *s)
{
    states_command(s, MAV_CMD_INJECT_FAILURE,
                   (const float[7]){(float)states_below(s, 16), (float)states_below(s, 8)});
}

/* As the control API does. */
static void any_fault(struct states *s)
{
    struct mf_vehicle *v = &s->r->drone.vehicle;
    const enum mf_fault fault = (enum mf_fault)states_below(s, MF_FAULT_COUNT);
    const bool on = states_chance(s, 40);
    const int err = mf_vehicle_inject(v, v->now.vehicle_us, fault, on, NULL);
    if (s->trace) {
        fprintf(stderr, "  fault %d %s: %d\n", (int)fault, on ? "on" : "off", err);
    }
}

static void battery(struct states *s)
{
    static const float k_level[] = {1.0f, 1.0f,  1.0f, 1.0f,  1.0f,  1.0f, 0.5f,
                                    0.2f, 0.14f, 0.1f, 0.06f, 0.04f, 0.0f, -1.0f};
    struct mf_vehicle *v = &s->r->drone.vehicle;
    s->r->drone.world.battery.state.remaining = STATES_PICK(s, k_level);
    mf_wake_at(v, MF_TASK_HEALTH, s->r->mock.now.vehicle_us);
    states_pass(s);
}

static void broken_store(struct states *s)
{
    struct mf_mock_store *store = &s->r->mock.store;
    store->result = states_chance(s, 25) ? MF_E_IO : MF_E_OK;
    store->get_result = states_chance(s, 10) ? MF_E_IO : MF_E_OK;
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        store->capacity[i] = states_chance(s, 80) ? MF_MOCK_RECORDS : (uint16_t)states_below(s, 8);
        if (store->capacity[i] < store->count[i]) {
            store->capacity[i] = MF_MOCK_RECORDS;
        }
    }
}

/* A device takes no more, or only a little; or it does again. */
static void room(struct states *s)
{
    struct mf_mock_port *port = &s->r->mock.port[states_any_port(s)];
    port->room = port->room == SIZE_MAX ? states_below(s, 2000) : SIZE_MAX;
    states_pass(s);
}

static void open_link(struct states *s)
{
    const unsigned port = states_below(s, STATES_PORTS);
    if (s->port[port].link < 0) {
        states_open(s, port, (enum mf_rate_profile)states_below(s, MF_PROFILE_COUNT));
    }
}

static void close_link(struct states *s)
{
    const unsigned port = states_below(s, STATES_PORTS);
    if (s->port[port].link >= 0) {
        s->r->mock.port[port].gone = states_chance(s, 50);
        states_pass(s);
        if (s->port[port].link >= 0) {
            states_close(s, port);
        }
    }
}

static void reboot(struct states *s)
{
    disarm(s);
    command_1(s, MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, (float)states_below(s, 5));
}

/* ---- the table ---- */

/* weight, input */
/* clang-format off */
#define INPUT_LIST(X)     \
    X(80, moment)         \
    X(20, while_)         \
    X(40, events)         \
    X(10, sleep_)         \
    X(8, vehicle_time)    \
    X(8, wall_time)       \
    X(20, arm)            \
    X(8, disarm)          \
    X(60, take_off)       \
    X(15, land)           \
    X(15, go_home)        \
    X(40, go_to)          \
    X(10, change_altitude) \
    X(10, change_speed)   \
    X(8, set_home)        \
    X(3, terminate)       \
    X(10, states_orbit)          \
    X(15, states_roi)            \
    X(20, states_steer)          \
    X(10, old_mode)       \
    X(25, mode)           \
    X(10, standard_mode)  \
    X(30, any_command)    \
    X(10, burst)          \
    X(40, any_message)    \
    X(20, ground_station) \
    X(8, noise)           \
    X(8, halves)          \
    X(30, upload)         \
    X(5, clear_plan)      \
    X(10, set_current)    \
    X(5, download)        \
    X(30, start_mission)  \
    X(15, any_param)      \
    X(40, flight_param)   \
    X(5, read_params)     \
    X(3, storage)         \
    X(10, interval)       \
    X(10, request)        \
    X(8, barrier)         \
    X(20, fail_gps)       \
    X(3, any_failure)     \
    X(10, any_fault)      \
    X(15, battery)        \
    X(4, broken_store)    \
    X(8, room)            \
    X(10, open_link)      \
    X(8, close_link)      \
    X(4, reboot)
/* clang-format on */

static const struct {
    uint32_t weight;
    const char *name;
    void (*run)(struct states *s);
} k_input[] = {
#define X(weight, name) {weight, #name, name},
    INPUT_LIST(X)
#undef X
};
#define INPUTS (sizeof k_input / sizeof k_input[0])
#define REBOOT (INPUTS - 1) /* the last row */

void states_input(struct states *s)
{
    uint32_t total = 0;
    size_t i = 0;
    for (size_t k = 0; k < INPUTS; k++) {
        total += k_input[k].weight;
    }
    uint32_t pick = states_below(s, total);
    while (pick >= k_input[i].weight) {
        pick -= k_input[i++].weight;
    }
    if (s->mode == MF_MODE_TERMINATION && states_chance(s, 10)) {
        i = REBOOT; /* nothing else leads out of it */
    }
    s->row = k_input[i].name;
    s->careful = states_chance(s, 60);
    if (s->trace) {
        fprintf(stderr, "%u: %s at %.6f\n", (unsigned)s->step, s->row,
                (double)s->r->mock.now.vehicle_us / 1e6);
    }
    k_input[i].run(s);
    states_pass(s);
    s->step++;
}
