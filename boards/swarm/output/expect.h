/* SPDX-License-Identifier: Apache-2.0 */
/** Expectations of a scenario: what becomes of them, and how that is told. */
#ifndef MF_BOARDS_SWARM_EXPECT_H
#define MF_BOARDS_SWARM_EXPECT_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Expectations of the scenario. */
extern const struct swarm_system swarm_expect_system;

#endif
