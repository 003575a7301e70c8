/* SPDX-License-Identifier: Apache-2.0 */
/** Protocol misbehaviour of the board's peers, as configured. */
#ifndef MF_BOARDS_POSIX_MISBEHAVE_H
#define MF_BOARDS_POSIX_MISBEHAVE_H

#include "drone/misbehave.h"
#include "host/config.h"

/** @brief Put it up with the configured rules. @param vehicle  whose rules they are */
void board_misbehave(const struct mf_config *config, const struct mf_vehicle *vehicle,
                     struct mf_misbehave *s);

#endif
