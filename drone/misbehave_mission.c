/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of transfers of missions, fences and rally points. Called by drone/misbehave. */
#include "drone/misbehave_hook.h"
#include "mavlink/enums.h"

/* Longest time that an item waits for the one that is to leave before it [us]. */
#define HOLD_US MF_SECOND_US

/* Subject of a frame; messages with integers and with floats have the same fields here. */
static struct mf_subject subject_of(const struct mf_passing *p)
{
    const union mf_msg *msg = p->msg;
    switch (p->frame->info->id) {
    case MF_MSG_MISSION_ITEM:
        return (struct mf_subject){msg->mission_item.mission_type, msg->mission_item.seq};
    case MF_MSG_MISSION_ITEM_INT:
        return (struct mf_subject){msg->mission_item_int.mission_type, msg->mission_item_int.seq};
    case MF_MSG_MISSION_REQUEST:
        return (struct mf_subject){msg->mission_request.mission_type, msg->mission_request.seq};
    case MF_MSG_MISSION_REQUEST_INT:
    default:
        return (struct mf_subject){msg->mission_request_int.mission_type,
                                   msg->mission_request_int.seq};
    }
}

static struct mf_sender client_of(const struct mf_frame *frame)
{
    return (struct mf_sender){frame->version, frame->seq, frame->sysid, frame->compid};
}

/* End the vehicle's transfer, as if its client had cancelled it. */
static void cancel(const struct mf_passing *p, const struct mf_sender *client, uint32_t plan)
{
    const struct mf_msg_mission_ack ack = {
        .target_system = p->m->all->sysid,
        .target_component = p->m->all->compid,
        .type = MAV_MISSION_OPERATION_CANCELLED,
        .mission_type = (uint8_t)plan,
    };
    mf_misbehave_tell(p->m, client, MF_MSG_MISSION_ACK, &ack);
}

/* Refuse the client's frame with MISSION_ACK ERROR, and end the vehicle's transfer. */
static void refuse(const struct mf_passing *p, uint32_t plan)
{
    const struct mf_sender client = client_of(p->frame);
    const struct mf_msg_mission_ack ack = {
        .target_system = client.sysid,
        .target_component = client.compid,
        .type = MAV_MISSION_ERROR,
        .mission_type = (uint8_t)plan,
    };
    mf_misbehave_send(p, MF_MSG_MISSION_ACK, &ack);
    cancel(p, &client, plan);
}

/* ---- from the client */

/* Hook of MISSION_COUNT, MISSION_REQUEST_LIST and MISSION_CLEAR_ALL, which end an earlier
 * transfer. */
bool mf_misbehave_in_mission_begin(const struct mf_passing *p)
{
    struct mf_misbehave_work *w = p->m->work;
    w->silent = false;
    if (p->frame->info->id == MF_MSG_MISSION_COUNT) {
        w->count = p->msg->mission_count.count;
    }
    return true;
}

bool mf_misbehave_in_mission_item(const struct mf_passing *p)
{
    const struct mf_subject subject = subject_of(p);
    if (p->m->work->silent) {
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(UPLOAD_REFUSED), subject)) {
        refuse(p, subject.id);
        return false;
    }
    return true;
}

bool mf_misbehave_in_mission_request(const struct mf_passing *p)
{
    const struct mf_subject subject = subject_of(p);
    if (p->m->work->silent) {
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(DOWNLOAD_REFUSED), subject)) {
        refuse(p, subject.id);
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(DOWNLOAD_TIMEOUT), subject)) {
        const struct mf_sender client = client_of(p->frame);
        p->m->work->silent = true;
        cancel(p, &client, subject.id);
        return false;
    }
    return true;
}

bool mf_misbehave_in_mission_ack(const struct mf_passing *p)
{
    return !p->m->work->silent;
}

/* ---- from the vehicle: an upload */

static void request(const struct mf_passing *p, const struct mf_msg_mission_request_int *m)
{
    if (p->frame->info->id == MF_MSG_MISSION_REQUEST_INT) {
        mf_misbehave_send(p, MF_MSG_MISSION_REQUEST_INT, m);
        return;
    }
    const struct mf_msg_mission_request as_float = {
        .seq = m->seq,
        .target_system = m->target_system,
        .target_component = m->target_component,
        .mission_type = m->mission_type,
    };
    mf_misbehave_send(p, MF_MSG_MISSION_REQUEST, &as_float);
}

/* Client to which the vehicle's frame goes. */
static struct mf_address client_that_is_asked(const struct mf_passing *p)
{
    return mf_msg_target(p->frame->info, p->frame->payload, p->frame->len);
}

bool mf_misbehave_out_mission_request(const struct mf_passing *p)
{
    struct mf_misbehave_work *w = p->m->work;
    const struct mf_subject subject = subject_of(p);
    const struct mf_address to = client_that_is_asked(p);
    if (w->silent || mf_misbehave_fires(p->m, MF_RULE_BIT(UPLOAD_LOST), subject)) {
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(UPLOAD_TIMEOUT), subject)) {
        const struct mf_sender client = {p->frame->version, w->heard, to.system, to.component};
        w->silent = true;
        cancel(p, &client, subject.id);
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(UPLOAD_REPEATED), subject)) {
        mf_misbehave_repeat(p);
    }
    if (subject.item + 1 < w->count &&
        mf_misbehave_fires(p->m, MF_RULE_BIT(UPLOAD_REORDERED), subject)) {
        const struct mf_msg_mission_request_int ahead = {
            .seq = (uint16_t)(subject.item + 1),
            .target_system = to.system,
            .target_component = to.component,
            .mission_type = (uint8_t)subject.id,
        };
        request(p, &ahead);
    }
    return true;
}

bool mf_misbehave_out_mission_ack(const struct mf_passing *p)
{
    const struct mf_subject subject = {.id = p->msg->mission_ack.mission_type};
    return !p->m->work->silent && !mf_misbehave_fires(p->m, MF_RULE_BIT(MISSION_ACK_LOST), subject);
}

/* ---- from the vehicle: a download */

bool mf_misbehave_out_mission_count(const struct mf_passing *p)
{
    p->m->work->count = p->msg->mission_count.count;
    return true;
}

/* Hold this item back, and request the next one from the vehicle. @return false: not enough room to
 * hold it */
static bool reorder(const struct mf_passing *p, struct mf_subject subject)
{
    struct mf_misbehave_work *w = p->m->work;
    const struct mf_address to = client_that_is_asked(p);
    const struct mf_sender client = {p->frame->version, w->heard, to.system, to.component};
    if (!mf_misbehave_hold(p, p->m->all->now_us + HOLD_US)) {
        return false;
    }
    const uint16_t ahead = (uint16_t)(subject.item + 1);
    w->reordering = true;
    w->ahead = ahead;
    if (p->frame->info->id == MF_MSG_MISSION_ITEM) {
        const struct mf_msg_mission_request m = {.seq = ahead,
                                                 .target_system = p->m->all->sysid,
                                                 .target_component = p->m->all->compid,
                                                 .mission_type = (uint8_t)subject.id};
        mf_misbehave_tell(p->m, &client, MF_MSG_MISSION_REQUEST, &m);
    } else {
        const struct mf_msg_mission_request_int m = {.seq = ahead,
                                                     .target_system = p->m->all->sysid,
                                                     .target_component = p->m->all->compid,
                                                     .mission_type = (uint8_t)subject.id};
        mf_misbehave_tell(p->m, &client, MF_MSG_MISSION_REQUEST_INT, &m);
    }
    return true;
}

bool mf_misbehave_out_mission_item(const struct mf_passing *p)
{
    struct mf_misbehave_work *w = p->m->work;
    const struct mf_subject subject = subject_of(p);
    if (w->silent || mf_misbehave_fires(p->m, MF_RULE_BIT(DOWNLOAD_LOST), subject)) {
        return false;
    }
    if (w->reordering && w->ahead == subject.item) {
        w->reordering = false;
        mf_misbehave_repeat(p);
        mf_misbehave_release(p);
        return false;
    }
    if (mf_misbehave_fires(p->m, MF_RULE_BIT(DOWNLOAD_REPEATED), subject)) {
        mf_misbehave_repeat(p);
    }
    struct mf_misbehave_rule *r = mf_misbehave_find(p->m, MF_RULE_BIT(DOWNLOAD_REORDERED), subject);
    if (r != NULL && subject.item + 1 < w->count && reorder(p, subject)) {
        r->fired++;
        return false;
    }
    return true;
}
