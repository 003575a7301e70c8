/* SPDX-License-Identifier: Apache-2.0 */
/** Programs in virtual time that run for long without waiting: time stands meanwhile, and their
 * time server says so (boards/posix/virtual.h). */
#ifndef MF_BOARDS_SWARM_SPINS_H
#define MF_BOARDS_SWARM_SPINS_H

#include "boards/swarm/core/swarm.h"

#include <sys/types.h>

#define SWARM_SPINS_TEXT 48u

/** @brief What the time server is told: where it says so, and after how long.
 *  @param fd  the server's  @param text  out: "NAME=value" */
void swarm_spins_server(const struct swarm *w, int fd, char text[SWARM_SPINS_TEXT]);

/** @brief What process @p k is told, by which its children are known, too.
 *  @param text  out: "NAME=value" */
void swarm_spins_environment(uint32_t k, char text[SWARM_SPINS_TEXT]);

/** @brief A line of the time server. @return whether it is one of these */
bool swarm_spins_hear(struct swarm *w, const char *line);

/** @brief Whoever runs still is waited for by its patience, or ends. */
void swarm_spins_look(struct swarm *w);

/** @brief Has the world let process @p k go? */
bool swarm_spins_dropped(const struct swarm *w, uint32_t k);

extern const size_t swarm_spins_bytes;

#endif
