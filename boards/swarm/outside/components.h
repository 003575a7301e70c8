/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Components: programs and plug-ins of users that follow a run, such as loggers and bridges. Each
 * has a thread of its own and a bounded queue, so a component that sleeps does not delay the run:
 * states that do not fit are dropped and counted.
 */
#ifndef MF_BOARDS_SWARM_COMPONENTS_H
#define MF_BOARDS_SWARM_COMPONENTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of loggers, bridges and other components. */
extern const struct swarm_system swarm_components_system;

#endif
