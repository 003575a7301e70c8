/* SPDX-License-Identifier: Apache-2.0 */
/* Apply records that leaves have sent, and mark leaves lost. hosts.c calls it at the end of each
 * phase. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/hosts/hosts_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/processes/processes.h"
#include "fleet/order_queue.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void lose_vehicle(struct swarm *w, uint32_t i)
{
    swarm_hosts_of(w)->vehicle[i].lost = true;
    swarm_trace(swarm_trace_of(w), (uint64_t)swarm_hosts_of(w)->at_us * 1000u,
                "hosts: vehicle %u left", (unsigned)i);
    swarm_hosts_drop_links(w, i);
}

/* Mark vehicles and processes of a place lost. @return number of these vehicles */
static uint32_t lose_place(struct swarm *w, uint32_t place)
{
    const struct swarm_hosts *h = swarm_hosts_of(w);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        if (swarm_is_vehicle(w, i) && h->place[i] == place && !h->vehicle[i].lost) {
            lose_vehicle(w, i);
            count++;
        }
    }
    for (uint32_t k = 0; k < w->scenario->processes; k++) {
        if (h->process[k] == place) {
            swarm_process_mark_lost(w, k, h->at_us);
        }
    }
    return count;
}

/* Mark places lost with everything that they carried, and print a line for each. */
static void lose_places(struct swarm *w, uint32_t first, uint32_t places, const char *why)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    for (uint32_t p = first; p < first + places && p < h->down.places; p++) {
        const uint32_t count = lose_place(w, p);
        h->losses++;
        (void)fprintf(stderr, "mayfly-swarm: hosts: %s left at %.6f s with %u vehicles: it %s\n",
                      h->down.name[p], (double)h->at_us / 1e6, (unsigned)count, why);
    }
}

static void apply_changed(struct swarm *w, uint32_t i, struct mf_hosts_record *r)
{
    const struct mf_crowd_state before = swarm_read_state(r), now = swarm_read_state(r);
    if (r->lacks) {
        return;
    }
    swarm_hosts_of(w)->vehicle[i].state = now;
    swarm_member_changed(w, 0, i, &before, &now);
}

static void apply_frozen(struct swarm *w, uint32_t i, struct mf_hosts_record *r)
{
    const struct mf_crowd_state now = {.at_us = mf_hosts_time(r), .frozen = true};
    const uint32_t events = 1u << MF_SCENARIO_EVENT_FROZEN;
    if (r->lacks || now.at_us == MF_NEVER) {
        r->lacks = true;
        return;
    }
    swarm_hosts_of(w)->vehicle[i].state.frozen = true;
    swarm_systems_changed(w, &(struct swarm_change){0, i, events, &now, &now});
}

/* Apply one kept record: a change of a vehicle, an assertion, bytes for a link, or a limit of its
 * clients. */
static void apply_kept(struct swarm *w, struct kept_record *kept)
{
    static void (*const k_apply[MF_HOSTS_KINDS])(struct swarm *, uint32_t,
                                                 struct mf_hosts_record *) = {
        [MF_HOSTS_CHANGED_] = apply_changed,
        [MF_HOSTS_FROZEN_] = apply_frozen,
        [MF_HOSTS_WROTE_] = swarm_hosts_apply_wrote,
        [MF_HOSTS_LIMIT_] = swarm_hosts_apply_limit,
    };
    k_apply[kept->record.kind](w, kept->vehicle, &kept->record);
    swarm_hosts_of(w)->down.refused += kept->record.lacks ? 1u : 0u;
}

static int compare_vehicles(const void *left, const void *right)
{
    const struct kept_record *a = left, *b = right;
    if (a->vehicle != b->vehicle) {
        return a->vehicle < b->vehicle ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

static void keep_record(struct swarm_hosts *h, uint32_t i, const struct mf_hosts_record *r)
{
    struct kept_record *row = swarm_gather(&h->kept, sizeof *row);
    if (row == NULL) {
        (void)fprintf(stderr, "mayfly-swarm: hosts: no memory for a frame\n");
        _exit(SWARM_FROZEN);
    }
    *row = (struct kept_record){i, (uint32_t)h->kept.count, *r};
}

static void apply_looked(struct swarm_hosts *h, uint32_t i, struct mf_hosts_record *r)
{
    const struct mf_crowd_state state = swarm_read_state(r);
    const struct mf_pose pose = swarm_read_pose(r);
    float charge;
    mf_hosts_f32(r, &charge, 1, 1.0f);
    if (!r->lacks) {
        h->vehicle[i].state = state;
        h->vehicle[i].pose = pose;
        h->vehicle[i].charge = charge;
    }
}

static void apply_trail(struct swarm_hosts *h, uint32_t i, struct mf_hosts_record *r)
{
    const struct mf_crowd_state state = swarm_read_state(r);
    struct mf_crowd_trail trail = {.done = mf_hosts_u(r, 8), .frozen = state.frozen};
    for (size_t k = 0; k < 3u; k++) {
        trail.place[k] = mf_hosts_u(r, 8);
    }
    if (!r->lacks) {
        h->vehicle[i].state = state;
        h->vehicle[i].trail = trail;
        h->vehicle[i].has_trail = true;
    }
}

static void apply_answer(struct swarm_hosts *h, struct mf_hosts_record *r)
{
    const int error = (int32_t)(uint32_t)mf_hosts_u(r, 4);
    const uint8_t result = (uint8_t)mf_hosts_u(r, 1);
    if (h->orders != NULL && r->key < h->orders->count && !r->lacks) {
        h->orders->order[r->key].error = error;
        h->orders->order[r->key].result = result;
    }
}

static void apply_exit(struct swarm *w, struct mf_hosts_record *r)
{
    struct swarm_process_exit how = {.code = (int32_t)(uint32_t)mf_hosts_u(r, 4)};
    how.by_itself = mf_hosts_u(r, 1) != 0;
    how.wall_s = (double)mf_hosts_time(r) / 1e6;
    if (!r->lacks) {
        swarm_process_exited(w, r->key, &how);
    }
}

/* Store an error of a leaf, with the leaf's name. */
static void apply_text(struct swarm *w, const struct mf_hosts_record *r)
{
    const struct swarm_branches *b = &swarm_hosts_of(w)->down;
    mf_hosts_text(r, w->error, sizeof w->error);
    const size_t n = strlen(w->error);
    if (r->key < b->places) {
        (void)snprintf(w->error + n, sizeof w->error - n, " (on %s)", b->name[r->key]);
    }
}

/* Apply a record of a branch, or keep it for the order of vehicles. Records of vehicles that the
 * branch does not carry are ignored, malformed ones counted. */
static void apply_record(struct swarm *w, uint32_t branch, struct mf_hosts_record *r)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    const struct swarm_branch *b = &h->down.branch[branch];
    const bool mine = r->key < w->scenario->members && swarm_is_vehicle(w, r->key) &&
                      h->place[r->key] >= b->first && h->place[r->key] < b->first + b->places &&
                      !h->vehicle[r->key].lost;
    if (r->kind == MF_HOSTS_SUM_) {
        const struct swarm_sum sum = swarm_read_sum(r);
        if (!r->lacks) {
            swarm_sum_add(&h->sum[branch], &sum);
        }
    } else if (r->kind == MF_HOSTS_ANSWER_) {
        apply_answer(h, r);
    } else if (r->kind == MF_HOSTS_FLOCK_MEMBER_ && r->key < h->flock_count) {
        h->flock[r->key] = swarm_read_flock_member(r);
    } else if (r->kind == MF_HOSTS_LOST_ && r->key > b->first && r->key < b->first + b->places) {
        lose_places(w, r->key, 1, "has disconnected");
    } else if (r->kind == MF_HOSTS_TEXT_ && w->error[0] == '\0') {
        apply_text(w, r);
    } else if (r->kind == MF_HOSTS_EXIT_) {
        apply_exit(w, r);
    } else if (r->kind == MF_HOSTS_LOOKED_ && mine) {
        apply_looked(h, r->key, r);
    } else if (r->kind == MF_HOSTS_TRAIL_ && mine) {
        apply_trail(h, r->key, r);
    } else if (mine && (r->kind == MF_HOSTS_CHANGED_ || r->kind == MF_HOSTS_FROZEN_ ||
                        r->kind == MF_HOSTS_WROTE_ || r->kind == MF_HOSTS_LIMIT_)) {
        keep_record(h, r->key, r);
    }
    h->down.refused += r->lacks ? 1u : 0u;
}

void swarm_hosts_mark_lost(struct swarm *w, uint32_t k, const char *why)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    struct swarm_branch *b = &h->down.branch[k];
    swarm_branch_mark_lost(b);
    h->sum[k].next_us = MF_NEVER;
    h->sum[k].idle = true;
    h->sum[k].armed = h->sum[k].up = 0;
    lose_places(w, b->first, b->places, why);
}

void swarm_hosts_apply_replies(struct swarm *w)
{
    struct swarm_hosts *h = swarm_hosts_of(w);
    h->kept.count = 0;
    for (uint32_t k = 0; k < h->down.count; k++) {
        struct mf_hosts_record r;
        size_t at = 0;
        bool bad = false;
        if (h->reply[k].head.n > 0) {
            h->sum[k] = (struct swarm_sum){.next_us = MF_NEVER, .idle = true};
        }
        while (mf_hosts_next(h->reply[k].bytes, h->reply[k].head.n, &at, &r, &bad)) {
            apply_record(w, k, &r);
        }
    }
    struct kept_record *row = h->kept.at;
    if (h->kept.count > 0) {
        qsort(row, h->kept.count, sizeof *row, compare_vehicles);
    }
    for (size_t i = 0; i < h->kept.count; i++) {
        apply_kept(w, &row[i]);
    }
}
