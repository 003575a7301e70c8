/* SPDX-License-Identifier: Apache-2.0 */
/** Listening sockets in the file system: a path belongs to one program, until that program ends. */
#ifndef MF_HAL_POSIX_LOCAL_SOCKET_H
#define MF_HAL_POSIX_LOCAL_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/** Longest reason, with its NUL [bytes]. */
#define MF_LOCAL_WHY_MAX 128u

/** Listening socket. Its path belongs to the program that opened it. */
struct mf_local_socket {
    int fd;     /**< does not block, is closed on exec; < 0: closed */
    bool named; /**< the file of address is this socket's, by device and inode */
    dev_t device;
    ino_t inode;
    struct sockaddr_un address;
};

/** @brief Listen at a path. Replaces a socket on which no program listens any more; refuses a path
 * with a socket in use, or with a file of another kind.
 * @param type  SOCK_STREAM, SOCK_SEQPACKET  @param mode  permissions of the file
 * @param why  out [MF_LOCAL_WHY_MAX]: reason of a refusal
 * @return false: refused, and l->fd is -1 */
bool mf_local_listen(struct mf_local_socket *l, const char *path, int type, int backlog,
                     mode_t mode, char *why);

/** @brief Close the socket, and remove its file if that is still its own. @param l  may be closed
 * already */
void mf_local_close(struct mf_local_socket *l);

#endif
