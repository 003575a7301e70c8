/* SPDX-License-Identifier: Apache-2.0 */
/** Gives the orders of a queue (fleet/order_queue.h) to the members of a swarm. */
#ifndef MF_BOARDS_SWARM_ORDERS_H
#define MF_BOARDS_SWARM_ORDERS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order_queue.h"

/** @brief Give all orders at @p at_us, before which all members have run. Sorts the queue. */
void swarm_orders_give(struct swarm *w, struct mf_order_queue *orders, mf_us_t at_us);

/** @brief As give() of struct swarm_carrier, for vehicles of this process: vehicles before the
 * first and after the last one with an order are left alone. */
void swarm_orders_to_vehicles(struct swarm *w, struct mf_order_queue *orders, uint32_t from,
                              uint32_t to, mf_us_t at_us);

#endif
