/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that a scenario starts: beside the swarm, or on its clock (docs/cosim.md). */
#ifndef MF_BOARDS_SWARM_PROCESSES_H
#define MF_BOARDS_SWARM_PROCESSES_H

#include "boards/swarm/swarm.h"

/** @brief Is there such a program, at its path or on the way that execvp() looks along? */
bool swarm_has_program(const char *program);

/** @brief Is each program there, and what it needs?
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_processes_check(struct swarm *w);

/** @brief Is each program there? Programs in virtual time get their time server.
 *  @param server  in: --time-server of the command, NULL; out: where the swarm gets its time
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_processes_prepare(struct swarm *w, const char **server);

/** @brief They run, in their order. Where the swarm listens stands in their environment.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_processes_start(struct swarm *w);

/** @brief Are there programs in virtual time, which are answered as soon as anything has come for
 * them? */
bool swarm_processes_virtual(void);

/** @brief Have all programs in virtual time ended, of which there were some? Then the run ends. */
bool swarm_processes_over(struct swarm *w);

/** @brief Those that still run are told to end; a line for each on stdout.
 *  @return false: one has ended by itself with another code than 0 */
bool swarm_processes_end(struct swarm *w);

#endif
