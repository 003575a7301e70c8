/* SPDX-License-Identifier: Apache-2.0 */
/** Vehicles of a swarm: the scenario's settings for them, and their start. */
#ifndef MF_BOARDS_SWARM_VEHICLES_H
#define MF_BOARDS_SWARM_VEHICLES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Read plans, settings, parameters and faults of all entities.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_prepare(struct swarm *w);

/** @brief Check that the first member of each entity could start its mission, for --check.
 *  @return SWARM_OK; SWARM_FAILED with the vehicle's reason as error */
int swarm_vehicles_check(struct swarm *w);

/** @brief Create the crowd, and boot all vehicles. w->workers must have started.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_boot(struct swarm *w);

/** Vehicles, each with a whole autopilot. */
extern const struct swarm_system swarm_vehicles_system;

/** Vehicles of a world that goes by steps. The world moves and orders them. */
extern const struct swarm_system swarm_stepped_vehicles_system;

#endif
