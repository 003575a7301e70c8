/* SPDX-License-Identifier: Apache-2.0 */
/* syscall(): system calls by number that have to do with time go to the functions of this library.
 * Those of programs that contain the instruction itself go past it. */
#include "tools/virtual-time/vt.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Clocks, sleeps and timers. @return false: it is another call */
static bool call_clock(long number, const long a[6], long *result)
{
    switch (number) {
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_gettimeofday:
        *result = gettimeofday((struct timeval *)a[0], (void *)a[1]);
        return true;
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_clock_nanosleep:
        *result = vt_result(-clock_nanosleep(
            (clockid_t)a[0], (int)a[1], (const struct timespec *)a[2], (struct timespec *)a[3]));
        return true;
    case SYS_setitimer:
        *result = setitimer((__itimer_which_t)a[0], (const struct itimerval *)a[1],
                            (struct itimerval *)a[2]);
        return true;
    case SYS_timerfd_create:
        *result = timerfd_create((int)a[0], (int)a[1]);
        return true;
    case SYS_timerfd_settime:
        *result = timerfd_settime((int)a[0], (int)a[1], (const struct itimerspec *)a[2],
                                  (struct itimerspec *)a[3]);
        return true;
#if defined(__x86_64__)
    case SYS_time:
        *result = time((time_t *)a[0]);
        return true;
    case SYS_alarm:
        *result = alarm((unsigned)a[0]);
        return true;
#endif
    default:
        return false;
    }
}

/* Another program, and waits for descriptors and children. @return false: it is another call */
static bool call_wait(long number, const long a[6], long *result)
{
    struct pollfd *fds = (struct pollfd *)a[0];
    fd_set *in = (fd_set *)a[1], *out = (fd_set *)a[2], *other = (fd_set *)a[3];
    struct epoll_event *events = (struct epoll_event *)a[1];
    const sigset_t *const *mask = (const sigset_t *const *)a[5];
    switch (number) {
    case SYS_ppoll:
        *result = ppoll(fds, (nfds_t)a[1], (const struct timespec *)a[2], (const sigset_t *)a[3]);
        return true;
    case SYS_pselect6:
        *result = pselect((int)a[0], in, out, other, (const struct timespec *)a[4],
                          mask != NULL ? *mask : NULL);
        return true;
    case SYS_epoll_pwait:
        *result = epoll_pwait((int)a[0], events, (int)a[2], (int)a[3], (const sigset_t *)a[4]);
        return true;
    case SYS_execve:
        *result = execve((const char *)a[0], (char *const *)a[1], (char *const *)a[2]);
        return true;
    case SYS_wait4:
        *result = wait4((pid_t)a[0], (int *)a[1], (int)a[2], (struct rusage *)a[3]);
        return true;
    case SYS_sched_yield:
        *result = sched_yield();
        return true;
#if defined(__x86_64__)
    case SYS_poll:
        *result = poll(fds, (nfds_t)a[1], (int)a[2]);
        return true;
    case SYS_select:
        *result = select((int)a[0], in, out, other, (struct timeval *)a[4]);
        return true;
    case SYS_epoll_wait:
        *result = epoll_wait((int)a[0], events, (int)a[2], (int)a[3]);
        return true;
    case SYS_pause:
        *result = pause();
        return true;
#endif
    default:
        return false;
    }
}

VT_EXPORT long syscall(long number, ...)
{
    struct vt_thread *me = vt_me();
    long a[6], result = 0;
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++) {
        a[i] = va_arg(args, long);
    }
    va_end(args);
    if (me != NULL && number == SYS_futex) {
        return vt_result(vt_futex(me, a));
    }
    if (me != NULL && number == SYS_io_uring_setup) {
        return vt_result(-ENOSYS); /* its waiting is not seen: programs have another way */
    }
    if (me != NULL && (call_clock(number, a, &result) || call_wait(number, a, &result))) {
        return result;
    }
    return vt_result(vt_raw(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
