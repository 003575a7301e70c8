/* SPDX-License-Identifier: Apache-2.0 */
/* Control inputs: their state, the needs that they meet, and velocities from acceleration and
 * tilt. */
#include "firmware/flight/control_inputs.h"

#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "math/trig.h"

#define DRAG_S 1.0 /* speed per acceleration at which drag balances it, in SIH */
/* The wall's time-out is over, that of vehicle time is not: look again after [us]. */
#define RETRY_US (50 * MF_MS_US)

/* ---- liveness ---- */

void mf_inputs_init(struct mf_inputs *s)
{
    s->aim = mf_aim_none();
    /* A time long ago: the first bad setpoint is answered, and the first valid one does not count
     * as a change. */
    s->complained_us = -MF_SECOND_US;
    s->changed_us = -MF_CHASE_US;
}

bool mf_inputs_have_channels(const struct mf_inputs *s, const struct mf_now *now,
                             mf_us_t timeout_us)
{
    const struct mf_channels *c = &s->channels;
    MF_ASSERT(c->count <= MF_CHANNELS_MAX);
    /* PX4 shows RC_CHANNELS of a transmitter that is there, also where COM_RC_IN_MODE ignores its
     * sticks. */
    return c->count > 0 &&
           mf_silence_next(now, &c->heard, timeout_us, RETRY_US, now->transport_us) != MF_NEVER;
}

void mf_inputs_armed(struct mf_inputs *s)
{
    /* PX4 acts on lost sticks only if they were present at arming, so that a flight without sticks
     * does not lose any. */
    s->had_manual = s->manual.live;
}

unsigned mf_inputs_have(const struct mf_inputs *s)
{
    return (s->manual.live ? (unsigned)MF_NEED_MANUAL : 0u) |
           (s->setpoint.live ? (unsigned)MF_NEED_SETPOINT : 0u);
}

unsigned mf_inputs_needs(const struct mf_inputs *s, enum mf_mode mode)
{
    /* PX4's OFFBOARD needs what its setpoints need; an attitude is flown without a position. */
    const bool by_position = mode == MF_MODE_OFFBOARD && !s->attitude.flown;
    return mf_mode_info(mode)->needs | (by_position ? MF_NEED_POSITION : 0u);
}

/* ---- from acceleration and tilt to velocity ---- */

void mf_velocity_of_acceleration(const struct mf_params *p, const double acc_ned_mps2[3],
                                 float vel_ned_mps[3])
{
    const double most_mps = (double)mf_param_f(p, MF_PARAM_MPC_XY_VEL_MAX);
    const double up_mps = (double)mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_UP);
    const double down_mps = (double)mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_DN);
    MF_ASSERT(most_mps >= 0.0 && up_mps >= 0.0 && down_mps >= 0.0);
    const double north = acc_ned_mps2[0] * DRAG_S;
    const double east = acc_ned_mps2[1] * DRAG_S;
    const double down = acc_ned_mps2[2] * DRAG_S;
    const double speed = mf_length2(north, east);
    /* The direction is kept where the speed is cut. */
    const double part = speed > most_mps ? most_mps / speed : 1.0;
    vel_ned_mps[0] = (float)(north * part);
    vel_ned_mps[1] = (float)(east * part);
    vel_ned_mps[2] = (float)(down > down_mps ? down_mps : down < -up_mps ? -up_mps : down);
}

void mf_velocity_of_thrust(const struct mf_params *p, const double up_ned[3], float thrust,
                           float vel_ned_mps[3])
{
    const double hover = (double)mf_param_f(p, MF_PARAM_MPC_THR_HOVER);
    MF_ASSERT(hover > 0.0);
    /* Thrust is proportional to MPC_THR_HOVER, at which it carries the weight. */
    const double lift_mps2 = MF_GRAVITY_MPS2 * (double)thrust / hover;
    const double acc[3] = {lift_mps2 * up_ned[0], lift_mps2 * up_ned[1],
                           lift_mps2 * up_ned[2] + MF_GRAVITY_MPS2};
    mf_velocity_of_acceleration(p, acc, vel_ned_mps);
}

void mf_thrust_axis(double roll_rad, double pitch_rad, double yaw_rad, double up_ned[3])
{
    /* Third column of the rotation from body to NED, negated: where the propellers push to. */
    const double ahead = -mf_cos(roll_rad) * mf_sin(pitch_rad);
    const double right = mf_sin(roll_rad);
    const double c = mf_cos(yaw_rad);
    const double s = mf_sin(yaw_rad);
    up_ned[0] = ahead * c - right * s;
    up_ned[1] = ahead * s + right * c;
    up_ned[2] = -mf_cos(roll_rad) * mf_cos(pitch_rad);
}
