/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packets that programs outside send from member to member: who gets them, and when. Built in are
 * range, delay and loss; chance follows from (seed, variation, sender, receiver, number) alone.
 * Otherwise a simulator outside knows (network_outside.h).
 */
#ifndef MF_BOARDS_SWARM_NETWORK_H
#define MF_BOARDS_SWARM_NETWORK_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** A packet to all; a packet by the first network that has both ends, or the sender alone. */
#define SWARM_NETWORK_ALL UINT32_MAX
#define SWARM_NETWORK_ANY UINT32_MAX
/** Longest payload: a datagram of UDP takes it, and a frame of the bus [bytes]. */
#define SWARM_NETWORK_BYTES_MAX 65000u

/** A packet that has arrived. */
struct swarm_arrival {
    mf_us_t at_us; /**< in which it has arrived */
    uint64_t ns;   /**< ... exactly */
    uint32_t receiver, sender;
    uint32_t number; /**< of its sender's packets, from 0; of its datagrams, from 2^31; of streams,
                        from 3 * 2^30 */
    uint32_t size;
    uint32_t network; /**< number of the one that it has crossed */
    const uint8_t *bytes;
};

/** @brief Does the network carry the packets of members' radios, in place of the medium? */
bool swarm_networked(const struct swarm *w);

/** Whose it is: packets of members and of gzuav's nodes; datagrams and streams of programs'
 * sockets. They are numbered apart. */
enum swarm_packet { SWARM_PACKET, SWARM_DATAGRAM, SWARM_STREAM, SWARM_PACKETS };

/** A packet that leaves. */
struct swarm_departure {
    enum swarm_packet kind;
    uint32_t network;  /**< its number, or SWARM_NETWORK_ANY */
    uint32_t from, to; /**< to: a member, or SWARM_NETWORK_ALL */
    const void *bytes;
    size_t size;
    mf_us_t at_us; /**< now */
};

/** @brief Send at the present. A packet that no network carries is lost.
 *  @return MF_E_OK; MF_E_RANGE: it is too long, or there is no such member; MF_E_FULL: no memory */
int swarm_network_send(struct swarm *w, const struct swarm_departure *d);

/** @brief Has a member an interface on network @p k? */
bool swarm_network_has(struct swarm *w, uint32_t k, uint32_t member);

/** @brief Are two members within reach of each other on network @p k, which is built in? */
bool swarm_network_in_reach(const struct swarm *w, uint32_t k, uint32_t from, uint32_t to,
                            mf_us_t now_us);

/** @brief An event of a stream leaves for its network, which is simulated outside.
 *  @return as swarm_network_send() */
int swarm_network_stream(struct swarm *w, const struct swarm_departure *d);

struct mf_bus_arrival;

/** @brief A simulator outside says that a packet has arrived.
 *  @return MF_E_OK; MF_E_FULL: no memory; MF_E_RANGE: it is an event of streams, and none that
 * there is */
int swarm_network_arrived(struct swarm *w, const struct mf_bus_arrival *arrival);

/** @brief Bytes that programs outside have got so far. */
uint64_t swarm_network_out(const struct swarm *w);

/** @brief Keep packets that arrive for members with @p keeps(), until swarm_network_take(). After
 * the network's SWARM_BEGIN; other packets arrive at radios. */
void swarm_network_keep(struct swarm *w, bool (*keeps)(const struct swarm *w, uint32_t member));

/** @brief The next packet that has arrived by a time, in the order (time, receiver, sender,
 * number).
 *  @param a  out; its bytes stay until the next call  @return false: none */
bool swarm_network_take(struct swarm *w, mf_us_t until_us, struct swarm_arrival *a);

/** Packets from member to member. */
extern const struct swarm_system swarm_network_system;

#endif
