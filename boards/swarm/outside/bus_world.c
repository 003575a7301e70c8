/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a turn of the bus at each tick, and gives its orders to members; a replay reads the same
 * frames from the recording. program/systems.c lists its system. */
#include "boards/swarm/outside/bus_world.h"

#include "boards/swarm/core/listener.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/orders.h"
#include "boards/swarm/outside/bus.h"
#include "boards/swarm/outside/bus_radio.h"
#include "boards/swarm/outside/frames.h"
#include "boards/swarm/radio/receptions.h"

struct bus_world {
    struct mf_timer timer;
    struct mf_order_queue orders; /* orders of the present turn */
    struct swarm_onlooker onlooker;
    struct swarm_bus_radio radio;
    mf_us_t at_us;
    bool failed;
};

const size_t swarm_bus_world_bytes = sizeof(struct bus_world);

static struct bus_world *bus_world_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_BUS_WORLD];
}

/* ---- frames to participants */

static void put_state(struct swarm *w, void *ctx, struct mf_bus_writer *f, uint32_t i)
{
    (void)ctx;
    swarm_frame_state(w, f, i, bus_world_of(w)->at_us);
}

/* Send ACKS, the results of the last turn's orders, to the participants that ordered them. */
static void send_acks(struct swarm *w)
{
    struct bus_world *b = bus_world_of(w);
    for (uint32_t p = 0; p < SWARM_BUS_PARTICIPANTS && b->orders.count > 0; p++) {
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_ACKS);
        for (uint32_t i = 0; i < b->orders.count; i++) {
            const struct mf_queued_order *o = &b->orders.order[i];
            if (o->participant == p && mf_bus_fits(f, MF_BUS_ACK_BYTES)) {
                mf_bus_put_u(f, o->member, 4);
                mf_bus_put_u(f, o->msgid, 4);
                mf_bus_put_u(f, (uint64_t)o->error, 2);
                mf_bus_put_u(f, o->result, 1);
                mf_bus_put_u(f, 0, 1);
            }
        }
        if (f->n > MF_BUS_HEADER) {
            swarm_bus_send_to(w, p);
        }
    }
    b->orders.count = 0;
}

static void send_frames(struct swarm *w, void *ctx)
{
    (void)ctx;
    send_acks(w);
    swarm_bus_send_states(w, w->scenario->members, put_state, NULL);
    swarm_bus_radio_tell(w, &bus_world_of(w)->radio, bus_world_of(w)->at_us);
    if (swarm_receptions_put(w, &bus_world_of(w)->onlooker,
                             swarm_bus_frame(w, MF_BUS_RECEPTIONS))) {
        swarm_bus_send_to_role(w, MF_BUS_OBSERVER);
    }
}

/* ---- frames from participants */

/* Read frames with poses of ghosts, and with packets of ghosts and other members.
 * @return NULL, or the fault for which the bus disconnects the participant */
static const char *feed_ghosts(struct swarm *w, uint32_t participant,
                               const struct mf_bus_frame *frame)
{
    struct mf_bus_pose pose;
    struct mf_bus_packet packet;
    const char *name = swarm_bus_get_name(w, participant), *why = NULL;
    size_t at = 0;
    while (frame->type == MF_BUS_POSES && why == NULL && mf_bus_pose(frame, &at, &pose, &why)) {
        why = swarm_ghost_feed(w, participant, name, &pose, bus_world_of(w)->at_us);
    }
    while (frame->type == MF_BUS_PACKETS && why == NULL &&
           mf_bus_packet(frame, &at, &packet, &why)) {
        why = swarm_bus_radio_is_own(w, participant, packet.member)
                  ? swarm_bus_radio_transmit(w, &packet, bus_world_of(w)->at_us)
                  : swarm_ghost_feed_packet(w, participant, name, &packet, bus_world_of(w)->at_us);
    }
    return why;
}

static const char *receive_frame(struct swarm *w, void *ctx, uint32_t participant,
                                 const struct mf_bus_frame *frame)
{
    (void)ctx;
    if (frame->type == MF_BUS_PATH) {
        return "sends a PATH, but there is no plan of kind bus; members obey ORDERS";
    }
    const char *why =
        frame->type == MF_BUS_ORDERS
            ? mf_order_queue_add(&bus_world_of(w)->orders, w->scenario->members, participant, frame)
            : feed_ghosts(w, participant, frame);
    if (why == NULL || frame->type != MF_BUS_PACKETS) { /* a replay would transmit for a feed */
        swarm_ghosts_record(w, bus_world_of(w)->at_us, participant, frame);
    }
    return why;
}

/* ---- frames to feeds of ghosts */

static void send_command(struct swarm *w, int32_t participant, uint32_t member, uint32_t msgid,
                         const void *msg)
{
    uint8_t payload[MF_PAYLOAD_MAX];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    if (!swarm_has(w, SWARM_SLOT_BUS) || info == NULL) {
        return;
    }
    const size_t n = mf_msg_pack(info, msg, payload);
    struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_COMMANDS);
    mf_bus_put_u(f, member, 4);
    mf_bus_put_u(f, msgid, 4);
    mf_bus_put_u(f, n, 4);
    mf_bus_put_raw(f, payload, n);
    swarm_bus_send_to(w, (uint32_t)participant);
}

static void send_packet(struct swarm *w, int32_t participant, uint32_t member,
                        const struct mf_ghost_packet *p)
{
    if (!swarm_has(w, SWARM_SLOT_BUS)) {
        return;
    }
    struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_HEARD);
    mf_bus_put_packet(f, &(struct mf_bus_packet){.member = member,
                                                 .heard = p->heard,
                                                 .origin = p->origin,
                                                 .number = p->number,
                                                 .strength_dbm = p->strength_dbm,
                                                 .bytes = p->bytes,
                                                 .n = p->n});
    swarm_bus_send_to(w, (uint32_t)participant);
}

/* ---- ticks */

/* Set the turn of the recording's next frame, if it is between two ticks: a controller answered a
 * packet there. */
static void hasten_replay(struct swarm *w)
{
    const mf_us_t next_us = swarm_ghosts_find_replayed_us(w);
    if (next_us != MF_NEVER && next_us % mf_us_of(w->scenario->bus.tick_s) != 0) {
        swarm_bus_radio_hasten(w, &bus_world_of(w)->radio, next_us);
    }
}

/* Read the frames that the recording has at the present turn. */
static void replay_tick(struct swarm *w)
{
    struct bus_world *b = bus_world_of(w);
    struct mf_bus_frame frame;
    uint32_t participant;
    b->orders.count = 0;
    while (swarm_ghosts_next_replayed(w, b->at_us, &participant, &frame)) {
        if (frame.type == 0) {
            swarm_ghosts_detach_feed(w, participant, b->at_us);
        } else {
            (void)receive_frame(w, NULL, participant, &frame);
        }
    }
    swarm_orders_give(w, &b->orders, b->at_us);
    hasten_replay(w);
}

static void take_turn(struct swarm *w, mf_us_t at_us, enum swarm_bus_cause cause)
{
    static const struct swarm_bus_ops k_ops = {send_frames, receive_frame};
    struct bus_world *b = bus_world_of(w);
    b->at_us = at_us;
    if (!swarm_has(w, SWARM_SLOT_BUS)) {
        replay_tick(w);
        return;
    }
    if (!swarm_bus_is_due(w, at_us, cause)) {
        return;
    }
    if (swarm_bus_turn(w, at_us, cause, &k_ops, NULL) != SWARM_OK) {
        b->failed = true;
        return;
    }
    swarm_orders_give(w, &b->orders, at_us);
}

static void run_tick(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)id;
    take_turn(ctx, at_us, SWARM_BUS_TICK);
}

static void answer_packets(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)id;
    take_turn(ctx, at_us, SWARM_BUS_PACKET);
}

static void hear(struct swarm *w, const struct swarm_radio_heard *heard)
{
    struct bus_world *b = bus_world_of(w);
    if (swarm_has(w, SWARM_SLOT_BUS) && swarm_bus_listens(w)) {
        if (!swarm_bus_radio_keep(&b->radio, heard)) {
            (void)swarm_refuse(w, w->scenario->bus.line, "bus: no memory");
            b->failed = true;
        }
        swarm_bus_radio_hasten(w, &b->radio, heard->end_us);
    }
}

static uint32_t count_watching_timers(const struct swarm *w)
{
    return mf_timer_is_set(&bus_world_of(w)->timer) && swarm_has(w, SWARM_SLOT_BUS) &&
                   !swarm_bus_acts(w)
               ? 1
               : 0;
}

static int begin_bus(struct swarm *w)
{
    struct bus_world *b = bus_world_of(w);
    const mf_us_t period_us = mf_us_of(w->scenario->bus.tick_s);
    const bool replays = swarm_ghosts_is_replay(w) && w->scenario->bus.listen[0] != '\0';
    if (!swarm_has(w, SWARM_SLOT_BUS) && !replays) {
        return SWARM_OK;
    }
    if (!mf_order_queue_init(&b->orders)) {
        return swarm_refuse(w, w->scenario->bus.line, "bus: no memory");
    }
    mf_timer_init(&b->timer, MF_PHASE_CONTROL, UINT32_MAX, run_tick, w);
    const int result = mf_timer_set(&w->engine, &b->timer, 0, period_us);
    MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    mf_timer_init(&b->radio.timer, MF_PHASE_CONTROL, UINT32_MAX - 2u, answer_packets, w);
    swarm_radio_report(w, &w->scenario->bus.heard, hear);
    return replays ? SWARM_OK : swarm_bus_gather(w, NULL, NULL);
}

static bool has_bus_failed(const struct swarm *w)
{
    return bus_world_of(w)->failed;
}

static int check_listener(struct swarm *w)
{
    const struct mf_scenario_bus *s = &w->scenario->bus;
    return swarm_listen_check(w, &(struct swarm_listener){"bus.listen", s->line, s->listen, NULL});
}

static int refuse_checkpoint(struct swarm *w)
{
    return w->scenario->bus.listen[0] == '\0'
               ? SWARM_OK
               : swarm_refuse(w, w->scenario->bus.line,
                              "bus: a checkpoint has no connections; take the bus out of the run");
}

static void print_summary(const struct swarm *w)
{
    const uint64_t lost = bus_world_of(w)->radio.lost;
    if (lost > 0) {
        (void)printf("bus       %llu packets lost that no turn took\n", (unsigned long long)lost);
    }
}

static void close_bus(struct swarm *w, int code)
{
    swarm_bus_radio_free(&bus_world_of(w)->radio);
    mf_order_queue_free(&bus_world_of(w)->orders);
    swarm_bus_close(w, code);
}

static int set_feeder(struct swarm *w)
{
    static const struct swarm_ghost_feeder k_feeder = {send_command, send_packet};
    swarm_ghosts_set_feeder(w, &k_feeder);
    return SWARM_OK;
}

const struct swarm_system swarm_bus_system = {
    .name = "bus",
    .on = {[SWARM_CHECK] = check_listener,
           [SWARM_KEEP] = refuse_checkpoint,
           [SWARM_CONNECT] = swarm_bus_open,
           [SWARM_BOOT] = set_feeder,
           [SWARM_BEGIN] = begin_bus},
    .count_watches = count_watching_timers,
    .has_failed = has_bus_failed,
    .print_summary = print_summary,
    .close = close_bus,
};
