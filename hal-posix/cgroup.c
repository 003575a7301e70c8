/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of processes: keepers put commands into them, and the controller ends those that are left.
 */
#include "hal-posix/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME       "mayfly-"
#define PATH_BYTES MF_CGROUP_PATH_BYTES
#define DEPTH_MAX  16u  /* of groups in groups */
#define TRIES_MAX  500u /* to remove a group, whose processes are about to end, or to lock one */
#define MAKES_MAX  10u  /* of a group that sweeps remove before its maker has locked it */
#define PAUSE_MS   2

/* @return the folder of all groups, of cgroup v2 without or with v1 */
static const char *find_root(void)
{
    static const char k_alone[] = "/sys/fs/cgroup";
    return access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 ? k_alone
                                                                  : "/sys/fs/cgroup/unified";
}

/* Find the folder of this process's own group. @return false: it is not known */
static bool find_own(char *path, size_t size)
{
    char text[1024];
    const int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1u) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    char *at = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
    if (at == NULL) {
        return false;
    }
    at = strchr(at, '/');
    if (at == NULL || strncmp(at, "/..", 3) == 0) { /* outside of the namespace */
        return false;
    }
    at[strcspn(at, "\n")] = '\0';
    const int length = snprintf(path, size, "%s%s", find_root(), strcmp(at, "/") == 0 ? "" : at);
    return length > 0 && (size_t)length < size;
}

static bool write_to(int folder, const char *file, const char *text)
{
    const int fd = openat(folder, file, O_WRONLY | O_CLOEXEC);
    const bool good = fd >= 0 && write(fd, text, strlen(text)) > 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

/* Open and lock a group. @return -1: not possible; -2: another process has the lock */
static int lock_group(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool mine = fd >= 0 && faccessat(fd, "cgroup.kill", W_OK, AT_EACCESS) == 0;
    const bool locked = mine && flock(fd, LOCK_EX | LOCK_NB) == 0;
    /* a sweep may have removed it before it was locked */
    if (locked && faccessat(fd, "cgroup.kill", W_OK, AT_EACCESS) == 0) {
        return fd;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return mine && !locked ? -2 : -1;
}

void mf_cgroup_make(struct mf_cgroup *g)
{
    char own[PATH_BYTES - 32u];
    g->folder = -1;
    if (!find_own(own, sizeof own)) {
        return;
    }
    (void)snprintf(g->path, sizeof g->path, "%s/" NAME "%d-%d", own, (int)getppid(), (int)getpid());
    /* a sweep that has locked the new group first holds the lock until it has removed the group */
    for (unsigned i = 0, lost = 0; i < TRIES_MAX && lost < MAKES_MAX && g->folder < 0 &&
                                   (mkdir(g->path, 0755) == 0 || errno == EEXIST);
         i++) {
        g->folder = lock_group(g->path);
        lost += g->folder == -1;
        (void)poll(NULL, 0, g->folder < 0 ? PAUSE_MS : 0);
    }
}

void mf_cgroup_enter(const struct mf_cgroup *g)
{
    (void)(g->folder >= 0 && write_to(g->folder, "cgroup.procs", "0"));
}

/* Visit the groups in a group. */
static void visit(const char *path, unsigned depth, void (*act)(const char *path, unsigned depth))
{
    DIR *folder = depth <= DEPTH_MAX ? opendir(path) : NULL;
    for (const struct dirent *e = folder != NULL ? readdir(folder) : NULL; e != NULL;
         e = readdir(folder)) {
        char inner[PATH_BYTES];
        const int n = snprintf(inner, sizeof inner, "%s/%s", path, e->d_name);
        if (e->d_type == DT_DIR && e->d_name[0] != '.' && n < (int)sizeof inner) {
            act(inner, depth);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

/* Remove a group whose processes have ended, and those that they have made in it. */
static void remove_group(const char *path, unsigned depth)
{
    visit(path, depth + 1u, remove_group);
    (void)rmdir(path);
}

void mf_cgroup_end(struct mf_cgroup *g)
{
    if (g->folder < 0) {
        return;
    }
    (void)write_to(g->folder, "cgroup.kill", "1");
    for (unsigned i = 0; i < TRIES_MAX && access(g->path, F_OK) == 0; i++) {
        (void)poll(NULL, 0, i > 0 ? PAUSE_MS : 0);
        remove_group(g->path, 0);
    }
    (void)close(g->folder);
    g->folder = -1;
}

static bool s_ending; /* a process that holds the lock of a group ends it */

/* End a group that has lost its maker. */
static void end_lost(const char *path, unsigned depth)
{
    const char *name = strrchr(path, '/') + 1;
    struct mf_cgroup g = {.folder = -1};
    (void)depth;
    if (strncmp(name, NAME, strlen(NAME)) == 0) {
        const pid_t program = (pid_t)strtol(name + strlen(NAME), NULL, 10);
        g.folder = lock_group(path);
        s_ending = s_ending || (g.folder == -2 && kill(program, 0) != 0 && errno == ESRCH);
        (void)snprintf(g.path, sizeof g.path, "%s", path);
        mf_cgroup_end(&g);
    }
}

static void end_lost_below(const char *path, unsigned depth)
{
    end_lost(path, depth);
    visit(path, depth + 1u, end_lost_below);
}

bool mf_cgroup_sweep(bool everywhere)
{
    char own[PATH_BYTES];
    s_ending = false;
    if (everywhere) {
        visit(find_root(), 0, end_lost_below);
    } else if (find_own(own, sizeof own)) {
        visit(own, 0, end_lost);
    }
    return s_ending;
}
