/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/exec.h"

#include "boards/posix/board.h"
#include "hal-posix/clock.h"
#include "hal-posix/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* exit codes as those of shells */
#define EXIT_NOT_RUN   126
#define EXIT_NOT_FOUND 127

/* Time from SIGTERM to SIGKILL of the keeper: more than its own patience, so that all processes
 * have ended 10 s after the lifetime. */
#define PATIENCE_US (8 * MF_SECOND_US)

/* Environment variables for the command. Of variables with one name, the first whose link exists is
 * set. */
static const struct {
    enum mf_link_kind kind;
    bool port; /* of the address its port alone */
    const char *name, *form;
} k_told[] = {
    {MF_LINK_TCP, false, "MAYFLY_MAVSDK_URL", "tcpout://%s"},
    {MF_LINK_UDP, false, "MAYFLY_MAVSDK_URL", "udpout://%s"},
    {MF_LINK_TCP, false, "MAYFLY_PYMAVLINK_URL", "tcp:%s"},
    {MF_LINK_UDP, false, "MAYFLY_PYMAVLINK_URL", "udpout:%s"},
    {MF_LINK_API, false, "MAYFLY_API_URL", "http://%s"},
    {MF_LINK_TCP, true, "MAYFLY_TCP_PORT", "%s"},
    {MF_LINK_UDP, true, "MAYFLY_UDP_PORT", "%s"},
    {MF_LINK_API, true, "MAYFLY_API_PORT", "%s"},
    {MF_LINK_TIME_SOCKET, true, "MAYFLY_TIME_PORT", "%s"},
};
#define TOLD (sizeof k_told / sizeof k_told[0])

bool board_exec_wanted(int argc, char **argv)
{
    return argc >= 2 && strcmp(argv[1], "exec") == 0;
}

int board_exec_arguments(struct board_exec *x, int argc, char **argv)
{
    static char s_flag[] = "--free-ports";
    if (!board_exec_wanted(argc, argv)) {
        return argc;
    }
    x->wanted = true;
    mf_keeper_look();
    argv[1] = s_flag;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            x->command = i + 1 < argc ? &argv[i + 1] : NULL;
            return i;
        }
    }
    return argc;
}

/* ---- the command's process */

static void set_environment(const struct board *b)
{
    char text[MF_ADDR_TEXT_MAX + 16];
    for (size_t i = 0; i < TOLD; i++) {
        (void)unsetenv(k_told[i].name); /* what another drone told this one */
    }
    for (size_t i = 0; i < TOLD; i++) {
        for (uint16_t p = 0; p < b->net.port_count; p++) {
            char address[MF_ADDR_TEXT_MAX];
            if (b->config.link[p].kind != k_told[i].kind) {
                continue;
            }
            board_reachable_text(&b->net.memory.ports[p], address);
            const char *part = k_told[i].port ? strrchr(address, ':') + 1 : address;
            (void)snprintf(text, sizeof text, k_told[i].form, part);
            (void)setenv(k_told[i].name, text, 0);
        }
    }
    (void)snprintf(text, sizeof text, "%d", (int)b->config.sysid);
    (void)setenv("MAYFLY_SYSTEM_ID", text, 1);
}

_Noreturn static void become(const struct board_exec *x, const struct board *b)
{
    char text[512];
    set_environment(b);
    if (b->config.virtual_time) {
        board_virtual_environment(b);
    }
    (void)execvp(x->command[0], x->command);
    const int code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
    const int n =
        snprintf(text, sizeof text, "mayfly: exec: %.400s: %s\n", x->command[0], strerror(errno));
    if (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0) {
        /* the text is lost; the exit code is enough */
    }
    _exit(code);
}

static bool on_signal(void *ctx, int number, bool from_kernel)
{
    struct board_exec *x = ctx;
    if (number == SIGCHLD) {
        x->ended = x->ended || waitpid(x->pid, &x->status, WNOHANG) == x->pid;
    } else if (!x->ended && !from_kernel) { /* Ctrl-C came to both */
        (void)kill(x->pid, number);
    }
    return x->ended;
}

bool board_exec_start(struct board_exec *x, struct board *b)
{
    sigset_t all, before;
    if (b->config.virtual_time && !board_virtual_program(b, x->command[0])) {
        return false;
    }
    b->loop.on_signal = on_signal;
    b->loop.signal_ctx = x;
    mf_loop_catch_signal(SIGCHLD);
    (void)sigfillset(&all); /* one that comes to the child must not wake this process */
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    mf_keeper_adopt();
    x->pid = mf_keeper_fork(&x->program, &b->lifetime);
    if (x->pid == 0) {
        mf_loop_release_signals();
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        become(x, b);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    if (x->pid > 0 && b->config.virtual_time) {
        board_virtual_watch(b, x->program);
    }
    if (x->pid < 0) {
        (void)snprintf(b->config.error, sizeof b->config.error, "exec: no process: %s",
                       strerror(errno));
        board_virtual_forget(b);
    }
    return x->pid > 0;
}

int board_exec_end(struct board_exec *x, struct mf_loop *loop, enum mf_loop_end end)
{
    const mf_us_t until_us = end == MF_LOOP_LIFETIME ? mf_monotonic_us() + PATIENCE_US : MF_NEVER;
    if (!x->ended && !mf_loop_wait(loop, until_us)) {
        (void)kill(x->pid, SIGKILL);
        (void)mf_loop_wait(loop, MF_NEVER);
    }
    (void)mf_keeper_end_children(0, 0); /* those of a keeper that was killed */
    return WIFEXITED(x->status) ? WEXITSTATUS(x->status) : BOARD_EXIT_SIGNAL + WTERMSIG(x->status);
}
