/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Endpoints: parses the text of a user ("127.0.0.1:5760", "[::1]:5760", "/dev/ttyUSB0:57600") into
 * an endpoint that can be opened.
 *
 * Parsing and resolving happen once, before a vehicle exists; resolving may query a name server and
 * take seconds.
 */
#ifndef MF_HAL_POSIX_ENDPOINT_H
#define MF_HAL_POSIX_ENDPOINT_H

#include "hal/types.h"

#include <netinet/in.h>
#include <sys/socket.h>

/** Kinds: name, spelling in logs, expected form. */
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
/** Longest text of an address, with its NUL: "[ipv6]:port". */
#define MF_ADDR_TEXT_MAX 64u
/** Longest reason for refusing an endpoint, with its NUL. */
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
    char host[MF_HOST_MAX]; /**< host name, or path of the device */
    uint16_t port;          /**< 0 (servers only): any free one */
    uint16_t local_port;    /**< UDP client: port from which it sends; 0: any free one */
    uint32_t baud;
    bool http;      /**< TCP server of HTTP: its peers are HTTP clients (net.h) */
    bool inherited; /**< TCP client: port is the descriptor of a connected socket */
    bool reserved;  /**< TCP client: peers use the places reserved for configured ones (net.h) */
    bool named;     /**< client: the host is looked up repeatedly while the network runs (net.h) */
    bool many; /**< IPv4 server at every address: mf_net_peer.local has the address that the peer
                  uses */
    const char *device;  /**< network device to which such a server is bound; static; NULL: any */
    struct mf_addr addr; /**< set by mf_endpoint_resolve() */
};

/** @brief Name of a kind. @return static */
const char *mf_port_kind_name(enum mf_port_kind kind);

/** @brief Parse the text of a user. A server without a host is at 127.0.0.1.
 * @param reason  out on error: one line, the fault and the allowed form [MF_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE */
int mf_endpoint_parse(struct mf_endpoint *ep, enum mf_port_kind kind, const char *text,
                      char *reason);

/** @brief Find the address of the host: numeric, localhost, /etc/hosts, name servers, IPv4 before
 * IPv6. Serial devices need none.
 * @return MF_E_OK, or MF_E_NOENT with a @p reason [MF_REASON_MAX] */
int mf_endpoint_resolve(struct mf_endpoint *ep, char *reason);

/** @brief Open a serial device, raw and non-blocking. @return descriptor, or -1 with errno */
int mf_tty_open(const struct mf_endpoint *ep);

/** @brief Find the address of a host, port 0. May query name servers. @return MF_E_OK or
 * MF_E_NOENT */
int mf_resolve(const char *host, struct mf_addr *addr);

/** @brief True if a host is a name, neither numeric nor localhost. */
bool mf_host_is_name(const char *host);

/** @brief Set the port of an address. */
void mf_addr_set_port(struct mf_addr *addr, uint16_t port);

/** @brief Port of an address, in the byte order of the host. */
uint16_t mf_addr_port(const struct mf_addr *addr);

/** @brief True if host and port are equal. */
bool mf_addr_equal(const struct mf_addr *a, const struct mf_addr *b);

/** @brief Hash of an address: equal addresses have equal hashes. */
uint32_t mf_addr_hash(const struct mf_addr *addr);

/** @brief True for 127.0.0.0/8 and ::1. */
bool mf_addr_is_loopback(const struct mf_addr *addr);

/** @brief Address of any host in the family of @p like, or of the loopback if @p like is on it;
 * with @p port. */
struct mf_addr mf_addr_local_for(const struct mf_addr *like, uint16_t port);

/** @brief Write "127.0.0.1:5760" or "[::1]:5760"; IPv4 in IPv6 as IPv4.
 * @param text  out [MF_ADDR_TEXT_MAX] */
void mf_addr_text(const struct mf_addr *addr, char *text);

#endif
