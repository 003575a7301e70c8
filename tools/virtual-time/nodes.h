/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sockets of a node of the world: a process that stands at a member of a swarm has the address
 * 10.0.H.L there and 127.X.H.L here, and its datagrams go by the switch
 * (host/time/virtual_message.h). All of this does nothing in a process without a node.
 */
#ifndef MF_VIRTUAL_TIME_NODES_H
#define MF_VIRTUAL_TIME_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/** @brief Has this process a node? */
bool vt_node(void);

/** @brief ... and is it a datagram socket of IP? */
bool vt_node_datagram(int fd);

/** @brief Does a message to there go by the switch? @param to  NULL: to where the socket is
 * connected */
bool vt_node_carries(int fd, const struct sockaddr *to);

/** @brief ... then it is sent. @return bytes, or a negative errno */
long vt_node_send(int fd, const struct msghdr *m, int flags);

/** @brief Is what the socket has next from the switch? */
bool vt_node_has(int fd);

/** @brief ... then it is received. @return bytes; -EAGAIN: it was not for this socket */
long vt_node_receive(int fd, struct msghdr *m, int flags);

/** @brief connect() of a datagram socket to an address of the world. @return false: it is none */
bool vt_node_connect(int fd, const struct sockaddr *to, socklen_t n, long *result);

/** @brief The descriptor is another one's now. */
void vt_node_closed(int fd);

#endif
