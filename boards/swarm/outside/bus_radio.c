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
    mf_us_t at_us, end_us;
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
    row->end_us = heard->end_us;
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

/* Send frames of packets that have ended at @p until_us, and keep the others. A frame has packets
 * of one instant of reception, which is its time.
 * @return the first end of the others; MF_NEVER: none is left */
static mf_us_t send_heard(struct swarm *w, struct swarm_rows *heard, mf_us_t until_us)
{
    struct mf_bus_writer *f = NULL;
    struct row *rows = heard->at;
    mf_us_t of_us = 0, next_us = MF_NEVER;
    size_t left = 0;
    for (size_t k = 0; k < heard->count; k++) {
        const struct row row = rows[k];
        if (row.end_us > until_us) {
            next_us = mf_earlier(next_us, row.end_us);
            rows[left++] = row;
            continue;
        }
        if (f == NULL || row.at_us != of_us || !mf_bus_fits(f, MF_BUS_PACKET_BYTES + row.size)) {
            if (f != NULL) {
                send_to_all(w);
            }
            of_us = row.at_us;
            swarm_bus_set_time(w, of_us);
            f = swarm_bus_frame(w, MF_BUS_HEARD);
        }
        put_packet(f, &row);
    }
    if (f != NULL) {
        send_to_all(w);
    }
    heard->count = left;
    return next_us;
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
    const mf_us_t next_us = send_heard(w, &b->heard, at_us);
    swarm_bus_set_time(w, at_us);
    if (next_us != MF_NEVER) {
        swarm_bus_radio_hasten(w, b, next_us);
    }
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
