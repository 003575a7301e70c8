/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packets between members: which members receive them, and when. A built-in network has range,
 * delay and loss; its chance depends on (seed, variation, sender, receiver, number) alone. Other
 * networks are those of a simulator outside (network_outside.h).
 */
#ifndef MF_BOARDS_SWARM_NETWORK_H
#define MF_BOARDS_SWARM_NETWORK_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Receiver: all members. Network: the first one that has both ends, or the sender if it goes to
 * all. */
#define SWARM_NETWORK_ALL UINT32_MAX
#define SWARM_NETWORK_ANY UINT32_MAX
/** Longest payload: it fits into a UDP datagram and into a frame of the bus [bytes]. */
#define SWARM_NETWORK_BYTES_MAX 65000u

/** A packet that has arrived at a member. */
struct swarm_arrival {
    mf_us_t at_us; /**< time of arrival, rounded up */
    uint64_t ns;   /**< exact time of arrival [ns] */
    uint32_t receiver, sender;
    uint32_t number; /**< number among its sender's packets, from 0; datagrams from 2^31, stream
                        events from 3 * 2^30 */
    uint32_t size;
    uint32_t network; /**< index of the network that it has crossed */
    const uint8_t *bytes;
};

/** @brief True if networks carry the packets of members' radios, in place of the medium. */
bool swarm_is_networked(const struct swarm *w);

/** Kinds of packets, each with its own numbers: packets of members' radios and gzuav's nodes;
 * datagrams and streams of programs' sockets. */
enum swarm_packet { SWARM_PACKET, SWARM_DATAGRAM, SWARM_STREAM, SWARM_PACKETS };

/** First numbers of datagrams and of stream events; lower numbers are those of packets. */
#define SWARM_DATAGRAM_FIRST 0x80000000u
#define SWARM_STREAM_FIRST   0xC0000000u

/** Two ports in front of the bytes of a datagram, which are not of its payload [bytes]. */
#define SWARM_DATAGRAM_PORTS 4u

static inline enum swarm_packet swarm_arrival_get_kind(const struct swarm_arrival *a)
{
    return a->number >= SWARM_STREAM_FIRST     ? SWARM_STREAM
           : a->number >= SWARM_DATAGRAM_FIRST ? SWARM_DATAGRAM
                                               : SWARM_PACKET;
}

/** A packet to send. */
struct swarm_departure {
    enum swarm_packet kind;
    uint32_t network;  /**< index of the network, or SWARM_NETWORK_ANY */
    uint32_t from, to; /**< to: a member, or SWARM_NETWORK_ALL */
    const void *bytes;
    size_t size;
    mf_us_t at_us; /**< time of sending: the present */
};

/** @brief Send a packet at the present. A packet that no network carries is lost.
 *  @return MF_E_OK; MF_E_RANGE: too long, or an unknown member; MF_E_FULL: no memory */
int swarm_network_send(struct swarm *w, const struct swarm_departure *d);

/** @brief True if a member has an interface on network @p k. */
bool swarm_network_has(struct swarm *w, uint32_t k, uint32_t member);

/** @brief True if two members are within range of each other on the built-in network @p k. */
bool swarm_network_in_reach(const struct swarm *w, uint32_t k, uint32_t from, uint32_t to,
                            mf_us_t now_us);

/** @brief Send an event of a stream over a network of the simulator outside. @return as
 * swarm_network_send() */
int swarm_network_stream(struct swarm *w, const struct swarm_departure *d);

/** @brief Number of bytes that the simulator outside has written to clients of flows. */
uint64_t swarm_network_sent_bytes(const struct swarm *w);

/** @brief Keep packets that arrive for members with @p keeps() until swarm_network_next_arrival();
 * the others arrive at radios. Call it after SWARM_BEGIN of the network. */
void swarm_network_keep(struct swarm *w, bool (*keeps)(const struct swarm *w, uint32_t member));

/** @brief Next packet that has arrived by a time, in the order (time, receiver, sender, number).
 *  @param a  out; its bytes are valid until the next call  @return false: nothing has arrived */
bool swarm_network_next_arrival(struct swarm *w, mf_us_t until_us, struct swarm_arrival *a);

/** System of networks between members (program/systems.c). */
extern const struct swarm_system swarm_network_system;

#endif
