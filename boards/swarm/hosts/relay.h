/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Programs on leaves (docs/cosim.md) reach the ports at which the root listens. A leaf listens in
 * the root's place; each connection there goes up the tree by a connection of its own. What the
 * programs of a leaf do arrives in the order in which they do it, and the swarm waits for whoever
 * takes part, so the way has no effect on a run. Threads of their own carry the bytes.
 */
#ifndef MF_BOARDS_SWARM_RELAY_H
#define MF_BOARDS_SWARM_RELAY_H

#include "boards/swarm/hosts/branches.h"

struct mf_addr;

/** @brief Connections from below are let in from now on, at the listener of @p b, which is no more
 *  its own. All leaves have come.
 *  @param up  the process above; NULL: this is the root, which has all of its ports open
 *  @return SWARM_OK or SWARM_INPUT with an error */
int swarm_relay_open(struct swarm *w, struct swarm_branches *b, const struct mf_addr *up);

/** @brief A leaf listens at any port of 127.0.0.1 for each one that the root has. Programs find
 *  them in the environment. @return SWARM_OK or SWARM_INPUT with an error */
int swarm_relay_listen(struct swarm *w);

extern const size_t swarm_relay_bytes;

#endif
