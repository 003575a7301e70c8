/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor of a world. All threads of a world run in turns, so they share a processor, which
 * the time server chooses: waking a sleeping thread on another one costs more than all else.
 * Programs do not notice it. Called by schedule.c and affinity.c.
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

void vt_processor_show(void *set, size_t n)
{
    memcpy(set, &s_given, n < sizeof s_given ? n : sizeof s_given);
}

void vt_processor_release(void)
{
    s_own = true;
}
