/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A network that is simulated by another program, in the role of the network of the bus
 * (docs/bus.md): ns-3 behind its bridge, or whoever joins. The network leads: it runs ahead to its
 * first arrival, but never beyond what anybody else waits for, and the world follows to that
 * instant.
 */
#ifndef MF_BOARDS_SWARM_NETWORK_OUTSIDE_H
#define MF_BOARDS_SWARM_NETWORK_OUTSIDE_H

#include "boards/swarm/radio/network.h"

/** @brief Is the network's simulator there, if the scenario starts it?
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_outside_check(struct swarm *w);

/** @brief Start the bridge, if the scenario wants one. @param stop  set by a signal
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_outside_open(struct swarm *w);

/** @brief Is the network simulated outside? */
bool swarm_outside(const struct swarm *w);

/** @brief Somebody has joined the bus as the network. @param fd  its connection, now the network's
 *  @return NULL, or why it must leave: the connection stays the caller's */
const char *swarm_outside_join(struct swarm *w, int fd);

/** @brief Is one there? If not, one that joins the bus is waited for. */
bool swarm_outside_there(const struct swarm *w);

/** @brief Has it any flows? */
bool swarm_outside_flows(const struct swarm *w);

/** @brief A packet leaves. @param way  number of its network  @param number  of its sender's
 *  @return MF_E_OK; MF_E_FULL: no memory */
int swarm_outside_send(struct swarm *w, const struct swarm_departure *d, uint32_t way,
                       uint32_t number);

/** @brief The network runs from now on. @param until_us  at most
 *  @return where it stands: @p until_us, or the first instant at which anything has arrived, which
 *  swarm_network_take() gives */
mf_us_t swarm_outside_lead(struct swarm *w, mf_us_t until_us);

/** @brief Where the network stands. */
mf_us_t swarm_outside_now(const struct swarm *w);

/** @brief The world has come to where the network stands: it writes to real links what has arrived
 *  there. @return bytes for vehicles */
uint64_t swarm_outside_reached(struct swarm *w);

/** @brief Bytes that clients of flows have got so far. */
uint64_t swarm_outside_written(const struct swarm *w);

/** @brief Has it failed, or gone? An error is set. */
bool swarm_outside_failed(const struct swarm *w);

/** @brief It is told that the run is over. */
void swarm_outside_close(struct swarm *w, int code);

#endif
