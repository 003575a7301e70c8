/* SPDX-License-Identifier: Apache-2.0 */
/* A leaf: joins a root or a leaf above, carries out the commands of frames on its vehicles, and
 * passes frames on to leaves below. main.c calls swarm_leaf() with --join. */
#include "boards/swarm/hosts/leaf.h"

#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/listener.h"
#include "boards/swarm/hosts/branches.h"
#include "boards/swarm/hosts/hosts_share.h"
#include "boards/swarm/hosts/hosts_state.h"
#include "boards/swarm/hosts/leaf_internal.h"
#include "boards/swarm/hosts/relay.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/charge.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/orders.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/processes/processes.h"
#include "hal-posix/net.h"
#include "mavlink/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define JOIN_S   30.0 /* longest wait for the root to listen [s] */
#define AGAIN_MS 100

/* ---- the scenario */

static void store_file(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    const char *name = (const char *)r->at;
    const size_t n = strnlen(name, r->n);
    if (n < r->n && !swarm_file_set_bytes(l->w, name, r->at + n + 1u, r->n - n - 1u)) {
        (void)swarm_refuse(l->w, 1, "no memory for %.100s", name);
    }
}

static void set_scenario(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    mf_hosts_text(r, l->file, sizeof l->file);
    l->c->file = l->file;
    (void)snprintf(l->w->file, sizeof l->w->file, "%s", l->file);
}

static void set_variation(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    mf_hosts_text(r, l->variation, sizeof l->variation);
    l->c->given.variation = l->variation;
}

static void add_set(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    if (l->c->given.sets < SWARM_SETS_MAX) {
        char *set = l->set[l->c->given.sets];
        mf_hosts_text(r, set, sizeof l->set[0]);
        l->c->set[l->c->given.sets++] = set;
    }
}

static void set_places(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    if (l->w->scenario != NULL || l->file[0] == '\0' || l->read(l->w, l->c) != SWARM_OK) {
        return;
    }
    const uint32_t members = l->w->scenario->members;
    l->here = calloc(members, 1);
    l->own = calloc(members, sizeof l->own[0]);
    if (l->here == NULL || l->own == NULL || !mf_order_queue_init(&l->orders)) {
        (void)swarm_refuse(l->w, 1, "hosts: no memory");
        return;
    }
    for (uint32_t i = 0; i < members; i++) {
        if (mf_hosts_u(r, 2) == l->place && !r->lacks && swarm_is_vehicle(l->w, i)) {
            l->here[i] = 1;
            l->own[l->owns++] = i;
        }
    }
    l->w->members.here = l->here;
}

/* Check the processes of the scenario that run here, and listen for their connections to the root.
 */
static void set_processes(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    struct swarm *w = l->w;
    uint32_t mine = 0;
    for (uint32_t k = 0;
         w->members.here != NULL && k < w->scenario->processes && w->error[0] == '\0'; k++) {
        if (mf_hosts_u(r, 2) == l->place && !r->lacks) {
            l->runs[k] = swarm_process_check(w, k) == SWARM_OK;
            mine++;
        }
    }
    if (mine > 0 && w->error[0] == '\0') {
        (void)swarm_relay_listen(w);
    }
}

static void report_poses(struct swarm_leaf *l, mf_us_t at_us)
{
    for (uint32_t k = 0; k < l->owns; k++) {
        const uint32_t i = l->own[k];
        const struct mf_crowd_state state = mf_crowd_state(l->w->members.crowd, i);
        const struct mf_pose pose = mf_crowd_pose(l->w->members.crowd, i, at_us);
        const float charge = swarm_crowd_charge(l->w->members.crowd, i, at_us);
        struct mf_hosts_writer *out = swarm_leaf_put(l, MF_HOSTS_LOOKED_, i, 0);
        swarm_put_state(out, &state);
        swarm_put_pose(out, &pose);
        mf_hosts_put_raw(out, &charge, sizeof charge);
    }
}

static void boot_vehicles(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    struct swarm *w = l->w;
    (void)r;
    if (w->members.here == NULL || l->booted || w->error[0] != '\0') {
        return;
    }
    int result =
        mf_workers_start(&w->workers, l->c->threads) == MF_E_OK
            ? SWARM_OK
            : swarm_refuse(w, 1, "--threads %u: cannot start so many threads", l->c->threads);
    result = result == SWARM_OK ? swarm_leaf_make_links(l) : result;
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_PREPARE) : result;
    result = result == SWARM_OK ? swarm_boot(w) : result;
    l->booted = result == SWARM_OK;
    if (l->booted) {
        report_poses(l, 0);
    }
}

/* ---- commands; their times are not before the present */

static mf_us_t read_time(const struct swarm_leaf *l, struct mf_hosts_record *r)
{
    const mf_us_t at_us = mf_hosts_time(r), now_us = l->w->now_us;
    const mf_us_t least_us = l->acted_us > now_us ? l->acted_us : now_us;
    return at_us > least_us ? at_us : least_us;
}

static void run_vehicles(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    const mf_us_t until_us = read_time(l, r);
    const mf_us_t look_us = mf_hosts_time(r);
    mf_crowd_run(l->w->members.crowd, &l->w->workers, until_us);
    l->w->now_us = until_us;
    if (look_us >= until_us && look_us != MF_NEVER) {
        report_poses(l, look_us);
    }
}

static void report_poses_at(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    report_poses(l, read_time(l, r));
}

/* Run vehicles to just before an instant at which a command acts on them. @return the instant */
static mf_us_t run_to_before(struct swarm_leaf *l, mf_us_t at_us)
{
    if (at_us > l->w->now_us + 1) {
        mf_crowd_run(l->w->members.crowd, &l->w->workers, at_us - 1);
        l->w->now_us = at_us - 1;
    }
    l->acted_us = at_us;
    return at_us;
}

static void start_missions(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    const mf_us_t at_us = run_to_before(l, read_time(l, r));
    const uint32_t from = (uint32_t)mf_hosts_u(r, 4), to = (uint32_t)mf_hosts_u(r, 4);
    if (from <= to && to <= swarm_vehicles_top(l->w->scenario)) {
        swarm_start_members(l->w, from, to, at_us);
    }
}

static void queue_order(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    if (l->orders.count == MF_ORDER_QUEUE_MAX || r->key >= l->w->scenario->members) {
        return;
    }
    struct mf_queued_order *o = &l->orders.order[l->orders.count++];
    *o = (struct mf_queued_order){.member = r->key};
    o->sequence = (uint32_t)mf_hosts_u(r, 4);
    o->msgid = (uint32_t)mf_hosts_u(r, 4);
    o->error = (int32_t)(uint32_t)mf_hosts_u(r, 4);
    mf_hosts_raw(r, &o->msg, sizeof o->msg);
    l->orders.count -= r->lacks ? 1u : 0u;
}

static void give_queued_orders(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    swarm_orders_give(l->w, &l->orders, run_to_before(l, read_time(l, r)));
    for (uint32_t k = 0; k < l->orders.count; k++) {
        const struct mf_queued_order *o = &l->orders.order[k];
        if (l->here[o->member]) {
            struct mf_hosts_writer *out = swarm_leaf_put(l, MF_HOSTS_ANSWER_, o->sequence, 0);
            mf_hosts_put_u(out, (uint32_t)o->error, 4);
            mf_hosts_put_u(out, o->result, 1);
        }
    }
    l->orders.count = 0;
}

static void report_flock(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    uint32_t count, number;
    struct mf_flock_member *member = swarm_flock_members(l->w, &count);
    swarm_flock_observe(l->w, run_to_before(l, read_time(l, r)));
    for (uint32_t k = 0; k < l->owns && member != NULL; k++) {
        if (swarm_flock_number_of(l->w, l->own[k], &number)) {
            swarm_put_flock_member(swarm_leaf_put(l, MF_HOSTS_FLOCK_MEMBER_, number, 0),
                                   &member[number]);
        }
    }
}

static void store_flock(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    uint32_t count;
    struct mf_flock_member *member = swarm_flock_members(l->w, &count);
    for (uint32_t k = 0; member != NULL && k < count && k < r->key; k++) {
        member[k] = swarm_read_flock_member(r);
    }
}

static void move_flock(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    uint32_t count;
    if (swarm_flock_members(l->w, &count) != NULL) {
        swarm_flock_move(l->w, run_to_before(l, read_time(l, r)));
    }
}

static void put_error(struct swarm_leaf *l)
{
    swarm_wire_put_text(&l->out, MF_HOSTS_TEXT_, l->place, l->w->error);
}

static void start_process(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    if (r->key < l->w->scenario->processes && l->runs[r->key] &&
        swarm_process_start(l->w, r->key) != SWARM_OK) {
        put_error(l);
    }
}

static void report_exit(struct swarm *w, uint32_t k, const struct swarm_process_exit *how)
{
    struct mf_hosts_writer *out = swarm_leaf_put(swarm_leaf_of(w), MF_HOSTS_EXIT_, k, 0);
    mf_hosts_put_u(out, (uint32_t)how->code, 4);
    mf_hosts_put_u(out, how->by_itself ? 1 : 0, 1);
    mf_hosts_put_u(out, (uint64_t)(how->wall_s * 1e6), 8);
}

static void end_vehicles(struct swarm_leaf *l, struct mf_hosts_record *r)
{
    swarm_processes_stop(l->w, report_exit);
    (void)r;
    for (uint32_t k = 0; k < l->owns; k++) {
        const struct mf_crowd_trail trail = mf_crowd_trail(l->w->members.crowd, l->own[k]);
        const struct mf_crowd_state state = mf_crowd_state(l->w->members.crowd, l->own[k]);
        struct mf_hosts_writer *out = swarm_leaf_put(l, MF_HOSTS_TRAIL_, l->own[k], 0);
        swarm_put_state(out, &state);
        mf_hosts_put_u(out, trail.done, 8);
        for (size_t i = 0; i < 3u; i++) {
            mf_hosts_put_u(out, trail.place[i], 8);
        }
    }
    l->ended = true;
}

static const struct {
    bool early; /* valid also before the boot */
    void (*run)(struct swarm_leaf *l, struct mf_hosts_record *r);
} k_do[MF_HOSTS_KINDS] = {
    [MF_HOSTS_FILE_] = {true, store_file},
    [MF_HOSTS_SCENARIO_] = {true, set_scenario},
    [MF_HOSTS_VARIATION_] = {true, set_variation},
    [MF_HOSTS_SET_] = {true, add_set},
    [MF_HOSTS_PLACES_] = {true, set_places},
    [MF_HOSTS_PROCESSES_] = {true, set_processes},
    [MF_HOSTS_BOOT_] = {true, boot_vehicles},
    [MF_HOSTS_RUN_] = {false, run_vehicles},
    [MF_HOSTS_LOOK_] = {false, report_poses_at},
    [MF_HOSTS_START_] = {false, start_missions},
    [MF_HOSTS_ORDER_] = {false, queue_order},
    [MF_HOSTS_ORDERS_] = {false, give_queued_orders},
    [MF_HOSTS_SEE_] = {false, report_flock},
    [MF_HOSTS_FLOCK_] = {false, store_flock},
    [MF_HOSTS_MOVE_] = {false, move_flock},
    [MF_HOSTS_OPEN_] = {false, swarm_leaf_open_link},
    [MF_HOSTS_CLOSE_] = {false, swarm_leaf_close_link},
    [MF_HOSTS_BYTES_] = {false, swarm_leaf_pass_bytes},
    [MF_HOSTS_PROCESS_] = {false, start_process},
    [MF_HOSTS_END_] = {false, end_vehicles},
};

static void put_sum(struct swarm_leaf *l)
{
    const struct mf_crowd *crowd = l->w->members.crowd;
    if (!l->booted) {
        if (l->w->error[0] != '\0') {
            put_error(l);
        }
        return;
    }
    const struct swarm_sum sum = {.next_us = mf_crowd_next(crowd),
                                  .idle = mf_crowd_is_idle(crowd),
                                  .steps = mf_crowd_steps(crowd),
                                  .refused = swarm_count_refused(l->w),
                                  .frozen = mf_crowd_frozen(crowd),
                                  .armed = mf_crowd_armed(crowd),
                                  .up = mf_crowd_up(crowd)};
    swarm_put_sum(swarm_leaf_put(l, MF_HOSTS_SUM_, 0, 0), &sum);
}

/* ---- replies of leaves below, which go up within its own */

static void add_reply(struct swarm_leaf *l, const struct swarm_frame *f, struct swarm_sum *sum)
{
    struct mf_hosts_record r;
    size_t at = 0;
    bool bad = false;
    while (mf_hosts_next(f->bytes, f->head.n, &at, &r, &bad)) {
        if (r.kind == MF_HOSTS_SUM_) {
            const struct swarm_sum one = swarm_read_sum(&r);
            if (!r.lacks) {
                swarm_sum_add(sum, &one);
            }
        } else {
            mf_hosts_put_raw(swarm_leaf_put(l, r.kind, r.key, r.n), r.at, r.n);
        }
    }
}

static void lose_branch(struct swarm_leaf *l, uint32_t k)
{
    struct swarm_branch *b = &l->down.branch[k];
    swarm_branch_mark_lost(b);
    for (uint32_t p = b->first; p < b->first + b->places; p++) {
        (void)swarm_leaf_put(l, MF_HOSTS_LOST_, p, 0);
    }
}

static void receive_below(struct swarm_leaf *l)
{
    struct swarm_sum sum = {.next_us = MF_NEVER, .idle = true};
    for (uint32_t k = 0; k < l->down.count; k++) {
        const char *why;
        struct swarm_frame *f = &l->below[k];
        if (l->down.branch[k].fd < 0) {
            continue;
        }
        const enum swarm_wire came = swarm_wire_receive(l->down.branch[k].fd, MF_HOSTS_PHASE_MAX,
                                                        0.0, l->down.stop, f, &why);
        if (came == SWARM_WIRE_OK && f->head.type == MF_HOSTS_REPLY &&
            f->head.phase == l->in.head.phase) {
            add_reply(l, f, &sum);
        } else {
            lose_branch(l, k);
        }
    }
    if (l->down.count > 0) {
        swarm_put_sum(swarm_leaf_put(l, MF_HOSTS_SUM_, 0, 0), &sum);
    }
}

/* ---- a phase */

static void send_below(struct swarm_leaf *l)
{
    struct mf_hosts_writer again = {.bytes = NULL};
    if (l->down.count == 0) {
        return;
    }
    swarm_wire_reserve(&again, l->in.head.n + MF_HOSTS_HEADER);
    mf_hosts_begin(&again, MF_HOSTS_PHASE, l->in.head.phase);
    mf_hosts_put_raw(&again, l->in.bytes, l->in.head.n);
    mf_hosts_finish(&again);
    swarm_branches_send(&l->down, again.bytes, again.n);
    free(again.bytes);
}

/* Carry out a frame, and reply. @return false: the frame is malformed, or the process above is gone
 */
static bool serve_phase(struct swarm_leaf *l)
{
    struct mf_hosts_record r;
    size_t at = 0;
    bool bad = l->in.head.type != MF_HOSTS_PHASE;
    send_below(l);
    swarm_wire_reserve(&l->out, 0);
    mf_hosts_begin(&l->out, MF_HOSTS_REPLY, l->in.head.phase);
    while (!bad && mf_hosts_next(l->in.bytes, l->in.head.n, &at, &r, &bad)) {
        if (k_do[r.kind].run != NULL && (k_do[r.kind].early || (l->booted && !l->ended))) {
            k_do[r.kind].run(l, &r);
        }
    }
    if (l->booted) {
        swarm_leaf_flush_links(l);
    }
    put_sum(l);
    receive_below(l);
    mf_hosts_finish(&l->out);
    return !bad && swarm_wire_send(l->fd, l->out.bytes, l->out.n);
}

/* ---- joining */

static int join_error(struct swarm_leaf *l, const char *why)
{
    (void)snprintf(l->w->error, sizeof l->w->error, "--join %.200s: %.200s", l->c->join, why);
    return SWARM_INPUT;
}

static int connect_above(struct swarm_leaf *l)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const char *given = getenv(SWARM_HOSTS_SOCKET);
    const double until_s = swarm_wall_s() + JOIN_S;
    if (mf_endpoint_parse(&ep, MF_PORT_TCP_CLIENT, l->c->join, reason) != MF_E_OK ||
        mf_endpoint_resolve(&ep, reason) != MF_E_OK) {
        return join_error(l, reason);
    }
    l->up = ep.addr;
    if (given != NULL) {
        l->fd = (int)strtol(given, NULL, 10);
        return fcntl(l->fd, F_SETFD, FD_CLOEXEC) == 0 && unsetenv(SWARM_HOSTS_SOCKET) == 0
                   ? SWARM_OK
                   : SWARM_INPUT;
    }
    while (!*l->down.stop) {
        l->fd = socket(ep.addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (l->fd >= 0 && connect(l->fd, &ep.addr.any, ep.addr.len) == 0) {
            swarm_wire_prepare(l->fd);
            return SWARM_OK;
        }
        const int why = errno;
        (void)close(l->fd);
        l->fd = -1;
        if (swarm_wall_s() > until_s) {
            return join_error(l, strerror(why));
        }
        (void)poll(NULL, 0, AGAIN_MS);
    }
    return SWARM_SIGNAL;
}

static bool send_hello(struct swarm_leaf *l)
{
    swarm_wire_reserve(&l->out, 0);
    mf_hosts_begin(&l->out, MF_HOSTS_HELLO, 0);
    swarm_wire_put_text(&l->out, MF_HOSTS_TOKEN_, 0, l->c->token);
    mf_hosts_put_u(swarm_leaf_put(l, MF_HOSTS_PROGRAM_, 0, 0), swarm_program_sum(), 8);
    swarm_wire_put_text(&l->out, MF_HOSTS_NAME_, 0, l->c->name);
    for (uint32_t p = 0; p < l->down.places; p++) {
        swarm_wire_put_text(&l->out, MF_HOSTS_NAME_, 0, l->down.name[p]);
    }
    mf_hosts_finish(&l->out);
    return swarm_wire_send(l->fd, l->out.bytes, l->out.n);
}

/* Read the answer to HELLO. @return SWARM_OK: the process above has accepted this leaf */
static int receive_welcome(struct swarm_leaf *l)
{
    const char *why = NULL;
    struct mf_hosts_record r = {.n = 0};
    size_t at = 0;
    bool bad = false;
    const enum swarm_wire came =
        swarm_wire_receive(l->fd, MF_HOSTS_HELLO_MAX, 0.0, l->down.stop, &l->in, &why);
    if (came == SWARM_WIRE_STOPPED) {
        return SWARM_SIGNAL;
    }
    if (came != SWARM_WIRE_OK || !mf_hosts_next(l->in.bytes, l->in.head.n, &at, &r, &bad)) {
        return join_error(l, why != NULL ? why : "the root has disconnected");
    }
    if (l->in.head.type == MF_HOSTS_REFUSED) {
        char text[160] = "it is refused, since it ";
        const size_t n = strlen(text);
        mf_hosts_text(&r, text + n, sizeof text - n);
        return join_error(l, text);
    }
    l->place = (uint32_t)mf_hosts_u(&r, 2);
    return l->in.head.type == MF_HOSTS_WELCOME && !r.lacks
               ? SWARM_OK
               : join_error(l, "its answer is not WELCOME: it is not a swarm's root");
}

static int join_above(struct swarm_leaf *l)
{
    const struct swarm_listener where = {
        .key = "hosts.listen",
        .line = 0,
        .where = l->c->listen,
        .unsafe =
            l->c->token[0] != '\0' ? NULL : "other machines reach this address: give --token"};
    if (l->c->listen != NULL) {
        l->below = calloc(MF_SCENARIO_LEAVES_MAX, sizeof *l->below);
        if (l->below == NULL || swarm_branches_open(l->w, &l->down, &where) != SWARM_OK) {
            return SWARM_INPUT;
        }
        if (!swarm_branches_wait(&l->down, l->c->leaves)) {
            return SWARM_SIGNAL;
        }
    }
    int result = connect_above(l);
    if (result == SWARM_OK && !send_hello(l)) {
        result = join_error(l, "the root has disconnected");
    }
    result = result == SWARM_OK ? receive_welcome(l) : result;
    if (result == SWARM_OK) {
        swarm_branches_welcome(&l->down, l->place + 1u);
        result = swarm_relay_open(l->w, &l->down, &l->up);
    }
    return result;
}

int swarm_leaf(struct swarm *w, struct swarm_command *c, const volatile int *stop,
               int (*read)(struct swarm *w, const struct swarm_command *c))
{
    struct swarm_leaf *l = calloc(1, sizeof *l); /* until the process ends */
    if (l == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    *l = (struct swarm_leaf){.w = w, .c = c, .read = read, .fd = -1};
    l->down = (struct swarm_branches){.swarm = w, .listener = -1, .token = c->token, .stop = stop};
    (void)pthread_mutex_init(&l->lock, NULL);
    (void)snprintf(w->file, sizeof w->file, "--join");
    w->state[SWARM_SLOT_LEAF] = l;
    int result = join_above(l);
    enum swarm_wire came = SWARM_WIRE_OK;
    while (result == SWARM_OK && came == SWARM_WIRE_OK) {
        const char *why = NULL;
        came = swarm_wire_receive(l->fd, MF_HOSTS_PHASE_MAX, 0.0, stop, &l->in, &why);
        if (came == SWARM_WIRE_OK && !serve_phase(l)) {
            came = SWARM_WIRE_WRONG;
        }
    }
    if (w->members.here != NULL) { /* processes still run if END did not arrive */
        swarm_processes_stop(w, report_exit);
    }
    if (l->fd >= 0) {
        (void)close(l->fd);
    }
    swarm_branches_close(&l->down);
    swarm_files_free(w);
    swarm_kept_reclaim(w);
    return came == SWARM_WIRE_STOPPED ? SWARM_SIGNAL
           : result == SWARM_OK && !l->ended
               ? join_error(l, came == SWARM_WIRE_GONE ? "the root has disconnected"
                                                       : "it sends no frames")
               : result;
}
