/* SPDX-License-Identifier: Apache-2.0 */
/** Conversion of a published simulator's JSON into a scenario. */
#ifndef MF_BOARDS_SWARM_CONVERT_H
#define MF_BOARDS_SWARM_CONVERT_H

#include "boards/swarm/core/command.h"

/** @brief Write the scenario to the standard output, or an error to stderr.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_convert(const struct swarm_command *c);

#endif
