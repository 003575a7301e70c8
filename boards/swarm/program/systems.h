/* SPDX-License-Identifier: Apache-2.0 */
/** Tables of all systems of a run, and of their states. */
#ifndef MF_BOARDS_SWARM_SYSTEMS_H
#define MF_BOARDS_SWARM_SYSTEMS_H

#include "boards/swarm/core/system.h"

/** @brief Systems of a run by its kind of world, in the order of their calls.
 *  @return a list that ends with NULL */
const struct swarm_system *const *swarm_systems_of(const struct swarm *w);

/** @brief Make the states of all slots that have a size. Before any stage, and once.
 *  @return memory that the caller frees after the run; NULL: there is not enough */
void *swarm_states_make(struct swarm *w);

/** Systems of a leaf, which its vehicles need; the root has all others. Ends with NULL. */
extern const struct swarm_system *const swarm_leaf_systems[];

#endif
