/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A drone for the time of one command: `mayfly exec [--flag VALUE]... -- COMMAND [ARGUMENT]...`
 *
 * The command starts when the servers listen, finds them in its environment, and gets the signals
 * SIGINT, SIGTERM and SIGHUP that this process gets. With its end the drone ends, and so does every
 * process that the command has started, daemons included. If the drone dies first, they end, too.
 */
#ifndef MF_BOARDS_POSIX_EXEC_H
#define MF_BOARDS_POSIX_EXEC_H

#include "hal-posix/loop.h"

#include <sys/types.h>

/** Exit code, as shells have it: this and the number of the signal that ended a command. */
#define BOARD_EXIT_SIGNAL 128

struct board;

struct board_exec {
    bool wanted;    /**< the first argument was exec */
    char **command; /**< command and its arguments, as argv; NULL: without a command */
    pid_t pid;      /**< of its keeper (hal-posix/keeper.h) */
    pid_t program;  /**< of the command itself */
    bool ended;     /**< the command, and all that it has started */
    int status;     /**< as of waitpid(), once it has ended */
};

/** @brief Is there to be a command? */
bool board_exec_wanted(int argc, char **argv);

/**
 * @brief Which arguments are the drone's. The word exec becomes the flag --free-ports.
 * @param argv  [argc] as main() gets it; kept, from COMMAND on
 * @return how many, from the program's name on
 */
int board_exec_arguments(struct board_exec *x, int argc, char **argv);

/** @brief Start the command. Call it before the loop, with open ports.
 *  @return false, with config.error set: no process could be made, or its program cannot follow
 *          virtual time */
bool board_exec_start(struct board_exec *x, struct board *b);

/** @brief Wait for the command, if it runs still. Its keeper ends it at the end of the drone's
 *  lifetime. @return its exit code, or 128 and the signal that it died of */
int board_exec_end(struct board_exec *x, struct mf_loop *loop, enum mf_loop_end end);

#endif
