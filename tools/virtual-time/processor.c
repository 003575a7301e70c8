/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor of a world. All threads of a world run in turns, so they share a processor, which
 * the time server chooses: waking a sleeping thread on another one costs more than all else.
 * Programs do not notice it.
 */
#include "tools/virtual-time/vt.h"

#include <sched.h>
#include <string.h>

/* Processors of the process at its start. */
static cpu_set_t s_given;
static bool s_known;
/* The program has chosen processors itself. */
static bool s_own;

static void bind_to(const cpu_set_t *set)
{
    (void)vt_raw(SYS_sched_setaffinity, 0, sizeof *set,
                 set); /* where it may not run, it does not */
}

void vt_processor_begin(void)
{
    s_known = vt_raw(SYS_sched_getaffinity, 0, sizeof s_given, &s_given) > 0;
}

void vt_processor_follow(struct vt_thread *me, int32_t processor)
{
    cpu_set_t one;
    const int32_t to = s_known && !s_own ? processor : 0;
    if (me == NULL || to == me->processor) {
        return;
    }
    me->processor = to;
    if (to <= 0 || to > CPU_SETSIZE) {
        bind_to(&s_given);
        return;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)to - 1u, &one);
    bind_to(&one);
}

void vt_processor_leave(void)
{
    vt_processor_follow(vt_me(), 0);
}

/* A thread of this process; 0 is who calls. */
static struct vt_thread *thread_of(pid_t tid)
{
    struct vt_thread *me = vt_me();
    for (unsigned i = 0; me != NULL && tid != 0 && vt_thread_at(i) != NULL; i++) {
        struct vt_thread *t = vt_thread_at(i);
        if (atomic_load(&t->state) != VT_FREE && t->tid == tid) {
            return t;
        }
    }
    return tid == 0 ? me : NULL;
}

/* @return 0, or a negative errno */
static long show_processors(pid_t tid, size_t size, cpu_set_t *set)
{
    const struct vt_thread *t = thread_of(tid);
    const long n = vt_raw(SYS_sched_getaffinity, tid, size, set);
    if (n < 0) {
        return n;
    }
    if (t != NULL && t->processor != 0) {
        memcpy(set, &s_given, (size_t)n < sizeof s_given ? (size_t)n : sizeof s_given);
    }
    memset((char *)set + n, 0, size - (size_t)n);
    return 0;
}

static long choose(pid_t tid, size_t size, const cpu_set_t *set)
{
    struct vt_thread *t = thread_of(tid);
    const long result = vt_raw(SYS_sched_setaffinity, tid, size, set);
    if (result == 0 && t != NULL) {
        s_own = true; /* the others are free, too, at their next turn */
        t->processor = 0;
    }
    return result;
}

static pid_t tid_of(pthread_t handle)
{
    for (unsigned i = 0; vt_thread_at(i) != NULL; i++) {
        const struct vt_thread *t = vt_thread_at(i);
        if (atomic_load(&t->state) != VT_FREE && pthread_equal(t->handle, handle) != 0) {
            return t->tid;
        }
    }
    return -1;
}

VT_EXPORT int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *set)
{
    return (int)vt_result(show_processors(tid, size, set));
}

VT_EXPORT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set)
{
    return (int)vt_result(choose(tid, size, set));
}

VT_EXPORT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set)
{
    return (int)-show_processors(tid_of(handle), size, set);
}

VT_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set)
{
    return (int)-choose(tid_of(handle), size, set);
}
