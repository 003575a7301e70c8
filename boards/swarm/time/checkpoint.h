/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Checkpoints: a run is written to a file, and another process of the same program goes on from it
 * bit for bit. The state of the run lies in the arena, at one address in every process, or in the
 * last fields of struct swarm. Files, threads and the scenario belong to one process, which makes
 * them before it reads the file.
 */
#ifndef MF_BOARDS_SWARM_CHECKPOINT_H
#define MF_BOARDS_SWARM_CHECKPOINT_H

#include "boards/swarm/core/swarm.h"

/** @brief The scenario has been read and its plans lie in the arena: a checkpoint belongs to them.
 * How long the run lasts and how its clock counts with the wall do not count. */
void swarm_checkpoint_set_key(struct swarm *w);

/** @brief Write the run as it stands; all vehicles have come up to the present. The file has its
 * name only when it is complete. @return SWARM_OK; SWARM_INPUT, with an error set */
int swarm_checkpoint_write(struct swarm *w, const char *path);

/** @brief Go on from a file, in place of the boot. @return as swarm_checkpoint_write() */
int swarm_checkpoint_read(struct swarm *w, const char *path);

/** @return when the run ends, and another process goes on; MF_NEVER */
mf_us_t swarm_checkpoint_us(const struct swarm *w);

extern const size_t swarm_checkpoint_bytes;

#endif
