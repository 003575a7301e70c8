/* SPDX-License-Identifier: Apache-2.0 */
/** Obstacles, and the file of contacts. */
#ifndef MF_BOARDS_SWARM_CONTACTS_H
#define MF_BOARDS_SWARM_CONTACTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of contacts: makes the obstacles, and writes the file of contacts. */
extern const struct swarm_system swarm_contacts_system;

/** Obstacles for bodies of vehicles, without meetings: for worlds that go by steps. */
extern const struct swarm_system swarm_obstacles_system;

extern const size_t swarm_contacts_file_bytes;

#endif
