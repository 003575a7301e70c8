/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sockets of programs in virtual time (docs/cosim.md). A program at a member has the address
 * 10.K.H.L of the world on network K, and its datagrams to other members cross the simulated
 * network. The library of virtual time maps its sockets to addresses of loopback; this file is the
 * switch to which the library sends their datagrams.
 */
#ifndef MF_BOARDS_SWARM_SOCKETS_H
#define MF_BOARDS_SWARM_SOCKETS_H

#include "boards/swarm/core/system.h"
#include "boards/swarm/radio/network.h"

/** Room for one environment variable of a process, "NAME=value" [characters]. */
#define SWARM_SOCKETS_TEXT 64u
/** Most environment variables of a process. */
#define SWARM_SOCKETS_VARIABLES (2u + MF_SCENARIO_NETWORKS_MAX)

/** @brief Write the environment variables of a process that runs at member @p node.
 *  @return number of variables, at most SWARM_SOCKETS_VARIABLES; 0: not at a member */
size_t swarm_sockets_environment(struct swarm *w, const char *node,
                                 char text[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT]);

/** @brief Number of bytes sent to programs so far. */
uint64_t swarm_sockets_sent_bytes(const struct swarm *w);

/** System of sockets of programs in virtual time (program/systems.c). */
extern const struct swarm_system swarm_sockets_system;

#endif
