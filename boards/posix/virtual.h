/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Virtual time of `mayfly exec --virtual`: the sockets of the time server
 * (host/time/virtual_time.h) and its drones. The processes of the command connect to a local
 * socket, which their preloaded library finds in their environment. docs/virtual-time.md is the
 * specification.
 */
#ifndef MF_BOARDS_POSIX_VIRTUAL_H
#define MF_BOARDS_POSIX_VIRTUAL_H

#include "hal-posix/local_socket.h"
#include "hal/serial.h"
#include "host/time/time_line.h"
#include "host/time/virtual_time.h"

#include <limits.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/types.h>

struct board;

#define BOARD_VIRTUAL_PLACES (2u * MF_VIRTUAL_PROCESSES_MAX)
/** A thread that runs for so long is named [us]. */
#define BOARD_VIRTUAL_LONG_US (10 * MF_SECOND_US)

/** Another drone of the world, by its lines. */
struct board_virtual_drone {
    int peer; /**< of the network; -1: it has gone */
    struct mf_serial serial;
    uint16_t len;
    char text[2 * MF_TIME_TEXT_MAX];
};

/** Connection of a process, or watch for a process's end. */
struct board_virtual_place {
    int fd;    /**< -1: none */
    int pidfd; /**< -1: none; readable when the process has ended */
    int32_t pid;
    mf_us_t word_us; /**< wall time by which HELLO is due; MF_NEVER: it has come */
    bool starts;     /**< a program begins in the process, which has not said HELLO yet */
    bool outside;    /**< the program was refused, and ends */
};

struct board_virtual {
    bool wanted;
    bool broken;                     /**< stuck() has written its line */
    struct mf_local_socket listener; /**< with --virtual its name is abstract */
    int epoll;
    struct board_virtual_place place[BOARD_VIRTUAL_PLACES];
    size_t places;             /**< of these are used: the system has descriptors for no more */
    struct rlimit descriptors; /**< for the command, as this process found them; 0: unchanged */
    char name[MF_VIRTUAL_NAME_MAX]; /**< of the socket */
    char library[PATH_MAX];         /**< for LD_PRELOAD */
    char folder[256];               /**< private, with a link of that name; "": none */
    char line[64];                  /**< to the drone of this process; empty: none */
    bool went_on;                   /**< board_virtual_went_on() */
    mf_us_t since_us;               /**< wall time since which the same process runs */
    uint64_t since;                 /**< value of world.asked at since_us */
    mf_us_t long_us; /**< time without a wait after which a running process is named */
    int tells;       /**< descriptor on which a named process is reported, too; 0: none */
    bool told;       /**< the running process was reported */
    struct board_virtual_drone other[MF_VIRTUAL_DRONES_MAX]; /**< [0] is this process's, unused */
    cpu_set_t given;                                         /**< processors, of the drone */
    bool chooses;                                            /**< the system chooses among them */
    mf_us_t choose_us; /**< wall time of the next change of processors; MF_NEVER */
    mf_us_t look_us;   /**< wall time of the next look at programs that begin; MF_NEVER */
    bool refused;      /**< a program ran outside of virtual time */
    mf_us_t word_us;   /**< wall time at which the first HELLO may be due; MF_NEVER */
    mf_us_t said_us;   /**< wall time of the last line about connections without HELLO */
    uint32_t silent;   /**< such connections, since that line */
    struct mf_virtual world;
};

/** @brief Listen, and hold the time of the drone. @return false, with config.error set */
bool board_virtual_start(struct board *b);

/** @brief Handle the last events of processes, and remove the socket's file. */
void board_virtual_end(struct board *b);

/** @brief Another drone has connected. @return false: there are too many */
bool board_virtual_drone_came(struct board *b, uint16_t peer, const struct mf_serial *serial);

/** @brief A peer of the network has gone; it may have been such a drone. */
void board_virtual_drone_left(struct board *b, uint16_t peer);

/** @brief Check the program of the command and find the library for it. board_virtual_forget()
 *  must follow when the session is over.
 *  @return false, with config.error set: it cannot follow virtual time */
bool board_virtual_program(struct board *b, const char *program);

/** Put library and socket into the environment of the child that becomes the command. */
void board_virtual_environment(const struct board *b);

/** @brief End the session: no process gets the time any more. Waits up to a second until all have
 *  ended. */
void board_virtual_leave(struct board *b);

/** @brief If the library has a link: end the session, and remove it. */
void board_virtual_forget(struct board *b);

/** @brief Watch the process that becomes the command: its program must join. */
void board_virtual_watch(struct board *b, int32_t pid);

/** Continue as far as possible after the drone's answers, and wait a moment for a process that
 * runs. @return wall time of the next call; 0: at once */
mf_us_t board_virtual_turn(struct board *b);

/** @brief Has the last turn gone on to a later instant, for the only drone of a world whose
 * processes all wait? Then none of them has sent anything since the network had its turn, and the
 * drone need not wait for another one. True once. */
bool board_virtual_went_on(struct board *b);

#endif
