/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/shell.h, without functions. */
#ifndef MF_FIRMWARE_STATE_SHELL_H
#define MF_FIRMWARE_STATE_SHELL_H

#include "firmware/state/limits.h"
#include "hal/types.h"
#include "mavlink/message.h"

/** A link's shell: what was typed, and how far the first line of it has run. Output is
 * never held. */
struct mf_shell {
    bool open;       /**< a client uses it */
    bool prompt_due; /**< before anything else */
    bool closing;    /**< the client expects no answer: lines run without output, then the shell is
                        closed */
    bool cut;        /**< the line that is being written does not fit */
    uint8_t sysid;   /**< who wrote last: gets the output */
    uint8_t compid;  /**< of the same */
    uint8_t written; /**< bytes of input */
    uint8_t line;    /**< bytes of the line that runs, with its end; 0: none runs */
    uint16_t piece;  /**< of its output: the next one */
    char input[MF_SHELL_INPUT_MAX];
};

#endif
