/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The time server: gives processes and drones one clock. docs/virtual-time.md is the specification.
 *
 * At each instant the drones serve what has arrived. Then each process, in the order in which they
 * came, runs until all its threads wait. This repeats until no process runs any more. Then time
 * goes on, to the earliest instant that a process or a drone waits for.
 *
 * Pure: a board hands in what came (mf_virtual_message_came(), ..._line_came(), ...) and calls
 * mf_virtual_turn() after it; the server answers through its ops. Nothing is allocated. What a
 * process says is not trusted further than its own time.
 */
#ifndef MF_HOST_TIME_VIRTUAL_TIME_H
#define MF_HOST_TIME_VIRTUAL_TIME_H

#include "hal/types.h"
#include "host/time/virtual_message.h"

#define MF_VIRTUAL_PROCESSES_MAX 1024u
#define MF_VIRTUAL_DRONES_MAX    64u
/** Rounds at one instant before the server gives up. */
#define MF_VIRTUAL_ROUNDS_MAX 100000u

struct mf_virtual_ops {
    /** To a process. @p id is the board's. */
    void (*send)(void *ctx, int id, const struct mf_virtual_message *m);
    /** A line of the time socket to a drone, without its newline. */
    void (*say)(void *ctx, int drone, const char *line);
    /** True if a signal has stopped a process, and no other has continued it. */
    bool (*is_stopped)(void *ctx, int32_t pid);
};

enum mf_virtual_state {
    MF_VIRTUAL_WAITS,   /**< all its threads wait */
    MF_VIRTUAL_FRESH,   /**< it has never run */
    MF_VIRTUAL_RUNS,    /**< between GO and DONE */
    MF_VIRTUAL_STOPPED, /**< a signal stopped it between GO and DONE, and the others go on */
    MF_VIRTUAL_CHANGES, /**< its connection is gone: it ends, or becomes another program */
};

struct mf_virtual_process {
    int id;
    int32_t pid;
    enum mf_virtual_state state;
    bool wants;          /**< it must be asked */
    int32_t child;       /**< pid whose HELLO it waits for; 0: none */
    int64_t deadline_ns; /**< MF_VIRTUAL_NEVER */
};

struct mf_virtual_drone {
    bool gone;
    bool asked;       /**< a go is under way */
    mf_us_t base_us;  /**< the world's time at its vehicle time 0 */
    mf_us_t at_us;    /**< vehicle time */
    mf_us_t next_us;  /**< vehicle time; MF_NEVER */
    uint64_t in, out; /**< bytes that it has taken and sent so far */
    uint64_t in_before, out_before;
};

enum mf_virtual_phase {
    MF_VIRTUAL_GATHERS, /**< not all have come */
    MF_VIRTUAL_SERVES,  /**< drones serve, or go to the present instant */
    MF_VIRTUAL_ASKS,    /**< processes run */
    MF_VIRTUAL_RESTS,   /**< nobody waits for an instant: only something from outside goes on */
};

struct mf_virtual {
    const struct mf_virtual_ops *ops;
    void *ctx;
    bool stops;        /**< a process has sent a signal that stops one */
    bool parallel;     /**< processes of an instant run side by side */
    int64_t utc_ns;    /**< of time 0 */
    int32_t processor; /**< the board's: what processes are told of it */
    uint16_t drones_expected;
    uint16_t process_count, drone_count;
    struct mf_virtual_process
        process[MF_VIRTUAL_PROCESSES_MAX]; /**< in the order in which they came */
    struct mf_virtual_drone drone[MF_VIRTUAL_DRONES_MAX];
    enum mf_virtual_phase phase;
    int64_t now_ns;
    uint16_t cursor;          /**< of the round: the next to be asked */
    bool ran;                 /**< in this round, somebody */
    bool again;               /**< at this instant a round must come */
    bool stuck;               /**< an instant did not end */
    uint32_t rounds;          /**< at this instant */
    uint64_t instants, asked; /**< figures */
};

/** @brief Nobody is there yet. @param drones  how many must come before time begins, at least 1 */
void mf_virtual_init(struct mf_virtual *v, const struct mf_virtual_ops *ops, void *ctx,
                     uint16_t drones, int64_t utc_ns);

/** @brief A drone that speaks the lines of the time socket; it is told to hold.
 *  @return its number, for mf_virtual_line_came(); MF_E_FULL */
int mf_virtual_drone_came(struct mf_virtual *v);

/** @brief It is gone: nobody waits for it any more, and its number is not used again. */
void mf_virtual_drone_left(struct mf_virtual *v, int drone);

/** @brief A line of a drone has come, without its newline. */
void mf_virtual_line_came(struct mf_virtual *v, int drone, const char *line);

/** @brief A process said HELLO. @param pid  what the system says of it
 *  @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: another version of the library */
int mf_virtual_process_came(struct mf_virtual *v, int id, int32_t pid,
                            const struct mf_virtual_message *hello);

/** @brief One of its other messages. @return false: it makes no sense, and the process must go */
bool mf_virtual_message_came(struct mf_virtual *v, int id, const struct mf_virtual_message *m);

/** @brief Its connection is gone: time stands until mf_virtual_ended(), or until it comes again. */
void mf_virtual_closed(struct mf_virtual *v, int id);

/** @brief The process has ended. Unknown ones are told to those who wait for them as children. */
void mf_virtual_ended(struct mf_virtual *v, int32_t pid);

/** @brief A process that runs has been stopped by a signal. The others go on without it, if one of
 *  them sent such a signal, and if one of them is not stopped.
 *  @return false: time stands until the process goes on */
bool mf_virtual_stopped(struct mf_virtual *v, int id);

/** @brief Go on as far as possible. */
void mf_virtual_turn(struct mf_virtual *v);

/** @brief While it rests: ask all processes again, since one may have heard from outside. */
void mf_virtual_wake(struct mf_virtual *v);

/** @brief One that runs now, or whose fate is not known; NULL: none. */
const struct mf_virtual_process *mf_virtual_running(const struct mf_virtual *v);

#endif
