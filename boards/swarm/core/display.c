/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the display of a run, for the loops that let time pass and the timer of pictures. */
#include "boards/swarm/core/display.h"

#include "boards/swarm/core/swarm.h"

void swarm_display_serve(struct swarm *w, bool now)
{
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        if ((*s)->show != NULL) {
            (*s)->show(w, now);
        }
    }
}

void swarm_display_record(struct swarm *w, mf_us_t at_us)
{
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        if ((*s)->record != NULL) {
            (*s)->record(w, at_us);
        }
    }
}
