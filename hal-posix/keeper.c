/* SPDX-License-Identifier: Apache-2.0 */
/* Keepers: processes that start a command, and end its children with it. boards/posix, boards/swarm
 * and tools/simctl start commands with them. */
#include "hal-posix/keeper.h"

#include "hal-posix/cgroup.h"
#include "hal-posix/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN_MAX    1024u
#define ROUND_MS        2
#define GIVE_UP_US      (5 * MF_SECOND_US) /* time after SIGKILL until the wait for a child ends */
#define EXIT_NO_PROCESS 126

static bool s_foreign; /* this process had children when it began */

void mf_keeper_look(void)
{
    pid_t child;
    s_foreign = mf_keeper_children(getpid(), &child, 1) > 0;
}

void mf_keeper_adopt(void)
{
    if (!s_foreign) {
        (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    }
}

/* Read the children of one thread from a file of /proc: numbers, each with a space after it.
 * @return number of children */
static size_t read_children(const char *path, pid_t *child, size_t max)
{
    char piece[256];
    size_t n = 0;
    pid_t pid = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got = fd >= 0 ? read(fd, piece, sizeof piece) : 0; got > 0 && n < max;
         got = read(fd, piece, sizeof piece)) {
        for (ssize_t i = 0; i < got && n < max; i++) {
            if (piece[i] >= '0' && piece[i] <= '9') {
                pid = pid * 10 + (piece[i] - '0');
            } else if (pid != 0) {
                child[n++] = pid;
                pid = 0;
            }
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return n;
}

size_t mf_keeper_children(pid_t pid, pid_t *child, size_t max)
{
    char path[300];
    size_t n = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (const struct dirent *e = tasks != NULL ? readdir(tasks) : NULL; e != NULL;
         e = readdir(tasks)) {
        (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, e->d_name);
        n += e->d_name[0] != '.' ? read_children(path, child + n, max - n) : 0u;
    }
    if (tasks != NULL) {
        (void)closedir(tasks);
    }
    return n;
}

/* ---- the end of children */

/* Children that have received SIGTERM. The kernel does not reuse their numbers before this process
 * calls waitpid(). */
struct told {
    pid_t pid[CHILDREN_MAX];
    size_t count;
};

/* Send SIGTERM to a child once. A child beyond CHILDREN_MAX gets SIGKILL alone, later. */
static void terminate_once(struct told *told, pid_t pid)
{
    for (size_t i = 0; i < told->count; i++) {
        if (told->pid[i] == pid) {
            return;
        }
    }
    if (told->count < CHILDREN_MAX) {
        told->pid[told->count++] = pid;
        (void)kill(pid, SIGTERM);
        (void)kill(pid, SIGCONT); /* since a stopped process does not handle SIGTERM */
    }
}

static void forget_child(struct told *told, pid_t pid)
{
    for (size_t i = 0; i < told->count; i++) {
        if (told->pid[i] == pid) {
            told->pid[i] = told->pid[--told->count];
            return;
        }
    }
}

/* Look for the end of a command. It stays a zombie: its number stays its own, and its status can be
 * read again. */
static bool has_ended(pid_t command, siginfo_t *how)
{
    how->si_pid = 0;
    return waitid(P_PID, (id_t)command, how, WEXITED | WNOHANG | WNOWAIT) == 0 && how->si_pid != 0;
}

bool mf_keeper_end_children(mf_us_t patience_us, pid_t command)
{
    static struct told s_told;
    siginfo_t how;
    pid_t child[CHILDREN_MAX];
    const mf_us_t kill_us = mf_monotonic_us() + patience_us;
    s_told.count = 0;
    while (!s_foreign) {
        const mf_us_t now_us = mf_monotonic_us();
        const size_t n = mf_keeper_children(getpid(), child, CHILDREN_MAX);
        size_t left = 0, reaped = 0;
        for (size_t i = 0; i < n; i++) {
            if (child[i] == command && has_ended(command, &how)) {
                continue;
            }
            if (child[i] != command && waitpid(child[i], NULL, WNOHANG) != 0) {
                forget_child(&s_told, child[i]);
                /* its children may have become children of this process after the list was read */
                reaped++;
                continue;
            }
            left++;
            if (now_us >= kill_us) {
                (void)kill(child[i], SIGKILL);
            } else {
                terminate_once(&s_told, child[i]);
            }
        }
        if (left == 0 && reaped == 0) {
            return true;
        }
        if (now_us > kill_us + GIVE_UP_US) {
            return false;
        }
        /* if children ended, others may wait: a process may start them faster than this loop
         * sleeps */
        if (reaped == 0) {
            (void)poll(NULL, 0, ROUND_MS);
        }
    }
    return true;
}

/* ---- a keeper */

/* Call waitpid() for ended processes that this process adopted, but not for the command. */
static void reap_adopted(pid_t command)
{
    pid_t child[CHILDREN_MAX];
    const size_t n = mf_keeper_children(getpid(), child, CHILDREN_MAX);
    for (size_t i = 0; i < n; i++) {
        if (child[i] != command) {
            (void)waitpid(child[i], NULL, WNOHANG);
        }
    }
}

/* End this process in the same way as the command, so that its parent receives the same status. */
static _Noreturn void end_as(const siginfo_t *how)
{
    const struct rlimit none = {0, 0};
    if (how->si_code != CLD_EXITED) {
        sigset_t all;
        (void)setrlimit(RLIMIT_CORE, &none); /* since the command has written its core file */
        (void)prctl(PR_SET_DUMPABLE, 0);     /* stops programs that collect core files, too */
        (void)signal(how->si_status, SIG_DFL);
        (void)sigfillset(&all);
        (void)kill(getpid(), how->si_status);
        (void)sigprocmask(SIG_UNBLOCK, &all, NULL);
    }
    _exit(how->si_status);
}

/* @param until_us  MF_NEVER: without end  @return the signal; -1: none until then */
static int await_signal(const sigset_t *set, siginfo_t *info, mf_us_t until_us)
{
    const mf_us_t now_us = mf_monotonic_us();
    const mf_us_t left_us = until_us > now_us ? until_us - now_us : 0;
    const struct timespec left = {.tv_sec = (time_t)(left_us / MF_SECOND_US),
                                  .tv_nsec = (long)(left_us % MF_SECOND_US) * 1000};
    return sigtimedwait(set, info, until_us != MF_NEVER ? &left : NULL);
}

/* Close all descriptors of the program but one: connections and pipes end with the program. */
static void close_others(int spare)
{
    if (spare > 3) {
        (void)close_range(3, (unsigned)spare - 1u, 0);
    }
    (void)close_range(spare >= 3 ? (unsigned)spare + 1u : 3u, ~0u, 0);
}

_Noreturn static void keep(pid_t parent, pid_t command, const struct mf_lifetime *lifetime,
                           struct mf_cgroup *group)
{
    siginfo_t how, info;
    sigset_t set;
    close_others(group->folder);
    (void)mf_cgroup_sweep(false);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGHUP);
    bool orphaned = getppid() != parent;
    bool ended = has_ended(command, &how);
    mf_us_t look_us = mf_lifetime_look(lifetime);
    while (!ended && !orphaned && look_us != 0) {
        const int number = await_signal(&set, &info, look_us);
        ended = has_ended(command, &how);
        orphaned = getppid() != parent;
        look_us = mf_lifetime_look(lifetime);
        if (number == SIGCHLD) {
            reap_adopted(command);
        } else if (number > 0 && info.si_code != SI_KERNEL) {
            (void)kill(command, number);
        }
    }
    (void)mf_keeper_end_children(orphaned ? MF_KEEPER_HASTE_US : MF_KEEPER_PATIENCE_US, command);
    mf_cgroup_end(group);
    if (look_us == 0 && getppid() == parent) {
        (void)kill(parent, SIGCONT); /* a stopped program does not see the end of its lifetime */
    }
    if (!has_ended(command, &how)) {
        _exit(EXIT_NO_PROCESS);
    }
    end_as(&how);
}

/* Make this process a keeper, and start its command as a child, which returns from this function.
 * @param report_fd  the command's process id is written to it; < 0: not written */
static void become_keeper(pid_t parent, const struct mf_lifetime *lifetime, int report_fd)
{
    struct mf_cgroup group;
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    s_foreign = false;
    mf_keeper_adopt();
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    mf_cgroup_make(&group);
    const pid_t command = fork();
    if (command == 0) {
        mf_cgroup_enter(&group);
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    if (command < 0 || (report_fd >= 0 && write(report_fd, &command, sizeof command) < 0)) {
        _exit(EXIT_NO_PROCESS);
    }
    keep(parent, command, lifetime, &group);
}

void mf_keeper_become(pid_t parent)
{
    const struct mf_lifetime none = {MF_NEVER, ""};
    become_keeper(parent, &none, -1);
}

pid_t mf_keeper_fork(pid_t *command, const struct mf_lifetime *lifetime)
{
    const pid_t parent = getpid();
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0) {
        return -1;
    }
    const pid_t keeper = fork();
    if (keeper == 0) {
        become_keeper(parent, lifetime, pair[1]);
        (void)close(pair[0]);
        (void)close(pair[1]);
        return 0;
    }
    const int error = errno;
    (void)close(pair[1]);
    if (keeper > 0 && read(pair[0], command, sizeof *command) != (ssize_t)sizeof *command) {
        *command = 0;
    }
    (void)close(pair[0]);
    errno = error;
    return keeper;
}
