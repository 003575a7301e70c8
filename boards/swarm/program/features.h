/* SPDX-License-Identifier: Apache-2.0 */
/** Features that a kind of world does not have. */
#ifndef MF_BOARDS_SWARM_FEATURES_H
#define MF_BOARDS_SWARM_FEATURES_H

#include "boards/swarm/core/swarm.h"

/** @brief Refuse options and keys that the world of the scenario does not have.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_features_check(struct swarm *w, const struct swarm_command *c);

#endif
