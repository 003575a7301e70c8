/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/estimate.h"

#include "firmware/core/tasks.h"
#include "firmware/core/units.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

#include <string.h>

/* Moves a place by the receiver's error, once (sign 1) or back (sign -1). */
static void shift(double *lat_deg, double *lon_deg, double *alt_amsl_m, const struct mf_fix *fix,
                  double sign)
{
    MF_ASSERT(sign == 1.0 || sign == -1.0);
    const double north_m = sign * (double)fix->err_ned_m[0];
    const double east_m = sign * (double)fix->err_ned_m[1];
    if (north_m != 0.0 || east_m != 0.0) {
        const struct mf_geo there =
            mf_geo_from_local((struct mf_geo){*lat_deg, *lon_deg}, north_m, east_m);
        *lat_deg = there.lat_deg;
        *lon_deg = there.lon_deg;
    }
    *alt_amsl_m -= sign * (double)fix->err_ned_m[2];
}

/* As the receiver has it, whatever is wrong with it; without a fix by the model of the geoid. What
 * neither tells stays as it was. */
static void find_undulation(const struct mf_vehicle *v, struct mf_estimate *e)
{
    const int err =
        mf_earth_undulation(&v->hal, e->pose.lat_deg, e->pose.lon_deg, &e->undulation_m);
    e->charted = err == MF_E_OK || err == MF_E_NOSUPP;
    if (e->fix.type >= MF_FIX_3D) {
        e->undulation_m = ((double)e->fix.alt_ellipsoid_mm - (double)e->fix.alt_amsl_mm) * 1e-3;
    }
}

int32_t mf_estimate_ellipsoid_mm(const struct mf_estimate *e, double alt_amsl_m)
{
    return mf_mm(alt_amsl_m + e->undulation_m);
}

const struct mf_estimate *mf_estimate_at(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_estimate *e = &v->estimate;
    MF_ASSERT(t_us >= 0);
    if (e->t_us == t_us) {
        return e;
    }
    e->t_us = t_us;
    const bool body = mf_airframe_sample(&v->hal, t_us, &e->pose) == MF_E_OK;
    if (mf_gnss_read(&v->hal, t_us, &e->fix) != MF_E_OK) {
        memset(&e->fix, 0, sizeof e->fix);
    }
    e->position = body && e->fix.type >= MF_FIX_3D;
    if (e->position) {
        shift(&e->pose.lat_deg, &e->pose.lon_deg, &e->pose.alt_amsl_m, &e->fix, 1.0);
    }
    if (body) {
        find_undulation(v, e);
    }
    return e;
}

void mf_estimate_ahead(const struct mf_vehicle *v, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_estimate *e = &v->estimate;
    *pose = e->pose;
    if (mf_airframe_sample(&v->hal, t_us, pose) == MF_E_OK && e->position) {
        shift(&pose->lat_deg, &pose->lon_deg, &pose->alt_amsl_m, &e->fix, 1.0);
    }
}

bool mf_estimate_drifts(const struct mf_estimate *e)
{
    return e->fix.err_ned_m[0] != 0.0f || e->fix.err_ned_m[1] != 0.0f ||
           e->fix.err_ned_m[2] != 0.0f;
}

void mf_estimate_forget(struct mf_vehicle *v)
{
    v->estimate.t_us = -1;
    mf_wake_at(v, MF_TASK_HEALTH, v->instant_us);
}

void mf_estimate_aim(const struct mf_estimate *e, struct mf_leg *leg)
{
    if (e->position) {
        shift(&leg->lat_deg, &leg->lon_deg, &leg->alt_amsl_m, &e->fix, -1.0);
    }
}

void mf_estimate_believe(const struct mf_estimate *e, struct mf_leg *leg)
{
    if (e->position) {
        shift(&leg->lat_deg, &leg->lon_deg, &leg->alt_amsl_m, &e->fix, 1.0);
    }
}

void mf_estimate_local(const struct mf_vehicle *v, const struct mf_pose *pose, float ned_m[3])
{
    double north_east_m[2] = {0.0, 0.0};
    double down_m = 0.0;
    if (v->origin_valid) {
        mf_geo_to_local(v->origin, (struct mf_geo){pose->lat_deg, pose->lon_deg}, north_east_m);
        down_m = v->origin_amsl_m - pose->alt_amsl_m;
    }
    ned_m[0] = (float)north_east_m[0];
    ned_m[1] = (float)north_east_m[1];
    ned_m[2] = (float)down_m;
}
