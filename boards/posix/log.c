/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the log of this board and of its drones, for all its files. */
#include "boards/posix/board.h"

void board_drone_log(struct board_drone *d, enum mf_severity severity, const char *topic,
                     const char *text)
{
    const mf_us_t t_us = mf_pace_shown(&d->pace, mf_monotonic_us());
    mf_log_line_ops.event(&d->log, t_us, severity, topic, text);
}

void board_log(struct board *b, enum mf_severity severity, const char *topic, const char *text)
{
    board_drone_log(&b->drone[0], severity, topic, text);
}
