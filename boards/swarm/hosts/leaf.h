/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A leaf of a swarm on several hosts (hosts.h): it carries some of the vehicles, and does what the
 * frames say. With a port of its own it passes frames on to leaves below it.
 */
#ifndef MF_BOARDS_SWARM_LEAF_H
#define MF_BOARDS_SWARM_LEAF_H

#include "boards/swarm/core/swarm.h"

struct swarm_command;

/** @brief Join, and carry vehicles until the root has ended. @param stop  set by a signal
 *  @return SWARM_OK; SWARM_INPUT: it was refused, with an error */
int swarm_leaf(struct swarm *w, struct swarm_command *c, const volatile int *stop);

/** What the vehicles of a leaf do goes to the root. */
extern const struct swarm_system swarm_leaf_system;

#endif
