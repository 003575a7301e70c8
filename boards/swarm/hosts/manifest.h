/* SPDX-License-Identifier: Apache-2.0 */
/** Manifest of a sweep as a Job of Kubernetes (docs/swarm-manual.md). */
#ifndef MF_BOARDS_SWARM_MANIFEST_H
#define MF_BOARDS_SWARM_MANIFEST_H

#include "boards/swarm/core/command.h"
#include "boards/swarm/core/swarm.h"

/** @brief Print an Indexed Job with a pod for each run, and a ConfigMap with the scenario and its
 * plans. The results go to a volume claim of the same name. @return SWARM_OK or SWARM_INPUT */
int swarm_manifest(struct swarm *w, const struct swarm_command *c, uint32_t runs);

#endif
