/* SPDX-License-Identifier: Apache-2.0 */
/* The switch for datagrams of programs in virtual time, between their sockets and the network.
 * program/systems.c lists its system; processes/processes.c calls it. */
#include "boards/swarm/radio/sockets.h"

#include "boards/swarm/core/trace.h"
#include "boards/swarm/radio/streams.h"
#include "host/time/virtual_message.h"
#include "host/time/virtual_ports.h"
#include "host/time/virtual_world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD       MF_VIRTUAL_SWITCH_HEAD
#define PORTS      SWARM_DATAGRAM_PORTS
#define NODES_MAX  65534u
#define LOOPBACK   0x7F000000u
#define BUFFER_MAX (4 << 20)
#define LINE       512u /* longest line of a file in /proc */

_Static_assert(SWARM_NETWORK_ALL == MF_VIRTUAL_ALL && SWARM_NETWORK_ANY == MF_VIRTUAL_ALL,
               "receivers of datagrams are receivers of packets");

struct swarm_sockets {
    uint32_t base; /* 127.X.0.0 */
    int fd;
    uint64_t out;
    uint8_t taken[65536]; /* the datagram received last */
    uint8_t given[HEAD + SWARM_NETWORK_BYTES_MAX];
};

/* An address of the world, and a port: of an end of a datagram. */
struct end {
    uint32_t host;
    uint16_t port;
};

static struct swarm_sockets *sockets_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SOCKETS];
}

/* ---- opening the switch */

static struct sockaddr_in make_address(uint32_t host, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(host)}};
}

/* Find networks 127.X in which any process has a socket: programs may outlive a killed swarm. */
static void find_used(bool used[256])
{
    static const char k_name[] = "@" MF_VIRTUAL_STREAMS "127.";
    char line[LINE];
    FILE *file = fopen("/proc/net/unix", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *name = strstr(line, k_name);
        if (name != NULL) {
            used[strtoul(name + sizeof k_name - 1u, NULL, 10) & 0xFFu] = true;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    file = fopen("/proc/net/udp", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) { /* "   7: 0200A07F:1388 ..." */
        char *at = strchr(line, ':');
        const uint32_t real = at != NULL ? ntohl((uint32_t)strtoul(at + 1, &at, 16)) : 0;
        const uint16_t port = real != 0 ? (uint16_t)strtoul(at + 1, NULL, 16) : 0;
        const uint32_t host = mf_virtual_shown(real, port).host;
        used[host >> 16 & 0xFFu] = used[host >> 16 & 0xFFu] || host >> 24 == LOOPBACK >> 24;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

/* Bind the switch in the first free network 127.X, so that concurrent swarms have one each.
 * Networks in which other programs have sockets are tried last. @return false: all are in use */
static bool bind_switch(struct swarm_sockets *s)
{
    bool used[256] = {false};
    find_used(used);
    for (uint32_t k = 0; k < 2u * MF_VIRTUAL_OCTETS; k++) {
        const uint32_t octet = /* from 128 on, as vehicles have addresses such as 127.64.0.1 */
            MF_VIRTUAL_OCTET_LOW + ((uint32_t)getpid() + k) % MF_VIRTUAL_OCTETS;
        if (used[octet] && k < MF_VIRTUAL_OCTETS) {
            continue;
        }
        const struct sockaddr_in a = make_address(LOOPBACK | octet << 16, MF_VIRTUAL_SWITCH_PORT);
        if (bind(s->fd, (const struct sockaddr *)&a, sizeof a) == 0) {
            s->base = LOOPBACK | octet << 16;
            return true;
        }
    }
    return false;
}

/* Check the nodes of all processes. @return line of the first process with a node; 0: not found */
static int check_nodes(struct swarm *w, int *result)
{
    const struct mf_scenario *s = w->scenario;
    int first = 0;
    *result = SWARM_OK;
    for (uint32_t k = 0; k < s->processes && *result == SWARM_OK; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        uint32_t member = 0, end = 0;
        if (p->node[0] == '\0') {
            continue;
        }
        first = first == 0 ? p->line : first;
        if (p->clock != MF_SCENARIO_PROCESS_VIRTUAL) {
            *result = swarm_refuse(w, p->line,
                                   "processes: node: sockets of the world need clock: virtual");
        } else if (!mf_scenario_find(s, p->node, &member, &end) || end != member + 1u ||
                   member >= NODES_MAX) {
            *result = swarm_refuse(w, p->line,
                                   "processes: node: '%s' is not the name of one member", p->node);
        }
    }
    return first;
}

static int open_switch(struct swarm *w)
{
    int result;
    const int line = check_nodes(w, &result);
    if (result != SWARM_OK || line == 0) {
        return result;
    }
    const int bytes = BUFFER_MAX;
    struct swarm_sockets *s = w->state[SWARM_SLOT_SOCKETS] = calloc(1, sizeof *s);
    if (s == NULL) {
        return swarm_refuse(w, line, "processes: no memory");
    }
    s->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->fd < 0 || !bind_switch(s)) {
        return swarm_refuse(w, line,
                            "processes: node: no address 127.128.0.0 to 127.253.0.0 is free: %s",
                            strerror(errno));
    }
    (void)setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    return swarm_streams_open(w, s->base, line);
}

size_t swarm_sockets_environment(struct swarm *w, const char *node,
                                 char text[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT])
{
    uint32_t member = 0, end = 0;
    if (sockets_of(w) == NULL || !mf_scenario_find(w->scenario, node, &member, &end)) {
        return 0;
    }
    const unsigned number = member + 1u, octet = sockets_of(w)->base >> 16 & 0xFFu;
    (void)snprintf(text[0], SWARM_SOCKETS_TEXT, MF_VIRTUAL_NODE_ENV "=127.%u.%u.%u", octet,
                   number >> 8 & 0xFFu, number & 0xFFu);
    size_t n = 1;
    for (uint32_t k = 0; k < w->scenario->networks; k++) {
        const char *name = w->scenario->network[k].name;
        if (!swarm_network_has(w, k, member)) {
            continue;
        }
        if (n == 1) { /* SWARM_ADDRESS names the member's first network */
            (void)snprintf(text[n++], SWARM_SOCKETS_TEXT, "SWARM_ADDRESS=10.%u.%u.%u", (unsigned)k,
                           number >> 8 & 0xFFu, number & 0xFFu);
        }
        if (name[0] != '\0') {
            (void)snprintf(text[n++], SWARM_SOCKETS_TEXT, "SWARM_ADDRESS_%s=10.%u.%u.%u", name,
                           (unsigned)k, number >> 8 & 0xFFu, number & 0xFFu);
        }
    }
    return n;
}

/* ---- datagrams */

static void trace_datagram(const struct swarm *w, const char *how, const struct end *from,
                           const struct end *to, const uint8_t *bytes, size_t n)
{
    swarm_trace_carry(swarm_trace_of(w), (uint64_t)w->now_us * 1000u, true, bytes, n,
                      "datagram from %u.%u.%u.%u:%u to %u.%u.%u.%u:%u %s", from->host >> 24,
                      from->host >> 16 & 0xFFu, from->host >> 8 & 0xFFu, from->host & 0xFFu,
                      (unsigned)from->port, to->host >> 24, to->host >> 16 & 0xFFu,
                      to->host >> 8 & 0xFFu, to->host & 0xFFu, (unsigned)to->port, how);
}

static uint16_t read_port(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* Send a datagram to the program at member @p to. @param sender  its sender's address of the world
 */
static void send_datagram(struct swarm *w, uint32_t sender, uint32_t to, const uint8_t *ports,
                          const uint8_t *bytes, size_t n)
{
    struct swarm_sockets *s = sockets_of(w);
    const uint32_t source = htonl(sender);
    const struct end ends[2] = {{sender, read_port(ports)},
                                {(sender & 0xFFFF0000u) | (to + 1u), read_port(ports + 2)}};
    const struct mf_virtual_socket real = mf_virtual_real(s->base | (to + 1u), ends[1].port);
    const struct sockaddr_in a = make_address(real.host, real.port);
    trace_datagram(w, "arrives", &ends[0], &ends[1], bytes, n);
    memcpy(s->given, &source, 4);
    memcpy(s->given + 4, ports, 2);
    memcpy(s->given + HEAD, bytes, n);
    if (sendto(s->fd, s->given, HEAD + n, MSG_DONTWAIT, (const struct sockaddr *)&a, sizeof a) >
        0) {
        s->out += HEAD + n;
    } /* a datagram to a port without a socket is lost */
}

static void deliver_datagram(struct swarm *w, const struct swarm_arrival *a)
{
    if (sockets_of(w) != NULL && a->size >= PORTS) {
        send_datagram(w, mf_virtual_world(a->network, a->sender), a->receiver, a->bytes,
                      a->bytes + PORTS, a->size - PORTS);
    }
}

static void forward_datagram(struct swarm *w, const struct sockaddr_in *real, uint8_t *bytes,
                             size_t n)
{
    struct swarm_sockets *s = sockets_of(w);
    const struct mf_virtual_socket source =
        mf_virtual_shown(ntohl(real->sin_addr.s_addr), ntohs(real->sin_port));
    const uint16_t port = htons(source.port);
    struct swarm_departure d = {.kind = SWARM_DATAGRAM,
                                .from = (source.host & 0xFFFFu) - 1u,
                                .size = n - HEAD + PORTS,
                                .at_us = w->now_us};
    uint32_t address = 0;
    memcpy(&address, bytes, 4);
    if ((source.host & 0xFFFF0000u) != s->base || d.from >= w->scenario->members ||
        !mf_virtual_world_find(ntohl(address), w->scenario->networks, w->scenario->members,
                               &d.network, &d.to)) {
        return;
    }
    /* bytes follow the receiver's port; the sender's port is written before it */
    uint8_t *ports = bytes + HEAD - PORTS;
    memcpy(ports, &port, 2);
    d.bytes = ports;
    trace_datagram(w, "leaves", &(struct end){mf_virtual_world(d.network, d.from), source.port},
                   &(struct end){ntohl(address), read_port(ports + 2)}, bytes + HEAD, n - HEAD);
    if (d.to == d.from) {
        if (swarm_network_has(w, d.network, d.from)) {
            send_datagram(w, mf_virtual_world(d.network, d.from), d.to, ports, bytes + HEAD,
                          n - HEAD);
        }
        return;
    }
    (void)swarm_network_send(w, &d);
}

static bool receive_datagrams(struct swarm *w)
{
    struct swarm_sockets *s = sockets_of(w);
    struct sockaddr_in source = {0};
    socklen_t length = sizeof source;
    bool any = false;
    for (ssize_t n; s != NULL && (n = recvfrom(s->fd, s->taken, sizeof s->taken, 0,
                                               (struct sockaddr *)&source, &length)) >= 0;
         length = sizeof source) {
        if (n >= (ssize_t)HEAD) {
            forward_datagram(w, &source, s->taken, (size_t)n);
            any = true;
        }
    }
    return any;
}

uint64_t swarm_sockets_sent_bytes(const struct swarm *w)
{
    return sockets_of(w) != NULL ? sockets_of(w)->out : 0;
}

static void close_switch(struct swarm *w, int code)
{
    (void)code;
    swarm_streams_close(w);
    if (sockets_of(w) != NULL && sockets_of(w)->fd >= 0) {
        (void)close(sockets_of(w)->fd);
    }
    free(sockets_of(w));
    w->state[SWARM_SLOT_SOCKETS] = NULL;
}

/* Send datagrams at once, but streams only when all programs wait: a program that runs may have
 * written a part of its piece. */
static bool forward_output(struct swarm *w, bool pending)
{
    const bool sent = receive_datagrams(w);
    return (pending && swarm_streams_read(w)) || sent;
}

static bool deliver_arrival(struct swarm *w, const struct swarm_arrival *a)
{
    const enum swarm_packet kind = swarm_arrival_get_kind(a);
    if (kind == SWARM_STREAM) {
        swarm_streams_receive(w, a);
    } else if (kind == SWARM_DATAGRAM) {
        deliver_datagram(w, a);
    }
    return kind != SWARM_PACKET;
}

const struct swarm_system swarm_sockets_system = {
    .name = "sockets",
    .on = {[SWARM_CONNECT] = open_switch, [SWARM_BEGIN] = swarm_streams_begin},
    .arrived = deliver_arrival,
    .sync = forward_output,
    .close = close_switch,
};
