/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait for each other: mutexes, conditions, semaphores, locks, barriers, futexes.
 *
 * The objects stay the C library's: this file tries and inspects them. It keeps its own lists of
 * waiters for conditions, barriers and futexes only, since their state cannot be inspected.
 */
#include "tools/virtual-time/vt.h"

#include <limits.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

static bool woken(const struct vt_wait *w)
{
    const struct vt_thread *t = (const struct vt_thread *)(uintptr_t)w->value;
    return t->woken;
}

/* Wait until another thread wakes those that wait for an object. */
static enum vt_end wait_woken(struct vt_thread *me, const void *object, int64_t until_ns,
                              bool interruptible)
{
    static uint64_t s_ticket;
    struct vt_wait w = {.ready = woken,
                        .object = object,
                        .value = (int64_t)(uintptr_t)me,
                        .until_ns = until_ns,
                        .interruptible = interruptible};
    me->woken = false;
    me->ticket = ++s_ticket;
    return vt_wait(me, &w);
}

/* Wake threads in the order in which they began to wait. @return their number */
static int wake(const void *object, int most, uint32_t bits)
{
    int n = 0;
    for (; n < most; n++) {
        struct vt_thread *first = NULL;
        for (unsigned i = 0; vt_thread_at(i) != NULL; i++) {
            struct vt_thread *t = vt_thread_at(i);
            if (atomic_load(&t->state) == VT_WAITS && t->wait != NULL && t->wait->ready == woken &&
                t->wait->object == object && !t->woken && (t->bits & bits) != 0 &&
                (first == NULL || t->ticket < first->ticket)) {
                first = t;
            }
        }
        if (first == NULL) {
            break;
        }
        first->woken = true;
    }
    return n;
}

/* ---- mutexes */

/* True if no thread owns the mutex, whatever its kind. */
static bool mutex_free(const struct vt_wait *w)
{
    const pthread_mutex_t *m = w->object;
    return m->__data.__lock == 0;
}

static int lock_until(pthread_mutex_t *m, int64_t until_ns)
{
    struct vt_thread *me = vt_me();
    int result = pthread_mutex_trylock(m);
    if (me == NULL && result == EBUSY) { /* within the library, or without a world */
        static int (*s_next)(pthread_mutex_t *);
        s_next =
            s_next != NULL ? s_next : (int (*)(pthread_mutex_t *))vt_next("pthread_mutex_lock");
        return s_next(m);
    }
    const bool checks = (m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
    if (result == EBUSY && checks && m->__data.__owner == me->tid) {
        return EDEADLK;
    }
    while (result == EBUSY) {
        struct vt_wait w = {.ready = mutex_free, .object = m, .until_ns = until_ns};
        if (vt_wait(me, &w) == VT_LATE) {
            return ETIMEDOUT;
        }
        result = pthread_mutex_trylock(m);
        if (result == EBUSY && me->cancelled) { /* no cancellation point: it goes on waiting */
            vt_yield(me);
        }
    }
    return result;
}

VT_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
    return lock_until(m, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *t)
{
    return lock_until(m, vt_me() == NULL ? MF_VIRTUAL_NEVER : vt_from_clock(clock, t));
}

VT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t)
{
    return pthread_mutex_clocklock(m, CLOCK_REALTIME, t);
}

/* ---- conditions */

static int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, int64_t until_ns)
{
    struct vt_thread *me = vt_me();
    if (me == NULL) {
        static int (*s_next)(pthread_cond_t *, pthread_mutex_t *);
        s_next = s_next != NULL
                     ? s_next
                     : (int (*)(pthread_cond_t *, pthread_mutex_t *))vt_next("pthread_cond_wait");
        return s_next(c, m);
    }
    const int error = pthread_mutex_unlock(m);
    if (error != 0) {
        return error;
    }
    me->bits = FUTEX_BITSET_MATCH_ANY;
    const enum vt_end end = wait_woken(me, c, until_ns, false);
    const int result = pthread_mutex_lock(m);
    vt_test_cancel(me);
    return result != 0 ? result : end == VT_LATE ? ETIMEDOUT : 0;
}

VT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return cond_wait(c, m, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                                     const struct timespec *t)
{
    if (t->tv_nsec < 0 || t->tv_nsec >= VT_SECOND_NS) {
        return EINVAL;
    }
    return cond_wait(c, m, vt_from_clock(clock, t));
}

/* The clock that pthread_condattr_setclock() chose, as glibc keeps it. */
static clockid_t clock_of(const pthread_cond_t *c)
{
    return (c->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

VT_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     const struct timespec *t)
{
    return pthread_cond_clockwait(c, m, clock_of(c), t);
}

VT_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
    (void)wake(c, 1, FUTEX_BITSET_MATCH_ANY);
    return 0;
}

VT_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
    (void)wake(c, INT_MAX, FUTEX_BITSET_MATCH_ANY);
    return 0;
}

/* ---- semaphores */

static bool sem_there(const struct vt_wait *w)
{
    int value = 0;
    return sem_getvalue((sem_t *)(uintptr_t)w->object, &value) == 0 && value > 0;
}

static int sem_until(sem_t *s, int64_t until_ns)
{
    struct vt_thread *me = vt_me();
    while (sem_trywait(s) != 0) {
        if (errno != EAGAIN) {
            return -1;
        }
        if (me == NULL) {
            (void)vt_raw(SYS_sched_yield);
            continue;
        }
        struct vt_wait w = {
            .ready = sem_there, .object = s, .until_ns = until_ns, .interruptible = true};
        const enum vt_end end = vt_wait(me, &w);
        vt_test_cancel(me);
        if (end == VT_LATE || end == VT_INTERRUPTED) {
            errno = end == VT_LATE ? ETIMEDOUT : EINTR;
            return -1;
        }
    }
    return 0;
}

VT_EXPORT int sem_wait(sem_t *s)
{
    return sem_until(s, MF_VIRTUAL_NEVER);
}

VT_EXPORT int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict t)
{
    return sem_until(s, vt_from_clock(clock, t));
}

VT_EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict t)
{
    return sem_clockwait(s, CLOCK_REALTIME, t);
}

/* ---- locks of readers and writers. None ever waits in glibc, so of its word three parts count:
 * the number of readers from bit 3 on, and whether a writer has it. */

#define RW_WRITER  2u
#define RW_READERS 3u

static bool reader_may(const struct vt_wait *w)
{
    const pthread_rwlock_t *l = w->object;
    return (l->__data.__readers & RW_WRITER) == 0;
}

static bool writer_may(const struct vt_wait *w)
{
    const pthread_rwlock_t *l = w->object;
    return reader_may(w) && l->__data.__readers >> RW_READERS == 0;
}

static int rwlock_until(pthread_rwlock_t *l, bool write, int64_t until_ns)
{
    struct vt_thread *me = vt_me();
    for (;;) {
        const int result = write ? pthread_rwlock_trywrlock(l) : pthread_rwlock_tryrdlock(l);
        struct vt_wait w = {
            .ready = write ? writer_may : reader_may, .object = l, .until_ns = until_ns};
        if (result != EBUSY) {
            return result;
        }
        if (me == NULL) {
            (void)vt_raw(SYS_sched_yield);
        } else if (w.ready(&w)) {
            vt_yield(me); /* glibc sees it otherwise: soon */
        } else if (vt_wait(me, &w) == VT_LATE) {
            return ETIMEDOUT;
        }
    }
}

VT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    return rwlock_until(l, false, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    return rwlock_until(l, true, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock,
                                         const struct timespec *restrict t)
{
    return rwlock_until(l, false, vt_from_clock(clock, t));
}

VT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock,
                                         const struct timespec *restrict t)
{
    return rwlock_until(l, true, vt_from_clock(clock, t));
}

VT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l,
                                         const struct timespec *restrict t)
{
    return pthread_rwlock_clockrdlock(l, CLOCK_REALTIME, t);
}

VT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l,
                                         const struct timespec *restrict t)
{
    return pthread_rwlock_clockwrlock(l, CLOCK_REALTIME, t);
}

VT_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
    struct vt_thread *me = vt_me();
    while (pthread_spin_trylock(l) == EBUSY) {
        if (me != NULL) {
            vt_yield(me);
        }
    }
    return 0;
}

/* ---- barriers, whose memory is ours alone */

struct barrier {
    uint32_t count, arrived;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "a barrier fits");

VT_EXPORT int pthread_barrier_init(pthread_barrier_t *restrict b,
                                   const pthread_barrierattr_t *restrict attr, unsigned count)
{
    struct barrier *own = (struct barrier *)(void *)b;
    (void)attr;
    if (count == 0) {
        return EINVAL;
    }
    *own = (struct barrier){.count = count};
    return 0;
}

VT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
    (void)b;
    return 0;
}

VT_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
    struct barrier *own = (struct barrier *)(void *)b;
    struct vt_thread *me = vt_me();
    own->arrived++;
    if (own->arrived == own->count) {
        own->arrived = 0;
        (void)wake(b, INT_MAX, FUTEX_BITSET_MATCH_ANY);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    if (me != NULL) {
        me->bits = FUTEX_BITSET_MATCH_ANY;
        (void)wait_woken(me, b, MF_VIRTUAL_NEVER, false);
    }
    return 0;
}

/* ---- threads.h, which calls its own functions within the C library */

static int of_error(int error)
{
    return error == 0           ? thrd_success
           : error == ETIMEDOUT ? thrd_timedout
           : error == EBUSY     ? thrd_busy
                                : thrd_error;
}

VT_EXPORT int mtx_lock(mtx_t *m)
{
    return of_error(pthread_mutex_lock((pthread_mutex_t *)(void *)m));
}

VT_EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict t)
{
    return of_error(pthread_mutex_timedlock((pthread_mutex_t *)(void *)m, t));
}

VT_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
    return of_error(pthread_cond_wait((pthread_cond_t *)(void *)c, (pthread_mutex_t *)(void *)m));
}

VT_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict t)
{
    return of_error(
        pthread_cond_timedwait((pthread_cond_t *)(void *)c, (pthread_mutex_t *)(void *)m, t));
}

VT_EXPORT int cnd_signal(cnd_t *c)
{
    return of_error(pthread_cond_signal((pthread_cond_t *)(void *)c));
}

VT_EXPORT int cnd_broadcast(cnd_t *c)
{
    return of_error(pthread_cond_broadcast((pthread_cond_t *)(void *)c));
}

/* ---- futexes */

static int futex_wait(struct vt_thread *me, const uint32_t *word, uint32_t value, int64_t until_ns,
                      uint32_t bits)
{
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
        return -EAGAIN;
    }
    me->bits = bits;
    const enum vt_end end = wait_woken(me, word, until_ns, true);
    return end == VT_LATE ? -ETIMEDOUT : end == VT_INTERRUPTED ? -EINTR : 0;
}

/* @return how many moved on to wait for another word */
static int requeue(const uint32_t *from, const uint32_t *to, int most)
{
    int n = 0;
    for (unsigned i = 0; vt_thread_at(i) != NULL && n < most; i++) {
        struct vt_thread *t = vt_thread_at(i);
        if (atomic_load(&t->state) == VT_WAITS && t->wait != NULL && t->wait->ready == woken &&
            t->wait->object == from && !t->woken) {
            t->wait->object = to;
            n++;
        }
    }
    return n;
}

long vt_futex(struct vt_thread *me, const long a[6])
{
    const uint32_t *word = (const uint32_t *)a[0];
    const uint32_t *other = (const uint32_t *)a[4];
    const uint32_t value = (uint32_t)a[2];
    const struct timespec *t = (const struct timespec *)a[3];
    const clockid_t clock = (a[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(me, word, value, vt_from_span(t), FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAIT_BITSET:
        return futex_wait(me, word, value, vt_from_clock(clock, t), (uint32_t)a[5]);
    case FUTEX_WAKE:
        return wake(word, (int)value, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
        return wake(word, (int)value, (uint32_t)a[5]);
    case FUTEX_CMP_REQUEUE:
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[5]) {
            return -EAGAIN;
        }
        __attribute__((fallthrough));
    case FUTEX_REQUEUE: {
        const int woke = wake(word, (int)value, FUTEX_BITSET_MATCH_ANY);
        return woke + requeue(word, other, (int)a[3]);
    }
    default:
        return vt_raw(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}
