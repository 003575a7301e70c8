/* SPDX-License-Identifier: Apache-2.0 */
/** Expectations of a scenario: checked during the run, and reported at its end. */
#ifndef MF_BOARDS_SWARM_EXPECT_H
#define MF_BOARDS_SWARM_EXPECT_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of expectations. */
extern const struct swarm_system swarm_expect_system;

#endif
