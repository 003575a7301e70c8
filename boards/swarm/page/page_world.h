/* SPDX-License-Identifier: Apache-2.0 */
/** Live page of vehicles, agents and ghosts. */
#ifndef MF_BOARDS_SWARM_PAGE_WORLD_H
#define MF_BOARDS_SWARM_PAGE_WORLD_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/page/page.h"

extern const struct swarm_page_ops swarm_page_world_ops;

/* ---- frames of every kind of run */

/** @brief Add frames WELCOME and SCENE. @param members  number of members in STATE */
void swarm_page_add_scene(struct swarm *w, uint32_t members);

/** @brief Add a frame TIME. @param can  bits of the commands that the run obeys (docs/bus.md) */
void swarm_page_add_time(struct swarm *w, unsigned can);

/** @brief Obey a frame CLOCK. @return NULL, or the reason to refuse it */
const char *swarm_page_set_clock(struct swarm *w, const struct mf_bus_frame *frame);

extern const size_t swarm_page_orders_bytes;

#endif
