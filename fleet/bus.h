/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames of the bus (docs/bus.md): what programs outside and a swarm say to each other. This file
 * knows bytes alone; boards/swarm/outside/bus.h has the connections.
 *
 * A frame is a header and a payload, little endian:
 *
 *     u8 version   u8 type   u16 length of the payload   u32 tick   u64 ns   payload
 *
 * What arrives is untrusted: a frame that is wrong in any way has a text that says how.
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

/** Types: name, number, who says it. */
#define MF_BUS_TYPE_LIST(X) \
    X(HELLO, 1)             \
    X(DONE, 2)              \
    X(PATH, 3)              \
    X(ORDERS, 4)            \
    X(DETECTIONS, 5)        \
    X(POSES, 6)             \
    X(PACKETS, 7)           \
    X(ARRIVALS, 8)          \
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
    X(SENSED, 106)

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

/** What an operator wants of the clock. */
enum mf_bus_clock_action {
    MF_BUS_CLOCK_HOLD = 1,
    MF_BUS_CLOCK_RESUME = 2,
    MF_BUS_CLOCK_RUN = 3,  /**< for some seconds, then it stands */
    MF_BUS_CLOCK_RATE = 4, /**< seconds in a second of the wall */
};

/** Bytes of the records that repeat. */
#define MF_BUS_GOAL_BYTES       32u
#define MF_BUS_STATE_BYTES      48u
#define MF_BUS_REPORT_BYTES     24u
#define MF_BUS_LOOK_BYTES       64u
#define MF_BUS_ACK_BYTES        12u
#define MF_BUS_STATISTICS_BYTES 56u
#define MF_BUS_OBSTACLE_BYTES   40u
#define MF_BUS_POSE_BYTES       48u
#define MF_BUS_PACKET_BYTES     24u /* before the bytes of a packet */

/* ---- reading */

/** A whole frame. The payload is the reader's, until the next call. */
struct mf_bus_frame {
    uint8_t type;
    uint32_t tick;
    uint64_t ns;
    const uint8_t *payload;
    size_t n;
};

/** Bytes of a stream. Zero it to begin. */
struct mf_bus_reader {
    uint8_t bytes[MF_BUS_FRAME_MAX];
    size_t have, used; /* used: of the frame that was last given */
};

/** @brief Where the next bytes of the stream go. @param room  out: how many fit, > 0 */
uint8_t *mf_bus_room(struct mf_bus_reader *r, size_t *room);

/** @brief Length of the frame that begins with these bytes, as far as they tell.
 *  @param why  out: a static text: they begin none; not touched otherwise
 *  @return bytes with the header, at least MF_BUS_HEADER */
size_t mf_bus_length(const uint8_t *bytes, size_t n, const char **why);

/** @brief The next frame. @param taken  bytes put there since  @param why  out: a static text
 *  @return MF_E_OK; MF_E_AGAIN: it is not whole; MF_E_RANGE: it is none, and @p why says so */
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
    const uint8_t *goal; /**< mf_bus_goal() */
};

struct mf_bus_order {
    uint32_t member;
    uint32_t msgid;
    const uint8_t *payload; /**< of MAVLink 2 */
    size_t n;
};

struct mf_bus_done {
    uint64_t until_ns;
    bool on_report;
};

struct mf_bus_clock {
    uint8_t action; /**< enum mf_bus_clock_action */
    double value;   /**< of RUN and RATE */
};

/** Where a ghost is. North, east, up of the origin. */
struct mf_bus_pose {
    uint32_t member;
    double neu_m[3];
    double vel_neu_mps[3]; /**< NAN: not known */
    double yaw_rad;
};

/** A packet of a ghost's radio, which was sent or heard there. */
struct mf_bus_packet {
    uint32_t member;
    bool heard;
    uint32_t origin; /**< heard: who has sent it */
    uint32_t number;
    double strength_dbm;
    const uint8_t *bytes;
    size_t n; /**< at most MF_PACKET_BYTES_MAX */
};

/* Payloads. @return NULL, or why it is none: a static text. The name of a hello that is refused for
 * its name is "" */
const char *mf_bus_hello(const struct mf_bus_frame *f, struct mf_bus_hello *hello);
const char *mf_bus_path(const struct mf_bus_frame *f, struct mf_bus_path *path);
const char *mf_bus_done(const struct mf_bus_frame *f, struct mf_bus_done *done);
const char *mf_bus_clock(const struct mf_bus_frame *f, struct mf_bus_clock *clock);

/** @brief A goal of a path. @param i  below path->goals */
struct mf_mover_goal mf_bus_goal(const struct mf_bus_path *path, size_t i);

/** @brief The next order of a frame. @param at  0 at first, then as it was left
 *  @return false: there is none, and @p why is NULL or says what is wrong */
bool mf_bus_order(const struct mf_bus_frame *f, size_t *at, struct mf_bus_order *order,
                  const char **why);

/** A packet that has arrived, says a network. */
struct mf_bus_arrival {
    uint64_t ns;
    uint32_t receiver, sender, number;
    const uint8_t *bytes;
    size_t n;
    uint32_t network; /**< number of the one that it has crossed */
};

/** @brief The next one of a frame ARRIVALS. @param at  0 at first, then as it was left
 *  @return false: there is none, and @p why is NULL or says what is wrong */
bool mf_bus_arrival(const struct mf_bus_frame *f, size_t *at, struct mf_bus_arrival *arrival,
                    const char **why);
/** @brief The next pose of a frame POSES, the next packet of a frame PACKETS; as mf_bus_order().
 *  @param why  out: a text that is good until the next call */
bool mf_bus_pose(const struct mf_bus_frame *f, size_t *at, struct mf_bus_pose *pose,
                 const char **why);
bool mf_bus_packet(const struct mf_bus_frame *f, size_t *at, struct mf_bus_packet *packet,
                   const char **why);

/** Bytes that a network has written to real links. */
struct mf_bus_written {
    uint64_t vehicles, clients;
};

/** @brief Of a frame WRITTEN. */
const char *mf_bus_written(const struct mf_bus_frame *f, struct mf_bus_written *written);

/** @brief The only probability of a frame DETECTIONS. */
const char *mf_bus_detection(const struct mf_bus_frame *f, double *p);

/* ---- writing */

/** A frame in the making. */
struct mf_bus_writer {
    uint8_t bytes[MF_BUS_FRAME_MAX];
    size_t n; /**< with the header */
};

void mf_bus_begin(struct mf_bus_writer *w, enum mf_bus_type type, uint32_t tick, uint64_t ns);

/** @brief Whether @p n more bytes fit. */
bool mf_bus_fits(const struct mf_bus_writer *w, size_t n);

void mf_bus_put_u(struct mf_bus_writer *w, uint64_t value, size_t bytes);
void mf_bus_put_f32(struct mf_bus_writer *w, float x);
void mf_bus_put_f64(struct mf_bus_writer *w, double x);

/** @brief A text, cut off at @p size bytes. @param fixed  zeros follow up to @p size */
void mf_bus_put_text(struct mf_bus_writer *w, const char *text, size_t size, bool fixed);

/** @brief The length enters the header; the bytes may leave. */
void mf_bus_end(struct mf_bus_writer *w);

#endif
