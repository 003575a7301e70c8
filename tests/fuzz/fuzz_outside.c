/* SPDX-License-Identifier: Apache-2.0 */
/**
 * GZ-21, GZ-04, SBE-20: fuzzes what programs outside say to a run of a swarm: participants of the
 * bus and its network simulator, gzuav's subscribers and nodes, autopilots and plugins of bodies,
 * clients of flows, planners of searches. The first byte chooses the scenario. Then each byte
 * names the program that speaks and the form of what it says, the next one the length, and bytes
 * follow. A program of the bus has greeted before; a form is a type of its frames, of the tick that
 * is due.
 */
#include "fleet/bus.h"
#include "fleet/bytes.h"
#include "tests/fuzz/fuzz_swarm.h"

#define SAID_MAX 32768u
#define WHO      3u /* bits of the program */
#define PROGRAMS 4u
#define BUS      "~/bus"

/* Forms of what a program of the bus says; RAW: bytes as they are. */
static const uint8_t k_type[] = {
    0,
    MF_BUS_DONE,
    MF_BUS_ORDERS,
    MF_BUS_POSES,
    MF_BUS_PACKETS,
    MF_BUS_PATH,
    MF_BUS_HELLO,
    MF_BUS_ARRIVALS,
    MF_BUS_CLIENTS,
    MF_BUS_WRITTEN,
    MF_BUS_DETECTIONS,
};
#define TYPES      (sizeof k_type / sizeof k_type[0])
#define BOUND      0x10u /* a DONE does not end the tick */
#define DONE_BYTES 16u
#define TICK_NS    50000000u /* no longer than any tick of the scenario */

struct program {
    const char *where;
    int type;
    uint8_t role;      /* of the bus; 0: none */
    const char *first; /* bytes that it says first; NULL: none */
};

struct world {
    const char *text;
    struct program program[PROGRAMS];
};

#define ON_BUS(role)                 \
    {                                \
        BUS, SOCK_STREAM, role, NULL \
    }
#define SUBSCRIBER(p)                           \
    {                                           \
        "SWARM_GZUAV_LISTEN", SOCK_STREAM, 0, p \
    }
#define OF_RELAY                                  \
    {                                             \
        "SWARM_GZUAV_RELAY", SOCK_STREAM, 0, NULL \
    }

static const struct world k_world[] = {
    {"{swarm: 1, time: {clock: fast, end: 2}, medium: {kind: free_space, range: 100}, "
     "bus: {listen: 'unix:~/bus', tick: 0.1, controllers: 0, heard: a}, entities: ["
     "{name: g, count: 2, as: ghost, link: bus, lost_after: 1, radio: cc2420}, "
     "{name: a, as: agent, place: [0, 0, 10], radio: cc2420, "
     "send: {every: 0.5, start: 0.2, bytes: [1, 2, 3]}}, "
     "{name: v, count: 2, place: {grid: [2, 1], spacing: 20}}]}",
     {ON_BUS(MF_BUS_CONTROLLER),
      ON_BUS(MF_BUS_FEED),
      ON_BUS(MF_BUS_OBSERVER),
      {BUS, SOCK_STREAM, 0, NULL}}},
    {"{swarm: 1, time: {clock: fast, end: 1}, bus: {listen: 'unix:~/bus', tick: 1, "
     "controllers: 0}, gzuav: {listen: 0, relay: 0, tick: 0.25}, "
     "network: {kind: bus, tick: 0.1}, "
     "entities: [{name: a, count: 3, as: agent, place: {grid: [3, 1], spacing: 20}}]}",
     {ON_BUS(MF_BUS_SIMULATOR), OF_RELAY, OF_RELAY, SUBSCRIBER("")}},
    {"{swarm: 1, time: {clock: fast, end: 2}, gzuav: {listen: 0, relay: 0, info: 0, "
     "tick: 0.25}, entities: [{name: a, count: 3, as: agent, "
     "place: {grid: [3, 1], spacing: 20}}]}",
     {SUBSCRIBER(NULL), {"SWARM_GZUAV_INFO", SOCK_STREAM, 0, NULL}, OF_RELAY, OF_RELAY}},
    {"{swarm: 1, time: {clock: fast, end: 1}, entities: ["
     "{name: b, count: 2, as: body, autopilot: {ac: '~/ac', rate: 100, expect: 0}}, "
     "{name: j, as: body, "
     "autopilot: {json: ^7, expect: 0, patience: 0.001, silent: drop}}]}",
     {{"~/ac", SOCK_SEQPACKET, 0, "\1b.1"},
      {"~/ac", SOCK_SEQPACKET, 0, NULL},
      {":^7", SOCK_DGRAM, 0, NULL},
      {":^7", SOCK_DGRAM, 0, NULL}}},
    {"{swarm: 1, time: {clock: fast, end: 1}, gzuav: {listen: 0}, entities: ["
     "{name: b, as: body, autopilot: {ac: '~/ac', plugin: '~/gz', expect: 0}}]}",
     {{"~/gz", SOCK_SEQPACKET, 0,
       "\1"
       "b"},
      {"~/ac", SOCK_SEQPACKET, 0, NULL},
      {"~/gz", SOCK_SEQPACKET, 0, NULL},
      SUBSCRIBER(NULL)}},
    {"{swarm: 1, time: {step: 0.1, end: 3}, bus: {listen: 'unix:~/bus'}, "
     "space: {boundary: [[0, 0], [100, 0], [100, 100], [0, 100]], station: [0, 0, 0]}, "
     "entities: [{name: u, count: 2, as: agent, place: station, seeks: shark, "
     "camera: {fps: 5, lateral: 0.785, horizontal: 0.785}, body: {kind: thrust, mass: 2, "
     "area: 0.1, up: 40, down: 0, forward: 40, backward: 5, left: 40, right: 40}}, "
     "{name: shark, count: 2, thing: object, speed: 1, place: boundary}], "
     "plan: {kind: bus, altitude: 30, speed: 20}, detection: {model: bus}}",
     {ON_BUS(MF_BUS_CONTROLLER),
      ON_BUS(MF_BUS_FEED),
      ON_BUS(MF_BUS_OBSERVER),
      {BUS, SOCK_STREAM, 0, NULL}}},
    {"{swarm: 1, time: {clock: fast, end: 2}, links: {address: '127.200.0.1:^1', transport: "
     "vehicle}, "
     "flows: [{client: ^5, station: s, vehicle: v, via: tcp}, "
     "{client: ^4, station: s, vehicle: v, via: udp}], "
     "network: {kind: builtin, delay: 0.01}, "
     "entities: [{name: s, as: agent}, {name: v}]}",
     {{":^5", SOCK_STREAM, 0, NULL}, {":^4", SOCK_DGRAM, 0, NULL}}},
    {"{swarm: 1, time: {clock: fast, end: 1}, bus: {listen: 'unix:~/bus', tick: 1, "
     "controllers: 0}, links: {address: '127.202.0.1:^1', transport: vehicle}, "
     "network: {kind: bus, tick: 0.1}, flows: [{client: ^5, station: s, vehicle: v, via: udp}], "
     "entities: [{name: s, as: agent}, {name: v}]}",
     {ON_BUS(MF_BUS_SIMULATOR)}},
};
#define WORLDS (sizeof k_world / sizeof k_world[0])

/* Bytes of a program, and the tick that it answers next. */
struct said {
    uint8_t bytes[SAID_MAX];
    size_t n;
    uint32_t tick;
};

static struct said s_said[PROGRAMS];

static void say(struct said *s, const void *bytes, size_t n)
{
    if (n > 0 && s->n + n <= SAID_MAX) {
        memcpy(s->bytes + s->n, bytes, n);
        s->n += n;
    }
}

static void say_frame(struct said *s, uint8_t type, const uint8_t *bytes, size_t n)
{
    uint8_t head[MF_BUS_HEADER] = {MF_BUS_VERSION, type};
    (void)mf_bytes_put_u(head + 2, n, 2);
    (void)mf_bytes_put_u(head + 4, s->tick, 4);
    say(s, head, sizeof head);
    say(s, bytes, n);
}

/* DONE without bytes of the input: as a controller that wants each tick, or a simulator at the next
 * one. */
static size_t fill_done(const struct program *p, const struct said *s, uint8_t *bytes)
{
    const uint64_t until_ns = p->role == MF_BUS_SIMULATOR ? s->tick * TICK_NS : 0;
    memset(bytes, 0, DONE_BYTES);
    (void)mf_bytes_put_u(bytes, until_ns, 8);
    return DONE_BYTES;
}

/* Begin the bytes of a program with its greeting. */
static void greet(const struct program *p, struct said *s)
{
    uint8_t hello[1 + MF_BUS_NAME_MAX] = {p->role, 'p', (uint8_t)('0' + p->role)};
    s->n = 0;
    s->tick = 0;
    if (p->role != 0) {
        say_frame(s, MF_BUS_HELLO, hello, sizeof hello);
        s->tick = p->role == MF_BUS_SIMULATOR ? 0 : 1;
    } else if (p->first != NULL && p->type != SOCK_STREAM) {
        const uint8_t n = (uint8_t)(strlen(p->first) - 1u);
        say(s, &n, 1);
        say(s, p->first + 1, n);
    } else if (p->first != NULL) {
        say(s, p->first, 1);
    }
}

static void speak(const struct world *world, const uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 2u <= size;) {
        const uint32_t who = data[at] & WHO, form = data[at] >> 2;
        const size_t left = size - at - 2u, n = data[at + 1] < left ? data[at + 1] : left;
        const struct program *p = &world->program[who];
        struct said *s = &s_said[who];
        const uint8_t type = k_type[(form & 0xFu) % TYPES], length = (uint8_t)n;
        uint8_t done[DONE_BYTES];
        if (p->role != 0 && type == MF_BUS_DONE && n == 0) {
            say_frame(s, type, done, fill_done(p, s, done));
            s->tick += (form & BOUND) == 0 ? 1u : 0u;
        } else if (p->role != 0 && type != 0) {
            say_frame(s, type, data + at + 2u, n);
            s->tick += type == MF_BUS_DONE && (form & BOUND) == 0 ? 1u : 0u;
        } else {
            say(s, &length, p->type != SOCK_STREAM ? 1u : 0u);
            say(s, data + at + 2u, n);
        }
        at += 2u + n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct world *world = &k_world[data[0] % WORLDS];
    for (size_t i = 0; i < PROGRAMS; i++) {
        greet(&world->program[i], &s_said[i]);
    }
    speak(world, data + 1, size - 1u);
    (void)fuzz_swarm_begin(world->text, NULL);
    for (size_t i = 0; i < PROGRAMS; i++) {
        const struct program *p = &world->program[i];
        if (p->where != NULL) {
            fuzz_swarm_client(p->where, p->type, s_said[i].bytes, s_said[i].n);
        }
    }
    (void)fuzz_swarm_fly();
    return 0;
}
