/* SPDX-License-Identifier: Apache-2.0 */
/** Order port of a vehicle of this process. It calls the vehicle's message handlers directly,
 * without frames. */
#ifndef MF_BOARDS_SWARM_PORT_VEHICLE_H
#define MF_BOARDS_SWARM_PORT_VEHICLE_H

#include "drone/inside.h"
#include "fleet/order.h"

/** Context of the port: a vehicle during its turn, or during a visit (hal-sim/crowd.h). */
struct swarm_port_vehicle {
    struct mf_drone *drone;
    struct mf_inside *inside;
};

/** Functions of the port, whose context is a struct swarm_port_vehicle. Their view does not have
 * the reached item of the mission: struct mf_crowd_state has. */
extern const struct mf_order_ops swarm_port_vehicle_ops;

#endif
