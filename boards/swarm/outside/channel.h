/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The swarm as gzuav's channel: Gazebo's plugins on one side are bodies and clock of the run, the
 * autopilots on the other side get their ticks. A round, as gzuav's own channel has it:
 *
 *     all END-TICK-AC go to their plugins, phase 1, all BEGIN-TICK-AC come,
 *     time goes on to what they say, they go to their autopilots, phase 0
 *
 * so motors come first, before the first tick. Packets go on as they came.
 */
#ifndef MF_BOARDS_SWARM_CHANNEL_H
#define MF_BOARDS_SWARM_CHANNEL_H

#include "boards/swarm/core/swarm.h"

/** @brief Is Gazebo the clock? */
bool swarm_channel(const struct swarm *w);

/** @brief All BEGIN-TICK-AC have come. @return their time, at which swarm_channel_begin() follows;
 *  MF_NEVER: no plugin is left, or the run is stopped */
mf_us_t swarm_channel_next(struct swarm *w);

/** @brief They go to their autopilots; bodies are there. @return time as the plugins say it [s] */
double swarm_channel_begin(struct swarm *w);

/** @brief All motors have come, and go to their plugins. @return false: the run is stopped */
bool swarm_channel_end(struct swarm *w);

/** @brief Place of a body of Gazebo, as its plugin says it. @param enu_m  out [3]
 *  @return false: member @p i is none */
bool swarm_channel_place(const struct swarm *w, uint32_t i, double *enu_m);

/** @brief Has the last plugin gone, and time with it? */
bool swarm_channel_over(const struct swarm *w);

#endif
