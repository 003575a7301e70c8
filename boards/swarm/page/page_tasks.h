/* SPDX-License-Identifier: Apache-2.0 */
/** Tasks of a world of cells on the live page: the state of each, and new ones of browsers. */
#ifndef MF_BOARDS_SWARM_PAGE_TASKS_H
#define MF_BOARDS_SWARM_PAGE_TASKS_H

#include "boards/swarm/page/page.h"

/** @brief Add frames TASKS and ANSWERS. */
void swarm_page_add_tasks(struct swarm *w);

/** @brief Pass the task of a frame TASK to the controllers. The next frame ANSWERS has its number,
 *  or the reason why it is refused.
 *  @return NULL, or the fault of a malformed frame */
const char *swarm_page_obey_task(struct swarm *w, const struct mf_bus_frame *frame);

#endif
