/* SPDX-License-Identifier: Apache-2.0 */
/** Time of the wall, and memory of this process. */
#ifndef MF_BOARDS_SWARM_CORE_WALL_H
#define MF_BOARDS_SWARM_CORE_WALL_H

struct swarm;

/** @brief Time of the wall [s]. */
double swarm_wall_s(void);

/** @brief The most memory that this program has had, without what started it [MB]. */
double swarm_resident_mb(void);

#endif
