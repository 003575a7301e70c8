/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/local_socket.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_TRIES   1000u /* of LOCK_WAIT_US */
#define LOCK_WAIT_US 1000u

static const char k_taken[] = "another program listens there: end it, or take another path";

/* A socket without datagrams refuses this connection by its type, before its program could notice;
 * one that no program has open refuses any. A socket of another user's may be alive, too. */
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

/* Of two programs that come at once one looks, removes and binds before the other looks: meanwhile
 * it has an abstract socket with a name of the folder, which the kernel gives to one program at a
 * time. A program that has it for longer than LOCK_TRIES is none of these, and is not waited for.
 * @return a descriptor, which ends the lock; < 0: there is none */
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

/* @return NULL, or why not */
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
