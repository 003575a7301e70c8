/* SPDX-License-Identifier: Apache-2.0 */
/** Display of a run: its live page, and its file of pictures. main.c sets w->display. */
#ifndef MF_BOARDS_SWARM_CORE_DISPLAY_H
#define MF_BOARDS_SWARM_CORE_DISPLAY_H

#include "hal/types.h"

#include <stdbool.h>

struct swarm;

struct swarm_display {
    /** Obey browsers, and send them a picture if one is due. @param now  send one in any case */
    void (*serve)(struct swarm *w, bool now);
    /** Write a picture to the file if one is due at @p at_us. */
    void (*record)(struct swarm *w, mf_us_t at_us);
};

/** @brief Call the display between two pieces of time, when all members have run up to w->now_us.
 *  A run without a display, as tests have, does nothing. */
void swarm_display_serve(struct swarm *w, bool now);
void swarm_display_record(struct swarm *w, mf_us_t at_us);

#endif
