/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups of host names while the network runs, for tcp.c and udp.c. A name server may need many
 * seconds for an answer, so a child process asks it, and writes the address to a pipe. */
#include "hal-posix/net_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Body of the child process: look a name up, write the address to the pipe, and exit. It closes the
 * parent's sockets, since otherwise peers would not see when the parent closes them. It ends with
 * its parent. */
static _Noreturn void answer_parent(const struct mf_net *net, const char *host, int pipe_fd)
{
    struct mf_addr addr;
    memset(&addr, 0, sizeof addr);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (net->in_child != NULL) {
        net->in_child();
    }
    if (dup2(pipe_fd, STDIN_FILENO) == STDIN_FILENO && close_range(3, UINT_MAX, 0) == 0 &&
        mf_resolve(host, &addr) == MF_E_OK) {
        (void)!write(STDIN_FILENO, &addr, sizeof addr); /* the parent takes a whole address only */
    }
    _exit(0);
}

static int begin_lookup(const struct mf_net *net, struct mf_net_lookup *l, const char *host)
{
    int fd[2];
    if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) != 0) {
        return MF_E_NOENT;
    }
    l->child = fork();
    if (l->child == 0) {
        answer_parent(net, host, fd[1]);
    }
    (void)close(fd[1]);
    if (l->child < 0) {
        (void)close(fd[0]);
        l->child = 0;
        return MF_E_NOENT;
    }
    l->fd = fd[0];
    return MF_E_AGAIN;
}

void mf_net_lookup_end(struct mf_net_lookup *l)
{
    if (l->child > 0) {
        (void)kill(l->child, SIGKILL);
        (void)waitpid(l->child, NULL, 0);
        (void)close(l->fd);
        l->child = 0;
    }
}

/* Start a lookup, or read its result. @return MF_E_AGAIN: the child has not answered; MF_E_OK;
 * MF_E_NOENT */
static int continue_lookup(const struct mf_net *net, struct mf_net_lookup *l, const char *host,
                           struct mf_addr *addr)
{
    if (l->child == 0) {
        return begin_lookup(net, l, host);
    }
    const ssize_t n = read(l->fd, addr, sizeof *addr);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return MF_E_AGAIN;
    }
    mf_net_lookup_end(l);
    return n == (ssize_t)sizeof *addr ? MF_E_OK : MF_E_NOENT;
}

bool mf_net_look_up(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    struct mf_endpoint *ep = &port->endpoint;
    struct mf_addr addr;
    const bool known = ep->addr.len > 0;
    const int result = continue_lookup(net, &port->lookup, ep->host, &addr);
    if (result == MF_E_AGAIN) {
        port->retry_us = now_us + MF_NET_LOOKUP_US;
        return false;
    }
    if (result == MF_E_OK) {
        mf_addr_set_port(&addr, ep->port);
        if (!known || !mf_addr_equal(&addr, &ep->addr)) {
            char text[MF_ADDR_TEXT_MAX];
            mf_addr_text(&addr, text);
            mf_net_note(net, MF_NOTICE, "%s %s:%u: is %s", mf_port_kind_name(ep->kind), ep->host,
                        ep->port, text);
            port->complained = false;
        }
        ep->addr = addr;
        return true;
    }
    if (!known && !port->complained) {
        mf_net_note(net, MF_WARNING, "%s %s:%u: host is not known; looked up again each second",
                    mf_port_kind_name(ep->kind), ep->host, ep->port);
        port->complained = true;
    }
    port->retry_us = now_us + MF_NET_REST_US;
    return known;
}
