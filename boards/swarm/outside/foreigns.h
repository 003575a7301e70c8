/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Members that are bodies: quadrotors with motors (fleet/foreign.h), each flown by an autopilot of
 * others over ArduPilot's JSON or gzuav's ticks; or bodies of Gazebo, whose plugins connect as they
 * do to gzuav's channel (channel.h). Time waits for each frame of each autopilot
 * (docs/foreign-autopilots.md).
 */
#ifndef MF_BOARDS_SWARM_FOREIGNS_H
#define MF_BOARDS_SWARM_FOREIGNS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief All bodies of this process run up to and including @p until_us, frame by frame. */
void swarm_foreigns_run(struct swarm *w, mf_us_t until_us);

/** @brief The end of the next frame of any; MF_NEVER. */
mf_us_t swarm_foreigns_next(const struct swarm *w);

/** @brief Frames so far. */
uint64_t swarm_foreigns_steps(const struct swarm *w);

/** @brief Has an autopilot or plugin that fell silent ended the run? An error is set. */
bool swarm_foreigns_failed(const struct swarm *w);

struct mf_crowd_state swarm_foreign_state(const struct swarm *w, uint32_t i);

struct mf_pose swarm_foreign_pose(const struct swarm *w, uint32_t i, mf_us_t at_us);

/** @brief @p digest, and what bodies have done. */
uint64_t swarm_foreigns_digest(const struct swarm *w, uint64_t digest);

/** Bodies that autopilots of others fly. */
extern const struct swarm_system swarm_foreigns_system;

#endif
