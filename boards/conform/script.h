/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scripts: sessions written by hand, one line per thing that happens. docs/recording.md lists the
 * words.
 */
#ifndef MF_BOARDS_CONFORM_SCRIPT_H
#define MF_BOARDS_CONFORM_SCRIPT_H

#include "boards/conform/player.h"
#include "mavlink/frame.h"

/** Longest line, with its NUL [characters]. */
#define SCRIPT_LINE_MAX 2048u

struct script {
    struct player *player;
    uint32_t line;         /**< of the file, being run */
    int64_t rate;          /**< vehicle seconds per transport second */
    struct mf_sender from; /**< who sends what is sent; its sequence counts */
    char error[SCRIPT_LINE_MAX];
};

/** @brief A script for a drone that was not started. */
void script_init(struct script *s, struct player *player);

/** Execute a line. @param line  NUL-terminated, is changed @return MF_E_OK, or an error with
 * s->error set: the number of the line, and the fault */
int script_line(struct script *s, char *line);

#endif
