/* SPDX-License-Identifier: Apache-2.0 */
/** --record: where a recording of this board goes, and which settings it begins with. */
#ifndef MF_BOARDS_POSIX_RECORD_H
#define MF_BOARDS_POSIX_RECORD_H

#include "boards/posix/board.h"

/**
 * Open the file that the configuration names, and record all settings of the vehicle. Without a
 * file nothing happens. @param setup  setup of the vehicle, with the true store @return MF_E_OK, or
 * MF_E_IO with config.error set
 */
int board_record(struct board_drone *d, const struct mf_setup *setup);

/** @brief Was it given more than record_max lets into its file? */
bool board_record_is_full(const struct board_drone *d);

#endif
