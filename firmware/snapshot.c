/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/snapshot.h"

#include <string.h>

static void take_motion(struct mf_vehicle *v, mf_us_t t_us, struct mf_snapshot *s)
{
    s->body = mf_airframe_sample(&v->hal, t_us, &s->truth) == MF_E_OK;
    s->estimate = *mf_estimate_at(v, t_us);
    const double alt_amsl_m = s->estimate.pose.alt_amsl_m;
    s->relative_m = v->home.valid ? alt_amsl_m - v->home.takeoff_amsl_m : 0.0;
    if (s->estimate.fix.type >= MF_FIX_3D) {
        s->ellipsoid_m = (double)mf_estimate_ellipsoid_mm(&s->estimate, alt_amsl_m) / 1e3;
    }
}

void mf_snapshot_take(struct mf_vehicle *v, struct mf_snapshot *s)
{
    MF_ASSERT(v != NULL && s != NULL);
    const mf_us_t t_us = v->now.vehicle_us;
    const struct mf_estimate kept = v->estimate; /* what the next task finds is as it was */
    memset(s, 0, sizeof *s);
    s->vehicle_us = t_us;
    s->now = v->now;
    s->mode = (enum mf_mode)v->commander.mode;
    s->landed = (enum mf_landed)v->commander.landed;
    s->armed = v->commander.armed;
    s->failsafe = v->commander.failsafe;
    take_motion(v, t_us, s);
    s->has_battery = mf_power_read(&v->hal, t_us, &s->battery) == MF_E_OK;
    s->charge = s->has_battery ? mf_health_charge(v, &s->battery) : 0;
    s->home = v->home;
    s->health = mf_health_at(v, t_us);
    s->denial = mf_health_denial(v, t_us);
    s->mission_state = mf_mission_state(v);
    s->mission_count = v->mission.count;
    s->mission_current = v->mission.current;
    s->mission_reached = v->mission.reached;
    v->estimate = kept;
}
