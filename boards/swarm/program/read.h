/* SPDX-License-Identifier: Apache-2.0 */
/** Reader of the scenario that the command line names. */
#ifndef MF_BOARDS_SWARM_READ_H
#define MF_BOARDS_SWARM_READ_H

#include "boards/swarm/core/swarm.h"

/** @brief Read the scenario and its plans, and check it against the command.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_read(struct swarm *w, const struct swarm_command *c);

/** @brief Read a scenario that is in memory, and check it against the command.
 *  @param text  [n + 1] with a NUL
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_read_text(struct swarm *w, const struct swarm_command *c, const char *text, size_t n);

/** @brief Read the text of the scenario only to check it, with other values than the run has.
 *  @param text  [n + 1] with a NUL
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_read_check(struct swarm *w, const char *text, size_t n,
                     const struct mf_scenario_given *given);

#endif
