/* SPDX-License-Identifier: Apache-2.0 */
/** --record: where a recording of this board goes, and which settings it begins with. */
#ifndef MF_BOARDS_POSIX_RECORD_H
#define MF_BOARDS_POSIX_RECORD_H

#include "drone/recorder.h"
#include "host/config.h"
#include "world/geoid.h"
#include "world/terrain.h"

/**
 * @brief Open the file that the configuration names and write down all that the vehicle is made
 * from. Without one nothing happens, and the recorder stays inert.
 * @param links  [BOARD_LINKS]
 * @param setup  what the vehicle will be given, with the true store
 * @param geoid  the models that serve it  @param terrain  its ground
 * @return MF_E_OK, or MF_E_IO with config->error set
 */
int board_record(struct mf_recorder *recorder, struct mf_recorder_link *links,
                 struct mf_config *config, const struct mf_setup *setup,
                 const struct mf_geoid *geoid, const struct mf_terrain *terrain);

/** @brief One setting as "key=value", printf-like. */
__attribute__((format(printf, 2, 3))) void board_setting(struct mf_recorder *recorder,
                                                         const char *format, ...);

#endif
