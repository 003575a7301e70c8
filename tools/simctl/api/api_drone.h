/* SPDX-License-Identifier: Apache-2.0 */
/** The control API of an instance's drone, passed through: /v1/instances/ID/drone/... */
#ifndef MF_SIMCTL_API_DRONE_H
#define MF_SIMCTL_API_DRONE_H

#include "tools/simctl/api/call.h"

/** @brief Hand a request on, and its answer back, piece by piece as it comes. The drone gets its
 * own token, never the caller's. */
void simctl_api_drone(struct simctl_call *c);

/** @brief The drone's page, which holds nothing of the drone: it needs no token, as there. */
void simctl_api_drone_page(struct simctl_call *c);

/** @brief Serve the page of the drone's API for a browser. */
void simctl_api_drone_docs(struct simctl_call *c);

#endif
