/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for signals. */
#include "tools/virtual-time/vt.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MASK_BYTES 8

/* ---- handlers: this library's stands before each of them, and notes that it ran */

static struct sigaction s_own[NSIG]; /* as the program has it */

static void handle(int number, siginfo_t *info, void *context)
{
    const struct sigaction own = s_own[number];
    if ((own.sa_flags & (int)SA_RESETHAND) != 0) {
        s_own[number].sa_handler = SIG_DFL;
    }
    vt_handled();
    if ((own.sa_flags & SA_SIGINFO) != 0) {
        own.sa_sigaction(number, info, context);
    } else if (own.sa_handler != SIG_DFL && own.sa_handler != SIG_IGN) {
        own.sa_handler(number);
    }
}

static int next_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    static int (*s_next)(int, const struct sigaction *, struct sigaction *);
    if (s_next == NULL) {
        s_next = (int (*)(int, const struct sigaction *, struct sigaction *))vt_next("sigaction");
    }
    return s_next(number, action, before);
}

static bool is_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

VT_EXPORT int sigaction(int number, const struct sigaction *restrict action,
                        struct sigaction *restrict before)
{
    struct sigaction given, old;
    if (vt_me() == NULL || number <= 0 || number >= NSIG || number == MF_VIRTUAL_SIGNAL) {
        return next_sigaction(number, action, before);
    }
    const struct sigaction own = s_own[number];
    if (action != NULL) {
        given = *action;
        s_own[number] = given;
        if (is_handler(&given)) {
            given.sa_flags |= SA_SIGINFO;
            given.sa_sigaction = handle;
        }
    }
    const int result = next_sigaction(number, action != NULL ? &given : NULL, &old);
    if (result == 0 && before != NULL) {
        const bool ours = (old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction == handle;
        *before = ours ? own : old;
    } else if (result != 0) {
        s_own[number] = own;
    }
    return result;
}

VT_EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* ---- signals that stop a process: the server learns of them before they are sent */

static void announce(int number)
{
    if (vt_me() != NULL &&
        (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)) {
        vt_stops();
    }
}

VT_EXPORT int kill(pid_t pid, int number)
{
    announce(number);
    return (int)vt_result(vt_raw(SYS_kill, pid, number));
}

VT_EXPORT int killpg(pid_t group, int number)
{
    if (group < 0) {
        errno = EINVAL;
        return -1;
    }
    return kill(-group, number);
}

VT_EXPORT int raise(int number)
{
    announce(number);
    return (int)vt_result(vt_raw(SYS_tgkill, vt_raw(SYS_getpid), vt_raw(SYS_gettid), number));
}

/* ---- waits */

static bool pending(const struct vt_wait *w)
{
    const uint64_t *wanted = w->object;
    uint64_t there = 0;
    (void)vt_raw(SYS_rt_sigpending, &there, MASK_BYTES);
    return (there & *wanted) != 0;
}

static long wait_signal(const sigset_t *set, siginfo_t *info, int64_t until_ns)
{
    static const struct timespec k_now;
    struct vt_thread *me = vt_me();
    uint64_t wanted = 0;
    struct vt_wait w = {
        .ready = pending, .object = &wanted, .until_ns = until_ns, .interruptible = true};
    memcpy(&wanted, set, sizeof wanted);
    if (me == NULL) {
        return vt_raw(SYS_rt_sigtimedwait, set, info, NULL, MASK_BYTES);
    }
    long result = vt_raw(SYS_rt_sigtimedwait, set, info, &k_now, MASK_BYTES);
    while (result == -EAGAIN && until_ns > vt_now()) {
        const enum vt_end end = vt_wait(me, &w);
        vt_test_cancel(me);
        if (end == VT_INTERRUPTED) {
            return -EINTR;
        }
        result = vt_raw(SYS_rt_sigtimedwait, set, info, &k_now, MASK_BYTES);
    }
    return result;
}

VT_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                           const struct timespec *restrict timeout)
{
    return (int)vt_result(wait_signal(set, info, vt_from_span(timeout)));
}

VT_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return (int)vt_result(wait_signal(set, info, MF_VIRTUAL_NEVER));
}

VT_EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
    long result = 0;
    do {
        result = wait_signal(set, NULL, MF_VIRTUAL_NEVER);
    } while (result == -EINTR);
    *number = (int)result;
    return result < 0 ? (int)-result : 0;
}

/* @param masked  the call has let signals in, and has begun to listen before */
static int wait_handled(struct vt_thread *me, bool masked)
{
    struct vt_wait w = {.until_ns = MF_VIRTUAL_NEVER, .interruptible = true, .masked = masked};
    (void)vt_wait(me, &w);
    vt_test_cancel(me);
    return (int)vt_result(-EINTR);
}

VT_EXPORT int pause(void)
{
    struct vt_thread *me = vt_me();
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_ppoll, NULL, 0, NULL, NULL, 0));
    }
    return wait_handled(me, false);
}

/* Wait for a signal. Setting the mask delivers a pending signal at once, which ends the wait. */
VT_EXPORT int sigsuspend(const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    uint64_t before = 0;
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_rt_sigsuspend, mask, MASK_BYTES));
    }
    atomic_store(&me->interrupted, false);
    (void)vt_raw(SYS_rt_sigprocmask, SIG_SETMASK, mask, &before, MASK_BYTES);
    const int result = wait_handled(me, true);
    (void)vt_raw(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, MASK_BYTES);
    errno = EINTR;
    return result;
}
