/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what processes of one swarm say to each other. The first byte chooses: any bytes as the
 * first words of a leaf; records of a leaf as replies to a root with two vehicles, which leave only
 * states and poses within their bounds; or frames of a root to a whole leaf. A record of the input
 * is its kind, its key, its length and bytes. Kind 0 ends a frame. Times of a root go forward: a
 * leaf trusts its root to let it run for a limited time.
 */
#include "boards/swarm/hosts/hosts_internal.h"
#include "boards/swarm/hosts/hosts_share.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/hosts/leaf_internal.h"
#include "boards/swarm/links/links_internal.h"
#include "boards/swarm/minds/minds.h"
#include "firmware/flight/mode.h"
#include "fleet/hosts.h"
#include "tests/fuzz/fuzz_swarm.h"

#define FRAMES_MAX 65536u
#define RECORD     3u     /* bytes before a record's own */
#define RUN_US     100000 /* longest advance by a record */
#define VEHICLES   3u
#define ORDERS     4u
#define TOKEN      "secret"

static const char k_text[] =
    "{swarm: 1, time: {clock: fast, end: 5}, hosts: {listen: 0, leaves: 1}, "
    "links: {address: '127.211.0.0:^1', transport: vehicle}, "
    "entities: [{name: v, count: 2, place: {grid: [2, 1], spacing: 20}}, "
    "{name: f, place: [0, 40, 0], behaviour: {kind: flock, height: 10}}]}";

/* ---- a leaf's first words */

static void greet(const uint8_t *data, size_t size)
{
    static const struct mf_door_ops k_ops = {.print = swarm_branches_print};
    static struct swarm_branches s_branches;
    struct swarm_branch branch;
    volatile int stop = 0;
    int pair[2];
    fuzz_swarm_prepare();
    s_branches = (struct swarm_branches){
        .listener = -1, .token = TOKEN, .program = 0, .stop = &stop, .places = size % 64u};
    mf_door_open(&s_branches.door, -1, &k_ops, &s_branches);
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    (void)send(pair[1], data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(pair[1], SHUT_WR);
    check(swarm_branches_hello_length(data, size) > 0);
    if (swarm_branches_greet(&s_branches, pair[0], &branch)) {
        check(s_branches.refused == 0 && branch.places + branch.way > 0);
        check(s_branches.places + branch.places <= MF_SCENARIO_LEAVES_MAX);
        (void)close(pair[0]);
    } else {
        check(s_branches.refused == 1);
    }
    (void)close(pair[1]);
}

/* ---- a root */

static void check_vehicles(const struct swarm_hosts *h)
{
    for (uint32_t i = 0; i < VEHICLES; i++) {
        const struct far_vehicle *v = &h->vehicle[i];
        check(v->state.mode < MF_MODE_COUNT && v->state.at_us != MF_NEVER);
        check(isfinite(v->pose.lat_deg) && isfinite(v->pose.alt_amsl_m));
        check(isfinite(v->pose.yaw_rad) && isfinite(v->charge));
    }
}

/* Apply a frame of records, as the reply of the only branch. */
static void reply(struct swarm *w, uint8_t *bytes, size_t n)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    h->reply[0].bytes = bytes;
    h->reply[0].head = (struct mf_hosts_head){MF_HOSTS_REPLY, n, h->phase};
    swarm_hosts_apply_replies(w);
    check_vehicles(h);
    check(h->kept.count <= n / MF_HOSTS_RECORD && h->losses <= 1u);
    check(memchr(w->error, '\0', sizeof w->error) != NULL);
}

static void root(const uint8_t *data, size_t size)
{
    static const struct swarm_system *const k_none[] = {NULL};
    static struct swarm_hosts s_hosts;
    static struct far_vehicle s_vehicle[VEHICLES];
    static uint16_t s_place[VEHICLES];
    static struct mf_queued_order s_order[ORDERS];
    static struct mf_flock_member s_flock[2];
    struct mf_order_queue orders = {.order = s_order, .count = ORDERS};
    struct mf_hosts_writer out = {.bytes = NULL};
    struct swarm *w = fuzz_swarm_begin(k_text, NULL);
    w->systems = k_none;
    memset(&s_hosts, 0, sizeof s_hosts);
    memset(s_vehicle, 0, sizeof s_vehicle);
    s_hosts.down = (struct swarm_branches){.swarm = w, .places = 2, .count = 1};
    s_hosts.down.branch[0] = (struct swarm_branch){.fd = -1, .places = 2};
    s_hosts.place = s_place;
    s_hosts.vehicle = s_vehicle;
    s_hosts.orders = &orders;
    s_hosts.flock = s_flock;
    s_hosts.flock_count = 2;
    w->state[SWARM_SLOT_HOSTS] = &s_hosts;
    swarm_wire_reserve(&out, FRAMES_MAX);
    mf_hosts_begin(&out, MF_HOSTS_REPLY, 0);
    for (size_t at = 0; at + RECORD <= size;) {
        const size_t left = size - at - RECORD, n = data[at + 2] < left ? data[at + 2] : left;
        const uint8_t kind = data[at] % MF_HOSTS_KINDS;
        if (kind == MF_HOSTS_NONE_ || out.n + n + MF_HOSTS_ROOM > FRAMES_MAX) {
            mf_hosts_finish(&out);
            reply(w, out.bytes + MF_HOSTS_HEADER, out.n - MF_HOSTS_HEADER);
            mf_hosts_begin(&out, MF_HOSTS_REPLY, 0);
        } else {
            mf_hosts_put(&out, (enum mf_hosts_kind)kind, data[at + 1]);
            mf_hosts_put_raw(&out, data + at + RECORD, n);
        }
        at += RECORD + n;
    }
    mf_hosts_finish(&out);
    reply(w, out.bytes + MF_HOSTS_HEADER, out.n - MF_HOSTS_HEADER);
    free(s_hosts.kept.at);
    free(out.bytes);
    fuzz_swarm_end();
}

/* ---- a leaf */

/* The scenario is not the root's: it could name programs. */
static int read_scenario(struct swarm *w, const struct swarm_command *c)
{
    char text[FUZZ_TEXT];
    (void)fuzz_fill(k_text, text);
    return swarm_read_text(w, c, text, strlen(text));
}

/* True if a record begins with a time. */
static bool is_timed(uint8_t kind)
{
    return kind == MF_HOSTS_RUN_ || kind == MF_HOSTS_LOOK_ || kind == MF_HOSTS_START_ ||
           kind == MF_HOSTS_ORDERS_ || kind == MF_HOSTS_SEE_ || kind == MF_HOSTS_MOVE_;
}

static void put_record(struct mf_hosts_writer *out, uint8_t kind, uint32_t key,
                       const uint8_t *bytes, size_t n, mf_us_t *at_us)
{
    mf_hosts_put(out, (enum mf_hosts_kind)kind, key);
    if (is_timed(kind) && n > 0) {
        *at_us += bytes[0] * (RUN_US / 255);
        mf_hosts_put_u(out, (uint64_t)*at_us, 8);
        if (kind == MF_HOSTS_RUN_) {
            const mf_us_t look_us = n % 2u == 0 ? MF_NEVER : *at_us + 1;
            mf_hosts_put_u(out, (uint64_t)look_us, 8);
        } else {
            mf_hosts_put_raw(out, bytes + 1, n - 1u);
        }
    } else {
        mf_hosts_put_raw(out, bytes, n);
    }
}

/* WELCOME, the scenario and the boot of all vehicles, as a root says them. */
static void put_boot(struct mf_hosts_writer *out)
{
    mf_hosts_put(out, MF_HOSTS_SCENARIO_, 0);
    mf_hosts_put_raw(out, "fuzz.yaml", 9);
    mf_hosts_put(out, MF_HOSTS_PLACES_, 0);
    mf_hosts_put_raw(out, "\0\0\0\0\0\0", 2u * VEHICLES);
    mf_hosts_put(out, MF_HOSTS_BOOT_, 0);
}

static uint8_t s_frames[FRAMES_MAX]; /* of the root */

static size_t make_frames(const uint8_t *data, size_t size, bool boots)
{
    mf_us_t at_us = 0;
    uint64_t phase = 0;
    struct mf_hosts_writer out = {.bytes = s_frames, .size = FRAMES_MAX};
    mf_hosts_begin(&out, MF_HOSTS_WELCOME, 0);
    mf_hosts_put(&out, MF_HOSTS_NUMBER_, 0);
    mf_hosts_put_u(&out, 0, 2);
    mf_hosts_finish(&out);
    size_t all = out.n;
    out = (struct mf_hosts_writer){.bytes = s_frames + all, .size = FRAMES_MAX - all};
    mf_hosts_begin(&out, MF_HOSTS_PHASE, phase++);
    if (boots) {
        put_boot(&out);
    }
    for (size_t at = 0; at + RECORD <= size && all + out.n + 2u * MF_HOSTS_ROOM < FRAMES_MAX;) {
        const size_t left = size - at - RECORD, n = data[at + 2] < left ? data[at + 2] : left;
        const uint8_t kind = data[at] % MF_HOSTS_KINDS;
        if (kind == MF_HOSTS_NONE_) {
            mf_hosts_finish(&out);
            all += out.n;
            out = (struct mf_hosts_writer){.bytes = s_frames + all, .size = FRAMES_MAX - all};
            mf_hosts_begin(&out, MF_HOSTS_PHASE, phase++);
        } else {
            put_record(&out, kind, data[at + 1], data + at + RECORD, n, &at_us);
        }
        at += RECORD + n;
    }
    mf_hosts_finish(&out);
    return all + out.n;
}

/* A leaf's memory lasts until its process ends. */
static void free_leaf(struct swarm_leaf *l, struct swarm_links *links)
{
    if (links != NULL) {
        free(links->shared);
        free(links->peer);
        links->shared = NULL;
        links->peer = NULL;
    }
    swarm_systems_close(l->w, SWARM_OK);
    free(l->here);
    free(l->own);
    free(l->link);
    mf_order_queue_free(&l->orders);
    free(l->in.bytes);
    free(l->out.bytes);
    free(l);
}

static void leaf(const uint8_t *data, size_t size, bool boots)
{
    static char s_join[] = "127.0.0.1:9", s_token[] = TOKEN;
    char number[16];
    int pair[2];
    const size_t n = make_frames(data, size, boots);
    struct swarm *w = fuzz_swarm_blank();
    w->systems = swarm_leaf_systems;
    s_swarm.command.join = s_join;
    s_swarm.command.token = s_token;
    s_swarm.command.name = "leaf";
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    check(send(pair[1], s_frames, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n);
    (void)shutdown(pair[1], SHUT_WR);
    (void)snprintf(number, sizeof number, "%d", pair[0]);
    check(setenv(SWARM_HOSTS_SOCKET, number, 1) == 0);
    const int result = swarm_leaf(w, &s_swarm.command, &s_swarm.stop, read_scenario);
    check(result == SWARM_OK || w->error[0] != '\0');
    check(w->members.crowd == NULL || swarm_count_frozen(w) == 0);
    free_leaf(swarm_leaf_of(w), swarm_links_of(w));
    mf_workers_stop(&w->workers);
    (void)close(pair[1]);
    fuzz_swarm_end();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    switch (data[0] % 4u) {
    case 0:
        greet(data + 1, size - 1u);
        break;
    case 1:
        root(data + 1, size - 1u);
        break;
    default:
        leaf(data + 1, size - 1u, data[0] % 4u == 2u);
        break;
    }
    return 0;
}
