/* SPDX-License-Identifier: Apache-2.0 */
/** Listeners of chosen vehicles: recordings (docs/recording.md), and telemetry logs (.tlog). */
#ifndef MF_BOARDS_SWARM_TAPS_H
#define MF_BOARDS_SWARM_TAPS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Recordings and telemetry logs. */
extern const struct swarm_system swarm_taps_system;

#endif
