/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/text.h, without functions. */
#ifndef MF_FIRMWARE_STATE_TEXT_H
#define MF_FIRMWARE_STATE_TEXT_H

#include "firmware/state/limits.h"
#include "hal/log.h"

/** Text that grows up to its limit, and is cut there; always NUL-terminated. It is on the stack of
 * its writer. */
struct mf_text {
    char s[MF_TEXT_MAX + 1u];
    size_t len; /**< characters so far, without the NUL */
};

#endif
