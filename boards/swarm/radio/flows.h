/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink of real clients over networks that are built in (docs/cosim.md): a socket of 127.0.0.1
 * for the client at one end, a link of the vehicle at the other, lanes between them (lane.h).
 * Networks outside carry their flows themselves.
 */
#ifndef MF_BOARDS_SWARM_FLOWS_H
#define MF_BOARDS_SWARM_FLOWS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Bytes that clients have got so far. */
uint64_t swarm_flows_out(const struct swarm *w);

/** Flows over networks that are built in. */
extern const struct swarm_system swarm_flows_system;

#endif
