/* SPDX-License-Identifier: Apache-2.0 */
/* From frames to handlers: one list. What is not in it is counted and ignored, as PX4 does.
 *
 * Frames have been checked, routed and admitted by their signature before (peers.c); a handler
 * judges values and the addressee. Messages that only say who is there, and those for everybody,
 * are handled here. */
#include "firmware/protocol/receive.h"

#include "firmware/flight/control_inputs.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/gcs.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/news.h"
#include "firmware/flight/remote_id.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/protocol/command.h"
#include "firmware/protocol/download.h"
#include "firmware/protocol/ftp_io.h"
#include "firmware/protocol/manual.h"
#include "firmware/protocol/mission_io.h"
#include "firmware/protocol/param_io.h"
#include "firmware/protocol/setpoint.h"
#include "firmware/protocol/shell.h"
#include "firmware/protocol/signing_setup.h"
#include "firmware/report/stream.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* Who MAVSDK is unless its user says otherwise: a ground station by its type, which it shares with
 * QGroundControl, but with a system id that no other client has by default. */
#define MAVSDK_SYSID  245
#define MAVSDK_COMPID 190

/* message, its handler mf_on_<struct name> */
/* clang-format off */
#define HANDLER_LIST(X)                                      \
    X(HEARTBEAT, heartbeat)                                  \
    X(PING, ping)                                            \
    X(SET_MODE, set_mode)                                    \
    X(PARAM_REQUEST_READ, param_request_read)                \
    X(PARAM_REQUEST_LIST, param_request_list)                \
    X(PARAM_SET, param_set)                                  \
    X(MISSION_ITEM, mission_item)                            \
    X(MISSION_REQUEST, mission_request)                      \
    X(MISSION_SET_CURRENT, mission_set_current)              \
    X(MISSION_REQUEST_LIST, mission_request_list)            \
    X(MISSION_COUNT, mission_count)                          \
    X(MISSION_CLEAR_ALL, mission_clear_all)                  \
    X(MISSION_ACK, mission_ack)                              \
    X(SET_GPS_GLOBAL_ORIGIN, set_gps_global_origin)          \
    X(MISSION_REQUEST_INT, mission_request_int)              \
    X(MISSION_ITEM_INT, mission_item_int)                    \
    X(MANUAL_CONTROL, manual_control)                        \
    X(RC_CHANNELS_OVERRIDE, rc_channels_override)            \
    X(COMMAND_INT, command_int)                              \
    X(COMMAND_LONG, command_long)                            \
    X(SET_ATTITUDE_TARGET, set_attitude_target)              \
    X(SET_POSITION_TARGET_LOCAL_NED, set_position_target_local_ned) \
    X(SET_POSITION_TARGET_GLOBAL_INT, set_position_target_global_int) \
    X(FILE_TRANSFER_PROTOCOL, file_transfer_protocol)        \
    X(TIMESYNC, timesync)                                    \
    X(LOG_REQUEST_LIST, log_request_list)                    \
    X(LOG_REQUEST_DATA, log_request_data)                    \
    X(LOG_ERASE, log_erase)                                  \
    X(LOG_REQUEST_END, log_request_end)                      \
    X(FOLLOW_TARGET, follow_target)                          \
    X(REQUEST_EVENT, request_event)                          \
    X(PARAM_EXT_SET, param_ext_set)                          \
    X(OPEN_DRONE_ID_SYSTEM, open_drone_id_system)            \
    X(OPEN_DRONE_ID_OPERATOR_ID, open_drone_id_operator_id)  \
    X(TERRAIN_CHECK, terrain_check)                          \
    X(SERIAL_CONTROL, serial_control)
/* clang-format on */

/* MAVSDK as it introduces itself, a ground station with an identity that no other has; or anything
 * that calls itself an onboard computer, as MAVSDK can, and MAVROS. */
static bool is_sdk(struct mf_peer from, const struct mf_msg_heartbeat *m)
{
    return m->type == MAV_TYPE_ONBOARD_CONTROLLER ||
           (m->type == MAV_TYPE_GCS && from.sysid == MAVSDK_SYSID && from.compid == MAVSDK_COMPID);
}

/* A ground station's keeps its link alive (gcs.h); an SDK's makes streams faster that its users
 * wait for. */
static void mf_on_heartbeat(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_heartbeat *m, mf_us_t now_us)
{
    if (m->type == MAV_TYPE_GCS) {
        mf_gcs_heard(v, from.link, now_us);
    }
    if (is_sdk(from, m)) {
        mf_stream_sdk_heard(v, from.link);
    }
}

/* A request to everybody is echoed to its sender; anything else is an answer to somebody. */
static void mf_on_ping(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_ping *m,
                       mf_us_t now_us)
{
    MF_ASSERT(from.link->open);
    (void)now_us;
    if (m->target_system == 0 && m->target_component == 0) {
        struct mf_msg_ping echo = *m;
        echo.target_system = from.sysid;
        echo.target_component = from.compid;
        (void)mf_link_send(v, from.link, MF_MSG_PING, &echo);
    }
}

/* Nanoseconds of vehicle time, so that a client's clock follows the vehicle's, scaled or not. Every
 * sender is answered, where PX4 answers 255/255 only: SDKs ask, too. One that brings a tc1 is an
 * answer itself. */
static void mf_on_timesync(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_timesync *m, mf_us_t now_us)
{
    MF_ASSERT(from.link->open);
    if (m->tc1 != 0 || !mf_is_for_us(v, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_msg_timesync answer = {
        .tc1 = now_us * 1000,
        .ts1 = m->ts1,
        .target_system = from.sysid,
        .target_component = from.compid,
    };
    (void)mf_link_send(v, from.link, MF_MSG_TIMESYNC, &answer);
}

/* There are no events, so none can be sent again. QGroundControl asks for those that it thinks it
 * missed, and goes on asking unless it is told. */
static void mf_on_request_event(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_request_event *m, mf_us_t now_us)
{
    MF_ASSERT(from.link->open);
    (void)now_us;
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_msg_response_event_error answer = {
        .sequence = m->first_sequence,
        .target_system = from.sysid,
        .target_component = from.compid,
        .reason = MAV_EVENT_ERROR_REASON_UNAVAILABLE,
    };
    (void)mf_link_send(v, from.link, MF_MSG_RESPONSE_EVENT_ERROR, &answer);
}

/* The local frame moves at once, in the middle of a flight as well: whoever sends local setpoints
 * must know. */
static void mf_on_set_gps_global_origin(struct mf_vehicle *v, struct mf_peer from,
                                        const struct mf_msg_set_gps_global_origin *m,
                                        mf_us_t now_us)
{
    if (!mf_means_us(v, from, m->target_system, 0)) {
        return;
    }
    if (m->latitude < -900000000 || m->latitude > 900000000 || m->longitude < -1800000000 ||
        m->longitude > 1800000000) {
        mf_count_refused(from.link);
        return;
    }
    const struct mf_geo place = {(double)m->latitude / 1e7, (double)m->longitude / 1e7};
    mf_origin_set(&v->origin, place, (double)m->altitude / 1e3);
    mf_news_send(v, MF_NEWS_GPS_GLOBAL_ORIGIN, now_us);
}

/* Answered by TERRAIN_REPORT; it has no target, so it is for everybody who knows the ground. */
static void mf_on_terrain_check(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_terrain_check *m, mf_us_t now_us)
{
    const struct mf_msg_terrain_report report =
        mf_datum_report(&v->hal, mf_estimate_at(v, now_us), m->lat, m->lon);
    (void)mf_link_send(v, from.link, MF_MSG_TERRAIN_REPORT, &report);
}

/* Our own echo, or somebody who takes us for himself: obeying would make the vehicle talk to
 * itself. */
static bool is_ours(const struct mf_vehicle *v, struct mf_peer from)
{
    return from.sysid == v->sysid && from.compid == v->compid;
}

/* A client that took over the drone's ids waits in vain for each answer: one text a boot says why.
 * PX4 says nothing, so --px4-strict writes the log only. */
static void warn_of_own_ids(struct mf_vehicle *v)
{
    static const char k_text[] = "Frames with this vehicle's own ids are ignored";
    if (v->own_ids_said) {
        return;
    }
    v->own_ids_said = true;
    if (v->options.px4_strict) {
        mf_log_event(&v->hal, v->instant_us, MF_WARNING, "link", k_text);
    } else {
        mf_say(v, MF_WARNING, k_text);
    }
}

// NOLINTNEXTLINE(readability-function-size): as long as the list
bool mf_receive_message(struct mf_vehicle *v, struct mf_peer from, uint32_t msgid, const void *msg,
                        mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && msg != NULL);
    if (is_ours(v, from)) {
        mf_count_refused(from.link);
        warn_of_own_ids(v);
        return false;
    }
    switch (msgid) {
#define X(NAME, name)                       \
    case MF_MSG_##NAME:                     \
        mf_on_##name(v, from, msg, now_us); \
        return true;
        HANDLER_LIST(X)
#undef X
    default:
        from.link->stats.rx_unhandled++;
        return false;
    }
}

/* SETUP_SIGNING is the one message whose signature its handler looks at, so it comes as a frame. */
void mf_receive(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame,
                mf_us_t now_us)
{
    const struct mf_peer from = {link, frame->sysid, frame->compid};
    union mf_msg msg;
    MF_ASSERT(link->open && frame->info != NULL);
    if (frame->info->id == MF_MSG_SETUP_SIGNING && !is_ours(v, from)) {
        mf_signing_setup(v, from, frame); /* its signature matters: it is handed on as a frame */
        return;
    }
    mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
    (void)mf_receive_message(v, from, frame->info->id, &msg, now_us);
}
