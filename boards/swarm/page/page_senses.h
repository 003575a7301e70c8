/* SPDX-License-Identifier: Apache-2.0 */
/** Last measurements of members on the live page. */
#ifndef MF_BOARDS_SWARM_PAGE_SENSES_H
#define MF_BOARDS_SWARM_PAGE_SENSES_H

#include "boards/swarm/page/page.h"

/** @brief Add frames SENSED, with the last measurements of the first 10,912 sensors. */
void swarm_page_add_senses(struct swarm *w);

#endif
