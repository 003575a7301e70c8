/* SPDX-License-Identifier: Apache-2.0 */
/** Reader of the command line of mayfly-swarm. */
#ifndef MF_BOARDS_SWARM_COMMAND_H
#define MF_BOARDS_SWARM_COMMAND_H

#include "boards/swarm/core/command.h"

/** @brief Read the command line; --help and --keys print and end the process.
 *  @return SWARM_OK, or SWARM_INPUT with a line on stderr */
int swarm_command_read(struct swarm_command *c, int argc, char **argv);

#endif
