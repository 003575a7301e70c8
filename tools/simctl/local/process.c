/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/process.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define ENVIRONMENT_MAX 65536u
#define ANSWER_TIME_US  300000 /* of a server on this machine */
#define PORT_FIRST      20000u
#define PORT_END        32768u /* Linux's default */
#define PORT_TRIES      1000u

pid_t simctl_spawn(char *const *argv, char *const *environment, const char *log)
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
    (void)posix_spawnattr_setflags(
        &how, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID));
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

/* Read when a process started. @return false: it has ended */
static bool read_start(pid_t pid, uint64_t *start)
{
    char path[64], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')'); /* the name may hold anything */
    const bool runs = at != NULL && at[1] == ' ' && at[2] != 'Z' && at[2] != 'X';
    for (unsigned field = 2; at != NULL && field < 22; field++) { /* of proc(5): starttime */
        at = strchr(at + 1, ' ');
    }
    *start = at != NULL ? strtoull(at, NULL, 10) : 0;
    return runs && at != NULL;
}

void simctl_find_processes(const char *variable,
                           void (*found)(void *ctx, const struct simctl_process *process,
                                         const char *value),
                           void *ctx)
{
    const size_t length = strlen(variable);
    char *text = malloc(ENVIRONMENT_MAX + 1);
    DIR *proc = opendir("/proc");
    for (const struct dirent *e = proc != NULL && text != NULL ? readdir(proc) : NULL; e != NULL;
         e = readdir(proc)) {
        struct simctl_process process = {.pid = (pid_t)strtol(e->d_name, NULL, 10)};
        /* the start comes first: an environment of a later process does not fit it */
        const size_t n =
            isdigit((unsigned char)e->d_name[0]) && read_start(process.pid, &process.start)
                ? read_environment(e->d_name, text)
                : 0;
        for (size_t at = 0; at < n; at += strlen(text + at) + 1) {
            if (strncmp(text + at, variable, length) == 0 && text[at + length] == '=') {
                found(ctx, &process, text + at + length + 1);
                break;
            }
        }
    }
    if (proc != NULL) {
        (void)closedir(proc);
    }
    free(text);
}

bool simctl_process_runs(const struct simctl_process *process)
{
    uint64_t start;
    return read_start(process->pid, &start) && start == process->start;
}

void simctl_process_signal(const struct simctl_process *process, int number)
{
    const int fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
    if (fd >= 0) { /* from here on it is one process, whose start does not change */
        if (simctl_process_runs(process)) {
            (void)syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
        }
        (void)close(fd);
    }
}

int simctl_find_program(const char *program)
{
    const char *path = strchr(program, '/') != NULL ? "" : getenv("PATH");
    int error = ENOENT;
    while (path != NULL) {
        char file[4096];
        struct stat about;
        const size_t n = strcspn(path, ":");
        (void)snprintf(file, sizeof file, "%.*s%s%s", (int)n, path, n > 0 ? "/" : "", program);
        if (access(file, X_OK) == 0 && stat(file, &about) == 0 && S_ISREG(about.st_mode)) {
            return 0;
        }
        error = access(file, F_OK) == 0 ? EACCES : error;
        path = path[n] == ':' ? path + n + 1 : NULL;
    }
    return error;
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

/* Reserve a port among the runners of this machine, until this process ends: a name that one socket
 * alone can have. */
static bool reserve_port(unsigned port)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "simctl-port-%u", port);
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + (size_t)n);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&name, length) == 0) {
        return true;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return false;
}

/* @return false: another program has it */
static bool is_free(unsigned port)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool bound = fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return bound;
}

/* Find the end of the ports that programs choose: above, the system gives free ones to drones. */
static unsigned chosen_end(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    if (file != NULL) {
        (void)fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
    }
    const unsigned end = (unsigned)strtoul(text, NULL, 10);
    return end > PORT_FIRST + PORT_TRIES ? end : PORT_END;
}

unsigned simctl_free_port(void)
{
    const unsigned count = chosen_end() - PORT_FIRST;
    unsigned port = (unsigned)getpid() * 16u; /* processes that begin together try different ones */
    for (unsigned n = 0; n < PORT_TRIES; n++, port++) {
        const unsigned candidate = PORT_FIRST + port % count;
        if (is_free(candidate) && reserve_port(candidate)) {
            return candidate;
        }
    }
    return 0;
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
