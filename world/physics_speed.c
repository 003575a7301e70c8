/* SPDX-License-Identifier: Apache-2.0 */
/* Speeds within the limits of a body. Called by world/airframe_physics. */
#include "world/physics_speed.h"

#include "math/geodesic.h"
#include "math/trig.h"

#define TILT      0.98 /* share of the greatest tilt's tangent for drag at full speed */
#define SHORT_S   7.0  /* duration of a leg below which the corner before it is slower */
#define TURN_GAIN 0.5  /* MPC_XY_TRAJ_P: gain of the acceleration, in corners */

double mf_physics_corner_mps(const struct mf_physics_limits *l, const struct mf_leg *leg,
                             const struct mf_leg *next, double azimuth_rad)
{
    const struct mf_geo at = {leg->lat_deg, leg->lon_deg};
    const struct mf_geo_line line =
        mf_geo_inverse(at, (struct mf_geo){next->lat_deg, next->lon_deg});
    const double radius_m = (double)leg->radius_m;
    const double acc = (double)l->acc_h_mps2;
    const double c = mf_cos(line.azimuth_from_rad - azimuth_rad);
    if (next->land || line.distance_m <= radius_m) {
        return 0.0;
    }
    const double tan_half = mf_sqrt((1.0 + c) / mf_larger(1.0 - c, 1e-9));
    const double on_circle = mf_sqrt(TURN_GAIN * acc * radius_m * tan_half);
    const double half_b = 2.0 * acc * acc / (double)l->jerk_mps3;
    const double for_next = mf_sqrt(half_b * half_b + 2.0 * acc * line.distance_m) - half_b;
    const double on_short = line.distance_m / (SHORT_S * mf_smaller(3.0 * (1.0 - c) + 1e-9, 1.0));
    return mf_smaller(mf_smaller(on_circle, for_next), on_short);
}

double mf_physics_top_mps(const struct mf_physics_limits *l, double speed_mps)
{
    const double tilt_mps2 = TILT * MF_GRAVITY_MPS2 * mf_tan((double)l->tilt_max_rad);
    return l->drag_per_s > 0.0f ? mf_smaller(speed_mps, tilt_mps2 / (double)l->drag_per_s)
                                : speed_mps;
}

void mf_physics_limit_velocity(const struct mf_physics_limits *l, const float vel_ned_mps[3],
                               double v_mps[3])
{
    const double north = (double)vel_ned_mps[0];
    const double east = (double)vel_ned_mps[1];
    const double speed = mf_length2(north, east);
    const double most = mf_physics_top_mps(l, (double)l->vel_h_mps);
    const double part = speed > most ? most / speed : 1.0;
    v_mps[0] = part * north;
    v_mps[1] = part * east;
    v_mps[2] = mf_larger(mf_smaller(-(double)vel_ned_mps[2], (double)l->vel_up_mps),
                         -(double)l->vel_down_mps);
}
