/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A leaf of a swarm on several hosts (hosts.h). It carries some of the vehicles, and obeys the
 * frames of the process above. A leaf with a port of its own passes frames on to leaves below it.
 */
#ifndef MF_BOARDS_SWARM_LEAF_H
#define MF_BOARDS_SWARM_LEAF_H

#include "boards/swarm/core/swarm.h"

struct swarm_command;

/** @brief Join a root or a leaf above, and carry vehicles until the root ends. @param stop  set by
 * a signal
 *  @param read  reads the scenario that the root sends, as swarm_read()
 *  @return SWARM_OK; SWARM_INPUT with an error set */
int swarm_leaf(struct swarm *w, struct swarm_command *c, const volatile int *stop,
               int (*read)(struct swarm *w, const struct swarm_command *c));

/** System that reports changes of a leaf's vehicles to the root. */
extern const struct swarm_system swarm_leaf_system;

#endif
