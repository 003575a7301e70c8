/* SPDX-License-Identifier: Apache-2.0 */
/** Wall time, progress by it, and memory of this process. */
#ifndef MF_BOARDS_SWARM_CORE_WALL_H
#define MF_BOARDS_SWARM_CORE_WALL_H

struct swarm;

/** @brief Wall time since an arbitrary instant [s]. */
double swarm_wall_s(void);

/** @brief End a line of progress on stderr: with the time left, in seconds below two minutes.
 *  @param left_s  not finite, or < 0: the line ends without it */
void swarm_wall_end_progress(double left_s);

/** @brief Most memory that this program has had, without the program that started it [MB]. */
double swarm_resident_mb(void);

#endif
