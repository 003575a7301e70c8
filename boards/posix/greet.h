/* SPDX-License-Identifier: Apache-2.0 */
/** The process names its servers at its start. */
#ifndef MF_BOARDS_POSIX_GREET_H
#define MF_BOARDS_POSIX_GREET_H

#include "boards/posix/board.h"

/** Version of Mayfly, such as "0.15.0". */
extern const char board_version[];

/** @brief A plain line for people, or an event for programs, as the log is
 * configured; printf-like. */
__attribute__((format(printf, 3, 4))) void board_say(struct board *b, enum mf_severity severity,
                                                     const char *format, ...);

/** @brief Which drone this is, where it stands, and how to connect to each of its links. */
void board_greet(struct board *b);

#endif
