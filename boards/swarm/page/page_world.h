/* SPDX-License-Identifier: Apache-2.0 */
/** The live page of vehicles, agents and ghosts. */
#ifndef MF_BOARDS_SWARM_PAGE_WORLD_H
#define MF_BOARDS_SWARM_PAGE_WORLD_H

#include "boards/swarm/page/page.h"

/** @brief Between two pieces of a run: all have run up to and including w->now_us. */
void swarm_page_world_turn(struct swarm *w);

/** @brief The last picture of a run. */
void swarm_page_world_end(struct swarm *w);

/** @brief A picture for the file (pictures.h), if one is due. */
void swarm_page_world_record(struct swarm *w, mf_us_t at_us);

/* ---- what every kind of run has */

/** @brief Frames WELCOME and SCENE. @param members  that STATE tells of */
void swarm_page_tell_scene(struct swarm *w, uint32_t members);

/** @brief The frame TIME. @param can  bits of what may be wanted (docs/bus.md) */
void swarm_page_tell_time(struct swarm *w, unsigned can);

/** @brief A frame CLOCK is obeyed. @return NULL, or why not */
const char *swarm_page_set_clock(struct swarm *w, const struct mf_bus_frame *frame);

#endif
