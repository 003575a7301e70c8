/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink of real clients over built-in networks (docs/cosim.md): a socket of 127.0.0.1 for the
 * client at one end, a link of the vehicle at the other, lanes between them (fleet/lane.h). A
 * simulator outside carries the flows of its networks itself.
 */
#ifndef MF_BOARDS_SWARM_FLOWS_H
#define MF_BOARDS_SWARM_FLOWS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Number of bytes sent to clients so far. */
uint64_t swarm_flows_sent_bytes(const struct swarm *w);

/** System of flows over built-in networks (program/systems.c). */
extern const struct swarm_system swarm_flows_system;

#endif
