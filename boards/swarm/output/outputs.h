/* SPDX-License-Identifier: Apache-2.0 */
/** Files that are written while a swarm runs: samples (CSV), tracks (KML), events. */
#ifndef MF_BOARDS_SWARM_OUTPUTS_H
#define MF_BOARDS_SWARM_OUTPUTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief What waits in memory for the end of the run, for a checkpoint. @param bytes  out */
void *swarm_outputs_tracks(struct swarm *w, uint64_t *bytes);

/** @brief Room for it, of another process's. @return NULL: there is none */
void *swarm_outputs_make_tracks(struct swarm *w, uint64_t bytes);

/** Samples, tracks, events and pictures. */
extern const struct swarm_system swarm_outputs_system;

#endif
