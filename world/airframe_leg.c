/* SPDX-License-Identifier: Apache-2.0 */
#include "world/airframe_leg.h"

static bool speed_is_good(float speed)
{
    return speed > 0.0f && mf_within((double)speed, 1e9);
}

/* An angle is good where mf_wrap_pi takes it. */
static bool turn_is_good(const struct mf_leg *leg)
{
    const bool keep = leg->yaw_rad != leg->yaw_rad;
    return keep || (mf_within((double)leg->yaw_rad, 1e6) && speed_is_good(leg->yaw_rate_rps));
}

bool mf_leg_is_good(const struct mf_leg *leg)
{
    const bool place = mf_within(leg->lat_deg, 90.0) && mf_within(leg->lon_deg, 180.0);
    const bool height = leg->land || mf_within(leg->alt_amsl_m, 1e9);
    const bool speed = speed_is_good(leg->speed_h_mps) && speed_is_good(leg->speed_up_mps) &&
                       speed_is_good(leg->speed_down_mps);
    return place && height && speed && turn_is_good(leg) && leg->radius_m >= 0.0f &&
           mf_within((double)leg->radius_m, 1e9);
}
