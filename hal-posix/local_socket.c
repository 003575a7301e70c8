/* SPDX-License-Identifier: Apache-2.0 */
/* Local sockets that listen at a path, for boards/swarm, boards/posix and tools/body. A path that
 * an ended program left is reused. */
#include "hal-posix/local_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_TRIES   1000u /* number of waits of LOCK_WAIT_US */
#define LOCK_WAIT_US 1000u

static const char k_taken[] = "another program listens there: end it, or take another path";

/* Find out whether a program uses the socket at a path. The probe is a datagram socket: a stream
 * socket refuses it because of its type, without notice to its program, and a socket without a
 * program refuses any. If another user's socket cannot be probed, it counts as used. */
static bool is_alive(const struct sockaddr_un *at)
{
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 &&
                      (errno == ECONNREFUSED || errno == ENOENT);
    if (fd >= 0) {
        (void)close(fd);
    }
    return !dead;
}

/* Lock a folder against other programs that listen in it, so that two programs started at once do
 * not each remove the other's socket. The lock is an abstract socket named after the folder, which
 * the kernel gives to one program at a time. A program that keeps it for longer than LOCK_TRIES is
 * not one of Mayfly, so the wait ends then. @return a descriptor, which is closed to release the
 * lock; < 0: not locked */
static int lock_folder(const char *path)
{
    struct sockaddr_un lock = {.sun_family = AF_UNIX};
    char folder[sizeof lock.sun_path] = ".";
    const char *slash = strrchr(path, '/');
    struct stat is = {0};
    if (slash != NULL) {
        const size_t n = slash > path ? (size_t)(slash - path) : 1u;
        memcpy(folder, path, n);
        folder[n] = '\0';
    }
    (void)stat(folder, &is);
    (void)snprintf(lock.sun_path + 1, sizeof lock.sun_path - 1, "mayfly-folder-%llx-%llx",
                   (unsigned long long)is.st_dev, (unsigned long long)is.st_ino);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    for (unsigned n = 0; fd >= 0 && n < LOCK_TRIES; n++) {
        if (bind(fd, (const struct sockaddr *)&lock, sizeof lock) == 0 || errno != EADDRINUSE) {
            break;
        }
        (void)usleep(LOCK_WAIT_US);
    }
    return fd;
}

/* Bind a socket to its path, and listen. @return NULL, or the reason of the failure */
static const char *take_path(struct mf_local_socket *l, int backlog, mode_t mode)
{
    const char *path = l->address.sun_path;
    struct stat is;
    if (lstat(path, &is) == 0 && S_ISSOCK(is.st_mode)) {
        if (is_alive(&l->address)) {
            return k_taken;
        }
        (void)unlink(path);
    }
    if (bind(l->fd, (const struct sockaddr *)&l->address, sizeof l->address) != 0) {
        return strerror(errno);
    }
    l->named = lstat(path, &is) == 0;
    l->device = is.st_dev;
    l->inode = is.st_ino;
    return l->named && chmod(path, mode) == 0 && listen(l->fd, backlog) == 0 ? NULL
                                                                             : strerror(errno);
}

bool mf_local_listen(struct mf_local_socket *l, const char *path, int type, int backlog,
                     mode_t mode, char *why)
{
    *l = (struct mf_local_socket){.fd = -1, .address = {.sun_family = AF_UNIX}};
    const size_t n = strlen(path);
    if (n == 0 || n >= sizeof l->address.sun_path) {
        (void)snprintf(why, MF_LOCAL_WHY_MAX, "a socket's path has 1 to %zu characters",
                       sizeof l->address.sun_path - 1u);
        return false;
    }
    memcpy(l->address.sun_path, path, n + 1u);
    const int folder = lock_folder(path);
    l->fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const char *wrong = l->fd < 0 ? strerror(errno) : take_path(l, backlog, mode);
    if (wrong != NULL) {
        (void)snprintf(why, MF_LOCAL_WHY_MAX, "%s", wrong);
        mf_local_close(l);
    }
    if (folder >= 0) {
        (void)close(folder);
    }
    return wrong == NULL;
}

void mf_local_close(struct mf_local_socket *l)
{
    struct stat is;
    if (l->fd < 0) {
        return;
    }
    if (l->named && lstat(l->address.sun_path, &is) == 0 && is.st_dev == l->device &&
        is.st_ino == l->inode) {
        (void)unlink(l->address.sun_path);
    }
    (void)close(l->fd);
    *l = (struct mf_local_socket){.fd = -1};
}
