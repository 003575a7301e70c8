/* SPDX-License-Identifier: Apache-2.0 */
/** The hive of a swarm (fleet/hive.h): it sees its members and orders them by their ports. */
#ifndef MF_BOARDS_SWARM_HIVE_H
#define MF_BOARDS_SWARM_HIVE_H

#include "boards/swarm/core/swarm.h"

/** @brief It lies in the arena, with its members and objects. @return SWARM_OK or SWARM_INPUT */
int swarm_hive_prepare(struct swarm *w);

/** @brief Its file. @return SWARM_OK or SWARM_INPUT */
int swarm_hive_open(struct swarm *w);

/** @brief Its first turn is set, if there is a hive. */
void swarm_hive_begin(struct swarm *w);

/** @brief Has it something to do yet? Until all is visited and everybody is at home. */
bool swarm_hive_works(const struct swarm *w);

/** @brief The line of the summary on stdout, if there is a hive. */
void swarm_hive_tell(const struct swarm *w);

/** @brief The file is complete. @return false: it took not all */
bool swarm_hive_close(struct swarm *w);

#endif
