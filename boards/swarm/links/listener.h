/* SPDX-License-Identifier: Apache-2.0 */
/** A TCP port at which programs outside take part in a swarm. */
#ifndef MF_BOARDS_SWARM_LISTENER_H
#define MF_BOARDS_SWARM_LISTENER_H

#include "boards/swarm/core/swarm.h"
#include "hal-posix/door.h"
#include "hal-posix/local_socket.h"

/** Where a key of the scenario wants a port. */
struct swarm_listener {
    const char *key; /**< "bus.listen", for errors and the line that names the port */
    int line;
    const char *where;  /**< "[ADDRESS:]PORT", port 0: any that is free */
    const char *unsafe; /**< what is wrong if other machines reach it; NULL: nothing */
};

/** @brief Listen; a line on stderr names the port. @return a socket that does not block, closed on
 *  exec; < 0: an error is set */
int swarm_listen(struct swarm *w, const struct swarm_listener *l);

/** @brief Listen at a local socket, @c where (mf_local_listen()).
 *  @param type  SOCK_STREAM, SOCK_SEQPACKET  @param at  out
 *  @return SWARM_OK; another: an error is set, and at->fd is -1 */
int swarm_listen_local(struct swarm *w, const struct swarm_listener *l, int type,
                       struct mf_local_socket *at);

/** @brief Could one listen there? Of --check; what is no TCP port is no matter.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_listen_check(struct swarm *w, const struct swarm_listener *l);

/** @brief A socket at a port of 127.0.0.1. @param type  SOCK_STREAM or SOCK_DGRAM
 *  @return < 0: an error is set */
int swarm_port_take(struct swarm *w, int line, const char *key, uint32_t port, int type);

/** @brief Could it be taken? @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_port_check(struct swarm *w, int line, const char *key, uint32_t port, int type);

#endif
