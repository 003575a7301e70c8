/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold after every pass, whatever the inputs were. */
#include "firmware/report/encode.h"
#include "math/geodesic.h"
#include "mavlink/enums.h"
#include "tests/sim/states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SYSID       1
#define COMPID      1
#define TASKS_MAX   200000u /* that one pass may run */
#define SPEED_MPS   200.0   /* no body is faster, along or up, unless it falls */
#define SHORT_US    (100 * MF_MS_US)
#define FIRST_V2_ID 256u

void states_fail(const struct states *s, int line, const char *what)
{
    fail_msg("line %d: %s, after %s\n%s", line, what, s->row, states_line(s));
    abort();
}

/* ---- changes of mode ---- */

static int mode_of_text(const char *text, size_t n)
{
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        const char *name = mf_mode_info((enum mf_mode)i)->text;
        if (strlen(name) == n && strncmp(name, text, n) == 0) {
            return i;
        }
    }
    return -1;
}

/* Modes that forbid arming: PX4's mode_req_prevent_arming. */
#define NO_ARMING                                                                           \
    (1u << MF_MODE_RTL | 1u << MF_MODE_LAND | 1u << MF_MODE_DESCEND | 1u << MF_MODE_ORBIT | \
     1u << MF_MODE_FOLLOW)

static void remember_change(struct states *s, const char *text)
{
    const struct mf_vehicle *v = &s->r->drone.vehicle;
    const char *arrow = strstr(text, " -> ");
    states_check(s, arrow != NULL && s->change_count < STATES_CHANGES);
    const int from = mode_of_text(text, (size_t)(arrow - text));
    const int to = mode_of_text(arrow + 4, strlen(arrow + 4));
    states_check(s, from == s->mode && to >= 0 && to == v->commander.mode);
    s->change[s->change_count++] = (struct states_change){
        .from = (uint8_t)from,
        .to = (uint8_t)to,
        .armed = v->commander.armed,
        .failsafe_before = s->failsafe,
        .causes = (uint8_t)(v->failsafe.present | v->failsafe.latched),
        .intended = v->failsafe.intended,
        .landed = v->commander.landed,
        .rest = s->rest,
        .pilot = v->inputs.manual.live,
    };
    s->entered[to] += v->commander.armed;
    s->mode = (uint8_t)to;
    s->rest = v->commander.failsafe || (NO_ARMING & 1u << to) != 0 ? s->rest : (uint8_t)to;
    s->failsafe = v->commander.failsafe;
}

/* The vehicle's log, seen at the instant of each line. */
static void on_log(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                   const char *text)
{
    struct states *s = ctx;
    if (s->trace) {
        fprintf(stderr, "  %.6f %d %s: %s\n", (double)t_us / 1e6, (int)severity, topic, text);
    }
    if (strcmp(topic, "mode") == 0) {
        remember_change(s, text);
    }
    s->landings += strcmp(topic, "landed") == 0 && strcmp(text, "on ground") == 0;
}

static const struct mf_log_ops k_log = {on_log};

static bool accepted(const struct states_asked *a)
{
    return !a->answered || a->result == MAV_RESULT_ACCEPTED || a->result == MAV_RESULT_IN_PROGRESS;
}

/* Was a request for this mode accepted in this pass? (An answer that was lost may have been. The
 * start of a mission is two things, as in PX4: the mode stays where arming is denied.) */
static bool was_asked(const struct states *s, uint8_t mode)
{
    for (size_t i = 0; i < s->asked_count; i++) {
        const struct states_asked *a = &s->asked[i];
        const bool half =
            a->command == MAV_CMD_MISSION_START && a->result == MAV_RESULT_TEMPORARILY_REJECTED;
        if ((a->modes & 1u << mode) != 0 && (accepted(a) || half)) {
            return true;
        }
    }
    return false;
}

static bool may(const struct states_change *c, enum mf_event event)
{
    return mf_mode_next((enum mf_mode)c->from, event) == (int)c->to;
}

/* What moves the machine by itself, and only when that can have happened. */
static bool by_itself(const struct states *s, const struct states_change *c, enum mf_event event)
{
    const struct mf_vehicle *v = &s->r->drone.vehicle;
    switch ((int)event) {
    case MF_EV_ARMED:
        return c->armed && c->landed == MF_LANDED_ON_GROUND;
    case MF_EV_DISARMED:
        return !c->armed;
    case MF_EV_TAKEOFF_DONE:
    case MF_EV_MISSION_DONE:
    case MF_EV_MISSION_RTL:
    case MF_EV_ABOVE_HOME:
        return c->armed;
    case MF_EV_FAILSAFE_HOLD:
    case MF_EV_FAILSAFE_RTL:
    case MF_EV_FAILSAFE_LAND:
    case MF_EV_FAILSAFE_DESCEND:
        return c->armed && c->causes != 0 && v != NULL;
    case MF_EV_TERMINATED:
        return c->armed && c->causes != 0;
    default:
        return true;
    }
}

/* The rows of the table, a user's accepted request, and what the table leaves to the commander. */
static bool is_allowed(const struct states *s, const struct states_change *c)
{
    for (int i = 0; i < MF_EV_REQUEST; i++) {
        if (may(c, (enum mf_event)i) && by_itself(s, c, (enum mf_event)i)) {
            return true;
        }
    }
    const bool resumed = c->failsafe_before && c->to == c->intended && c->armed;
    const bool on_to_mission =
        c->from == MF_MODE_TAKEOFF && c->to == MF_MODE_MISSION && c->armed &&
        mf_param_i(&s->r->drone.vehicle.params, MF_PARAM_COM_TAKEOFF_ACT) == 1;
    const bool as_before =
        !c->armed && s->r->drone.vehicle.options.px4_strict && c->to == c->rest; /* disarmed */
    const bool by_pilot = c->pilot && c->armed &&
                          (c->to == MF_MODE_POSCTL || c->to == MF_MODE_ALTCTL ||
                           c->to == MF_MODE_STABILIZED); /* sticks that take over */
    return c->from != MF_MODE_TERMINATION &&
           (resumed || as_before || by_pilot || on_to_mission || was_asked(s, c->to));
}

static void check_modes(struct states *s)
{
    const struct mf_commander *c = &s->r->drone.vehicle.commander;
    for (size_t i = 0; i < s->change_count; i++) {
        if (!is_allowed(s, &s->change[i])) {
            fprintf(stderr, "%s -> %s\n", mf_mode_info((enum mf_mode)s->change[i].from)->text,
                    mf_mode_info((enum mf_mode)s->change[i].to)->text);
        }
        states_check(s, is_allowed(s, &s->change[i]));
    }
    states_check(s, s->mode == c->mode);
    s->change_count = 0;
    s->failsafe = c->failsafe;
}

/* It arms only because somebody asked for it. */
static void check_arming(struct states *s)
{
    bool asked = false;
    for (size_t i = 0; i < s->asked_count; i++) {
        asked = asked || (s->asked[i].arms && accepted(&s->asked[i]));
    }
    states_check(s, !s->r->drone.vehicle.commander.armed || s->armed || asked);
    s->armed = s->r->drone.vehicle.commander.armed;
}

/* ---- commands and their answers ---- */

static uint32_t modes_of_custom(int base, int main, int sub)
{
    uint32_t modes = 0;
    if ((base & MAV_MODE_FLAG_CUSTOM_MODE_ENABLED) == 0) {
        return 1u << MF_MODE_MISSION | 1u << MF_MODE_POSCTL | 1u << MF_MODE_STABILIZED |
               1u << MF_MODE_MANUAL;
    }
    for (unsigned i = 0; i < MF_MODE_COUNT; i++) {
        const struct mf_mode_info *info = mf_mode_info((enum mf_mode)i);
        const bool same = info->main == main &&
                          (info->sub == sub || (main == 4 && sub == 0 && i == MF_MODE_MISSION));
        modes |= info->selectable && same ? 1u << i : 0u;
    }
    /* PX4 has no orbit that begins without its command: --px4-strict holds the place. */
    return modes | ((modes & 1u << MF_MODE_ORBIT) != 0 ? 1u << MF_MODE_POSCTL : 0u);
}

static uint32_t modes_of_standard(int standard)
{
    uint32_t modes = 0;
    for (unsigned i = 0; i < MF_MODE_COUNT; i++) {
        const struct mf_mode_info *info = mf_mode_info((enum mf_mode)i);
        modes |= info->selectable && standard != 0 && info->standard == standard ? 1u << i : 0u;
    }
    return modes;
}

static int whole(float value)
{
    return value >= 0.0f && value <= 255.0f ? (int)value : -1;
}

/* The modes that a command asks for. */
static uint32_t modes_of(uint16_t command, const float param[3])
{
    static const struct {
        uint16_t command;
        enum mf_mode mode;
    } k_mode[] = {
        {MAV_CMD_NAV_RETURN_TO_LAUNCH, MF_MODE_RTL},
        {MAV_CMD_NAV_LAND, MF_MODE_LAND},
        {MAV_CMD_NAV_TAKEOFF, MF_MODE_TAKEOFF},
        {MAV_CMD_NAV_LOITER_UNLIM, MF_MODE_HOLD},
        {MAV_CMD_DO_REPOSITION, MF_MODE_HOLD},
        {MAV_CMD_DO_CHANGE_ALTITUDE, MF_MODE_HOLD},
        {MAV_CMD_DO_ORBIT, MF_MODE_ORBIT},
        {MAV_CMD_MISSION_START, MF_MODE_MISSION},
        {MAV_CMD_DO_FLIGHTTERMINATION, MF_MODE_TERMINATION},
    };
    if (command == MAV_CMD_DO_SET_MODE) {
        return modes_of_custom(whole(param[0]), whole(param[1]),
                               param[2] == param[2] ? whole(param[2]) : 0);
    }
    if (command == MAV_CMD_DO_SET_STANDARD_MODE) {
        return modes_of_standard(whole(param[0]));
    }
    for (size_t i = 0; i < sizeof k_mode / sizeof k_mode[0]; i++) {
        if (k_mode[i].command == command) {
            return 1u << k_mode[i].mode;
        }
    }
    return 0;
}

static bool is_ours(uint16_t command, uint8_t system, uint8_t component)
{
    const bool any = command == MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES ||
                     command == MAV_CMD_REQUEST_PROTOCOL_VERSION;
    return (system == 0 || system == SYSID) && (any || component == 0 || component == COMPID);
}

static void expect(struct states *s, unsigned port, uint16_t command, const float param[3])
{
    const struct mf_sender *peer = &s->r->mock.port[port].peer;
    states_check(s, s->asked_count < STATES_ASKED);
    const bool arm_disarm = command == MAV_CMD_COMPONENT_ARM_DISARM;
    s->asked[s->asked_count++] = (struct states_asked){
        .command = command,
        .port = (uint8_t)port,
        .sysid = peer->sysid,
        .compid = peer->compid,
        .modes = modes_of(command, param),
        .arms = (arm_disarm && param[0] == 1.0f) || command == MAV_CMD_MISSION_START,
        .disarms = arm_disarm && param[0] == 0.0f,
    };
}

void states_expect(struct states *s, unsigned port, uint32_t msgid, const union mf_msg *m)
{
    const struct mf_msg_command_long *l = &m->command_long;
    const struct mf_msg_command_int *i = &m->command_int;
    const struct mf_msg_set_mode *o = &m->set_mode;
    const bool echo =
        s->r->mock.port[port].peer.sysid == SYSID && s->r->mock.port[port].peer.compid == COMPID;
    if (echo) {
        return;
    }
    if (msgid == MF_MSG_COMMAND_LONG &&
        is_ours(l->command, l->target_system, l->target_component)) {
        expect(s, port, l->command, (const float[3]){l->param1, l->param2, l->param3});
    } else if (msgid == MF_MSG_COMMAND_INT &&
               is_ours(i->command, i->target_system, i->target_component)) {
        expect(s, port, i->command, (const float[3]){i->param1, i->param2, i->param3});
    } else if (msgid == MF_MSG_SET_MODE && is_ours(0, o->target_system, 0)) {
        expect(s, port, MAV_CMD_DO_SET_MODE,
               (const float[3]){o->base_mode, (float)(o->custom_mode >> 16 & 0xFFu),
                                (float)(o->custom_mode >> 24)});
    }
}

/* An answer that nobody waits for is the end of one that was IN_PROGRESS. */
static void late_ack(struct states *s, struct states_port *p, const struct mf_msg_command_ack *m)
{
    for (size_t i = 0; i < STATES_PROGRESS; i++) {
        if (p->progress[i] == m->command) {
            p->progress[i] = m->result == MAV_RESULT_IN_PROGRESS ? m->command : 0;
            return;
        }
    }
    /* PX4 answers DO_SET_MODE twice. */
    if (!s->r->drone.vehicle.options.px4_strict || m->command != MAV_CMD_DO_SET_MODE) {
        fprintf(stderr, "COMMAND_ACK %u, result %u\n", (unsigned)m->command, (unsigned)m->result);
        states_fail(s, __LINE__, "an answer without a command");
    }
}

static void in_progress(struct states_port *p, uint16_t command)
{
    for (size_t i = 0; i < STATES_PROGRESS; i++) {
        if (p->progress[i] == command || p->progress[i] == 0) {
            p->progress[i] = command;
            return;
        }
    }
    p->progress[p->progress_count++ % STATES_PROGRESS] = command;
}

static void on_ack(struct states *s, unsigned port, const struct mf_msg_command_ack *m)
{
    const bool is_v1 = s->r->links[s->port[port].link].version == 1;
    for (size_t i = 0; i < s->asked_count; i++) {
        struct states_asked *a = &s->asked[i];
        if (a->port == port && !a->answered && a->command == m->command) {
            states_check(s, is_v1 || (m->target_system == a->sysid && /* an extension */
                                      m->target_component == a->compid));
            a->answered = true;
            a->result = m->result;
            if (m->result == MAV_RESULT_IN_PROGRESS) {
                in_progress(&s->port[port], m->command);
            }
            return;
        }
    }
    late_ack(s, &s->port[port], m);
}

static void check_answers(struct states *s)
{
    for (size_t i = 0; i < s->asked_count; i++) {
        const struct states_asked *a = &s->asked[i];
        if (!a->answered && !s->port[a->port].narrow) {
            fprintf(stderr, "no answer to command %u\n", (unsigned)a->command);
        }
        states_check(s, a->answered || s->port[a->port].narrow);
        if (!a->answered) { /* its end may come */
            in_progress(&s->port[a->port], a->command);
        }
    }
    s->asked_count = 0;
}

/* ---- what the clients see ---- */

static void see(struct states *s, unsigned port, const struct mf_frame *frame)
{
    struct states_port *p = &s->port[port];
    union mf_msg m;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    const int stream = mf_stream_find(frame->info->id);
    if (stream >= 0) {
        p->sent_us[stream] = s->r->mock.now.vehicle_us;
    }
    switch (frame->info->id) {
    case MF_MSG_HEARTBEAT:
        p->heartbeat = m.heartbeat;
        p->beat = s->r->mock.now;
        p->seen_mode = true;
        break;
    case MF_MSG_EXTENDED_SYS_STATE:
        states_check(s, m.extended_sys_state.landed_state >= MF_LANDED_ON_GROUND &&
                            m.extended_sys_state.landed_state <= MF_LANDED_LANDING);
        p->landed = m.extended_sys_state.landed_state;
        p->seen_landed = true;
        break;
    case MF_MSG_COMMAND_ACK:
        on_ack(s, port, &m.command_ack);
        break;
    case MF_MSG_MISSION_ITEM_REACHED:
        s->items++;
        break;
    case MF_MSG_MISSION_REQUEST_INT:
        p->wanted = m.mission_request_int.seq;
        break;
    case MF_MSG_MISSION_REQUEST:
        p->wanted = m.mission_request.seq;
        break;
    case MF_MSG_MISSION_ACK:
        p->ended = true;
        break;
    case MF_MSG_MISSION_CURRENT: /* total is an extension: 0 in version 1 */
        states_check(s, m.mission_current.seq <= m.mission_current.total || frame->version == 1);
        break;
    case MF_MSG_GLOBAL_POSITION_INT:
        states_check(s, labs((long)m.global_position_int.lat) <= 900000000);
        states_check(s, labs((long)m.global_position_int.lon) <= 1800000000);
        break;
    case MF_MSG_LOCAL_POSITION_NED:
        states_check(s, isfinite(m.local_position_ned.x) && isfinite(m.local_position_ned.y) &&
                            isfinite(m.local_position_ned.z));
        states_check(s, isfinite(m.local_position_ned.vx) && isfinite(m.local_position_ned.vy) &&
                            isfinite(m.local_position_ned.vz));
        break;
    case MF_MSG_ATTITUDE:
        states_check(s, isfinite(m.attitude.roll) && isfinite(m.attitude.pitch) &&
                            isfinite(m.attitude.yaw));
        break;
    default:
        break;
    }
}

static bool is_vehicles(const uint8_t *frame)
{
    const uint8_t *ids = frame + (frame[0] == MF_STX_V1 ? 3 : 5);
    return ids[0] == SYSID && ids[1] == COMPID;
}

/* The vehicle's own frames, whole, and numbered without a gap; what others said comes through as it
 * was. */
static void see_all(struct states *s, unsigned port)
{
    struct mf_mock_port *p = &s->r->mock.port[port];
    for (size_t i = 0; i < p->frame_count; i++) {
        const uint8_t *bytes = p->sent + p->frame[i].at;
        struct mf_parser parser = {.len = 0};
        struct mf_frame frame;
        for (size_t k = 0; k < p->frame[i].len; k++) {
            s->hash = (s->hash ^ bytes[k]) * UINT64_C(0x100000001B3);
        }
        if (is_vehicles(bytes)) {
            states_check(s, mf_parser_feed(&parser, bytes, p->frame[i].len) == p->frame[i].len);
            states_check(s, mf_parser_next(&parser, &frame) && !mf_parser_pending(&parser));
            states_check(s, frame.seq == s->port[port].seq++);
            see(s, port, &frame);
        }
    }
    if (p->refused > 0) {
        s->port[port].narrow = true;
        p->refused = 0;
    }
    mf_mock_clear(&s->r->mock, (int)port);
}

/* Streams that have nothing to say at times. Whether they had, is known at the end of each pass. */
static const enum mf_stream k_sometimes[] = {
    MF_STREAM_ATTITUDE_TARGET,
    MF_STREAM_BATTERY_STATUS,
    MF_STREAM_GLOBAL_POSITION_INT,
    MF_STREAM_GPS_GLOBAL_ORIGIN,
    MF_STREAM_HIL_STATE_QUATERNION,
    MF_STREAM_HOME_POSITION,
    MF_STREAM_LOCAL_POSITION_NED,
    MF_STREAM_NAV_CONTROLLER_OUTPUT,
    MF_STREAM_ORBIT_EXECUTION_STATUS,
    MF_STREAM_ODOMETRY,
    MF_STREAM_POSITION_TARGET_GLOBAL_INT,
    MF_STREAM_POSITION_TARGET_LOCAL_NED,
    MF_STREAM_RC_CHANNELS,
};
#define SOMETIMES (sizeof k_sometimes / sizeof k_sometimes[0])

static bool is_running(const struct states *s, enum mf_stream stream)
{
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        if (s->port[i].link >= 0 && s->r->links[s->port[i].link].stream.interval_us[stream] > 0) {
            return true;
        }
    }
    return false;
}

/* Silence now, at the pass before, or perhaps in a long time between: its interval begins anew. */
static void excuse_silence(struct states *s)
{
    const mf_us_t now_us = s->r->mock.now.vehicle_us;
    uint32_t silent = 0;
    union mf_msg m;
    for (size_t i = 0; i < SOMETIMES; i++) {
        if (is_running(s, k_sometimes[i]) &&
            !mf_encode(&s->r->drone.vehicle, k_sometimes[i], now_us, &m)) {
            silent |= 1u << i;
        }
        if (((silent | s->silent) & 1u << i) != 0 || now_us - s->then.vehicle_us > SHORT_US) {
            for (unsigned k = 0; k < STATES_PORTS; k++) {
                s->port[k].sent_us[k_sometimes[i]] = now_us;
            }
        }
    }
    s->silent = silent;
}

/* A change that was told within half an interval before a turn stands for that turn. */
static mf_us_t longest_us(uint32_t msgid, int32_t interval_us)
{
    switch (msgid) {
#define X(NAME) case MF_MSG_##NAME:
        MF_NEWS_LIST(X)
#undef X
        return (mf_us_t)interval_us + interval_us / 2;
    default:
        return interval_us;
    }
}

/* No stream starves: none is later than its interval. */
static void check_streams(struct states *s, struct states_port *p)
{
    const struct mf_link *link = &s->r->links[p->link];
    const mf_us_t now_us = s->r->mock.now.vehicle_us;
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        const int32_t interval_us = link->stream.interval_us[i];
        const uint32_t msgid = mf_stream_msgid((enum mf_stream)i);
        const bool v2_only = link->version == 1 && msgid >= FIRST_V2_ID;
        if (interval_us != p->interval_us[i] || p->narrow || v2_only) {
            p->interval_us[i] = interval_us;
            p->sent_us[i] = now_us;
        }
        if (interval_us > 0 && now_us - p->sent_us[i] > longest_us(msgid, interval_us)) {
            fprintf(stderr, "message %u: %.6f s, interval %.6f s\n", (unsigned)msgid,
                    (double)(now_us - p->sent_us[i]) / 1e6, (double)interval_us / 1e6);
            states_fail(s, __LINE__, "a stream starves");
        }
    }
}

static void check_port(struct states *s, struct states_port *p)
{
    const struct mf_commander *c = &s->r->drone.vehicle.commander;
    const struct mf_now now = s->r->mock.now;
    if (p->link < 0) {
        return;
    }
    check_streams(s, p);
    const struct mf_imposed *f = &s->r->drone.vehicle.imposed;
    if (p->narrow || f->silent || f->late_us > 0) {
        p->beat = now;
        p->seen_mode = p->seen_landed = false;
    } else {
        states_check(s, now.vehicle_us - p->beat.vehicle_us <= MF_SECOND_US);
        states_check(s, now.transport_us - p->beat.transport_us <= MF_SECOND_US);
    }
    if (p->seen_mode) {
        const bool armed = (p->heartbeat.base_mode & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
        states_check(s, armed == c->armed);
        states_check(s, p->heartbeat.custom_mode == mf_mode_custom((enum mf_mode)c->mode));
    }
    states_check(s, !p->seen_landed || p->landed == c->landed);
    const struct mf_mock_port *device = &s->r->mock.port[p - s->port];
    p->narrow = device->gone || device->room != SIZE_MAX;
}

/* ---- the vehicle and its body ---- */

/* Faults that truly move it, as a number that is another one when they do it otherwise. */
static double displaced(struct rig *r)
{
    const struct mf_hal *hal = &r->drone.vehicle.hal;
    const mf_us_t now_us = r->mock.now.vehicle_us;
    struct mf_fault_values with = {.text = ""};
    if (mf_inject_active(hal, now_us, MF_FAULT_BREACH_DRIFT, NULL)) {
        return NAN; /* always */
    }
    return mf_inject_active(hal, now_us, MF_FAULT_BREACH_TELEPORT, &with)
               ? 1.0 + (double)with.value[0] + 1e6 * (double)with.value[1]
               : 0.0;
}

static bool body_is_armed(const struct rig *r)
{
    return r->drone.world.faults.wrapped.airframe != NULL && r->drone.vehicle.commander.armed &&
           r->drone.vehicle.commander.mode != MF_MODE_TERMINATION;
}

/* With --px4-strict and physical motion, the take-off is detected while the thrust still rises. */
static bool is_detected_early(const struct rig *r)
{
    const struct mf_vehicle *v = &r->drone.vehicle;
    return v->options.px4_strict && v->options.px4_motion &&
           v->commander.landed == MF_LANDED_TAKEOFF;
}

static void check_body(struct states *s)
{
    const struct mf_commander *c = &s->r->drone.vehicle.commander;
    const struct mf_pose pose = rig_pose(s->r);
    states_check(s, pose.alt_amsl_m >= pose.ground_amsl_m);
    states_check(s, pose.lat_deg >= -90.0 && pose.lat_deg <= 90.0);
    states_check(s, pose.lon_deg >= -180.0 && pose.lon_deg <= 180.0);
    states_check(s, c->landed >= MF_LANDED_ON_GROUND && c->landed <= MF_LANDED_LANDING);
    states_check(s, (c->landed == MF_LANDED_ON_GROUND) == pose.on_ground ||
                        (pose.on_ground && is_detected_early(s->r)));
    states_check(s, !pose.on_ground || pose.alt_amsl_m == pose.ground_amsl_m);
    states_check(s, body_is_armed(s->r) || pose.on_ground || pose.vel_ned_mps[2] >= 0.0f);
    for (size_t i = 0; i < 3; i++) {
        states_check(s, isfinite(pose.vel_ned_mps[i]) && isfinite(pose.acc_ned_mps2[i]));
        states_check(s, !pose.on_ground || pose.vel_ned_mps[i] == 0.0f);
    }
    /* it never jumps, but by a fault */
    const double by = displaced(s->r);
    const bool jumps = by != s->displaced;
    s->displaced = by;
    const double passed_s = (double)(s->r->mock.now.vehicle_us - s->then.vehicle_us) / 1e6;
    const struct mf_geo_line way = mf_geo_inverse((struct mf_geo){s->pose.lat_deg, s->pose.lon_deg},
                                                  (struct mf_geo){pose.lat_deg, pose.lon_deg});
    const double fall_mps = fabs((double)s->pose.vel_ned_mps[2]) + 9.80665 * passed_s;
    states_check(s, jumps || way.distance_m <= SPEED_MPS * passed_s + 1e-3);
    states_check(s, fabs(pose.alt_amsl_m - s->pose.alt_amsl_m) <=
                        (SPEED_MPS + fall_mps) * passed_s + 1e-3);
    s->pose = pose;
}

static void check_estimate(struct states *s)
{
    const struct mf_pose *e = &s->r->drone.vehicle.estimate.pose;
    states_check(s, isfinite(e->lat_deg) && isfinite(e->lon_deg) && isfinite(e->alt_amsl_m));
    states_check(s, fabs(e->lat_deg) <= 90.0 && fabs(e->lon_deg) <= 180.0);
    states_check(s, isfinite(e->roll_rad) && isfinite(e->pitch_rad) && isfinite(e->yaw_rad));
}

static void check_vehicle(struct states *s)
{
    const struct mf_vehicle *v = &s->r->drone.vehicle;
    states_check(s, v->commander.mode < MF_MODE_COUNT && v->navigator.mode == v->commander.mode);
    states_check(s, v->commander.armed || v->commander.disarm_us == MF_NEVER);
    states_check(s, v->commander.armed || !v->commander.failsafe);
    states_check(s, v->mission.current == 0 || v->mission.current < v->mission.count);
    states_check(s, v->mission.reached < (int32_t)v->mission.count);
    states_check(s, v->sysid == SYSID && mf_param_i(&v->params, MF_PARAM_MAV_SYS_ID) == SYSID);
    states_check(s, v->now.vehicle_us == s->r->mock.now.vehicle_us);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const struct mf_param_info *info = mf_param_info((enum mf_param)i);
        const union mf_param_value value = {v->params.value[i]};
        states_check(s, v->options.px4_strict ||
                            (info->is_float ? value.f >= info->min.f && value.f <= info->max.f
                                            : value.i >= info->min.i && value.i <= info->max.i));
    }
}

static void boot_again(struct states *s)
{
    rig_reboot(s->r);
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        s->port[i].link = i == 0 ? s->r->link : -1;
        s->r->mock.port[i].feed_len = s->r->mock.port[i].feed_read = 0;
    }
    states_forget(s);
}

void states_forget(struct states *s)
{
    struct mf_vehicle *v = &s->r->drone.vehicle;
    v->hal.log = &k_log;
    v->hal.log_ctx = s;
    s->mode = v->commander.mode;
    s->armed = v->commander.armed;
    s->failsafe = v->commander.failsafe;
    s->then = s->r->mock.now;
    s->pose = rig_pose(s->r);
    s->displaced = displaced(s->r);
    s->asked_count = s->change_count = 0;
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        const int link = s->port[i].link;
        s->port[i] = (struct states_port){.link = link, .beat = s->r->mock.now, .wanted = -1};
        if (link >= 0) {
            see_all(s, i);
        }
    }
}

void states_pass(struct states *s)
{
    struct mf_vehicle *v = &s->r->drone.vehicle;
    const uint32_t tasks = v->counters.tasks;
    s->wake = mf_vehicle_step(v);
    states_check(s, s->wake.essential_us > s->r->mock.now.vehicle_us);
    states_check(s, s->wake.periodic_us > s->r->mock.now.vehicle_us);
    states_check(s, s->wake.transport_us > s->r->mock.now.transport_us);
    states_check(s, v->counters.tasks - tasks < TASKS_MAX);
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        see_all(s, i);
    }
    excuse_silence(s);
    check_modes(s);
    check_arming(s);
    check_answers(s);
    check_vehicle(s);
    check_body(s);
    check_estimate(s);
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        check_port(s, &s->port[i]);
    }
    s->then = s->r->mock.now;
    if (v->reboot || v->shutdown) {
        boot_again(s);
    }
}
