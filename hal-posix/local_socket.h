/* SPDX-License-Identifier: Apache-2.0 */
/** Sockets in the file system that listen: of which program a path is, and until when. */
#ifndef MF_HAL_POSIX_LOCAL_SOCKET_H
#define MF_HAL_POSIX_LOCAL_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/** A reason [bytes, with its NUL]. */
#define MF_LOCAL_WHY_MAX 128u

/** A socket that listens. Its path stays the program's while it lives. */
struct mf_local_socket {
    int fd;     /**< does not block, is closed on exec; < 0: closed */
    bool named; /**< the file of address is this socket's: device and inode tell */
    dev_t device;
    ino_t inode;
    struct sockaddr_un address;
};

/** @brief Listen at a path. A socket there on which no program listens any more is replaced; one on
 *  which a program listens, and a file of another kind, stay as they are.
 *  @param type  SOCK_STREAM, SOCK_SEQPACKET  @param mode  permissions of the file
 *  @param why  out [MF_LOCAL_WHY_MAX]: of a refusal
 *  @return false: refused, and l->fd is -1 */
bool mf_local_listen(struct mf_local_socket *l, const char *path, int type, int backlog,
                     mode_t mode, char *why);

/** @brief Close it. The file goes if it is still this socket's own. @param l  may be closed already
 */
void mf_local_close(struct mf_local_socket *l);

#endif
