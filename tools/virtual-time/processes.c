/* SPDX-License-Identifier: Apache-2.0 */
/* Children belong to the world, too; programs that cannot follow are refused before they start. */
#include "tools/virtual-time/vt.h"

#include "host/time/virtual_program.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MAX 4096u

/* ---- a new process */

static pid_t fork_by(const char *name, pid_t (**next)(void))
{
    struct vt_thread *me = vt_me();
    if (*next == NULL) {
        *next = (pid_t(*)(void))vt_next(name);
    }
    const pid_t child = (*next)();
    if (me == NULL) {
        return child;
    }
    if (child == 0) {
        vt_forked();
    } else if (child > 0) {
        vt_spawned(child);
    }
    return child;
}

VT_EXPORT pid_t fork(void)
{
    static pid_t (*s_next)(void);
    return fork_by("fork", &s_next);
}

VT_EXPORT pid_t _Fork(void)
{
    static pid_t (*s_next)(void);
    return fork_by("_Fork", &s_next);
}

/* Which POSIX once allowed to be the same. A child in its parent's memory could not wait. */
VT_EXPORT pid_t vfork(void)
{
    return fork();
}

/* ---- another program */

/* Writes straight to stderr: the program may be between fork() and exec(). */
static bool refused(const char *path)
{
    char reason[MF_VIRTUAL_REASON_MAX], line[MF_VIRTUAL_REASON_MAX + 16];
    if (mf_virtual_can_follow(path, reason)) {
        return false;
    }
    const int n = snprintf(line, sizeof line, "mayfly: %s\n", reason);
    (void)vt_raw(SYS_write, 2, line, n);
    return true;
}

static bool has_name(const char *entry, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* A list of pointers that lives until the program is another one. */
static char **new_list(size_t count)
{
    const long at = vt_raw(SYS_mmap, NULL, count * sizeof(char *), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at < 0 && at > -4096 ? NULL : (char **)at;
}

static void free_list(char **list, size_t count)
{
    if (list != NULL) {
        (void)vt_raw(SYS_munmap, list, count * sizeof(char *));
    }
}

static size_t count_of(char *const *list)
{
    size_t n = 0;
    while (list != NULL && list[n] != NULL) {
        n++;
    }
    return n;
}

/* Complete an environment that a program made: it needs the library and the name of
 * the world. @return a copy to be freed, with count_of(list) + 3 places; NULL: no memory */
static char **with_library(char *const *list)
{
    const size_t n = count_of(list);
    char **copy = new_list(n + 3);
    size_t used = 0;
    for (size_t i = 0; copy != NULL && i < n; i++) {
        const bool ours = has_name(list[i], "LD_PRELOAD")
                              ? strstr(list[i], MF_VIRTUAL_LIBRARY) == NULL
                              : has_name(list[i], MF_VIRTUAL_ENV);
        if (!ours) {
            copy[used++] = list[i];
        }
    }
    if (copy != NULL) {
        bool preloads = false;
        for (size_t i = 0; i < used; i++) {
            preloads = preloads || has_name(copy[i], "LD_PRELOAD");
        }
        if (!preloads) {
            copy[used++] = vt_preload();
        }
        copy[used++] = vt_world();
    }
    return copy;
}

static int exec_at(const char *path, char *const argv[], char *const envp[])
{
    if (vt_me() == NULL) {
        return (int)vt_result(vt_raw(SYS_execve, path, argv, envp));
    }
    if (refused(path)) {
        errno = EPERM;
        return -1;
    }
    char **list = with_library(envp);
    vt_processor_leave();
    vt_becomes(true);
    const long result = vt_raw(SYS_execve, path, argv, list != NULL ? list : envp);
    vt_becomes(false);
    free_list(list, count_of(envp) + 3);
    return (int)vt_result(result);
}

VT_EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
    return exec_at(path, argv, envp);
}

VT_EXPORT int execv(const char *path, char *const argv[])
{
    return exec_at(path, argv, environ);
}

VT_EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return exec_at(path, argv, envp);
}

/* A file that is neither a program nor names one is a script of the shell. */
static int exec_script(const char *path, char *const argv[], char *const envp[])
{
    const size_t n = count_of(argv) + 2;
    char **list = new_list(n);
    if (list == NULL) {
        errno = ENOMEM;
        return -1;
    }
    list[0] = argv[0];
    list[1] = (char *)(uintptr_t)path;
    for (size_t i = 1; i + 1 < n; i++) {
        list[i + 1] = argv[0] == NULL ? NULL : argv[i];
    }
    const int result = exec_at("/bin/sh", list, envp);
    free_list(list, n);
    return result;
}

VT_EXPORT int execvpe(const char *name, char *const argv[], char *const envp[])
{
    char path[PATH_MAX];
    if (!mf_virtual_find(name, path)) {
        errno = ENOENT;
        return -1;
    }
    const int result = exec_at(path, argv, envp);
    return errno == ENOEXEC ? exec_script(path, argv, envp) : result;
}

VT_EXPORT int execvp(const char *name, char *const argv[])
{
    return execvpe(name, argv, environ);
}

/* Arguments up to NULL. */
#define GATHER(first)                                                   \
    const char *list[ARGUMENTS_MAX] = {(first)};                        \
    va_list args;                                                       \
    va_start(args, first);                                              \
    for (size_t i = 0; list[i] != NULL && i + 1 < ARGUMENTS_MAX; i++) { \
        list[i + 1] = va_arg(args, const char *);                       \
    }                                                                   \
    list[ARGUMENTS_MAX - 1] = NULL

VT_EXPORT int execl(const char *path, const char *first, ...)
{
    GATHER(first);
    va_end(args);
    return execv(path, (char *const *)(uintptr_t)list);
}

VT_EXPORT int execlp(const char *name, const char *first, ...)
{
    GATHER(first);
    va_end(args);
    return execvp(name, (char *const *)(uintptr_t)list);
}

VT_EXPORT int execle(const char *path, const char *first, ...)
{
    GATHER(first);
    char *const *envp = va_arg(args, char *const *);
    va_end(args);
    return execve(path, (char *const *)(uintptr_t)list, envp);
}

/* ---- both at once */

typedef int spawner(pid_t *, const char *, const posix_spawn_file_actions_t *,
                    const posix_spawnattr_t *, char *const[], char *const[]);

static int spawn_by(spawner *next, pid_t *child, const char *path,
                    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                    char *const argv[], char *const envp[])
{
    pid_t own = 0;
    if (vt_me() == NULL) {
        return next(child, path, actions, attr, argv, envp);
    }
    if (refused(path)) {
        return EPERM;
    }
    char **list = with_library(envp);
    vt_processor_leave();
    vt_becomes(false); /* the time server is there, and will see the child */
    const int error = next(&own, path, actions, attr, argv, list != NULL ? list : envp);
    free_list(list, count_of(envp) + 3);
    if (error == 0) {
        vt_spawned(own);
        if (child != NULL) {
            *child = own;
        }
    }
    return error;
}

VT_EXPORT int posix_spawn(pid_t *restrict child, const char *restrict path,
                          const posix_spawn_file_actions_t *restrict actions,
                          const posix_spawnattr_t *restrict attr, char *const argv[restrict],
                          char *const envp[restrict])
{
    static spawner *s_next;
    s_next = s_next != NULL ? s_next : (spawner *)vt_next("posix_spawn");
    return spawn_by(s_next, child, path, actions, attr, argv, envp);
}

VT_EXPORT int posix_spawnp(pid_t *restrict child, const char *restrict name,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attr, char *const argv[restrict],
                           char *const envp[restrict])
{
    char path[PATH_MAX];
    return mf_virtual_find(name, path) ? posix_spawn(child, path, actions, attr, argv, envp)
                                       : ENOENT;
}

/* ---- waiting for children */

struct children {
    idtype_t type;
    id_t id;
    int options;
};

/* Check children without reaping them: the thread that waits for a child reaps it. */
static long check_children(const struct children *c)
{
    siginfo_t info;
    memset(&info, 0, sizeof info);
    const long result =
        vt_raw(SYS_waitid, c->type, c->id, &info, c->options | WNOHANG | WNOWAIT, NULL);
    return result < 0 ? result : info.si_pid;
}

static bool child_there(const struct vt_wait *w)
{
    return check_children(w->object) != 0;
}

/* @return 0: one is there; else a negative errno */
static int wait_child(struct vt_thread *me, const struct children *c)
{
    struct vt_wait w = {
        .ready = child_there, .object = c, .until_ns = MF_VIRTUAL_NEVER, .interruptible = true};
    if (child_there(&w)) {
        return 0;
    }
    const enum vt_end end = vt_wait(me, &w);
    vt_test_cancel(me);
    return end == VT_INTERRUPTED && !child_there(&w) ? -EINTR : 0;
}

VT_EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    struct vt_thread *me = vt_me();
    const struct children c = {.type = pid > 0     ? P_PID
                                       : pid == -1 ? P_ALL
                                                   : P_PGID,
                               .id = (id_t)(pid > 0    ? pid
                                            : pid < -1 ? -pid
                                                       : 0),
                               .options = WEXITED | ((options & WUNTRACED) != 0 ? WSTOPPED : 0) |
                                          (options & WCONTINUED)};
    int error = 0;
    if (me != NULL && (options & WNOHANG) == 0) {
        error = wait_child(me, &c);
    } else if (me != NULL) {
        vt_spin(me);
    }
    return (pid_t)vt_result(error != 0 ? error : vt_raw(SYS_wait4, pid, status, options, usage));
}

VT_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
    return wait4(-1, status, options, usage);
}

VT_EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
    return wait4(pid, status, options, NULL);
}

VT_EXPORT pid_t wait(int *status)
{
    return wait4(-1, status, 0, NULL);
}

VT_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    struct vt_thread *me = vt_me();
    const struct children c = {.type = type, .id = id, .options = options & ~(WNOHANG | WNOWAIT)};
    int error = 0;
    if (me != NULL && (options & WNOHANG) == 0) {
        error = wait_child(me, &c);
    } else if (me != NULL) {
        vt_spin(me);
    }
    return (int)vt_result(error != 0 ? error : vt_raw(SYS_waitid, type, id, info, options, NULL));
}

/* ---- the shell */

static int start_shell(pid_t *child, const char *command, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attr)
{
    const char *argv[] = {"sh", "-c", "--", command, NULL};
    return posix_spawn(child, "/bin/sh", actions, attr, (char *const *)(uintptr_t)argv, environ);
}

VT_EXPORT int system(const char *command)
{
    struct sigaction ignore, before_int, before_quit;
    sigset_t block, before;
    posix_spawnattr_t attr;
    pid_t child = 0;
    int status = 127 << 8;
    if (command == NULL) {
        return 1;
    }
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGINT, &ignore, &before_int);
    (void)sigaction(SIGQUIT, &ignore, &before_quit);
    (void)sigemptyset(&block);
    (void)sigaddset(&block, SIGCHLD);
    (void)pthread_sigmask(SIG_BLOCK, &block, &before);
    (void)posix_spawnattr_init(&attr);
    (void)posix_spawnattr_setsigmask(&attr, &before);
    (void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    if (start_shell(&child, command, NULL, &attr) == 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    (void)posix_spawnattr_destroy(&attr);
    (void)sigaction(SIGINT, &before_int, NULL);
    (void)sigaction(SIGQUIT, &before_quit, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* A stream of popen() reads and writes by the functions of this library: the C library's own would
 * wait with the turn. */
struct pipe_stream {
    int fd;
    pid_t child;
    FILE *stream;
    struct pipe_stream *next;
};
static struct pipe_stream *s_pipes;

static ssize_t stream_read(void *cookie, char *bytes, size_t n)
{
    return read(((struct pipe_stream *)cookie)->fd, bytes, n);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
    const ssize_t written = write(((struct pipe_stream *)cookie)->fd, bytes, n);
    return written < 0 ? 0 : written;
}

static int stream_close(void *cookie)
{
    return close(((struct pipe_stream *)cookie)->fd);
}

VT_EXPORT FILE *popen(const char *command, const char *mode)
{
    const bool reads = mode[0] == 'r';
    int ends[2];
    posix_spawn_file_actions_t actions;
    struct pipe_stream *p = calloc(1, sizeof *p);
    if (p == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        free(p);
        return NULL;
    }
    p->fd = ends[reads ? 0 : 1];
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[reads ? 1 : 0], reads ? 1 : 0);
    const int error = start_shell(&p->child, command, &actions, NULL);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[reads ? 1 : 0]);
    p->stream = error != 0 ? NULL
                           : fopencookie(p, reads ? "r" : "w",
                                         (cookie_io_functions_t){.read = stream_read,
                                                                 .write = stream_write,
                                                                 .close = stream_close});
    if (p->stream == NULL) {
        (void)close(p->fd);
        free(p);
        errno = error != 0 ? error : ENOMEM;
        return NULL;
    }
    p->next = s_pipes;
    s_pipes = p;
    return p->stream;
}

VT_EXPORT int pclose(FILE *stream)
{
    for (struct pipe_stream **at = &s_pipes; *at != NULL; at = &(*at)->next) {
        struct pipe_stream *p = *at;
        int status = -1;
        if (p->stream != stream) {
            continue;
        }
        *at = p->next;
        (void)fclose(stream);
        while (waitpid(p->child, &status, 0) < 0 && errno == EINTR) {
        }
        free(p);
        return status;
    }
    return -1;
}
