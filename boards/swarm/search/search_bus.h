/* SPDX-License-Identifier: Apache-2.0 */
/** A search whose plan or detection is a program's on the bus, or that others only look at. */
#ifndef MF_BOARDS_SWARM_SEARCH_BUS_H
#define MF_BOARDS_SWARM_SEARCH_BUS_H

#include "boards/swarm/search/search_plugin.h"
#include "fleet/bus.h"

/** @brief Does the scenario name the bus where it needs one? Sets the hooks that it serves.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_search_bus_prepare(struct swarm_search_plugin *o);

/** @brief Time 0: wait for controllers, and hear what they plan. @return false: an error is set */
bool swarm_search_bus_begin(struct swarm_search_plugin *o, struct mf_search *q);

/** @brief Let the bus take its turn after a step. @return false: an error is set */
bool swarm_search_bus_step(struct swarm_search_plugin *o, struct mf_search *q);

/** @brief The figures of all. */
void swarm_search_bus_end(struct swarm_search_plugin *o, const struct mf_search *q);

/** @brief Payload of AREA; a member of STATE. */
void swarm_search_put_area(const struct mf_search_settings *s, struct mf_bus_writer *f);
void swarm_search_put_state(const struct mf_search *q, struct mf_bus_writer *f, uint32_t i);

#endif
