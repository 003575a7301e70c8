/* SPDX-License-Identifier: Apache-2.0 */
/** Files that are written while a swarm runs: samples (CSV), tracks (KML), events. */
#ifndef MF_BOARDS_SWARM_OUTPUTS_H
#define MF_BOARDS_SWARM_OUTPUTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Samples, tracks, events and pictures. */
extern const struct swarm_system swarm_outputs_system;

extern const size_t swarm_tracks_bytes;

#endif
