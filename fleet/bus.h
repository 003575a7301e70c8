/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames of the bus (docs/bus.md), by which a swarm and programs outside exchange data. This file
 * encodes and decodes bytes; boards/swarm/outside/bus.h has the connections.
 *
 * A frame is a header and a payload, little endian:
 *
 *     u8 version   u8 type   u16 length of the payload   u32 tick   u64 ns   payload
 *
 * Frames from outside are untrusted: a reader refuses a wrong one with a text that names the
 * fault.
 */
#ifndef MF_FLEET_BUS_H
#define MF_FLEET_BUS_H

#include "fleet/search.h"
#include "mavlink/message.h"
#include "world/medium.h"

#define MF_BUS_VERSION     1u
#define MF_BUS_HEADER      16u
#define MF_BUS_FRAME_MAX   65536u
#define MF_BUS_PAYLOAD_MAX (MF_BUS_FRAME_MAX - MF_BUS_HEADER)
#define MF_BUS_NAME_MAX    32u
#define MF_BUS_TOKEN_MAX   130u

/** Types of frames: name and number. */
#define MF_BUS_TYPE_LIST(X) \
    X(HELLO, 1)             \
    X(DONE, 2)              \
    X(PATH, 3)              \
    X(ORDERS, 4)            \
    X(DETECTIONS, 5)        \
    X(POSES, 6)             \
    X(PACKETS, 7)           \
    X(ARRIVALS, 8)          \
    X(CLIENTS, 10)          \
    X(WRITTEN, 9)           \
    X(CLOCK, 16)            \
    X(TASK, 17)             \
    X(WELCOME, 65)          \
    X(ENTITY, 66)           \
    X(AREA, 67)             \
    X(PARAMS, 68)           \
    X(STATE, 69)            \
    X(REPORTS, 70)          \
    X(LOOKS, 71)            \
    X(ACKS, 72)             \
    X(TURN, 73)             \
    X(STATISTICS, 74)       \
    X(END, 75)              \
    X(ERROR, 76)            \
    X(COMMANDS, 77)         \
    X(HEARD, 78)            \
    X(NETWORK, 80)          \
    X(SENDS, 81)            \
    X(RUN, 82)              \
    X(REACHED, 83)          \
    X(OBSTACLES, 96)        \
    X(RASTER, 97)           \
    X(TIME, 98)             \
    X(SCENE, 99)            \
    X(RECEPTIONS, 100)      \
    X(RECORDED, 101)        \
    X(TASKS, 104)           \
    X(ANSWERS, 105)         \
    X(SENSED, 106)          \
    X(CELLS, 107)

enum mf_bus_type {
#define X(name, number) MF_BUS_##name = (number),
    MF_BUS_TYPE_LIST(X)
#undef X
};

enum mf_bus_role {
    MF_BUS_CONTROLLER = 1,
    MF_BUS_OBSERVER = 2,
    MF_BUS_FEED = 3,
    MF_BUS_SIMULATOR = 4
};

/** Requests of an operator to the clock. */
enum mf_bus_clock_action {
    MF_BUS_CLOCK_HOLD = 1,
    MF_BUS_CLOCK_RESUME = 2,
    MF_BUS_CLOCK_RUN = 3,  /**< run for a number of seconds, then hold */
    MF_BUS_CLOCK_RATE = 4, /**< run at a number of seconds per second of the wall */
};

/** Sizes of the records that a frame repeats. */
#define MF_BUS_GOAL_BYTES       32u
#define MF_BUS_STATE_BYTES      48u
#define MF_BUS_REPORT_BYTES     24u
#define MF_BUS_LOOK_BYTES       64u
#define MF_BUS_ACK_BYTES        12u
#define MF_BUS_STATISTICS_BYTES 56u
#define MF_BUS_OBSTACLE_BYTES   40u
#define MF_BUS_POSE_BYTES       48u
#define MF_BUS_PACKET_BYTES     24u /* without the bytes of the packet */

/* ---- reading */

/** A complete frame. The payload points into the reader, and is valid until the reader's next
 * call. */
struct mf_bus_frame {
    uint8_t type;
    uint32_t tick;
    uint64_t ns;
    const uint8_t *payload;
    size_t n;
};

/** Buffer of a byte stream. Zero it to begin. */
struct mf_bus_reader {
    uint8_t bytes[MF_BUS_FRAME_MAX];
    size_t have, used; /* used: end of the last frame that mf_bus_next() returned */
};

/** @brief Buffer for the next bytes of the stream. @param room  out: its size, > 0 */
uint8_t *mf_bus_room(struct mf_bus_reader *r, size_t *room);

/** @brief Length of the frame that begins with these bytes, as far as they show it.
 * @param why  out: a static text if they do not begin a frame; else untouched
 * @return bytes with the header, at least MF_BUS_HEADER */
size_t mf_bus_length(const uint8_t *bytes, size_t n, const char **why);

/** @brief Take the next frame from the buffer. @param taken  bytes put into mf_bus_room() since the
 * last call @param why  out: a static text
 * @return MF_E_OK; MF_E_AGAIN: the frame is incomplete; MF_E_RANGE: the bytes are not a frame, and
 * @p why says why */
int mf_bus_next(struct mf_bus_reader *r, size_t taken, struct mf_bus_frame *frame,
                const char **why);

struct mf_bus_hello {
    uint8_t role; /**< enum mf_bus_role */
    char name[MF_BUS_NAME_MAX];
    char token[MF_BUS_TOKEN_MAX];
};

struct mf_bus_path {
    uint32_t member;
    enum mf_search_where where;
    size_t goals;
    const uint8_t *goal; /**< records, which mf_bus_goal() decodes */
};

struct mf_bus_order {
    uint32_t member;
    uint32_t msgid;
    const uint8_t *payload; /**< payload of a MAVLink 2 message */
    size_t n;
};

struct mf_bus_done {
    uint64_t until_ns;
    bool on_report;
};

struct mf_bus_clock {
    uint8_t action; /**< enum mf_bus_clock_action */
    double value;   /**< seconds of RUN, rate of RATE */
};

/** Reported pose of a ghost: north, east, up of the origin. */
struct mf_bus_pose {
    uint32_t member;
    double neu_m[3];
    double vel_neu_mps[3]; /**< NAN: unknown */
    double yaw_rad;
};

/** A packet of a member's radio, which the member is to send, has sent, or has received. */
struct mf_bus_packet {
    uint32_t member;
    bool heard;      /**< true: received; false: sent */
    uint32_t origin; /**< sender of a received packet */
    uint32_t number;
    double strength_dbm;
    const uint8_t *bytes;
    size_t n; /**< at most MF_PACKET_BYTES_MAX */
};

/* Decode payloads. Each returns NULL, or a static text that says why the payload is wrong.
 * mf_bus_hello() empties a name that it refuses, so that callers can print it. */
const char *mf_bus_hello(const struct mf_bus_frame *f, struct mf_bus_hello *hello);
const char *mf_bus_path(const struct mf_bus_frame *f, struct mf_bus_path *path);
const char *mf_bus_done(const struct mf_bus_frame *f, struct mf_bus_done *done);
const char *mf_bus_clock(const struct mf_bus_frame *f, struct mf_bus_clock *clock);

/** @brief A goal of a path. @param i  below path->goals */
struct mf_mover_goal mf_bus_goal(const struct mf_bus_path *path, size_t i);

/** @brief Decode the next order of a frame. @param at  in, out: offset of the next order, 0 at
 * first
 * @return false: the end, with @p why NULL, or a wrong order, with @p why set */
bool mf_bus_order(const struct mf_bus_frame *f, size_t *at, struct mf_bus_order *order,
                  const char **why);

/** A packet that a network simulator reports as arrived. */
struct mf_bus_arrival {
    uint64_t ns;
    uint32_t receiver, sender, number;
    const uint8_t *bytes;
    size_t n;
    uint32_t network; /**< number of the network that the packet crossed */
};

/** @brief Decode the next arrival of a frame ARRIVALS. @param at  in, out: offset of the next
 * arrival, 0 at first
 * @return false: the end, with @p why NULL, or a wrong arrival, with @p why set */
bool mf_bus_arrival(const struct mf_bus_frame *f, size_t *at, struct mf_bus_arrival *arrival,
                    const char **why);
/** @brief Decode the next pose of a frame POSES, or the next packet of a frame PACKETS, as
 * mf_bus_order() does.
 * @param why  out: a text that is valid until the next call */
bool mf_bus_pose(const struct mf_bus_frame *f, size_t *at, struct mf_bus_pose *pose,
                 const char **why);
bool mf_bus_packet(const struct mf_bus_frame *f, size_t *at, struct mf_bus_packet *packet,
                   const char **why);

/** Number of bytes that a network simulator has written to real links. */
struct mf_bus_written {
    uint64_t vehicles, clients;
};

/** @brief Decode a frame WRITTEN. @return NULL, or why the frame is wrong */
const char *mf_bus_written(const struct mf_bus_frame *f, struct mf_bus_written *written);

/** @brief Decode the only probability of a frame DETECTIONS. @return NULL, or why the frame is
 * wrong */
const char *mf_bus_detection(const struct mf_bus_frame *f, double *p);

/* ---- writing */

/** Buffer in which a frame is written: mf_bus_begin(), mf_bus_put_*(), mf_bus_end(). */
struct mf_bus_writer {
    uint8_t bytes[MF_BUS_FRAME_MAX];
    size_t n; /**< bytes so far, with the header */
};

void mf_bus_begin(struct mf_bus_writer *w, enum mf_bus_type type, uint32_t tick, uint64_t ns);

/** @brief Do @p n more bytes fit? */
bool mf_bus_fits(const struct mf_bus_writer *w, size_t n);

void mf_bus_put_u(struct mf_bus_writer *w, uint64_t value, size_t bytes);
void mf_bus_put_f32(struct mf_bus_writer *w, float x);
void mf_bus_put_f64(struct mf_bus_writer *w, double x);

/** @brief Append a text, cut off at @p size bytes. @param fixed  pad it with zeros up to @p size */
void mf_bus_put_text(struct mf_bus_writer *w, const char *text, size_t size, bool fixed);

/** @brief Append @p n bytes. @param from  may be NULL if n is 0 */
void mf_bus_put_raw(struct mf_bus_writer *w, const void *from, size_t n);

/** @brief Append a packet, as mf_bus_packet() reads it: MF_BUS_PACKET_BYTES and its bytes. */
void mf_bus_put_packet(struct mf_bus_writer *w, const struct mf_bus_packet *packet);

/** @brief Write the length into the header; the frame is complete. */
void mf_bus_end(struct mf_bus_writer *w);

#endif
