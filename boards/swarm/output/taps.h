/* SPDX-License-Identifier: Apache-2.0 */
/** Files of single members: recordings of vehicles (docs/recording.md), and telemetry logs (.tlog)
 * of vehicles and ghosts. */
#ifndef MF_BOARDS_SWARM_TAPS_H
#define MF_BOARDS_SWARM_TAPS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of recordings and telemetry logs. */
extern const struct swarm_system swarm_taps_system;

#endif
