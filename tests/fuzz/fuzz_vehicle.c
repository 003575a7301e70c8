/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes a whole vehicle in its world. An input is a list of records: time passes, a message of
 * those that have handlers arrives with any payload, a command, a mission, bytes, a link comes or
 * goes. What must hold for any of them is checked after each pass, and abort() called if it does
 * not.
 *
 *     make fuzz    # or: build/fuzz/tests/fuzz/fuzz_vehicle tests/fuzz/corpus/vehicle
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drone/drone.h"
#include "mavlink/enums.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_archive.h"
#include "tests/unit/support/firmware.h"

#define LINKS       2
#define RECORDS     32 /* of each area of the store */
#define INBOX       1024
#define STEPS_MAX   100                  /* due times that one record of time goes through */
#define TIME_MAX_US (600 * MF_SECOND_US) /* that one input may take */
#define TASKS_MAX   200000u              /* that one pass may run */
#define RECORDS_MAX 64                   /* of one input */
#define ITEMS_MAX   8
#define GCS_SYSID   245
#define GCS_COMPID  190
#define VEHICLE     1

/* The input, read from its front; at its end come zeros. */
struct input {
    const uint8_t *at;
    size_t left;
};

static uint8_t take_u8(struct input *in)
{
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

static uint32_t take_u32(struct input *in)
{
    uint32_t x = 0;
    for (unsigned i = 0; i < 4; i++) {
        x |= (uint32_t)take_u8(in) << 8 * i;
    }
    return x;
}

/* One peer: what it has sent, and what it has seen. */
struct peer {
    int link; /* -1: not connected */
    uint8_t inbox[INBOX];
    size_t inbox_len;
    uint8_t tx_seq; /* of what it sends */
    uint8_t rx_seq; /* of the frame it expects */
    uint32_t acks;
    uint16_t acked; /* command of the last one */
    uint8_t result;
};

/* A store of two banks per area. */
struct store {
    uint8_t record[MF_STORE_AREA_COUNT][2][RECORDS][32];
    uint16_t count[MF_STORE_AREA_COUNT];
    uint32_t tag[MF_STORE_AREA_COUNT];
    uint8_t active[MF_STORE_AREA_COUNT];
};

struct world {
    struct mf_now now;
    struct mf_journal journal;
    struct mf_memory memory; /* of its parts */
    uint8_t parts[MF_WORLD_PARTS_BYTES];
    struct store store;
    struct peer peer[LINKS];
    struct mf_link links[LINKS];
    struct mf_shell shells[LINKS];
    struct mf_signing signing;
    struct mf_ftp ftp;
    struct mf_drone drone;
    struct mf_item item[ITEMS_MAX]; /* of the mission that is being uploaded */
    struct mf_options options;
};

static struct world g_world;

/* Each peer is somebody else of one system. */
static uint8_t compid_of(const struct peer *p)
{
    return (uint8_t)(GCS_COMPID + (p - g_world.peer));
}

/* ---- devices ---- */

static struct mf_now clock_read(void *ctx)
{
    return ((const struct world *)ctx)->now;
}

static size_t record_size(enum mf_store_area area)
{
    return area == MF_STORE_PARAM ? 24 : 32;
}

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    const struct store *s = ctx;
    *info =
        (struct mf_store_info){.tag = s->tag[area], .count = s->count[area], .capacity = RECORDS};
    return MF_E_OK;
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    const struct store *s = ctx;
    if (index >= s->count[area]) {
        return MF_E_RANGE;
    }
    memcpy(record, s->record[area][s->active[area]][index], record_size(area));
    return MF_E_OK;
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    struct store *s = ctx;
    if (index >= RECORDS) {
        return MF_E_FULL;
    }
    memcpy(s->record[area][1 - s->active[area]][index], record, record_size(area));
    return MF_E_OK;
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct store *s = ctx;
    check(count <= RECORDS);
    s->active[area] = (uint8_t)(1 - s->active[area]);
    s->count[area] = count;
    s->tag[area] = tag;
    return MF_E_OK;
}

/* What a peer sees of the vehicle: whole frames, numbered without a gap. What others say through it
 * never claims to be its own, nor the peer's. */
static void see(struct peer *p, const struct mf_frame *frame)
{
    union mf_msg m;
    if (frame->info == NULL || frame->sysid != VEHICLE || frame->compid != VEHICLE) {
        check(frame->sysid != GCS_SYSID || frame->compid != compid_of(p));
        check(frame->info == NULL || frame->info->id != MF_MSG_SETUP_SIGNING);
        return;
    }
    check(frame->seq == p->rx_seq++);
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    switch (frame->info->id) {
    case MF_MSG_COMMAND_ACK:
        check(m.command_ack.target_system == GCS_SYSID);
        p->acks++;
        p->acked = m.command_ack.command;
        p->result = m.command_ack.result;
        break;
    case MF_MSG_EXTENDED_SYS_STATE:
        check(m.extended_sys_state.landed_state >= 1 && m.extended_sys_state.landed_state <= 4);
        break;
    case MF_MSG_GLOBAL_POSITION_INT:
        check(m.global_position_int.lat >= -900000000 && m.global_position_int.lat <= 900000000);
        check(m.global_position_int.lon >= -1800000000 && m.global_position_int.lon <= 1800000000);
        break;
    default:
        break;
    }
}

static int serial_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_parser parser = {.keep_unknown = true};
    struct mf_frame frame;
    check(mf_parser_feed(&parser, bytes, n) == n);
    bool found = mf_parser_next(&parser, &frame) || mf_parser_last(&parser, &frame);
    while (!found && mf_parser_pending(&parser)) { /* an unknown one, and in it half a known one */
        mf_parser_flush(&parser);
        found = mf_parser_next(&parser, &frame) || mf_parser_last(&parser, &frame);
    }
    check(found && frame.raw_len == n && !mf_parser_pending(&parser));
    see(ctx, &frame);
    return (int)n;
}

static int serial_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct peer *p = ctx;
    const size_t n = p->inbox_len < cap ? p->inbox_len : cap;
    memcpy(bytes, p->inbox, n);
    memmove(p->inbox, p->inbox + n, p->inbox_len - n);
    p->inbox_len -= n;
    return (int)n;
}

static size_t serial_room(void *ctx)
{
    (void)ctx;
    return 65536;
}

static const struct mf_clock_ops k_clock = {.read = clock_read};
static const struct mf_store_ops k_store = {
    .info = store_info, .get = store_get, .put = store_put, .commit = store_commit};
static const struct mf_serial_ops k_serial = {
    .write = serial_write, .read = serial_read, .room = serial_room};

/* ---- the drone ---- */

static const struct mf_world_settings k_same; /* a boot in the same world reads none */

static void connect(struct world *w, int index)
{
    struct peer *p = &w->peer[index];
    static int32_t s_interval_us[sizeof w->peer / sizeof w->peer[0]][MF_STREAM_COUNT];
    int32_t *interval_us = s_interval_us[index];
    mf_stream_profile(index == 0 ? MF_PROFILE_min : MF_PROFILE_sim, interval_us);
    p->inbox_len = 0;
    p->rx_seq = 0;
    const struct mf_drone_link link = {
        .serial = {.ops = &k_serial, .ctx = p, .datagram = index == 1},
        .name = "fuzz",
        .interval_us = interval_us};
    p->link = mf_drone_open(&w->drone, &link);
    check(p->link >= 0);
}

/* @param world  it begins; NULL: the vehicle boots in the one that it has */
static void boot(struct world *w, const struct mf_world_settings *world)
{
    struct mf_drone_setup setup = {.world = world != NULL ? world : &k_same,
                                   .vehicle = {
                                       .hal = mf_hal_null(),
                                       .links = w->links,
                                       .shells = w->shells,
                                       .signing = &w->signing,
                                       .ftp = &w->ftp,
                                       .link_count = LINKS,
                                       .sysid = VEHICLE,
                                       .compid = VEHICLE,
                                       .options = w->options,
                                       .journal = &w->journal,
                                   }};
    setup.vehicle.hal.clock = &k_clock;
    setup.vehicle.hal.clock_ctx = w;
    setup.vehicle.hal.store = &k_store;
    setup.vehicle.hal.store_ctx = &w->store;
    setup.vehicle.hal.archive = &k_archive;
    setup.vehicle.hal.archive_ctx = &g_archive;
    const int result =
        world != NULL ? mf_drone_init(&w->drone, &setup) : mf_drone_reboot(&w->drone, &setup);
    check(result == MF_E_OK);
    w->peer[0].link = w->peer[1].link = -1;
    connect(w, 0);
}

static void check_vehicle(struct world *w)
{
    const struct mf_vehicle *v = &w->drone.vehicle;
    const struct mf_pose pose = mf_world_pose(&w->drone.world, w->now.vehicle_us);
    const bool motors = v->options.px4_motion ? w->drone.world.parts.physics->now.armed
                                              : w->drone.world.constant.armed;
    const bool thrust_rises = v->options.px4_strict && v->options.px4_motion &&
                              v->commander.landed == MF_LANDED_TAKEOFF; /* as PX4 detects it */
    check(pose.alt_amsl_m >= pose.ground_amsl_m);
    check(pose.lat_deg >= -90.0 && pose.lat_deg <= 90.0);
    check(pose.lon_deg >= -180.0 && pose.lon_deg <= 180.0);
    check(v->commander.landed >= MF_LANDED_ON_GROUND && v->commander.landed <= MF_LANDED_LANDING);
    check((v->commander.landed == MF_LANDED_ON_GROUND) == pose.on_ground || thrust_rises);
    check(v->commander.mode < MF_MODE_COUNT && v->navigator.phase <= MF_NAV_STEER);
    check(motors == (v->commander.armed && v->commander.mode != MF_MODE_TERMINATION &&
                     !w->drone.world.faults.motors_off));
    check(v->commander.armed || v->commander.disarm_us == MF_NEVER);
    check(v->navigator.mode == v->commander.mode);
    check(v->mission.current == 0 || v->mission.current < v->mission.count);
    check(v->mission.reached < (int32_t)v->mission.count);
    check(v->links_open <= LINKS && v->links_top <= LINKS && v->sysid == VEHICLE);
    check(mf_param_i(&v->params, MF_PARAM_MAV_SYS_ID) == VEHICLE);
    check(v->fence.breach < 8 && (v->fence.breach == 0 || v->fence.breaches > 0));
    check(v->fence.astray < (int32_t)v->mission.count && v->fence.items <= RECORDS);
}

static struct mf_wake step(struct world *w)
{
    struct mf_vehicle *v = &w->drone.vehicle;
    const uint32_t tasks = v->counters.tasks;
    const struct mf_wake wake = mf_drone_step(&w->drone);
    check(wake.essential_us > w->now.vehicle_us && wake.periodic_us > w->now.vehicle_us);
    check(wake.transport_us > w->now.transport_us);
    check(v->counters.tasks - tasks < TASKS_MAX);
    check_vehicle(w);
    if (v->reboot || v->shutdown) {
        boot(w, NULL);
    }
    return wake;
}

static mf_us_t least(mf_us_t a, mf_us_t b)
{
    return a < b ? a : b;
}

/* Both clocks, or one of them, go on: by every due time, or in one go as with a host that slept. */
static void pass_time(struct world *w, mf_us_t by_us, uint8_t how)
{
    const mf_us_t vehicle_us = (how & 3u) == 1 ? 0 : by_us;
    const mf_us_t transport_us = (how & 3u) == 2 ? 0 : by_us;
    const struct mf_now end = {w->now.vehicle_us + vehicle_us, w->now.transport_us + transport_us};
    for (int i = 0; i < STEPS_MAX && (how & 4u) == 0; i++) {
        const struct mf_wake wake = step(w);
        const mf_us_t due_us = least(wake.essential_us, wake.periodic_us);
        const mf_us_t left_v = least(due_us, end.vehicle_us) - w->now.vehicle_us;
        const mf_us_t left_t = least(wake.transport_us, end.transport_us) - w->now.transport_us;
        const mf_us_t go_us = vehicle_us == 0     ? left_t
                              : transport_us == 0 ? left_v
                                                  : least(left_v, left_t);
        if (go_us <= 0) {
            break;
        }
        w->now.vehicle_us += vehicle_us == 0 ? 0 : go_us;
        w->now.transport_us += transport_us == 0 ? 0 : go_us;
    }
    w->now = end;
    (void)step(w);
}

/* ---- what a peer sends ---- */

static void send_bytes(struct peer *p, const uint8_t *bytes, size_t n)
{
    if (p->inbox_len + n <= INBOX) {
        memcpy(p->inbox + p->inbox_len, bytes, n);
        p->inbox_len += n;
    }
}

/* The second peer knows the key, if there is one. */
static void send_msg(struct peer *p, uint32_t msgid, const void *msg)
{
    struct mf_signing *s = &g_world.signing;
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_sender from = {2, p->tx_seq++, GCS_SYSID, compid_of(p)};
    const struct mf_msg_info *info = mf_msg_find(msgid);
    size_t n = mf_frame_encode(&from, info, msg, frame);
    if (p == &g_world.peer[1] && s->has_key && s->time < MF_SIGN_TIME_MAX) {
        const struct mf_signature by = {.link_id = 0, .time = s->time + 1};
        n = mf_frame_sign(frame, n, info, s->key, by);
    }
    send_bytes(p, frame, n);
}

/* Values that break things, and some that make it fly. */
static float take_float(struct input *in)
{
    static const float k_value[] = {
        0.0f,    1.0f,          2.0f,     3.0f,     4.0f,    5.0f,     6.0f,        7.0f,
        -1.0f,   0.5f,          10.0f,    47.3977f, 8.5456f, 47.4f,    8.55f,       488.0f,
        490.0f,  500.0f,        100.0f,   101.0f,   255.0f,  65535.0f, 21196.0f,    1e-30f,
        1e9f,    3.4e38f,       -3.4e38f, 90.0f,    180.0f,  -1e9f,    1e6f,        2147483648.0f,
        -180.0f, 2147483520.0f, 4e9f,     -2.0f,    1e-45f,  0.1f,     16777216.0f, 60.0f,
    };
    const uint8_t pick = take_u8(in);
    if (pick < sizeof k_value / sizeof k_value[0]) {
        return k_value[pick];
    }
    static const uint32_t k_bits[] = {0x7FC00000u, 0x7F800000u, 0xFF800000u, 0xFFC00001u};
    if (pick < 200) {
        return mf_f32_from_bits(k_bits[pick % 4u]);
    }
    return mf_f32_from_bits(take_u32(in));
}

static uint16_t take_command(struct input *in)
{
    static const uint16_t k_command[] = {
        16,  17,  20,  21,  22,  24,  34,  176, 178, 179, 185, 186, 192, 193, 224, 241,  245,  246,
        262, 300, 400, 401, 410, 420, 510, 511, 512, 519, 520, 525, 528, 34,  201, 1000, 2000,
    };
    const uint8_t pick = take_u8(in);
    if (pick < 250) {
        return k_command[pick % (sizeof k_command / sizeof k_command[0])];
    }
    return (uint16_t)take_u32(in);
}

static struct mf_msg_command_int take_command_int(struct input *in, uint8_t how)
{
    static const int32_t k_place[] = {473977420, 85455940,  INT32_MAX,  INT32_MIN,
                                      0,         900000000, 0x7FF80000, 1800000000};
    struct mf_msg_command_int m = {
        .command = take_command(in),
        .target_system = (how & 0x30u) == 0x30u ? 2
                         : (how & 0x10u) != 0   ? 0
                                                : VEHICLE,
        .target_component = (how & 0x20u) != 0 ? 0 : VEHICLE,
        .frame = take_u8(in),
    };
    m.param1 = take_float(in);
    m.param2 = take_float(in);
    m.param3 = take_float(in);
    m.param4 = take_float(in);
    m.x = (how & 0x40u) != 0 ? k_place[take_u8(in) % 8u] : 473977420 + (int8_t)take_u8(in) * 1000;
    m.y = (how & 0x40u) != 0 ? k_place[take_u8(in) % 8u] : 85455940 + (int8_t)take_u8(in) * 1000;
    m.z = take_float(in);
    m.frame = m.frame < 240 ? (uint8_t)(m.frame % 8u) : m.frame;
    return m;
}

/* Answers of the vehicle to a command, at most. PX4 answers three commands twice, unless it refuses
 * the frame or the place. */
static uint32_t answers_max(const struct mf_options *options, uint16_t id)
{
    return options->px4_strict && (id == MAV_CMD_DO_SET_MODE || id == MAV_CMD_DO_GRIPPER ||
                                   id == MAV_CMD_EXTERNAL_WIND_ESTIMATE)
               ? 2
               : 1;
}

/* A command, answered by the vehicle that it is addressed to, and not at all otherwise. */
static void command(struct world *w, struct input *in, struct peer *p)
{
    const uint8_t how = take_u8(in);
    struct mf_msg_command_int m = take_command_int(in, how);
    if ((how & 0x80u) != 0) {
        send_msg(p, MF_MSG_COMMAND_INT, &m);
    } else {
        const struct mf_msg_command_long l = {
            .command = m.command,
            .target_system = m.target_system,
            .target_component = m.target_component,
            .param1 = m.param1,
            .param2 = m.param2,
            .param3 = m.param3,
            .param4 = m.param4,
            .param5 = take_float(in),
            .param6 = take_float(in),
            .param7 = m.z,
        };
        send_msg(p, MF_MSG_COMMAND_LONG, &l);
    }
    const uint32_t before = p->acks;
    const bool may_be_unsigned = mf_param_i(&w->drone.vehicle.params, MF_PARAM_MAV_SIGN_CFG) == 0;
    (void)step(w);
    if (may_be_unsigned && mf_param_i(&w->drone.vehicle.params, MF_PARAM_MAV_SIGN_CFG) == 0) {
        check((p->acks > before) == (m.target_system != 2));
    }
    check(p->acks - before <= answers_max(&w->options, m.command));
    check(p->acks == before || p->acked == m.command);
}

static const uint32_t k_msgid[] = {
    MF_MSG_HEARTBEAT,
    MF_MSG_PING,
    MF_MSG_SET_MODE,
    MF_MSG_PARAM_REQUEST_READ,
    MF_MSG_PARAM_REQUEST_LIST,
    MF_MSG_PARAM_SET,
    MF_MSG_MISSION_ITEM,
    MF_MSG_MISSION_REQUEST,
    MF_MSG_MISSION_SET_CURRENT,
    MF_MSG_MISSION_REQUEST_LIST,
    MF_MSG_MISSION_COUNT,
    MF_MSG_MISSION_CLEAR_ALL,
    MF_MSG_MISSION_ACK,
    MF_MSG_SET_GPS_GLOBAL_ORIGIN,
    MF_MSG_MISSION_REQUEST_INT,
    MF_MSG_MISSION_ITEM_INT,
    MF_MSG_FILE_TRANSFER_PROTOCOL,
    MF_MSG_TIMESYNC,
    MF_MSG_LOG_REQUEST_LIST,
    MF_MSG_COMMAND_ACK,
    MF_MSG_SETUP_SIGNING,
    MF_MSG_LOG_REQUEST_DATA,
    MF_MSG_LOG_ERASE,
    MF_MSG_LOG_REQUEST_END,
    MF_MSG_SET_POSITION_TARGET_LOCAL_NED,
    MF_MSG_SET_POSITION_TARGET_GLOBAL_INT,
    MF_MSG_SET_ATTITUDE_TARGET,
    MF_MSG_MANUAL_CONTROL,
    MF_MSG_RC_CHANNELS_OVERRIDE,
    MF_MSG_FOLLOW_TARGET,
    MF_MSG_SERIAL_CONTROL,
};

/* Mostly a request that exists, of a file that may exist. */
static void file_request(struct mf_msg_file_transfer_protocol *m)
{
    static const char *const k_path[] = {
        "/",
        "etc/extras/parameters.json",
        "etc/extras/component_general.json",
        "fs",
        "fs/microsd/log/1970-01-01/00_00_00.ulg",
        "fs/microsd/log",
        "",
        "fs/microsd/log/1970-01-01/00_00_01.ulg",
        "fs/microsd/log/1970-01-01",
    };
    m->target_system = VEHICLE;
    m->target_component = VEHICLE;
    m->payload[3] %= 18u;                /* opcode */
    if ((m->payload[12] & 0x80u) == 0) { /* data */
        const char *path = k_path[m->payload[12] % (sizeof k_path / sizeof k_path[0])];
        m->payload[4] = (uint8_t)strlen(path);
        memcpy(m->payload + 12, path, strlen(path));
    }
}

/* Mostly words that the shell knows, with what was there before and behind them. */
static void shell_input(struct mf_msg_serial_control *m)
{
    static const char *const k_words[] = {
        "help\n",
        "ver all\n",
        "param show\n",
        "param show RTL*\n",
        "param set ",
        "RTL_TYPE 3\n",
        "commander ",
        "arm\n",
        "takeoff\n",
        "mode auto:loiter\n",
        "listener ",
        "vehicle_status\n",
        "sensor_gps\n",
        "top\n",
        "dmesg\n",
        "\n",
        "MPC_XY_CRUISE -1e9",
        "land\n",
        "disarm -f\n",
        "status\n",
    };
    m->device = m->device % 4u == 0 ? m->device : 10;
    m->flags = m->flags % 8u == 0 ? m->flags : 22;
    m->target_system = VEHICLE;
    m->target_component = VEHICLE;
    if ((m->data[0] & 0x80u) == 0) {
        const char *words = k_words[m->data[0] % (sizeof k_words / sizeof k_words[0])];
        m->count = (uint8_t)strlen(words);
        memcpy(m->data, words, strlen(words));
    }
}

/* Any payload in a message that has a handler; mostly addressed to the vehicle. */
static void message(struct input *in, struct peer *p)
{
    uint8_t payload[MF_PAYLOAD_MAX];
    union mf_msg m;
    const uint32_t msgid = k_msgid[take_u8(in) % (sizeof k_msgid / sizeof k_msgid[0])];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    const size_t n = take_u8(in) % (info->len_max + 1u);
    for (size_t i = 0; i < n; i++) {
        payload[i] = take_u8(in);
    }
    mf_msg_unpack(info, payload, n, &m);
    switch (msgid) {
    case MF_MSG_SETUP_SIGNING:
        m.setup_signing.target_system = VEHICLE;
        m.setup_signing.target_component = VEHICLE;
        break;
    case MF_MSG_SET_MODE:
        m.set_mode.target_system = VEHICLE;
        break;
    case MF_MSG_PARAM_SET:
        m.param_set.target_system = VEHICLE;
        m.param_set.target_component = VEHICLE;
        if (m.param_set.param_id[0] < 32) { /* a real name, by its index */
            const unsigned index = (uint8_t)m.param_set.param_id[1] +
                                   256u * (uint8_t)m.param_set.param_id[0]; /* below 32 */
            const struct mf_param_info *param =
                mf_param_info((enum mf_param)(index % MF_PARAM_COUNT));
            memcpy(m.param_set.param_id, param->name, sizeof m.param_set.param_id);
            m.param_set.param_type = param->is_float ? MAV_PARAM_TYPE_REAL32 : MAV_PARAM_TYPE_INT32;
        }
        break;
    case MF_MSG_FILE_TRANSFER_PROTOCOL:
        file_request(&m.file_transfer_protocol);
        break;
    case MF_MSG_SERIAL_CONTROL:
        shell_input(&m.serial_control);
        break;
    case MF_MSG_MISSION_SET_CURRENT:
        m.mission_set_current.target_system = VEHICLE;
        m.mission_set_current.target_component = VEHICLE;
        m.mission_set_current.seq %= ITEMS_MAX;
        break;
    case MF_MSG_MISSION_CLEAR_ALL:
        m.mission_clear_all.target_system = VEHICLE;
        m.mission_clear_all.target_component = VEHICLE;
        break;
    case MF_MSG_MISSION_COUNT:
        m.mission_count.target_system = VEHICLE;
        m.mission_count.target_component = VEHICLE;
        break;
    case MF_MSG_SET_POSITION_TARGET_LOCAL_NED:
        m.set_position_target_local_ned.target_system = VEHICLE;
        m.set_position_target_local_ned.target_component = VEHICLE;
        m.set_position_target_local_ned.coordinate_frame &= 9u;
        break;
    case MF_MSG_MANUAL_CONTROL:
        m.manual_control.target = VEHICLE;
        break;
    default:
        break;
    }
    send_msg(p, msgid, &m);
}

/* A corner or a circle of a fence, or a rally point. */
static struct mf_item take_place(struct input *in, uint8_t type)
{
    static const uint16_t k_zone[] = {5001, 5001, 5001, 5002, 5003, 5004, 5004, 5000};
    const uint8_t how = take_u8(in);
    struct mf_item item = {
        .command = type == MAV_MISSION_TYPE_RALLY ? MAV_CMD_NAV_RALLY_POINT : k_zone[how % 8u],
        .frame = (how & 8u) != 0 ? MAV_FRAME_GLOBAL : MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
        .x = (how & 16u) != 0 ? 900000000 : 473977420 + (int8_t)take_u8(in) * 1000,
        .y = (how & 32u) != 0 ? 1800000000 : 85455940 + (int8_t)take_u8(in) * 1000,
    };
    item.param[0] = mf_f32_bits(take_float(in));
    return item;
}

static struct mf_item take_item(struct input *in, uint8_t type)
{
    if (type != MAV_MISSION_TYPE_MISSION) {
        return take_place(in, type);
    }
    static const uint16_t k_command[] = {16,  17,  19, 20, 21,  22,  93,
                                         177, 178, 18, 31, 115, 179, 201};
    const uint16_t command = k_command[take_u8(in) % (sizeof k_command / sizeof k_command[0])];
    const bool nowhere =
        command == 20 || command == 93 || command == 115 || command == 177 || command == 178;
    const uint8_t how = take_u8(in);
    struct mf_item item = {
        .command = command,
        .frame = nowhere           ? MAV_FRAME_MISSION
                 : (how & 1u) != 0 ? MAV_FRAME_GLOBAL_INT
                 : (how & 8u) != 0 ? MAV_FRAME_GLOBAL_TERRAIN_ALT_INT
                                   : MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
        .autocontinue = (how & 6u) != 6u,
        .x = nowhere ? 0 : 473977420 + (int8_t)take_u8(in) * 1000,
        .y = nowhere ? 0 : 85455940 + (int8_t)take_u8(in) * 1000,
    };
    for (unsigned i = 0; i < 4; i++) {
        item.param[i] = mf_f32_bits(take_float(in));
    }
    item.z = mf_f32_bits(take_float(in));
    return item;
}

/* A mission, fence or rally points, uploaded at once: as long as the vehicle takes the items,
 * they come. */
static void mission(struct world *w, struct input *in, struct peer *p)
{
    const uint8_t what = take_u8(in);
    const uint16_t count = (uint16_t)(1 + what % ITEMS_MAX);
    const uint8_t type = what < 200   ? MAV_MISSION_TYPE_MISSION
                         : what < 240 ? MAV_MISSION_TYPE_FENCE
                                      : MAV_MISSION_TYPE_RALLY;
    const struct mf_msg_mission_count m = {.count = count,
                                           .target_system = VEHICLE,
                                           .target_component = VEHICLE,
                                           .mission_type = type};
    send_msg(p, MF_MSG_MISSION_COUNT, &m);
    (void)step(w);
    for (uint16_t i = 0; i < count; i++) {
        w->item[i] = take_item(in, type);
        const struct mf_msg_mission_item_int item = {
            .target_system = VEHICLE,
            .target_component = VEHICLE,
            .seq = i,
            .command = w->item[i].command,
            .frame = w->item[i].frame,
            .autocontinue = w->item[i].autocontinue,
            .param1 = w->item[i].param[0],
            .param2 = w->item[i].param[1],
            .param3 = w->item[i].param[2],
            .param4 = w->item[i].param[3],
            .x = w->item[i].x,
            .y = w->item[i].y,
            .z = w->item[i].z,
            .mission_type = type,
        };
        send_msg(p, MF_MSG_MISSION_ITEM_INT, &item);
        (void)step(w);
    }
}

/* Bytes; then silence, so that a frame that they began is over. */
static void raw(struct world *w, struct input *in, struct peer *p)
{
    uint8_t bytes[255];
    const size_t n = take_u8(in);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = take_u8(in);
    }
    send_bytes(p, bytes, n);
    (void)step(w);
    w->now.transport_us += MF_SECOND_US;
    (void)step(w);
}

static void toggle_second_link(struct world *w)
{
    struct peer *p = &w->peer[1];
    if (p->link < 0) {
        connect(w, 1);
    } else {
        mf_drone_close(&w->drone, p->link);
        p->link = -1;
    }
}

static void record(struct world *w, struct input *in)
{
    const uint8_t kind = take_u8(in);
    struct peer *p = (kind & 0x80u) != 0 && w->peer[1].link >= 0 ? &w->peer[1] : &w->peer[0];
    uint32_t scale = 0;
    switch (kind % 8u) {
    case 0:
    case 1:
        scale = take_u8(in) % 26u; /* up to 34 s and more: 256 << 17 us is 33.5 s */
        pass_time(w, ((mf_us_t)take_u8(in) + 1) << (scale < 18 ? scale : 17), take_u8(in));
        break;
    case 2:
    case 3:
    case 4:
        command(w, in, p);
        break;
    case 5:
        message(in, p);
        (void)step(w);
        break;
    case 6:
        mission(w, in, p);
        break;
    default:
        if ((kind & 0x40u) != 0) {
            toggle_second_link(w);
        } else {
            raw(w, in, p);
        }
        break;
    }
}

static void begin(struct world *w, uint8_t how)
{
    memset(w, 0, sizeof *w);
    struct mf_world_settings settings = mf_world_settings_default();
    w->options.px4_strict = (how & 1u) != 0;
    w->options.lenient_param_types = (how & 2u) != 0;
    settings.gnss_warmup_s = (how & 4u) != 0 ? 3.0 : 0.0;
    settings.fault_count = (how & 8u) != 0 ? 1 : 0;
    settings.fault[0] = (struct mf_fault_plan){
        .fault = MF_FAULT_GPS_OFF, .after_us = 20 * MF_SECOND_US, .for_us = 20 * MF_SECOND_US};
    w->options.px4_motion = (how & 16u) != 0;
    settings.motion = (how & 16u) != 0 ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    settings.accel_mps2 = (how & 32u) != 0 ? 2.5 : 0.0;
    w->memory = (struct mf_memory){.bytes = w->parts, .size = sizeof w->parts};
    settings.memory = &w->memory;
    g_archive.kept = (how & 64u) != 0;
    g_archive.writing = false;
    g_archive.count = 0;
    boot(w, &settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world *w = &g_world;
    struct input in = {data, size};
    begin(w, take_u8(&in));
    for (int i = 0; i < RECORDS_MAX && in.left > 0; i++) {
        if (w->now.vehicle_us < TIME_MAX_US && w->now.transport_us < TIME_MAX_US) {
            record(w, &in);
        }
    }
    check(mf_param_override(&w->drone.vehicle, "MAV_SIGN_CFG", 0.0) == MF_E_OK);
    const uint32_t before = w->peer[0].acks;
    const struct mf_msg_command_long ask = {.command = MAV_CMD_RUN_PREARM_CHECKS,
                                            .target_system = VEHICLE,
                                            .target_component = VEHICLE};
    send_msg(&w->peer[0], MF_MSG_COMMAND_LONG, &ask); /* whatever it was, the vehicle answers */
    (void)step(w);
    check(w->peer[0].acks == before + 1 && w->peer[0].result == MAV_RESULT_ACCEPTED);
    return 0;
}
