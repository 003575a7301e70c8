/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The swarm as gzuav's channel: Gazebo's plugins send the states of bodies and the time of each
 * tick, and autopilots answer with motor commands. A round, in the order of gzuav's own channel:
 *
 *     forward every END-TICK-AC to its plugin, run phase 1, read every BEGIN-TICK-AC,
 *     advance time to that in the packets, forward them to the autopilots, run phase 0
 *
 * so autopilots send motor commands before the first tick. Packets are forwarded unchanged.
 */
#ifndef MF_BOARDS_SWARM_CHANNEL_H
#define MF_BOARDS_SWARM_CHANNEL_H

#include "boards/swarm/core/swarm.h"

/** @brief True if plugins of Gazebo set the time of the run. */
bool swarm_has_channel(const struct swarm *w);

/** @brief Wait for BEGIN-TICK-AC of all plugins.
 *  @return the time in them, at which the caller must call swarm_channel_begin(); MF_NEVER: no
 *  plugin is left, or the run is stopped */
mf_us_t swarm_channel_wait_tick(struct swarm *w);

/** @brief Adopt the states in all BEGIN-TICK-AC, and forward these to their autopilots.
 *  @return time in the packets [s] */
double swarm_channel_begin(struct swarm *w);

/** @brief Wait for END-TICK-AC of all autopilots, and forward them to their plugins.
 *  @return false: the run is stopped */
bool swarm_channel_end(struct swarm *w);

/** @brief Position of a body that a plugin moves, as in its packet.
 *  @param enu_m  out [3]: east, north, up
 *  @return false: no plugin moves member @p i */
bool swarm_channel_get_place(const struct swarm *w, uint32_t i, double *enu_m);

/** @brief True if the last plugin has disconnected, which ends the run. */
bool swarm_channel_is_over(const struct swarm *w);

#endif
