/* SPDX-License-Identifier: Apache-2.0 */
/* Set of active peers, which a pass visits, for net.c and net_peer.c. Most of many peers are silent
 * most of the time: an epoll set holds their descriptors, and reports the others, so that silent
 * peers cost nothing. */
#include "hal-posix/net_kind.h"

#include <sys/epoll.h>
#include <unistd.h>

void mf_net_activate(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (peer->active) {
        return;
    }
    peer->active = true;
    peer->after = NULL;
    peer->before = net->active_last;
    *(net->active_last != NULL ? &net->active_last->after : &net->active) = peer;
    net->active_last = peer;
}

void mf_net_deactivate(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (!peer->active) {
        return;
    }
    *(peer->before != NULL ? &peer->before->after : &net->active) = peer->after;
    *(peer->after != NULL ? &peer->after->before : &net->active_last) = peer->before;
    peer->active = false;
}

void mf_net_set_open(struct mf_net *net)
{
    net->set_fd = net->memory.events != NULL ? epoll_create1(EPOLL_CLOEXEC) : -1;
}

void mf_net_set_close(struct mf_net *net)
{
    if (net->set_fd >= 0) {
        (void)close(net->set_fd);
        net->set_fd = -1;
    }
}

/* Change a peer's entry in the epoll set. @return false: the system refused it */
static bool change_set(const struct mf_net_peer *peer, int operation, short events)
{
    struct epoll_event event = {
        .events =
            ((events & POLLIN) != 0 ? EPOLLIN : 0u) | ((events & POLLOUT) != 0 ? EPOLLOUT : 0u),
        .data = {.u32 = (uint32_t)(peer - peer->net->memory.peers)},
    };
    return epoll_ctl(peer->net->set_fd, operation, peer->fd, &event) == 0;
}

void mf_net_set_add(struct mf_net_peer *peer)
{
    peer->watched = POLLIN;
    peer->in_set =
        peer->net->set_fd >= 0 && peer->fd >= 0 && change_set(peer, EPOLL_CTL_ADD, peer->watched);
}

void mf_net_set_watch(struct mf_net_peer *peer, short events)
{
    MF_ASSERT(peer->in_set);
    if (peer->watched != events && change_set(peer, EPOLL_CTL_MOD, events)) {
        peer->watched = events;
    }
}

void mf_net_set_receive(struct mf_net *net)
{
    struct epoll_event *events = net->memory.events;
    const int count = epoll_wait(net->set_fd, events, net->memory.event_max, 0);
    for (int i = 0; i < count; i++) {
        struct mf_net_peer *peer = &net->memory.peers[events[i].data.u32];
        /* closing the descriptor of an unused peer has removed it from the set */
        MF_ASSERT(peer->used);
        if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0) {
            peer->readable = true;
        }
        mf_net_activate(peer);
    }
}
