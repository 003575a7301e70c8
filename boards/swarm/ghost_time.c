/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts in lockstep: the swarm grants the time of their drones (docs/time.md). */
#include "boards/swarm/ghost_own.h"
#include "boards/swarm/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* @return the descriptor; < 0 with errno */
static int connect_to(const struct mf_addr *to)
{
    struct pollfd polled = {.events = POLLOUT};
    const int one = 1;
    int error = 0;
    socklen_t size = sizeof error;
    polled.fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (polled.fd < 0) {
        return -1;
    }
    if (connect(polled.fd, &to->any, to->len) != 0) {
        error = errno;
        if (error == EINPROGRESS && poll(&polled, 1, GHOST_SOON_MS) == 0) {
            error = ETIMEDOUT;
        } else if (error == EINPROGRESS) {
            (void)getsockopt(polled.fd, SOL_SOCKET, SO_ERROR, &error, &size);
        }
    }
    if (error != 0 || fcntl(polled.fd, F_SETFL, 0) != 0) {
        (void)close(polled.fd);
        errno = error != 0 ? error : EIO;
        return -1;
    }
    (void)setsockopt(polled.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return polled.fd;
}

/* @return MF_E_OK; or why the text is no address */
static int address_of(const char *text, struct mf_endpoint *ep, char *reason)
{
    const int result = mf_endpoint_parse(ep, MF_PORT_TCP_CLIENT, text, reason);
    return result == MF_E_OK ? mf_endpoint_resolve(ep, reason) : result;
}

int ghost_time_connect(struct swarm *w, const struct mf_scenario_addresses *to, uint32_t k)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const char *text = to->text[k];
    if (address_of(text, &ep, reason) != MF_E_OK) {
        return swarm_refuse(w, to->line, "%s: %s", text, reason), -1;
    }
    const int fd = connect_to(&ep.addr);
    if (fd < 0) {
        (void)swarm_refuse(w, to->line, "%s: %s%s", text, strerror(errno),
                           errno == ECONNREFUSED ? ": start its drone first" : "");
    }
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
    char form[16];
    (void)snprintf(form, sizeof form, "%s %%%s", word, SCNd64);
    return sscanf(ghost->line, form, &ghost->line_us) == 1 &&
           (at_us < 0 || ghost->line_us == at_us);
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

/* Wait for a line, and take what the drone sends meanwhile: one that is not read holds its time.
 * @param line_us  in the line, by the drone's time; < 0: any */
static bool wait_line(struct swarm_ghosts *g, struct ghost *ghost, const char *word,
                      mf_us_t line_us, mf_us_t at_us)
{
    for (;;) {
        struct pollfd polls[2] = {{.fd = ghost->time_fd, .events = POLLIN},
                                  {.fd = g->link[ghost->link].fd, .events = POLLIN}};
        const int got = read_lines(ghost, word, line_us);
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
    return ghost->time_fd < 0 || wait_line(g, ghost, "now", -1, GHOST_BEFORE_US);
}

bool ghost_time_grant(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    char text[48];
    const mf_us_t its_us = at_us - ghost->ahead_us;
    const int n = snprintf(text, sizeof text, "go %" PRId64 "\n", its_us);
    return send_all(ghost->time_fd, text, (size_t)n) && wait_line(g, ghost, "at", its_us, at_us);
}

/* It is there, and says its time. */
static bool meet_again(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    const uint32_t k = ghost->i - ghost->e->first, link = (uint32_t)ghost->link;
    if (address_of(ghost->e->time_socket.text[k], &ep, reason) != MF_E_OK) {
        return false;
    }
    ghost->time_fd = connect_to(&ep.addr);
    ghost->line_len = 0;
    if (ghost->time_fd < 0 || !ghost_link_reopen(g, link, at_us)) {
        return false;
    }
    const bool greets = wait_line(g, ghost, "now", -1, at_us);
    ghost->ahead_us = at_us - ghost->line_us;
    return greets;
}

void ghost_time_retry(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    struct ghost_link *l = &g->link[ghost->link];
    if (swarm_wall_s() < l->retry_s || l->in.first != NULL) {
        return; /* or it is known already that it has come back */
    }
    l->retry_s = swarm_wall_s() + GHOST_RETRY_S;
    if (ghost->time_fd >= 0) {
        (void)close(ghost->time_fd);
        ghost->time_fd = -1;
    }
    (void)meet_again(g, ghost, at_us); /* if it left in between, the next grant finds that out */
}
