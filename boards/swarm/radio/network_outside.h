/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A network that another program simulates, as the participant "network" of the bus (docs/bus.md):
 * ns-3 behind its bridge, or a program that joins the bus. The network leads: it runs ahead to its
 * first arrival, but not beyond the next instant of any other participant, and the world follows to
 * that instant.
 */
#ifndef MF_BOARDS_SWARM_NETWORK_OUTSIDE_H
#define MF_BOARDS_SWARM_NETWORK_OUTSIDE_H

#include "boards/swarm/radio/network.h"
#include "fleet/bus.h"

/** Functions of the network that the connection to its simulator calls. */
struct mf_bus_arrival;

struct swarm_outside_ops {
    /** Take a packet that the simulator delivers. @return MF_E_OK; MF_E_FULL: no memory;
     * MF_E_RANGE: not a valid stream event */
    int (*arrived)(struct swarm *w, const struct mf_bus_arrival *arrival);
    /** True if a member has an interface on network @p k. */
    bool (*has)(struct swarm *w, uint32_t k, uint32_t member);
};

/** @brief Check that the bridge is installed, if the scenario starts it.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_outside_check(struct swarm *w);

/** @brief Prepare for a simulator outside, and start the bridge, if the scenario has them.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_outside_open(struct swarm *w, const struct swarm_outside_ops *ops);

/** @brief True if a simulator outside has networks of the scenario. */
bool swarm_has_outside(const struct swarm *w);

/** @brief Take a participant that has joined the bus as the network. @param fd  its connection,
 * which this file closes later
 *  @param said  bytes that it has sent behind HELLO
 *  @return NULL; else why it is disconnected: the caller keeps the connection */
const char *swarm_outside_join(struct swarm *w, int fd, const struct mf_bus_reader *said);

/** @brief True if the simulator is connected. Otherwise the bus waits for a program that joins as
 * the network. */
bool swarm_outside_is_connected(const struct swarm *w);

/** @brief True if a flow crosses a network of the simulator outside. */
bool swarm_outside_has_flows(const struct swarm *w);

/** @brief Send a packet to the simulator, with the next run. @param way  index of its network
 *  @param number  among its sender's packets  @return MF_E_OK, also if the simulator has failed */
int swarm_outside_send(struct swarm *w, const struct swarm_departure *d, uint32_t way,
                       uint32_t number);

/** @brief Let the network run ahead. @param until_us  at most
 *  @return its time then: @p until_us, or the first instant at which a packet arrives */
mf_us_t swarm_outside_advance(struct swarm *w, mf_us_t until_us);

/** @brief Present time of the network. */
mf_us_t swarm_outside_now_us(const struct swarm *w);

/** @brief Report that the world has come to the network's time: the simulator then writes bytes of
 * flows to real links. @return number of bytes for vehicles */
uint64_t swarm_outside_sync(struct swarm *w);

/** @brief Number of bytes of flows that the simulator has written so far; 0 without one. */
struct mf_bus_written swarm_outside_get_written(const struct swarm *w);

/** @brief True if the simulator has failed or disconnected; an error is set then. */
bool swarm_outside_has_failed(const struct swarm *w);

/** @brief Send the end of the run to the simulator with the exit code, and free everything. */
void swarm_outside_close(struct swarm *w, int code);

#endif
