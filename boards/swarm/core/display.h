/* SPDX-License-Identifier: Apache-2.0 */
/** Display of a run: the system that shows it in browsers, and in a file of pictures. */
#ifndef MF_BOARDS_SWARM_CORE_DISPLAY_H
#define MF_BOARDS_SWARM_CORE_DISPLAY_H

#include "hal/types.h"

#include <stdbool.h>

struct swarm;

/** @brief Call swarm_system.show of all systems between two pieces of time, when all members have
 * run up to w->now_us. */
void swarm_display_serve(struct swarm *w, bool now);

/** @brief Call swarm_system.record of all systems. */
void swarm_display_record(struct swarm *w, mf_us_t at_us);

#endif
