/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Components: programs of users and plug-ins beside a run, such as loggers and bridges. Each has a
 * thread of its own and a bounded queue, so one that sleeps delays nothing: what does not fit is
 * dropped and counted.
 */
#ifndef MF_BOARDS_SWARM_COMPONENTS_H
#define MF_BOARDS_SWARM_COMPONENTS_H

#include "boards/swarm/core/swarm.h"

/** @brief Find those of plug-ins that the scenario chose. @return SWARM_OK, or SWARM_INPUT with an
 * error */
int swarm_components_prepare(struct swarm *w);

/** @brief Their programs start. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_components_open(struct swarm *w);

/** @brief They are told of members from now on. After mf_engine_init(). */
void swarm_components_begin(struct swarm *w);

/** @brief The run is over: each gets a second to take what waits. */
void swarm_components_close(struct swarm *w);

/** @brief The line of the summary on stdout, if there are any; after they have closed. */
void swarm_components_tell(const struct swarm *w);

#endif
