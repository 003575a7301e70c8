/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sockets of a node of the world: a process that stands at a member of a swarm has the address
 * 10.0.H.L there and 127.X.H.L here. Its datagrams go by the switch, and its streams are local ones
 * to the switch (host/time/virtual_message.h). All of this does nothing in a process without a
 * node.
 */
#ifndef MF_VIRTUAL_TIME_NODES_H
#define MF_VIRTUAL_TIME_NODES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/** Descriptors of which anything is known. */
#define VT_SOCKETS_MAX 4096
/** First port for sockets that bind to none, so that each run chooses the same. */
#define VT_FIRST_PORT 40000u

/** @brief Has this process a node? */
bool vt_node(void);

/** @brief True for a datagram socket of IP. */
bool vt_node_datagram(int fd);

/** @brief Does a message to there go by the switch? @param to  NULL: to where the socket is
 * connected */
bool vt_node_carries(int fd, const struct sockaddr *to, socklen_t n);

/** @brief Send a datagram to an address of the world. @return bytes, or a negative errno */
long vt_node_send(int fd, const struct msghdr *m, int flags);

/** @brief Is what the socket has next from the switch? */
bool vt_node_has(int fd);

/** @brief Receive a datagram of the world. @return bytes; -EAGAIN: it was for another socket */
long vt_node_receive(int fd, struct msghdr *m, int flags);

/** @brief connect() of a datagram socket to an address of the world. @return false: not an address
 * of the world */
bool vt_node_connect(int fd, const struct sockaddr *to, socklen_t n, long *result);

/** @brief Address of the world to which a datagram socket is connected. @return false: none */
bool vt_node_peer(int fd, struct sockaddr_in *peer);

/** @brief The descriptor is another one's now. */
void vt_node_closed(int fd);

/* ---- streams */

/** @brief Is it a stream, or one that listens, of the world? */
bool vt_stream(int fd);

/**
 * @brief connect() of a stream to an address of the world. @param result  0, -EINPROGRESS or
 * another negative errno  @return false: not an address of the world
 */
bool vt_stream_connect(int fd, const struct sockaddr *to, socklen_t n, long *result);

/**
 * @brief Result of opening a stream, reported once. @return 0 or a negative errno;
 * -EINPROGRESS: still opening
 */
int vt_stream_opened(int fd);

/** @brief accept4() of one that listens in the world. @return the descriptor, or a negative errno
 */
long vt_stream_accept(int fd, struct sockaddr *from, socklen_t *n, int flags);

/**
 * @brief Addresses of the two ends of a stream; of a listening socket, its own. @return false: not
 * a stream of the world
 */
bool vt_stream_ends(int fd, struct sockaddr_in *own, struct sockaddr_in *peer);

/** @brief Does the program see addresses of IP, version 6, at it? */
bool vt_stream_is_six(int fd);

/** @brief Is it an option that a stream of the world takes without effect? */
bool vt_stream_takes_option(int fd, int level, int option);

/** @brief The descriptor is another one's now. */
void vt_stream_closed(int fd);

/* ---- addresses, of both files */

/** @brief Address of this node on the machine, in the machine's byte order; 0: none. */
uint32_t vt_node_here(void);

/** @brief Address of this node on the first of its networks of the world. */
uint32_t vt_node_there(void);

/** @brief The switch's, here. */
uint32_t vt_switch_here(void);

/** @brief Convert an address to IPv4. @return false: not IPv4, and not mapped to IPv6 */
bool vt_as_ip(const struct sockaddr *a, socklen_t n, struct sockaddr_in *ip);

/** @brief Does the world have it? */
bool vt_is_of_world(const struct sockaddr_in *a);

/** @brief An address for a program, of version 4 or 6. */
void vt_show_address(const struct sockaddr_in *a, bool six, struct sockaddr *to, socklen_t *n);

/** @brief Is it a socket of IP and of that type? @param six  out: of version 6 */
bool vt_is_socket(int fd, int type, bool *six);

/** @brief The address to which it is bound here. @return 0 or a negative errno */
long vt_bound(int fd, struct sockaddr_in *own);

/** @brief A socket that sends has a port. @return 0 or a negative errno */
long vt_settle(int fd);

static inline uint32_t vt_host_of(const struct sockaddr_in *a)
{
    return ntohl(a->sin_addr.s_addr);
}

static inline struct sockaddr_in vt_ip_of(uint32_t host, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(host)}};
}

#endif
