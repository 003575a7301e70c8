/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Orders of frames ORDERS (docs/bus.md): they wait in a queue until members obey, each member in
 * the order of arrival.
 */
#ifndef MF_FLEET_ORDER_QUEUE_H
#define MF_FLEET_ORDER_QUEUE_H

#include "fleet/bus.h"
#include "fleet/order.h"

#define MF_ORDER_QUEUE_MAX 65536u /* orders */

/** An order, and its answer. */
struct mf_queued_order {
    uint32_t member, participant; /**< receiver, and sender: a number of the bus */
    uint32_t sequence;            /**< number of orders that arrived before it */
    uint32_t msgid;
    int error;      /**< of mf_order_ops.give(); MF_E_AGAIN: not given yet, or not answered yet */
    uint8_t result; /**< MAV_RESULT */
    union mf_msg msg;
};

/** Zero it to begin. */
struct mf_order_queue {
    struct mf_queued_order *order; /**< [MF_ORDER_QUEUE_MAX], of the heap */
    uint32_t count;
};

/** @brief Allocate the orders. @return false: no memory */
bool mf_order_queue_init(struct mf_order_queue *q);

/** @brief Free the orders; the queue may be initialized again. */
void mf_order_queue_free(struct mf_order_queue *q);

/** @brief Add all orders of a frame. An order that no member obeys is answered UNSUPPORTED.
 *  @param members  number of members  @param participant  sender of the frame
 *  @return NULL; a static text: the frame is wrong, and its orders before the fault remain */
const char *mf_order_queue_add(struct mf_order_queue *q, uint32_t members, uint32_t participant,
                               const struct mf_bus_frame *frame);

/** @brief Sort by member, then by arrival. Before the functions below. */
void mf_order_queue_sort(struct mf_order_queue *q);

/** @brief Find the first order to @p member, or to a higher one. @return its index; the count: not
 * found */
uint32_t mf_order_queue_first(const struct mf_order_queue *q, uint32_t member);

/** @brief Give a member its orders. Any thread, one for each member.
 *  @param port  NULL: the member is absent, and its orders are answered UNSUPPORTED */
void mf_order_queue_give(struct mf_order_queue *q, uint32_t member,
                         const struct mf_order_port *port);

/** @brief Answer orders UNSUPPORTED. @param from, to  indices, without @p to */
void mf_order_queue_refuse(struct mf_order_queue *q, uint32_t from, uint32_t to);

#endif
