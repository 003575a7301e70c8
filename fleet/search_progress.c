/* SPDX-License-Identifier: Apache-2.0 */
/* Members that do not come nearer to their goals, and the limit that keeps them away. Called by
 * fleet/search. */
#include "fleet/search_state.h"

#include "math/trig.h"

#include <stdio.h>

#define PATIENCE_S 60.0
#define NEARER_M   1.0 /* progress within that time; of slow goals a tenth of their way */

struct mf_enu search_wind(const struct mf_search *q, struct mf_enu at)
{
    double ne_mps[2];
    mf_weather_wind(q->s.weather, (const double[]){(double)at.n, (double)at.e, (double)at.u},
                    (double)q->steps * q->s.step_s, ne_mps);
    return (struct mf_enu){(float)ne_mps[1], (float)ne_mps[0], 0.0f};
}

/* End the search with the limit that the body has met. */
static void tell_limit(struct mf_search *q, size_t member, const struct mf_mover_goal *to)
{
    const struct member *m = &q->member[member];
    const struct mf_mover_thrust_settings *s = &q->s.members[member].body;
    const double wind_mps = mf_larger((double)mf_enu_length(search_wind(q, m->body.pos_m)),
                                      (double)mf_enu_length(search_wind(q, to->at_m)));
    const double most_mps = mf_mover_thrust_terminal_mps(s);
    const double weight_n = (double)mf_mover_thrust_weight_n(s);
    char why[160];
    if (weight_n > (double)s->up_n) {
        (void)snprintf(why, sizeof why, "its weight of %.1f N is above its thrust up of %.1f N",
                       weight_n, (double)s->up_n);
    } else if (wind_mps >= most_mps) {
        (void)snprintf(why, sizeof why,
                       "the wind on its way of %.1f m/s is above its terminal speed of %.1f m/s",
                       wind_mps, most_mps);
    } else {
        (void)snprintf(why, sizeof why,
                       "its thrust of %.1f N ahead and %.1f N up, against a weight of %.1f N and a "
                       "wind of %.1f m/s, does not bring it there",
                       (double)s->forward_n, (double)s->up_n, weight_n, wind_mps);
    }
    search_fail(q,
                "member %zu is %.1f m from north %.1f, east %.1f, up %.1f, and has not come nearer "
                "for %.0f s: %s",
                member + 1u, (double)m->nearest_m, (double)to->at_m.n, (double)to->at_m.e,
                (double)to->at_m.u, PATIENCE_S, why);
}

void search_watch_progress(struct mf_search *q, size_t member, const struct mf_mover_goal *to)
{
    struct member *m = &q->member[member];
    if (to == NULL) {
        m->watched = false;
        return;
    }
    const struct mf_enu at = m->body.pos_m, goal = to->at_m;
    const float away_m =
        mf_enu_length((struct mf_enu){goal.e - at.e, goal.n - at.n, goal.u - at.u});
    const bool same =
        m->watched && goal.e == m->goal_m.e && goal.n == m->goal_m.n && goal.u == m->goal_m.u;
    const double least_m = mf_smaller(NEARER_M, 0.1 * (double)to->speed_mps * PATIENCE_S);
    if (!same || (double)away_m < (double)m->nearest_m - least_m) {
        m->watched = true;
        m->goal_m = goal;
        m->nearest_m = away_m;
        m->nearest_step = q->steps;
    } else if ((double)(q->steps - m->nearest_step) * q->s.step_s > PATIENCE_S) {
        tell_limit(q, member, to);
    }
}
