/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Time server: gives processes and drones one clock. docs/virtual-time.md is the specification.
 *
 * At each instant the drones first serve their input. Then each process, in the order of
 * connection, runs until all its threads wait. This repeats until no process runs any more. Then
 * time advances to the earliest instant that a process or a drone waits for.
 *
 * Pure: a board passes events in (mf_virtual_message_came(), ..._line_came(), ...) and calls
 * mf_virtual_turn() afterwards; the server answers through its ops. It allocates nothing. Messages
 * of a process can affect only its own time.
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
    /** Send a message to a process. @p id is the board's. */
    void (*send)(void *ctx, int id, const struct mf_virtual_message *m);
    /** Send a line of the time socket to a drone, without its newline. */
    void (*say)(void *ctx, int drone, const char *line);
    /** True if a signal has stopped a process, and no other has continued it. */
    bool (*is_stopped)(void *ctx, int32_t pid);
};

enum mf_virtual_state {
    MF_VIRTUAL_WAITS,   /**< all its threads wait */
    MF_VIRTUAL_FRESH,   /**< the process has never run */
    MF_VIRTUAL_RUNS,    /**< the process runs, between GO and DONE */
    MF_VIRTUAL_STOPPED, /**< a signal stopped the process between GO and DONE, and the others
                           continue */
    MF_VIRTUAL_CHANGES, /**< its connection is gone: it ends, or becomes another program */
};

struct mf_virtual_process {
    int id;
    int32_t pid;
    enum mf_virtual_state state;
    bool wants;          /**< the process must get a GO in the next round */
    int32_t child;       /**< pid of the child whose HELLO it waits for; 0: none */
    int64_t deadline_ns; /**< MF_VIRTUAL_NEVER */
};

struct mf_virtual_drone {
    bool gone;
    bool asked;       /**< a go has been sent and is not finished */
    mf_us_t base_us;  /**< world time at the drone's vehicle time 0 */
    mf_us_t at_us;    /**< vehicle time */
    mf_us_t next_us;  /**< next due vehicle time; MF_NEVER */
    uint64_t in, out; /**< bytes that the drone has read and sent so far */
    uint64_t in_before, out_before;
};

enum mf_virtual_phase {
    MF_VIRTUAL_GATHERS, /**< not all drones are connected */
    MF_VIRTUAL_SERVES,  /**< drones serve their input, or advance to the present instant */
    MF_VIRTUAL_ASKS,    /**< processes run */
    MF_VIRTUAL_RESTS, /**< no process or drone waits for an instant: time advances only after input
                         from outside */
};

struct mf_virtual {
    const struct mf_virtual_ops *ops;
    void *ctx;
    bool stops;        /**< a process has announced that it stops another */
    bool parallel;     /**< processes of an instant run side by side */
    int64_t utc_ns;    /**< UTC of time 0 */
    int32_t processor; /**< processor for the messages to processes, set by the board */
    uint16_t drones_expected;
    uint16_t process_count, drone_count;
    struct mf_virtual_process process[MF_VIRTUAL_PROCESSES_MAX]; /**< in the order of connection */
    struct mf_virtual_drone drone[MF_VIRTUAL_DRONES_MAX];
    enum mf_virtual_phase phase;
    int64_t now_ns;
    uint16_t cursor;          /**< next process of the round */
    bool ran;                 /**< a process has run in this round */
    bool again;               /**< another round must follow at this instant */
    bool stuck;               /**< an instant did not end */
    uint32_t rounds;          /**< number of rounds at this instant */
    uint64_t instants, asked; /**< figures: instants, and GO messages */
};

/** @brief Begin without processes. @param drones  number of drones that must connect before time
 * begins, at least 1 */
void mf_virtual_init(struct mf_virtual *v, const struct mf_virtual_ops *ops, void *ctx,
                     uint16_t drones, int64_t utc_ns);

/** @brief Add a drone that uses the lines of the time socket, and send it "hold".
 * @return its number, for mf_virtual_line_came(); MF_E_FULL */
int mf_virtual_drone_came(struct mf_virtual *v);

/** @brief Remove a drone: the server no longer waits for it, and does not reuse its number. */
void mf_virtual_drone_left(struct mf_virtual *v, int drone);

/** @brief Process a line of a drone, without its newline. */
void mf_virtual_line_came(struct mf_virtual *v, int drone, const char *line);

/** @brief Add a process after its HELLO. @param pid  its id from the system
 * @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: another version of the library */
int mf_virtual_process_came(struct mf_virtual *v, int id, int32_t pid,
                            const struct mf_virtual_message *hello);

/** @brief Process another message of a process. @return false: invalid, and the board must
 * disconnect the process */
bool mf_virtual_message_came(struct mf_virtual *v, int id, const struct mf_virtual_message *m);

/** @brief Note that a connection has closed: time stands until mf_virtual_ended(), or until the
 * process connects again. */
void mf_virtual_closed(struct mf_virtual *v, int id);

/** @brief Note that a process has ended. Processes that wait for it as a child get an answer, also
 * if it never connected. */
void mf_virtual_ended(struct mf_virtual *v, int32_t pid);

/** @brief Note that a signal has stopped a running process. The others continue without it, if one
 * of them sent such a signal, and if one of them is not stopped.
 * @return false: time stands until the process continues */
bool mf_virtual_stopped(struct mf_virtual *v, int id);

/** @brief Advance as far as possible. */
void mf_virtual_turn(struct mf_virtual *v);

/** @brief Let all processes run again while the server rests, since one may have got input from
 * outside. */
void mf_virtual_wake(struct mf_virtual *v);

/** @brief Process that runs now, or whose state is unknown; NULL: none. */
const struct mf_virtual_process *mf_virtual_running(const struct mf_virtual *v);

#endif
