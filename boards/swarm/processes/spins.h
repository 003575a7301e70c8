/* SPDX-License-Identifier: Apache-2.0 */
/** Programs in virtual time that run for long without waiting. Time does not pass meanwhile, and
 * the time server reports the process to the swarm (boards/posix/virtual.h). */
#ifndef MF_BOARDS_SWARM_SPINS_H
#define MF_BOARDS_SWARM_SPINS_H

#include "boards/swarm/core/swarm.h"

#include <sys/types.h>

#define SWARM_SPINS_TEXT 48u

/** @brief Variable that lets the time server report processes, and after which time.
 *  @param fd  descriptor in the server for its reports
 *  @param text  out: "NAME=value" */
void swarm_spins_server(const struct swarm *w, int fd, char text[SWARM_SPINS_TEXT]);

/** @brief Variable that marks process @p k and all its children.
 *  @param text  out: "NAME=value" */
void swarm_spins_environment(uint32_t k, char text[SWARM_SPINS_TEXT]);

/** @brief Read a report of the time server.
 *  @return false: the line is not about a running process */
bool swarm_spins_receive(struct swarm *w, const char *line);

/** @brief Apply the scenario's patience to the process that is running. */
void swarm_spins_look(struct swarm *w);

/** @brief True if process @p k was killed because it ran for too long, and the run goes on. */
bool swarm_spins_has_dropped(const struct swarm *w, uint32_t k);

extern const size_t swarm_spins_bytes;

#endif
