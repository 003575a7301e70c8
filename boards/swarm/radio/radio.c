/* SPDX-License-Identifier: Apache-2.0 */
/* The radio medium: broadcasts packets of members in rounds, and counts receptions.
 * program/systems.c lists its system; ghosts/ calls it. */
#include "boards/swarm/radio/radio.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/carrier.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/minds/outbox.h"
#include "boards/swarm/minds/rx_minds.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/radio_file.h"
#include "boards/swarm/radio/radio_plugin.h"
#include "boards/swarm/radio/receptions.h"
#include "fleet/sorted.h"
#include "math/chance.h"
#include "math/trig.h"
#include "mavlink/enums.h"
#include "mavlink/frame.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_BYTES 64u /* room for a MAVLink 2 frame with a GLOBAL_POSITION_INT */
#define SYSTEMS     250u

/* Most packets of real radios that wait for the next round, and the interval of such rounds [us].
 */
#define ENTERED_MAX 256u
#define ENTERED_US  10000

/* Most packets of outboxes for which a round has room, in addition to a packet of each radio. The
 * medium counts others as refused. */
#define WAITING_MAX 65536u

_Static_assert(FRAME_BYTES >= 12 + 28, "a header, a checksum, the message");

/* Radio of a member. Radios are divided into shards, and one thread runs a shard. */
struct receiver {
    uint32_t member;
    uint32_t entity;
    uint32_t sent, received;
    uint64_t sent_bytes, received_bytes;
    float strength_dbm;
    bool logged; /* outputs.radio has what this radio receives */
    bool away;  /* the member is away, such as a lost ghost: the radio neither sends nor receives */
    bool minds; /* the member's behaviour acts on what it receives */
    bool transmits; /* the member has an outbox */
    bool turns;     /* the behaviour is of a plug-in, which may transmit in its turns */
    bool told;      /* a program outside gets the receptions of this radio */
    struct mf_ghost_known *known; /* packets that a ghost has received; NULL: not a ghost */
    struct mf_ghost_known *own;   /* packets that the ghost's real radio has sent */
    uint64_t digest;              /* hash of all receptions */
};

/* A packet that a ghost's real radio has sent, until the next round. */
struct entered {
    uint32_t n; /* index in struct swarm_radio's receiver */
    uint32_t number, size;
    uint8_t bytes[MF_PACKET_BYTES_MAX];
};

struct swarm_radio {
    struct mf_medium medium;
    struct mf_radio kind[MF_SCENARIO_ENTITIES_MAX];
    mf_us_t next_us[MF_SCENARIO_ENTITIES_MAX]; /* next packets of an entity's members; MF_NEVER */
    uint32_t rounds[MF_SCENARIO_ENTITIES_MAX]; /* number of rounds in which an entity's members have
                                                  sent */
    struct receiver *receiver;                 /* [count] */
    struct mf_station *station;                /* [count] */
    uint8_t (*frame)[FRAME_BYTES]; /* [count]: positions sent in this round; NULL: no entity sends
                                      positions */
    uint32_t count;
    struct mf_timer timer;
    mf_us_t at_us;           /* time of the present round */
    mf_us_t round_us;        /* time of the next round; MF_NEVER */
    struct entered *entered; /* [ENTERED_MAX]; NULL: the scenario lacks ghosts with radios */
    uint32_t entered_count;
    uint64_t entered_refused;     /* number of packets refused because the table was full */
    struct swarm_gathered passed; /* receptions in this round that go on to ghosts or programs */
    void (*report)(struct swarm *w,
                   const struct swarm_radio_heard *heard); /* NULL: no program gets receptions */
    uint32_t outboxes;
};

static struct swarm_radio *radio_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RADIO];
}

static bool has_radios(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].radio.kind >= 0) {
            return true;
        }
    }
    return false;
}

/* ---- preparation */

static uint32_t get_capacity(uint32_t radios, uint32_t outboxes)
{
    const uint32_t waiting = outboxes * SWARM_OUTBOX_MAX;
    return radios + ENTERED_MAX + (waiting < WAITING_MAX ? waiting : WAITING_MAX);
}

static void prepare_medium(struct swarm *w, void *bytes)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_output *log = &s->outputs.radio;
    struct swarm_radio *r = radio_of(w);
    struct mf_medium_settings settings = {.path = s->medium.path,
                                          .noise_dbm = s->medium.noise[0],
                                          .noise_sigma_db = s->medium.noise[1],
                                          .range_m = s->medium.range_m,
                                          .compat = s->medium.compat != 0,
                                          .key = mf_scenario_shared_chance(s, MF_PURPOSE_RADIO)};
    swarm_radio_plugin_path(w, &settings);
    mf_medium_init(&r->medium, &settings, get_capacity(r->count, r->outboxes), bytes);
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        r->next_us[k] = e->send.every_s > 0.0 ? (mf_us_t)(e->send.start_s * 1e6) : MF_NEVER;
        if (e->radio.kind < 0) {
            continue;
        }
        const int result = mf_scenario_radio(&e->radio, &r->kind[k]);
        MF_ASSERT(result == MF_E_OK); /* check_radio() has accepted it */
        swarm_radio_plugin_describe(w, k, &r->kind[k]);
        mf_medium_admit(&r->medium, &r->kind[k]);
        for (uint32_t i = 0; i < e->count; i++, n++) {
            r->receiver[n] =
                (struct receiver){.member = e->first + i,
                                  .entity = k,
                                  .logged = log->file[0] != '\0' &&
                                            mf_scenario_is_chosen(s, &log->of, e->first + i, true),
                                  .minds = swarm_rx_minds_listen(w, e),
                                  .transmits = swarm_outbox_has(w, e->first + i),
                                  .turns = e->behaviour.kind == MF_BEHAVIOUR_OWN};
            r->station[n] = (struct mf_station){.radio = &r->kind[k],
                                                .identity = mf_scenario_identity(s, e->first + i)};
            memcpy(r->station[n].axis_neu, e->radio.axis_neu, sizeof e->radio.axis_neu);
        }
    }
}

static bool has_ghosts(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].radio.kind >= 0 && s->entity[k].as == MF_SCENARIO_KIND_GHOST) {
            return true;
        }
    }
    return false;
}

/* Allocate memory for packets of ghosts: those known already, and those that wait for the next
 * round. */
static int prepare_ghosts(struct swarm *w)
{
    struct swarm_radio *r = radio_of(w);
    r->entered = swarm_memory(w, 1, ENTERED_MAX * sizeof *r->entered);
    for (uint32_t n = 0; r->entered != NULL && n < r->count; n++) {
        struct receiver *receiver = &r->receiver[n];
        if (w->scenario->entity[receiver->entity].as != MF_SCENARIO_KIND_GHOST) {
            continue;
        }
        receiver->known = swarm_memory(w, 1, 2 * sizeof *receiver->known);
        if (receiver->known == NULL) {
            return SWARM_INPUT;
        }
        receiver->own = receiver->known + 1;
    }
    return r->entered != NULL ? SWARM_OK : SWARM_INPUT;
}

static bool sends_frames(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].send.message == MF_SCENARIO_MESSAGE_POSITION) {
            return true;
        }
    }
    return false;
}

static int prepare_radios(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    uint32_t count = 0;
    if (!has_radios(w)) {
        return SWARM_OK;
    }
    for (uint32_t k = 0; k < s->entities; k++) {
        count += s->entity[k].radio.kind >= 0 ? s->entity[k].count : 0;
    }
    uint32_t outboxes;
    if (swarm_outbox_prepare(w, &outboxes) != SWARM_OK) {
        return SWARM_INPUT;
    }
    const bool frames = sends_frames(s);
    struct swarm_radio *r = swarm_memory(w, 1, sizeof *r);
    uint8_t(*frame)[FRAME_BYTES] = frames ? swarm_memory(w, 1, count * sizeof *frame) : NULL;
    struct receiver *receiver = swarm_memory(w, 1, count * sizeof *receiver);
    struct mf_station *station = swarm_memory(w, 1, count * sizeof *station);
    void *bytes = swarm_memory(w, 1, mf_medium_bytes(get_capacity(count, outboxes)));
    if (r == NULL || receiver == NULL || station == NULL || bytes == NULL ||
        (frames && frame == NULL)) {
        return SWARM_INPUT;
    }
    *r = (struct swarm_radio){.receiver = receiver,
                              .station = station,
                              .frame = frame,
                              .count = count,
                              .outboxes = outboxes};
    w->state[SWARM_SLOT_RADIO] = r;
    prepare_medium(w, bytes);
    return has_ghosts(s) ? prepare_ghosts(w) : SWARM_OK;
}

/* ---- a round: update places, send packets, receive them */

static void run_each_of_shard(struct swarm *w, uint32_t shard,
                              void (*run)(struct swarm *w, uint32_t shard, uint32_t n))
{
    const uint64_t count = radio_of(w)->count;
    const uint32_t to = (uint32_t)(count * (shard + 1u) / MF_CROWD_SHARDS);
    for (uint32_t n = (uint32_t)(count * shard / MF_CROWD_SHARDS); n < to; n++) {
        run(w, shard, n);
    }
}

static void find_place(struct swarm *w, uint32_t shard, uint32_t n)
{
    const struct swarm_radio *r = radio_of(w);
    (void)shard;
    swarm_place(w, r->receiver[n].member, r->at_us, r->station[n].neu_m);
    r->receiver[n].away = swarm_is_away(w, r->receiver[n].member, r->at_us);
}

struct reception_context {
    struct swarm *w;
    struct receiver *receiver;
    const double *neu_m;
    uint32_t shard;
};

static void keep_reception(struct swarm_gathered *all, const struct reception_context *h,
                           const struct mf_delivery *d)
{
    struct swarm_reception *row = swarm_gather(&all->shard[h->shard], sizeof *row);
    if (row != NULL) {
        *row = (struct swarm_reception){h->receiver->member, d->packet->sender, d->packet->number,
                                        d->packet->size,     d->packet->bytes,  d->strength_dbm};
    }
}

/* Count a packet that a radio has received from the medium, a network or a real radio. */
static void count_reception(struct swarm *w, struct receiver *receiver,
                            const struct mf_packet *packet, double strength_dbm, uint32_t shard)
{
    uint64_t strength;
    swarm_receptions_add(w, shard, packet->sender, receiver->member);
    memcpy(&strength, &strength_dbm, sizeof strength);
    receiver->received++;
    receiver->received_bytes += packet->size;
    receiver->strength_dbm = (float)strength_dbm;
    receiver->digest =
        mf_chance_u64(receiver->digest ^ strength, (uint64_t)packet->sender << 32 | packet->number);
}

/* Time that the bits of a packet take at the rate of its sender's radio; a microsecond at least. */
static mf_us_t find_air_time(const struct swarm *w, const struct mf_packet *packet)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, packet->sender);
    const struct mf_radio *kind = &radio_of(w)->kind[e - w->scenario->entity];
    const double s = kind->bits_per_s > 0.0 ? 8.0 * packet->size / kind->bits_per_s : 0.0;
    return s < 1e-6 ? 1 : mf_us_of(s);
}

static void receive_packet(void *ctx, const struct mf_delivery *d)
{
    const struct reception_context *h = ctx;
    struct receiver *receiver = h->receiver;
    if (receiver->known != NULL) {
        if (!mf_ghost_is_new(receiver->known, d->packet->sender, d->packet->number)) {
            return; /* the ghost's real radio has received it already */
        }
    }
    if (receiver->known != NULL || receiver->told) {
        keep_reception(&radio_of(h->w)->passed, h, d);
    }
    count_reception(h->w, receiver, d->packet, d->strength_dbm, h->shard);
    if (receiver->minds) {
        const mf_us_t at_us = radio_of(h->w)->at_us;
        swarm_rx_minds_receive(h->w,
                               &(struct swarm_heard){receiver->member, d, at_us,
                                                     at_us + find_air_time(h->w, d->packet)},
                               h->neu_m);
    }
    if (receiver->logged) {
        keep_reception(swarm_radio_file_rows(h->w), h, d);
    }
}

static void receive_at_radio(struct swarm *w, uint32_t shard, uint32_t n)
{
    const struct swarm_radio *r = radio_of(w);
    struct reception_context h = {w, &r->receiver[n], r->station[n].neu_m, shard};
    if (r->receiver[n].away) {
        return;
    }
    (void)mf_medium_hear(&r->medium, r->receiver[n].member, &r->station[n], receive_packet, &h);
}

static void find_places(void *ctx, uint32_t shard)
{
    run_each_of_shard(ctx, shard, find_place);
}

static void receive_packets(void *ctx, uint32_t shard)
{
    run_each_of_shard(ctx, shard, receive_at_radio);
}

/* Encode GLOBAL_POSITION_INT of a member as a vehicle would send it. @return length of the frame */
static uint32_t encode_position(struct swarm *w, uint32_t n)
{
    const struct swarm_radio *r = radio_of(w);
    const struct receiver *receiver = &r->receiver[n];
    const struct mf_pose p = swarm_pose(w, receiver->member, r->at_us);
    const struct mf_msg_global_position_int m = {
        .time_boot_ms = (uint32_t)(r->at_us / MF_MS_US),
        .lat = mf_round_i32(p.lat_deg * 1e7),
        .lon = mf_round_i32(p.lon_deg * 1e7),
        .alt = mf_round_i32(p.alt_amsl_m * 1e3),
        .relative_alt = mf_round_i32((p.alt_amsl_m - w->scenario->origin[2]) * 1e3),
        .vx = (int16_t)mf_round_i32((double)p.vel_ned_mps[0] * 100.0),
        .vy = (int16_t)mf_round_i32((double)p.vel_ned_mps[1] * 100.0),
        .vz = (int16_t)mf_round_i32((double)p.vel_ned_mps[2] * 100.0),
        .hdg = (uint16_t)fmod(mf_deg((double)p.yaw_rad) * 100.0 + 36000.5, 36000.0)};
    const struct mf_sender from = {2, (uint8_t)receiver->sent,
                                   (uint8_t)(1u + receiver->member % SYSTEMS),
                                   MAV_COMP_ID_AUTOPILOT1};
    uint8_t bytes[MF_FRAME_MAX];
    const size_t size = mf_frame_encode(&from, mf_msg_find(MF_MSG_GLOBAL_POSITION_INT), &m, bytes);
    MF_ASSERT(size <= FRAME_BYTES);
    memcpy(r->frame[n], bytes, size);
    return (uint32_t)size;
}

static struct mf_packet make_packet(struct swarm *w, uint32_t n)
{
    const struct receiver *receiver = &radio_of(w)->receiver[n];
    const struct mf_scenario_send *send = &w->scenario->entity[receiver->entity].send;
    if (send->message == MF_SCENARIO_MESSAGE_POSITION) {
        const uint32_t size = encode_position(w, n);
        return (struct mf_packet){receiver->member, receiver->sent, radio_of(w)->frame[n], size};
    }
    return (struct mf_packet){receiver->member, receiver->sent, send->bytes, send->size};
}

static void send_packet(struct swarm *w, uint32_t n, const struct mf_packet *packet)
{
    struct swarm_radio *r = radio_of(w);
    struct receiver *receiver = &r->receiver[n];
    if (receiver->away) {
        return;
    }
    const struct swarm_departure to_all = {SWARM_PACKET,      SWARM_NETWORK_ANY, receiver->member,
                                           SWARM_NETWORK_ALL, packet->bytes,     packet->size,
                                           r->at_us};
    const int result = swarm_is_networked(w) ? swarm_network_send(w, &to_all)
                                             : mf_medium_send(&r->medium, packet, &r->station[n]);
    if (result == MF_E_OK) {
        receiver->sent++;
        receiver->sent_bytes += packet->size;
    }
}

static int compare_entered(const void *left, const void *right)
{
    const struct entered *a = left, *b = right;
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Send packets of a ghost's real radio with numbers below @p below. @param next  in, out: index of
 * the next sorted packet */
static void send_entered(struct swarm *w, uint32_t n, uint64_t below, uint32_t *next)
{
    const struct swarm_radio *r = radio_of(w);
    while (*next < r->entered_count && r->entered[*next].n == n &&
           r->entered[*next].number < below) {
        const struct entered *e = &r->entered[(*next)++];
        const struct mf_packet packet = {r->receiver[n].member, e->number, e->bytes, e->size};
        send_packet(w, n, &packet);
    }
}

/* Send packets that a behaviour or a controller has handed over. */
static void send_transmitted(struct swarm *w, uint32_t n)
{
    const struct swarm_radio *r = radio_of(w);
    const struct receiver *receiver = &r->receiver[n];
    struct mf_packet packet = {.sender = receiver->member};
    while (receiver->transmits && swarm_outbox_take(w, receiver->member, r->at_us, &packet)) {
        packet.number = receiver->sent;
        send_packet(w, n, &packet);
    }
}

static void send_packets(struct swarm *w)
{
    struct swarm_radio *r = radio_of(w);
    uint32_t next = 0;
    mf_medium_begin(&r->medium);
    if (r->entered_count > 0) {
        qsort(r->entered, r->entered_count, sizeof r->entered[0], compare_entered);
    }
    for (uint32_t n = 0; n < r->count; n++) {
        const struct receiver *receiver = &r->receiver[n];
        if (r->next_us[receiver->entity] == r->at_us) {
            const struct mf_packet packet = make_packet(w, n);
            send_entered(w, n, packet.number, &next);
            send_packet(w, n, &packet);
        }
        send_entered(w, n, UINT64_MAX, &next);
        send_transmitted(w, n);
    }
    mf_medium_sort(&r->medium);
}

/* Pass a reception of a ghost to the drone behind it, for its onboard software. */
static void send_to_ghost(struct swarm *w, const struct swarm_reception *got)
{
    const struct mf_ghost_packet p = {.heard = true,
                                      .strength_dbm = got->strength_dbm,
                                      .origin = got->sender,
                                      .number = got->number,
                                      .bytes = got->bytes,
                                      .n = got->size};
    w->members.carrier[MF_SCENARIO_KIND_GHOST]->receive(w, got->receiver, &p);
}

static void report_reception(struct swarm *w, const struct swarm_reception *got, mf_us_t at_us)
{
    const struct mf_packet packet = {got->sender, got->number, got->bytes, got->size};
    radio_of(w)->report(w, &(struct swarm_radio_heard){got->receiver, packet, got->strength_dbm,
                                                       at_us, at_us + find_air_time(w, &packet)});
}

/* Find the radio of member @p i; radios are sorted by member. @return NULL: not found */
static const struct receiver *find_radio(const struct swarm_radio *r, uint32_t i)
{
    const uint32_t n = mf_sorted_first(&r->receiver->member, sizeof *r->receiver, r->count, i);
    return n < r->count && r->receiver[n].member == i ? &r->receiver[n] : NULL;
}

/* Pass receptions of the round on, in the order of receivers, which is that of shards. */
static void pass_receptions(struct swarm *w)
{
    const struct swarm_radio *r = radio_of(w);
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        struct swarm_rows *of = &radio_of(w)->passed.shard[shard];
        for (size_t k = 0; k < of->count; k++) {
            const struct swarm_reception *got = &((const struct swarm_reception *)of->at)[k];
            const struct receiver *receiver = find_radio(r, got->receiver);
            MF_ASSERT(receiver != NULL); /* it has received */
            if (receiver->known != NULL) {
                send_to_ghost(w, got);
            }
            if (receiver->told) {
                report_reception(w, got, r->at_us);
            }
        }
        of->count = 0;
    }
}

/* Next time after @p after_us at which members with an outbox may transmit: a turn of a behaviour,
 * or a packet that waits. */
static mf_us_t find_next_transmission(const struct swarm *w, mf_us_t after_us)
{
    const struct swarm_radio *r = radio_of(w);
    mf_us_t next_us = MF_NEVER;
    for (uint32_t n = 0; r->outboxes > 0 && n < r->count; n++) {
        const struct receiver *receiver = &r->receiver[n];
        if (!receiver->transmits) {
            continue;
        }
        const mf_us_t turn_us =
            receiver->turns ? swarm_behaviour_next_us(w, receiver->member) : MF_NEVER;
        if (turn_us > after_us) {
            next_us = mf_earlier(next_us, turn_us);
        } else if (after_us == 0) { /* members take turns of time 0 when time goes on */
            next_us = mf_earlier(next_us, 1);
        }
        next_us = mf_earlier(next_us, swarm_outbox_next_us(w, receiver->member));
    }
    return next_us;
}

/* @param after_us  time of the present round; negative: none was yet */
static void set_next_round(struct swarm *w, mf_us_t after_us)
{
    struct swarm_radio *r = radio_of(w);
    mf_us_t next_us = find_next_transmission(w, after_us);
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        next_us = mf_earlier(next_us, r->next_us[k]);
    }
    /* multiples of ENTERED_US, so that rounds do not depend on when packets arrive */
    if (r->entered != NULL) {
        next_us = mf_earlier(next_us, (r->at_us / ENTERED_US + 1) * ENTERED_US);
    }
    r->round_us = next_us;
    if (next_us != MF_NEVER) {
        const int result = mf_timer_set(&w->engine, &r->timer, next_us, 0);
        MF_ASSERT(result == MF_E_OK); /* the heap has room */
    }
}

static void exchange_packets(struct swarm *w)
{
    mf_workers_run(&w->workers, MF_CROWD_SHARDS, find_places, w);
    send_packets(w);
    mf_workers_run(&w->workers, MF_CROWD_SHARDS, receive_packets, w);
    swarm_radio_file_write_all(w, radio_of(w)->at_us);
    pass_receptions(w);
    for (uint32_t n = 0; radio_of(w)->outboxes > 0 && n < radio_of(w)->count; n++) {
        swarm_outbox_clear(w, radio_of(w)->receiver[n].member);
    }
    radio_of(w)->entered_count = 0;
}

static void run_round(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_radio *r = radio_of(w);
    bool sends = r->entered_count > 0;
    (void)id;
    r->at_us = at_us;
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        sends = sends || r->next_us[k] == at_us;
    }
    for (uint32_t n = 0; r->outboxes > 0 && n < r->count && !sends; n++) {
        sends = swarm_outbox_next_us(w, r->receiver[n].member) <= at_us;
    }
    if (sends) {
        exchange_packets(w);
    }
    if (sends && swarm_has(w, SWARM_SLOT_MINDS)) {
        swarm_rx_minds_end_round(w, at_us);
    }
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_send *send = &w->scenario->entity[k].send;
        if (r->next_us[k] == at_us) {
            r->rounds[k]++;
            r->next_us[k] =
                (mf_us_t)(send->start_s * 1e6) + mf_us_of((double)r->rounds[k] * send->every_s);
        }
    }
    set_next_round(w, at_us);
    swarm_costs_lap(w, SWARM_COST_RADIO, sends ? r->medium.count : 0);
}

static int begin_rounds(struct swarm *w)
{
    if (radio_of(w) != NULL) {
        mf_timer_init(&radio_of(w)->timer, MF_PHASE_MEDIUM, 0, run_round, w);
        set_next_round(w, -1);
    }
    return SWARM_OK;
}

/* ---- programs outside */

/* Let the next round come by a time at which a packet is due. */
static void hasten_round(struct swarm *w, mf_us_t due_us)
{
    struct swarm_radio *r = radio_of(w);
    if (due_us < r->round_us) {
        r->round_us = due_us;
        const int result = mf_timer_set(&w->engine, &r->timer, due_us, 0);
        MF_ASSERT(result == MF_E_OK); /* the heap has room */
    }
}

const char *swarm_radio_transmit(struct swarm *w, uint32_t i, const uint8_t *bytes, size_t size,
                                 mf_us_t at_us)
{
    const char *why = i < w->scenario->members ? swarm_outbox_add(w, i, bytes, size, at_us)
                                               : "transmits by a member that does not exist";
    if (why == NULL) {
        hasten_round(w, at_us);
    }
    return why;
}

void swarm_radio_report(struct swarm *w, const struct mf_scenario_chosen *of,
                        void (*report)(struct swarm *w, const struct swarm_radio_heard *heard))
{
    struct swarm_radio *r = radio_of(w);
    for (uint32_t n = 0; r != NULL && n < r->count; n++) {
        r->receiver[n].told = mf_scenario_is_chosen(w->scenario, of, r->receiver[n].member, false);
        r->report = report;
    }
}

/* ---- digest */

static uint64_t digest_radios(const struct swarm *w, uint64_t digest)
{
    const struct swarm_radio *r = radio_of(w);
    for (uint32_t n = 0; r != NULL && n < r->count; n++) {
        digest = mf_chance_u64(digest ^ r->receiver[n].digest, r->receiver[n].received);
    }
    return digest;
}

/* ---- packets of a network */

static bool receive_arrival(struct swarm *w, const struct swarm_arrival *a)
{
    const struct swarm_radio *r = radio_of(w);
    const bool packet_of_radio = swarm_arrival_get_kind(a) == SWARM_PACKET && r != NULL;
    const struct receiver *found = packet_of_radio ? find_radio(r, a->receiver) : NULL;
    const struct mf_packet packet = {a->sender, a->number, a->bytes, a->size};
    if (found == NULL) {
        return false;
    }
    struct receiver *receiver = &r->receiver[found - r->receiver];
    if (swarm_is_away(w, receiver->member, a->at_us)) {
        return true;
    }
    const struct mf_delivery delivery = {&packet, (double)NAN};
    const mf_us_t end_us = a->at_us + 1;              /* it has taken its time on the network */
    const bool fits = a->size <= MF_PACKET_BYTES_MAX; /* gzuav's nodes send longer ones */
    count_reception(w, receiver, &packet, 0.0, 0);
    if (receiver->minds && fits) {
        swarm_rx_minds_receive(
            w, &(struct swarm_heard){receiver->member, &delivery, a->at_us, end_us}, NULL);
        hasten_round(w, swarm_outbox_next_us(w, receiver->member));
    }
    if (receiver->told && fits) {
        r->report(w, &(struct swarm_radio_heard){receiver->member, packet, (double)NAN, a->at_us,
                                                 end_us});
    }
    if (receiver->logged) {
        swarm_radio_file_write(w,
                               &(struct swarm_reception){receiver->member, a->sender, a->number,
                                                         a->size, a->bytes, 0.0},
                               a->at_us);
    }
    return true;
}

/* ---- packets of real radios */

static const char *enter_received(struct swarm *w, struct receiver *receiver,
                                  const struct mf_ghost_packet *p, mf_us_t at_us)
{
    const struct mf_packet packet = {p->origin, p->number, p->bytes, (uint32_t)p->n};
    if (p->origin >= w->scenario->members || !isfinite(p->strength_dbm)) {
        return "has received a packet without a sender of this scenario or without a strength,";
    }
    if (p->origin == receiver->member || !mf_ghost_is_new(receiver->known, p->origin, p->number)) {
        return NULL; /* its own packet, or one that the medium or another link has brought */
    }
    count_reception(w, receiver, &packet, p->strength_dbm, 0);
    if (receiver->logged) {
        swarm_radio_file_write(w,
                               &(struct swarm_reception){receiver->member, p->origin, p->number,
                                                         (uint32_t)p->n, p->bytes, p->strength_dbm},
                               at_us);
    }
    return NULL;
}

static const char *enter_sent(struct swarm *w, struct receiver *receiver,
                              const struct mf_ghost_packet *p)
{
    struct swarm_radio *r = radio_of(w);
    if (!mf_ghost_is_new(receiver->own, receiver->member, p->number)) {
        return NULL;
    }
    if (r->entered_count == ENTERED_MAX) {
        r->entered_refused++;
        return "sends more packets than fit into the air at once,";
    }
    struct entered *e = &r->entered[r->entered_count++];
    *e = (struct entered){(uint32_t)(receiver - r->receiver), p->number, (uint32_t)p->n, {0}};
    if (p->n > 0) {
        memcpy(e->bytes, p->bytes, p->n);
    }
    return NULL;
}

const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us)
{
    const struct swarm_radio *r = radio_of(w);
    const struct receiver *found = r != NULL ? find_radio(r, i) : NULL;
    if (found == NULL) {
        return "has packets, but no radio in this scenario,";
    }
    if (p->n > MF_PACKET_BYTES_MAX) {
        return "has a packet that is longer than 280 bytes,";
    }
    struct receiver *receiver = &r->receiver[found - r->receiver];
    MF_ASSERT(receiver->known != NULL); /* callers pass ghosts only */
    return p->heard ? enter_received(w, receiver, p, at_us) : enter_sent(w, receiver, p);
}

/* Packets, the strength of the last one that arrived, and the charge that the radio has used since
 * its member arrived. */
static void write_radio(const struct swarm *w, uint32_t i, FILE *to)
{
    const struct swarm_radio *r = radio_of(w);
    const struct receiver *receiver = r != NULL ? find_radio(r, i) : NULL;
    if (receiver == NULL) {
        (void)fputs(",,,,", to);
        return;
    }
    (void)fprintf(to, ",%u,%u,", (unsigned)receiver->sent, (unsigned)receiver->received);
    if (receiver->received > 0) {
        (void)fprintf(to, "%.2f", (double)receiver->strength_dbm);
    }
    (void)fprintf(to, ",%.3f",
                  mf_radio_charge_mas(&r->kind[receiver->entity],
                                      (double)(w->now_us - swarm_arrived_us(w, i)) / 1e6,
                                      receiver->sent_bytes, receiver->received_bytes));
}

static const struct swarm_column k_column[] = {
    {",sent,heard,strength_dbm,radio_mas", has_radios, write_radio}, {0}};

static void print_summary(const struct swarm *w)
{
    const struct swarm_radio *r = radio_of(w);
    uint64_t sent = 0, received = 0, doubles = 0;
    if (r == NULL) {
        return;
    }
    for (uint32_t n = 0; n < r->count; n++) {
        const struct receiver *receiver = &r->receiver[n];
        sent += receiver->sent;
        received += receiver->received;
        doubles += receiver->known != NULL ? receiver->known->doubles + receiver->own->doubles : 0;
    }
    (void)printf("radio     %u radios, %" PRIu64 " packets sent, %" PRIu64 " received", r->count,
                 sent, received);
    if (r->entered != NULL) {
        (void)printf("; %" PRIu64 " came twice, %" PRIu64 " refused", doubles, r->entered_refused);
    }
    (void)printf("\n");
}

static bool close_files(struct swarm *w)
{
    if (radio_of(w) != NULL) {
        (void)swarm_gathered_close(w, &radio_of(w)->passed);
    }
    return swarm_gathered_close(w, swarm_radio_file_rows(w));
}

const struct swarm_system swarm_radio_system = {
    .name = "radio",
    .on = {[SWARM_FIND] = swarm_radio_plugin_prepare,
           [SWARM_RESUME] = swarm_radio_plugin_prepare,
           [SWARM_PREPARE] = prepare_radios,
           [SWARM_OPEN] = swarm_radio_file_open,
           [SWARM_BEGIN] = begin_rounds},
    .columns = k_column,
    .arrived = receive_arrival,
    .digest = digest_radios,
    .print_summary = print_summary,
    .complete = close_files,
};
