/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/barrier.h"

#include "firmware/link/link.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* 11 days: more than a flight, and far from where times overflow. */
#define RUN_MAX_S 1e6f

/* Barriers and links are two pools with one order. */
static struct mf_barrier *barrier_of(const struct mf_vehicle *v, const struct mf_link *link)
{
    MF_ASSERT(v->barriers != NULL && link >= v->links && link < v->links + v->link_count);
    return &v->barriers[link - v->links];
}

void mf_barrier_clear(struct mf_vehicle *v, const struct mf_link *link)
{
    if (v->barriers != NULL) {
        *barrier_of(v, link) = (struct mf_barrier){.action = MF_BARRIER_LEAVE};
    }
}

/* Set a link's barrier. The last action of a link counts: a client that sends another one withdraws
 * the one before, and gets no second acknowledgement for it. Actions are compared as floats, as
 * commands carry them: 1.5 is invalid. */
int mf_barrier_command(struct mf_vehicle *v, struct mf_peer from, float action, float seconds,
                       mf_us_t now_us)
{
    if (v->barriers == NULL) {
        return MF_E_NOSUPP;
    }
    if (!(action == (float)MF_BARRIER_LEAVE || action == (float)MF_BARRIER_HOLD ||
          action == (float)MF_BARRIER_RUN || action == (float)MF_BARRIER_EVENT)) {
        return MF_E_RANGE;
    }
    if (action == (float)MF_BARRIER_RUN && !(seconds >= 0.0f && seconds <= RUN_MAX_S)) {
        return MF_E_RANGE;
    }
    struct mf_barrier *b = barrier_of(v, from.link);
    *b = (struct mf_barrier){
        .action = (uint8_t)action,
        .sysid = from.sysid,
        .compid = from.compid,
        .events = v->counters.events,
        .until_us = now_us,
    };
    if (b->action == MF_BARRIER_RUN) {
        b->until_us += mf_us_of((double)seconds);
    }
    MF_ASSERT(b->until_us >= now_us);
    return b->action == MF_BARRIER_RUN || b->action == MF_BARRIER_EVENT ? MF_E_PROGRESS : MF_E_OK;
}

/* True if a barrier's action has ended. EVENT ends with the first event after its request: events
 * are counted, not named. */
static bool is_over(const struct mf_vehicle *v, const struct mf_barrier *b)
{
    return (b->action == MF_BARRIER_RUN && v->now.vehicle_us >= b->until_us) ||
           (b->action == MF_BARRIER_EVENT && v->counters.events != b->events);
}

void mf_barriers_settle(struct mf_vehicle *v)
{
    MF_ASSERT(v->links_top <= v->link_count);
    /* in the order of links, so that clients that wait for one instant get their messages in the
     * same order in all runs */
    for (uint16_t i = 0; v->barriers != NULL && i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        struct mf_barrier *b = &v->barriers[i];
        if (!link->open || !is_over(v, b)) {
            continue;
        }
        /* the barrier holds before its client's message, so that the client's next command finds
         * this instant */
        b->action = MF_BARRIER_HOLD;
        b->until_us = v->now.vehicle_us;
        const struct mf_msg_command_ack ack = {
            .command = MAV_CMD_USER_1,
            .result = MAV_RESULT_ACCEPTED,
            .target_system = b->sysid,
            .target_component = b->compid,
        };
        (void)mf_link_send(v, link, MF_MSG_COMMAND_ACK, &ack);
    }
}

/* The strictest one counts: no client misses anything because another one is in a hurry. */
mf_us_t mf_barriers_limit(const struct mf_vehicle *v, mf_us_t event_us)
{
    MF_ASSERT(v->links_top <= v->link_count);
    mf_us_t limit_us = MF_NEVER;
    for (uint16_t i = 0; v->barriers != NULL && i < v->links_top; i++) {
        const struct mf_barrier *b = &v->barriers[i];
        if (v->links[i].open && b->action != MF_BARRIER_LEAVE) {
            const mf_us_t own_us = b->action == MF_BARRIER_EVENT ? event_us : b->until_us;
            limit_us = own_us < limit_us ? own_us : limit_us;
        }
    }
    return limit_us;
}

bool mf_barriers_exist(const struct mf_vehicle *v)
{
    for (uint16_t i = 0; v->barriers != NULL && i < v->links_top; i++) {
        if (v->links[i].open && v->barriers[i].action != MF_BARRIER_LEAVE) {
            return true;
        }
    }
    return false;
}
