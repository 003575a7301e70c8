/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes the server of virtual time: processes and two drones say anything in any order. An input
 * is events of a byte each, with what they need behind it: a process connects or disconnects, a
 * message of a process, its end, its stop by a signal, input from outside, a line of a drone. At
 * most one process runs, unless they run side by side, and a GO has the present time, which is not
 * negative.
 */
#include "host/time/virtual_message.h"
#include "host/time/virtual_time.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define PLACES   4
#define DRONES   2
#define LINE_MAX 48u

static struct {
    struct mf_virtual v;
    bool connected[PLACES];
    bool stopped;
} s;

struct input {
    const uint8_t *at;
    size_t n;
};

/* @return the next byte; 0 at the end */
static uint8_t next_byte(struct input *in)
{
    if (in->n == 0) {
        return 0;
    }
    in->n--;
    return *in->at++;
}

/* A time: a few of its values are likely, others are any. */
static int64_t next_time(struct input *in)
{
    const uint8_t kind = next_byte(in);
    uint64_t bits = 0;
    if (kind < 64) {
        return s.v.now_ns + kind * INT64_C(1000000);
    }
    for (unsigned i = 0; kind >= 128 && i < 8; i++) {
        bits = bits << 8 | next_byte(in);
    }
    return kind < 128 ? MF_VIRTUAL_NEVER : (int64_t)bits;
}

static void send(void *ctx, int id, const struct mf_virtual_message *m)
{
    (void)ctx;
    check(id >= 0 && id < PLACES && s.connected[id]);
    check(m->kind == MF_VIRTUAL_GO || m->kind == MF_VIRTUAL_SPAWNED);
    check(m->kind != MF_VIRTUAL_GO || m->at_ns == s.v.now_ns);
}

static void say(void *ctx, int drone, const char *line)
{
    (void)ctx;
    check(drone >= 0 && drone < DRONES && strlen(line) < 128);
}

static bool is_stopped(void *ctx, int32_t pid)
{
    (void)ctx;
    check(pid > 0);
    return s.stopped;
}

static void disconnect(int id)
{
    mf_virtual_closed(&s.v, id);
    s.connected[id] = false;
}

static void connect_or_end(int id)
{
    const struct mf_virtual_message hello = {.kind = MF_VIRTUAL_HELLO,
                                             .value = (int32_t)MF_VIRTUAL_VERSION};
    if (s.connected[id]) {
        disconnect(id);
        return;
    }
    s.connected[id] = true;
    check(mf_virtual_process_came(&s.v, id, id + 1, &hello) == MF_E_OK);
}

static void take_message(struct input *in)
{
    const int id = next_byte(in) % PLACES;
    struct mf_virtual_message m = {.kind = next_byte(in) % 10u};
    m.value = next_byte(in) - 128;
    m.at_ns = next_time(in);
    if (s.connected[id] && !mf_virtual_message_came(&s.v, id, &m)) {
        disconnect(id);
    }
}

static void take_line(struct input *in)
{
    static const char *const k_word[] = {"mayfly ", "at ", " next ", " in ", " out ", "never"};
    char line[LINE_MAX + 16u];
    size_t n = 0;
    const int drone = next_byte(in) % DRONES;
    for (uint8_t c; n < LINE_MAX && (c = next_byte(in)) != 0;) {
        if (c >= 0x80) {
            n += (size_t)snprintf(line + n, sizeof line - n, "%s", k_word[c % 6u]);
        } else {
            line[n++] = (char)c;
        }
    }
    line[n] = '\0';
    mf_virtual_line_came(&s.v, drone, line);
}

static void take_event(struct input *in)
{
    const uint8_t what = next_byte(in);
    switch (what % 8u) {
    case 0:
        connect_or_end(what / 8u % PLACES);
        break;
    case 1:
    case 2:
        take_message(in);
        break;
    case 3:
        if (!s.connected[what / 8u % PLACES]) {
            mf_virtual_ended(&s.v, what / 8u % PLACES + 1);
        }
        break;
    case 4:
        (void)mf_virtual_stopped(&s.v, what / 8u % PLACES);
        break;
    case 5:
        s.stopped = what >= 128;
        mf_virtual_wake(&s.v);
        break;
    case 6:
        if (what >= 248) {
            mf_virtual_drone_left(&s.v, 1);
        }
        break;
    default:
        take_line(in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mf_virtual_ops k_ops = {send, say, is_stopped};
    struct input in = {data, size};
    if (size > 512) {
        return 0;
    }
    memset(&s, 0, sizeof s);
    mf_virtual_init(&s.v, &k_ops, NULL, DRONES, 0);
    s.v.parallel = size % 4u == 3;
    for (int i = 0; i < DRONES; i++) {
        check(mf_virtual_drone_came(&s.v) == i);
    }
    while (in.n > 0 && !s.v.stuck) {
        unsigned running = 0;
        take_event(&in);
        mf_virtual_turn(&s.v);
        check(s.v.now_ns >= 0 && s.v.process_count <= PLACES);
        for (uint16_t i = 0; i < s.v.process_count; i++) {
            running += s.v.process[i].state == MF_VIRTUAL_RUNS ? 1u : 0u;
        }
        check(running <= 1 || s.v.parallel || s.v.stops);
    }
    return 0;
}
