/* SPDX-License-Identifier: Apache-2.0 */
/* OFFBOARD: the last setpoint, as long as setpoints come; without them it stays where it is. */
#include "firmware/flight/nav.h"
#include "firmware/state/vehicle.h"

void mf_nav_offboard_start(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_inputs *s = &v->inputs;
    struct mf_aim aim = s->aim;
    MF_ASSERT(v->navigator.mode == MF_MODE_OFFBOARD);
    const mf_us_t settled_us = s->changed_us + MF_CHASE_US;
    if (!s->setpoint.live) {
        mf_nav_stay(v, t_us);
        return;
    }
    /* A setpoint that no longer changes is flown to as a leg, which ends exactly at its place. */
    aim.chase = aim.chase && t_us < settled_us;
    mf_nav_steer(v, t_us, &aim);
    if (aim.chase) {
        mf_nav_steer_again(v, settled_us);
    }
}
