/* SPDX-License-Identifier: Apache-2.0 */
/** Orders from outside, in frames ORDERS (docs/bus.md): they wait, then members are given theirs,
 * in the order in which they came. */
#ifndef MF_BOARDS_SWARM_ORDERS_H
#define MF_BOARDS_SWARM_ORDERS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"

#define SWARM_ORDERS_MAX 65536u /* at once */

/** An order, and what became of it. */
struct swarm_order {
    uint32_t member, participant, sequence;
    uint32_t msgid;
    int error;      /**< of the order port; MF_E_AGAIN: it waits */
    uint8_t result; /**< MAV_RESULT */
    union mf_msg msg;
};

struct swarm_orders {
    struct swarm_order *order; /**< [SWARM_ORDERS_MAX] */
    uint32_t count;
};

/** @brief @return false: there is no memory */
bool swarm_orders_init(struct swarm_orders *orders);

/** @brief All orders of a frame wait. @return NULL, or why the frame is wrong */
const char *swarm_orders_take(const struct swarm *w, struct swarm_orders *orders,
                              uint32_t participant, const struct mf_bus_frame *frame);

/** @brief Those that wait are given at @p at_us, before which all members have run. */
void swarm_orders_give(struct swarm *w, struct swarm_orders *orders, mf_us_t at_us);

#endif
