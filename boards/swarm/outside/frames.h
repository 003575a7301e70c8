/* SPDX-License-Identifier: Apache-2.0 */
/** Payloads of frames of the bus (docs/bus.md) about a swarm, for who takes part and who looks. */
#ifndef MF_BOARDS_SWARM_FRAMES_H
#define MF_BOARDS_SWARM_FRAMES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"

/** @brief WELCOME. @param i  number of the participant  @param tick_s  it is told what is this
 * often
 */
void swarm_frame_welcome(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, double tick_s);

/** @brief PARAMS, and NETWORK: a line "name=value" for each. */
void swarm_frame_params(struct mf_bus_writer *f, const struct mf_scenario_own *own);

/** @brief ENTITY. @param k  number of the entity */
void swarm_frame_entity(const struct swarm *w, struct mf_bus_writer *f, uint32_t k);

/** @brief The head of STATE, with as many members from one on as fit. @param count  of all
 *  @return the first one that must wait for another frame, or @p count */
uint32_t swarm_frame_states(struct mf_bus_writer *f, uint32_t from, uint32_t count);

/** @brief A member of STATE. @param at_us  a time that has come */
void swarm_frame_state(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, mf_us_t at_us);

/** @brief OBSTACLES, as many from one on as fit. @param from  0 at first
 *  @return the next one; 0: there are no more, and the frame is empty if there were none */
uint32_t swarm_frame_obstacles(const struct swarm *w, struct mf_bus_writer *f, uint32_t from);

/** @brief SCENE. */
void swarm_frame_scene(const struct swarm *w, struct mf_bus_writer *f);

#endif
