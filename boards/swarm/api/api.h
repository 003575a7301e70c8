/* SPDX-License-Identifier: Apache-2.0 */
/** Control API of a swarm over HTTP (docs/swarm-manual.md), a service of links. */
#ifndef MF_BOARDS_SWARM_API_H
#define MF_BOARDS_SWARM_API_H

#include "boards/swarm/core/system.h"

/** Routes and figures of a run with vehicles, agents and ghosts. */
extern const struct swarm_system swarm_api_members_system;

/** System of the control API. */
extern const struct swarm_system swarm_api_system;

#endif
