/* SPDX-License-Identifier: Apache-2.0 */
/** A recording as telemetry log: 8 bytes of UTC [us], big-endian, then a frame; and so on. */
#ifndef MF_TOOLS_REPLAY_TLOG_H
#define MF_TOOLS_REPLAY_TLOG_H

#include "tools/replay/source.h"

/** @brief Write all frames of one link, in both directions, stamped with the epoch of the boot and
 *  vehicle time. @return frames written; -1: the output took no more */
int64_t replay_tlog(struct replay_source *source, uint16_t link, FILE *out);

#endif
