/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/core/text.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_TEXT_H
#define MF_FIRMWARE_STATE_TEXT_H

#include "firmware/state/limits.h"
#include "hal/log.h"

/** A text that grows up to its limit and is then cut; always NUL-terminated. Lives on the stack of
 * whoever puts it together. */
struct mf_text {
    char s[MF_TEXT_MAX + 1u];
    size_t len; /**< characters so far, without the NUL */
};

#endif
