/* SPDX-License-Identifier: Apache-2.0 */
/** Bodies of plug-ins. */
#ifndef MF_BOARDS_SWARM_BODY_OWN_H
#define MF_BOARDS_SWARM_BODY_OWN_H

#include "boards/swarm/core/swarm.h"
#include "world/mover_own.h"

/** @brief Find what the scenario chose. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_body_own_prepare(struct swarm *w);

/** @brief Find the plug-ins in this process after a resume. */
void swarm_body_own_resume(struct swarm *w);

/** @brief What the bodies of an entity share. Their numbers are those of their members. */
void swarm_body_own_describe(const struct swarm *w, uint32_t entity,
                             struct mf_mover_own_settings *s);

#endif
