/* SPDX-License-Identifier: Apache-2.0 */
/** Tasks of a world of cells on the live page: what became of each, and those that browsers give.
 */
#ifndef MF_BOARDS_SWARM_PAGE_TASKS_H
#define MF_BOARDS_SWARM_PAGE_TASKS_H

#include "boards/swarm/page/page_steps.h"

/** @brief Frames TASKS and ANSWERS. */
void swarm_page_tell_tasks(struct swarm *w, const struct swarm_page_grid *p);

/** @brief A frame TASK: a task for the controllers. Browsers see in ANSWERS what has come of it.
 *  @return NULL, or why it is no such frame */
const char *swarm_page_take_task(struct swarm *w, struct swarm_page_grid *p,
                                 const struct mf_bus_frame *frame);

#endif
