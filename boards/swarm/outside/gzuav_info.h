/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The status of gzuav's server over HTTP, GET /info, which scripts poll until they may start
 * clients. A thread of its own answers, also while the run computes or waits (docs/cosim.md).
 */
#ifndef MF_BOARDS_SWARM_GZUAV_INFO_H
#define MF_BOARDS_SWARM_GZUAV_INFO_H

#include "boards/swarm/core/system.h"

/** System of the status. */
extern const struct swarm_system swarm_gzuav_info_system;

#endif
