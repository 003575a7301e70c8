/* SPDX-License-Identifier: Apache-2.0 */
/* Processors as programs see and choose them: they do not see that a world shares one
 * (processor.c). */
#include "tools/virtual-time/vt.h"

#include <sched.h>
#include <string.h>

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
        vt_processor_show(set, (size_t)n);
    }
    memset((char *)set + n, 0, size - (size_t)n);
    return 0;
}

static long choose(pid_t tid, size_t size, const cpu_set_t *set)
{
    struct vt_thread *t = thread_of(tid);
    const long result = vt_raw(SYS_sched_setaffinity, tid, size, set);
    if (result == 0 && t != NULL) {
        vt_processor_release();
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
