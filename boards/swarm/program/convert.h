/* SPDX-License-Identifier: Apache-2.0 */
/** Conversion of a published simulator's JSON into a scenario. */
#ifndef MF_BOARDS_SWARM_CONVERT_H
#define MF_BOARDS_SWARM_CONVERT_H

#include "boards/swarm/core/swarm.h"

/** @brief Convert the files of the command, and read the scenario that they mean; the caller checks
 * it before it writes the text. Comments at the beginning of the text say what the files lack.
 *  @param yaml  out: the scenario's text, owned by the caller, who frees it; NULL: nothing could be
 * converted
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_convert(struct swarm *w, struct swarm_command *c, char **yaml);

/** @brief True if a file with the ending .json is a scenario of the published simulator, not one of
 * ours. */
bool swarm_is_listing(const char *path);

/** @brief Read w->file, which is one, for a run. @return SWARM_OK, or SWARM_INPUT with an error set
 */
int swarm_read_listing(struct swarm *w, const struct swarm_command *c);

/** @brief Write the scenario to the standard output, and its first comments to stderr, too. */
void swarm_convert_tell(const char *yaml);

#endif
