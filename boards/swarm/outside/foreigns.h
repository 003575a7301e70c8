/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members that are bodies. A body is a simulated quadrotor with motors (fleet/foreign.h), which an
 * autopilot outside flies over ArduPilot's JSON or gzuav's ticks; or Gazebo simulates it, and its
 * plugin connects as to gzuav's channel (channel.h). Time waits for each frame of each autopilot
 * (docs/foreign-autopilots.md).
 */
#ifndef MF_BOARDS_SWARM_FOREIGNS_H
#define MF_BOARDS_SWARM_FOREIGNS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Number of bytes sent to autopilots: one in virtual time runs when time stands, so its
 *  answer ends a grant. */
uint64_t swarm_foreigns_sent_bytes(const struct swarm *w);

/** System of bodies that autopilots outside fly. */
extern const struct swarm_system swarm_foreigns_system;

#endif
