/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sockets of a process with a node (host/time/virtual_message.h): loopback addresses that represent
 * ports of its node.
 *
 * Port P of node 127.X.H.L is P of 127.X.H.L from 1024 on. The kernel keeps ports below 1024 for
 * privileged programs, so those are ports of 127.254.H.L and 127.255.H.L: each of the 126 networks
 * 127.X has 1,024 of them, and no two nodes share one.
 */
#ifndef MF_HOST_TIME_VIRTUAL_PORTS_H
#define MF_HOST_TIME_VIRTUAL_PORTS_H

#include <stdint.h>

#define MF_VIRTUAL_OCTET_LOW 128u /**< least X */
#define MF_VIRTUAL_OCTETS    126u /**< number of values of X */
#define MF_VIRTUAL_LOW_PORTS 1024u

/** IP address and port in the byte order of the machine. */
struct mf_virtual_socket {
    uint32_t host;
    uint16_t port;
};

/** @brief Loopback address of a port of a node. @param node  127.X.H.L */
static inline struct mf_virtual_socket mf_virtual_real(uint32_t node, uint16_t port)
{
    const uint32_t half = MF_VIRTUAL_OCTETS / 2u;
    const uint32_t network = (node >> 16 & 0xFFu) - MF_VIRTUAL_OCTET_LOW;
    if (port >= MF_VIRTUAL_LOW_PORTS || network >= MF_VIRTUAL_OCTETS) {
        return (struct mf_virtual_socket){node, port};
    }
    const uint32_t octet = MF_VIRTUAL_OCTET_LOW + MF_VIRTUAL_OCTETS + network / half;
    return (struct mf_virtual_socket){
        .host = (node & 0xFF00FFFFu) | octet << 16,
        .port = (uint16_t)(MF_VIRTUAL_LOW_PORTS * (1u + network % half) + port),
    };
}

/** @brief Node and port that a loopback address represents: the inverse of mf_virtual_real(). Other
 * addresses are returned unchanged. */
static inline struct mf_virtual_socket mf_virtual_shown(uint32_t host, uint16_t port)
{
    const uint32_t half = MF_VIRTUAL_OCTETS / 2u;
    const uint32_t octet = host >> 16 & 0xFFu, end = MF_VIRTUAL_OCTET_LOW + MF_VIRTUAL_OCTETS;
    if (octet < end || port < MF_VIRTUAL_LOW_PORTS) {
        return (struct mf_virtual_socket){host, port};
    }
    const uint32_t network = (octet - end) * half + port / MF_VIRTUAL_LOW_PORTS - 1u;
    return (struct mf_virtual_socket){
        .host = (host & 0xFF00FFFFu) | (MF_VIRTUAL_OCTET_LOW + network) << 16,
        .port = (uint16_t)(port % MF_VIRTUAL_LOW_PORTS),
    };
}

#endif
