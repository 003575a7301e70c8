/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks and sleeps. */
#include "tools/virtual-time/vt.h"

#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <threads.h>
#include <unistd.h>

VT_EXPORT int clock_gettime(clockid_t clock, struct timespec *t)
{
    struct vt_thread *me = vt_me();
    int64_t ns = 0;
    if (me == NULL || !vt_clock(clock, &ns)) {
        if (me != NULL || !vt_clock(clock, &ns) || vt_now() == 0) {
            return (int)vt_result(vt_raw(SYS_clock_gettime, clock, t));
        }
    } else {
        vt_spin(me);
        (void)vt_clock(clock, &ns);
    }
    *t = vt_timespec(ns);
    return 0;
}

VT_EXPORT int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now = {0};
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

VT_EXPORT time_t time(time_t *t)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (t != NULL) {
        *t = now.tv_sec;
    }
    return now.tv_sec;
}

VT_EXPORT int timespec_get(struct timespec *t, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}

VT_EXPORT int ftime(struct timeb *t)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    *t = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
    return 0;
}

VT_EXPORT int sysinfo(struct sysinfo *about)
{
    const long result = vt_raw(SYS_sysinfo, about);
    int64_t up_ns = 0;
    if (vt_me() != NULL && vt_clock(CLOCK_BOOTTIME, &up_ns)) {
        about->uptime = up_ns / VT_SECOND_NS;
    }
    return (int)vt_result(result);
}

/* ---- sleeps */

/* @return 0, or EINTR with what was left */
static int sleep_until(struct vt_thread *me, int64_t until_ns, struct timespec *left)
{
    struct vt_wait w = {.until_ns = until_ns, .interruptible = true};
    if (until_ns <= vt_now()) {
        vt_yield(me);
        return 0;
    }
    const enum vt_end end = vt_wait(me, &w);
    vt_test_cancel(me);
    if (end != VT_INTERRUPTED) {
        return 0;
    }
    if (left != NULL) {
        *left = vt_timespec(until_ns > vt_now() ? until_ns - vt_now() : 0);
    }
    return EINTR;
}

static bool is_span(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < VT_SECOND_NS;
}

VT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                              struct timespec *left)
{
    struct vt_thread *me = vt_me();
    int64_t ns = 0;
    if (me == NULL || !vt_clock(clock, &ns)) {
        return (int)-vt_raw(SYS_clock_nanosleep, clock, flags, t, left);
    }
    if (!is_span(t)) {
        return EINVAL;
    }
    const bool absolute = (flags & TIMER_ABSTIME) != 0;
    return sleep_until(me, absolute ? vt_from_clock(clock, t) : vt_from_span(t),
                       absolute ? NULL : left);
}

VT_EXPORT int nanosleep(const struct timespec *t, struct timespec *left)
{
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    return error == 0 ? 0 : (int)vt_result(-error);
}

VT_EXPORT int usleep(useconds_t us)
{
    const struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
    return nanosleep(&t, NULL);
}

VT_EXPORT unsigned sleep(unsigned seconds)
{
    struct timespec t = {.tv_sec = seconds}, left = {0};
    return nanosleep(&t, &left) == 0 ? 0
                                     : (unsigned)(left.tv_sec + (left.tv_nsec >= VT_SECOND_NS / 2));
}

VT_EXPORT int thrd_sleep(const struct timespec *t, struct timespec *left)
{
    const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

VT_EXPORT int sched_yield(void)
{
    struct vt_thread *me = vt_me();
    if (me != NULL) {
        vt_yield(me);
    }
    return 0;
}

VT_EXPORT void thrd_yield(void)
{
    (void)sched_yield();
}
