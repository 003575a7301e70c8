/* SPDX-License-Identifier: Apache-2.0 */
/** Two recordings side by side: where they part, in terms of messages and fields. */
#ifndef MF_TOOLS_REPLAY_COMPARE_H
#define MF_TOOLS_REPLAY_COMPARE_H

#include "tools/replay/source.h"

#define REPLAY_REPORT_MAX 1024u

enum replay_verdict { REPLAY_EQUAL, REPLAY_DIFFERENT, REPLAY_UNREADABLE };

/**
 * @brief Read both to the first difference or to the end. A recording that ends without END, since
 * its vehicle was killed, may lack the rest of the pass it was in. Where only the checksum of a
 * plan differs, reading goes on to what the plan makes differ.
 * @param recorded  what happened  @param replayed  what happened again
 * @param report    out: one line to three, without the last newline [REPLAY_REPORT_MAX]
 */
enum replay_verdict replay_compare(struct replay_source *recorded, struct replay_source *replayed,
                                   char *report);

#endif
