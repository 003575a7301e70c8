/* SPDX-License-Identifier: Apache-2.0 */
/** The lists of all systems of a run. */
#ifndef MF_BOARDS_SWARM_SYSTEMS_H
#define MF_BOARDS_SWARM_SYSTEMS_H

#include "boards/swarm/core/system.h"

/** Systems of a run with members. Ends with NULL. */
extern const struct swarm_system *const swarm_systems[];

/** @brief Systems of the run of w->scenario, by its kind of world. */
const struct swarm_system *const *swarm_systems_of(const struct swarm *w);

/** Those of a leaf: its vehicles need them, and the root has all others. Ends with NULL. */
extern const struct swarm_system *const swarm_leaf_systems[];

#endif
