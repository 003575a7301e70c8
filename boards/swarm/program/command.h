/* SPDX-License-Identifier: Apache-2.0 */
/** The command line of mayfly-swarm is read. */
#ifndef MF_BOARDS_SWARM_COMMAND_H
#define MF_BOARDS_SWARM_COMMAND_H

#include "boards/swarm/core/command.h"

/** @brief Read it; --help and --keys end the process. @return SWARM_OK, or SWARM_INPUT, and why
 * has been said on stderr */
int swarm_command_read(struct swarm_command *c, int argc, char **argv);

#endif
