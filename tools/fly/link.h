/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Byte links to a vehicle: TCP, UDP and serial lines, opened by one endpoint text.
 *
 *     tcp:HOST:PORT          connect; retried until the vehicle listens
 *     udp:HOST:PORT          sends first
 *     udpin:[HOST:]PORT      listens, and answers the first sender
 *     serial:DEVICE:BAUD     e.g. serial:/dev/ttyACM0:57600
 *
 * IPv6 addresses stand in brackets: tcp:[::1]:5760. A link is an operations table and its context,
 * so that a test can put a vehicle, bad weather and a clock of its own behind it.
 */
#ifndef MF_TOOLS_FLY_LINK_H
#define MF_TOOLS_FLY_LINK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/** Operations of a link. Time is wall time, monotonic [us]. */
struct fly_link_ops {
    /** Send @p n bytes, whole frames; blocks for two seconds at most. @return 0; -1 if the link is
     * gone */
    int (*send)(void *ctx, const uint8_t *bytes, size_t n);
    /** Wait for bytes, @p timeout_us at most. @return how many came; 0 if none; -1 if the link is
     * gone */
    int (*receive)(void *ctx, uint8_t *bytes, size_t cap, int64_t timeout_us);
    int64_t (*now_us)(void *ctx);
};

/** A link: copied freely, the context is its owner's. */
struct fly_link {
    const struct fly_link_ops *ops;
    void *ctx;
    bool datagrams; /**< every receive() gives whole frames */
};

enum fly_transport { FLY_TCP, FLY_UDP, FLY_UDP_IN, FLY_SERIAL };

/** Address of a vehicle, parsed from its text. */
struct fly_endpoint {
    enum fly_transport transport;
    char host[256]; /**< or the serial device; empty: any address */
    char port[16];  /**< or the baud rate */
};

/** An open port, owned by the caller, not moved while its link is used. */
struct fly_port {
    int fd;
    enum fly_transport transport;
    struct sockaddr_storage peer; /**< UDP, listening: who spoke first */
    socklen_t peer_len;           /**< 0: no sender yet */
};

/** @brief Monotonic wall time [us]. */
int64_t fly_wall_us(void);

/** @brief Read an endpoint text.
 *  @param error  out: one line, if it is wrong
 *  @return 0, or -1 */
int fly_endpoint_parse(const char *text, struct fly_endpoint *endpoint, char *error,
                       size_t error_size);

/**
 * @brief Open an endpoint. TCP is retried for @p patience_us until the vehicle listens.
 * @param port   out: owned by the caller, close with fly_port_close()
 * @param link   out: refers to @p port
 * @param error  out: one line, on failure
 * @return 0, or -1
 */
int fly_port_open(struct fly_port *port, const struct fly_endpoint *endpoint, int64_t patience_us,
                  struct fly_link *link, char *error, size_t error_size);

/** @brief Close it; what was sent still leaves. */
void fly_port_close(struct fly_port *port);

#endif
