/* SPDX-License-Identifier: Apache-2.0 */
/** Files that are written while a swarm runs: samples (CSV), tracks (KML), events. */
#ifndef MF_BOARDS_SWARM_OUTPUTS_H
#define MF_BOARDS_SWARM_OUTPUTS_H

#include "boards/swarm/core/swarm.h"

/** @brief Find who is sampled. @return SWARM_OK or SWARM_INPUT */
int swarm_outputs_prepare(struct swarm *w);

/** @brief Open the files, before the boot or after a checkpoint was read.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_outputs_open(struct swarm *w);

/** @brief What waits in memory for the end of the run, for a checkpoint. @param bytes  out */
void *swarm_outputs_tracks(struct swarm *w, uint64_t *bytes);

/** @brief Room for it, of another process's. @return NULL: there is none */
void *swarm_outputs_make_tracks(struct swarm *w, uint64_t bytes);

/** @brief Sampling begins. */
void swarm_outputs_begin(struct swarm *w);

/** @brief Something happened to a vehicle; from the thread that has its shard. */
void swarm_outputs_note(struct swarm *w, uint32_t shard, uint32_t i, uint32_t events,
                        const struct mf_crowd_state *now);

/** @brief All vehicles have come as far as the present: write the events up to now, in order. */
void swarm_outputs_drain(struct swarm *w);

/** @brief Do events have to be drained, so that a run goes in short pieces? */
bool swarm_outputs_wants_events(const struct swarm *w);

/** @brief All files are complete. @return false: one took not all; an error is set */
bool swarm_outputs_close(struct swarm *w);

#endif
