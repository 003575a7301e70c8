/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sockets of programs in virtual time (docs/cosim.md): a program that stands at a member has the
 * address 10.K.H.L of the world on network K, and what it sends to others crosses the simulated
 * network. The library of virtual time maps its sockets to addresses of loopback; here is the
 * switch that has their datagrams on the way.
 */
#ifndef MF_BOARDS_SWARM_SOCKETS_H
#define MF_BOARDS_SWARM_SOCKETS_H

#include "boards/swarm/core/system.h"
#include "boards/swarm/radio/network.h"

/** Room for the environment of a process, "NAME=value" [characters]. */
#define SWARM_SOCKETS_TEXT 64u
/** Variables of it, at most. */
#define SWARM_SOCKETS_VARIABLES (2u + MF_SCENARIO_NETWORKS_MAX)

/** @brief The environment of a process. @param node  "": it has none
 *  @return how many variables: SWARM_SOCKETS_VARIABLES */
size_t swarm_sockets_environment(struct swarm *w, const char *node,
                                 char text[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT]);

/** @brief A datagram has arrived: whoever is bound to its port gets it. */
void swarm_sockets_give(struct swarm *w, const struct swarm_arrival *a);

/** @brief Bytes that programs have got so far. */
uint64_t swarm_sockets_out(const struct swarm *w);

/** Sockets of programs in virtual time. */
extern const struct swarm_system swarm_sockets_system;

#endif
