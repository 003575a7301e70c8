/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frames with the last measurements of sensors. page_world.c calls it. */
#include "boards/swarm/page/page_senses.h"

#include "boards/swarm/outside/frames.h"

#define FRAMES_MAX 8u

void swarm_page_add_senses(struct swarm *w)
{
    struct mf_bus_writer *f = NULL;
    uint32_t told = 0;
    for (uint32_t n = 0; swarm_has(w, SWARM_SLOT_SENSES) && n < w->scenario->entities; n++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[n];
        const uint32_t count = e->sensors * e->count;
        for (uint32_t j = 0; j < count && told < FRAMES_MAX * SWARM_SENSED_EACH; j++) {
            if (told % SWARM_SENSED_EACH == 0) {
                f = swarm_picture_frame(w, MF_BUS_SENSED);
                mf_bus_put_u(f, told, 8);
            }
            const uint32_t k = j % e->sensors;
            swarm_frame_sensed(w, f, e->first + j / e->sensors, k, w->now_us);
            if (++told % SWARM_SENSED_EACH == 0) {
                swarm_picture_add(w);
            }
        }
    }
    if (told % SWARM_SENSED_EACH > 0) {
        swarm_picture_add(w);
    }
}
