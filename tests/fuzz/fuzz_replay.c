/* SPDX-License-Identifier: Apache-2.0 */
/**
 * SBE-20: fuzzes recordings of ghosts and of the bus: any bytes as the file of --replay end the run
 * with an error of one line, or fly, and then a second replay has the same hash. The first byte
 * chooses the scenario, and whether the rest are the file as it is, or records without their heads:
 * then bytes of type, source, link, time since the record before [10 ms] and length go before each.
 */
#include "fleet/bytes.h"
#include "tests/fuzz/fuzz_swarm.h"

#define FIRST_LINE "mayfly-ghosts 1 1 0 5\n"
#define AS_IS      0x80u
#define FILE_BYTES 65536u
#define END_TYPE   5u
#define HEAD       16u
#define SHORT_HEAD 5u

/* Ghosts by the bus, with bodies, sensors and radios; by links, with behaviours that give orders
 * and wait, with motion capture and in lockstep; orders of the bus for vehicles and agents. */
static const char *const k_text[] = {
    "{swarm: 1, time: {clock: fast, end: 3}, medium: {kind: free_space, range: 100}, "
    "bus: {listen: 'unix:~/bus', tick: 0.1}, entities: ["
    "{name: g, count: 2, as: ghost, link: bus, place: {list: [[5, 0, 10], [5, 5, 10]]}, "
    "hold_after: 0.5, lost_after: 1, speed_max: 50, body: {radius: 1}, radio: cc2420}, "
    "{name: door, as: ghost, thing: object, link: bus, place: [9, 0, 0], "
    "body: {shape: box, size: [2, 8, 3]}}, "
    "{name: a, as: agent, place: [0, 0, 10], radio: cc2420, "
    "send: {every: 1, start: 0.5, bytes: [1, 2, 3]}}, "
    "{name: b, as: agent, place: [30, 0, 10], body: {radius: 0.5}, "
    "sensors: [{kind: range, rate: 10, reach: 50}, {kind: contact, rate: 10}]}]}",
    "{swarm: 1, time: {clock: real, end: 3}, medium: {kind: free_space, range: 100}, entities: ["
    "{name: a, count: 2, as: ghost, link: {list: ['udp:14999#1', 'udp:14999#2']}, "
    "place: {list: [[5, 0, 10], [5, 5, 10]]}, radio: cc2420, lost_after: 1, "
    "behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}, "
    "{name: m, as: ghost, mocap: {list: ['udp:14998#3']}, lost_after: 1}, "
    "{name: t, as: ghost, link: 'tcpout:127.0.0.1:14997', time_socket: 'tcp:127.0.0.1:14996', "
    "behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}, "
    "{name: b, as: agent, place: [0, 0, 10], radio: cc2420, "
    "send: {every: 1, start: 0.5, bytes: [1, 2, 3]}}]}",
    "{swarm: 1, time: {clock: fast, end: 3}, bus: {listen: 'unix:~/bus', tick: 0.1}, "
    "entities: [{name: v, count: 2, place: {grid: [2, 1], spacing: 20}}, "
    "{name: a, count: 2, as: agent, place: {cube: [0, 20]}, start: 0, "
    "behaviour: {kind: walk, rate: 5, speed_max: 2, height: 10}}, "
    "{name: g, as: ghost, link: bus}]}",
};

#define TEXTS (sizeof k_text / sizeof k_text[0])

static uint8_t s_file[FILE_BYTES];
static size_t s_n;

static void put(const uint8_t *head, int64_t at_us, const uint8_t *bytes, size_t n)
{
    if (s_n + HEAD + n > FILE_BYTES) {
        return;
    }
    uint8_t *at = s_file + s_n;
    at = mf_bytes_put_u(at, head[0], 1);
    at = mf_bytes_put_u(at, head[1], 1);
    at = mf_bytes_put_u(at, head[2], 2);
    at = mf_bytes_put_u(at, n, 4);
    at = mf_bytes_put_u(at, (uint64_t)at_us, 8);
    if (n > 0) {
        memcpy(at, bytes, n);
    }
    s_n += HEAD + n;
}

/* Records with heads of five bytes, and the end behind them. */
static void make_file(const uint8_t *data, size_t size)
{
    static const uint8_t k_end[3] = {END_TYPE, 0, 0};
    int64_t at_us = -1;
    for (size_t at = 0; at + SHORT_HEAD <= size;) {
        const uint8_t *head = data + at;
        const size_t left = size - at - SHORT_HEAD;
        const size_t n = head[4] < left ? head[4] : left;
        at_us += head[3] * 10000;
        put(head, at_us, head + SHORT_HEAD, n);
        at += SHORT_HEAD + n;
    }
    put(k_end, 3000000, NULL, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > FILE_BYTES / 4u) {
        return 0;
    }
    s_n = 0;
    if ((data[0] & AS_IS) != 0) {
        memcpy(s_file, data + 1, size - 1u);
        s_n = size - 1u;
    } else {
        memcpy(s_file, FIRST_LINE, sizeof FIRST_LINE - 1u);
        s_n = sizeof FIRST_LINE - 1u;
        make_file(data + 1, size - 1u);
    }
    const char *path = fuzz_file_path(s_file, s_n);
    uint64_t digest[2] = {0};
    int result[2];
    for (size_t k = 0; k < 2; k++) {
        (void)fuzz_swarm_begin(k_text[(data[0] & ~AS_IS) % TEXTS], path);
        result[k] = fuzz_swarm_fly();
        digest[k] = s_swarm.digest;
    }
    check(result[0] == result[1] && digest[0] == digest[1]);
    return 0;
}
