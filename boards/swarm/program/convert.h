/* SPDX-License-Identifier: Apache-2.0 */
/** JSON of a published simulator becomes a scenario. */
#ifndef MF_BOARDS_SWARM_CONVERT_H
#define MF_BOARDS_SWARM_CONVERT_H

#include "boards/swarm/core/command.h"

/** @brief Write the scenario to the standard output, or an error to stderr.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_convert(const struct swarm_command *c);

#endif
