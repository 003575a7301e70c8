/* SPDX-License-Identifier: Apache-2.0 */
/** Links that misbehave (docs/links.md, Quality): what stands between configuration, drone and
 * network. */
#ifndef MF_BOARDS_POSIX_QUALITY_H
#define MF_BOARDS_POSIX_QUALITY_H

#include "boards/posix/board.h"

/** @brief A configured link is like this from now on, for peers that are there and those that come;
 * its times begin to count. */
void board_quality_set(struct board_drone *d, uint16_t port, const struct mf_link_quality *quality);

/** Log the counts of frames of a closed peer, if its link had a quality. */
void board_quality_log(struct board_drone *d, uint16_t index);

/** End connections as the qualities of links say, after the vehicle's passes. */
void board_quality_run(struct board_drone *d);

#endif
