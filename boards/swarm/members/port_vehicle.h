/* SPDX-License-Identifier: Apache-2.0 */
/** The order port of a vehicle of this process: it gets an order as its handlers do, unframed. */
#ifndef MF_BOARDS_SWARM_PORT_VEHICLE_H
#define MF_BOARDS_SWARM_PORT_VEHICLE_H

#include "drone/inside.h"
#include "fleet/order.h"

/** A vehicle during its turn, or during a visit (hal-sim/crowd.h). */
struct swarm_port_vehicle {
    struct mf_drone *drone;
    struct mf_inside *inside;
};

/** The contract; the context is a struct swarm_port_vehicle. What it has reached of its mission is
 * not seen here, but in struct mf_crowd_state. */
extern const struct mf_order_ops swarm_port_vehicle_ops;

#endif
