/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps packets that members are to send. mind_plugin.c and radio/radio.c call it. */
#include "boards/swarm/minds/outbox.h"

#include <string.h>

struct waiting {
    mf_us_t due_us;
    uint32_t size;
    bool taken; /* it is in the air in this round */
    uint8_t bytes[MF_PACKET_BYTES_MAX];
};

/* Outboxes of an entity. Counts are apart from packets, since each round reads those of all
 * members: packets of a member that has sent nothing stay addresses without memory (core/arena.c).
 */
struct outboxes {
    uint32_t *count;                            /* [members of the entity]; NULL: none */
    struct waiting (*packet)[SWARM_OUTBOX_MAX]; /* [members of the entity] */
};

struct swarm_outboxes {
    struct outboxes of[MF_SCENARIO_ENTITIES_MAX];
};

/* Outbox of a member. */
struct outbox {
    uint32_t *count;        /* NULL: the member lacks one */
    struct waiting *packet; /* [SWARM_OUTBOX_MAX] */
};

/* ---- set-up */

static bool may_transmit(const struct mf_scenario *s, const struct mf_scenario_entity *e)
{
    return e->radio.kind >= 0 &&
           (e->behaviour.kind == MF_BEHAVIOUR_OWN || s->bus.listen[0] != '\0');
}

int swarm_outbox_prepare(struct swarm *w, uint32_t *count)
{
    const struct mf_scenario *s = w->scenario;
    struct swarm_outboxes *all = NULL;
    *count = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        if (!may_transmit(s, e)) {
            continue;
        }
        all = all != NULL ? all : swarm_memory(w, e->line, sizeof *all);
        struct outboxes of;
        of.count = swarm_memory(w, e->line, e->count * sizeof *of.count);
        of.packet = swarm_memory(w, e->line, e->count * sizeof *of.packet);
        if (all == NULL || of.count == NULL || of.packet == NULL) {
            return SWARM_INPUT;
        }
        all->of[k] = of;
        *count += e->count;
    }
    w->state[SWARM_SLOT_OUTBOX] = all;
    return SWARM_OK;
}

/* ---- packets of a member */

static struct outbox outbox_of(const struct swarm *w, uint32_t i)
{
    const struct swarm_outboxes *all = w->state[SWARM_SLOT_OUTBOX];
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct outboxes *of = all != NULL ? &all->of[e - w->scenario->entity] : NULL;
    return of != NULL && of->count != NULL
               ? (struct outbox){&of->count[i - e->first], of->packet[i - e->first]}
               : (struct outbox){0};
}

/* Number of packets that wait or are in the air. */
static uint32_t count_packets(const struct outbox *o)
{
    return o->count != NULL ? *o->count : 0;
}

bool swarm_outbox_has(const struct swarm *w, uint32_t i)
{
    return outbox_of(w, i).count != NULL;
}

const char *swarm_outbox_add(struct swarm *w, uint32_t i, const uint8_t *bytes, size_t size,
                             mf_us_t due_us)
{
    const struct outbox o = outbox_of(w, i);
    if (o.count == NULL) {
        return "transmits by a member without a radio";
    }
    if (size > MF_PACKET_BYTES_MAX) {
        return "transmits a packet that is longer than 280 bytes";
    }
    if (*o.count == SWARM_OUTBOX_MAX) {
        return "transmits when 8 packets of the member wait";
    }
    struct waiting *p = &o.packet[(*o.count)++];
    p->due_us = due_us;
    p->size = (uint32_t)size;
    p->taken = false;
    if (size > 0) {
        memcpy(p->bytes, bytes, size);
    }
    return NULL;
}

mf_us_t swarm_outbox_next_us(const struct swarm *w, uint32_t i)
{
    const struct outbox o = outbox_of(w, i);
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; k < count_packets(&o); k++) {
        next_us = mf_earlier(next_us, o.packet[k].taken ? MF_NEVER : o.packet[k].due_us);
    }
    return next_us;
}

bool swarm_outbox_take(struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_packet *packet)
{
    const struct outbox o = outbox_of(w, i);
    for (uint32_t k = 0; k < count_packets(&o); k++) {
        struct waiting *p = &o.packet[k];
        if (!p->taken && p->due_us <= at_us) {
            p->taken = true;
            packet->bytes = p->bytes;
            packet->size = p->size;
            return true;
        }
    }
    return false;
}

void swarm_outbox_clear(struct swarm *w, uint32_t i)
{
    const struct outbox o = outbox_of(w, i);
    uint32_t left = 0;
    for (uint32_t k = 0; k < count_packets(&o); k++) {
        if (!o.packet[k].taken) {
            o.packet[left] = o.packet[k];
            left++;
        }
    }
    if (left < count_packets(&o)) {
        *o.count = left;
    }
}
