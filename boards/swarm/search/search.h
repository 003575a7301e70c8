/* SPDX-License-Identifier: Apache-2.0 */
/** A scenario whose team searches an area (fleet/search.h), from its keys to its statistics. */
#ifndef MF_BOARDS_SWARM_SEARCH_H
#define MF_BOARDS_SWARM_SEARCH_H

#include "boards/swarm/core/swarm.h"

/** The search of a run. */
extern const struct swarm_system swarm_search_system;

/** @brief Write the paths as plans, after SWARM_PREPARE. @return SWARM_OK, or SWARM_INPUT with an
 * error set */
int swarm_search_export(struct swarm *w, const char *folder);

#endif
