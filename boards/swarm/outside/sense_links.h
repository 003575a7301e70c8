/* SPDX-License-Identifier: Apache-2.0 */
/** Measurements of vehicles and ghosts as MAVLink messages on their links. */
#ifndef MF_BOARDS_SWARM_SENSE_LINKS_H
#define MF_BOARDS_SWARM_SENSE_LINKS_H

#include "boards/swarm/core/system.h"

/** System of those messages; the list has it after the sensors, whose state its PREPARE needs. */
extern const struct swarm_system swarm_sense_links_system;

#endif
