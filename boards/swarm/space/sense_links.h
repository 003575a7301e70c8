/* SPDX-License-Identifier: Apache-2.0 */
/** What sensors of vehicles and ghosts measure, on their MAVLink links (fleet/sensor_messages.h).
 */
#ifndef MF_BOARDS_SWARM_SENSE_LINKS_H
#define MF_BOARDS_SWARM_SENSE_LINKS_H

#include "boards/swarm/core/system.h"
#include "boards/swarm/space/senses.h"

/** @brief Memory in the arena, if anybody has links. @return SWARM_OK or SWARM_INPUT */
int swarm_sense_links_prepare(struct swarm *w);

/** @brief Sensor @p k of member @p i has measured: to its links, as far as they may hear of it.
 *  @param ray  [MF_SENSOR_RAYS] of a ring */
void swarm_sense_links_tell(struct swarm *w, uint32_t i, uint32_t k,
                            const struct swarm_sensed *sensed, const float *ray);

/** Measurements as MAVLink of vehicles. */
extern const struct swarm_system swarm_sense_links_system;

#endif
