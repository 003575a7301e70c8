/* SPDX-License-Identifier: Apache-2.0 */
/** Central planner of a swarm (fleet/hive.h): looks at its members, and gives them orders, by their
 * order ports. */
#ifndef MF_BOARDS_SWARM_HIVE_H
#define MF_BOARDS_SWARM_HIVE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of the planner. */
extern const struct swarm_system swarm_hive_system;

#endif
