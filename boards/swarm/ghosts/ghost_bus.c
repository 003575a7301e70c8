/* SPDX-License-Identifier: Apache-2.0 */
/* Take poses and packets of ghosts from the bus, and record or replay its frames; outside/bus.c and
 * outside/bus_world.c call it. */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"

#include <string.h>

void swarm_ghosts_record(struct swarm *w, mf_us_t at_us, uint32_t participant,
                         const struct mf_bus_frame *frame)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g == NULL || g->recording == NULL) {
        return;
    }
    g->bytes[0] = frame->type;
    if (frame->n > 0) {
        memcpy(g->bytes + 1, frame->payload, frame->n);
    }
    const struct ghost_record head = {.at_us = at_us,
                                      .type = GHOST_BUS,
                                      .source = (uint8_t)participant,
                                      .n = (uint32_t)frame->n + 1u};
    ghost_record_write(g, &head, g->bytes);
}

bool swarm_ghosts_is_replay(const struct swarm *w)
{
    return swarm_ghosts_of(w) != NULL && swarm_ghosts_of(w)->replays;
}

bool swarm_ghosts_next_replayed(struct swarm *w, mf_us_t at_us, uint32_t *participant,
                                struct mf_bus_frame *frame)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g->given) {
        ghost_pop(&g->turn);
        g->given = false;
    }
    const struct ghost_record *r = g->turn.first;
    if (r == NULL || r->at_us > at_us || r->n == 0) {
        return false;
    }
    g->given = true;
    *participant = r->source;
    *frame = (struct mf_bus_frame){.type = r->bytes[0], .payload = r->bytes + 1, .n = r->n - 1u};
    return true;
}

mf_us_t swarm_ghosts_find_replayed_us(const struct swarm *w)
{
    const struct ghost_record *r = swarm_ghosts_of(w)->turn.first;
    return r != NULL && r->n > 0 ? r->at_us : MF_NEVER;
}

/* Ghost with a member number from the wire. @return NULL: the member is not a ghost */
static struct ghost *find_ghost_in_frame(const struct swarm *w, uint32_t member)
{
    const struct mf_scenario *s = w->scenario;
    return member < s->members && mf_scenario_entity_of(s, member)->as == MF_SCENARIO_KIND_GHOST
               ? swarm_ghost_of(w, member)
               : NULL;
}

/* Attach a participant to a ghost, unless another feeds it. @return NULL; else why not, in g->why
 */
static const char *attach_feeder(struct swarm_ghosts *g, struct ghost_feeder *f,
                                 uint32_t participant, const char *name)
{
    if (f->participant >= 0 && f->participant != (int32_t)participant) {
        (void)snprintf(g->why, sizeof g->why, "feeds a member that '%s' feeds already", f->name);
        return g->why;
    }
    f->participant = (int32_t)participant;
    (void)snprintf(f->name, sizeof f->name, "%.31s", name);
    return NULL;
}

const char *swarm_ghost_feed(struct swarm *w, uint32_t participant, const char *name,
                             const struct mf_bus_pose *pose, mf_us_t at_us)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    struct ghost *ghost = find_ghost_in_frame(w, pose->member);
    struct {
        uint32_t i;
        uint8_t sample[sizeof(struct mf_ghost_sample)];
    } row = {.i = pose->member};
    if (ghost == NULL || !ghost->bus) {
        return "feeds a member that is not a ghost with link bus";
    }
    const char *why = attach_feeder(g, &ghost->poses, participant, name);
    if (why != NULL) {
        return why;
    }
    struct mf_ghost_sample s = {.at_us = at_us, .yaw_rad = pose->yaw_rad};
    memcpy(s.neu_m, pose->neu_m, sizeof s.neu_m);
    memcpy(s.vel_neu_mps, pose->vel_neu_mps, sizeof s.vel_neu_mps);
    memcpy(row.sample, &s, sizeof s);
    const struct ghost_record head = {.at_us = at_us, .type = GHOST_POSE, .n = sizeof row};
    ghost_push(g, &g->bus, &head, &row);
    return NULL;
}

const char *swarm_ghost_feed_packet(struct swarm *w, uint32_t participant, const char *name,
                                    const struct mf_bus_packet *packet, mf_us_t at_us)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    struct ghost *ghost = find_ghost_in_frame(w, packet->member);
    uint8_t row[sizeof(uint32_t) + sizeof(struct mf_ghost_packet) + MF_PACKET_BYTES_MAX];
    const struct mf_ghost_packet p = {.heard = packet->heard,
                                      .strength_dbm = packet->strength_dbm,
                                      .origin = packet->origin,
                                      .number = packet->number,
                                      .n = packet->n};
    const char *why = ghost != NULL ? attach_feeder(g, &ghost->packets, participant, name)
                                    : "has packets of a member that is not a ghost";
    if (why != NULL) {
        return why;
    }
    MF_ASSERT(packet->n <= MF_PACKET_BYTES_MAX); /* mf_bus_packet() refuses longer ones */
    memcpy(row, &packet->member, sizeof packet->member);
    memcpy(row + sizeof(uint32_t), &p, sizeof p);
    memcpy(row + sizeof(uint32_t) + sizeof p, packet->bytes, packet->n);
    const struct ghost_record head = {.at_us = at_us,
                                      .type = GHOST_PACKET,
                                      .n = (uint32_t)(sizeof(uint32_t) + sizeof p + packet->n)};
    ghost_push(g, &g->bus, &head, row);
    return NULL;
}

void swarm_ghosts_detach_feed(struct swarm *w, uint32_t participant, mf_us_t at_us)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    bool fed = false;
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        struct ghost_feeder *const both[] = {&ghost->poses, &ghost->packets};
        bool its = false;
        for (size_t n = 0; n < 2; n++) {
            const bool one = both[n]->participant == (int32_t)participant;
            both[n]->participant = one ? -1 : both[n]->participant;
            its = its || one;
        }
        fed = fed || its;
    }
    if (fed) {
        swarm_ghosts_record(w, at_us, participant, &(struct mf_bus_frame){.type = 0});
    }
}

void swarm_ghosts_set_feeder(struct swarm *w, const struct swarm_ghost_feeder *feeder)
{
    if (swarm_ghosts_of(w) != NULL) {
        swarm_ghosts_of(w)->feeder = feeder;
    }
}
