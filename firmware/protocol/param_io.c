/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter protocol of MAVLink, for receive.c. Source: MAVLink parameter protocol, PX4
 * mavlink_parameters.
 *
 * Lists run per link, each at its own pace, and several at once: a client that connects while
 * another one loads must not wait. A list keeps only the next index; values that change meanwhile
 * are sent as changes. Values are sent bytewise (MAV_PROTOCOL_CAPABILITY_PARAM_ENCODE_BYTEWISE): an
 * integer's bits in the field of a float. */
#include "firmware/protocol/param_io.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/protocol/param_change.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <string.h>

/* PX4's name: QGroundControl compares it with that of its cache, and spares itself the list where
 * they agree. */
#define HASH_NAME "_HASH_CHECK"
#define HOME_NAME "HOME_POSITION"
/* Index in PARAM_VALUE of what is not a parameter: MAVLink's "not in the list", so that no client
 * counts it. */
#define NO_INDEX UINT16_MAX
/* Pause between two bursts of a list. */
#define LIST_US (10 * MF_MS_US)

/* Names on the wire end with a NUL or after 16 characters. */
static bool is_named(const char id[MF_PARAM_NAME_MAX], const char *name)
{
    MF_ASSERT(strlen(name) <= MF_PARAM_NAME_MAX);
    return strncmp(id, name, MF_PARAM_NAME_MAX) == 0;
}

/* Send an error to the client of a request. PARAM_ERROR is new: clients that do not know it wait
 * for their time-outs. @param id  NULL: the request was by index */
static void send_error(struct mf_vehicle *v, struct mf_peer to, const char *id, int16_t index,
                       enum MAV_PARAM_ERROR error)
{
    MF_ASSERT(error != MAV_PARAM_ERROR_NO_ERROR);
    struct mf_msg_param_error m;
    memset(&m, 0, sizeof m);
    m.param_index = index;
    m.target_system = to.sysid;
    m.target_component = to.compid;
    m.error = (uint8_t)error;
    for (size_t i = 0; id != NULL && i < MF_PARAM_NAME_MAX && id[i] != '\0'; i++) {
        m.param_id[i] = id[i];
    }
    (void)mf_link_send(v, to.link, MF_MSG_PARAM_ERROR, &m);
}

/* The parameter as it is kept: what a client wrote comes back bit for bit. */
static bool send_value(struct mf_vehicle *v, struct mf_link *link, enum mf_param param)
{
    MF_ASSERT(link != NULL);
    struct mf_msg_param_value m;
    mf_param_encode(&v->params, param, &m);
    return mf_link_send(v, link, MF_MSG_PARAM_VALUE, &m);
}

/* Send a value that is readable by name, but not a parameter. @return false: the link lacks room */
static bool send_unlisted(struct mf_vehicle *v, struct mf_link *link, const char *name,
                          enum MAV_PARAM_TYPE type, uint32_t bits)
{
    MF_ASSERT(link != NULL && strlen(name) <= MF_PARAM_NAME_MAX);
    struct mf_msg_param_value m;
    memset(&m, 0, sizeof m);
    m.param_value = bits;
    m.param_count = MF_PARAM_COUNT;
    m.param_index = NO_INDEX;
    memcpy(m.param_id, name, strlen(name));
    m.param_type = (uint8_t)type;
    return mf_link_send(v, link, MF_MSG_PARAM_VALUE, &m);
}

/* PX4 sends the hash's bits as they are, typed UINT32, although no parameter has that type. */
static bool send_hash(struct mf_vehicle *v, struct mf_link *link)
{
    return send_unlisted(v, link, HASH_NAME, MAV_PARAM_TYPE_UINT32, mf_param_hash(&v->params));
}

static bool send_home(struct mf_vehicle *v, struct mf_link *link)
{
    const uint32_t bits = mf_f32_bits(v->home.valid ? 1.0f : 0.0f);
    return send_unlisted(v, link, HOME_NAME, MAV_PARAM_TYPE_REAL32, bits);
}

/* Answer a request by name, which has an index of -1 in MAVLink; the answer has the parameter's own
 * index. */
static void read_by_name(struct mf_vehicle *v, struct mf_peer from,
                         const char id[MF_PARAM_NAME_MAX])
{
    MF_ASSERT(from.link != NULL);
    const int param = mf_param_find(id);
    if (param >= 0) {
        (void)send_value(v, from.link, (enum mf_param)param);
    } else if (is_named(id, HASH_NAME)) {
        (void)send_hash(v, from.link);
    } else if (is_named(id, HOME_NAME)) {
        (void)send_home(v, from.link);
    } else {
        send_error(v, from, id, -1, MAV_PARAM_ERROR_DOES_NOT_EXIST);
    }
}

/* Answer a request by name or by index; MAVSDK and MAVProxy request missing parts of a list by
 * index. */
void mf_on_param_request_read(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_read *m, mf_us_t now_us)
{
    (void)now_us;
    MF_ASSERT(m != NULL && from.link != NULL);
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        return;
    }
    if (m->param_index < 0) {
        read_by_name(v, from, m->param_id);
    } else if (m->param_index < MF_PARAM_COUNT) {
        (void)send_value(v, from.link, (enum mf_param)m->param_index);
    } else {
        send_error(v, from, NULL, m->param_index, MAV_PARAM_ERROR_DOES_NOT_EXIST);
    }
}

/* The hash alone is a list, too: it is the first thing of one. */
static bool list_is_running(const struct mf_link *link)
{
    return link->param_hash_due || link->param_next < MF_PARAM_COUNT;
}

static void list_stop(struct mf_link *link)
{
    MF_ASSERT(link != NULL);
    link->param_hash_due = false;
    link->param_next = MF_PARAM_COUNT;
}

void mf_on_param_request_list(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_list *m, mf_us_t now_us)
{
    (void)now_us;
    MF_ASSERT(m != NULL && from.link != NULL);
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        return;
    }
    /* A client that repeats its request has missed a part: the list starts again, but without the
     * hash, which it has seen or does not want. */
    from.link->param_hash_due = !list_is_running(from.link);
    from.link->param_next = 0;
    mf_wake_at(v, MF_TASK_PARAMS, v->now.transport_us);
}

/* The hash comes before the list: a client that has the same values cached answers it by setting
 * it, and the rest of the list is not sent. @return false if the link had no room */
static bool list_step(struct mf_vehicle *v, struct mf_link *link)
{
    MF_ASSERT(list_is_running(link));
    if (mf_serial_room(&link->serial) < MF_PARAM_ROOM_MIN) {
        return false;
    }
    if (link->param_hash_due) {
        link->param_hash_due = !send_hash(v, link);
        return !link->param_hash_due;
    }
    if (!send_value(v, link, (enum mf_param)link->param_next)) {
        return false;
    }
    link->param_next++;
    MF_ASSERT(link->param_next <= MF_PARAM_COUNT);
    return true;
}

/* Run a burst of a list, if one runs. @return true: more is to be sent */
static bool list_run(struct mf_vehicle *v, struct mf_link *link)
{
    MF_ASSERT(link->open);
    for (unsigned n = 0; n < MF_PARAM_BURST && list_is_running(link); n++) {
        if (!list_step(v, link)) {
            break;
        }
    }
    return list_is_running(link);
}

/* Send changed values a second time: MAVSDK counts the first PARAM_VALUE after its PARAM_SET as the
 * answer, and only a second one as news. @return time of the next run [transport], MF_NEVER: all
 * are sent */
static mf_us_t tell_again(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_params *p = &v->params;
    unsigned told = 0;
    MF_ASSERT(p->again_us <= now_us);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        const enum mf_param param = (enum mf_param)i;
        if (!mf_param_marked(p->again, param)) {
            continue;
        }
        if (told++ == MF_PARAM_BURST) {
            return now_us + LIST_US;
        }
        struct mf_msg_param_value m;
        mf_param_mark(p->again, param, false);
        mf_param_encode(&v->params, param, &m);
        mf_links_send(v, MF_MSG_PARAM_VALUE, &m);
    }
    return MF_NEVER;
}

/* Says what people should hear of saving. @return transport time of the next attempt */
static mf_us_t save(struct mf_vehicle *v)
{
    const struct mf_params *p = &v->params;
    switch (mf_param_save_due(&v->params, &v->options, &v->hal, v->now.transport_us)) {
    case MF_SAVE_FAILED:
        mf_say(v, MF_WARNING, "Parameters could not be saved");
        break;
    case MF_SAVE_RECOVERED:
        mf_say(v, MF_INFO, "Parameters are saved again");
        break;
    case MF_SAVE_QUIET:
        break;
    }
    return p->unsaved ? p->retry_us : MF_NEVER;
}

/* Lists, news and saving share a task, as each of them waits for the wall and none of them is
 * urgent. */
mf_us_t mf_params_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us <= v->now.transport_us);
    const bool more = mf_links_run_each(v, list_run);
    if (v->params.again_us <= v->now.transport_us) {
        v->params.again_us = tell_again(v, v->now.transport_us);
    }
    const mf_us_t retry_us = save(v);
    const mf_us_t list_us = more ? v->now.transport_us + LIST_US : MF_NEVER;
    return mf_earlier(mf_earlier(v->params.again_us, retry_us), list_us);
}

/* Text of an error, for users whose client does not know PARAM_ERROR, but shows STATUSTEXT. */
static const char *error_text(enum MAV_PARAM_ERROR error, int param)
{
    switch ((unsigned)error) {
    case MAV_PARAM_ERROR_DOES_NOT_EXIST:
        return "no such parameter";
    case MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE:
        return "value out of range";
    case MAV_PARAM_ERROR_READ_ONLY:
        return "read-only";
    default:
        MF_ASSERT(param >= 0);
        return mf_param_info((enum mf_param)param)->is_float ? "type must be REAL32"
                                                             : "type must be INT32";
    }
}

/* Tell the client, then people. Clients that know PARAM_VALUE only see that the value is still the
 * old one.
 * @param id  as received: may hold anything, so it is cleaned before people see it */
static void refuse(struct mf_vehicle *v, struct mf_peer to, const char id[MF_PARAM_NAME_MAX],
                   int param, enum MAV_PARAM_ERROR error)
{
    MF_ASSERT(param < MF_PARAM_COUNT);
    char name[MF_PARAM_NAME_MAX + 1u] = {0};
    for (size_t i = 0; i < MF_PARAM_NAME_MAX && id[i] != '\0'; i++) {
        name[i] = '?';
        if (id[i] > ' ' && id[i] <= '~') {
            name[i] = id[i];
        }
    }
    mf_count_refused(to.link);
    /* The error first: to MAVSDK it is the end, but a PARAM_VALUE that differs means
     * "send again". */
    send_error(v, to, id, -1, error);
    if (param >= 0) {
        (void)send_value(v, to.link, (enum mf_param)param);
    }
    struct mf_text text = mf_text(name);
    mf_text_add(&text, " not set: ");
    mf_text_add(&text, error_text(error, param));
    mf_say(v, MF_WARNING, text.s);
}

/* Convert a number that was sent as the other type: pymavlink sends every value as REAL32 unless
 * the user sets the type. To an integer only if it is whole. */
static enum MAV_PARAM_ERROR convert(bool to_float, uint32_t *bits)
{
    MF_ASSERT(bits != NULL);
    const union mf_param_value from = {.bits = *bits};
    union mf_param_value to;
    if (to_float) {
        to.f = (float)from.i;
    } else {
        const bool fits = from.f >= -2147483648.0f && from.f < 2147483648.0f;
        if (!fits || (float)(int32_t)from.f != from.f) {
            return MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE;
        }
        to.i = (int32_t)from.f;
    }
    *bits = to.bits;
    return MAV_PARAM_ERROR_NO_ERROR;
}

/* The value as the parameter's type. A wrong type is refused, as by PX4, unless the board wants it
 * converted: the bits of the float 45 would be the integer 1110704128. */
static enum MAV_PARAM_ERROR to_own_type(const struct mf_vehicle *v, enum mf_param param,
                                        uint8_t type, uint32_t *bits)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    const bool is_float = mf_param_info(param)->is_float;
    if (type != MAV_PARAM_TYPE_INT32 && type != MAV_PARAM_TYPE_REAL32) {
        return MAV_PARAM_ERROR_TYPE_UNSUPPORTED;
    }
    if (is_float == (type == MAV_PARAM_TYPE_REAL32)) {
        return MAV_PARAM_ERROR_NO_ERROR;
    }
    return v->options.lenient_param_types ? convert(is_float, bits) : MAV_PARAM_ERROR_TYPE_MISMATCH;
}

/* Set a parameter. mf_param_set() sends the new value on all links, which includes the client's
 * answer. */
static enum MAV_PARAM_ERROR set(struct mf_vehicle *v, enum mf_param param,
                                const struct mf_msg_param_set *m)
{
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    uint32_t bits = m->param_value;
    const enum MAV_PARAM_ERROR error = to_own_type(v, param, m->param_type, &bits);
    if (error != MAV_PARAM_ERROR_NO_ERROR) {
        return error;
    }
    switch (mf_param_set(v, param, bits)) {
    case MF_E_OK:
        return MAV_PARAM_ERROR_NO_ERROR; /* who asked has heard it, as has every link */
    case MF_E_DENIED:
        return MAV_PARAM_ERROR_READ_ONLY;
    default:
        return MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE;
    }
}

/* Handle PARAM_SET. The two names outside of the table come first: setting one of them has a
 * meaning of its own, which PX4 defined and QGroundControl uses. */
void mf_on_param_set(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_param_set *m,
                     mf_us_t now_us)
{
    (void)now_us;
    MF_ASSERT(m != NULL && from.link != NULL);
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        return;
    }
    if (is_named(m->param_id, HASH_NAME)) { /* a client's cache is up to date: it wants no list */
        list_stop(from.link);
        send_error(v, from, m->param_id, -1, MAV_PARAM_ERROR_READ_ONLY);
        return;
    }
    const int param = mf_param_find(m->param_id);
    enum MAV_PARAM_ERROR error = MAV_PARAM_ERROR_DOES_NOT_EXIST;
    if (is_named(m->param_id, HOME_NAME)) {
        error = MAV_PARAM_ERROR_READ_ONLY;
    } else if (param >= 0) {
        error = set(v, (enum mf_param)param, m);
    }
    if (error != MAV_PARAM_ERROR_NO_ERROR) {
        refuse(v, from, m->param_id, param, error);
    }
}

/* A client that takes any component for a camera gets an end to its wait. */
void mf_on_param_ext_set(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_param_ext_set *m, mf_us_t now_us)
{
    struct mf_msg_param_ext_ack ack;
    (void)now_us;
    MF_ASSERT(m != NULL && from.link != NULL);
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        return;
    }
    mf_count_refused(from.link);
    if (v->options.px4_strict) {
        return;
    }
    memcpy(ack.param_id, m->param_id, sizeof ack.param_id);
    memcpy(ack.param_value, m->param_value, sizeof ack.param_value);
    ack.param_type = m->param_type;
    ack.param_result = PARAM_ACK_FAILED;
    (void)mf_link_send(v, from.link, MF_MSG_PARAM_EXT_ACK, &ack);
}
