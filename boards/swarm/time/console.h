/* SPDX-License-Identifier: Apache-2.0 */
/** Step mode: a person on stdin lets steps pass, looks, and changes things between two steps. */
#ifndef MF_BOARDS_SWARM_CONSOLE_H
#define MF_BOARDS_SWARM_CONSOLE_H

#include "boards/swarm/time/operator.h"

struct swarm_console {
    struct swarm_operator *o;
    char input[SWARM_LINE_MAX];
    size_t length; /**< bytes of the next line that have been read */
    bool asked;    /**< the prompt stands, and no line has answered it */
    bool ended;    /**< standard input has ended */
};

/** @brief Obey the next line, if there is one.
 *  @param stands  time stands: print a prompt
 *  @return true: a line was obeyed, or time passes again since standard input has ended */
bool swarm_console_poll(struct swarm_console *c, bool stands);

/** @brief Wait until a line may have come. @param idle  nothing is left to do: steps that a line
 * ordered do not pass  @param wait_s  at most
 *  @return false: no line is awaited */
bool swarm_console_wait(const struct swarm_console *c, bool idle, double wait_s);

#endif
