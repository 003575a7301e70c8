/* SPDX-License-Identifier: Apache-2.0 */
/** Step mode: a person on stdin lets steps pass, looks, and changes things between two steps. */
#ifndef MF_BOARDS_SWARM_CONSOLE_H
#define MF_BOARDS_SWARM_CONSOLE_H

#include "boards/swarm/time/operator.h"

struct swarm_console {
    struct swarm_operator *o;
    char input[SWARM_LINE_MAX];
    size_t length; /**< of what has come of the next line */
    bool asked;    /**< and nothing was said since */
    bool ended;    /**< nobody will say anything more */
};

/** @brief What struct swarm_pace calls before a step. @param ctx  the console */
bool swarm_console_turn(void *ctx, bool stands);

#endif
