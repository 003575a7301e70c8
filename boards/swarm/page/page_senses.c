/* SPDX-License-Identifier: Apache-2.0 */
/* Writes frames with the last measurements of sensors. page_world.c calls it. */
#include "boards/swarm/page/page_senses.h"

#include "boards/swarm/space/senses.h"

#define FRAMES_MAX   8u
#define SENSED_BYTES 48u
#define SENSED_EACH  ((uint32_t)((MF_BUS_PAYLOAD_MAX - 8u) / SENSED_BYTES))

static void put_sensed(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, uint32_t k,
                       int32_t kind)
{
    const struct swarm_sensed *s = swarm_get_sensed(w, i, k);
    const uint32_t values = s->count > 0 ? mf_sensor_values(kind) : 0;
    mf_bus_put_u(f, i, 4);
    mf_bus_put_u(f, k, 1);
    mf_bus_put_u(f, values, 1);
    mf_bus_put_u(f, s->found, 2);
    mf_bus_put_u(f, s->what, 4);
    mf_bus_put_f32(f, values > 0 ? (float)((double)(w->now_us - s->at_us) / 1e6) : 0.0f);
    for (uint32_t n = 0; n < MF_SENSOR_VALUES_MAX; n++) {
        mf_bus_put_f32(f, n < values ? (float)s->value[n] : 0.0f);
    }
}

void swarm_page_add_senses(struct swarm *w)
{
    struct mf_bus_writer *f = NULL;
    uint32_t told = 0;
    for (uint32_t n = 0; swarm_has(w, SWARM_SLOT_SENSES) && n < w->scenario->entities; n++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[n];
        const uint32_t count = e->sensors * e->count;
        for (uint32_t j = 0; j < count && told < FRAMES_MAX * SENSED_EACH; j++) {
            if (told % SENSED_EACH == 0) {
                f = swarm_picture_frame(w, MF_BUS_SENSED);
                mf_bus_put_u(f, told, 8);
            }
            const uint32_t k = j % e->sensors;
            put_sensed(w, f, e->first + j / e->sensors, k, e->sensor[k].kind);
            if (++told % SENSED_EACH == 0) {
                swarm_picture_add(w);
            }
        }
    }
    if (told % SENSED_EACH > 0) {
        swarm_picture_add(w);
    }
}
