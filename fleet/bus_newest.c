/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what browsers ask for; the server of the live page (boards/swarm/page) calls it. */
#include "fleet/bus_newest.h"

#include <stdlib.h>
#include <string.h>

struct mf_bus_newest_slot {
    struct mf_bus_newest_slot *next;
    uint8_t type;
    uint32_t key;
    uint64_t sequence;
    size_t n;
    uint8_t bytes[MF_BUS_FRAME_MAX]; /* [n] with the header */
};

/* Frames of a type with several, by the number that their payload begins with. */
static uint32_t key_of(const struct mf_bus_frame *f)
{
    const bool several = f->type == MF_BUS_ENTITY || f->type == MF_BUS_STATE ||
                         f->type == MF_BUS_OBSTACLES || f->type == MF_BUS_RASTER ||
                         f->type == MF_BUS_SENSED;
    if (f->type == MF_BUS_RECEPTIONS || f->type == MF_BUS_REPORTS) {
        return f->tick % MF_BUS_NEWEST_ROWS;
    }
    return several && f->n >= 4 ? f->payload[0] | (uint32_t)f->payload[1] << 8 |
                                      (uint32_t)f->payload[2] << 16 | (uint32_t)f->payload[3] << 24
                                : 0;
}

static struct mf_bus_newest_slot *find_slot(const struct mf_bus_newest *n, uint8_t type,
                                            uint32_t key)
{
    struct mf_bus_newest_slot *slot = n->slots;
    while (slot != NULL && (slot->type != type || slot->key != key)) {
        slot = slot->next;
    }
    return slot;
}

static struct mf_bus_newest_slot *make_slot(struct mf_bus_newest *n, uint8_t type, uint32_t key)
{
    struct mf_bus_newest_slot *slot = n->count < MF_BUS_NEWEST_MAX ? malloc(sizeof *slot) : NULL;
    if (slot != NULL) {
        slot->next = n->slots;
        slot->type = type;
        slot->key = key;
        n->slots = slot;
        n->count++;
    }
    return slot;
}

static bool is_for_watchers(uint8_t type)
{
    return type != MF_BUS_TURN && type != MF_BUS_ACKS && type != MF_BUS_LOOKS &&
           type != MF_BUS_PARAMS;
}

void mf_bus_newest_keep(struct mf_bus_newest *n, const struct mf_bus_frame *f)
{
    const uint32_t key = key_of(f);
    if (!is_for_watchers(f->type)) {
        return;
    }
    struct mf_bus_newest_slot *slot = find_slot(n, f->type, key);
    slot = slot != NULL ? slot : make_slot(n, f->type, key);
    if (slot != NULL) {
        slot->n = MF_BUS_HEADER + f->n;
        slot->sequence = ++n->sequence;
        memcpy(slot->bytes, f->payload - MF_BUS_HEADER, slot->n);
    }
}

static const struct mf_bus_newest_slot *oldest_after(const struct mf_bus_newest *n,
                                                     uint64_t sequence)
{
    const struct mf_bus_newest_slot *oldest = NULL;
    for (const struct mf_bus_newest_slot *s = n->slots; s != NULL; s = s->next) {
        if (s->sequence > sequence && (oldest == NULL || s->sequence < oldest->sequence)) {
            oldest = s;
        }
    }
    return oldest;
}

size_t mf_bus_newest_copy(const struct mf_bus_newest *n, uint64_t *after, uint8_t *to, size_t room)
{
    size_t length = 0;
    *after = *after > n->sequence ? 0 : *after;
    const struct mf_bus_newest_slot *slot = oldest_after(n, *after);
    for (; slot != NULL && slot->n <= room - length; slot = oldest_after(n, *after)) {
        memcpy(to + length, slot->bytes, slot->n);
        length += slot->n;
        *after = slot->sequence;
    }
    return length;
}

const uint8_t *mf_bus_newest_find(const struct mf_bus_newest *n, enum mf_bus_type type,
                                  size_t *length)
{
    const struct mf_bus_newest_slot *newest = NULL;
    for (const struct mf_bus_newest_slot *s = n->slots; s != NULL; s = s->next) {
        if (s->type == (uint8_t)type && (newest == NULL || s->sequence > newest->sequence)) {
            newest = s;
        }
    }
    *length = newest != NULL ? newest->n - MF_BUS_HEADER : 0;
    return newest != NULL ? newest->bytes + MF_BUS_HEADER : NULL;
}

void mf_bus_newest_free(struct mf_bus_newest *n)
{
    while (n->slots != NULL) {
        struct mf_bus_newest_slot *slot = n->slots;
        n->slots = slot->next;
        free(slot);
    }
    n->count = 0;
}

bool mf_bus_is_operators(const uint8_t *bytes, size_t n)
{
    size_t at = 0;
    while (n - at >= MF_BUS_HEADER) {
        const size_t length = bytes[at + 2u] | (size_t)bytes[at + 3u] << 8;
        const uint8_t type = bytes[at + 1u];
        const bool known = type == MF_BUS_ORDERS || type == MF_BUS_CLOCK || type == MF_BUS_TASK;
        if (bytes[at] != MF_BUS_VERSION || !known || length > n - at - MF_BUS_HEADER) {
            return false;
        }
        at += MF_BUS_HEADER + length;
    }
    return n > 0 && at == n;
}
