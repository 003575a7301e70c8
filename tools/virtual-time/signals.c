/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for signals. */
#include "tools/virtual-time/vt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MASK_BYTES 8

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

static int wait_handled(struct vt_thread *me)
{
    struct vt_wait w = {.until_ns = MF_VIRTUAL_NEVER, .interruptible = true};
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
    return wait_handled(me);
}

/* What is pending is handled as soon as the mask lets it. */
VT_EXPORT int sigsuspend(const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    uint64_t there = 0, blocked = 0, before = 0;
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_rt_sigsuspend, mask, MASK_BYTES));
    }
    memcpy(&blocked, mask, sizeof blocked);
    (void)vt_raw(SYS_rt_sigpending, &there, MASK_BYTES);
    if ((there & ~blocked) != 0) {
        return (int)vt_result(vt_raw(SYS_rt_sigsuspend, mask, MASK_BYTES));
    }
    (void)vt_raw(SYS_rt_sigprocmask, SIG_SETMASK, mask, &before, MASK_BYTES);
    const int result = wait_handled(me);
    (void)vt_raw(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, MASK_BYTES);
    errno = EINTR;
    return result;
}
