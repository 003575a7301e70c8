/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/space/sense_links.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/links/links.h"
#include "fleet/sensor_messages.h"

#include <inttypes.h>

/* Of a member. */
struct sender {
    struct mf_sensor_bounds bounds;
    uint8_t seq;
};

/* It lies in the arena. */
struct swarm_sense_links {
    struct sender *sender; /* [members] */
    uint64_t sent, held;   /* messages */
};

int swarm_sense_links_prepare(struct swarm *w)
{
    if (w->links == NULL && swarm_first_ghost(w->scenario) == NULL) {
        return SWARM_OK;
    }
    w->sense_links = swarm_memory(w, 1, sizeof *w->sense_links);
    struct sender *sender = swarm_memory(w, 1, w->scenario->members * sizeof *sender);
    if (w->sense_links == NULL || sender == NULL) {
        return SWARM_INPUT;
    }
    w->sense_links->sender = sender;
    return SWARM_OK;
}

/* The system of a member whose links are open; 0: it has none. */
static uint8_t system_of(const struct swarm *w, const struct mf_scenario_entity *e, uint32_t i)
{
    if (e->as == MF_SCENARIO_KIND_GHOST) {
        return swarm_ghost_system(w, i);
    }
    return w->links != NULL && swarm_is_vehicle(w, i) && swarm_links_hears(w, i)
               ? (uint8_t)(1u + i % SWARM_GROUP)
               : 0;
}

void swarm_sense_links_tell(struct swarm *w, uint32_t i, uint32_t k,
                            const struct swarm_sensed *sensed, const float *ray)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct mf_scenario_sensor *sensor = &e->sensor[k];
    struct swarm_sense_links *all = w->sense_links;
    uint8_t frame[MF_FRAME_MAX];
    if (all == NULL || !mf_sensor_has_message(sensor->kind) || e->sensor_link.rate_hz <= 0.0) {
        return;
    }
    struct sender *sender = &all->sender[i];
    const struct mf_sender from = {2, sender->seq, system_of(w, e, i), MF_SENSOR_COMPID};
    if (from.sysid == 0) {
        return;
    }
    const struct mf_sensor_report report = {.sensor = sensor,
                                            .id = (uint8_t)(k + 1u),
                                            .at_us = sensed->at_us,
                                            .value = sensed->value,
                                            .ray = ray};
    const size_t n = mf_sensor_frame(&report, &from, frame);
    if (!mf_sensor_may(&sender->bounds, &e->sensor_link, k, sensed->at_us, n)) {
        all->held++;
        return;
    }
    sender->seq++;
    all->sent++;
    if (e->as == MF_SCENARIO_KIND_GHOST) {
        swarm_ghost_write(w, i, frame, n);
    } else {
        swarm_links_send(w, i, frame, n);
    }
}

static void tell_sum(const struct swarm *w)
{
    const struct swarm_sense_links *all = w->sense_links;
    if (all != NULL && all->sent + all->held > 0) {
        (void)printf("sensors   %" PRIu64 " messages on links, %" PRIu64 " held back\n", all->sent,
                     all->held);
    }
}

const struct swarm_system swarm_sense_links_system = {
    .name = "links of sensors",
    .tell = tell_sum,
};
