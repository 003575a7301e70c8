/* SPDX-License-Identifier: Apache-2.0 */
/** Files that a run writes as its time passes: samples (CSV), tracks (KML and others), events,
 * pictures. */
#ifndef MF_BOARDS_SWARM_OUTPUTS_H
#define MF_BOARDS_SWARM_OUTPUTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of samples, tracks, events and pictures. */
extern const struct swarm_system swarm_outputs_system;

extern const size_t swarm_tracks_bytes;

#endif
