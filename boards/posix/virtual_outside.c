/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that run outside of virtual time, although their process belongs to the world: the drone
 * recognizes them by what the system knows of the process (virtual.c hands in the events). */
#include "boards/posix/virtual_outside.h"

#include "boards/posix/board.h"
#include "host/time/virtual_program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Interval of looks at processes without a connection [us]. */
#define LOOK_US  (5 * MF_MS_US)
#define TREE_MAX 64u /* a process and its children that are ended together */

void board_virtual_read(int32_t pid, const char *what, char *text, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n - 1 : 0] = '\0'; /* without its newline */
}

/* End a process and its children. They stop first, so that they make no more of them. */
static void end_tree(const struct board_virtual_place *p)
{
    int32_t pid[TREE_MAX] = {p->pid};
    size_t n = 1;
    if (syscall(SYS_pidfd_send_signal, p->pidfd, SIGSTOP, NULL, 0) != 0) {
        return; /* it has ended, and its number may be another one's */
    }
    for (size_t i = 0; i < n; i++) {
        char what[32], text[1024];
        (void)kill(pid[i], SIGSTOP);
        (void)snprintf(what, sizeof what, "task/%d/children", (int)pid[i]);
        board_virtual_read(pid[i], what, text, sizeof text);
        char *at = text, *end = text;
        for (long child; n < TREE_MAX && (child = strtol(at, &end, 10)) > 0; at = end) {
            pid[n] = (int32_t)child;
            n += child != getpid() ? 1u : 0u; /* that process may have started the drone, too */
        }
    }
    for (size_t i = 0; i < n; i++) {
        (void)kill(pid[i], SIGKILL);
    }
}

/* A program runs outside of virtual time: name it, and end it. */
static void refuse_program(struct board *b, struct board_virtual_place *p, const char *reason)
{
    char text[MF_VIRTUAL_REASON_MAX + 128];
    p->starts = false;
    p->outside = true;
    b->virtual_time.refused = true;
    if (p->pidfd >= 0) {
        end_tree(p);
    }
    const int n =
        snprintf(text, sizeof text, "mayfly: exec: %s (process %d)\n", reason, (int)p->pid);
    if (b->exec.command == NULL) {
        board_log(b, MF_ERROR, "time", reason);
    } else if (write(STDERR_FILENO, text, (size_t)n) < 0) {
        /* the exit code says it, too */
    }
}

void board_virtual_refuse_full(struct board *b, struct board_virtual_place *p)
{
    char reason[MF_VIRTUAL_REASON_MAX], name[BOARD_VIRTUAL_NAME_BYTES];
    const unsigned most = b->virtual_time.places < MF_VIRTUAL_PROCESSES_MAX
                              ? (unsigned)b->virtual_time.places
                              : MF_VIRTUAL_PROCESSES_MAX;
    board_virtual_read(p->pid, "comm", name, sizeof name);
    (void)snprintf(
        reason, sizeof reason,
        "'%s' cannot join virtual time: %u processes have, which is the limit%s", name, most,
        most < MF_VIRTUAL_PROCESSES_MAX ? " that open descriptors permit (ulimit -Hn)" : "");
    refuse_program(b, p, reason);
}

/* Exit status of a process that has ended, as of waitpid(); 0: not known any more. */
static int end_status(const struct board *b, int32_t pid)
{
    char text[1024];
    if (b->exec.ended && pid == b->exec.program) {
        return b->exec.status;
    }
    board_virtual_read(pid, "stat", text, sizeof text);
    const char *last = strrchr(text, ' ');
    return last != NULL ? (int)strtol(last, NULL, 10) : 0;
}

/* True if a program may have run. Its loader exits with 127 if it cannot start it; a shell and
 * become() exit with 126 or 127 if the program is missing. */
static bool may_have_run(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127;
}

void board_virtual_ended(struct board *b, struct board_virtual_place *p)
{
    if (p->starts && may_have_run(end_status(b, p->pid))) {
        char reason[MF_VIRTUAL_REASON_MAX], name[BOARD_VIRTUAL_NAME_BYTES];
        board_virtual_read(p->pid, "comm", name, sizeof name);
        (void)snprintf(reason, sizeof reason,
                       "'%.200s' did not join virtual time: " MF_VIRTUAL_NOT_LOADED,
                       b->exec.ended && p->pid == b->exec.program ? b->exec.command[0] : name);
        refuse_program(b, p, reason);
    }
}

bool board_virtual_is_child(int32_t pid, int32_t parent)
{
    char text[256];
    board_virtual_read(pid, "stat", text, sizeof text);
    const char *behind = strrchr(text, ')'); /* ") S PARENT ..." */
    return behind == NULL || strlen(behind) < 4 || strtol(behind + 4, NULL, 10) == parent;
}

/* A client that sends frames while no program has joined may be one that should have. */
static void warn_of_clients(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    if (x->name[0] != '/' || x->world.process_count > 0 || x->world.phase != MF_VIRTUAL_GATHERS) {
        return;
    }
    if (board_is_heard(&b->drone[0])) {
        board_log(b, MF_WARNING, "time",
                  "a client sends frames, and no program has joined virtual time: time stands. A "
                  "program joins by LD_PRELOAD and " MF_VIRTUAL_ENV);
    } else {
        x->look_us = mf_earlier(x->look_us, mf_monotonic_us() + BOARD_VIRTUAL_LONG_US);
    }
}

void board_virtual_look_soon(struct board_virtual *x)
{
    x->look_us = mf_earlier(x->look_us, mf_monotonic_us() + LOOK_US);
}

mf_us_t board_virtual_look(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    char reason[MF_VIRTUAL_REASON_MAX];
    if (x->look_us == MF_NEVER || mf_monotonic_us() < x->look_us) {
        return x->look_us;
    }
    x->look_us = MF_NEVER;
    for (size_t i = 0; i < x->places; i++) {
        struct board_virtual_place *p = &x->place[i];
        if (p->fd >= 0 || p->pidfd < 0 || p->outside) {
            continue;
        }
        if (!mf_virtual_can_join(p->pid, reason)) {
            refuse_program(b, p, reason);
        } else {
            board_virtual_look_soon(x);
        }
    }
    warn_of_clients(b);
    return x->look_us;
}
