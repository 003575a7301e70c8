/* SPDX-License-Identifier: Apache-2.0 */
/** The vehicles of a swarm: what the scenario says of them, made ready to boot. */
#ifndef MF_BOARDS_SWARM_VEHICLES_H
#define MF_BOARDS_SWARM_VEHICLES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Read plans, settings, parameters and faults. @return SWARM_OK or SWARM_INPUT */
int swarm_prepare(struct swarm *w);

/** @brief Could the first member of each entity start its mission?
 *  @return SWARM_OK; SWARM_FAILED with the vehicle's reason as error */
int swarm_vehicles_check(struct swarm *w);

/** @brief Crowd, boot. @param threads  already started  @return SWARM_OK or SWARM_INPUT */
int swarm_boot(struct swarm *w);

/** @brief The same in a world that goes by steps: one thread, files and memory are made ready, too.
 *  @param line  of the scenario, for the error  @param key  that it is about */
int swarm_boot_in_steps(struct swarm *w, int line, const char *key);

/** @brief Missions that did not begin; with leaves, as the root last set it. */
uint32_t swarm_refused(const struct swarm *w);
void swarm_refused_set(struct swarm *w, uint32_t refused);

/** Vehicles, each with a whole autopilot. */
extern const struct swarm_system swarm_vehicles_system;

#endif
