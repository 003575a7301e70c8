/* SPDX-License-Identifier: Apache-2.0 */
/** --geoid: from what the configuration says to a list of models that serve. */
#ifndef MF_BOARDS_POSIX_EARTH_H
#define MF_BOARDS_POSIX_EARTH_H

#include "drone/recorder.h"
#include "host/config/config.h"
#include "world/earth.h"

/** A model in words, with its NUL [characters]. */
#define BOARD_EARTH_TEXT 240u

/**
 * Open the packs, which stay mapped, and check that they match the settings, cover home, and have
 * the fingerprint of planning. Reads headers, and the part around home. @param geoid  out: zeroed
 * by the caller @return MF_E_OK, or MF_E_RANGE with config->error set
 */
int board_earth(struct mf_config *config, struct mf_geoid *geoid);

/** @brief "egm96, cubic, frame none, fingerprint ...; 47.3628 m at home" of the model that serves
 * home. */
void board_earth_text(const struct mf_config *config, struct mf_geoid *geoid, char *text);

/** @brief The settings of a recording: each model with its fingerprint, in order. */
void board_earth_record(struct mf_recorder *recorder, const struct mf_geoid *geoid);

#endif
