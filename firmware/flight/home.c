/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three states: never known, known, and known but hidden by a fault. What is hidden still moves (a
 * user, a take-off), so that it is right when it is shown again.
 */
#include "firmware/flight/home.h"

#include "math/trig.h"

void mf_home_put(struct mf_home *home, const struct mf_home *there, bool hidden, mf_us_t now_us)
{
    MF_ASSERT(mf_finite(there->lat_deg) && mf_finite(there->lon_deg));
    MF_ASSERT(mf_finite(there->alt_amsl_m) && mf_finite((double)there->yaw_rad));
    *home = *there;
    home->valid = !hidden;
    home->hidden = hidden;
    home->set_us = now_us;
}

void mf_home_hide(struct mf_home *home, bool hide)
{
    const bool known = home->valid || home->hidden;
    MF_ASSERT(!(home->valid && home->hidden));
    home->valid = known && !hide;
    home->hidden = known && hide;
}

void mf_home_take_off_at(struct mf_home *home, double alt_amsl_m)
{
    MF_ASSERT(mf_finite(alt_amsl_m));
    home->takeoff_amsl_m = alt_amsl_m;
}
