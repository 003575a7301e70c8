/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/time/pace.h"

#include "boards/swarm/links/links.h"
#include "boards/swarm/time/control.h"
#include "boards/swarm/time/operator.h"

#include <math.h>
#include <time.h>

#define HEARD_WALL_S 0.01 /* a clock that runs free hears clients this often */

void swarm_pace_begin(struct swarm_pace *p)
{
    if (p->w->links != NULL) {
        swarm_links_begin(p->w);
    }
    swarm_real_restart(&p->real, p->w);
}

/* Wall time until a step is due [s]; 0: now. */
static double wait_of(struct swarm_pace *p, mf_us_t at_us)
{
    return swarm_real_counts(&p->real, p->w) ? swarm_real_wait_s(&p->real, at_us) : 0.0;
}

static bool hear(const struct swarm_pace *p, bool stands)
{
    return p->hear != NULL && p->hear(p->ctx, stands);
}

/* Has a person, or a signal, ended the run? */
static bool ends(const struct swarm *w, const volatile int *stop)
{
    const struct swarm_operator *o = w->operator;
    return *stop != 0 || (o != NULL && o->ends);
}

static void sleep_for(struct swarm_pace *p, double wait_s, bool stands)
{
    const bool waited = stands && p->hear != NULL;
    const double shortly_s = waited ? 0.0 : fmin(wait_s, HEARD_WALL_S);
    if (p->w->links != NULL) {
        swarm_links_wait(p->w, shortly_s);
        swarm_links_take(p->w);
        p->heard_s = swarm_wall_s();
    } else if (stands && !waited) {
        swarm_control_wait(p->w, SWARM_STANDING_WALL_S);
    } else if (shortly_s > 0.0) {
        const struct timespec t = {0, (long)(shortly_s * 1e9)};
        (void)nanosleep(&t, NULL);
    }
    if (stands) { /* who holds time makes nobody late */
        swarm_real_restart(&p->real, p->w);
    }
}

bool swarm_pace_turn(struct swarm_pace *p, uint64_t step, const volatile int *stop)
{
    struct swarm *w = p->w;
    const mf_us_t at_us = swarm_step_end(w, step), from_us = w->now_us;
    w->next_us = at_us;
    w->display->record(w, w->now_us); /* of the last step */
    while (!ends(w, stop)) {
        w->display->serve(w, false);
        const mf_us_t limit_us = swarm_control_turn(w, at_us);
        const bool stands =
            (w->links == NULL ? limit_us : mf_earlier(limit_us, swarm_links_limit(w))) < at_us;
        if (stands && limit_us > w->now_us) { /* up to there nothing happens */
            w->now_us = mf_earlier(limit_us, at_us);
        }
        const bool said = hear(p, stands);
        const double wait_s = stands ? HEARD_WALL_S : wait_of(p, at_us);
        const bool hears = w->links != NULL && swarm_wall_s() - p->heard_s >= HEARD_WALL_S;
        if (!said && !stands && !hears && wait_s <= 0.0) {
            w->now_us = from_us;
            return true;
        }
        if (!said) {
            sleep_for(p, wait_s, stands);
        }
    }
    return false;
}

bool swarm_pace_rest(struct swarm_pace *p, const volatile int *stop)
{
    struct swarm *w = p->w;
    const bool stays = w->links != NULL && isinf(w->scenario->time.end_s);
    struct swarm_operator *o = w->operator;
    MF_ASSERT(o != NULL);
    w->next_us = MF_NEVER;
    w->display->record(w, w->now_us);
    w->display->serve(w, true);
    o->changed = false;
    while (stays && !o->changed && !ends(w, stop)) {
        w->display->serve(w, false);
        (void)swarm_control_turn(w, MF_NEVER);
        if (!hear(p, true)) {
            sleep_for(p, HEARD_WALL_S, true);
        }
    }
    return o->changed;
}
