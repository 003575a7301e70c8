/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the ports at which other programs join: the bus, hosts, gzuav, bodies, flows, networks. */
#include "boards/swarm/core/listener.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char k_taken[] =
    "the port is taken by another program: end that one, or take another port";

static int listener_error(struct swarm *w, const struct swarm_listener *l, const char *what)
{
    (void)swarm_refuse(w, l->line, "%s: %s: %s", l->key, l->where, what);
    return -1;
}

/* Read "[ADDRESS:]PORT"; without an address 127.0.0.1. @return false: malformed */
static bool read_address(const char *text, struct sockaddr_in *a)
{
    const char *colon = strrchr(text, ':');
    char host[MF_SCENARIO_LINK_MAX], *end = NULL;
    (void)snprintf(host, sizeof host, "%.*s", colon != NULL ? (int)(colon - text) : 0, text);
    const char *number = colon != NULL ? colon + 1 : text;
    const unsigned long port = strtoul(number, &end, 10);
    *a = (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return *number >= '0' && *number <= '9' && *end == '\0' && port <= UINT16_MAX &&
           (colon == NULL || inet_pton(AF_INET, host, &a->sin_addr) == 1);
}

/* Name the port to programs that the run starts: SWARM_BUS_LISTEN=127.0.0.1:5770. */
static void set_environment(const struct swarm_listener *l, const struct sockaddr_in *a)
{
    char name[64], host[INET_ADDRSTRLEN] = "", value[sizeof host + 8u];
    int n = snprintf(name, sizeof name, "SWARM_%s", l->key);
    for (int i = 0; i < n && i < (int)sizeof name - 1; i++) {
        name[i] = name[i] == '.' ? '_' : (char)toupper((unsigned char)name[i]);
    }
    (void)inet_ntop(AF_INET, &a->sin_addr, host, sizeof host);
    (void)snprintf(value, sizeof value, "%s:%u", host, (unsigned)ntohs(a->sin_port));
    (void)setenv(name, value, 1);
}

/* Open a listening TCP socket.
 * @param at  out: its address
 * @return a socket; < 0: an error is set */
static int open_listener(struct swarm *w, const struct swarm_listener *l, struct sockaddr_in *at)
{
    struct sockaddr_in a;
    const int one = 1;
    socklen_t n = sizeof a;
    if (!read_address(l->where, &a)) {
        return listener_error(w, l, "must be [ADDRESS:]PORT with an IPv4 address, or unix:PATH");
    }
    if (ntohl(a.sin_addr.s_addr) >> 24u != 127u && l->unsafe != NULL) {
        return listener_error(w, l, l->unsafe);
    }
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, MF_DOOR_BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &n) != 0) {
        const int why = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return listener_error(w, l, why == EADDRINUSE ? k_taken : strerror(why));
    }
    *at = a;
    return fd;
}

int swarm_listen_check(struct swarm *w, const struct swarm_listener *l)
{
    struct sockaddr_in a;
    if (l->where[0] == '\0' || strncmp(l->where, "unix:", 5) == 0) {
        return SWARM_OK;
    }
    const int fd = open_listener(w, l, &a);
    return fd >= 0 && close(fd) == 0 ? SWARM_OK : SWARM_INPUT;
}

int swarm_port_bind(struct swarm *w, int line, const char *key, uint32_t port, int type)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int one = 1, fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && type == SOCK_STREAM) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    }
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0) {
        return fd;
    }
    (void)swarm_refuse(w, line, "%s: %u: %s", key, (unsigned)port,
                       errno == EADDRINUSE ? k_taken : strerror(errno));
    return fd >= 0 && close(fd) == 0 ? -1 : fd;
}

int swarm_port_check(struct swarm *w, int line, const char *key, uint32_t port, int type)
{
    const int fd = swarm_port_bind(w, line, key, port, type);
    return fd >= 0 && close(fd) == 0 ? SWARM_OK : SWARM_INPUT;
}

int swarm_listen(struct swarm *w, const struct swarm_listener *l)
{
    struct sockaddr_in a;
    const int fd = open_listener(w, l, &a);
    if (fd < 0) {
        return fd;
    }
    set_environment(l, &a);
    (void)fprintf(stderr, "mayfly-swarm: %.*s: port %u\n", (int)strcspn(l->key, "."), l->key,
                  (unsigned)ntohs(a.sin_port));
    return fd;
}

int swarm_listen_local(struct swarm *w, const struct swarm_listener *l, int type,
                       struct mf_local_socket *at)
{
    char why[MF_LOCAL_WHY_MAX];
    return mf_local_listen(at, l->where, type, MF_DOOR_BACKLOG, 0600, why)
               ? SWARM_OK
               : listener_error(w, l, why);
}
