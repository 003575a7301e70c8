/* SPDX-License-Identifier: Apache-2.0 */
/** Tasks of a world of cells on the live page: what became of each, and those that browsers give.
 */
#ifndef MF_BOARDS_SWARM_PAGE_TASKS_H
#define MF_BOARDS_SWARM_PAGE_TASKS_H

#include "boards/swarm/page/page.h"

/** @brief Frames TASKS and ANSWERS. */
void swarm_page_tell_tasks(struct swarm *w);

/** @brief Give a task of a frame TASK to the controllers; ANSWERS has its number, or why it is
 * refused.
 *  @return NULL, or why the frame is malformed */
const char *swarm_page_take_task(struct swarm *w, const struct mf_bus_frame *frame);

#endif
