/* SPDX-License-Identifier: Apache-2.0 */
/** Gives the orders of a queue (fleet/order_queue.h) to the members of a swarm. */
#ifndef MF_BOARDS_SWARM_ORDERS_H
#define MF_BOARDS_SWARM_ORDERS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order_queue.h"

/** @brief Give all orders of a queue at @p at_us, to which all members have run. Sorts the queue.
 */
void swarm_orders_give(struct swarm *w, struct mf_order_queue *orders, mf_us_t at_us);

/** @brief Give orders to vehicles of this process, as give_orders() of struct swarm_carrier. The
 * visit covers the vehicles from the first to the last one with an order. */
void swarm_orders_to_vehicles(struct swarm *w, struct mf_order_queue *orders, uint32_t from,
                              uint32_t to, mf_us_t at_us);

#endif
