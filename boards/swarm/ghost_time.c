/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts in lockstep: the swarm grants the time of their drones (docs/time.md). */
#include "boards/swarm/ghost_own.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

int ghost_time_connect(struct swarm *w, const struct mf_scenario_addresses *to, uint32_t k)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const char *text = to->text[k];
    const int one = 1;
    if (mf_endpoint_parse(&ep, MF_PORT_TCP_CLIENT, text, reason) != MF_E_OK ||
        mf_endpoint_resolve(&ep, reason) != MF_E_OK) {
        return swarm_refuse(w, to->line, "%s: %s", text, reason), -1;
    }
    const int fd = socket(ep.addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, &ep.addr.any, ep.addr.len) != 0) {
        (void)swarm_refuse(w, to->line, "%s: %s%s", text, strerror(errno),
                           errno == ECONNREFUSED ? ": start its drone first" : "");
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static bool send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* What has come on its link. @return false: the link has ended */
static bool take(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    ghost_link_read(g, (uint32_t)ghost->link, at_us);
    return g->link[ghost->link].fd >= 0;
}

/* A line of the time socket has come whole: is it the one that is waited for? */
static bool is_line(struct ghost *ghost, const char *word, mf_us_t at_us)
{
    int64_t at = -1;
    char form[16];
    (void)snprintf(form, sizeof form, "%s %%%s", word, SCNd64);
    return strncmp(ghost->line, word, strlen(word)) == 0 &&
           (at_us < 0 || (sscanf(ghost->line, form, &at) == 1 && at == at_us));
}

/* @return 1: the line has come; 0: not yet; -1: the socket has ended */
static int read_lines(struct ghost *ghost, const char *word, mf_us_t at_us)
{
    char c;
    ssize_t n;
    while ((n = recv(ghost->time_fd, &c, 1, MSG_DONTWAIT)) == 1) {
        if (c != '\n') {
            ghost->line_len += ghost->line_len + 1u < GHOST_LINE_MAX ? 1u : 0u;
            ghost->line[ghost->line_len - 1u] = c;
            continue;
        }
        ghost->line[ghost->line_len] = '\0';
        ghost->line_len = 0;
        if (is_line(ghost, word, at_us)) {
            return 1;
        }
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

/* Wait for a line, and take what the drone sends meanwhile: one that is not read holds its time. */
static bool wait_line(struct swarm_ghosts *g, struct ghost *ghost, const char *word, mf_us_t at_us)
{
    for (;;) {
        struct pollfd polls[2] = {{.fd = ghost->time_fd, .events = POLLIN},
                                  {.fd = g->link[ghost->link].fd, .events = POLLIN}};
        const int got = read_lines(ghost, word, at_us);
        if (got != 0) {
            return got > 0 && take(g, ghost, at_us);
        }
        if (poll(polls, 2, GHOST_PATIENCE_MS) <= 0 || !take(g, ghost, at_us)) {
            return false;
        }
    }
}

bool ghost_time_greet(struct swarm_ghosts *g, struct ghost *ghost)
{
    return ghost->time_fd < 0 || wait_line(g, ghost, "now", GHOST_BEFORE_US);
}

bool ghost_time_grant(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    char text[48];
    const int n = snprintf(text, sizeof text, "go %" PRId64 "\n", at_us);
    return send_all(ghost->time_fd, text, (size_t)n) && wait_line(g, ghost, "at", at_us);
}
