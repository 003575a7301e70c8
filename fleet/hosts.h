/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames between the processes of one swarm (docs/cosim.md, several hosts): their bytes alone. A
 * phase is one frame down to each leaf, and one up. A frame is a row of records. Both ends are the
 * same program, which HELLO proves, so the layout is no interface for others.
 *
 * A frame: u8 version, u8 type, u16 zero, u32 length of what follows, u64 phase. A record: u8 kind,
 * u32 key, u32 length, bytes. Numbers are little endian.
 */
#ifndef MF_FLEET_HOSTS_H
#define MF_FLEET_HOSTS_H

#include "hal/types.h"

#define MF_HOSTS_VERSION   1u
#define MF_HOSTS_HEADER    16u
#define MF_HOSTS_RECORD    9u
#define MF_HOSTS_NAME_MAX  32u
#define MF_HOSTS_TOKEN_MAX 130u
/** Longest frame: of who has not shown a token, and of a phase [bytes]. */
#define MF_HOSTS_HELLO_MAX ((size_t)4080)
#define MF_HOSTS_PHASE_MAX ((size_t)512 * 1024 * 1024)

enum mf_hosts_type {
    MF_HOSTS_HELLO = 1, /**< up: TOKEN, PROGRAM, a NAME for itself and for each process below it */
    MF_HOSTS_WELCOME,   /**< down: the number of its place */
    MF_HOSTS_PHASE,     /**< down: what is to be done, in order */
    MF_HOSTS_REPLY,     /**< up: what has come of it */
    MF_HOSTS_REFUSED,   /**< down: why it must leave */
    MF_HOSTS_TYPES
};

/** Kinds of record, down: what is to be done. */
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
    X(SEE, "birds look: i64 at")                                                                  \
    X(BIRDS, "what all birds have seen of themselves")                                            \
    X(MOVE, "birds act by that: i64 at")                                                          \
    X(OPEN, "a link of a vehicle: u8 number, reach, remote identification, datagrams, isolated; " \
            "name")                                                                               \
    X(CLOSE, "it is closed: u8 number")                                                           \
    X(BYTES, "for a link: u8 number; bytes")                                                      \
    X(PROCESSES, "where those of the scenario run: u16 each")                                     \
    X(PROCESS, "it begins")                                                                       \
    X(END, "nothing more will come")

/** ... and up: what has come of it. */
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
    X(WROTE, "a vehicle, to a link: u8 number; bytes")                        \
    X(LIMIT, "clients of a vehicle permit: i64 until")                        \
    X(ANSWER, "to an order: i32 error; u8 result")                            \
    X(BIRD, "what a bird has seen of itself")                                 \
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

/** @brief The head of a frame. @param bytes  [MF_HOSTS_HEADER]  @param most  bytes that may follow
 *  @param why  out: a static text  @return MF_E_OK; MF_E_RANGE: it is none */
int mf_hosts_head(const uint8_t *bytes, size_t most, struct mf_hosts_head *head, const char **why);

/** A record, of which numbers and bytes are taken in their order. */
struct mf_hosts_record {
    uint8_t kind; /**< enum mf_hosts_kind */
    uint32_t key; /**< mostly a member */
    const uint8_t *at;
    size_t n;   /**< bytes left */
    bool lacks; /**< a caller took more than is there, or a number was not within its bounds */
};

/** @brief The next record. @param at  in: 0 at first; out: behind it
 *  @param bad  out: true: the frame is cut within a record; not touched otherwise
 *  @return false: there is none */
bool mf_hosts_next(const uint8_t *bytes, size_t n, size_t *at, struct mf_hosts_record *r,
                   bool *bad);

/** @brief A number of 1 to 8 bytes; 0 if there is none. */
uint64_t mf_hosts_u(struct mf_hosts_record *r, size_t bytes);

/** @brief Bytes as they lie in memory. @param to  zeros if there are fewer */
void mf_hosts_raw(struct mf_hosts_record *r, void *to, size_t n);

/** Latest time of a record but MF_NEVER: 285 years, which a double holds exactly [us]. */
#define MF_HOSTS_TIME_MAX ((mf_us_t)1 << 53)

/** @brief A time: 0 to MF_HOSTS_TIME_MAX, or MF_NEVER. @return 0, and r->lacks: another number */
mf_us_t mf_hosts_time(struct mf_hosts_record *r);

/** @brief Doubles, floats, as they lie in memory.
 *  @param to  [count]; all are 0, and r->lacks, if one is not finite, or beyond -most .. most */
void mf_hosts_f64(struct mf_hosts_record *r, double *to, size_t count, double most);
void mf_hosts_f32(struct mf_hosts_record *r, float *to, size_t count, float most);

/** @brief What is left, as a text; bytes that are not printable become '?'. @param to  [size] */
void mf_hosts_text(const struct mf_hosts_record *r, char *to, size_t size);

/* ---- writing: the bytes are the caller's, who grows them */

struct mf_hosts_writer {
    uint8_t *bytes;
    size_t n, size;
    size_t record; /**< where the present one begins */
};

/** @brief More bytes than any record's head and numbers: what a writer must have room for beside
 * the text or bytes of a record. */
#define MF_HOSTS_ROOM 512u

/** @brief Begin a frame in place of the one before. */
void mf_hosts_begin(struct mf_hosts_writer *w, enum mf_hosts_type type, uint64_t phase);

/** @brief Its length is known: the frame is complete. */
void mf_hosts_finish(struct mf_hosts_writer *w);

/** @brief Begin a record, which ends where the next one or the frame does. */
void mf_hosts_put(struct mf_hosts_writer *w, enum mf_hosts_kind kind, uint32_t key);
void mf_hosts_put_u(struct mf_hosts_writer *w, uint64_t value, size_t bytes);
void mf_hosts_put_raw(struct mf_hosts_writer *w, const void *from, size_t n);

#endif
