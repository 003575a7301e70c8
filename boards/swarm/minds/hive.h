/* SPDX-License-Identifier: Apache-2.0 */
/** The hive of a swarm (fleet/hive.h): it sees its members and orders them by their ports. */
#ifndef MF_BOARDS_SWARM_HIVE_H
#define MF_BOARDS_SWARM_HIVE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Has it something to do yet? Until all is visited and everybody is at home. */
bool swarm_hive_works(const struct swarm *w);

/** The planner of a hive. */
extern const struct swarm_system swarm_hive_system;

#endif
