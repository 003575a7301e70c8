/* SPDX-License-Identifier: Apache-2.0 */
/* Event queue: a heap of timers, and groups. Called by boards/swarm. */
#include "world/engine.h"

#include <string.h>

/* Children per slot: the heap is half as deep as a binary one, and siblings share one or two cache
 * lines. */
#define WAYS 4u

static uint64_t place_of(enum mf_phase phase, uint32_t id)
{
    return (uint64_t)phase << 32 | id;
}

static bool comes_before(const struct mf_engine_slot *a, const struct mf_engine_slot *b)
{
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us;
    }
    return a->place != b->place ? a->place < b->place : a->sequence < b->sequence;
}

/* Has this place in the order passed? For the same time, phase and id it has not: a later sequence
 * follows. */
static bool is_over(const struct mf_engine *e, mf_us_t at_us, enum mf_phase phase, uint32_t id)
{
    return at_us < e->last.at_us ||
           (at_us == e->last.at_us && place_of(phase, id) < place_of(e->last.phase, e->last.id));
}

/* ---- the heap: slots 1 .. count; the parent of slot i is (i + 2) / 4 */

static void put_slot(struct mf_engine *e, uint32_t slot, const struct mf_engine_slot *what)
{
    e->heap[slot] = *what;
    what->timer->slot = slot;
}

static void rise(struct mf_engine *e, uint32_t slot, struct mf_engine_slot what)
{
    while (slot > 1) {
        const uint32_t parent = (slot + WAYS - 2u) / WAYS;
        if (!comes_before(&what, &e->heap[parent])) {
            break;
        }
        put_slot(e, slot, &e->heap[parent]);
        slot = parent;
    }
    put_slot(e, slot, &what);
}

/* Find the child of a slot that is first in the order. The slot must have children. */
static uint32_t first_child(const struct mf_engine *e, uint32_t slot)
{
    const uint32_t from = WAYS * slot - (WAYS - 2u);
    const uint32_t end = from + WAYS <= e->count + 1u ? from + WAYS : e->count + 1u;
    uint32_t first = from;
    for (uint32_t i = from + 1u; i < end; i++) {
        if (comes_before(&e->heap[i], &e->heap[first])) {
            first = i;
        }
    }
    return first;
}

static void sink(struct mf_engine *e, uint32_t slot, struct mf_engine_slot what)
{
    while (WAYS * slot - (WAYS - 2u) <= e->count) {
        const uint32_t child = first_child(e, slot);
        if (!comes_before(&e->heap[child], &what)) {
            break;
        }
        put_slot(e, slot, &e->heap[child]);
        slot = child;
    }
    put_slot(e, slot, &what);
}

/* ---- timers */

void mf_engine_init(struct mf_engine *e, struct mf_engine_slot *heap, uint32_t capacity)
{
    MF_ASSERT(e != NULL && heap != NULL);
    memset(e, 0, sizeof *e);
    e->heap = heap;
    e->capacity = capacity;
    e->sequence = MF_ENGINE_GROUPS; /* groups have the lower sequences */
}

void mf_timer_init(struct mf_timer *timer, enum mf_phase phase, uint32_t id, mf_engine_run *run,
                   void *ctx)
{
    MF_ASSERT(timer != NULL && run != NULL && phase < MF_PHASE_COUNT);
    *timer = (struct mf_timer){.run = run, .ctx = ctx, .phase = phase, .id = id};
}

int mf_timer_set(struct mf_engine *e, struct mf_timer *timer, mf_us_t at_us, mf_us_t period_us)
{
    MF_ASSERT(e != NULL && timer != NULL && timer->run != NULL && period_us >= 0);
    if (is_over(e, at_us, timer->phase, timer->id)) {
        return MF_E_RANGE;
    }
    mf_timer_cancel(e, timer);
    if (e->count == e->capacity) {
        return MF_E_FULL;
    }
    timer->period_us = period_us;
    const struct mf_engine_slot slot = {at_us, place_of(timer->phase, timer->id), e->sequence++,
                                        timer};
    rise(e, ++e->count, slot);
    return MF_E_OK;
}

void mf_timer_cancel(struct mf_engine *e, struct mf_timer *timer)
{
    const uint32_t slot = timer->slot;
    if (slot == 0) {
        return;
    }
    MF_ASSERT(slot <= e->count && e->heap[slot].timer == timer);
    const struct mf_engine_slot last = e->heap[e->count--];
    timer->slot = 0;
    if (last.timer != timer) {
        sink(e, slot, last);
        rise(e, last.timer->slot, last); /* the last slot was in another branch */
    }
}

static void run_timer(struct mf_engine *e)
{
    const struct mf_engine_slot slot = e->heap[1];
    struct mf_timer *timer = slot.timer;
    if (timer->period_us > 0) {
        const struct mf_engine_slot next = {slot.at_us + timer->period_us, slot.place,
                                            e->sequence++, timer};
        sink(e, 1, next);
    } else {
        mf_timer_cancel(e, timer);
    }
    timer->run(timer->ctx, timer->id, slot.at_us);
}

/* ---- groups */

// NOLINTBEGIN(readability-non-const-parameter): members are written to it
void mf_group_init(struct mf_group *group, enum mf_phase phase, mf_engine_run *run, void *ctx,
                   uint32_t *id, uint32_t capacity)
{
    MF_ASSERT(group != NULL && phase < MF_PHASE_COUNT && run != NULL && id != NULL);
    *group =
        (struct mf_group){.run = run, .ctx = ctx, .phase = phase, .id = id, .capacity = capacity};
}

// NOLINTEND(readability-non-const-parameter)

int mf_group_join(struct mf_engine *e, struct mf_group *group, mf_us_t at_us, mf_us_t period_us)
{
    MF_ASSERT(e != NULL && group != NULL && group->count == 0 && period_us > 0);
    if (is_over(e, at_us, group->phase, 0)) {
        return MF_E_RANGE;
    }
    if (e->group_count == MF_ENGINE_GROUPS) {
        return MF_E_FULL;
    }
    group->at_us = at_us;
    group->period_us = period_us;
    e->group[e->group_count++] = group;
    return MF_E_OK;
}

/* Index of the first member that is not below an id; count: all are below. */
static uint32_t find(const struct mf_group *group, uint32_t id)
{
    uint32_t low = 0, high = group->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (group->id[middle] < id) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Skip the rounds that passed while the group was empty. */
static void skip_rounds(const struct mf_engine *e, struct mf_group *group, uint32_t id)
{
    const mf_us_t behind_us = e->last.at_us - group->at_us;
    group->cursor = 0;
    if (behind_us > 0) {
        group->at_us += behind_us / group->period_us * group->period_us;
    }
    if (is_over(e, group->at_us, group->phase, id)) {
        group->at_us += group->period_us;
    }
}

int mf_group_add(struct mf_engine *e, struct mf_group *group, uint32_t id)
{
    MF_ASSERT(e != NULL && group != NULL && group->period_us > 0);
    const uint32_t at =
        group->count > 0 && group->id[group->count - 1u] < id ? group->count : find(group, id);
    if (at < group->count && group->id[at] == id) {
        return MF_E_RANGE;
    }
    if (group->count == group->capacity) {
        return MF_E_FULL;
    }
    if (group->count == 0) {
        skip_rounds(e, group, id);
    }
    memmove(&group->id[at + 1u], &group->id[at], (group->count - at) * sizeof group->id[0]);
    group->id[at] = id;
    group->count++;
    if (at < group->cursor || is_over(e, group->at_us, group->phase, id)) {
        group->cursor++; /* its turn of this round has passed */
    }
    return MF_E_OK;
}

int mf_group_remove(struct mf_group *group, uint32_t id)
{
    MF_ASSERT(group != NULL);
    const uint32_t at = find(group, id);
    if (at == group->count || group->id[at] != id) {
        return MF_E_NOENT;
    }
    group->count--;
    memmove(&group->id[at], &group->id[at + 1u], (group->count - at) * sizeof group->id[0]);
    group->cursor -= at < group->cursor ? 1u : 0u;
    return MF_E_OK;
}

/* Find the next member's place in the order, with the group's number as its sequence. @return
 * false: the group is empty */
static bool next_member(const struct mf_engine *e, uint32_t number, struct mf_engine_slot *slot)
{
    const struct mf_group *group = e->group[number];
    if (group->count == 0) {
        return false;
    }
    /* the round is over, and the next member begins another one */
    const bool over = group->cursor == group->count;
    *slot = (struct mf_engine_slot){group->at_us + (over ? group->period_us : 0),
                                    place_of(group->phase, group->id[over ? 0 : group->cursor]),
                                    number, NULL};
    return true;
}

static void run_member(struct mf_engine *e, uint32_t number)
{
    struct mf_group *group = e->group[number];
    if (group->cursor == group->count) {
        group->cursor = 0;
        group->at_us += group->period_us;
    }
    group->run(group->ctx, group->id[group->cursor++], group->at_us);
}

/* ---- the order */

/* Find the next event, in the heap or in a group. */
static bool find_next(const struct mf_engine *e, struct mf_engine_slot *next)
{
    bool some = e->count > 0;
    if (some) {
        *next = e->heap[1];
    }
    for (uint32_t i = 0; i < e->group_count; i++) {
        struct mf_engine_slot member;
        if (next_member(e, i, &member) && (!some || comes_before(&member, next))) {
            *next = member;
            some = true;
        }
    }
    return some;
}

static struct mf_order order_of(const struct mf_engine_slot *slot)
{
    return (struct mf_order){slot->at_us, (enum mf_phase)(slot->place >> 32), (uint32_t)slot->place,
                             slot->sequence};
}

bool mf_engine_next(const struct mf_engine *e, struct mf_order *order)
{
    MF_ASSERT(e != NULL && order != NULL);
    struct mf_engine_slot next;
    const bool some = find_next(e, &next);
    if (some) {
        *order = order_of(&next);
    }
    return some;
}

void mf_engine_step(struct mf_engine *e)
{
    struct mf_engine_slot next;
    const bool some = find_next(e, &next);
    MF_ASSERT(some);
    e->last = order_of(&next);
    if (next.timer != NULL) {
        run_timer(e);
    } else {
        run_member(e, (uint32_t)next.sequence);
    }
}
