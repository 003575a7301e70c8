/* SPDX-License-Identifier: Apache-2.0 */
/* Sends measurements of vehicles and ghosts to their clients as MAVLink (fleet/sensor_messages.h).
 * senses.c calls the function that the system registers. */
#include "boards/swarm/outside/sense_links.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/space/senses.h"
#include "fleet/sensor_messages.h"

#include <inttypes.h>

/* State of the messages of one member. */
struct sender {
    struct mf_sensor_bounds bounds;
    uint8_t seq;
};

struct swarm_sense_links {
    struct sender *sender; /* [members], state of each one's messages */
    uint64_t sent, held;   /* messages that were sent, or exceeded the rate of a link */
};

static struct swarm_sense_links *sense_links_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SENSE_LINKS];
}

/* System id of a member; 0: no client is connected to it. */
static uint8_t get_system(const struct swarm *w, const struct mf_scenario_entity *e, uint32_t i)
{
    if (e->as == MF_SCENARIO_KIND_GHOST) {
        return swarm_ghost_get_system(w, i);
    }
    return swarm_has(w, SWARM_SLOT_LINKS) && swarm_is_vehicle(w, i) &&
                   swarm_links_vehicle_has_client(w, i)
               ? (uint8_t)(1u + i % SWARM_GROUP)
               : 0;
}

static void send_measurement(struct swarm *w, uint32_t i, uint32_t k,
                             const struct swarm_sensed *sensed, const float *ray)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct mf_scenario_sensor *sensor = &e->sensor[k];
    struct swarm_sense_links *all = sense_links_of(w);
    uint8_t frame[MF_FRAME_MAX];
    if (!mf_sensor_has_message(sensor->kind) || e->sensor_link.rate_hz <= 0.0) {
        return;
    }
    struct sender *sender = &all->sender[i];
    const struct mf_sender from = {2, sender->seq, get_system(w, e, i), MF_SENSOR_COMPID};
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

static int prepare_messages(struct swarm *w)
{
    if (!swarm_has(w, SWARM_SLOT_SENSES) ||
        (!swarm_has(w, SWARM_SLOT_LINKS) &&
         swarm_find_kind(w->scenario, MF_SCENARIO_KIND_GHOST) == NULL)) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_SENSE_LINKS] = swarm_memory(w, 1, sizeof *sense_links_of(w));
    struct sender *sender = swarm_memory(w, 1, w->scenario->members * sizeof *sender);
    if (sense_links_of(w) == NULL || sender == NULL) {
        return SWARM_INPUT;
    }
    sense_links_of(w)->sender = sender;
    swarm_senses_report(w, send_measurement);
    return SWARM_OK;
}

static void print_summary(const struct swarm *w)
{
    const struct swarm_sense_links *all = sense_links_of(w);
    if (all != NULL && all->sent + all->held > 0) {
        (void)printf("sensors   %" PRIu64 " messages on links, %" PRIu64 " held back\n", all->sent,
                     all->held);
    }
}

const struct swarm_system swarm_sense_links_system = {
    .name = "links of sensors",
    .on = {[SWARM_PREPARE] = prepare_messages},
    .print_summary = print_summary,
};
