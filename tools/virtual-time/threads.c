/* SPDX-License-Identifier: Apache-2.0 */
/* Start, end and join of threads. */
#include "tools/virtual-time/vt.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <threads.h>

static void *run(void *thread)
{
    struct vt_thread *me = thread;
    vt_thread_begin(me);
    return me->run(me->arg);
}

static int next_create(pthread_t *handle, const pthread_attr_t *attr, void *(*function)(void *),
                       void *arg)
{
    static int (*s_next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (s_next == NULL) {
        s_next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))vt_next(
            "pthread_create");
    }
    return s_next(handle, attr, function, arg);
}

/* @param begin  what the system calls with the thread's place */
static int start(pthread_t *handle, const pthread_attr_t *attr, void *(*begin)(void *),
                 void *(*function)(void *), void *arg)
{
    struct vt_thread *t = vt_thread_new();
    int detached = PTHREAD_CREATE_JOINABLE;
    if (t == NULL) {
        return EAGAIN;
    }
    if (attr != NULL) {
        (void)pthread_attr_getdetachstate(attr, &detached);
    }
    t->detached = detached == PTHREAD_CREATE_DETACHED;
    t->run = function;
    t->arg = arg;
    const int error = next_create(handle, attr, begin, t);
    t->handle = *handle;
    if (error != 0) {
        atomic_store(&t->state, VT_FREE);
    }
    return error;
}

int vt_thread_start(pthread_t *handle, const pthread_attr_t *attr, void *(*function)(void *),
                    void *arg)
{
    return start(handle, attr, run, function, arg);
}

/* Refuse a library in Go that the program has loaded: its runtime begins with a thread. */
static void refuse_go(void *(*function)(void *))
{
    static const void *s_known; /* file whose thread was the last */
    void *code = NULL;
    Dl_info file;
    memcpy(&code, &function, sizeof code);
    if (dladdr(code, &file) != 0 && file.dli_fbase != s_known) {
        s_known = file.dli_fbase;
        vt_refuse_go(file.dli_fname);
    }
}

VT_EXPORT int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attr,
                             void *(*function)(void *), void *restrict arg)
{
    if (vt_me() == NULL) {
        return next_create(handle, attr, function, arg);
    }
    refuse_go(function);
    return start(handle, attr, run, function, arg);
}

static struct vt_thread *find(pthread_t handle)
{
    for (unsigned i = 0; vt_thread_at(i) != NULL; i++) {
        struct vt_thread *t = vt_thread_at(i);
        if (atomic_load(&t->state) != VT_FREE && pthread_equal(t->handle, handle)) {
            return t;
        }
    }
    return NULL;
}

static bool ended(const struct vt_wait *w)
{
    const struct vt_thread *t = w->object;
    return atomic_load(&t->state) == VT_ENDED;
}

static int join_until(pthread_t handle, void **result, int64_t until_ns)
{
    static int (*s_next)(pthread_t, void **);
    struct vt_thread *me = vt_me();
    struct vt_thread *t = me != NULL ? find(handle) : NULL;
    s_next = s_next != NULL ? s_next : (int (*)(pthread_t, void **))vt_next("pthread_join");
    if (t != NULL && t != me) {
        struct vt_wait w = {.ready = ended, .object = t, .until_ns = until_ns};
        if (!ended(&w)) {
            const enum vt_end end = vt_wait(me, &w);
            vt_test_cancel(me);
            if (end == VT_LATE) {
                return ETIMEDOUT;
            }
        }
    }
    const int error = s_next(handle, result);
    if (error == 0 && t != NULL) {
        atomic_store(&t->state, VT_FREE);
    }
    return error;
}

VT_EXPORT int pthread_join(pthread_t handle, void **result)
{
    return join_until(handle, result, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                   const struct timespec *t)
{
    return join_until(handle, result, vt_from_clock(clock, t));
}

VT_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *t)
{
    return pthread_clockjoin_np(handle, result, CLOCK_REALTIME, t);
}

VT_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result)
{
    struct vt_thread *t = vt_me() != NULL ? find(handle) : NULL;
    const struct vt_wait w = {.object = t};
    if (t != NULL && !ended(&w)) {
        vt_spin(vt_me());
        return EBUSY;
    }
    return join_until(handle, result, MF_VIRTUAL_NEVER);
}

VT_EXPORT int pthread_detach(pthread_t handle)
{
    static int (*s_next)(pthread_t);
    struct vt_thread *t = vt_me() != NULL ? find(handle) : NULL;
    s_next = s_next != NULL ? s_next : (int (*)(pthread_t))vt_next("pthread_detach");
    if (t != NULL) {
        t->detached = true;
        if (atomic_load(&t->state) == VT_ENDED) {
            atomic_store(&t->state, VT_FREE);
        }
    }
    return s_next(handle);
}

VT_EXPORT int pthread_cancel(pthread_t handle)
{
    static int (*s_next)(pthread_t);
    struct vt_thread *t = vt_me() != NULL ? find(handle) : NULL;
    s_next = s_next != NULL ? s_next : (int (*)(pthread_t))vt_next("pthread_cancel");
    if (t != NULL) {
        t->cancelled = true; /* which ends its wait, if that is a cancellation point */
    }
    return s_next(handle);
}

/* The result of a C11 thread is an int, where POSIX has a pointer. */
static void *run_c11(void *thread)
{
    struct vt_thread *me = thread;
    const thrd_start_t function = (thrd_start_t)(uintptr_t)me->run;
    vt_thread_begin(me);
    return (void *)(intptr_t)function(me->arg);
}

VT_EXPORT int thrd_create(thrd_t *handle, thrd_start_t function, void *arg)
{
    if (vt_me() == NULL) {
        static int (*s_next)(thrd_t *, thrd_start_t, void *);
        s_next = s_next != NULL ? s_next
                                : (int (*)(thrd_t *, thrd_start_t, void *))vt_next("thrd_create");
        return s_next(handle, function, arg);
    }
    return start(handle, NULL, run_c11, (void *(*)(void *))(uintptr_t)function, arg) == 0
               ? thrd_success
               : thrd_error;
}

VT_EXPORT int thrd_join(thrd_t handle, int *result)
{
    void *value = NULL;
    const int error = pthread_join(handle, &value);
    if (result != NULL) {
        *result = (int)(intptr_t)value;
    }
    return error == 0 ? thrd_success : thrd_error;
}
