/* SPDX-License-Identifier: Apache-2.0 */
/** The hive of a swarm (fleet/hive.h): it sees its members and orders them by their ports. */
#ifndef MF_BOARDS_SWARM_HIVE_H
#define MF_BOARDS_SWARM_HIVE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** The planner of a hive. */
extern const struct swarm_system swarm_hive_system;

#endif
