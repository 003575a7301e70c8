/* SPDX-License-Identifier: Apache-2.0 */
/** conform as a child process, which flies a recording. */
#ifndef MF_TOOLS_REPLAY_CHILD_H
#define MF_TOOLS_REPLAY_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/** Options that it is handed at most, with their values. */
#define REPLAY_CHILD_ARGS 40u
#define REPLAY_WHY_MAX    1024u

struct replay_conform {
    char *program; /**< NULL: conform in this program's folder */
    char *file;    /**< the recording */
    char *arg[REPLAY_CHILD_ARGS];
    size_t args;
};

struct replay_child {
    pid_t pid;
    FILE *out;    /**< what it writes */
    FILE *errors; /**< and what it complains of, in few lines */
};

/** @brief Start it with its output in a pipe.
 *  @param what  "--out" or "--story"  @return false: it was reported */
bool replay_child_start(struct replay_child *child, const struct replay_conform *conform,
                        const char *what);

/** @brief Wait for its end; what it still writes is lost.
 *  @param why  out [REPLAY_WHY_MAX]: why it did not fly the recording, in one line
 *  @return whether it flew it */
bool replay_child_end(struct replay_child *child, char *why);

#endif
