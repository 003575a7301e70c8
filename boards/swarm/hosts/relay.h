/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connections of programs on leaves (docs/cosim.md) to the ports at which the root listens. A leaf
 * listens in the root's place, and passes each connection up the tree by a connection of its own.
 * Input of a leaf's programs reaches the root in the order in which they send it, and the swarm
 * waits for each participant, so the relay does not affect a run. Separate threads carry the bytes.
 */
#ifndef MF_BOARDS_SWARM_RELAY_H
#define MF_BOARDS_SWARM_RELAY_H

#include "boards/swarm/hosts/branches.h"

struct mf_addr;

/** @brief Accept connections of programs from below from now on, at the listener of @p b, which
 * this file takes over. Call it when all leaves have joined.
 *  @param up  address of the process above; NULL: this is the root, all of whose ports are open
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_relay_open(struct swarm *w, struct swarm_branches *b, const struct mf_addr *up);

/** @brief Listen on a leaf at a free port of 127.0.0.1 for each port of the root, and name these in
 * the environment of programs.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_relay_listen(struct swarm *w);

extern const size_t swarm_relay_bytes;

#endif
