/* SPDX-License-Identifier: Apache-2.0 */
/** --record: where a recording of this board goes, and which settings it begins with. */
#ifndef MF_BOARDS_POSIX_RECORD_H
#define MF_BOARDS_POSIX_RECORD_H

#include "boards/posix/board.h"

/**
 * @brief Open the file that the configuration names and write down all that the vehicle is made
 * from. Without one nothing happens.
 * @param setup  what the vehicle will be given, with the true store
 * @return MF_E_OK, or MF_E_IO with config.error set
 */
int board_record(struct board_drone *d, const struct mf_setup *setup);

/** @brief Was it given more than record_max lets into its file? */
bool board_record_is_full(const struct board_drone *d);

#endif
