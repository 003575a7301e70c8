/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Endpoints: what a user writes ("127.0.0.1:5760", "[::1]:5760", "/dev/ttyUSB0:57600") as something
 * that can be opened.
 *
 * Parsing and resolving happen once, before a vehicle exists; resolving may ask a name server and
 * take seconds.
 */
#ifndef MF_HAL_POSIX_ENDPOINT_H
#define MF_HAL_POSIX_ENDPOINT_H

#include "hal/types.h"

#include <netinet/in.h>
#include <sys/socket.h>

/** Kinds: name, spelling in logs, form that is expected. */
#define MF_PORT_KIND_LIST(X)                                      \
    X(TCP_SERVER, "tcp", "[HOST:]PORT")                           \
    X(TCP_CLIENT, "tcp-out", "HOST:PORT")                         \
    X(UDP_SERVER, "udp", "[HOST:]PORT")                           \
    X(UDP_CLIENT, "udp-out", "HOST:PORT or HOST:PORT@LOCAL_PORT") \
    X(SERIAL, "serial", "DEVICE:BAUD")

enum mf_port_kind {
#define X(name, spelling, form) MF_PORT_##name,
    MF_PORT_KIND_LIST(X)
#undef X
        MF_PORT_KIND_COUNT
};

/** Longest host name (RFC 1035) or device path, with its NUL. */
#define MF_HOST_MAX 256u
/** An address in text, with its NUL: "[ipv6]:port". */
#define MF_ADDR_TEXT_MAX 64u
/** Why an endpoint was refused, with its NUL. */
#define MF_REASON_MAX 400u

/** An IPv4 or IPv6 address with port. */
struct mf_addr {
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
    };
    socklen_t len;
};

struct mf_endpoint {
    enum mf_port_kind kind;
    char host[MF_HOST_MAX]; /**< or the device */
    uint16_t port;          /**< 0 (servers only): any free one */
    uint16_t local_port;    /**< UDP client: where it sends from; 0: any free one */
    uint32_t baud;
    bool http;      /**< TCP server of HTTP: its peers are HTTP clients (net.h) */
    bool inherited; /**< TCP client: port is the descriptor of a socket that is connected already */
    bool reserved;  /**< the same: they have the places of what is configured (net.h) */
    bool named;     /**< client: looked up while the network runs, again and again (net.h) */
    bool many;      /**< IPv4 server at every address: each peer has the one that it speaks to,
                         mf_net_peer.local */
    const char *device;  /**< of the network, to which such a server is bound; static; NULL: any */
    struct mf_addr addr; /**< after mf_endpoint_resolve() */
};

/** @brief How a kind is called. @return static */
const char *mf_port_kind_name(enum mf_port_kind kind);

/** @brief Read what a user wrote. A server without a host is at 127.0.0.1.
 *  @param reason  out on error: one line, what is wrong and what is allowed [MF_REASON_MAX]
 *  @return MF_E_OK or MF_E_RANGE */
int mf_endpoint_parse(struct mf_endpoint *ep, enum mf_port_kind kind, const char *text,
                      char *reason);

/** @brief Find the address of the host: numeric, localhost, /etc/hosts, name servers, IPv4 before
 *  IPv6. Serial devices have none.
 *  @return MF_E_OK, or MF_E_NOENT with a @p reason [MF_REASON_MAX] */
int mf_endpoint_resolve(struct mf_endpoint *ep, char *reason);

/** @brief Open a serial device, raw and without waiting. @return descriptor, or -1 with errno */
int mf_tty_open(const struct mf_endpoint *ep);

/** @brief Address of a host, port 0. May ask name servers. @return MF_E_OK or MF_E_NOENT */
int mf_resolve(const char *host, struct mf_addr *addr);

/** @brief Is a host a name, neither numeric nor localhost? */
bool mf_host_is_name(const char *host);

/** @brief Give an address a port. */
void mf_addr_set_port(struct mf_addr *addr, uint16_t port);

/** @brief The port of an address, in the order of the host. */
uint16_t mf_addr_port(const struct mf_addr *addr);

/** @brief The same host and port? */
bool mf_addr_equal(const struct mf_addr *a, const struct mf_addr *b);

/** @brief A number that equal addresses share. */
uint32_t mf_addr_hash(const struct mf_addr *addr);

/** @brief 127.0.0.0/8 or ::1. */
bool mf_addr_is_loopback(const struct mf_addr *addr);

/** @brief Any host of the family of @p like, or its loopback if @p like is one; with @p port. */
struct mf_addr mf_addr_local_for(const struct mf_addr *like, uint16_t port);

/** @brief "127.0.0.1:5760" or "[::1]:5760"; IPv4 in IPv6 reads as IPv4.
 *  @param text  out [MF_ADDR_TEXT_MAX] */
void mf_addr_text(const struct mf_addr *addr, char *text);

#endif
