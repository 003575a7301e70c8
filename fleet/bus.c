/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of the bus's frames. Called by boards/swarm (bus, frames, bus_world,
 * search_bus, network_outside, page) and boards/view. */
#include "fleet/bus.h"

#include "fleet/bytes.h"
#include "hal/assert.h"
#include "hal/types.h"

#include <stdio.h>
#include <string.h>

#define ORDER_BYTES   12u /* bytes before the payload of an order */
#define ARRIVAL_BYTES 24u /* bytes before an arrived packet */

/* ---- frames */

uint8_t *mf_bus_room(struct mf_bus_reader *r, size_t *room)
{
    memmove(r->bytes, r->bytes + r->used, r->have - r->used);
    r->have -= r->used;
    r->used = 0;
    *room = sizeof r->bytes - r->have;
    MF_ASSERT(*room > 0); /* callers take a complete frame before they ask for more room */
    return r->bytes + r->have;
}

size_t mf_bus_length(const uint8_t *bytes, size_t n, const char **why)
{
    const size_t payload = n >= MF_BUS_HEADER ? (size_t)mf_bytes_u(bytes + 2, 2) : 0;
    if (n > 0 && bytes[0] != MF_BUS_VERSION) {
        *why = "uses another version of the bus: this is version 1";
    } else if (payload > MF_BUS_PAYLOAD_MAX) {
        *why = "sends a frame of more than 64 kB";
    }
    return MF_BUS_HEADER + payload;
}

int mf_bus_next(struct mf_bus_reader *r, size_t taken, struct mf_bus_frame *frame, const char **why)
{
    r->have += taken;
    MF_ASSERT(r->have <= sizeof r->bytes && r->used <= r->have);
    const uint8_t *at = r->bytes + r->used;
    const size_t have = r->have - r->used;
    const char *wrong = NULL;
    const size_t length = mf_bus_length(at, have, &wrong);
    if (wrong != NULL) {
        *why = wrong;
        return MF_E_RANGE;
    }
    if (have < length) {
        return MF_E_AGAIN;
    }
    *frame = (struct mf_bus_frame){at[1], mf_bytes_u32(at + 4), mf_bytes_u(at + 8, 8),
                                   at + MF_BUS_HEADER, length - MF_BUS_HEADER};
    r->used += length;
    return MF_E_OK;
}

/* ---- payloads that arrive */

const char *mf_bus_hello(const struct mf_bus_frame *f, struct mf_bus_hello *hello)
{
    memset(hello, 0, sizeof *hello);
    if (f->type != MF_BUS_HELLO || f->n < 1u + MF_BUS_NAME_MAX ||
        f->n >= 1u + MF_BUS_NAME_MAX + MF_BUS_TOKEN_MAX) {
        return "must begin with HELLO: role, name of 32 bytes, token";
    }
    hello->role = f->payload[0];
    memcpy(hello->name, f->payload + 1, MF_BUS_NAME_MAX);
    memcpy(hello->token, f->payload + 1 + MF_BUS_NAME_MAX, f->n - 1u - MF_BUS_NAME_MAX);
    for (size_t i = 0; i < MF_BUS_NAME_MAX && hello->name[i] != '\0'; i++) {
        if (hello->name[i] < ' ' || hello->name[i] > '~') {
            hello->name[0] = '\0'; /* nor may a caller print such a name */
            return "has a name that is not of printable characters";
        }
    }
    if (hello->name[MF_BUS_NAME_MAX - 1u] != '\0') {
        hello->name[0] = '\0';
        return "has a name of more than 31 characters";
    }
    return hello->role >= MF_BUS_CONTROLLER && hello->role <= MF_BUS_SIMULATOR
               ? NULL
               : "has an unknown role, allowed: controller (1), observer (2), feed (3), "
                 "network (4)";
}

const char *mf_bus_path(const struct mf_bus_frame *f, struct mf_bus_path *path)
{
    if (f->n < 8u || (f->n - 8u) % MF_BUS_GOAL_BYTES != 0 || f->payload[4] > MF_SEARCH_LAST) {
        return "sends a PATH that is not member, where (0 to 2), goals of 32 bytes";
    }
    *path = (struct mf_bus_path){mf_bytes_u32(f->payload), (enum mf_search_where)f->payload[4],
                                 (f->n - 8u) / MF_BUS_GOAL_BYTES, f->payload + 8};
    return NULL;
}

struct mf_mover_goal mf_bus_goal(const struct mf_bus_path *path, size_t i)
{
    MF_ASSERT(i < path->goals);
    const uint8_t *at = path->goal + i * MF_BUS_GOAL_BYTES; /* north, east, up, speed */
    float x[4];
    for (size_t k = 0; k < 4u; k++) {
        const double d = mf_bytes_f64(at + 8u * k);
        x[k] = d >= -1e9 && d <= 1e9 ? (float)d : -1e9f; /* outside any area */
    }
    return (struct mf_mover_goal){{x[1], x[0], x[2]}, x[3]};
}

const char *mf_bus_done(const struct mf_bus_frame *f, struct mf_bus_done *done)
{
    if (f->n != 16u || f->payload[8] > 1u) {
        return "sends a DONE that is not until, on report (0, 1), 7 zeros";
    }
    *done = (struct mf_bus_done){mf_bytes_u(f->payload, 8), f->payload[8] != 0};
    return NULL;
}

const char *mf_bus_clock(const struct mf_bus_frame *f, struct mf_bus_clock *clock)
{
    if (f->n != 16u || f->payload[0] < MF_BUS_CLOCK_HOLD || f->payload[0] > MF_BUS_CLOCK_RATE) {
        return "sends a CLOCK that is not action (1 to 4), 7 zeros, value";
    }
    const double value = mf_bytes_f64(f->payload + 8);
    if (!(value >= 0.0 && value <= 1e9)) {
        return "sends a CLOCK whose value is not 0 to 1000000000";
    }
    *clock = (struct mf_bus_clock){f->payload[0], value};
    return NULL;
}

bool mf_bus_order(const struct mf_bus_frame *f, size_t *at, struct mf_bus_order *order,
                  const char **why)
{
    *why = NULL;
    if (*at == f->n) {
        return false;
    }
    const size_t left = f->n - *at;
    const uint8_t *o = f->payload + *at;
    const size_t n = left >= ORDER_BYTES ? (size_t)mf_bytes_u(o + 8, 4) : SIZE_MAX;
    if (n > MF_PAYLOAD_MAX || left - ORDER_BYTES < n) {
        *why = "sends ORDERS that are not member, message, length, payload";
        return false;
    }
    *order = (struct mf_bus_order){mf_bytes_u32(o), mf_bytes_u32(o + 4), o + ORDER_BYTES, n};
    *at += ORDER_BYTES + n;
    return true;
}

bool mf_bus_arrival(const struct mf_bus_frame *f, size_t *at, struct mf_bus_arrival *arrival,
                    const char **why)
{
    MF_ASSERT(*at <= f->n);
    const uint8_t *p = f->payload + *at;
    const size_t left = f->n - *at;
    *why = NULL;
    if (left == 0) {
        return false;
    }
    const size_t n = left >= ARRIVAL_BYTES ? (size_t)mf_bytes_u(p + 20, 2) : SIZE_MAX;
    if (n == SIZE_MAX || n > left - ARRIVAL_BYTES) {
        *why = "sends ARRIVALS whose length is not that of its packets";
        return false;
    }
    *arrival = (struct mf_bus_arrival){mf_bytes_u(p, 8),
                                       mf_bytes_u32(p + 8),
                                       mf_bytes_u32(p + 12),
                                       mf_bytes_u32(p + 16),
                                       p + ARRIVAL_BYTES,
                                       n,
                                       (uint32_t)mf_bytes_u(p + 22, 2)};
    *at += ARRIVAL_BYTES + n;
    return true;
}

const char *mf_bus_written(const struct mf_bus_frame *f, struct mf_bus_written *written)
{
    *written = (struct mf_bus_written){0};
    if (f->n != 8 && f->n != 16) {
        return "sends WRITTEN that is not one number or two";
    }
    written->vehicles = mf_bytes_u(f->payload, 8);
    written->clients = f->n == 16 ? mf_bytes_u(f->payload + 8, 8) : 0;
    return NULL;
}

bool mf_bus_pose(const struct mf_bus_frame *f, size_t *at, struct mf_bus_pose *pose,
                 const char **why)
{
    *why = f->n % MF_BUS_POSE_BYTES != 0 ? "sends POSES that are not of 48 bytes each" : NULL;
    if (*why != NULL || *at == f->n) {
        return false;
    }
    const uint8_t *p = f->payload + *at; /* member, zeros, place, velocity, heading */
    *pose =
        (struct mf_bus_pose){.member = mf_bytes_u32(p), .yaw_rad = (double)mf_bytes_f32(p + 44)};
    for (size_t k = 0; k < 3; k++) {
        pose->neu_m[k] = mf_bytes_f64(p + 8u + 8u * k);
        pose->vel_neu_mps[k] = (double)mf_bytes_f32(p + 32u + 4u * k);
    }
    *at += MF_BUS_POSE_BYTES;
    return true;
}

bool mf_bus_packet(const struct mf_bus_frame *f, size_t *at, struct mf_bus_packet *packet,
                   const char **why)
{
    static char s_why[96];
    const size_t left = f->n - *at;
    const uint8_t *p = f->payload + *at;
    *why = NULL;
    if (left == 0) {
        return false;
    }
    if (left < MF_BUS_PACKET_BYTES || p[4] > 1u) {
        *why = "sends PACKETS that are not member, heard (0, 1), origin, number, strength, length";
        return false;
    }
    const size_t n = (size_t)mf_bytes_u(p + 20, 4);
    if (n > MF_PACKET_BYTES_MAX) {
        (void)snprintf(s_why, sizeof s_why,
                       "sends a packet of %zu bytes for a radio, which takes %u at most", n,
                       MF_PACKET_BYTES_MAX);
        *why = s_why;
        return false;
    }
    if (left - MF_BUS_PACKET_BYTES < n) {
        *why = "sends PACKETS whose last one is cut off";
        return false;
    }
    *packet = (struct mf_bus_packet){.member = mf_bytes_u32(p),
                                     .heard = p[4] == 1u,
                                     .origin = mf_bytes_u32(p + 8),
                                     .number = mf_bytes_u32(p + 12),
                                     .strength_dbm = (double)mf_bytes_f32(p + 16),
                                     .bytes = p + MF_BUS_PACKET_BYTES,
                                     .n = n};
    *at += MF_BUS_PACKET_BYTES + n;
    return true;
}

const char *mf_bus_detection(const struct mf_bus_frame *f, double *p)
{
    if (f->n != 8u) {
        return "answers LOOKS with DETECTIONS that are not one number";
    }
    *p = mf_bytes_f64(f->payload);
    return NULL;
}

/* ---- payloads that leave */

void mf_bus_begin(struct mf_bus_writer *w, enum mf_bus_type type, uint32_t tick, uint64_t ns)
{
    w->n = 0;
    mf_bus_put_u(w, MF_BUS_VERSION, 1);
    mf_bus_put_u(w, (uint64_t)type, 1);
    mf_bus_put_u(w, 0, 2);
    mf_bus_put_u(w, tick, 4);
    mf_bus_put_u(w, ns, 8);
}

bool mf_bus_fits(const struct mf_bus_writer *w, size_t n)
{
    return w->n + n <= MF_BUS_HEADER + MF_BUS_PAYLOAD_MAX;
}

void mf_bus_put_u(struct mf_bus_writer *w, uint64_t value, size_t bytes)
{
    MF_ASSERT(mf_bus_fits(w, bytes));
    (void)mf_bytes_put_u(w->bytes + w->n, value, bytes);
    w->n += bytes;
}

void mf_bus_put_f32(struct mf_bus_writer *w, float x)
{
    MF_ASSERT(mf_bus_fits(w, sizeof x));
    (void)mf_bytes_put_f32(w->bytes + w->n, x);
    w->n += sizeof x;
}

void mf_bus_put_f64(struct mf_bus_writer *w, double x)
{
    MF_ASSERT(mf_bus_fits(w, sizeof x));
    (void)mf_bytes_put_f64(w->bytes + w->n, x);
    w->n += sizeof x;
}

void mf_bus_put_text(struct mf_bus_writer *w, const char *text, size_t size, bool fixed)
{
    const size_t length = strlen(text), n = length < size ? length : size;
    MF_ASSERT(mf_bus_fits(w, fixed ? size : n));
    memset(w->bytes + w->n, 0, fixed ? size : n);
    memcpy(w->bytes + w->n, text, n);
    w->n += fixed ? size : n;
}

void mf_bus_put_raw(struct mf_bus_writer *w, const void *from, size_t n)
{
    MF_ASSERT(mf_bus_fits(w, n));
    if (n > 0) {
        memcpy(w->bytes + w->n, from, n);
    }
    w->n += n;
}

void mf_bus_put_packet(struct mf_bus_writer *w, const struct mf_bus_packet *packet)
{
    mf_bus_put_u(w, packet->member, 4);
    mf_bus_put_u(w, packet->heard ? 1u : 0u, 4);
    mf_bus_put_u(w, packet->origin, 4);
    mf_bus_put_u(w, packet->number, 4);
    mf_bus_put_f32(w, (float)packet->strength_dbm);
    mf_bus_put_u(w, packet->n, 4);
    mf_bus_put_raw(w, packet->bytes, packet->n);
}

void mf_bus_end(struct mf_bus_writer *w)
{
    (void)mf_bytes_put_u(w->bytes + 2, w->n - MF_BUS_HEADER, 2);
}
