/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes those who watch a run of a swarm and give it orders: requests of the control API, frames
 * of browsers, and lines of the console, to a swarm, a world of cells and a search. The first byte
 * chooses the world. Then come pieces: who speaks, the length, and bytes. A piece of the API is the
 * request as it is, or the number of a route, the number of a member, and what follows the path, up
 * to a line feed; then the body. Inputs that could start a command of the shell are left out.
 */
#include "boards/swarm/core/routes.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/page/page_steps.h"
#include "boards/swarm/page/page_world.h"
#include "fleet/bus.h"
#include "tests/fuzz/fuzz_swarm.h"

#define SAID_MAX   65536u
#define FRAMES_MAX 64u
#define ROUTES_MAX 64u
#define PIECE_US   100000 /* time between two looks at requests */
#define RUN_S      2.0    /* longest run [s of the wall] */

enum speaker { REQUEST, ROUTE, FRAME, LINE, SPEAKERS };

static const char *const k_text[] = {
    "{swarm: 1, time: {clock: fast, end: 3}, medium: {kind: free_space, range: 100}, "
    "links: {api: '127.0.0.1:^8', address: '127.210.0.0:^1', window: {port: ^6}}, entities: ["
    "{name: v, count: 2, place: {grid: [2, 1], spacing: 20}}, "
    "{name: walker, count: 2, as: agent, place: {cube: [0, 20]}, start: 0, radio: cc2420, "
    "send: {every: 1, bytes: [1]}, sensors: [{kind: range, rate: 1, reach: 50}], "
    "behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}, "
    "{name: rock, thing: object, place: [5, 5, 0]}]}",
    "{swarm: 1, time: {clock: fast, tick: 1, end: 20}, links: {api: '127.0.0.1:^8'}, "
    "space: {cells: {size: [8, 8, 1], metres: 10}, attributes: [[1, 2, package, 1]]}, entities: ["
    "{name: charger, thing: charger, rate: 100, place: {list: [[0, 3]]}}, "
    "{name: drone, count: 2, as: agent, body: {kind: cell, speed: 1}, "
    "place: {list: [[0, 2], [0, 4]]}, battery: {mah: 2500, move: 10, charge_below: 0.2}, "
    "actuators: [{attr: package, mode: GRAB, direction: NONE, range: 0}]}], "
    "controllers: [{id: 0, scheduler: {kind: queue, from: here, go_home: when_idle}, "
    "trust: {alpha: 1, beta: 0}, tasks: [{carry: 1, to: [6, 5]}]}]}",
    "{swarm: 1, time: {step: 0.5, end: 10}, links: {api: '127.0.0.1:^8'}, "
    "space: {boundary: [[0, 0], [100, 0], [100, 100], [0, 100]], station: [0, 0, 0]}, "
    "entities: [{name: u, count: 2, as: agent, place: station, seeks: shark, "
    "camera: {fps: 2, lateral: 0.785, horizontal: 0.785}, body: {kind: thrust, mass: 2, "
    "area: 0.1, up: 40, down: 0, forward: 40, backward: 5, left: 40, right: 40}}, "
    "{name: shark, count: 2, thing: object, speed: 1, place: boundary}], "
    "plan: {kind: bcd, altitude: 30, speed: 20}, detection: {model: uavsim, balance: 30}}",
};
#define TEXTS (sizeof k_text / sizeof k_text[0])

static const struct swarm_page_ops *const k_page[TEXTS] = {
    &swarm_page_world_ops, &swarm_page_grid_ops, &swarm_page_search_ops};

static uint8_t s_said[SAID_MAX]; /* requests */
static size_t s_n;
static char s_lines[SAID_MAX];
static size_t s_lines_n;
static struct mf_bus_frame s_frame[FRAMES_MAX];
static size_t s_frames, s_obeyed;
static const struct swarm_page_ops *s_page;

static void say(const void *bytes, size_t n)
{
    if (n > 0 && s_n + n <= sizeof s_said) {
        memcpy(s_said + s_n, bytes, n);
        s_n += n;
    }
}

/* A request to a route of the run. */
static void say_request(const struct swarm *w, const uint8_t *at, size_t n)
{
    struct mf_api_route route[ROUTES_MAX];
    const size_t count = swarm_routes_collect(w, route, ROUTES_MAX);
    char head[512];
    if (n < 2 || count == 0) {
        return;
    }
    const struct mf_api_route *r = &route[at[0] % count];
    const uint8_t *end = memchr(at + 2, '\n', n - 2u);
    const size_t more = end != NULL ? (size_t)(end - at) - 2u : n - 2u;
    const size_t body = end != NULL ? n - more - 3u : 0;
    const bool of_member = at[1] != 0 && strncmp(r->path, "/v1/", 4) == 0;
    const size_t path = strcspn(r->path, "{");
    char member[32] = "";
    if (of_member) {
        (void)snprintf(member, sizeof member, "/v1/vehicles/%u", at[1]);
    }
    const size_t skipped = of_member ? 3u : 0;
    const int length =
        snprintf(head, sizeof head,
                 "%s %s%.*s%.*s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                 "Content-Length: %zu\r\n\r\n",
                 r->method, member, (int)(path - skipped), r->path + skipped,
                 (int)(more < 200 ? more : 200), (const char *)at + 2, body);
    say(head, (size_t)length < sizeof head ? (size_t)length : sizeof head - 1u);
    say(end != NULL ? end + 1 : at, body);
}

static void say_line(const uint8_t *at, size_t n)
{
    if (s_lines_n + n + 1u <= sizeof s_lines) {
        memcpy(s_lines + s_lines_n, at, n);
        s_lines_n += n;
        s_lines[s_lines_n++] = '\n';
    }
}

/* A frame of a browser: its type and its payload. */
static void say_frame(const uint8_t *at, size_t n)
{
    static const uint8_t k_type[] = {MF_BUS_ORDERS, MF_BUS_CLOCK, MF_BUS_TASK};
    if (n > 0 && s_frames < FRAMES_MAX) {
        s_frame[s_frames++] = (struct mf_bus_frame){
            .type = k_type[at[0] % sizeof k_type], .payload = at + 1, .n = n - 1u};
    }
}

static void obey_frames(struct swarm *w)
{
    if (s_obeyed < s_frames && w->now_us > 0) {
        (void)s_page->obey(w, &s_frame[s_obeyed++]);
    }
}

static void speak(const struct swarm *w, const uint8_t *data, size_t size)
{
    s_n = s_lines_n = s_frames = s_obeyed = 0;
    for (size_t at = 0; at + 2u <= size;) {
        const size_t left = size - at - 2u, n = data[at + 1] < left ? data[at + 1] : left;
        const uint8_t *bytes = data + at + 2u;
        switch ((enum speaker)(data[at] % SPEAKERS)) {
        case REQUEST:
            say(bytes, n);
            break;
        case ROUTE:
            say_request(w, bytes, n);
            break;
        case FRAME:
            say_frame(bytes, n);
            break;
        case LINE:
        case SPEAKERS:
        default:
            say_line(bytes, n);
            break;
        }
        at += 2u + n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || memmem(data, size, "run", 3) != NULL) {
        return 0;
    }
    const size_t world = data[0] % TEXTS;
    struct swarm *w = fuzz_swarm_begin(k_text[world], NULL);
    speak(w, data + 1, size - 1u);
    check(memmem(s_lines, s_lines_n, "run", 3) == NULL);
    fuzz_stdin(s_lines, s_lines_n); /* the console reads it */
    s_page = k_page[world];
    s_swarm.look = s_frames > 0 && world != 1 ? obey_frames : NULL;
    s_swarm.piece_us = world == 0 ? PIECE_US : 0; /* worlds of steps have pieces of their own */
    s_swarm.until_s = swarm_wall_s() + RUN_S;
    s_swarm.command.steps = world > 0 && s_lines_n > 0;
    if (s_n > 0) {
        fuzz_swarm_client(":^8", SOCK_STREAM, s_said, s_n);
    }
    (void)fuzz_swarm_fly();
    return 0;
}
