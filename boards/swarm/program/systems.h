/* SPDX-License-Identifier: Apache-2.0 */
/** List of all systems of a run. */
#ifndef MF_BOARDS_SWARM_SYSTEMS_H
#define MF_BOARDS_SWARM_SYSTEMS_H

#include "boards/swarm/core/system.h"

/** Systems of a run, in the order of their calls; ends with NULL. */
extern const struct swarm_system *const swarm_systems[];

/** Systems of a leaf, which its vehicles need; the root has all others. Ends with NULL. */
extern const struct swarm_system *const swarm_leaf_systems[];

#endif
