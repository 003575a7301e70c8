/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/protocol/shell.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_SHELL_H
#define MF_FIRMWARE_STATE_SHELL_H

#include "firmware/state/limits.h"
#include "hal/types.h"
#include "mavlink/message.h"

/** A link's shell: what was typed, and how far the first line of it has run. Output is
 * never held. */
struct mf_shell {
    bool open;       /**< somebody writes to it */
    bool prompt_due; /**< before anything else */
    bool closing;    /**< no answer is wanted: lines run unseen, then it is closed */
    bool cut;        /**< the line that is being written does not fit */
    uint8_t sysid;   /**< who wrote last: gets the output */
    uint8_t compid;  /**< of the same */
    uint8_t written; /**< bytes of input */
    uint8_t line;    /**< bytes of the line that runs, with its end; 0: none runs */
    uint16_t piece;  /**< of its output: the next one */
    char input[MF_SHELL_INPUT_MAX];
};

#endif
