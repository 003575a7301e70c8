/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames between the processes of one swarm (docs/cosim.md, several hosts): encoding and decoding.
 * A phase is one frame down to each leaf, and one up. A frame is a row of records. Both ends are
 * the same program, which HELLO proves, so the layout may change in any version.
 *
 * A frame: u8 version, u8 type, u16 zero, u32 length of the rest, u64 phase. A record: u8 kind, u32
 * key, u32 length, bytes. Numbers are little endian.
 */
#ifndef MF_FLEET_HOSTS_H
#define MF_FLEET_HOSTS_H

#include "hal/types.h"

#define MF_HOSTS_VERSION   1u
#define MF_HOSTS_HEADER    16u
#define MF_HOSTS_RECORD    9u
#define MF_HOSTS_NAME_MAX  32u
#define MF_HOSTS_TOKEN_MAX 130u
/** Longest frame before the peer has shown a token, and longest frame of a phase [bytes]. */
#define MF_HOSTS_HELLO_MAX ((size_t)4080)
#define MF_HOSTS_PHASE_MAX ((size_t)512 * 1024 * 1024)

enum mf_hosts_type {
    MF_HOSTS_HELLO =
        1,            /**< up: TOKEN, PROGRAM, a NAME for the leaf and for each process below it */
    MF_HOSTS_WELCOME, /**< down: number of the leaf's place */
    MF_HOSTS_PHASE,   /**< down: commands, in order */
    MF_HOSTS_REPLY,   /**< up: results of the commands */
    MF_HOSTS_REFUSED, /**< down: reason why the leaf must exit */
    MF_HOSTS_TYPES
};

/** Kinds of records that go down: commands. */
#define MF_HOSTS_DOWN_LIST(X)                                                                     \
    X(FILE, "of the scenario: name, NUL, bytes")                                                  \
    X(SCENARIO, "name of its file")                                                               \
    X(VARIATION, "name or number")                                                                \
    X(SET, "key=value")                                                                           \
    X(PLACES, "of members: u16 each")                                                             \
    X(BOOT, "vehicles boot")                                                                      \
    X(RUN, "vehicles run: i64 until; i64 at which they are looked at")                            \
    X(LOOK, "they are looked at: i64 at")                                                         \
    X(START, "missions begin: i64 at; u32 from, to")                                              \
    X(ORDER, "of a member: i64 at; u32 number of the order; u32 message; payload")                \
    X(ORDERS, "those before are given now: i64 at")                                               \
    X(SEE, "flock members report their states: i64 at")                                           \
    X(FLOCK, "states of all flock members")                                                       \
    X(MOVE, "flock members act by the states of all: i64 at")                                     \
    X(OPEN, "a link of a vehicle: u8 number, reach, remote identification, datagrams, isolated; " \
            "name")                                                                               \
    X(CLOSE, "it is closed: u8 number")                                                           \
    X(BYTES, "for a link: u8 number; bytes")                                                      \
    X(PROCESSES, "where those of the scenario run: u16 each")                                     \
    X(PROCESS, "it begins")                                                                       \
    X(END, "nothing more will come")

/** Kinds of records that go up: results. */
#define MF_HOSTS_UP_LIST(X)                                                   \
    X(TOKEN, "of HELLO")                                                      \
    X(PROGRAM, "of HELLO: u64")                                               \
    X(NAME, "of HELLO")                                                       \
    X(WAY, "of HELLO: u8: a program beside it connects to what the root has") \
    X(NUMBER, "of WELCOME: u16")                                              \
    X(TEXT, "why it must leave, or cannot boot")                              \
    X(SUM, "of all below: i64 next; u8 idle; u64 steps; u32 refused, frozen") \
    X(LOOKED, "at a vehicle: state, pose, f32 charge")                        \
    X(CHANGED, "a vehicle's state: before and now")                           \
    X(FROZEN, "an assertion has ended a vehicle: i64 at")                     \
    X(WROTE, "a vehicle, to a link: u8 number; i64 at; bytes")                \
    X(LIMIT, "clients of a vehicle permit: i64 until")                        \
    X(ANSWER, "to an order: i32 error; u8 result")                            \
    X(FLOCK_MEMBER, "state of a flock member")                                \
    X(TRAIL, "what a vehicle has done: state; u64 digest; 3 x u64 place")     \
    X(LOST, "a place below has been lost")                                    \
    X(EXIT, "of a process: i32 code; u8 by itself; u64 wall [us]")

/* clang-format off */
#define X(name, text) MF_HOSTS_##name##_,
enum mf_hosts_kind { MF_HOSTS_NONE_, MF_HOSTS_DOWN_LIST(X) MF_HOSTS_UP_LIST(X) MF_HOSTS_KINDS };
#undef X
/* clang-format on */

/* ---- reading */

struct mf_hosts_head {
    uint8_t type; /**< enum mf_hosts_type */
    size_t n;     /**< bytes that follow */
    uint64_t phase;
};

/** @brief Decode the head of a frame. @param bytes  [MF_HOSTS_HEADER] @param most limit of the
 * bytes that follow
 * @param why  out: a static text @return MF_E_OK; MF_E_RANGE: the head is wrong */
int mf_hosts_head(const uint8_t *bytes, size_t most, struct mf_hosts_head *head, const char **why);

/** Bytes of the length before a piece of a connection that leaves carry (boards/swarm/hosts/relay).
 */
#define MF_HOSTS_PIECE 4u

/** @brief Decode the length of a piece. @param bytes  [MF_HOSTS_PIECE]  @param n  out
 * @return false: it is longer than @p most */
bool mf_hosts_piece(const uint8_t *bytes, size_t most, size_t *n);

/** A record. Readers take its numbers and bytes in their order. */
struct mf_hosts_record {
    uint8_t kind; /**< enum mf_hosts_kind */
    uint32_t key; /**< in most kinds the number of a member */
    const uint8_t *at;
    size_t n;   /**< bytes left */
    bool lacks; /**< a reader wanted more bytes than are left, or a number was out of its bounds */
};

/** @brief Find the next record. @param at  in, out: offset of the next record, 0 at first
 * @param bad  out: true: the frame ends within a record; else untouched
 * @return false: the end */
bool mf_hosts_next(const uint8_t *bytes, size_t n, size_t *at, struct mf_hosts_record *r,
                   bool *bad);

/** @brief Take a number of 1 to 8 bytes. @return 0, and r->lacks: the record is too short */
uint64_t mf_hosts_u(struct mf_hosts_record *r, size_t bytes);

/** @brief Take bytes as they lie in memory. @param to  zeros if the record is too short */
void mf_hosts_raw(struct mf_hosts_record *r, void *to, size_t n);

/** Latest time in a record, except MF_NEVER: 285 years, which a double holds exactly [us]. */
#define MF_HOSTS_TIME_MAX ((mf_us_t)1 << 53)

/** @brief Take a time: 0 to MF_HOSTS_TIME_MAX, or MF_NEVER. @return 0, and r->lacks: another
 * number */
mf_us_t mf_hosts_time(struct mf_hosts_record *r);

/** @brief Take doubles or floats as they lie in memory.
 * @param to  [count]; all are 0, and r->lacks, if one is not finite, or beyond -most to most */
void mf_hosts_f64(struct mf_hosts_record *r, double *to, size_t count, double most);
void mf_hosts_f32(struct mf_hosts_record *r, float *to, size_t count, float most);

/** @brief Take the rest as a text; bytes that are not printable become '?'. @param to  [size] */
void mf_hosts_text(const struct mf_hosts_record *r, char *to, size_t size);

/* ---- writing: the caller owns the bytes, and enlarges them */

struct mf_hosts_writer {
    uint8_t *bytes;
    size_t n, size;
    size_t record; /**< offset of the present record */
};

/** Room that a writer needs for the head and numbers of any record, in addition to its text or
 * bytes. */
#define MF_HOSTS_ROOM 512u

/** @brief Begin a frame in place of the one before. */
void mf_hosts_begin(struct mf_hosts_writer *w, enum mf_hosts_type type, uint64_t phase);

/** @brief Write the frame's length into its head; the frame is complete. */
void mf_hosts_finish(struct mf_hosts_writer *w);

/** @brief Begin a record, which ends where the next one or the frame does. */
void mf_hosts_put(struct mf_hosts_writer *w, enum mf_hosts_kind kind, uint32_t key);
void mf_hosts_put_u(struct mf_hosts_writer *w, uint64_t value, size_t bytes);
void mf_hosts_put_raw(struct mf_hosts_writer *w, const void *from, size_t n);

#endif
