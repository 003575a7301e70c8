/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps orders of the bus until boards/swarm/members/orders.c gives them to members. */
#include "fleet/order_queue.h"

#include "fleet/sorted.h"
#include "mavlink/enums.h"

#include <stdlib.h>

bool mf_order_queue_init(struct mf_order_queue *q)
{
    q->order = malloc(MF_ORDER_QUEUE_MAX * sizeof q->order[0]);
    return q->order != NULL;
}

void mf_order_queue_free(struct mf_order_queue *q)
{
    free(q->order);
    q->order = NULL;
}

static bool is_obeyed(uint32_t msgid)
{
    return msgid == MF_MSG_COMMAND_INT || msgid == MF_MSG_MISSION_ITEM_INT ||
           msgid == MF_MSG_SET_POSITION_TARGET_LOCAL_NED ||
           msgid == MF_MSG_SET_POSITION_TARGET_GLOBAL_INT || msgid == MF_MSG_MANUAL_CONTROL;
}

static const char *add_order(struct mf_order_queue *q, uint32_t members, uint32_t participant,
                             const struct mf_bus_order *o)
{
    const struct mf_msg_info *info = mf_msg_find(o->msgid);
    if (o->member >= members) {
        return "gives an order to a member that does not exist";
    }
    if (q->count == MF_ORDER_QUEUE_MAX) {
        return "gives more than 65536 orders in a turn";
    }
    struct mf_queued_order *to = &q->order[q->count];
    *to = (struct mf_queued_order){.member = o->member,
                                   .participant = participant,
                                   .sequence = q->count++,
                                   .msgid = o->msgid,
                                   .error = MF_E_NOSUPP,
                                   .result = MAV_RESULT_UNSUPPORTED};
    if (!is_obeyed(o->msgid) || info == NULL) {
        return NULL;
    }
    if (o->n > info->len_max) {
        return "gives an order whose payload is longer than the message";
    }
    mf_msg_unpack(info, o->payload, o->n, &to->msg);
    to->error = MF_E_AGAIN;
    return NULL;
}

const char *mf_order_queue_add(struct mf_order_queue *q, uint32_t members, uint32_t participant,
                               const struct mf_bus_frame *frame)
{
    struct mf_bus_order order;
    const char *why = NULL;
    size_t at = 0;
    while (why == NULL && mf_bus_order(frame, &at, &order, &why)) {
        why = add_order(q, members, participant, &order);
    }
    return why;
}

static int by_member(const void *a, const void *b)
{
    const struct mf_queued_order *p = a, *q = b;
    if (p->member != q->member) {
        return p->member < q->member ? -1 : 1;
    }
    return p->sequence < q->sequence ? -1 : 1;
}

void mf_order_queue_sort(struct mf_order_queue *q)
{
    if (q->count > 0) {
        qsort(q->order, q->count, sizeof q->order[0], by_member);
    }
}

uint32_t mf_order_queue_first(const struct mf_order_queue *q, uint32_t member)
{
    return mf_sorted_first(&q->order->member, sizeof *q->order, q->count, member);
}

void mf_order_queue_give(struct mf_order_queue *q, uint32_t member,
                         const struct mf_order_port *port)
{
    for (uint32_t k = mf_order_queue_first(q, member); k < q->count && q->order[k].member == member;
         k++) {
        struct mf_queued_order *o = &q->order[k];
        if (port == NULL) {
            o->error = MF_E_NOSUPP;
        } else if (o->error == MF_E_AGAIN) {
            o->error = port->ops->give(port->ctx, o->msgid, &o->msg, &o->result);
        }
    }
}

void mf_order_queue_refuse(struct mf_order_queue *q, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++) {
        q->order[k].error = MF_E_NOSUPP;
    }
}
