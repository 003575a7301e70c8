/* SPDX-License-Identifier: Apache-2.0 */
/** Ports and local sockets at which other programs join a run. */
#ifndef MF_BOARDS_SWARM_CORE_LISTENER_H
#define MF_BOARDS_SWARM_CORE_LISTENER_H

#include "boards/swarm/core/swarm.h"
#include "hal-posix/door.h"
#include "hal-posix/local_socket.h"

/** Port or local socket that a key of the scenario names. */
struct swarm_listener {
    const char *key; /**< name of the key, for texts: "bus.listen" */
    int line;
    const char *where;  /**< "[ADDRESS:]PORT"; port 0: any free one */
    const char *unsafe; /**< error if other machines can reach the port; NULL: they may */
};

/** @brief Listen, and name the port on stderr and in the environment of programs that the run
 * starts.
 *  @return a socket that does not block, closed on exec; < 0: an error is set */
int swarm_listen(struct swarm *w, const struct swarm_listener *l);

/** @brief Listen at a local socket, @c where (mf_local_listen()).
 *  @param type  SOCK_STREAM, SOCK_SEQPACKET  @param at  out
 *  @return SWARM_OK; another: an error is set, and at->fd is -1 */
int swarm_listen_local(struct swarm *w, const struct swarm_listener *l, int type,
                       struct mf_local_socket *at);

/** @brief Check that a TCP port is free, for --check.
 *  @return SWARM_OK, also for a local socket; SWARM_INPUT with an error set */
int swarm_listen_check(struct swarm *w, const struct swarm_listener *l);

/** @brief Bind a socket to a port of 127.0.0.1. @param type  SOCK_STREAM or SOCK_DGRAM
 *  @return < 0: an error is set */
int swarm_port_bind(struct swarm *w, int line, const char *key, uint32_t port, int type);

/** @brief Check that swarm_port_bind() could bind a port.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_port_check(struct swarm *w, int line, const char *key, uint32_t port, int type);

#endif
