/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes of the sticks. POSCTL: velocity, and what stands still holds its place. ALTCTL: tilt,
 * and vertical velocity. MANUAL, STABILIZED and ACRO: tilt and thrust. A tilt is flown as the
 * velocity that it leads to (signals.h).
 */
#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/signals.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Velocities that turn with the heading are worked out anew after [us]. */
#define STEER_US (50 * MF_MS_US)

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

static double stick(const struct mf_vehicle *v, float x, enum mf_param expo)
{
    return curve((double)x, (double)mf_param_f(&v->params, MF_PARAM_MPC_HOLD_DZ),
                 (double)mf_param_f(&v->params, expo));
}

static float climb(const struct mf_vehicle *v)
{
    const double up = stick(v, v->signals.sticks.throttle, MF_PARAM_MPC_Z_MAN_EXPO);
    const float most_mps =
        mf_param_f(&v->params, up > 0.0 ? MF_PARAM_MPC_Z_VEL_MAX_UP : MF_PARAM_MPC_Z_VEL_MAX_DN);
    return (float)(0.0 - up * (double)most_mps);
}

/* Horizontal velocity by stick, in a circle: both sticks at their ends are not faster than one. */
static void by_velocity(struct mf_vehicle *v, double yaw_rad, struct mf_aim *aim)
{
    MF_ASSERT(v->signals.manual.live);
    const double most_mps = (double)mf_param_f(&v->params, MF_PARAM_MPC_VEL_MANUAL);
    const double ahead = stick(v, v->signals.sticks.pitch, MF_PARAM_MPC_XY_MAN_EXPO);
    const double right = stick(v, v->signals.sticks.roll, MF_PARAM_MPC_XY_MAN_EXPO);
    const double size = mf_length2(ahead, right);
    /* A square gate of sticks becomes a circle of speeds. */
    const double scale = size > 1.0 ? most_mps / size : most_mps;
    const double c = mf_cos(yaw_rad);
    const double s = mf_sin(yaw_rad);
    aim->vel_ned_mps[0] = (float)(scale * (ahead * c - right * s));
    aim->vel_ned_mps[1] = (float)(scale * (ahead * s + right * c));
    aim->vel_ned_mps[2] = climb(v);
}

/* Thrust by throttle: none at the bottom, hovering in the middle, all at the top. */
static double throttle_thrust(const struct mf_vehicle *v)
{
    const double hover = (double)mf_param_f(&v->params, MF_PARAM_MPC_THR_HOVER);
    const double up = curve((double)v->signals.sticks.throttle,
                            (double)mf_param_f(&v->params, MF_PARAM_MPC_HOLD_DZ), 0.0);
    return up > 0.0 ? hover + up * (1.0 - hover) : hover + up * hover;
}

static void by_tilt(struct mf_vehicle *v, double yaw_rad, struct mf_aim *aim)
{
    MF_ASSERT(v->signals.manual.live && v->navigator.mode != MF_MODE_POSCTL);
    const double most_rad = mf_rad((double)mf_param_f(&v->params, MF_PARAM_MPC_MAN_TILT_MAX));
    const double dead = (double)mf_param_f(&v->params, MF_PARAM_MPC_HOLD_DZ);
    const double roll_rad = most_rad * curve((double)v->signals.sticks.roll, dead, 0.0);
    const double pitch_rad = -most_rad * curve((double)v->signals.sticks.pitch, dead, 0.0);
    /* By tilt alone the vehicle sinks: in ALTCTL the thrust grows so that its vertical part carries the weight. */
    const bool holds_altitude = v->navigator.mode == MF_MODE_ALTCTL;
    const double hover = (double)mf_param_f(&v->params, MF_PARAM_MPC_THR_HOVER);
    const double level = mf_cos(roll_rad) * mf_cos(pitch_rad);
    const double thrust = holds_altitude ? hover / level : throttle_thrust(v);
    double up_ned[3];
    mf_thrust_axis(roll_rad, pitch_rad, yaw_rad, up_ned);
    mf_velocity_of_thrust(&v->params, up_ned, (float)thrust, aim->vel_ned_mps);
    aim->roll_rad = (float)roll_rad;
    aim->pitch_rad = (float)pitch_rad;
    if (holds_altitude) {
        aim->vel_ned_mps[2] = climb(v);
    }
}

/* Where the sticks point now; without sticks, or in their centre, it stands still. */
void mf_nav_manual_start(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode < MF_MODE_COUNT);
    const double yaw_rad = (double)mf_estimate_at(v, t_us)->pose.yaw_rad;
    struct mf_aim aim = mf_aim_none();
    if (!v->signals.manual.live) {
        mf_nav_stay(v, t_us);
        return;
    }
    if (v->navigator.mode == MF_MODE_POSCTL) {
        by_velocity(v, yaw_rad, &aim);
    } else {
        by_tilt(v, yaw_rad, &aim);
    }
    const double turn = stick(v, v->signals.sticks.yaw, MF_PARAM_MPC_YAW_EXPO);
    aim.spin_rps = (float)(turn * mf_rad((double)mf_param_f(&v->params, MF_PARAM_MPC_MAN_Y_MAX)));
    mf_nav_steer(v, t_us, &aim);
    /* Sticks are of the body, a leg of velocity is of the Earth: while the body turns, they part. */
    if (turn != 0.0 && (aim.vel_ned_mps[0] != 0.0f || aim.vel_ned_mps[1] != 0.0f)) {
        mf_nav_steer_again(v, t_us + STEER_US);
    }
}
