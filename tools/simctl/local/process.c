/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/process.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define ENVIRONMENT_MAX 65536u
#define ANSWER_TIME_US  300000 /* of a server on this machine */

pid_t simctl_spawn(char *const *argv, char *const *environment, const char *log, bool own_session)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    pid_t pid = -1;
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&how);
    (void)posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    (void)posix_spawn_file_actions_adddup2(&files, 1, 2);
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)posix_spawnattr_setsigmask(&how, &none);
    (void)posix_spawnattr_setsigdefault(&how, &all);
    (void)posix_spawnattr_setflags(&how, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                 (own_session ? POSIX_SPAWN_SETSID : 0)));
    const int result = posix_spawnp(&pid, argv[0], &files, &how, argv, environment);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&how);
    if (result != 0) {
        errno = result;
        return -1;
    }
    return pid;
}

/* @param text  out [ENVIRONMENT_MAX + 1]: lines, each with its NUL  @return their bytes */
static size_t read_environment(const char *pid, char *text)
{
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/%s/environ", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, ENVIRONMENT_MAX) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

void simctl_find_processes(const char *variable,
                           void (*found)(void *ctx, pid_t pid, const char *value), void *ctx)
{
    const size_t length = strlen(variable);
    char *text = malloc(ENVIRONMENT_MAX + 1);
    DIR *proc = opendir("/proc");
    for (const struct dirent *e = proc != NULL && text != NULL ? readdir(proc) : NULL; e != NULL;
         e = readdir(proc)) {
        const size_t n =
            isdigit((unsigned char)e->d_name[0]) ? read_environment(e->d_name, text) : 0;
        for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
            if (strncmp(text + at, variable, length) == 0 && text[at + length] == '=') {
                found(ctx, (pid_t)strtol(e->d_name, NULL, 10), text + at + length + 1);
                break;
            }
        }
    }
    if (proc != NULL) {
        (void)closedir(proc);
    }
    free(text);
}

bool simctl_process_runs(pid_t pid)
{
    char path[64], text[256];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    const char *behind = strrchr(text, ')'); /* the name may hold anything */
    return behind != NULL && behind[1] == ' ' && behind[2] != 'Z' && behind[2] != 'X';
}

/* ---- servers of this machine */

static int connect_to(unsigned port)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const struct timeval patience = {.tv_usec = ANSWER_TIME_US};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, (socklen_t)sizeof patience);
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, (socklen_t)sizeof patience);
        if (connect(fd, (const struct sockaddr *)&to, (socklen_t)sizeof to) == 0) {
            return fd;
        }
        (void)close(fd);
    }
    return -1;
}

unsigned simctl_free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof at;
    unsigned port = 0;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        if (bind(fd, (const struct sockaddr *)&at, length) == 0 &&
            getsockname(fd, (struct sockaddr *)&at, &length) == 0) {
            port = ntohs(at.sin_port);
        }
        (void)close(fd);
    }
    return port;
}

bool simctl_port_answers(unsigned port)
{
    const int fd = connect_to(port);
    if (fd >= 0) {
        (void)close(fd);
    }
    return fd >= 0;
}

bool simctl_http_ok(unsigned port, const char *path)
{
    char text[256] = "";
    ssize_t n = -1;
    const int fd = connect_to(port);
    if (fd >= 0) {
        const int len = snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%u\r\n\r\n",
                                 path, port);
        if (send(fd, text, (size_t)len, MSG_NOSIGNAL) == len) {
            n = recv(fd, text, sizeof text - 1, 0);
        }
        (void)close(fd);
    }
    return n > 12 && memcmp(text, "HTTP/1.", 7) == 0 && memcmp(text + 8, " 200", 4) == 0;
}
