/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of sticks to an aim, for nav_manual.c. */
#include "firmware/flight/sticks.h"

#include "firmware/core/param.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/navigator.h"
#include "math/trig.h"

/* A stick with its dead zone, and finer near its centre: PX4's curve. */
static double curve(double x, double dead, double expo)
{
    const double size = mf_abs(x);
    if (size <= dead) {
        return 0.0;
    }
    const double live = (x - (x > 0.0 ? dead : -dead)) / (1.0 - dead);
    return (1.0 - expo) * live + expo * live * live * live;
}

static double stick(const struct mf_params *p, float x, enum mf_param expo)
{
    return curve((double)x, (double)mf_param_f(p, MF_PARAM_MPC_HOLD_DZ),
                 (double)mf_param_f(p, expo));
}

static float climb(const struct mf_params *p, const struct mf_sticks *s)
{
    const double up = stick(p, s->throttle, MF_PARAM_MPC_Z_MAN_EXPO);
    const float most_mps =
        mf_param_f(p, up > 0.0 ? MF_PARAM_MPC_Z_VEL_MAX_UP : MF_PARAM_MPC_Z_VEL_MAX_DN);
    return (float)(0.0 - up * (double)most_mps);
}

/* Horizontal velocity by stick, in a circle: both sticks at their ends are not faster than one. */
static void by_velocity(const struct mf_params *p, const struct mf_sticks *s, double yaw_rad,
                        struct mf_aim *aim)
{
    const double most_mps = (double)mf_param_f(p, MF_PARAM_MPC_VEL_MANUAL);
    const double ahead = stick(p, s->pitch, MF_PARAM_MPC_XY_MAN_EXPO);
    const double right = stick(p, s->roll, MF_PARAM_MPC_XY_MAN_EXPO);
    const double size = mf_length2(ahead, right);
    /* A square gate of sticks becomes a circle of speeds. */
    const double scale = size > 1.0 ? most_mps / size : most_mps;
    const double north = mf_cos(yaw_rad);
    const double east = mf_sin(yaw_rad);
    aim->vel_ned_mps[0] = (float)(scale * (ahead * north - right * east));
    aim->vel_ned_mps[1] = (float)(scale * (ahead * east + right * north));
    aim->vel_ned_mps[2] = climb(p, s);
}

/* Thrust by throttle: none at the bottom, hovering in the middle, all at the top. */
static double throttle_thrust(const struct mf_params *p, const struct mf_sticks *s)
{
    const double hover = (double)mf_param_f(p, MF_PARAM_MPC_THR_HOVER);
    const double up = curve((double)s->throttle, (double)mf_param_f(p, MF_PARAM_MPC_HOLD_DZ), 0.0);
    return up > 0.0 ? hover + up * (1.0 - hover) : hover + up * hover;
}

static void by_tilt(const struct mf_params *p, const struct mf_sticks *s, bool holds_altitude,
                    double yaw_rad, struct mf_aim *aim)
{
    const double most_rad = mf_rad((double)mf_param_f(p, MF_PARAM_MPC_MAN_TILT_MAX));
    const double dead = (double)mf_param_f(p, MF_PARAM_MPC_HOLD_DZ);
    const double roll_rad = most_rad * curve((double)s->roll, dead, 0.0);
    const double pitch_rad = -most_rad * curve((double)s->pitch, dead, 0.0);
    /* A tilted vehicle would sink, so in ALTCTL the thrust grows until its vertical part carries
     * the weight. */
    const double hover = (double)mf_param_f(p, MF_PARAM_MPC_THR_HOVER);
    const double level = mf_cos(roll_rad) * mf_cos(pitch_rad);
    const double thrust = holds_altitude ? hover / level : throttle_thrust(p, s);
    double up_ned[3];
    mf_thrust_axis(roll_rad, pitch_rad, yaw_rad, up_ned);
    mf_velocity_of_thrust(p, up_ned, (float)thrust, aim->vel_ned_mps);
    aim->roll_rad = (float)roll_rad;
    aim->pitch_rad = (float)pitch_rad;
    if (holds_altitude) {
        aim->vel_ned_mps[2] = climb(p, s);
    }
}

struct mf_aim mf_sticks_aim(const struct mf_params *p, const struct mf_sticks *s, enum mf_mode mode,
                            double yaw_rad)
{
    MF_ASSERT(mf_finite(yaw_rad));
    struct mf_aim aim = mf_aim_none();
    if (mode == MF_MODE_POSCTL) {
        by_velocity(p, s, yaw_rad, &aim);
    } else {
        by_tilt(p, s, mode == MF_MODE_ALTCTL, yaw_rad, &aim);
    }
    const double turn = stick(p, s->yaw, MF_PARAM_MPC_YAW_EXPO);
    aim.spin_rps = (float)(turn * mf_rad((double)mf_param_f(p, MF_PARAM_MPC_MAN_Y_MAX)));
    MF_ASSERT(mf_finite((double)aim.vel_ned_mps[0]) && mf_finite((double)aim.vel_ned_mps[1]));
    return aim;
}
