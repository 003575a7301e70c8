/* SPDX-License-Identifier: Apache-2.0 */
/** --terrain: from what the configuration says to a list of packs of the ground. */
#ifndef MF_BOARDS_POSIX_TERRAIN_H
#define MF_BOARDS_POSIX_TERRAIN_H

#include "drone/recorder.h"
#include "host/config/config.h"
#include "world/earth.h"

/**
 * @brief Open the packs, which stay mapped, and check that their heights are above the model of the
 * geoid that serves home, and that home is where they say the ground is. Reads headers, and what
 * home needs.
 * @param geoid  that serves, from board_earth()  @param terrain  out: zeroed by the caller
 * @return MF_E_OK, or MF_E_RANGE with config->error set
 */
int board_terrain(struct mf_config *config, struct mf_geoid *geoid, struct mf_terrain *terrain);

/** @brief Which packs there are, and how high home is by them and by the configuration.
 *  @param text  out [BOARD_EARTH_TEXT] */
void board_terrain_text(const struct mf_config *config, struct mf_terrain *terrain, char *text);

/** @brief The settings of a recording: each pack by the hash of its grid, in order. */
void board_terrain_record(struct mf_recorder *recorder, const struct mf_terrain *terrain);

#endif
