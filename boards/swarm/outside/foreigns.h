/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members that are bodies: quadrotors with motors (fleet/foreign.h), each flown by an autopilot of
 * others over ArduPilot's JSON or gzuav's ticks; or bodies of Gazebo, whose plugins connect as they
 * do to gzuav's channel (channel.h). Time waits for each frame of each autopilot
 * (docs/foreign-autopilots.md).
 */
#ifndef MF_BOARDS_SWARM_FOREIGNS_H
#define MF_BOARDS_SWARM_FOREIGNS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Bodies that autopilots of others fly. */
extern const struct swarm_system swarm_foreigns_system;

#endif
