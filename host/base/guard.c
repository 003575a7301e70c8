/* SPDX-License-Identifier: Apache-2.0 */
/* Guards of vehicles: a failed assertion ends one vehicle of a swarm (boards/swarm/vehicles.c), or
 * one program with a text. */
#include "host/base/guard.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* The guard of this thread, and the place where the thread continues after a failed assertion. */
struct running {
    struct mf_guard *guard;
    jmp_buf *way_out; /* NULL: a failed assertion ends the program */
};

static _Thread_local struct running t_running;

bool mf_guard_run(struct mf_guard *guard, void (*run)(void *ctx), void *ctx)
{
    const struct running before = t_running;
    jmp_buf way_out;
    MF_ASSERT(before.guard != guard || before.way_out == NULL);
    if (guard->broken) {
        return false;
    }
    if (setjmp(way_out) == 0) {
        t_running = (struct running){guard, &way_out};
        run(ctx);
    }
    t_running = before;
    return !guard->broken;
}

void mf_guard_watch(struct mf_guard *guard)
{
    t_running = (struct running){guard, NULL};
}

const char *mf_guard_text(const struct mf_guard *guard, char *text, size_t cap)
{
    (void)snprintf(text, cap, "instance %d: assertion failed: %s, %s:%d, vehicle time %.6f s",
                   (int)guard->instance, guard->expr, guard->file, guard->line,
                   (double)guard->failed_us / 1e6);
    return text;
}

_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    struct mf_guard *guard = t_running.guard;
    char text[MF_GUARD_TEXT_MAX];
    if (guard != NULL) {
        guard->broken = true;
        guard->expr = expr;
        guard->file = file;
        guard->line = line;
        guard->failed_us = guard->now_us != NULL ? *guard->now_us : 0;
        if (t_running.way_out != NULL) {
            longjmp(*t_running.way_out, 1);
        }
        (void)mf_guard_text(guard, text, sizeof text);
    } else {
        (void)snprintf(text, sizeof text, "assertion failed: %s, %s:%d", expr, file, line);
    }
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
    abort();
}
