/* SPDX-License-Identifier: Apache-2.0 */
/** Control API of a swarm over HTTP (docs/swarm.md), a service of links. */
#ifndef MF_BOARDS_SWARM_API_H
#define MF_BOARDS_SWARM_API_H

#include "boards/swarm/core/system.h"

/** System of the control API. */
extern const struct swarm_system swarm_api_system;

#endif
