/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/estimate.h"

#include "firmware/vehicle.h"

#include <string.h>

static void shift(struct mf_pose *pose, const float err_ned_m[3])
{
    if (err_ned_m[0] == 0.0f && err_ned_m[1] == 0.0f && err_ned_m[2] == 0.0f) {
        return;
    }
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const struct mf_geo there = mf_geo_from_local(here, (double)err_ned_m[0], (double)err_ned_m[1]);
    pose->lat_deg = there.lat_deg;
    pose->lon_deg = there.lon_deg;
    pose->alt_amsl_m -= (double)err_ned_m[2];
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
        shift(&e->pose, e->fix.err_ned_m);
    }
    return e;
}

void mf_estimate_forget(struct mf_vehicle *v)
{
    v->estimate.t_us = -1;
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
