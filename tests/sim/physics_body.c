/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/sim/physics_body.h"

#include "world/airframe_physics.h"

static struct mf_airframe_physics s_body;

const struct mf_airframe_ops *const physics_body_ops = &mf_airframe_physics_ops;

void *physics_body_new(double lat_deg, double lon_deg, double alt_m)
{
    mf_airframe_physics_init(&s_body, lat_deg, lon_deg, alt_m, 0.0f, &mf_physics_limits_px4);
    return &s_body;
}
