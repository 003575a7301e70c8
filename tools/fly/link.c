/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/link.h"

#include "hal-posix/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SEND_MAX_MS      2000
#define CONNECT_MAX_S    2
#define CONNECT_PAUSE_US 50000

/* clang-format off */
#define BAUD_LIST(X)                                              \
    X(9600) X(19200) X(38400) X(57600) X(115200) X(230400)        \
    X(460800) X(500000) X(921600) X(1000000) X(1500000) X(2000000) \
    X(3000000)
/* clang-format on */

int64_t fly_wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t port_now_us(void *ctx)
{
    (void)ctx;
    return fly_wall_us();
}

/* ---- endpoint texts */

/* The baud rates that a serial line knows; others are not tried. */
static bool baud_constant(const char *text, speed_t *speed)
{
#define X(baud)                     \
    if (strcmp(text, #baud) == 0) { \
        *speed = B##baud;           \
        return true;                \
    }
    BAUD_LIST(X)
#undef X
    return false;
}

static const struct scheme {
    const char *prefix;
    const char *form;
    enum fly_transport transport;
    bool host_optional;
} k_scheme[] = {
    {"tcp:", "tcp:HOST:PORT", FLY_TCP, false},
    {"udp:", "udp:HOST:PORT", FLY_UDP, false},
    {"udpin:", "udpin:[HOST:]PORT", FLY_UDP_IN, true},
    {"serial:", "serial:DEVICE:BAUD with a usual rate (57600, 115200, 921600, ...)", FLY_SERIAL,
     false},
};

static bool is_port(const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value > 0 && value <= 65535;
}

/* Split "HOST:PORT" at its last colon, and remove brackets around an IPv6 address. */
static bool split(const char *rest, const struct scheme *s, struct fly_endpoint *e)
{
    const char *colon = strrchr(rest, ':');
    if (colon == NULL && !s->host_optional) {
        return false;
    }
    const char *port = colon == NULL ? rest : colon + 1;
    size_t host_len = colon == NULL ? 0 : (size_t)(colon - rest);
    if (host_len >= 2 && rest[0] == '[' && rest[host_len - 1] == ']') {
        rest++;
        host_len -= 2;
    }
    if (host_len >= sizeof e->host || strlen(port) >= sizeof e->port ||
        (host_len == 0 && !s->host_optional)) {
        return false;
    }
    memcpy(e->host, rest, host_len);
    e->host[host_len] = '\0';
    memcpy(e->port, port, strlen(port) + 1);
    speed_t speed;
    return s->transport == FLY_SERIAL ? baud_constant(port, &speed) : is_port(port);
}

int fly_endpoint_parse(const char *text, struct fly_endpoint *endpoint, char *error,
                       size_t error_size)
{
    for (size_t i = 0; i < sizeof k_scheme / sizeof k_scheme[0]; i++) {
        const struct scheme *s = &k_scheme[i];
        if (strncmp(text, s->prefix, strlen(s->prefix)) != 0) {
            continue;
        }
        endpoint->transport = s->transport;
        const char *rest = text + strlen(s->prefix);
        const bool url =
            s->transport != FLY_SERIAL && strncmp(rest, "//", 2) == 0; /* tcp://HOST:PORT */
        if (split(rest + (url ? 2 : 0), s, endpoint)) {
            return 0;
        }
        snprintf(error, error_size, "'%s' should look like %s", text, s->form);
        return -1;
    }
    snprintf(error, error_size,
             "'%s' is not an endpoint: tcp:HOST:PORT, udp:HOST:PORT, udpin:[HOST:]PORT or "
             "serial:DEVICE:BAUD",
             text);
    return -1;
}

/* ---- operations */

static int send_some(struct fly_port *p, const uint8_t *bytes, size_t n)
{
    if (p->transport == FLY_SERIAL) {
        return (int)write(p->fd, bytes, n);
    }
    if (p->transport == FLY_UDP_IN) {
        return (int)sendto(p->fd, bytes, n, MSG_NOSIGNAL, (struct sockaddr *)&p->peer, p->peer_len);
    }
    return (int)send(p->fd, bytes, n, MSG_NOSIGNAL);
}

static bool is_transient(const struct fly_port *p)
{
    /* a datagram without a listener is lost, but the link goes on */
    const bool udp = p->transport == FLY_UDP || p->transport == FLY_UDP_IN;
    return errno == EAGAIN || errno == EINTR ||
           (udp && (errno == ECONNREFUSED || errno == ENOBUFS || errno == EHOSTUNREACH));
}

static int port_send(void *ctx, const uint8_t *bytes, size_t n)
{
    struct fly_port *p = ctx;
    if (p->transport == FLY_UDP_IN && p->peer_len == 0) {
        return 0;
    }
    while (n > 0) {
        struct pollfd ready = {.fd = p->fd, .events = POLLOUT};
        if (poll(&ready, 1, SEND_MAX_MS) == 0) {
            return -1;
        }
        const int sent = send_some(p, bytes, n);
        if (sent < 0) {
            if (!is_transient(p)) {
                return -1;
            }
            if (p->transport == FLY_UDP || p->transport == FLY_UDP_IN) {
                return 0;
            }
            continue;
        }
        bytes += sent;
        n -= (size_t)sent;
    }
    return 0;
}

/* Receive on a listening socket: the first sender is the vehicle, all others are ignored. */
static int receive_listening(struct fly_port *p, uint8_t *bytes, size_t cap)
{
    struct sockaddr_storage from;
    socklen_t from_len = sizeof from;
    memset(&from, 0, sizeof from);
    const int n = (int)recvfrom(p->fd, bytes, cap, 0, (struct sockaddr *)&from, &from_len);
    if (n > 0 && p->peer_len == 0) {
        p->peer = from;
        p->peer_len = from_len;
    }
    const bool ours = from_len == p->peer_len && memcmp(&from, &p->peer, from_len) == 0;
    return n > 0 && !ours ? 0 : n;
}

static int port_receive(void *ctx, uint8_t *bytes, size_t cap, int64_t timeout_us)
{
    struct fly_port *p = ctx;
    struct pollfd ready = {.fd = p->fd, .events = POLLIN};
    const int timeout_ms = timeout_us <= 0 ? 0 : (int)((timeout_us + 999) / 1000);
    if (poll(&ready, 1, timeout_ms) <= 0) {
        return 0;
    }
    const int n = p->transport == FLY_UDP_IN ? receive_listening(p, bytes, cap)
                                             : (int)read(p->fd, bytes, cap);
    if (n < 0) {
        return is_transient(p) ? 0 : -1;
    }
    const bool stream = p->transport == FLY_TCP || p->transport == FLY_SERIAL;
    return n == 0 && stream ? -1 : n;
}

static const struct fly_link_ops k_port_ops = {port_send, port_receive, port_now_us};

/* ---- opening */

static int open_socket(const struct mf_addr *addr, enum fly_transport transport)
{
    const int on = 1;
    const struct timeval connect_max = {.tv_sec = CONNECT_MAX_S};
    const int type = transport == FLY_TCP ? SOCK_STREAM : SOCK_DGRAM;
    const int fd = socket(addr->any.sa_family, type | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &connect_max, sizeof connect_max);
    const int failed = transport == FLY_UDP_IN ? bind(fd, &addr->any, addr->len)
                                               : connect(fd, &addr->any, addr->len);
    if (failed) {
        const int reason = errno;
        close(fd);
        errno = reason;
        return -1;
    }
    if (transport == FLY_TCP) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    return fd;
}

static int open_network(const struct fly_endpoint *e, int64_t patience_us, char *error,
                        size_t error_size)
{
    const bool any = e->host[0] == '\0';
    struct mf_endpoint found = {
        .kind = e->transport == FLY_TCP ? MF_PORT_TCP_CLIENT : MF_PORT_UDP_CLIENT,
        .port = (uint16_t)strtoul(e->port, NULL, 10)}; /* a number: split() */
    char reason[MF_REASON_MAX];
    const int64_t until = fly_wall_us() + patience_us;
    snprintf(found.host, sizeof found.host, "%s", any ? "0.0.0.0" : e->host);
    while (mf_endpoint_resolve(&found, reason) != MF_E_OK) {
        if (e->transport != FLY_TCP || fly_wall_us() >= until) {
            snprintf(error, error_size, "%s", reason);
            return -1;
        }
        usleep(CONNECT_PAUSE_US); /* the name of a starting container may not resolve yet */
    }
    int fd = open_socket(&found.addr, e->transport);
    while (fd < 0 && e->transport == FLY_TCP && fly_wall_us() < until) {
        usleep(CONNECT_PAUSE_US);
        fd = open_socket(&found.addr, e->transport);
    }
    if (fd < 0) {
        snprintf(error, error_size, "%s port %s: %s", e->host, e->port, strerror(errno));
    }
    return fd;
}

static int open_serial(const struct fly_endpoint *e, char *error, size_t error_size)
{
    struct termios t;
    speed_t speed = B57600;
    (void)baud_constant(e->port, &speed); /* checked when it was parsed */
    const int fd = open(e->host, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || tcgetattr(fd, &t) != 0) {
        snprintf(error, error_size, "%s: %s", e->host, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)CRTSCTS;
    t.c_cc[VMIN] = 1;
    t.c_cc[VTIME] = 0;
    cfsetispeed(&t, speed);
    cfsetospeed(&t, speed);
    tcsetattr(fd, TCSANOW, &t);
    tcflush(fd, TCIFLUSH);
    return fd;
}

int fly_port_open(struct fly_port *port, const struct fly_endpoint *endpoint, int64_t patience_us,
                  struct fly_link *link, char *error, size_t error_size)
{
    const bool serial = endpoint->transport == FLY_SERIAL;
    const int fd = serial ? open_serial(endpoint, error, error_size)
                          : open_network(endpoint, patience_us, error, error_size);
    *port = (struct fly_port){.fd = fd, .transport = endpoint->transport};
    *link = (struct fly_link){
        .ops = &k_port_ops,
        .ctx = port,
        .datagrams = port->transport == FLY_UDP || port->transport == FLY_UDP_IN,
    };
    return fd < 0 ? -1 : 0;
}

void fly_port_close(struct fly_port *port)
{
    if (port->fd >= 0) {
        close(port->fd);
    }
    port->fd = -1;
}
