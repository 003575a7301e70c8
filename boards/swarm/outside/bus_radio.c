/* SPDX-License-Identifier: Apache-2.0 */
/* Tells programs on the bus what members hear and sense, and transmits for them. bus_world.c calls
 * it. */
#include "boards/swarm/outside/bus_radio.h"

#include "boards/swarm/outside/bus.h"
#include "boards/swarm/outside/frames.h"

#include <stdlib.h>
#include <string.h>

/* Most packets that wait for a turn: a controller may want none for long. */
#define HEARD_MAX (1u << 20)

struct row {
    mf_us_t at_us;
    uint32_t i, sender, number, size;
    float strength_dbm;
    uint8_t bytes[MF_PACKET_BYTES_MAX];
};

/* ---- receptions */

bool swarm_bus_radio_keep(struct swarm_bus_radio *b, const struct swarm_radio_heard *heard)
{
    if (b->heard.count == HEARD_MAX) {
        b->lost++;
        return true;
    }
    struct row *row = swarm_gather(&b->heard, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->at_us = heard->at_us;
    row->i = heard->i;
    row->sender = heard->packet.sender;
    row->number = heard->packet.number;
    row->size = heard->packet.size;
    row->strength_dbm = (float)heard->strength_dbm;
    if (row->size > 0) {
        memcpy(row->bytes, heard->packet.bytes, row->size);
    }
    return true;
}

void swarm_bus_radio_hasten(struct swarm *w, struct swarm_bus_radio *b, mf_us_t at_us)
{
    if (!mf_timer_is_set(&b->timer) || at_us < b->due_us) {
        b->due_us = at_us;
        const int result = mf_timer_set(&w->engine, &b->timer, at_us, 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    }
}

static void send_to_all(struct swarm *w)
{
    swarm_bus_send_to_role(w, MF_BUS_CONTROLLER);
    swarm_bus_send_to_role(w, MF_BUS_OBSERVER);
}

static void put_packet(struct mf_bus_writer *f, const struct row *row)
{
    mf_bus_put_packet(f, &(struct mf_bus_packet){.member = row->i,
                                                 .heard = true,
                                                 .origin = row->sender,
                                                 .number = row->number,
                                                 .strength_dbm = (double)row->strength_dbm,
                                                 .bytes = row->bytes,
                                                 .n = row->size});
}

/* A frame has packets of one instant, which is its time. */
static void send_heard(struct swarm *w, const struct row *row, size_t rows)
{
    for (size_t k = 0; k < rows;) {
        const mf_us_t at_us = row[k].at_us;
        swarm_bus_set_time(w, at_us);
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_HEARD);
        while (k < rows && row[k].at_us == at_us &&
               mf_bus_fits(f, MF_BUS_PACKET_BYTES + row[k].size)) {
            put_packet(f, &row[k]);
            k++;
        }
        send_to_all(w);
    }
}

/* ---- measurements */

static void send_sensed(struct swarm *w, mf_us_t at_us)
{
    const struct mf_scenario *s = w->scenario;
    struct mf_bus_writer *f = NULL;
    uint32_t told = 0;
    for (uint32_t i = 0; swarm_has(w, SWARM_SLOT_SENSES) && i < s->members; i++) {
        const uint32_t sensors = mf_scenario_entity_of(s, i)->sensors;
        for (uint32_t k = 0; k < sensors && mf_scenario_is_chosen(s, &s->bus.sensed, i, false);
             k++) {
            if (told % SWARM_SENSED_EACH == 0) {
                f = swarm_bus_frame(w, MF_BUS_SENSED);
                mf_bus_put_u(f, told, 8);
            }
            swarm_frame_sensed(w, f, i, k, at_us);
            if (++told % SWARM_SENSED_EACH == 0) {
                send_to_all(w);
            }
        }
    }
    if (told % SWARM_SENSED_EACH > 0) {
        send_to_all(w);
    }
}

void swarm_bus_radio_tell(struct swarm *w, struct swarm_bus_radio *b, mf_us_t at_us)
{
    send_heard(w, b->heard.at, b->heard.count);
    b->heard.count = 0;
    swarm_bus_set_time(w, at_us);
    if (w->scenario->bus.sensed.count > 0) {
        send_sensed(w, at_us);
    }
}

/* ---- transmissions */

bool swarm_bus_radio_is_own(const struct swarm *w, uint32_t participant, uint32_t member)
{
    const bool controls =
        !swarm_has(w, SWARM_SLOT_BUS) || swarm_bus_controls(w, participant); /* or a replay */
    return controls && member < w->scenario->members &&
           mf_scenario_entity_of(w->scenario, member)->as != MF_SCENARIO_KIND_GHOST;
}

const char *swarm_bus_radio_transmit(struct swarm *w, const struct mf_bus_packet *packet,
                                     mf_us_t at_us)
{
    return packet->heard ? "has heard a packet for a member whose radio is simulated"
                         : swarm_radio_transmit(w, packet->member, packet->bytes, packet->n, at_us);
}

void swarm_bus_radio_free(struct swarm_bus_radio *b)
{
    free(b->heard.at);
    b->heard = (struct swarm_rows){0};
}
