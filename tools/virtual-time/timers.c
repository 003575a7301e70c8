/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timers: timerfd, alarm and setitimer, timer_create. Each is a deadline of the process; the thread
 * that has the turn runs those that are due. The descriptor of a timer is an eventfd, which counts
 * as a timerfd.
 */
#include "tools/virtual-time/vt.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define TIMERS_MAX 512u

enum kind { NONE, DESCRIPTOR, ALARM, POSIX };

static struct timer {
    enum kind kind;
    int fd; /* DESCRIPTOR */
    clockid_t clock;
    int64_t at_ns; /* MF_VIRTUAL_NEVER: it is not set */
    int64_t every_ns;
    bool counted; /* DESCRIPTOR: its eventfd may hold a number that the program has not read */
    struct sigevent event; /* POSIX */
    int overrun;
} s_timer[TIMERS_MAX];
static unsigned s_top;

static void *notify(void *timer)
{
    const struct timer copy = *(const struct timer *)timer;
    copy.event.sigev_notify_function(copy.event.sigev_value);
    return NULL;
}

/* SIGEV_THREAD: in a thread of its own. */
static void start_thread(struct timer *t)
{
    pthread_attr_t attr;
    pthread_t handle;
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    (void)vt_thread_start(&handle, &attr, notify, t);
    (void)pthread_attr_destroy(&attr);
}

static void expire(struct timer *t)
{
    uint64_t times = 1;
    if (t->every_ns > 0) {
        times += (uint64_t)((vt_now() - t->at_ns) / t->every_ns);
        t->at_ns += (int64_t)times * t->every_ns;
    } else {
        t->at_ns = MF_VIRTUAL_NEVER;
    }
    t->overrun = (int)(times - 1);
    if (t->kind == DESCRIPTOR) {
        t->counted = true;
        if (vt_raw(SYS_write, t->fd, &times, sizeof times) < 0) {
            t->kind = NONE; /* it was closed */
        }
    } else if (t->kind == ALARM) {
        vt_signal(SIGALRM, 0);
    } else if (t->event.sigev_notify == SIGEV_THREAD) {
        start_thread(t);
    } else if (t->event.sigev_notify != SIGEV_NONE) {
        vt_signal(t->event.sigev_signo,
                  t->event.sigev_notify == SIGEV_THREAD_ID ? t->event._sigev_un._tid : 0);
    }
}

static bool run_due(void)
{
    bool any = false;
    for (unsigned i = 0; i < s_top; i++) {
        if (s_timer[i].kind != NONE && s_timer[i].at_ns <= vt_now()) {
            expire(&s_timer[i]);
            any = true;
        }
    }
    return any;
}

static int64_t find_deadline(void)
{
    int64_t next_ns = MF_VIRTUAL_NEVER;
    for (unsigned i = 0; i < s_top; i++) {
        if (s_timer[i].kind != NONE && s_timer[i].at_ns < next_ns) {
            next_ns = s_timer[i].at_ns;
        }
    }
    return next_ns;
}

static void forget_all(void)
{
    memset(s_timer, 0,
           sizeof s_timer); /* a child inherits the parent's descriptors, but does not get timers */
    s_top = 0;
}

static struct timer *new_timer(enum kind kind)
{
    static const struct vt_timers k_timers = {run_due, find_deadline, forget_all};
    for (unsigned i = 0; i < TIMERS_MAX; i++) {
        if (s_timer[i].kind == NONE) {
            s_timer[i] = (struct timer){.kind = kind, .fd = -1, .at_ns = MF_VIRTUAL_NEVER};
            s_top = s_top > i ? s_top : i + 1;
            vt_set_timers(&k_timers);
            return &s_timer[i];
        }
    }
    return NULL;
}

void vt_timers_closed(int fd)
{
    for (unsigned i = 0; i < s_top; i++) {
        if (s_timer[i].kind == DESCRIPTOR && s_timer[i].fd == fd) {
            s_timer[i].kind = NONE;
        }
    }
}

static struct itimerspec timer_value(const struct timer *t)
{
    const bool set = t->at_ns != MF_VIRTUAL_NEVER;
    return (struct itimerspec){
        .it_interval = vt_timespec(t->every_ns),
        .it_value = vt_timespec(set && t->at_ns > vt_now() ? t->at_ns - vt_now() : 0)};
}

static void set(struct timer *t, bool absolute, const struct itimerspec *value)
{
    t->every_ns = value->it_interval.tv_sec * VT_SECOND_NS + value->it_interval.tv_nsec;
    if (value->it_value.tv_sec == 0 && value->it_value.tv_nsec == 0) {
        t->at_ns = MF_VIRTUAL_NEVER;
    } else {
        t->at_ns =
            absolute ? vt_from_clock(t->clock, &value->it_value) : vt_from_span(&value->it_value);
    }
}

/* ---- timerfd */

static struct timer *of_descriptor(int fd)
{
    for (unsigned i = 0; i < s_top; i++) {
        if (s_timer[i].kind == DESCRIPTOR && s_timer[i].fd == fd) {
            return &s_timer[i];
        }
    }
    return NULL;
}

VT_EXPORT int timerfd_create(int clock, int flags)
{
    if (vt_me() == NULL) {
        return (int)vt_result(vt_raw(SYS_timerfd_create, clock, flags));
    }
    struct timer *t = new_timer(DESCRIPTOR);
    if (t == NULL) {
        return (int)vt_result(-ENFILE);
    }
    const int more = ((flags & TFD_CLOEXEC) != 0 ? EFD_CLOEXEC : 0) |
                     ((flags & TFD_NONBLOCK) != 0 ? EFD_NONBLOCK : 0);
    const long fd = vt_raw(SYS_eventfd2, 0, more);
    vt_timers_closed((int)fd);
    t->kind = fd < 0 ? NONE : DESCRIPTOR;
    t->fd = (int)fd;
    t->clock = clock;
    return (int)vt_result(fd);
}

/* Discard expirations that the program has not read. */
static void forget_count(struct timer *t)
{
    struct pollfd fd = {.fd = t->fd, .events = POLLIN};
    const struct timespec now = {0};
    uint64_t number = 0;
    if (t->counted && vt_raw(SYS_ppoll, &fd, 1, &now, NULL, 0) > 0) {
        (void)vt_raw(SYS_read, t->fd, &number, sizeof number);
    }
    t->counted = false;
}

VT_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *value,
                              struct itimerspec *before)
{
    struct timer *t = vt_me() != NULL ? of_descriptor(fd) : NULL;
    if (t == NULL) {
        return (int)vt_result(vt_raw(SYS_timerfd_settime, fd, flags, value, before));
    }
    struct itimerspec old = timer_value(t);
    forget_count(t);
    set(t, (flags & TFD_TIMER_ABSTIME) != 0, value);
    if (before != NULL) {
        *before = old;
    }
    return 0;
}

VT_EXPORT int timerfd_gettime(int fd, struct itimerspec *value)
{
    const struct timer *t = vt_me() != NULL ? of_descriptor(fd) : NULL;
    if (t == NULL) {
        return (int)vt_result(vt_raw(SYS_timerfd_gettime, fd, value));
    }
    *value = timer_value(t);
    return 0;
}

/* ---- alarm and setitimer(ITIMER_REAL): one timer of the process */

static struct timer *alarm_timer(void)
{
    for (unsigned i = 0; i < s_top; i++) {
        if (s_timer[i].kind == ALARM) {
            return &s_timer[i];
        }
    }
    return new_timer(ALARM);
}

static struct timespec of_timeval(const struct timeval *t)
{
    return (struct timespec){.tv_sec = t->tv_sec, .tv_nsec = t->tv_usec * 1000};
}

static struct timeval to_timeval(const struct timespec *t)
{
    return (struct timeval){.tv_sec = t->tv_sec, .tv_usec = t->tv_nsec / 1000};
}

VT_EXPORT int getitimer(__itimer_which_t which, struct itimerval *value)
{
    struct timer *t = which == ITIMER_REAL && vt_me() != NULL ? alarm_timer() : NULL;
    if (t == NULL) {
        return (int)vt_result(vt_raw(SYS_getitimer, which, value));
    }
    const struct itimerspec now = timer_value(t);
    *value = (struct itimerval){.it_interval = to_timeval(&now.it_interval),
                                .it_value = to_timeval(&now.it_value)};
    return 0;
}

VT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
                        struct itimerval *restrict before)
{
    struct timer *t = which == ITIMER_REAL && vt_me() != NULL ? alarm_timer() : NULL;
    if (t == NULL) {
        return (int)vt_result(vt_raw(SYS_setitimer, which, value, before));
    }
    if (before != NULL) {
        (void)getitimer(which, before);
    }
    set(t, false,
        &(struct itimerspec){.it_interval = of_timeval(&value->it_interval),
                             .it_value = of_timeval(&value->it_value)});
    return 0;
}

VT_EXPORT unsigned alarm(unsigned seconds)
{
    struct itimerval before = {0};
    (void)setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = seconds}, &before);
    return (unsigned)(before.it_value.tv_sec + (before.it_value.tv_usec > 0));
}

VT_EXPORT useconds_t ualarm(useconds_t us, useconds_t every)
{
    struct itimerval before = {0};
    (void)setitimer(
        ITIMER_REAL,
        &(struct itimerval){.it_interval = {.tv_sec = every / 1000000, .tv_usec = every % 1000000},
                            .it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}},
        &before);
    return (useconds_t)(before.it_value.tv_sec * 1000000 + before.it_value.tv_usec);
}

/* ---- timer_create: its number, from 1 on, is the handle */

static struct timer *of_handle(timer_t handle)
{
    const uintptr_t number = (uintptr_t)handle;
    return number >= 1 && number <= s_top && s_timer[number - 1].kind == POSIX
               ? &s_timer[number - 1]
               : NULL;
}

VT_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
                           timer_t *restrict handle)
{
    int64_t ns = 0;
    struct timer *t = vt_me() != NULL && vt_clock(clock, &ns) ? new_timer(POSIX) : NULL;
    if (t == NULL) {
        return (int)vt_result(-EAGAIN);
    }
    t->clock = clock;
    t->event = event != NULL
                   ? *event
                   : (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    *handle = (timer_t)(uintptr_t)(t - s_timer + 1);
    return 0;
}

VT_EXPORT int timer_settime(timer_t handle, int flags, const struct itimerspec *restrict value,
                            struct itimerspec *restrict before)
{
    struct timer *t = of_handle(handle);
    if (t == NULL) {
        return (int)vt_result(-EINVAL);
    }
    if (before != NULL) {
        *before = timer_value(t);
    }
    set(t, (flags & TIMER_ABSTIME) != 0, value);
    return 0;
}

VT_EXPORT int timer_gettime(timer_t handle, struct itimerspec *value)
{
    const struct timer *t = of_handle(handle);
    if (t == NULL) {
        return (int)vt_result(-EINVAL);
    }
    *value = timer_value(t);
    return 0;
}

VT_EXPORT int timer_getoverrun(timer_t handle)
{
    const struct timer *t = of_handle(handle);
    return t != NULL ? t->overrun : (int)vt_result(-EINVAL);
}

VT_EXPORT int timer_delete(timer_t handle)
{
    struct timer *t = of_handle(handle);
    if (t == NULL) {
        return (int)vt_result(-EINVAL);
    }
    t->kind = NONE;
    return 0;
}
