/* SPDX-License-Identifier: Apache-2.0 */
/* Vehicle time that counts with the wall. The loop of a run calls it. */
#include "boards/swarm/time/real.h"
#include "boards/swarm/time/course.h"

#include <math.h>

#define LATE_S     0.1  /* from here on a run is late */
#define PUNCTUAL_S 0.02 /* up to here an instant is punctual */

/* The vehicle time that the wall shows. */
static mf_us_t vehicle_time_due_us(const struct swarm_real *r)
{
    return (mf_us_t)((swarm_wall_s() - r->begin_s) * r->rate * 1e6);
}

void swarm_real_restart(struct swarm_real *r, const struct swarm *w)
{
    r->rate = w->hold.rate;
    r->begin_s = swarm_wall_s() - (double)w->now_us / 1e6 / r->rate;
}

bool swarm_real_counts(struct swarm_real *r, const struct swarm *w)
{
    const bool did = r->counts && r->rate == w->hold.rate;
    r->counts = w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL;
    if (r->counts && !did) {
        swarm_real_restart(r, w);
    }
    return r->counts;
}

static double late_s(const struct swarm_real *r, mf_us_t at_us)
{
    return (double)(vehicle_time_due_us(r) - at_us) / 1e6 / r->rate;
}

/* An instant was to happen, and the run has not come to it. @return false: that ends the run */
static bool allow_lateness(struct swarm_real *r, const struct swarm *w, mf_us_t at_us)
{
    const double late = late_s(r, at_us);
    if (late <= LATE_S || w->scenario->time.late == MF_SCENARIO_LATE_RUN) {
        return true;
    }
    if (w->scenario->time.late == MF_SCENARIO_LATE_SKIP) {
        r->begin_s += late;
        return true;
    }
    (void)fprintf(stderr, "mayfly-swarm: late by %.3f s at %.3f s; catch_up is fail\n", late,
                  (double)at_us / 1e6);
    return false;
}

/* An instant happens now, if it is due. */
static void count_instant(const struct swarm_real *r, struct swarm *w, mf_us_t at_us)
{
    struct swarm_course *c = swarm_course_of(w);
    const double late = late_s(r, at_us);
    if (late < 0.0) {
        return;
    }
    c->late_s = fmax(c->late_s, late);
    c->instants++;
    c->punctual += late <= PUNCTUAL_S ? 1u : 0u;
}

mf_us_t swarm_real_follow(struct swarm_real *r, struct swarm *w, mf_us_t to_us, mf_us_t next_us)
{
    if (!allow_lateness(r, w, next_us)) {
        return SWARM_TOO_LATE;
    }
    const double wait_s = -late_s(r, mf_earlier(to_us, next_us));
    swarm_systems_sleep(w, fmax(fmin(wait_s, SWARM_REAL_WALL_S), 0.0));
    count_instant(r, w, next_us);
    return mf_earlier(to_us, vehicle_time_due_us(r));
}
