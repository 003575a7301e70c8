/* SPDX-License-Identifier: Apache-2.0 */
/** Obstacles of a scenario: who meets them or each other, and how far away they are. */
#ifndef MF_BOARDS_SWARM_CONTACTS_H
#define MF_BOARDS_SWARM_CONTACTS_H

#include "boards/swarm/swarm.h"

/** @brief Obstacles lie in the arena; meshes are read. @return SWARM_OK or SWARM_INPUT */
int swarm_contacts_prepare(struct swarm *w);

/** @brief The file of contacts. @return SWARM_OK or SWARM_INPUT */
int swarm_contacts_open(struct swarm *w);

/** @brief The first look is set, if contacts are written. */
void swarm_contacts_begin(struct swarm *w);

/** @brief Distance to the first obstacle from a place [m]. @param toward  of length 1
 *  @return @p reach_m: there is none before */
double swarm_range_m(const struct swarm *w, const double neu_m[3], const double toward[3],
                     double reach_m);

/** @brief The line of the summary on stdout, if contacts are written. */
void swarm_contacts_tell(const struct swarm *w);

/** @brief The file is complete. @return false: it took not all */
bool swarm_contacts_close(struct swarm *w);

#endif
