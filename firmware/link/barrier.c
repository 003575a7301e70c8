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

/* The last action of a link counts: a client that asks anew withdraws what it asked for before, and
 * gets no second acknowledgement for that. Actions are compared as floats, because that is what a
 * command carries: 1.5 is none. */
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

/* EVENT ends with the first thing that happens after it was asked for, whatever that is: events are
 * counted, not named. */
static bool is_over(const struct mf_vehicle *v, const struct mf_barrier *b)
{
    return (b->action == MF_BARRIER_RUN && v->now.vehicle_us >= b->until_us) ||
           (b->action == MF_BARRIER_EVENT && v->counters.events != b->events);
}

void mf_barriers_settle(struct mf_vehicle *v)
{
    MF_ASSERT(v->links_top <= v->link_count);
    /* in the order of links: two clients that wait for one instant are told in the same order
     * always */
    for (uint16_t i = 0; v->barriers != NULL && i < v->links_top; i++) {
        struct mf_link *link = &v->links[i];
        struct mf_barrier *b = &v->barriers[i];
        if (!link->open || !is_over(v, b)) {
            continue;
        }
        /* it holds before anybody hears of it, so that the client's next command meets this
         * instant */
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
