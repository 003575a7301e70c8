/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connections of a process to those directly below it: of the root, or of a leaf that passes frames
 * on. A place is a process that carries vehicles; places are numbered in the order in which a walk
 * down the tree finds them.
 */
#ifndef MF_BOARDS_SWARM_BRANCHES_H
#define MF_BOARDS_SWARM_BRANCHES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/hosts.h"
#include "hal-posix/door.h"

/** Result of waiting for a frame. */
enum swarm_wire {
    SWARM_WIRE_OK,
    SWARM_WIRE_GONE,    /**< the other end has closed the connection */
    SWARM_WIRE_WRONG,   /**< the bytes are not a frame; the connection cannot be used any longer */
    SWARM_WIRE_SILENT,  /**< patience with the other end is over */
    SWARM_WIRE_STOPPED, /**< a signal has arrived */
};

/** The last frame received, and the state of one that is being received. Zero it to begin. */
struct swarm_frame {
    struct mf_hosts_head head;
    uint8_t *bytes; /**< [size], the frame's bytes are [head.n] */
    size_t size;
    struct mf_hosts_head coming; /**< head of a frame that is not complete */
    uint8_t first[MF_HOSTS_HEADER];
    size_t heads, got; /**< number of bytes received of its head, and behind the head */
};

/** @brief Set options of a TCP connection: small frames leave at once, and a dead host is noticed
 * within 4 s. */
void swarm_wire_prepare(int fd);

/** @brief Send a whole frame; blocks. @return false: the other end is gone */
bool swarm_wire_send(int fd, const uint8_t *bytes, size_t n);

/** @brief Wait for a whole frame. After SILENT or STOPPED, the next call continues with the same
 * frame.
 *  @param most  limit of the frame's bytes  @param patience_s  0: unlimited  @param stop  set by a
 * signal; NULL
 *  @param why  out: of WRONG, a static text */
enum swarm_wire swarm_wire_receive(int fd, size_t most, double patience_s, const volatile int *stop,
                                   struct swarm_frame *frame, const char **why);

/** @brief Enlarge a writer so that a record with @p bytes fits. Exits without memory. */
void swarm_wire_reserve(struct mf_hosts_writer *w, size_t bytes);

/** @brief Write a record with a text, and enlarge the writer as it needs. */
void swarm_wire_put_text(struct mf_hosts_writer *w, enum mf_hosts_kind kind, uint32_t key,
                         const char *text);

struct swarm_listener;

/** A connection to a process directly below, or to a program that connects through it. */
struct swarm_branch {
    int fd;          /**< < 0: lost */
    uint32_t first;  /**< its place; those of processes below it follow */
    uint32_t places; /**< number of places, with those below it */
    /** 1 + index of the root's port that a program wants (relay.h); 0: the process below is a leaf.
     */
    uint32_t way;
};

struct swarm_branches {
    struct swarm *swarm;
    int listener; /**< < 0: not open, or taken over by relay.c */
    struct mf_door door;
    const char *token;
    uint64_t program;
    struct swarm_branch branch[MF_SCENARIO_LEAVES_MAX];
    uint32_t count;
    char name[MF_SCENARIO_LEAVES_MAX][MF_HOSTS_NAME_MAX]; /**< names of all places below */
    uint32_t places;
    uint32_t refused; /**< number of connections refused */
    const volatile int *stop;
};

/** @brief Listen for leaves. @param l  line 0: of the command line  @return SWARM_OK, or
 * SWARM_INPUT with an error set */
int swarm_branches_open(struct swarm *w, struct swarm_branches *b, const struct swarm_listener *l);

/** @brief Length of a HELLO (struct mf_door_ops). */
size_t swarm_branches_hello_length(const uint8_t *bytes, size_t n);

/** @brief Print a line about a refused connection (struct mf_door_ops). */
void swarm_branches_print(void *ctx, const char *text);

/** @brief Read and check the HELLO of a new connection, or of a leaf that this process has started.
 *  @return false: refused and closed */
bool swarm_branches_greet(struct swarm_branches *b, int fd, struct swarm_branch *branch);

/** @brief Send the reason of a refusal to a connection, and close it. */
void swarm_branches_refuse(struct swarm_branches *b, int fd, const char *why);

/** @brief Read the HELLO of a leaf, and add it as a branch. @return false: refused and closed */
bool swarm_branches_join(struct swarm_branches *b, int fd);

/** @brief Wait until leaves with so many places have joined. @return false: a signal has arrived */
bool swarm_branches_wait(struct swarm_branches *b, uint32_t places);

/** @brief Send each branch the number of its place. @param first  number of the first place below
 */
void swarm_branches_welcome(struct swarm_branches *b, uint32_t first);

/** @brief Send a frame to all branches that are not lost. */
void swarm_branches_send(struct swarm_branches *b, const uint8_t *bytes, size_t n);

/** @brief Mark a branch lost, and close its connection. */
void swarm_branch_mark_lost(struct swarm_branch *branch);

void swarm_branches_close(struct swarm_branches *b);

#endif
