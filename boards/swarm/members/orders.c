/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/members/orders.h"

#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/port_vehicle.h"
#include "mavlink/enums.h"

#include <stdlib.h>

bool swarm_orders_init(struct swarm_orders *orders)
{
    orders->order = malloc(SWARM_ORDERS_MAX * sizeof orders->order[0]);
    return orders->order != NULL;
}

/* ---- they come */

static const char *add(const struct swarm *w, struct swarm_orders *orders, uint32_t participant,
                       const struct mf_bus_order *o)
{
    const struct mf_msg_info *info = mf_msg_find(o->msgid);
    if (o->member >= w->scenario->members) {
        return "gives an order to a member that is not there";
    }
    if (orders->count == SWARM_ORDERS_MAX) {
        return "gives more than 65536 orders in a turn";
    }
    struct swarm_order *to = &orders->order[orders->count];
    *to = (struct swarm_order){.member = o->member,
                               .participant = participant,
                               .sequence = orders->count++,
                               .msgid = o->msgid,
                               .error = MF_E_NOSUPP,
                               .result = MAV_RESULT_UNSUPPORTED};
    const bool known = o->msgid == MF_MSG_COMMAND_INT || o->msgid == MF_MSG_MISSION_ITEM_INT ||
                       o->msgid == MF_MSG_SET_POSITION_TARGET_LOCAL_NED ||
                       o->msgid == MF_MSG_SET_POSITION_TARGET_GLOBAL_INT ||
                       o->msgid == MF_MSG_MANUAL_CONTROL;
    if (!known || info == NULL) {
        return NULL; /* its answer says so */
    }
    if (o->n > info->len_max) {
        return "gives an order whose payload is longer than the message";
    }
    mf_msg_unpack(info, o->payload, o->n, &to->msg);
    to->error = MF_E_AGAIN;
    return NULL;
}

const char *swarm_orders_take(const struct swarm *w, struct swarm_orders *orders,
                              uint32_t participant, const struct mf_bus_frame *frame)
{
    struct mf_bus_order order;
    const char *why = NULL;
    size_t at = 0;
    while (why == NULL && mf_bus_order(frame, &at, &order, &why)) {
        why = add(w, orders, participant, &order);
    }
    return why;
}

/* ---- they are given */

/* Those that are given now: who visits members brings no context. */
static struct swarm_orders *s_given;

static int by_member(const void *a, const void *b)
{
    const struct swarm_order *p = a, *q = b;
    if (p->member != q->member) {
        return p->member < q->member ? -1 : 1;
    }
    return p->sequence < q->sequence ? -1 : 1;
}

/* The first order of a member, or of one behind it. */
static uint32_t first_of(uint32_t member)
{
    uint32_t low = 0, high = s_given->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (s_given->order[middle].member < member) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

static void give(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    const bool absent = swarm_is_absent(w, i, w->now_us);
    for (uint32_t k = first_of(i); k < s_given->count && s_given->order[k].member == i; k++) {
        struct swarm_order *o = &s_given->order[k];
        if (absent) {
            o->error = MF_E_NOSUPP;
        } else if (o->error == MF_E_AGAIN) {
            o->error = port->ops->give(port->ctx, o->msgid, &o->msg, &o->result);
        }
    }
}

static void visit(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                  struct mf_inside *inside)
{
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    if (first_of(i) < s_given->count && s_given->order[first_of(i)].member == i) {
        give(ctx, i, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
    }
}

/* A thing obeys nothing, a body its autopilot alone. */
static void refuse(uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++) {
        s_given->order[k].error = MF_E_NOSUPP;
    }
}

void swarm_orders_give(struct swarm *w, struct swarm_orders *orders, mf_us_t at_us)
{
    s_given = orders;
    if (orders->count == 0) {
        return;
    }
    qsort(s_given->order, s_given->count, sizeof s_given->order[0], by_member);
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        const uint32_t from = first_of(e->first), to = first_of(e->first + e->count);
        if (from == to) {
            continue;
        }
        if (e->as == MF_SCENARIO_KIND_VEHICLE) {
            mf_crowd_visit(w->crowd, &w->workers, at_us, s_given->order[from].member,
                           s_given->order[to - 1u].member + 1u, visit, w);
            swarm_hosts_give(w, s_given, from, to, at_us);
        } else if (e->as == MF_SCENARIO_KIND_THING || e->as == MF_SCENARIO_KIND_BODY) {
            refuse(from, to);
        } else {
            swarm_visit(w, at_us, e, give);
        }
    }
}
