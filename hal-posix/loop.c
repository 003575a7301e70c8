/* SPDX-License-Identifier: Apache-2.0 */
/* Loop of a board of one vehicle (boards/posix): waits for the network and for signals, and runs
 * the vehicle's steps. */
#include "hal-posix/loop.h"

#include "hal-posix/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Pipe to which the handler of signals writes; static, because a handler of signals gets no
 * context. ppoll() with a mask of signals would not do: it delivers no signals while input waits,
 * so that a flood of input could delay SIGTERM. */
#define FROM_KERNEL \
    0x80 /* flag in a byte of the pipe; other bits: number of a signal, at most 64 */
static int s_pipe[2] = {-1, -1};
static volatile sig_atomic_t s_kept; /* 1: the pipe is open */
static void (*s_early)(int number);

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (s_kept == 0) {
        s_early(number);
    }
    const int error = errno;
    const uint8_t byte = (uint8_t)(number | (info->si_code == SI_KERNEL ? FROM_KERNEL : 0));
    if (write(s_pipe[1], &byte, 1) != 1) {
        /* the pipe is full of earlier signals, which wake the loop as well */
    }
    errno = error;
}

void mf_loop_catch_signal(int number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    (void)sigaction(number, &action, NULL);
}

void mf_loop_catch_signals(void (*early)(int number))
{
    struct sigaction before;
    sigset_t none;
    MF_ASSERT(early != NULL);
    s_early = early;
    mf_loop_catch_signal(SIGTERM);
    mf_loop_catch_signal(SIGINT);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        mf_loop_catch_signal(SIGHUP);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

int mf_loop_keep_signals(void)
{
    if (s_kept == 0 && pipe2(s_pipe, O_NONBLOCK | O_CLOEXEC) != 0) {
        return MF_E_IO;
    }
    s_kept = 1;
    return MF_E_OK;
}

void mf_loop_release_signals(void)
{
    static const int k_caught[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};
    struct sigaction before;
    for (size_t i = 0; i < sizeof k_caught / sizeof k_caught[0]; i++) {
        if (sigaction(k_caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)signal(k_caught[i], SIG_DFL);
        }
    }
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
}

/* Handle the signals that came. @return true: one of them ends the loop */
static bool signals_end(const struct mf_loop *loop)
{
    uint8_t bytes[16];
    const ssize_t n = read(s_pipe[0], bytes, sizeof bytes);
    bool end = n > 0 && loop->on_signal == NULL;
    for (ssize_t i = 0; loop->on_signal != NULL && i < n; i++) {
        end |= loop->on_signal(loop->signal_ctx, bytes[i] & ~FROM_KERNEL,
                               (bytes[i] & FROM_KERNEL) != 0);
    }
    return end;
}

/* Compute the time left until an instant. @return @p timeout, or NULL: no limit */
static const struct timespec *time_left(mf_us_t due_us, struct timespec *timeout)
{
    if (due_us == MF_NEVER) {
        return NULL;
    }
    const mf_us_t now_us = mf_monotonic_us();
    const mf_us_t wait_us = due_us > now_us ? due_us - now_us : 0;
    timeout->tv_sec = (time_t)(wait_us / MF_SECOND_US);
    timeout->tv_nsec = (long)(wait_us % MF_SECOND_US) * 1000;
    return timeout;
}

/* Sleep until an event, at most until an instant. @return true: a signal came that ends the loop */
static bool sleep_until(struct mf_loop *loop, mf_us_t due_us)
{
    struct mf_net *net = loop->net;
    net->poll_count = loop->held ? 0 : net->poll_count;
    struct timespec timeout;
    const struct timespec *limit = time_left(due_us, &timeout);
    struct pollfd *own = &net->memory.polls[net->poll_count];
    own[0] = (struct pollfd){.fd = s_pipe[0], .events = POLLIN};
    own[1] = (struct pollfd){.fd = loop->more_fd, .events = POLLIN};
    if (ppoll(net->memory.polls, net->poll_count + 2, limit, NULL) < 0) {
        net->poll_count = 0; /* none of the descriptors was reported */
        loop->more = true;
        return signals_end(loop);
    }
    loop->more = own[1].revents != 0;
    return own->revents != 0 && signals_end(loop);
}

bool mf_loop_wait(const struct mf_loop *loop, mf_us_t end_us)
{
    do {
        struct timespec timeout;
        const struct timespec *limit = time_left(end_us, &timeout);
        struct pollfd own = {.fd = s_pipe[0], .events = POLLIN};
        (void)ppoll(&own, 1, limit, NULL);
        if (signals_end(loop)) {
            return true;
        }
    } while (mf_monotonic_us() < end_us);
    return false;
}

/* Send, and prepare the next wait. @return time of the network's next turn; now if a peer was
 * closed, because it may have held time */
static mf_us_t send_and_prepare(struct mf_net *net, mf_us_t now_us)
{
    const uint32_t closed = net->stats.closed;
    mf_net_send(net, now_us);
    const mf_us_t due_us = mf_net_prepare(net, now_us);
    return net->stats.closed != closed ? now_us : due_us;
}

enum mf_loop_end mf_loop_run(struct mf_loop *loop)
{
    MF_ASSERT(loop->net != NULL && loop->step != NULL);
    for (;;) {
        mf_us_t due_us = loop->step(loop->ctx);
        mf_us_t now_us = mf_monotonic_us();
        if (!loop->held) {
            due_us = mf_earlier(due_us, send_and_prepare(loop->net, now_us));
        }
        if (loop->stop) {
            return MF_LOOP_STOPPED;
        }
        if (sleep_until(loop, mf_earlier(loop->end_us, due_us))) {
            return MF_LOOP_SIGNAL;
        }
        now_us = mf_monotonic_us();
        if (now_us >= loop->end_us) {
            return MF_LOOP_LIFETIME;
        }
        if (loop->held) {
            continue;
        }
        mf_net_receive(loop->net, now_us);
        /* bytes that a peer accepts now are then not counted as its backlog in the step */
        mf_net_flush(loop->net);
    }
}

void mf_loop_finish(struct mf_loop *loop)
{
    struct mf_net *net = loop->net;
    (void)mf_net_prepare(net, mf_monotonic_us());
    (void)poll(net->memory.polls, net->poll_count, 0);
    mf_net_receive(net, mf_monotonic_us());
    (void)loop->step(loop->ctx);
}
