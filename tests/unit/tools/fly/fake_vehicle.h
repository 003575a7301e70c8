/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vehicle in memory behind a bad link: frames are lost, repeated and overtaken, from one seed, in
 * a time of its own. It keeps PX4's rules of the mission protocol: requests repeated every 250 ms,
 * 5 s without input and it gives up.
 */
#ifndef MF_TESTS_FAKE_VEHICLE_H
#define MF_TESTS_FAKE_VEHICLE_H

#include <stdlib.h>
#include <string.h>

#include "mavlink/enums.h"
#include "tools/fly/client.h"

#define FAKE_PACKETS   256
#define FAKE_ITEMS     128
#define FAKE_REPEAT_US 250000
#define FAKE_GIVE_UP   5000000

enum fake_phase { FAKE_IDLE, FAKE_RECEIVING, FAKE_SENDING };

struct fake_packet {
    int64_t due_us;
    bool to_vehicle;
    uint16_t len;
    uint8_t bytes[MF_FRAME_MAX];
};

struct fake {
    int64_t now_us;
    uint64_t random;
    unsigned loss_percent;
    unsigned twice_percent;
    int64_t delay_max_us; /* each packet takes 2 ms to this: later ones overtake */
    bool stream;          /* TCP-like: nothing lost, cut anywhere */
    bool gone;
    bool mute; /* answers nothing */

    struct fake_packet packet[FAKE_PACKETS];
    size_t packets;
    struct mf_parser parser;
    uint8_t seq;
    unsigned heartbeats; /* received from the client */

    enum fake_phase phase;
    uint16_t want; /* item to receive or send next */
    uint16_t incoming;
    bool finished; /* an upload has just ended */
    int64_t asked_us;
    int64_t input_us;
    struct mf_msg_mission_item_int draft[FAKE_ITEMS];
    struct mf_msg_mission_item_int stored[FAKE_ITEMS];
    uint16_t count;
    uint16_t capacity;
    uint16_t unsupported; /* a MAV_CMD that it refuses */
    bool forgetful;       /* stores no param3, as PX4 does */
    bool shifts;          /* stores another latitude */

    unsigned commands; /* COMMAND_LONG seen */
    unsigned deaf;     /* of them not answered, at first */
    uint8_t result;
    bool slow; /* says "in progress" first, and is done after three seconds */
    int64_t slow_us;
    struct mf_msg_command_long command;

    /* what flies on top of it; NULL: nothing does */
    void (*on_tick)(struct fake *v); /* every millisecond */
    uint8_t (*on_command)(struct fake *v,
                          const struct mf_msg_command_long *in); /* its MAV_RESULT */
};

/* xorshift64*: 0 .. 99 */
static unsigned fake_percent(struct fake *v)
{
    v->random ^= v->random >> 12;
    v->random ^= v->random << 25;
    v->random ^= v->random >> 27;
    return (unsigned)((v->random * 2685821657736338717ull) >> 33) % 100u;
}

static void fake_enqueue(struct fake *v, bool to_vehicle, const uint8_t *bytes, size_t n)
{
    if (!v->stream && fake_percent(v) < v->loss_percent) {
        return;
    }
    const unsigned copies = !v->stream && fake_percent(v) < v->twice_percent ? 2 : 1;
    for (unsigned i = 0; i < copies && v->packets < FAKE_PACKETS; i++) {
        struct fake_packet *p = &v->packet[v->packets++];
        p->due_us = v->now_us + 2000;
        if (v->delay_max_us > 0) {
            p->due_us += v->delay_max_us * fake_percent(v) / 100;
        }
        p->to_vehicle = to_vehicle;
        p->len = (uint16_t)n;
        memcpy(p->bytes, bytes, n);
    }
}

static void fake_send(struct fake *v, uint32_t id, const void *msg)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_sender from = {.version = 2, .seq = v->seq++, .sysid = 1, .compid = 1};
    if (!v->mute) {
        fake_enqueue(v, false, frame, mf_frame_encode(&from, mf_msg_find(id), msg, frame));
    }
}

/* ---- missions */

static void fake_ack(struct fake *v, uint8_t result)
{
    const struct mf_msg_mission_ack ack = {
        .target_system = 255, .target_component = 190, .type = result};
    fake_send(v, MF_MSG_MISSION_ACK, &ack);
}

static void fake_ask(struct fake *v)
{
    const struct mf_msg_mission_request_int ask = {
        .seq = v->want, .target_system = 255, .target_component = 190};
    v->asked_us = v->now_us;
    fake_send(v, MF_MSG_MISSION_REQUEST_INT, &ask);
}

static void fake_on_count(struct fake *v, const struct mf_msg_mission_count *in)
{
    if (v->phase == FAKE_RECEIVING && v->want > 0) {
        fake_ack(v, MAV_MISSION_ERROR);
        return;
    }
    if (in->count > v->capacity) {
        fake_ack(v, MAV_MISSION_NO_SPACE);
        return;
    }
    if (in->count == 0) {
        v->count = 0;
        fake_ack(v, MAV_MISSION_ACCEPTED);
        return;
    }
    v->phase = FAKE_RECEIVING;
    v->finished = false;
    v->incoming = in->count;
    v->want = 0;
    fake_ask(v);
}

static void fake_store(struct fake *v)
{
    v->count = v->incoming;
    memcpy(v->stored, v->draft, sizeof v->stored);
    for (uint16_t i = 0; i < v->count; i++) {
        v->stored[i].param3 = v->forgetful ? 0 : v->stored[i].param3;
        v->stored[i].x += v->shifts ? 10 : 0;
    }
    v->phase = FAKE_IDLE;
    v->finished = true;
    fake_ack(v, MAV_MISSION_ACCEPTED);
}

static void fake_on_item(struct fake *v, const struct mf_msg_mission_item_int *in)
{
    if (v->phase != FAKE_RECEIVING) {
        const bool again = v->finished && in->seq + 1u == v->count;
        fake_ack(v, again ? MAV_MISSION_ACCEPTED : MAV_MISSION_ERROR);
        return;
    }
    if (in->seq != v->want) {
        return;
    }
    if (in->command == v->unsupported) {
        v->phase = FAKE_IDLE;
        fake_ack(v, MAV_MISSION_UNSUPPORTED);
        return;
    }
    v->draft[v->want++] = *in;
    if (v->want == v->incoming) {
        fake_store(v);
    } else {
        fake_ask(v);
    }
}

static void fake_on_list(struct fake *v)
{
    const struct mf_msg_mission_count count = {
        .count = v->count, .target_system = 255, .target_component = 190};
    if (v->phase == FAKE_RECEIVING) {
        fake_ack(v, MAV_MISSION_ERROR);
        return;
    }
    v->phase = v->count > 0 ? FAKE_SENDING : FAKE_IDLE;
    v->want = 0;
    fake_send(v, MF_MSG_MISSION_COUNT, &count);
}

static void fake_on_request(struct fake *v, uint16_t seq)
{
    if (v->phase != FAKE_SENDING) {
        return;
    }
    if (seq >= v->count || (seq != v->want && seq + 1u != v->want)) {
        v->phase = FAKE_IDLE;
        fake_ack(v, MAV_MISSION_ERROR);
        return;
    }
    struct mf_msg_mission_item_int item = v->stored[seq];
    item.target_system = 255;
    item.target_component = 190;
    v->want = (uint16_t)(seq + 1u);
    fake_send(v, MF_MSG_MISSION_ITEM_INT, &item);
}

/* ---- commands */

static void fake_command_ack(struct fake *v, uint16_t command, uint8_t result)
{
    const struct mf_msg_command_ack ack = {
        .command = command, .result = result, .target_system = 255, .target_component = 190};
    fake_send(v, MF_MSG_COMMAND_ACK, &ack);
}

static void fake_on_command(struct fake *v, const struct mf_msg_command_long *in)
{
    v->command = *in;
    if (v->commands++ < v->deaf) {
        return;
    }
    fake_command_ack(v, 1, MAV_RESULT_DENIED); /* somebody else's */
    if (v->slow) {
        fake_command_ack(v, in->command, MAV_RESULT_IN_PROGRESS);
        v->slow_us = v->now_us + 3000000;
    } else {
        fake_command_ack(v, in->command, v->on_command != NULL ? v->on_command(v, in) : v->result);
    }
}

/* ---- the link */

static void fake_on_message(struct fake *v, const struct mf_frame *frame)
{
    union mf_msg m;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    v->input_us = v->now_us;
    switch (frame->info->id) {
    case MF_MSG_HEARTBEAT:
        v->heartbeats++;
        break;
    case MF_MSG_MISSION_COUNT:
        fake_on_count(v, &m.mission_count);
        break;
    case MF_MSG_MISSION_ITEM_INT:
        fake_on_item(v, &m.mission_item_int);
        break;
    case MF_MSG_MISSION_REQUEST_LIST:
        fake_on_list(v);
        break;
    case MF_MSG_MISSION_REQUEST_INT:
        fake_on_request(v, m.mission_request_int.seq);
        break;
    case MF_MSG_MISSION_ACK:
        v->phase = v->phase == FAKE_SENDING ? FAKE_IDLE : v->phase;
        break;
    case MF_MSG_COMMAND_LONG:
        fake_on_command(v, &m.command_long);
        break;
    default:
        break;
    }
}

static void fake_tick(struct fake *v)
{
    if (v->phase == FAKE_RECEIVING && v->now_us - v->asked_us >= FAKE_REPEAT_US) {
        fake_ask(v);
    }
    if (v->phase != FAKE_IDLE && v->now_us - v->input_us >= FAKE_GIVE_UP) {
        v->phase = FAKE_IDLE;
    }
    if (v->slow_us != 0 && v->now_us >= v->slow_us) {
        v->slow_us = 0;
        fake_command_ack(v, v->command.command, v->result);
    }
    if (v->on_tick != NULL) {
        v->on_tick(v);
    }
}

static int fake_link_send(void *ctx, const uint8_t *bytes, size_t n)
{
    struct fake *v = ctx;
    fake_enqueue(v, true, bytes, n);
    return v->gone ? -1 : 0;
}

/* Takes the first packet that is due out of the queue. */
static bool fake_take(struct fake *v, struct fake_packet *out)
{
    size_t first = v->packets;
    for (size_t i = 0; i < v->packets; i++) {
        const bool due = v->packet[i].due_us <= v->now_us;
        if (due && (first == v->packets || v->packet[i].due_us < v->packet[first].due_us)) {
            first = i;
        }
    }
    if (first == v->packets) {
        return false;
    }
    *out = v->packet[first];
    v->packets--;
    memmove(&v->packet[first], &v->packet[first + 1], (v->packets - first) * sizeof v->packet[0]);
    return true;
}

static int fake_link_receive(void *ctx, uint8_t *bytes, size_t cap, int64_t timeout_us)
{
    struct fake *v = ctx;
    const int64_t until_us = v->now_us + timeout_us;
    struct fake_packet p;
    while (!v->gone) {
        while (fake_take(v, &p)) {
            struct mf_frame frame;
            if (!p.to_vehicle) {
                memcpy(bytes, p.bytes, p.len < cap ? p.len : cap);
                return (int)(p.len < cap ? p.len : cap);
            }
            mf_parser_feed(&v->parser, p.bytes, p.len);
            while (mf_parser_next(&v->parser, &frame)) {
                fake_on_message(v, &frame);
            }
        }
        if (v->now_us >= until_us) {
            return 0;
        }
        v->now_us += 1000;
        fake_tick(v);
    }
    return -1;
}

static int64_t fake_link_now(void *ctx)
{
    return ((struct fake *)ctx)->now_us;
}

static const struct fly_link_ops k_fake_ops = {fake_link_send, fake_link_receive, fake_link_now};

static void fake_begin(struct fake *v, struct fly_client *c, uint64_t seed)
{
    memset(v, 0, sizeof *v);
    v->random = seed * 2654435761u + 1u;
    v->capacity = FAKE_ITEMS;
    const struct fly_link link = {.ops = &k_fake_ops, .ctx = v, .datagrams = true};
    fly_client_init(c, link, NULL, NULL);
    c->target_sysid = 1;
    c->target_compid = 1;
}

#endif
