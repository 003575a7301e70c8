/* SPDX-License-Identifier: Apache-2.0 */
/* OFFBOARD: the last setpoint, as long as setpoints come; without them it stays where it is. */
#include "firmware/nav.h"
#include "firmware/vehicle.h"

void mf_nav_offboard_start(struct mf_vehicle *v, mf_us_t t_us)
{
    if (v->signals.setpoint.live) {
        mf_nav_steer(v, t_us, &v->signals.aim);
    } else {
        mf_nav_stay(v, t_us);
    }
}
