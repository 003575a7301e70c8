/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that a swarm reads from others: frames of the bus and of hosts, heads of checkpoints. */
#include "fleet/bus.h"
#include "fleet/hosts.h"
#include "hal-sim/image.h"
#include "tests/prove/any.h"

void prove_bus(void);
void prove_bus_stream(void);
void prove_hosts(void);
void prove_image(void);

static uint8_t bytes[128];

/* ---- the bus */

static void read_whole(const struct mf_bus_frame *f)
{
    struct mf_bus_hello hello;
    struct mf_bus_path path;
    struct mf_bus_done done;
    struct mf_bus_clock clock;
    struct mf_bus_written written;
    double p = 0.0;
    if (mf_bus_hello(f, &hello) == NULL) {
        must_hold(hello.role >= MF_BUS_CONTROLLER && hello.role <= MF_BUS_SIMULATOR);
        must_hold(hello.name[MF_BUS_NAME_MAX - 1u] == '\0');
    }
    if (mf_bus_path(f, &path) == NULL && path.goals > 0) {
        (void)mf_bus_goal(&path, any_size(0, path.goals - 1));
    }
    (void)mf_bus_done(f, &done);
    (void)mf_bus_clock(f, &clock);
    (void)mf_bus_written(f, &written);
    (void)mf_bus_detection(f, &p);
}

/* Records of a frame from any offset, to which the one before may have led. */
static void read_records(const struct mf_bus_frame *f, size_t from)
{
    struct mf_bus_order order;
    struct mf_bus_arrival arrival;
    struct mf_bus_packet packet;
    const char *why = NULL;
    size_t at = from;
    if (mf_bus_order(f, &at, &order, &why)) {
        must_be_readable(order.payload, order.n);
        must_hold(at <= f->n && order.n <= MF_PAYLOAD_MAX);
    }
    at = from;
    if (mf_bus_arrival(f, &at, &arrival, &why)) {
        must_be_readable(arrival.bytes, arrival.n);
        must_hold(at <= f->n);
    }
    at = from;
    if (mf_bus_packet(f, &at, &packet, &why)) {
        must_be_readable(packet.bytes, packet.n);
        must_hold(at <= f->n && packet.n <= MF_PACKET_BYTES_MAX);
    }
}

/* Frames of any type and bytes, behind which nothing may be read: each length, and each rest of the
 * longest. */
void prove_bus(void)
{
    struct mf_bus_frame f = {.type = (uint8_t)any(0, UINT8_MAX), .ns = (uint64_t)any(0, INT64_MAX)};
    any_bytes(bytes, sizeof bytes);
    for (f.n = 0; f.n <= sizeof bytes; f.n++) {
        f.payload = bytes + sizeof bytes - f.n;
        read_whole(&f);
    }
    f.n = sizeof bytes;
    f.payload = bytes;
    for (size_t at = 0; at <= f.n; at++) {
        read_records(&f, at);
    }
    f.n = 2 * MF_BUS_POSE_BYTES;
    f.payload = bytes + sizeof bytes - f.n;
    for (size_t at = 0; at <= f.n; at += MF_BUS_POSE_BYTES) {
        struct mf_bus_pose pose;
        const char *why = NULL;
        size_t next = at;
        (void)mf_bus_pose(&f, &next, &pose, &why);
        must_hold(next <= f.n);
    }
}

/* A stream of any bytes in any pieces: a call, from any state with a frame at @p used. */
void prove_bus_stream(void)
{
    static struct mf_bus_reader reader;
    static const size_t k_used[] = {0, 16, MF_BUS_FRAME_MAX - 300, MF_BUS_FRAME_MAX};
    static const size_t k_have[] = {0, 1, 15, 16, 17, 300};
    for (size_t i = 0; i < sizeof k_used / sizeof k_used[0]; i++) {
        for (size_t k = 0; k < sizeof k_have / sizeof k_have[0]; k++) {
            struct mf_bus_frame f;
            const char *why = NULL;
            size_t room = 0;
            any_bytes(reader.bytes, sizeof reader.bytes);
            reader.used = k_used[i];
            reader.have = k_used[i] + k_have[k];
            if (reader.have > sizeof reader.bytes) {
                continue;
            }
            if (mf_bus_next(&reader, 0, &f, &why) == MF_E_OK) {
                must_be_readable(f.payload, f.n);
                must_hold(reader.used <= reader.have);
            } else {
                uint8_t *at = mf_bus_room(&reader, &room);
                must_be_writable(at, room);
            }
        }
    }
}

/* ---- hosts */

static void read_record(struct mf_hosts_record *r)
{
    double numbers[3];
    float shares[2];
    char text[16];
    uint8_t raw[24];
    must_be_readable(r->at, r->n);
    mf_hosts_text(r, text, sizeof text);
    (void)mf_hosts_u(r, 1);
    (void)mf_hosts_time(r);
    mf_hosts_f32(r, shares, 2, 1.0f);
    mf_hosts_f64(r, numbers, 3, 1e9);
    mf_hosts_raw(r, raw, sizeof raw);
    must_be_readable(raw, sizeof raw);
    must_be_readable(numbers, sizeof numbers);
}

/* Heads of any bytes, and records of a frame of any bytes from each offset. */
void prove_hosts(void)
{
    struct mf_hosts_head head;
    const char *why = NULL;
    any_bytes(bytes, sizeof bytes);
    if (mf_hosts_head(bytes + sizeof bytes - MF_HOSTS_HEADER, MF_HOSTS_HELLO_MAX, &head, &why) ==
        MF_E_OK) {
        must_hold(head.n <= MF_HOSTS_HELLO_MAX && head.type < MF_HOSTS_TYPES);
    }
    for (size_t from = 0; from <= sizeof bytes; from++) {
        struct mf_hosts_record r;
        size_t at = from;
        bool bad = false;
        if (mf_hosts_next(bytes, sizeof bytes, &at, &r, &bad)) {
            must_hold(at <= sizeof bytes && r.kind != MF_HOSTS_NONE_ && r.kind < MF_HOSTS_KINDS);
            read_record(&r);
        }
    }
}

/* ---- checkpoints */

static bool give(void *ctx, void *at, size_t n)
{
    (void)ctx;
    must_be_writable(at, n);
    any_bytes(at, n);
    return either() != 0;
}

/* An image of any bytes, as long as its head says. */
void prove_image(void)
{
    static uint8_t fixed[40], free_part[24];
    static const struct mf_image_key k_key = {1, 2};
    struct mf_image_part part[2] = {{fixed, sizeof fixed}, {NULL, 0}};
    struct mf_image_head head;
    any_bytes(&head, sizeof head);
    const uint64_t size = sizeof head + sizeof fixed + sizeof free_part;
    (void)mf_image_why_text(mf_image_check(&head, (uint64_t)any(0, INT64_MAX), &k_key, part, 2));
    part[0] = (struct mf_image_part){fixed, sizeof fixed};
    part[1] = (struct mf_image_part){NULL, 0};
    if (mf_image_check(&head, size, &k_key, part, 2) == MF_IMAGE_OK) {
        must_hold(part[1].bytes <= sizeof free_part);
        part[1].at = free_part;
        for (uint64_t n = 0; n <= sizeof free_part; n++) { /* Eva tells lengths apart like this */
            if (part[1].bytes == n) {
                part[1].bytes = n;
                (void)mf_image_read(&head, part, 2, give, NULL);
            }
        }
    }
}
