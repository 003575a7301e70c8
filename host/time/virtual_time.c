/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual time of a group of drones and processes: when time advances, and which process runs, for
 * boards/posix. */
#include "host/time/virtual_time.h"

#include "host/time/time_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_US INT64_C(1000)

void mf_virtual_init(struct mf_virtual *v, const struct mf_virtual_ops *ops, void *ctx,
                     uint16_t drones, int64_t utc_ns)
{
    MF_ASSERT(ops != NULL && drones >= 1 && drones <= MF_VIRTUAL_DRONES_MAX);
    memset(v, 0, sizeof *v);
    v->ops = ops;
    v->ctx = ctx;
    v->drones_expected = drones;
    v->utc_ns = utc_ns;
    v->phase = MF_VIRTUAL_GATHERS;
}

/* ---- drones */

static mf_us_t now_us(const struct mf_virtual *v)
{
    return v->now_ns / NS_PER_US;
}

static void say_go(struct mf_virtual *v, uint16_t i)
{
    char line[64];
    struct mf_virtual_drone *d = &v->drone[i];
    const mf_us_t to_us = now_us(v) - d->base_us;
    (void)snprintf(line, sizeof line, "go %" PRId64, to_us > d->at_us ? to_us : d->at_us);
    d->asked = true;
    d->in_before = d->in;
    v->ops->say(v->ctx, i, line);
}

static void say_go_to_all(struct mf_virtual *v)
{
    v->phase = MF_VIRTUAL_SERVES;
    for (uint16_t i = 0; i < v->drone_count; i++) {
        if (!v->drone[i].gone) {
            say_go(v, i);
        }
    }
}

int mf_virtual_drone_came(struct mf_virtual *v)
{
    if (v->drone_count == MF_VIRTUAL_DRONES_MAX) {
        return MF_E_FULL;
    }
    struct mf_virtual_drone *d = &v->drone[v->drone_count];
    *d = (struct mf_virtual_drone){.asked = true, .next_us = MF_NEVER};
    v->ops->say(v->ctx, v->drone_count, "hold");
    return v->drone_count++;
}

void mf_virtual_drone_left(struct mf_virtual *v, int drone)
{
    MF_ASSERT(drone >= 0 && drone < v->drone_count);
    v->drone[drone] = (struct mf_virtual_drone){.gone = true, .next_us = MF_NEVER};
    v->again = true; /* its clients have seen it leave, and may continue */
}

/* Read the next pair of a word and a number; "never" becomes MF_NEVER. @return false: the line has
 * ended */
static bool next_pair(const char **line, const char **word, size_t *length, int64_t *number)
{
    const char *space = strchr(*line, ' ');
    char *end = NULL;
    if (space == NULL) {
        return false;
    }
    *word = *line;
    *length = (size_t)(space - *line);
    *number = strtoll(space + 1, &end, 10);
    *number = end == space + 1 ? MF_NEVER : *number;
    end = strchr(end, ' ');
    *line = end != NULL ? end + 1 : "";
    return true;
}

/* Read a drone's report: its time, its next event, and its counts of bytes. */
static void read_report(struct mf_virtual_drone *d, const char *line)
{
    const char *word = line;
    size_t n = 0;
    int64_t number = 0;
    while (next_pair(&line, &word, &n, &number)) {
        if (number < 0 || (number > MF_TIME_MAX_US && number != MF_NEVER)) {
            continue; /* sums of world time and such a time overflow */
        }
        if (n == 2 && memcmp(word, "at", 2) == 0) {
            d->at_us = number != MF_NEVER ? number : d->at_us;
        } else if (n == 4 && memcmp(word, "next", 4) == 0) {
            d->next_us = number;
        } else if (n == 2 && memcmp(word, "in", 2) == 0) {
            d->in = (uint64_t)number;
        } else if (n == 3 && memcmp(word, "out", 3) == 0) {
            d->out = (uint64_t)number;
        }
    }
}

void mf_virtual_line_came(struct mf_virtual *v, int drone, const char *line)
{
    MF_ASSERT(drone >= 0 && drone < v->drone_count);
    struct mf_virtual_drone *d = &v->drone[drone];
    if (d->gone) {
        return;
    }
    if (strncmp(line, "mayfly ", 7) == 0) {
        d->base_us = now_us(v); /* it starts, or has rebooted: its time is 0 */
        d->at_us = 0;
    } else if (strncmp(line, "at ", 3) == 0) {
        read_report(d, line);
        d->asked = false;
    } else if (strncmp(line, "next ", 5) == 0) {
        read_report(d, line);
    }
}

/* ---- processes */

static struct mf_virtual_process *find_process(struct mf_virtual *v, int id)
{
    for (uint16_t i = 0; i < v->process_count; i++) {
        if (v->process[i].id == id) {
            return &v->process[i];
        }
    }
    return NULL;
}

static struct mf_virtual_process *find_pid(struct mf_virtual *v, int32_t pid)
{
    for (uint16_t i = 0; i < v->process_count; i++) {
        if (v->process[i].pid == pid) {
            return &v->process[i];
        }
    }
    return NULL;
}

/* Tell the process that started another one that it may continue, since the other one has
 * arrived. */
static void tell_parents(struct mf_virtual *v, int32_t pid)
{
    const struct mf_virtual_message m = {.kind = MF_VIRTUAL_SPAWNED, .value = pid};
    for (uint16_t i = 0; i < v->process_count; i++) {
        struct mf_virtual_process *p = &v->process[i];
        if (p->child == pid && p->state != MF_VIRTUAL_CHANGES) {
            p->child = 0;
            v->ops->send(v->ctx, p->id, &m);
        }
    }
}

int mf_virtual_process_came(struct mf_virtual *v, int id, int32_t pid,
                            const struct mf_virtual_message *hello)
{
    struct mf_virtual_process *p = find_pid(v, pid);
    if (hello->kind != MF_VIRTUAL_HELLO || hello->value != (int32_t)MF_VIRTUAL_VERSION) {
        return MF_E_NOSUPP;
    }
    if (p == NULL || p->state != MF_VIRTUAL_CHANGES) {
        if (v->process_count == MF_VIRTUAL_PROCESSES_MAX) {
            return MF_E_FULL;
        }
        p = &v->process[v->process_count++];
    }
    *p = (struct mf_virtual_process){
        .id = id, .pid = pid, .state = MF_VIRTUAL_FRESH, .deadline_ns = MF_VIRTUAL_NEVER};
    v->again = true;
    tell_parents(v, pid);
    return MF_E_OK;
}

/* Continue a process that was stopped. It finishes its old GO, and then gets the present time. */
static void continue_process(struct mf_virtual *v, struct mf_virtual_process *p)
{
    p->state = MF_VIRTUAL_RUNS;
    v->again = true;
}

bool mf_virtual_message_came(struct mf_virtual *v, int id, const struct mf_virtual_message *m)
{
    struct mf_virtual_process *p = find_process(v, id);
    if (p == NULL) {
        return false;
    }
    if (p->state == MF_VIRTUAL_STOPPED) {
        continue_process(v, p);
    }
    switch (m->kind) {
    case MF_VIRTUAL_DONE:
        if (p->state != MF_VIRTUAL_RUNS || p->child != 0) {
            return false;
        }
        p->state = MF_VIRTUAL_WAITS;
        p->deadline_ns = m->at_ns;
        v->ran = v->ran || m->value != 0;
        return true;
    case MF_VIRTUAL_SPAWNED:
        if (p->state != MF_VIRTUAL_RUNS || p->child != 0 || m->value <= 0) {
            return false;
        }
        p->child = m->value;
        if (find_pid(v, m->value) != NULL) {
            tell_parents(v, m->value);
        }
        return true;
    case MF_VIRTUAL_STOPS:
        v->stops = true;
        return p->state == MF_VIRTUAL_RUNS;
    case MF_VIRTUAL_EXEC:
        return p->state == MF_VIRTUAL_RUNS && p->child == 0;
    case MF_VIRTUAL_WANT:
        p->wants = true;
        v->again = true;
        return true;
    default:
        return false;
    }
}

void mf_virtual_closed(struct mf_virtual *v, int id)
{
    struct mf_virtual_process *p = find_process(v, id);
    if (p != NULL) {
        p->state = MF_VIRTUAL_CHANGES;
        p->id = -1;
        p->child = 0;
    }
}

void mf_virtual_ended(struct mf_virtual *v, int32_t pid)
{
    struct mf_virtual_process *p = find_pid(v, pid);
    if (p != NULL) {
        const uint16_t index = (uint16_t)(p - v->process);
        v->process_count--;
        memmove(p, p + 1, (v->process_count - index) * sizeof *p);
        v->cursor = v->cursor > index ? (uint16_t)(v->cursor - 1) : v->cursor;
        v->ran = true; /* its parent may wait for it, and its peers see their connections end */
        v->again = true;
    }
    tell_parents(v, pid);
}

/* True if a process is not stopped. @param but  process that does not count; may be NULL */
static bool one_is_awake(const struct mf_virtual *v, const struct mf_virtual_process *but)
{
    for (uint16_t i = 0; i < v->process_count; i++) {
        if (&v->process[i] != but && v->process[i].state != MF_VIRTUAL_STOPPED) {
            return true;
        }
    }
    return false;
}

bool mf_virtual_stopped(struct mf_virtual *v, int id)
{
    struct mf_virtual_process *p = find_process(v, id);
    if (p == NULL || p->state != MF_VIRTUAL_RUNS || !v->stops || !one_is_awake(v, p)) {
        return false;
    }
    p->state = MF_VIRTUAL_STOPPED;
    p->deadline_ns = MF_VIRTUAL_NEVER;
    v->ran = true; /* its parent may wait for this */
    return true;
}

/* Look for stopped processes that were continued, before time advances: they run, and time waits
 * for them. */
static void continue_stopped(struct mf_virtual *v)
{
    for (uint16_t i = 0; v->stops && i < v->process_count; i++) {
        struct mf_virtual_process *p = &v->process[i];
        if (p->state == MF_VIRTUAL_STOPPED && !v->ops->is_stopped(v->ctx, p->pid)) {
            continue_process(v, p);
        }
    }
}

const struct mf_virtual_process *mf_virtual_running(const struct mf_virtual *v)
{
    for (uint16_t i = 0; i < v->process_count; i++) {
        const enum mf_virtual_state state = v->process[i].state;
        if (state == MF_VIRTUAL_RUNS || state == MF_VIRTUAL_CHANGES) {
            return &v->process[i];
        }
    }
    return NULL;
}

/* ---- an instant */

static bool all_stand(const struct mf_virtual *v)
{
    for (uint16_t i = 0; i < v->drone_count; i++) {
        if (v->drone[i].asked) {
            return false;
        }
    }
    return true;
}

/* Set time back to a drone that stopped earlier than granted: bytes have arrived for the processes,
 * which then run at that time. */
static void follow_early(struct mf_virtual *v)
{
    for (uint16_t i = 0; i < v->drone_count; i++) {
        const struct mf_virtual_drone *d = &v->drone[i];
        if (!d->gone && d->base_us + d->at_us < now_us(v)) {
            v->now_ns = (d->base_us + d->at_us) * NS_PER_US;
        }
    }
}

/* Let drones continue that received bytes while they served: there may be more to receive. @return
 * true: there are such drones */
static bool serve_again(struct mf_virtual *v)
{
    bool again = false;
    for (uint16_t i = 0; i < v->drone_count; i++) {
        if (v->drone[i].in != v->drone[i].in_before) {
            say_go(v, i);
            again = true;
        }
    }
    return again;
}

static bool have_sent(struct mf_virtual *v)
{
    bool sent = false;
    for (uint16_t i = 0; i < v->drone_count; i++) {
        struct mf_virtual_drone *d = &v->drone[i];
        sent = sent || d->out != d->out_before;
        d->out_before = d->out;
    }
    return sent;
}

static bool somebody_is_due(const struct mf_virtual *v)
{
    for (uint16_t i = 0; i < v->process_count; i++) {
        if (v->process[i].state == MF_VIRTUAL_FRESH || v->process[i].deadline_ns <= v->now_ns) {
            return true;
        }
    }
    return false;
}

static void begin_round(struct mf_virtual *v)
{
    v->phase = MF_VIRTUAL_ASKS;
    v->cursor = 0;
    v->ran = false;
    v->again = false;
    v->rounds++;
}

/* Find the earliest instant that a process or drone waits for. */
static int64_t next_instant(const struct mf_virtual *v)
{
    int64_t next_ns = MF_VIRTUAL_NEVER;
    for (uint16_t i = 0; i < v->process_count; i++) {
        next_ns = v->process[i].deadline_ns < next_ns ? v->process[i].deadline_ns : next_ns;
    }
    for (uint16_t i = 0; i < v->drone_count; i++) {
        const struct mf_virtual_drone *d = &v->drone[i];
        if (d->next_us == MF_NEVER || d->base_us + d->next_us > next_ns / NS_PER_US) {
            continue;
        }
        next_ns = (d->base_us + d->next_us) * NS_PER_US;
    }
    return next_ns;
}

static void advance_time(struct mf_virtual *v)
{
    const int64_t next_ns = next_instant(v);
    v->rounds = 0;
    if (next_ns == MF_VIRTUAL_NEVER || !one_is_awake(v, NULL)) {
        v->phase = MF_VIRTUAL_RESTS;
        return;
    }
    v->instants++;
    v->now_ns = next_ns > v->now_ns ? next_ns : v->now_ns;
    say_go_to_all(v);
}

/* Let the next process run. @return true: the one after it may run already */
static bool run_next(struct mf_virtual *v)
{
    struct mf_virtual_process *p = &v->process[v->cursor++];
    if (p->state == MF_VIRTUAL_CHANGES) {
        return false;
    }
    if (p->state == MF_VIRTUAL_STOPPED || p->state == MF_VIRTUAL_RUNS) {
        return true; /* it has a GO, and gets another one when it is continued */
    }
    const struct mf_virtual_message go = {
        .kind = MF_VIRTUAL_GO, .value = v->processor, .at_ns = v->now_ns, .utc_ns = v->utc_ns};
    p->state = MF_VIRTUAL_RUNS;
    p->wants = false;
    v->asked++;
    v->ops->send(v->ctx, p->id, &go);
    return v->parallel;
}

/* Let processes run, one by one or in parallel. @return true: the round is over */
static bool run_processes(struct mf_virtual *v)
{
    while (v->cursor < v->process_count && (v->parallel || mf_virtual_running(v) == NULL)) {
        if (!run_next(v)) {
            return false;
        }
    }
    return v->cursor >= v->process_count && mf_virtual_running(v) == NULL;
}

static bool all_have_come(const struct mf_virtual *v)
{
    for (uint16_t i = 0; i < v->drone_count; i++) {
        if (v->drone[i].asked) {
            return false;
        }
    }
    return v->drone_count >= v->drones_expected && v->process_count > 0;
}

void mf_virtual_turn(struct mf_virtual *v)
{
    continue_stopped(v);
    switch (v->phase) {
    case MF_VIRTUAL_GATHERS:
        if (all_have_come(v)) {
            say_go_to_all(v);
        }
        return;
    case MF_VIRTUAL_SERVES:
        if (!all_stand(v)) {
            return;
        }
        follow_early(v);
        if (serve_again(v)) {
            return;
        }
        if (have_sent(v) || v->again || somebody_is_due(v)) {
            v->stuck = v->stuck || v->rounds >= MF_VIRTUAL_ROUNDS_MAX;
            begin_round(v);
            break;
        }
        advance_time(v);
        return;
    case MF_VIRTUAL_ASKS:
        break;
    case MF_VIRTUAL_RESTS:
        if (v->again) {
            say_go_to_all(v);
        }
        return;
    }
    if (run_processes(v)) {
        /* other processes may have received bytes from those that ran; a single process receives
         * bytes only from drones */
        v->again = v->again || (v->ran && v->process_count > 1);
        if (v->again || v->ran) {
            say_go_to_all(v);
        } else {
            advance_time(v);
        }
    }
}

void mf_virtual_wake(struct mf_virtual *v)
{
    v->again = v->again || v->phase == MF_VIRTUAL_RESTS;
}
