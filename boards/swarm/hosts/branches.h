/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connections between the processes of one swarm: of the root, or of a leaf that passes frames on,
 * to those directly below it. A place is a process that carries vehicles; places are numbered in
 * the order in which a walk down the tree finds them.
 */
#ifndef MF_BOARDS_SWARM_BRANCHES_H
#define MF_BOARDS_SWARM_BRANCHES_H

#include "boards/swarm/core/swarm.h"
#include "fleet/hosts.h"
#include "hal-posix/door.h"

/** Why a frame has not come. */
enum swarm_wire {
    SWARM_WIRE_OK,
    SWARM_WIRE_GONE,    /**< the other end has closed, or has ended */
    SWARM_WIRE_WRONG,   /**< it says what is no frame; the connection is of no use any more */
    SWARM_WIRE_SILENT,  /**< it lets wait for longer than its patience */
    SWARM_WIRE_STOPPED, /**< a signal */
};

/** A frame that has come, or is coming. Begin with zeros. */
struct swarm_frame {
    struct mf_hosts_head head;
    uint8_t *bytes; /**< [size], of which head.n count */
    size_t size;
    struct mf_hosts_head coming; /**< of one that has come in part */
    uint8_t first[MF_HOSTS_HEADER];
    size_t heads, got; /**< ... bytes of its head, and behind it */
};

/** @brief Set a connection up: small frames leave at once, and the death of the other host is
 * noticed within 4 s. */
void swarm_wire_prepare(int fd);

/** @brief Send a whole frame. @return false: the other end is gone */
bool swarm_wire_send(int fd, const uint8_t *bytes, size_t n);

/** @brief Wait for a whole frame. If it has come in part, the next call goes on. @param patience_s
 * 0: for ever  @param stop  set by a signal; NULL
 *  @param why  out: of WRONG, a static text */
enum swarm_wire swarm_wire_receive(int fd, size_t most, double patience_s, const volatile int *stop,
                                   struct swarm_frame *frame, const char **why);

/** @brief Room for a record in a writer, whose bytes grow. Ends the process without memory. */
void swarm_wire_room(struct mf_hosts_writer *w, size_t bytes);

struct swarm_listener;

/** The connections directly below. */
struct swarm_branch {
    int fd;          /**< < 0: lost */
    uint32_t first;  /**< its own place; those below it follow */
    uint32_t places; /**< with those below it */
    uint32_t way;    /**< 1 + what a program there connects to (relay.h); 0: it is a leaf */
};

struct swarm_branches {
    struct swarm *swarm;
    int listener; /**< < 0: it is another's (relay.h) */
    struct mf_door door;
    const char *token;
    uint64_t program;
    struct swarm_branch branch[MF_SCENARIO_LEAVES_MAX];
    uint32_t count;
    char name[MF_SCENARIO_LEAVES_MAX][MF_HOSTS_NAME_MAX]; /**< of all places below */
    uint32_t places;
    uint32_t refused; /**< connections */
    const volatile int *stop;
};

/** @brief Listen. @param l  its line of the scenario is 0 on the command line
 *  @return SWARM_OK or SWARM_INPUT with an error */
int swarm_branches_open(struct swarm *w, struct swarm_branches *b, const struct swarm_listener *l);

/** @brief Length of a HELLO (struct mf_door_ops). */
size_t swarm_branches_hello(const uint8_t *bytes, size_t n);

/** @brief A line about a stranger (struct mf_door_ops). */
void swarm_branches_say(void *ctx, const char *text);

/** @brief Read the HELLO of a stranger at a door, where it is whole, or of a leaf that this process
 *  has started. @return false: it is refused, and closed */
bool swarm_branches_greet(struct swarm_branches *b, int fd, struct swarm_branch *branch);

/** @brief Refuse who has connected, with a text. */
void swarm_branches_refuse(struct swarm_branches *b, int fd, const char *why);

/** @brief Greet a leaf, which joins. @return false: it is refused, and closed */
bool swarm_branches_join(struct swarm_branches *b, int fd);

/** @brief Wait until there are so many places. @return false: a signal came */
bool swarm_branches_wait(struct swarm_branches *b, uint32_t places);

/** @brief Tell all who they are. @param first  number of the first place below */
void swarm_branches_welcome(struct swarm_branches *b, uint32_t first);

/** @brief A frame to all that are there. */
void swarm_branches_send(struct swarm_branches *b, const uint8_t *bytes, size_t n);

/** @brief It is lost: its connection is closed. */
void swarm_branch_lose(struct swarm_branch *branch);

void swarm_branches_close(struct swarm_branches *b);

#endif
