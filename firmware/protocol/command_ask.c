/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that request messages, and those for a vehicle on the ground, for the table of
 * command_list.h. */
#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/health.h"
#include "firmware/flight/news.h"
#include "firmware/link/barrier.h"
#include "firmware/link/link.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/protocol/command_list.h"
#include "firmware/protocol/command_value.h"
#include "firmware/protocol/param_change.h"
#include "firmware/report/encode.h"
#include "firmware/report/stream.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* ---- requests ---- */

/* Send a message on request. MESSAGE_INTERVAL and AVAILABLE_MODES need an argument, so they are not
 * streams; HEARTBEAT has clocks of its own. A message that the vehicle cannot send, or not now, is
 * DENIED, as by PX4: UNSUPPORTED would mean an unknown command. */
static int request_message(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, float arg,
                           mf_us_t now_us)
{
    MF_ASSERT(link->open);
    if (msgid == MF_MSG_MESSAGE_INTERVAL) {
        const int32_t of = mf_command_whole(arg, 65535);
        const struct mf_msg_message_interval m = {
            .interval_us =
                of == MF_MSG_HEARTBEAT ? 1000000 : mf_stream_interval(link, (uint32_t)of),
            .message_id = (uint16_t)of,
        };
        return of >= 0 && mf_link_send(v, link, MF_MSG_MESSAGE_INTERVAL, &m) ? MF_E_OK
                                                                             : MF_E_DENIED;
    }
    if (msgid == MF_MSG_HEARTBEAT) {
        mf_heartbeat_start(v, link);
        return v->imposed.silent ? MF_E_DENIED : MF_E_OK;
    }
    if (msgid == MF_MSG_AVAILABLE_MODES) {
        struct mf_msg_available_modes m;
        const int32_t wanted = mf_command_whole_or_none(arg, 255); /* 0: all, one after the other */
        bool sent = false;
        for (int32_t i = wanted == 0 ? 1 : wanted;
             i > 0 && mf_encode_available_modes((uint8_t)i, &m); i++) {
            MF_ASSERT(i <= MF_MODE_COUNT);
            sent = mf_link_send(v, link, MF_MSG_AVAILABLE_MODES, &m);
            if (wanted != 0) {
                break;
            }
        }
        return sent ? MF_E_OK : MF_E_DENIED;
    }
    return mf_stream_request(v, link, msgid, now_us) == MF_E_OK ? MF_E_OK : MF_E_DENIED;
}

int mf_command_request_message(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t msgid = mf_command_whole(c->param[0], 0xFFFFFF);
    return msgid < 0 ? MF_E_DENIED
                     : request_message(v, c->from.link, (uint32_t)msgid, c->param[1], now_us);
}

/* The commands that MAVLink had for single messages before REQUEST_MESSAGE. */
int mf_command_request_old(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    static const struct {
        uint16_t command;
        uint16_t msgid;
    } k_old[] = {
        {MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES, MF_MSG_AUTOPILOT_VERSION},
        {MAV_CMD_REQUEST_PROTOCOL_VERSION, MF_MSG_PROTOCOL_VERSION},
        {MAV_CMD_REQUEST_FLIGHT_INFORMATION, MF_MSG_FLIGHT_INFORMATION},
        {MAV_CMD_REQUEST_STORAGE_INFORMATION, MF_MSG_STORAGE_INFORMATION},
        {MAV_CMD_GET_HOME_POSITION, MF_MSG_HOME_POSITION},
    };
    for (size_t i = 0; i < sizeof k_old / sizeof k_old[0]; i++) {
        if (k_old[i].command == c->id) {
            return request_message(v, c->from.link, k_old[i].msgid, 0.0f, now_us);
        }
    }
    MF_ASSERT(false); /* each that is routed here has its line */
    return MF_E_NOSUPP;
}

/* 0 and not-a-number both mean "not given" to PX4 here. */
static bool is_given(float value)
{
    return value == value && value != 0.0f;
}

/* Messages of the table that PX4 sends by other ways only, without an interval. */
static bool px4_streams(uint32_t msgid)
{
    return msgid != MF_MSG_MISSION_CURRENT && msgid != MF_MSG_FENCE_STATUS &&
           msgid != MF_MSG_UTM_GLOBAL_POSITION && msgid != MF_MSG_AVAILABLE_MODES_MONITOR &&
           msgid != MF_MSG_OPEN_DRONE_ID_OPERATOR_ID;
}

/* Set the interval of a stream of the client's own link. Another target of the messages is refused,
 * as by PX4, which answers FAILED. */
int mf_command_set_message_interval(struct mf_vehicle *v, const struct mf_command *c,
                                    mf_us_t now_us)
{
    MF_ASSERT(c->from.link->open);
    const int32_t msgid =
        mf_command_whole(c->param[0], 0xFFFFFF); /* 24 bits: MAVLink's largest id */
    const bool more = is_given(c->param[2]) || is_given(c->param[3]) ||
                      is_given(c->param[6]); /* response target */
    if (msgid < 0 || more || (v->options.px4_strict && !px4_streams((uint32_t)msgid))) {
        return MF_E_IO;
    }
    return mf_stream_set(v, c->from.link, (uint32_t)msgid, c->param[1], now_us) == MF_E_OK
               ? MF_E_OK
               : MF_E_IO;
}

/* The older way to ask for it. */
int mf_command_get_message_interval(struct mf_vehicle *v, const struct mf_command *c,
                                    mf_us_t now_us)
{
    return request_message(v, c->from.link, MF_MSG_MESSAGE_INTERVAL, c->param[0], now_us);
}

/* ---- the rest ---- */

/* Run the checks. The command is accepted whatever they find, as by PX4: SYS_STATUS and texts have
 * the result. */
int mf_command_run_prearm_checks(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)c;
    const char *denial = mf_health_denial(v, now_us);
    if (denial[0] != '\0') {
        mf_say(v, MF_CRITICAL, denial);
    }
    return MF_E_OK;
}

/* PX4's text: QGroundControl looks for "[cal]" and shows it in its own window. */
int mf_command_calibrate(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (v->commander.armed) {
        return mf_command_refuse(v, MF_E_AGAIN, "[cal] calibration failed: armed");
    }
    mf_us_t run_us;
    const int err = mf_calibration_begin(&v->calibration, &v->hal, c->param, now_us, &run_us);
    mf_wake_at(v, MF_TASK_CALIBRATION, run_us);
    return err;
}

/* param1: 0 reads, which is a promise kept already; 1 writes; 2 and above reset. What was launched
 * (ids, geoid) is not a client's to reset. */
int mf_command_storage(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t action = mf_command_whole(c->param[0], 4);
    if (v->commander.armed) {
        return MF_E_AGAIN;
    }
    if (action == 1) {
        return mf_param_save(&v->params, &v->options, &v->hal);
    }
    if (action >= 2) {
        mf_param_reset(&v->params, &v->options);
        mf_vehicle_set_launched(v);
        mf_fence_changed(v, now_us);
        return mf_param_save(&v->params, &v->options, &v->hal);
    }
    return action == 0 ? MF_E_OK : MF_E_DENIED;
}

/* The board does it once the answer has left. The signing time goes into the store first: a frame
 * that was accepted before the restart must not be accepted again after it. */
int mf_command_reboot_shutdown(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)now_us;
    const int32_t action = mf_command_whole(c->param[0], 3);
    if (action == 0) {
        return MF_E_OK;
    }
    if (action < 0 || v->commander.armed) {
        return MF_E_DENIED;
    }
    mf_signing_save(v->signing);
    v->reboot = action != 2;
    v->shutdown = action == 2;
    MF_ASSERT(v->reboot != v->shutdown);
    return MF_E_OK;
}

int mf_command_barrier(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    return mf_barrier_command(v, c->from, c->param[0], c->param[1], now_us);
}

/* Inject a fault, if the parameter allows it, as in PX4. A fault without a visible effect is
 * refused, since a test would wait for it without end. */
int mf_command_inject_failure(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t unit = mf_command_whole(c->param[0], 255);
    const int32_t type = mf_command_whole(c->param[1], 255);
    const bool motors = unit == FAILURE_UNIT_SYSTEM_MOTOR;
    const int32_t instance = mf_command_whole_or_none(c->param[2], motors ? 4 : 1); /* 0: all */
    if (mf_param_i(&v->params, MF_PARAM_SYS_FAILURE_EN) != 1) {
        return mf_command_refuse(v, MF_E_DENIED,
                                 "Failure injection denied: SYS_FAILURE_EN is not 1");
    }
    if (instance < 0 || unit < 0 || type < 0) {
        return MF_E_NOSUPP;
    }
    const int err = mf_vehicle_fail_unit(v, now_us, unit, type);
    if (motors && err == MF_E_OK) {
        v->watched.motor = type == FAILURE_TYPE_OK ? 0 : (uint8_t)instance;
    }
    return err == MF_E_AGAIN
               ? mf_command_refuse(v, err, "Failure injection: another fault hides it")
           : err == MF_E_DENIED
               ? mf_command_refuse(v, err, "Failure injection: it shows that already")
               : err;
}
