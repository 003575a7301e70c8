/* SPDX-License-Identifier: Apache-2.0 */
/** Protocol misbehaviour of the board's peers, as configured. */
#ifndef MF_BOARDS_POSIX_MISBEHAVE_H
#define MF_BOARDS_POSIX_MISBEHAVE_H

#include "boards/posix/board.h"

/** @brief Put it up around the board's vehicle, with the configured rules. */
void board_misbehave(struct board *b);

#endif
