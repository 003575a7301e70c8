/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/route.h"

#include "firmware/core/param.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

/* A number so little behind the last one was repeated or overtaken: nothing is missing. Numbers
 * have 8 bits, so up to 191 lost frames in a row are counted, and more look like fewer. */
#define BEHIND 64u

/* Learn the sender of a frame. A sender keeps its place as long as the link is open, as in PX4: a
 * table that forgot senders would send circles. If the table is full, the link counts as one that
 * may lead to any address. */
uint8_t mf_senders_learn(struct mf_senders *s, const struct mf_frame *frame)
{
    MF_ASSERT(s->count <= MF_LINK_SENDERS_MAX);
    for (size_t i = 0; i < s->count; i++) {
        if (s->at[i].sysid == frame->sysid && s->at[i].compid == frame->compid) {
            if ((uint8_t)(s->at[i].seq - frame->seq) < BEHIND) {
                return 0;
            }
            const uint8_t lost = (uint8_t)(frame->seq - s->at[i].seq - 1u);
            s->at[i].seq = frame->seq;
            return lost;
        }
    }
    if (frame->info == NULL) {
        return 0;
    }
    if (s->count == MF_LINK_SENDERS_MAX) {
        s->more = true;
        return 0;
    }
    s->at[s->count].sysid = frame->sysid;
    s->at[s->count].compid = frame->compid;
    s->at[s->count].seq = frame->seq;
    s->count++;
    return 0;
}

bool mf_senders_have(const struct mf_senders *s, uint8_t sysid, uint8_t compid)
{
    MF_ASSERT(s->count <= MF_LINK_SENDERS_MAX);
    for (size_t i = 0; i < s->count; i++) {
        if (s->at[i].sysid == sysid && s->at[i].compid == compid) {
            return true;
        }
    }
    return false;
}

/* True if a message to an address is for this vehicle: to all components of this system or to all
 * systems includes the autopilot. */
bool mf_is_for_us(const struct mf_vehicle *v, uint8_t system, uint8_t component)
{
    return (system == 0 || system == v->sysid) && (component == 0 || component == v->compid);
}

bool mf_means_us(const struct mf_vehicle *v, struct mf_peer from, uint8_t system, uint8_t component)
{
    const bool ours = mf_is_for_us(v, system, component);
    if (!ours) {
        mf_count_foreign(from.link);
    }
    return ours;
}

void mf_count_foreign(struct mf_link *link)
{
    MF_ASSERT(link->open);
    link->stats.rx_foreign++;
}

void mf_count_refused(struct mf_link *link)
{
    MF_ASSERT(link->open);
    link->stats.rx_rejected++;
}

/* True if the target's address includes a known sender; 0 means all. */
static bool leads_to(const struct mf_senders *s, struct mf_address to)
{
    MF_ASSERT(s->count <= MF_LINK_SENDERS_MAX);
    for (size_t i = 0; i < s->count; i++) {
        if ((to.system == 0 || to.system == s->at[i].sysid) &&
            (to.system == 0 || to.component == 0 || to.component == s->at[i].compid)) {
            return true;
        }
    }
    return s->more;
}

/* True if a message is never routed: the vehicle's own echo, messages for the autopilot only, a key
 * (which no other link may see), and, as in PX4 unless MAV_HB_FORW_EN is set, HEARTBEAT. The target
 * of an unknown message is unknown, so it counts as a message for all. */
static bool stays(const struct mf_vehicle *v, const struct mf_frame *frame, struct mf_address to)
{
    if (frame->sysid == v->sysid && frame->compid == v->compid) {
        return true; /* our own echo */
    }
    if (to.system == v->sysid && to.component == v->compid) {
        return true;
    }
    if (frame->info == NULL) {
        return false;
    }
    return frame->info->id == MF_MSG_SETUP_SIGNING ||
           (frame->info->id == MF_MSG_HEARTBEAT &&
            mf_param_i(&v->params, MF_PARAM_MAV_HB_FORW_EN) == 0);
}

/* Our own messages have the right of way: others take only the room that is left over. */
static void pass_on(struct mf_link *link, const struct mf_frame *frame)
{
    /* version 1 peers cannot read version 2, and a frame is sent on with its bytes */
    const bool fits = frame->version <= link->version &&
                      mf_serial_room(&link->serial) >= frame->raw_len + MF_FORWARD_RESERVE;
    if (fits && mf_serial_write(&link->serial, frame->raw, frame->raw_len) == (int)frame->raw_len) {
        link->stats.tx_forwarded++;
    } else {
        link->stats.tx_held_back++;
    }
}

void mf_route(struct mf_vehicle *v, const struct mf_link *from, const struct mf_frame *frame)
{
    struct mf_address to = {0, 0};
    MF_ASSERT(from->open && frame->raw_len <= MF_FRAME_MAX);
    if (frame->info != NULL) {
        to = mf_msg_target(frame->info, frame->payload, frame->len);
    }
    if (from->serial.isolated || stays(v, frame, to)) {
        return;
    }
    /* not where its sender was seen: a peer with two links would get its own frames back */
    for (uint16_t i = 0; i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        if (link->open && link != from && !link->serial.isolated && leads_to(&link->senders, to) &&
            !mf_senders_have(&link->senders, frame->sysid, frame->compid)) {
            pass_on(link, frame);
        }
    }
}
