/* SPDX-License-Identifier: Apache-2.0 */
/** Payloads of bus frames about a running swarm; fleet/bus_frames.h has those about its scenario.
 */
#ifndef MF_BOARDS_SWARM_FRAMES_H
#define MF_BOARDS_SWARM_FRAMES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus_frames.h"

/** @brief Add the state of member @p i to a frame STATE. @param at_us  not after the present */
void swarm_frame_state(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, mf_us_t at_us);

/** @brief Bytes of a sensor in a frame SENSED, and how many fit behind its head. */
#define SWARM_SENSED_BYTES 48u
#define SWARM_SENSED_EACH  ((uint32_t)((MF_BUS_PAYLOAD_MAX - 8u) / SWARM_SENSED_BYTES))

/** @brief Add the last measurement of sensor @p k of member @p i to a frame SENSED. */
void swarm_frame_sensed(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, uint32_t k,
                        mf_us_t at_us);

/** @brief Add obstacles to a frame OBSTACLES, as mf_bus_put_obstacles(). */
uint32_t swarm_frame_obstacles(const struct swarm *w, struct mf_bus_writer *f, uint32_t from);

/** @brief Fill in a frame SCENE. */
void swarm_frame_scene(const struct swarm *w, struct mf_bus_writer *f);

#endif
