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

/** @brief A vehicle's state is not as before; an assertion has ended it. Any thread. */
void swarm_leaf_changed(struct swarm *w, uint32_t i, const struct mf_crowd_state *before,
                        const struct mf_crowd_state *now);
void swarm_leaf_frozen(struct swarm *w, uint32_t i, mf_us_t at_us);

#endif
