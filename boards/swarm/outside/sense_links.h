/* SPDX-License-Identifier: Apache-2.0 */
/** Measurements of vehicles and ghosts on their MAVLink links. */
#ifndef MF_BOARDS_SWARM_SENSE_LINKS_H
#define MF_BOARDS_SWARM_SENSE_LINKS_H

#include "boards/swarm/core/system.h"

/** After the system of sensors. */
extern const struct swarm_system swarm_sense_links_system;

#endif
