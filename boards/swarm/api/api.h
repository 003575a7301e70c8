/* SPDX-License-Identifier: Apache-2.0 */
/** Control API of a swarm over HTTP (docs/swarm.md), a service of links. */
#ifndef MF_BOARDS_SWARM_API_H
#define MF_BOARDS_SWARM_API_H

#include "boards/swarm/core/system.h"

/** @brief Open the port of links.api, if the scenario has one. Call it after swarm_links_open(),
 *  which accepts clients; swarm_links_close() closes it.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_api_open(struct swarm *w);

/** Routes of a run with vehicles, agents and ghosts. */
extern const struct swarm_system swarm_api_members_system;

/** System of the control API. */
extern const struct swarm_system swarm_api_system;

#endif
