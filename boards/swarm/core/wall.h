/* SPDX-License-Identifier: Apache-2.0 */
/** Wall time, and memory of this process. */
#ifndef MF_BOARDS_SWARM_CORE_WALL_H
#define MF_BOARDS_SWARM_CORE_WALL_H

struct swarm;

/** @brief Wall time since an arbitrary instant [s]. */
double swarm_wall_s(void);

/** @brief Most memory that this program has had, without the program that started it [MB]. */
double swarm_resident_mb(void);

#endif
