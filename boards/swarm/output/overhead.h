/* SPDX-License-Identifier: Apache-2.0 */
/** Where members were, seen from above, as SVG: obstacles, things, and a line for each member. */
#ifndef MF_BOARDS_SWARM_OVERHEAD_H
#define MF_BOARDS_SWARM_OVERHEAD_H

#include "boards/swarm/output/tracks.h"

/** @brief Write it. @param point  [count], by member, then by time */
void swarm_overhead_write(const struct swarm *w, const struct swarm_point *point, size_t count,
                          FILE *to);

#endif
