/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/mission_io.h"

#include "firmware/core/tasks.h"
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/news.h"
#include "firmware/flight/zones.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/protocol/transfer.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define NOT_A_NUMBER 0x7FC00000u
#define NOT_GIVEN    INT32_MAX /* a coordinate, in integers */
#define WRITE_FAILED "Mission storage: Unable to write"
#define READ_FAILED  "Mission storage: Unable to read"

_Static_assert(MF_STORE_FENCE == MF_STORE_MISSION + MAV_MISSION_TYPE_FENCE,
               "areas in the order of MAV_MISSION_TYPE");
_Static_assert(MF_STORE_RALLY == MF_STORE_MISSION + MAV_MISSION_TYPE_RALLY,
               "areas in the order of MAV_MISSION_TYPE");

/* An item on its way in, by MISSION_ITEM_INT or MISSION_ITEM. The store has one form for both:
 * integers, as the wire's floats lose a metre. */
struct arrival {
    struct mf_item item;
    uint32_t x_bits; /* as on the wire: what the checksum covers */
    uint32_t y_bits;
    uint16_t seq;
    uint8_t type;
    uint8_t result; /* MAV_MISSION_RESULT of what only this message can get wrong */
    bool current;
    bool is_float;
};

/* ---- both directions ---- */

/* True if a message of the mission protocol is for this vehicle. Messages to all systems are not:
 * two vehicles would answer one upload. QGroundControl's component MISSIONPLANNER counts as the
 * autopilot's, as in PX4. */
static bool addressed(const struct mf_vehicle *v, struct mf_peer from, uint8_t system,
                      uint8_t component)
{
    MF_ASSERT(from.link != NULL);
    const bool ours =
        system == v->sysid && (component == MAV_COMP_ID_ALL || component == v->compid ||
                               component == MAV_COMP_ID_MISSIONPLANNER);
    if (!ours) {
        mf_count_foreign(from.link);
    }
    return ours;
}

static enum mf_store_area area_of(uint8_t type)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY);
    return (enum mf_store_area)(MF_STORE_MISSION + type);
}

/* A store that cannot be read counts as empty: a download of nothing beats one that never ends. */
static struct mf_store_info stored(const struct mf_vehicle *v, uint8_t type)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(&v->hal, area_of(type), &info);
    return info;
}

static bool is_partner(const struct mf_vehicle *v, struct mf_peer from)
{
    return mf_transfer_is_partner(&v->transfer, mf_client_of(v, from));
}

/* Wake the task for the partner's next message: at the end of its time, or at the next repetition,
 * whichever is earlier; the task finds out which of the two it is. */
static void watch_transfer(struct mf_vehicle *v)
{
    mf_wake_at(v, MF_TASK_TRANSFER, mf_transfer_due_us(&v->transfer));
}

/* The opaque id tells the client which plan is in force; it is 0 where nothing was stored. */
static void send_ack(struct mf_vehicle *v, struct mf_peer to, uint8_t type, uint8_t result,
                     uint32_t tag)
{
    const struct mf_msg_mission_ack m = {
        .target_system = to.sysid,
        .target_component = to.compid,
        .type = result,
        .mission_type = type,
        .opaque_id = tag,
    };
    (void)mf_link_send(v, to.link, MF_MSG_MISSION_ACK, &m);
}

/* End the transfer without a new plan, and send the reason to its partner. */
static void end(struct mf_vehicle *v, uint8_t result, uint32_t tag)
{
    struct mf_transfer *t = &v->transfer;
    MF_ASSERT(t->state != MF_TRANSFER_IDLE && result != MAV_MISSION_ACCEPTED);
    mf_transfer_end(t);
    send_ack(v, mf_client_peer(v, t->partner), t->type, result, tag);
}

/* End the transfer with a text, because some clients show MISSION_ACK's result as a number only. */
static void fail(struct mf_vehicle *v, uint8_t result, const char *text)
{
    mf_say(v, MF_CRITICAL, text);
    end(v, result, 0);
}

/* ---- upload ---- */

/* Request the next item, in the form that the partner supports: MISSION_REQUEST is deprecated, but
 * DroneKit does not support the other. */
static void request_item(struct mf_vehicle *v)
{
    struct mf_transfer *t = &v->transfer;
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE && t->next < t->count);
    const struct mf_peer to = mf_client_peer(v, t->partner);
    mf_transfer_asked(t, v->now.transport_us);
    watch_transfer(v);
    if (t->use_float) {
        const struct mf_msg_mission_request m = {.seq = t->next,
                                                 .target_system = to.sysid,
                                                 .target_component = to.compid,
                                                 .mission_type = t->type};
        (void)mf_link_send(v, to.link, MF_MSG_MISSION_REQUEST, &m);
    } else {
        const struct mf_msg_mission_request_int m = {.seq = t->next,
                                                     .target_system = to.sysid,
                                                     .target_component = to.compid,
                                                     .mission_type = t->type};
        (void)mf_link_send(v, to.link, MF_MSG_MISSION_REQUEST_INT, &m);
    }
}

/* Note the new content of a plan. For a mission, MISSION_CURRENT is sent anyway; fences and rally
 * points change its opaque ids, by which QGroundControl sees that another client changed them. */
static void replaced(struct mf_vehicle *v, uint8_t type, uint16_t current, mf_us_t now_us)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY);
    if (type == MAV_MISSION_TYPE_MISSION) {
        mf_mission_replaced(v, current, now_us);
        return;
    }
    mf_mission_read_tags(&v->mission, &v->hal);
    if (type == MAV_MISSION_TYPE_FENCE) {
        mf_fence_changed(v, now_us);
    }
    mf_news_send(v, MF_NEWS_MISSION_CURRENT, now_us);
}

/* The store forgets the plan at once, as it does with the last item of an upload. */
static int clear(struct mf_vehicle *v, uint8_t type, mf_us_t now_us)
{
    const int err = mf_store_commit(&v->hal, area_of(type), 0, 0);
    MF_ASSERT(!mf_transfer_is_busy(&v->transfer));
    mf_transfer_forget(&v->transfer);
    if (err == MF_E_OK) {
        replaced(v, type, 0, now_us);
    }
    return err;
}

/* Maximum number of items of a type: the store's capacity, which the board chose; with PX4's rules,
 * fences and rally points are limited as in PX4's storage. */
uint16_t mf_mission_room(const struct mf_vehicle *v, uint8_t type)
{
    static const uint16_t k_px4[] = {[MAV_MISSION_TYPE_MISSION] = UINT16_MAX,
                                     [MAV_MISSION_TYPE_FENCE] = 64,
                                     [MAV_MISSION_TYPE_RALLY] = 32};
    const uint16_t capacity = stored(v, type).capacity;
    MF_ASSERT(type < sizeof k_px4 / sizeof k_px4[0]);
    return v->options.px4_strict && k_px4[type] < capacity ? k_px4[type] : capacity;
}

/* Check a COUNT that begins an upload, before the old plan changes. @return the result that is
 * answered at once, if it is not ACCEPTED */
static uint8_t check_count(const struct mf_vehicle *v, uint8_t type, uint16_t count)
{
    if (type > MAV_MISSION_TYPE_RALLY) {
        return MAV_MISSION_INVALID;
    }
    return count > mf_mission_room(v, type) ? MAV_MISSION_NO_SPACE : MAV_MISSION_ACCEPTED;
}

/* Refuse a COUNT. Texts are PX4's, which sends none in some cases: a second client learns of the
 * first only by the acknowledgement. */
static void refuse_count(struct mf_vehicle *v, struct mf_peer from, uint8_t type, bool again)
{
    MF_ASSERT(mf_transfer_is_busy(&v->transfer));
    if (again) {
        mf_say(v, MF_CRITICAL, "WPM: REJ. CMD: Busy");
    } else if (v->transfer.state == MF_TRANSFER_SEND) {
        mf_say(v, MF_CRITICAL, "WPM: IGN MISSION_COUNT: Busy");
    }
    send_ack(v, from, type, MAV_MISSION_ERROR, 0);
}

/* Handle MISSION_COUNT in four cases: the vehicle's first request was lost; another client is busy;
 * an upload begins; a plan is cleared by an upload without items, as by MISSION_CLEAR_ALL. */
void mf_on_mission_count(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_mission_count *m, mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    /* The partner of an upload may restart it until the first item has come: after that it is
     * "busy", as in PX4. */
    const bool again = t->state == MF_TRANSFER_RECEIVE && is_partner(v, from);
    if (again && t->next == 0 && t->type == m->mission_type &&
        t->count == m->count) { /* our request was lost */
        mf_transfer_heard(t, v->now.transport_us);
        request_item(v);
        return;
    }
    if (mf_transfer_is_busy(t) && !(again && t->next == 0)) {
        refuse_count(v, from, m->mission_type, again);
        return;
    }
    MF_ASSERT(!mf_transfer_is_busy(t) || again);
    mf_transfer_forget(t);
    uint8_t result = check_count(v, m->mission_type, m->count);
    if (result == MAV_MISSION_ACCEPTED && m->count > 0) {
        mf_transfer_receive(t, mf_client_of(v, from), m->mission_type, m->count,
                            v->now.transport_us);
        if (m->mission_type == MAV_MISSION_TYPE_MISSION) {
            mf_mission_forget_reached(
                &v->mission); /* PX4 forgets it here, whatever becomes of the upload */
        }
        request_item(v);
        return;
    }
    if (result == MAV_MISSION_ACCEPTED && clear(v, m->mission_type, now_us) != MF_E_OK) {
        result = MAV_MISSION_ERROR;
    }
    send_ack(v, from, m->mission_type, result, 0);
}

/* The mission is the active one already: whatever was done of it stays done. A client that lost our
 * acknowledgement uploads again, and must not send the vehicle back to the first item. */
static bool is_known(const struct mf_vehicle *v, const struct mf_transfer *t)
{
    const struct mf_store_info info = stored(v, t->type);
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE);
    return info.count == t->count && info.tag == t->tag;
}

/* The item that a new mission begins with: the one that the client marked. Without one PX4 keeps
 * the number of the current item, on the ground too, where Mayfly begins with the first. */
static uint16_t first_of(const struct mf_vehicle *v, const struct mf_transfer *t)
{
    const bool keeps = v->options.px4_strict || v->commander.armed;
    const uint16_t kept = keeps ? v->mission.current : 0;
    MF_ASSERT(t->count > 0 && t->current < t->count);
    if (t->current >= 0) {
        return (uint16_t)t->current;
    }
    return kept < t->count ? kept : (uint16_t)(t->count - 1);
}

/* Finish an upload. The store takes the plan first, so that an acknowledged plan survives a
 * restart. Then the partner gets the acknowledgement, and only then messages about changes, since
 * clients wait for the acknowledgement. */
static void finish_upload(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    const bool known = is_known(v, t);
    MF_ASSERT(t->next == t->count && t->current < t->count);
    if (!known && mf_store_commit(&v->hal, area_of(t->type), t->count, t->tag) != MF_E_OK) {
        fail(v, MAV_MISSION_ERROR, WRITE_FAILED);
        return;
    }
    mf_transfer_finish(t);
    send_ack(v, mf_client_peer(v, t->partner), t->type, MAV_MISSION_ACCEPTED, t->tag);
    if (!known) {
        replaced(v, t->type, first_of(v, t), now_us);
    }
    if (t->type == MAV_MISSION_TYPE_MISSION) {
        mf_mission_judge(v);
    }
}

uint8_t mf_mission_check_item(const struct mf_hal *hal, bool px4, uint8_t type,
                              const struct mf_item *item, uint16_t after,
                              struct mf_fence_part *part, const char **text)
{
    const uint8_t result = mf_item_check(type, item, px4);
    if (result != MAV_MISSION_ACCEPTED) {
        *text = "IGN MISSION_ITEM: Invalid item";
        return result;
    }
    if (type == MAV_MISSION_TYPE_FENCE && !mf_zone_goes_on(part, item, after)) {
        *text = "Geofence rejected: a polygon is not complete";
        return MAV_MISSION_ERROR;
    }
    if (type == MAV_MISSION_TYPE_RALLY && !mf_datum_known(hal, mf_item_place(item))) {
        *text = "Rally point denied: " MF_DATUM_NONE;
        return MAV_MISSION_DENIED;
    }
    return MAV_MISSION_ACCEPTED;
}

/* Keep an item with the right sequence number, or end the transfer. A reason ends it at once, so
 * that the client can report the wrong item. The checks go from the item itself to its meaning
 * among the others and on this Earth. */
static void stage(struct mf_vehicle *v, const struct arrival *a, mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    MF_ASSERT(a->seq == t->next && a->type == t->type);
    const char *text = "IGN MISSION_ITEM: Invalid item";
    const uint8_t result =
        a->result != MAV_MISSION_ACCEPTED
            ? a->result
            : mf_mission_check_item(&v->hal, v->options.px4_strict, t->type, &a->item,
                                    (uint16_t)(t->count - a->seq - 1), &t->part, &text);
    if (result != MAV_MISSION_ACCEPTED) {
        mf_count_refused(&v->links[t->partner.link]);
        fail(v, result, text);
        return;
    }
    MF_ASSERT(a->seq < t->count);
    const int err = mf_store_put(&v->hal, area_of(t->type), a->seq, &a->item);
    if (err != MF_E_OK) {
        fail(v, err == MF_E_FULL ? MAV_MISSION_NO_SPACE : MAV_MISSION_ERROR, WRITE_FAILED);
        return;
    }
    struct mf_item wire =
        a->item; /* the opaque id covers what was sent, so that a client can compute it, too */
    wire.x = (int32_t)a->x_bits;
    wire.y = (int32_t)a->y_bits;
    if (mf_transfer_kept(t, mf_item_tag(t->tag, &wire), a->current)) {
        finish_upload(v, now_us);
    } else {
        request_item(v);
    }
}

/* An item that no upload waits for. The last one of an upload just finished is acknowledged again,
 * and nothing is stored: the partner has not heard us. */
static void refuse_item(struct mf_vehicle *v, struct mf_peer from, const struct arrival *a)
{
    const struct mf_transfer *t = &v->transfer;
    MF_ASSERT(t->state != MF_TRANSFER_RECEIVE);
    if (mf_transfer_was_last(t, mf_client_of(v, from), a->type, a->seq)) {
        send_ack(v, from, a->type, MAV_MISSION_ACCEPTED, t->last_tag);
        return;
    }
    if (mf_transfer_is_busy(t) && !is_partner(v, from)) {
        mf_say(v, MF_CRITICAL, "REJ. MIS ITEM: partner id mismatch");
        return;
    }
    mf_say(v, MF_CRITICAL,
           mf_transfer_is_busy(t) ? "IGN MISSION_ITEM: Busy" : "IGN MISSION_ITEM: No transfer");
    send_ack(v, from, a->type, MAV_MISSION_ERROR, 0);
}

/* Receive an item. Items out of turn are not errors: clients of MAVLink may answer a request twice.
 * Only the next item is kept; the repetition requests another one again. */
static void receive_item(struct mf_vehicle *v, struct mf_peer from, const struct arrival *a,
                         mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    if (t->state != MF_TRANSFER_RECEIVE) {
        refuse_item(v, from, a);
        return;
    }
    if (!is_partner(v, from)) {
        mf_say(v, MF_CRITICAL, "REJ. MIS ITEM: partner id mismatch");
        return;
    }
    MF_ASSERT(t->next < t->count); /* the last item would have ended it */
    if (a->type != t->type) {
        send_ack(v, from, t->type, MAV_MISSION_ERROR, 0);
        return;
    }
    /* Any item is a sign of life, also one out of turn: on a slow link several are under way. */
    mf_transfer_heard_item(t, a->is_float, v->now.transport_us);
    if (a->seq == t->next) {
        stage(v, a, now_us);
    }
}

/* Integers keep a place to a centimetre; QGroundControl and MAVSDK send this kind. */
void mf_on_mission_item_int(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_mission_item_int *m, mf_us_t now_us)
{
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    const struct arrival a = {
        .item = mf_item_of(m),
        .x_bits = (uint32_t)m->x,
        .y_bits = (uint32_t)m->y,
        .seq = m->seq,
        .type = m->mission_type,
        .current = m->current != 0,
    };
    receive_item(v, from, &a, now_us);
}

/* Convert a float coordinate of an item to the integer form: 1e-7 deg. MAV_FRAME_MISSION marks
 * items without a place, whose fields are parameters 5 and 6, and stay unscaled. */
static int32_t to_fixed(float value, uint8_t frame)
{
    const double scale = frame == MAV_FRAME_MISSION ? 1.0 : 1e7;
    return value != value ? NOT_GIVEN : mf_round_i32((double)value * scale);
}

/* True for an infinite number, without libm. */
static bool is_infinite(float value)
{
    return value - value != 0.0f && value == value;
}

/* Check values that only the float message can get wrong; MISSION_ITEM lacks integer frames.
 * Not-a-number means unset there; infinity is invalid. */
static uint8_t check_float(const struct mf_msg_mission_item *m)
{
    if (m->frame == MAV_FRAME_GLOBAL_INT || m->frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT ||
        m->frame == MAV_FRAME_GLOBAL_TERRAIN_ALT_INT) {
        return MAV_MISSION_UNSUPPORTED_FRAME;
    }
    if (is_infinite(m->x)) {
        return MAV_MISSION_INVALID_PARAM5_X;
    }
    return is_infinite(m->y) ? MAV_MISSION_INVALID_PARAM6_Y : MAV_MISSION_ACCEPTED;
}

/* DroneKit's kind, and that of old ground stations. The checksum covers the floats as they came, so
 * that the same plan sent twice is known again, whatever rounding does to it. */
void mf_on_mission_item(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_mission_item *m, mf_us_t now_us)
{
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    const struct arrival a = {
        .item = {.param = {m->param1, m->param2, m->param3, m->param4},
                 .x = to_fixed(m->x, m->frame),
                 .y = to_fixed(m->y, m->frame),
                 .z = m->z,
                 .command = m->command,
                 .frame = m->frame,
                 .autocontinue = m->autocontinue},
        .x_bits = mf_f32_bits(m->x),
        .y_bits = mf_f32_bits(m->y),
        .seq = m->seq,
        .type = m->mission_type,
        .result = check_float(m),
        .current = m->current != 0,
        .is_float = true,
    };
    receive_item(v, from, &a, now_us);
}

/* ---- download ---- */

/* Handle MISSION_REQUEST_LIST. A client that repeats it has lost the answer: the download starts
 * again. Clients request other types of plan one after the other, each with its own COUNT. */
void mf_on_mission_request_list(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_mission_request_list *m, mf_us_t now_us)
{
    const struct mf_transfer *t = &v->transfer;
    (void)now_us;
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    const bool again =
        t->state == MF_TRANSFER_SEND && is_partner(v, from) && t->type == m->mission_type;
    if (mf_transfer_is_busy(t) && !again) {
        mf_say(v, MF_INFO, "Mission download request ignored, already active");
        return;
    }
    if (m->mission_type > MAV_MISSION_TYPE_RALLY) {
        send_ack(v, from, m->mission_type, MAV_MISSION_INVALID, 0);
        return;
    }
    const struct mf_store_info info = stored(v, m->mission_type);
    mf_transfer_send(&v->transfer, mf_client_of(v, from), m->mission_type, info.count,
                     v->now.transport_us);
    watch_transfer(v);
    const struct mf_msg_mission_count count = {
        .count = info.count,
        .target_system = from.sysid,
        .target_component = from.compid,
        .mission_type = m->mission_type,
        .opaque_id = info.tag,
    };
    (void)mf_link_send(v, from.link, MF_MSG_MISSION_COUNT, &count);
}

/* PX4 answers in the frames of the message's kind; by default an item goes back in its own. */
static uint8_t frame_for_int(const struct mf_vehicle *v, uint8_t frame)
{
    if (v->options.px4_strict && frame == MAV_FRAME_GLOBAL) {
        return MAV_FRAME_GLOBAL_INT;
    }
    return v->options.px4_strict && frame == MAV_FRAME_GLOBAL_RELATIVE_ALT
               ? MAV_FRAME_GLOBAL_RELATIVE_ALT_INT
               : frame;
}

/* MISSION_ITEM has degrees, so it cannot say one of the integer frames. */
static uint8_t frame_for_float(uint8_t frame)
{
    switch (frame) {
    case MAV_FRAME_GLOBAL_INT:
        return MAV_FRAME_GLOBAL;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        return MAV_FRAME_GLOBAL_RELATIVE_ALT;
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return MAV_FRAME_GLOBAL_TERRAIN_ALT;
    default:
        return frame;
    }
}

/* A float of degrees is good for a metre or so: who asks with MISSION_REQUEST gets no more. */
static float to_float(int32_t value, const struct mf_item *item)
{
    if (item->frame == MAV_FRAME_MISSION) {
        return value == NOT_GIVEN ? mf_f32_from_bits(NOT_A_NUMBER) : (float)value;
    }
    return mf_item_has_position(item) ? (float)((double)value / 1e7)
                                      : mf_f32_from_bits(NOT_A_NUMBER);
}

/* Marks the item that is flown, or would be: QGroundControl shows it in its list. */
static bool is_current(const struct mf_vehicle *v, uint16_t seq)
{
    return v->transfer.type == MAV_MISSION_TYPE_MISSION && seq == v->mission.current;
}

/* Send an item exactly as it was uploaded: parameters are kept as bits, not as numbers, so NaN
 * keeps its payload. */
static void send_item_int(struct mf_vehicle *v, uint16_t seq, const struct mf_item *item)
{
    const struct mf_transfer *t = &v->transfer;
    const struct mf_peer to = mf_client_peer(v, t->partner);
    MF_ASSERT(t->state == MF_TRANSFER_SEND && seq < t->count);
    const struct mf_msg_mission_item_int m = {
        .param1 = item->param[0],
        .param2 = item->param[1],
        .param3 = item->param[2],
        .param4 = item->param[3],
        .x = item->x,
        .y = item->y,
        .z = item->z,
        .seq = seq,
        .command = item->command,
        .target_system = to.sysid,
        .target_component = to.compid,
        .frame = frame_for_int(v, item->frame),
        .current = is_current(v, seq),
        .autocontinue = item->autocontinue,
        .mission_type = t->type,
    };
    (void)mf_link_send(v, to.link, MF_MSG_MISSION_ITEM_INT, &m);
}

/* Send an item in floats, and in the frames of MISSION_ITEM. */
static void send_item_float(struct mf_vehicle *v, uint16_t seq, const struct mf_item *item)
{
    const struct mf_transfer *t = &v->transfer;
    const struct mf_peer to = mf_client_peer(v, t->partner);
    MF_ASSERT(t->state == MF_TRANSFER_SEND && seq < t->count);
    const struct mf_msg_mission_item m = {
        .param1 = item->param[0],
        .param2 = item->param[1],
        .param3 = item->param[2],
        .param4 = item->param[3],
        .x = to_float(item->x, item),
        .y = to_float(item->y, item),
        .z = item->z,
        .seq = seq,
        .command = item->command,
        .target_system = to.sysid,
        .target_component = to.compid,
        .frame = frame_for_float(item->frame),
        .current = is_current(v, seq),
        .autocontinue = item->autocontinue,
        .mission_type = t->type,
    };
    (void)mf_link_send(v, to.link, MF_MSG_MISSION_ITEM, &m);
}

/* The next item, or the last one again: our answer may have been lost. Any other number ends the
 * download, as in PX4. MAVProxy asks for five at once, but in order. */
static void send_item(struct mf_vehicle *v, uint16_t seq, bool as_float)
{
    struct mf_transfer *t = &v->transfer;
    struct mf_item item;
    MF_ASSERT(t->state == MF_TRANSFER_SEND && t->next <= t->count);
    const bool next = seq == t->next && seq < t->count;
    if (!next && seq + 1 != t->next) {
        fail(v, MAV_MISSION_ERROR, "WPM: REJ. CMD: Req. WP was unexpected");
        return;
    }
    if (mf_store_get(&v->hal, area_of(t->type), seq, &item) != MF_E_OK) {
        fail(v, MAV_MISSION_ERROR, READ_FAILED);
        return;
    }
    MF_ASSERT(seq < t->count);
    if (as_float) {
        send_item_float(v, seq, &item);
    } else {
        send_item_int(v, seq, &item);
    }
    mf_transfer_sent(t, seq);
}

/* A request of another type than the transfer's is not answered: it belongs to a transfer that is
 * over. */
static void on_request(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_mission_request *m, bool as_float)
{
    struct mf_transfer *t = &v->transfer;
    if (!addressed(v, from, m->target_system, m->target_component) ||
        t->state == MF_TRANSFER_IDLE) {
        return; /* without a transfer: silently, as PX4, for the sake of some displays */
    }
    if (!is_partner(v, from)) {
        mf_say(v, MF_CRITICAL, "WPM: REJ. CMD: partner id mismatch");
    } else if (t->state == MF_TRANSFER_RECEIVE) {
        mf_say(v, MF_CRITICAL, "WPM: REJ. CMD: Busy");
    } else if (m->mission_type == t->type) {
        MF_ASSERT(t->state == MF_TRANSFER_SEND);
        mf_transfer_heard(t, v->now.transport_us);
        send_item(v, m->seq, as_float);
    }
}

void mf_on_mission_request(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_mission_request *m, mf_us_t now_us)
{
    (void)now_us;
    on_request(v, from, m, true);
}

void mf_on_mission_request_int(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_request_int *m, mf_us_t now_us)
{
    (void)now_us;
    const struct mf_msg_mission_request same = {
        .seq = m->seq,
        .target_system = m->target_system,
        .target_component = m->target_component,
        .mission_type = m->mission_type,
    };
    on_request(v, from, &same, false);
}

/* ---- the rest ---- */

/* Handle an acknowledgement during an upload: the partner does not support this form of request, or
 * cancels. */
static void on_ack_of_upload(struct mf_vehicle *v, const struct mf_msg_mission_ack *m)
{
    struct mf_transfer *t = &v->transfer;
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE);
    if (m->type == MAV_MISSION_UNSUPPORTED) {
        mf_transfer_change_kind(t);
        request_item(v);
    } else if (m->type == MAV_MISSION_OPERATION_CANCELLED && m->mission_type == t->type) {
        mf_transfer_end(t);
    }
}

/* Handle MISSION_ACK. During a download any result ends the transfer: the partner has all items, or
 * cancels. */
void mf_on_mission_ack(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_mission_ack *m, mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    (void)now_us;
    if (!addressed(v, from, m->target_system, m->target_component) ||
        t->state == MF_TRANSFER_IDLE) {
        return; /* the download has ended: a client may acknowledge late, or twice */
    }
    if (!is_partner(v, from)) {
        mf_say(v, MF_CRITICAL, "REJ. WP CMD: partner id mismatch");
    } else if (t->state == MF_TRANSFER_RECEIVE) {
        on_ack_of_upload(v, m);
    } else if (m->mission_type == t->type) {
        mf_transfer_end(t); /* whatever the result: the partner is done */
    }
}

/* MAVLink: type ALL is each of the three. */
void mf_on_mission_clear_all(struct mf_vehicle *v, struct mf_peer from,
                             const struct mf_msg_mission_clear_all *m, mf_us_t now_us)
{
    struct mf_transfer *t = &v->transfer;
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    if (mf_transfer_is_busy(t)) {
        mf_say(v, MF_CRITICAL, "WPM: IGN CLEAR CMD: Busy");
        return;
    }
    mf_transfer_end(t);
    uint8_t result =
        MAV_MISSION_ACCEPTED; /* of an unknown type there is nothing, and PX4 says so */
    for (unsigned type = 0; type <= MAV_MISSION_TYPE_RALLY; type++) {
        const bool meant = m->mission_type == type || m->mission_type == MAV_MISSION_TYPE_ALL;
        if (meant && clear(v, (uint8_t)type, now_us) != MF_E_OK) {
            result = MAV_MISSION_ERROR;
        }
    }
    MF_ASSERT(!mf_transfer_is_busy(t));
    send_ack(v, from, m->mission_type, result, 0);
}

void mf_on_mission_set_current(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_set_current *m, mf_us_t now_us)
{
    if (!addressed(v, from, m->target_system, m->target_component)) {
        return;
    }
    if (mf_transfer_is_busy(&v->transfer)) {
        mf_say(v, MF_CRITICAL, "WPM: IGN WP CURR CMD: Busy");
    } else if (mf_mission_set_current(v, m->seq, now_us) != MF_E_OK) {
        MF_ASSERT(m->seq >= v->mission.count); /* the only reason; PX4 has no acknowledgement for
                                                  it, only this text */
        mf_say(v, MF_CRITICAL, "WPM: WP CURR CMD: Not in list");
    }
}

/* End the transfer of a closed link without a message: its client starts again when it returns, and
 * the old plan stays active. */
void mf_mission_link_closed(struct mf_vehicle *v, struct mf_link *link)
{
    const struct mf_client on = mf_client_of(v, (struct mf_peer){.link = link});
    MF_ASSERT(link->open); /* its index is not another's yet */
    if (v->transfer.partner.link == on.link) {
        mf_transfer_end(&v->transfer);
    }
}

/* The text is PX4's: QGroundControl's users find it in its log of messages when a link is
 * too slow. */
mf_us_t mf_transfer_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_transfer *t = &v->transfer;
    MF_ASSERT(due_us <= v->now.transport_us);
    switch (mf_transfer_turn(t, v->now.transport_us)) {
    case MF_TRANSFER_SILENT:
        mf_say(v, MF_CRITICAL, "Operation timeout");
        break;
    case MF_TRANSFER_REPEAT:
        request_item(v);
        break;
    case MF_TRANSFER_WAIT:
        break;
    }
    return mf_transfer_due_us(t);
}
