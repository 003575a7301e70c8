/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a swarm on several hosts: lets leaves join, sends them commands, and reads states of
 * their vehicles. The run calls its system, members/ the carrier of its vehicles. */
#include "boards/swarm/hosts/hosts.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/hosts/hosts_internal.h"
#include "boards/swarm/hosts/hosts_share.h"
#include "boards/swarm/hosts/relay.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/processes/processes.h"
#include "firmware/state/state.h"
#include "fleet/order_queue.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static bool has_commands(const struct swarm_hosts *h)
{
    return h->out.n > MF_HOSTS_HEADER;
}

/* ---- a phase */

/* True if all records of a frame are complete. The root ignores all of a cut frame. */
static bool is_frame_whole(const struct swarm_frame *f)
{
    struct mf_hosts_record r;
    size_t at = 0;
    bool bad = false;
    while (mf_hosts_next(f->bytes, f->head.n, &at, &r, &bad)) {
    }
    return !bad;
}

/* Patience with a leaf [s]; 0: unlimited. At the end it includes the time in which programs on
 * leaves exit. */
static double get_patience_s(const struct swarm *w)
{
    const double patience_s = w->scenario->hosts.patience_s;
    return patience_s > 0.0 && swarm_hosts_of(w)->ended ? patience_s + SWARM_PROCESS_END_S
                                                        : patience_s;
}

/* @return true: keep waiting for the silent leaf */
static bool is_patient_with_branch(struct swarm *w, uint32_t k, struct swarm_patience *p)
{
    const struct mf_scenario_hosts *s = &w->scenario->hosts;
    const struct swarm_hosts *h = swarm_hosts_of(w);
    return swarm_patience_check(
               w, p,
               &(struct swarm_patience_rule){.key = "hosts",
                                             .line = s->line,
                                             .patience_s = get_patience_s(w),
                                             .silent = s->silent,
                                             .who = h->down.name[h->down.branch[k].first],
                                             .at_us = h->at_us}) == SWARM_PATIENCE_LASTS;
}

/* Receive the reply of a branch; mark the branch lost if it fails. */
static void receive_reply(struct swarm *w, uint32_t k)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    const char *why = "has disconnected";
    struct swarm_patience patience = {.since_s = swarm_wall_s()};
    enum swarm_wire came = SWARM_WIRE_SILENT;
    while (came == SWARM_WIRE_SILENT) {
        came = swarm_wire_receive(h->down.branch[k].fd, MF_HOSTS_PHASE_MAX,
                                  patience.reported ? 0.0 : get_patience_s(w),
                                  h->ended ? NULL : h->down.stop, &h->reply[k], &why);
        if (came == SWARM_WIRE_OK && h->stopped && h->reply[k].head.phase < h->phase) {
            came = SWARM_WIRE_SILENT; /* late reply to a phase that a signal interrupted */
            continue;
        }
        if (came == SWARM_WIRE_SILENT && !is_patient_with_branch(w, k, &patience)) {
            why = "was silent for too long";
            break;
        }
    }
    swarm_patience_end(w, &patience);
    if (came == SWARM_WIRE_OK &&
        (h->reply[k].head.type != MF_HOSTS_REPLY || !is_frame_whole(&h->reply[k]))) {
        came = SWARM_WIRE_WRONG;
        why = "sends an unexpected message instead of a reply";
    } else if (came == SWARM_WIRE_OK && h->reply[k].head.phase != h->phase) {
        came = SWARM_WIRE_WRONG;
        why = "answers to another phase";
    }
    h->stopped = h->stopped || came == SWARM_WIRE_STOPPED;
    if (came == SWARM_WIRE_STOPPED) {
        return; /* a signal ends the run */
    }
    h->reply[k].head.n = came == SWARM_WIRE_OK ? h->reply[k].head.n : 0;
    if (came != SWARM_WIRE_OK) {
        h->down.refused += came == SWARM_WIRE_WRONG ? 1u : 0u;
        swarm_hosts_mark_lost(w, k, why);
    }
}

/* Run one phase: send a frame to each branch, receive one from each, and apply the replies. */
static void run_phase(struct swarm *w)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    mf_hosts_finish(&h->out);
    swarm_branches_send(&h->down, h->out.bytes, h->out.n);
    for (uint32_t k = 0; k < h->down.count; k++) {
        h->reply[k].head.n = 0;
        if (h->down.branch[k].fd >= 0) {
            h->frames++;
            receive_reply(w, k);
            h->bytes += h->out.n + h->reply[k].head.n;
        }
    }
    mf_hosts_begin(&h->out, MF_HOSTS_PHASE, ++h->phase);
    swarm_hosts_apply_replies(w);
    h->known = !has_commands(h);
}

static void sync_leaves(struct swarm *w)
{
    if (has_commands(swarm_hosts_of(w))) {
        run_phase(w);
    }
}

/* ---- commands to leaves */

static void put_time(struct mf_hosts_writer *out, mf_us_t at_us)
{
    mf_hosts_put_u(out, (uint64_t)at_us, 8);
}

static void set_expected_instant(struct swarm *w, mf_us_t at_us)
{
    if (swarm_hosts_of(w) != NULL) {
        swarm_hosts_of(w)->expect_us = at_us;
    }
}

/* True if changes of vehicles matter here only when the run reads their state. */
static bool is_unwatched(const struct swarm *w)
{
    return !swarm_has(w, SWARM_SLOT_LINKS) && !swarm_has(w, SWARM_SLOT_CONTROL) &&
           !swarm_has(w, SWARM_SLOT_PAGE) && !swarm_has(w, SWARM_SLOT_ARRIVALS) &&
           w->scenario->time.clock == MF_SCENARIO_CLOCK_FAST && w->scenario->expects == 0 &&
           w->scenario->outputs.events.file[0] == '\0';
}

static void run_leaves(struct swarm *w, mf_us_t until_us)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    h->early = h->expect_us == until_us + 1;
    if (h->early && !has_commands(h) && is_unwatched(w)) {
        /* the command is sent with the next ones */
        put_time(swarm_hosts_put(h, MF_HOSTS_RUN_, 0, 0), until_us);
        put_time(&h->out, MF_NEVER);
        h->at_us = until_us;
        return;
    }
    bool *wanted = &h->wanted[h->early];
    const bool looks = *wanted && (h->early || h->expect_us == until_us);
    struct mf_hosts_writer *out = swarm_hosts_put(h, MF_HOSTS_RUN_, 0, 0);
    put_time(out, until_us);
    put_time(out, looks ? h->expect_us : MF_NEVER);
    run_phase(w);
    h->at_us = looks ? h->expect_us : until_us;
    h->looked_us = looks ? h->expect_us : MF_NEVER;
    *wanted = *wanted && !looks; /* leaves send poses again after the run has read one */
}

static void start_missions(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us)
{
    struct mf_hosts_writer *out = swarm_hosts_put(swarm_hosts_of(w), MF_HOSTS_START_, 0, 0);
    put_time(out, at_us);
    mf_hosts_put_u(out, from, 4);
    mf_hosts_put_u(out, to, 4);
}

static void give_orders(struct swarm *w, struct mf_order_queue *orders, uint32_t from, uint32_t to,
                        mf_us_t at_us)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    for (uint32_t k = from; k < to; k++) {
        const struct mf_queued_order *o = &orders->order[k];
        struct mf_hosts_writer *out = swarm_hosts_put(h, MF_HOSTS_ORDER_, o->member, sizeof o->msg);
        mf_hosts_put_u(out, k, 4);
        mf_hosts_put_u(out, o->msgid, 4);
        mf_hosts_put_u(out, (uint32_t)o->error, 4);
        mf_hosts_put_raw(out, &o->msg, sizeof o->msg);
    }
    put_time(swarm_hosts_put(h, MF_HOSTS_ORDERS_, 0, 0), at_us);
    h->orders = orders;
    run_phase(w);
    h->orders = NULL;
}

static void read_flock(struct swarm *w, struct mf_flock_member *member, uint32_t count,
                       mf_us_t at_us)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    put_time(swarm_hosts_put(h, MF_HOSTS_SEE_, 0, 0), at_us);
    h->flock = member;
    h->flock_count = count;
    run_phase(w);
    h->flock_count = 0;
}

static void move_flock(struct swarm *w, const struct mf_flock_member *member, uint32_t count,
                       mf_us_t at_us)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    struct mf_hosts_writer *out =
        swarm_hosts_put(h, MF_HOSTS_FLOCK_, count, count * sizeof *member);
    for (uint32_t k = 0; k < count; k++) {
        swarm_put_flock_member(out, &member[k]);
    }
    put_time(swarm_hosts_put(h, MF_HOSTS_MOVE_, 0, 0), at_us);
}

static int start_process(struct swarm *w, uint32_t k)
{
    (void)swarm_hosts_put(swarm_hosts_of(w), MF_HOSTS_PROCESS_, k, 0);
    run_phase(w);
    return w->error[0] == '\0' ? SWARM_OK : SWARM_INPUT;
}

/* ---- states and sums */

static struct mf_crowd_state get_state(const struct swarm *w, uint32_t i)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    if (!h->known) {
        (void)pthread_mutex_lock(&h->lock);
        sync_leaves(h->down.swarm);
        (void)pthread_mutex_unlock(&h->lock);
    }
    return h->vehicle[i].state;
}

static void read_poses(struct swarm_hosts *h, mf_us_t at_us)
{
    (void)pthread_mutex_lock(&h->lock);
    if (h->looked_us != at_us && !h->ended) {
        h->at_us = at_us;
        put_time(swarm_hosts_put(h, MF_HOSTS_LOOK_, 0, 0), at_us);
        run_phase(h->down.swarm);
        h->looked_us = at_us;
    }
    h->wanted[h->early] = true;
    (void)pthread_mutex_unlock(&h->lock);
}

static struct mf_pose get_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    if ((h->looked_us != at_us || !h->wanted[h->early]) && !h->vehicle[i].lost) {
        read_poses(h, at_us);
    }
    return h->vehicle[i].pose;
}

static float get_charge(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)get_pose(w, i, at_us);
    return swarm_hosts_of(w)->vehicle[i].charge;
}

static struct swarm_sum sum_branches(const struct swarm_hosts *h)
{
    struct swarm_sum sum = {.next_us = MF_NEVER, .idle = true};
    for (uint32_t k = 0; k < h->down.count; k++) {
        swarm_sum_add(&sum, &h->sum[k]);
    }
    return sum;
}

/* Sum over all leaves, after they have carried out the commands that wait. */
static struct swarm_sum sync_sum(const struct swarm *w)
{
    const struct swarm_hosts *h = swarm_hosts_of(w);
    if (has_commands(h) && !h->ended) {
        sync_leaves(h->down.swarm);
    }
    return sum_branches(h);
}

static uint64_t count_steps(const struct swarm *w)
{
    return sum_branches(swarm_hosts_of(w)).steps;
}

static int end_leaves(struct swarm *w)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    if (h != NULL) {
        (void)swarm_hosts_put(h, MF_HOSTS_END_, 0, 0);
        h->ended = true;
        run_phase(w);
        swarm_set_refused(w, sync_sum(w).refused);
    }
    return SWARM_OK;
}

static uint64_t digest_vehicles(const struct swarm *w, uint64_t before)
{
    (void)before; /* vehicles are the first kind in the digest */
    const struct swarm_hosts *h = swarm_hosts_of(w);
    const uint32_t top = swarm_vehicles_top(w->scenario);
    uint64_t digest = top > 0 ? top : 1u;
    for (uint32_t i = 0; i < top; i++) {
        if (h->vehicle[i].has_trail) {
            digest = mf_crowd_digest_add(digest, &h->vehicle[i].trail);
        }
    }
    return digest;
}

static void print_summary(const struct swarm *w)
{
    const struct swarm_hosts *h = swarm_hosts_of(w);
    if (h != NULL) {
        (void)printf("hosts     %u leaves, %u lost, %u refused, %" PRIu64 " frames, %.3f MB\n",
                     (unsigned)h->down.places, (unsigned)h->losses,
                     (unsigned)(h->down.refused + h->down.door.gone), h->frames,
                     (double)h->bytes / 1e6);
    }
}

/* ---- begin and end */

static bool make_memory(struct swarm_hosts *h, uint32_t members)
{
    h->place = calloc(members, sizeof *h->place);
    h->here = calloc(members, sizeof *h->here);
    h->vehicle = calloc(members, sizeof *h->vehicle);
    return h->place != NULL && h->here != NULL && h->vehicle != NULL;
}

/* Write the commands of the first phase: files of the scenario, places of vehicles and processes,
 * boot. */
static int put_scenario(struct swarm *w, const struct swarm_command *c)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    struct mf_hosts_writer *out = &h->out;
    const char *path = NULL;
    for (uint32_t k = 0; (path = swarm_file_get_path(w, k)) != NULL; k++) {
        size_t n = 0;
        char *bytes = swarm_read_file(w, path, &n);
        if (bytes == NULL) {
            return swarm_refuse(w, 1, "%s: %s", path, strerror(errno));
        }
        (void)swarm_hosts_put(h, MF_HOSTS_FILE_, 0, strlen(path) + 1u + n);
        mf_hosts_put_raw(out, path, strlen(path) + 1u);
        mf_hosts_put_raw(out, bytes, n);
        free(bytes);
    }
    swarm_hosts_put_given(w, out, c);
    (void)swarm_hosts_put(h, MF_HOSTS_PLACES_, 0, 2u * w->scenario->members);
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        mf_hosts_put_u(out, swarm_is_vehicle(w, i) ? h->place[i] : UINT16_MAX, 2);
    }
    (void)swarm_hosts_put(h, MF_HOSTS_PROCESSES_, 0, 2u * w->scenario->processes);
    for (uint32_t k = 0; k < w->scenario->processes; k++) {
        mf_hosts_put_u(out, h->process[k], 2);
    }
    (void)swarm_hosts_put(h, MF_HOSTS_BOOT_, 0, 0);
    return SWARM_OK;
}

static int accept_leaves(struct swarm *w)
{
    const struct mf_scenario_hosts *s = &w->scenario->hosts;
    struct swarm_hosts *h = swarm_hosts_of(w);
    const struct swarm_listener where = {
        .key = "hosts.listen",
        .line = s->line,
        .where = s->listen[0] != '\0' ? s->listen : "0",
        .unsafe =
            s->token[0] != '\0' ? NULL : "other machines reach this address: give hosts a token"};
    const uint32_t wanted = s->leaves > 0 ? s->leaves : s->start;
    h->down.token = s->token;
    h->down.stop = w->hold.stop;
    h->down.swarm = w;
    if (wanted < s->start || wanted == 0) {
        return swarm_refuse(w, s->line, "hosts: leaves must be %s",
                            wanted == 0 ? "at least 1, or start some" : "as many as start");
    }
    int result = swarm_branches_open(w, &h->down, &where);
    result = result == SWARM_OK ? swarm_hosts_start_leaves(w, &h->down, h->started) : result;
    if (result == SWARM_OK && !swarm_branches_wait(&h->down, wanted)) {
        return swarm_refuse(w, s->line, "hosts: ended by a signal before all leaves had joined");
    }
    return result;
}

static bool is_vehicle_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)at_us;
    return swarm_hosts_of(w)->vehicle[i].lost;
}

static mf_us_t next_step_us(const struct swarm *w)
{
    return sync_sum(w).next_us;
}

static bool are_leaves_idle(const struct swarm *w)
{
    return sync_sum(w).idle;
}

static struct swarm_vehicle_counts count_vehicles(const struct swarm *w)
{
    const struct swarm_sum sum = sync_sum(w);
    return (struct swarm_vehicle_counts){.frozen = sum.frozen, .armed = sum.armed, .up = sum.up};
}

static const struct swarm_carrier k_leaves = {.far = true,
                                              .state = get_state,
                                              .pose = get_pose,
                                              .charge = get_charge,
                                              .is_lost = is_vehicle_lost,
                                              .run = run_leaves,
                                              .next_us = next_step_us,
                                              .is_idle = are_leaves_idle,
                                              .count_steps = count_steps,
                                              .digest = digest_vehicles,
                                              .count_states = count_vehicles,
                                              .start = start_missions,
                                              .give_orders = give_orders,
                                              .see_flock = read_flock,
                                              .move_flock = move_flock};

static int open_hosts(struct swarm *w)
{
    const struct swarm_command *c = w->command;
    pthread_mutexattr_t again;
    if (!mf_scenario_has_hosts(&w->scenario->hosts)) {
        return SWARM_OK;
    }
    if (swarm_hosts_check(w, c) != SWARM_OK) {
        return SWARM_INPUT;
    }
    struct swarm_hosts *h = calloc(1, sizeof *h);
    w->state[SWARM_SLOT_HOSTS] = h;
    if (h == NULL || !make_memory(h, w->scenario->members)) {
        return swarm_refuse(w, w->scenario->hosts.line, "hosts: no memory");
    }
    w->members.here = h->here;
    swarm_hosts_attach_links(w, sync_leaves);
    swarm_process_delegate(w, start_process);
    h->down.listener = -1;
    h->looked_us = h->expect_us = MF_NEVER;
    (void)pthread_mutexattr_init(&again);
    (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&h->lock, &again);
    if (accept_leaves(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    swarm_wire_reserve(&h->out, 0);
    mf_hosts_begin(&h->out, MF_HOSTS_PHASE, h->phase);
    swarm_branches_welcome(&h->down, 0);
    swarm_hosts_set_names(&h->down);
    if (swarm_relay_open(w, &h->down, NULL) != SWARM_OK ||
        swarm_hosts_share(w, &h->down, h->place) != SWARM_OK ||
        swarm_hosts_place(w, &h->down, h->process) != SWARM_OK || put_scenario(w, c) != SWARM_OK) {
        return SWARM_INPUT;
    }
    w->members.carrier[MF_SCENARIO_KIND_VEHICLE] = &k_leaves;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        h->vehicle[i].state = (struct mf_crowd_state){.landed = MF_LANDED_ON_GROUND, .reached = -1};
    }
    run_phase(w);
    if (h->losses > 0 && w->error[0] == '\0') {
        return swarm_refuse(w, w->scenario->hosts.line, "hosts: a leaf left before time began");
    }
    return w->error[0] != '\0' ? SWARM_INPUT : SWARM_OK;
}

static void close_hosts(struct swarm *w, int code)
{
    (void)code;
    struct swarm_hosts *h = swarm_hosts_of(w);
    if (h == NULL) {
        return;
    }
    swarm_branches_close(&h->down);
    swarm_hosts_end_leaves(h->started);
    for (uint32_t k = 0; k < MF_SCENARIO_LEAVES_MAX; k++) {
        free(h->reply[k].bytes);
    }
    free(h->place);
    free(h->here);
    free(h->vehicle);
    free(h->kept.at);
    free(h->out.bytes);
}

static int judge_losses(struct swarm *w, bool goes_on)
{
    (void)goes_on;
    return swarm_hosts_of(w) != NULL ? (int)swarm_hosts_of(w)->losses : 0;
}

const struct swarm_system swarm_hosts_system = {
    .name = "hosts",
    .on = {[SWARM_CONNECT] = open_hosts, [SWARM_END] = end_leaves},
    .in_replay = true,
    .announce_instant = set_expected_instant,
    .print_summary = print_summary,
    .judge = judge_losses,
    .close = close_hosts,
};
