/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the parameters for bodies with velocity, acceleration and jerk, for nav_phase.c and
 * nav_look.c. */
#include "firmware/core/param.h"
#include "firmware/flight/nav.h"
#include "math/trig.h"

/* PX4 limits its setpoint of the heading, and the vehicle behind it turns more quickly at first:
 * [rad/s^2] of the vehicle per [deg/s^2] of the setpoint: 0.45 where PX4 has 20, as recorded. */
#define YAW_ACC_GAIN 0.0225
/* Limits of bodies; the ranges of parameters are wider. */
#define RAMP_MIN_S   0.001f
#define TILT_MAX_DEG 85.0f

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

struct mf_physics_limits mf_nav_limits(const struct mf_params *p)
{
    const float ramp_s = mf_param_f(p, MF_PARAM_MPC_TKO_RAMP_T);
    const float tilt_deg = smaller(mf_param_f(p, MF_PARAM_MPC_TILTMAX_AIR), TILT_MAX_DEG);
    const float alt1_m = mf_param_f(p, MF_PARAM_MPC_LAND_ALT1);
    /* PX4 slows down in three steps, highest first; parameters out of order are pulled down to the
     * one above. */
    const float alt2_m = smaller(mf_param_f(p, MF_PARAM_MPC_LAND_ALT2), alt1_m);
    const struct mf_physics_limits limits = {
        .vel_h_mps = mf_param_f(p, MF_PARAM_MPC_XY_VEL_MAX),
        .vel_up_mps = mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_UP),
        .vel_down_mps = mf_param_f(p, MF_PARAM_MPC_Z_VEL_MAX_DN),
        .acc_h_mps2 = mf_param_f(p, MF_PARAM_MPC_ACC_HOR),
        .acc_up_mps2 = mf_param_f(p, MF_PARAM_MPC_ACC_UP_MAX),
        .acc_down_mps2 = mf_param_f(p, MF_PARAM_MPC_ACC_DOWN_MAX),
        .jerk_mps3 = mf_param_f(p, MF_PARAM_MPC_JERK_AUTO),
        .takeoff_mps = mf_param_f(p, MF_PARAM_MPC_TKO_SPEED),
        .takeoff_wait_s = mf_param_f(p, MF_PARAM_COM_SPOOLUP_TIME),
        .takeoff_ramp_s = ramp_s > RAMP_MIN_S ? ramp_s : RAMP_MIN_S,
        .land_mps = mf_param_f(p, MF_PARAM_MPC_LAND_SPEED),
        .land_crawl_mps = mf_param_f(p, MF_PARAM_MPC_LAND_CRWL),
        .land_alt1_m = alt1_m,
        .land_alt2_m = alt2_m,
        .land_alt3_m = smaller(mf_param_f(p, MF_PARAM_MPC_LAND_ALT3), alt2_m),
        .alt_radius_m = mf_param_f(p, MF_PARAM_NAV_MC_ALT_RAD),
        .yaw_acc_rps2 = (float)((double)mf_param_f(p, MF_PARAM_MPC_YAWRAUTO_ACC) * YAW_ACC_GAIN),
        .tilt_max_rad = (float)mf_rad((double)tilt_deg),
    };
    /* a body divides by these */
    MF_ASSERT(limits.vel_h_mps > 0.0f && limits.acc_h_mps2 > 0.0f && limits.jerk_mps3 > 0.0f);
    MF_ASSERT(limits.acc_up_mps2 > 0.0f && limits.acc_down_mps2 > 0.0f);
    return limits;
}
