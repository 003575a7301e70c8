/* SPDX-License-Identifier: Apache-2.0 */
/**
 * GZ-21: fuzzes the frames of the bus: any bytes, cut at random by the first ones. However they are
 * cut the same frames come out, every payload is read or refused with a text, and what is written
 * is read back.
 */
#include "fleet/bus.h"
#include "hal/types.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void read_payload(const struct mf_bus_frame *f)
{
    struct mf_bus_hello hello;
    struct mf_bus_path path;
    struct mf_bus_order order;
    struct mf_bus_done done;
    const char *why = NULL;
    double p = 0.0;
    size_t at = 0, orders = 0;
    if (mf_bus_hello(f, &hello) == NULL) {
        check(memchr(hello.name, 0, sizeof hello.name) != NULL);
        check(memchr(hello.token, 0, sizeof hello.token) != NULL);
        check(hello.role >= MF_BUS_CONTROLLER && hello.role <= MF_BUS_SIMULATOR);
    }
    if (mf_bus_path(f, &path) == NULL) {
        check(path.where <= MF_SEARCH_LAST && path.goals * MF_BUS_GOAL_BYTES + 8u == f->n);
        for (size_t i = 0; i < path.goals; i++) {
            const struct mf_mover_goal g = mf_bus_goal(&path, i);
            check(g.at_m.n >= -1e9f && g.at_m.n <= 1e9f && g.speed_mps >= -1e9f);
        }
    }
    while (mf_bus_order(f, &at, &order, &why)) {
        check(order.n <= MF_PAYLOAD_MAX && order.payload + order.n <= f->payload + f->n);
        orders++;
    }
    check(at <= f->n && (why != NULL || at == f->n) && orders <= f->n);
    struct mf_bus_pose pose;
    struct mf_bus_packet packet;
    for (at = 0; mf_bus_pose(f, &at, &pose, &why);) {
        check(at <= f->n);
    }
    check(why != NULL || at == f->n);
    for (at = 0; mf_bus_packet(f, &at, &packet, &why);) {
        check(packet.n <= MF_PACKET_BYTES_MAX && packet.bytes + packet.n <= f->payload + f->n);
    }
    check(at <= f->n && (why != NULL || at == f->n));
    (void)mf_bus_done(f, &done);
    (void)mf_bus_detection(f, &p);
}

/* All frames of the bytes, in pieces of at most @p piece. @return what they come to */
static uint64_t read_all(const uint8_t *data, size_t size, size_t piece)
{
    static struct mf_bus_reader s_reader;
    uint64_t sum = 0;
    size_t at = 0;
    memset(&s_reader, 0, sizeof s_reader);
    for (;;) {
        struct mf_bus_frame f;
        const char *why = NULL;
        size_t room = 0, n = 0;
        int result = mf_bus_next(&s_reader, 0, &f, &why);
        if (result == MF_E_AGAIN && at < size) {
            uint8_t *to = mf_bus_room(&s_reader, &room);
            n = size - at < piece ? size - at : piece;
            n = n < room ? n : room;
            memcpy(to, data + at, n);
            at += n;
            result = mf_bus_next(&s_reader, n, &f, &why);
        }
        if (result == MF_E_OK) {
            check(f.n <= MF_BUS_PAYLOAD_MAX);
            sum = sum * 31u + f.type + f.n * 7u + f.ns + f.tick;
            read_payload(&f);
        } else if (result == MF_E_RANGE) {
            check(why != NULL);
            return sum * 31u + 1u;
        } else if (at == size) {
            return sum;
        }
    }
}

static void write_and_read(const uint8_t *data, size_t size)
{
    static struct mf_bus_writer s_writer;
    const size_t n = size < 4096 ? size : 4096;
    mf_bus_begin(&s_writer, MF_BUS_ORDERS, 7, 9);
    for (size_t i = 0; i < n; i++) {
        mf_bus_put_u(&s_writer, data[i], 1);
    }
    mf_bus_end(&s_writer);
    check(s_writer.n == MF_BUS_HEADER + n);
    check(read_all(s_writer.bytes, s_writer.n, 5) == MF_BUS_ORDERS + n * 7u + 9u + 7u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const size_t piece = 1u + data[0];
    const uint64_t whole = read_all(data + 1, size - 1u, SIZE_MAX);
    check(read_all(data + 1, size - 1u, piece) == whole);
    write_and_read(data + 1, size - 1u);
    return 0;
}
