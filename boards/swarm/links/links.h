/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Links between vehicles of a swarm and programs outside (docs/swarm-manual.md): an address for
 * each vehicle, a port for each 250, a window of selected ones, UDP to a host, the control API.
 *
 * The first client of a vehicle makes the swarm lend it memory for links. The vehicle's transport
 * time then passes with the wall, so that HEARTBEATs and time-outs follow the clients' time.
 */
#ifndef MF_BOARDS_SWARM_LINKS_H
#define MF_BOARDS_SWARM_LINKS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

struct swarm_links;

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_links *swarm_links_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_LINKS];
}

/** Most clients of one vehicle. */
#define SWARM_CLIENTS 7u
/** Most vehicles of a group or window: a client sees each under a system id of its own. */
#define SWARM_GROUP 250u

/** @brief Address at which a client reaches a vehicle, "A.B.C.D:PORT". @param text  out
 * [MF_ADDR_TEXT_MAX]
 *  @return false: member @p i does not have its own address */
bool swarm_links_get_address(const struct swarm *w, uint32_t i, char *text);

/** @brief Address of the control API, "A.B.C.D:PORT". @param text  out [MF_ADDR_TEXT_MAX]; "": not
 * served */
void swarm_links_get_api(const struct swarm *w, char *text);

/** @brief Send what vehicles have written, and wait until bytes arrive. Call it between two pieces
 * of time.
 *  @param wait_s  at most, by the wall */
void swarm_links_wait(struct swarm *w, double wait_s);

/** @brief Pass what vehicles have written to the operating system. */
void swarm_links_flush(struct swarm *w);

/** @brief Count the traffic of clients. @param in  out: bytes received, plus connects and
 * disconnects  @param out  out: bytes passed to the operating system */
void swarm_links_count(const struct swarm *w, uint64_t *in, uint64_t *out);

/** @brief Read what clients have sent, and run their vehicles at the present. Call it once after
 * each swarm_links_wait(). */
void swarm_links_receive(struct swarm *w);

/** @brief Vehicle time up to which clients permit time to run: the nearest of their barriers; the
 * present while a client has a backlog, on a clock that can wait. @return MF_NEVER: not limited */
mf_us_t swarm_links_limit_us(const struct swarm *w);

/** @brief True if a client is connected, or a user of the service watches: time then runs in short
 * pieces. */
bool swarm_links_has_clients(const struct swarm *w);

/** @brief True if vehicle @p i has an open link. */
bool swarm_links_vehicle_has_client(const struct swarm *w, uint32_t i);

/** @brief Send a complete frame to all clients of vehicle @p i, as if the vehicle had sent it now.
 * A client that sees the vehicle under another system id gets only messages of the message table.
 */
void swarm_links_send(struct swarm *w, uint32_t i, const uint8_t *frame, size_t n);

/** @brief Open a link of vehicle @p i whose other end is a flow of this program. Call it after
 * SWARM_ATTACH of the system of links.
 *  @param number  of the flow, below MF_SCENARIO_FLOWS_MAX  @param serial  stays valid until the
 * links close
 *  @return NULL, or why the link is not open */
const char *swarm_links_open_flow(struct swarm *w, uint32_t i, uint32_t number,
                                  const struct mf_serial *serial);

/** @brief Let the vehicle of a flow read what the flow has sent, at the present. */
void swarm_links_read_flow(struct swarm *w, uint32_t number);

/** @brief Wait until vehicles in other processes have acted on what they have read. */
void swarm_links_sync(struct swarm *w);

/** @brief Close all links before a checkpoint: send what is left, and take lent memory back, so
 * that vehicles have only the memory that they booted with. */
void swarm_links_detach(struct swarm *w);

/** System of links (program/systems.c). */
extern const struct swarm_system swarm_links_system;

#endif
