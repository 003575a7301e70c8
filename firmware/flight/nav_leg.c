/* SPDX-License-Identifier: Apache-2.0 */
/* Present values of legs, and motions of the body on them, for the nav_*.c files. */
#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Interval of polls of an airframe that does not know its future [us]. */
#define POLL_US (50 * MF_MS_US)
/* A body counts as at rest below this speed [m/s]. */
#define REST_MPS 0.1
/* A turn towards a target nearer than this would only be a twitch [m]. */
#define TURN_MIN_M 1.0

static const float k_nan = __builtin_nanf("");

/* Horizontal speed: that of the target, of DO_CHANGE_SPEED, or of the parameters. */
static float cruise_mps(const struct mf_vehicle *v)
{
    const struct mf_navigator *n = &v->navigator;
    /* A reposition's own speed counts for its flight only; DO_CHANGE_SPEED until the mode ends. */
    const float asked_mps = n->target.speed_mps > 0.0f ? n->target.speed_mps : n->speed_mps;
    if (!(asked_mps > 0.0f)) {
        return mf_param_f(&v->params, MF_PARAM_MPC_XY_CRUISE);
    }
    return asked_mps < MF_SPEED_MIN_MPS ? MF_SPEED_MIN_MPS : asked_mps;
}

struct mf_leg mf_nav_leg(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(t_us >= 0);
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    return (struct mf_leg){
        .lat_deg = pose->lat_deg,
        .lon_deg = pose->lon_deg,
        .alt_amsl_m = pose->alt_amsl_m,
        .speed_h_mps = cruise_mps(v),
        .speed_up_mps = mf_param_f(&v->params, MF_PARAM_MPC_Z_V_AUTO_UP),
        .speed_down_mps = mf_param_f(&v->params, MF_PARAM_MPC_Z_V_AUTO_DN),
        .yaw_rad = k_nan,
        .yaw_rate_rps = (float)mf_rad((double)mf_param_f(&v->params, MF_PARAM_MPC_YAWRAUTO_MAX)),
    };
}

struct mf_leg mf_nav_leg_aimed(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    struct mf_leg leg = mf_nav_leg(v, t_us);
    /* A landing does not end at a height, and a velocity not at a place. */
    if (n->planned && !n->leg.land && !n->leg.velocity) {
        leg.lat_deg = n->leg.lat_deg;
        leg.lon_deg = n->leg.lon_deg;
        leg.alt_amsl_m = n->leg.alt_amsl_m;
        leg.yaw_rad = n->leg.yaw_rad;
    }
    return leg;
}

float mf_nav_course(struct mf_vehicle *v, mf_us_t t_us, double lat_deg, double lon_deg)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    MF_ASSERT(mf_finite(lat_deg) && mf_finite(lon_deg));
    if (mf_param_i(&v->params, MF_PARAM_MPC_YAW_MODE) != 0) { /* 0: along the way; others: kept */
        return k_nan;
    }
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){lat_deg, lon_deg});
    return line.distance_m > TURN_MIN_M ? (float)line.azimuth_from_rad : k_nan;
}

bool mf_navigator_flies(const struct mf_vehicle *v)
{
    MF_ASSERT(v->navigator.phase <= MF_NAV_STEER);
    switch ((enum mf_nav_phase)v->navigator.phase) {
    case MF_NAV_CLIMB:
    case MF_NAV_FLY:
    case MF_NAV_DESCEND:
    case MF_NAV_LAND:
        return true;
    case MF_NAV_IDLE:
    case MF_NAV_WAIT:
    case MF_NAV_FALL:
    case MF_NAV_BRAKE:
    case MF_NAV_STEER:
    default:
        return false;
    }
}

bool mf_nav_slow(const struct mf_pose *pose)
{
    double sum = 0.0; /* squares: no root for a comparison */
    for (int i = 0; i < 3; i++) {
        sum += (double)pose->vel_ned_mps[i] * (double)pose->vel_ned_mps[i];
    }
    return sum < REST_MPS * REST_MPS;
}

mf_us_t mf_nav_rest_us(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_us_t at_us = MF_NEVER;
    /* A body that does not know its future is polled; one that never rests (a velocity) counts as
     * resting, since otherwise no phase would end. */
    if (mf_airframe_next(&v->hal, t_us, MF_WHEN_REST, 0.0, &at_us) != MF_E_OK) {
        return mf_nav_slow(&mf_estimate_at(v, t_us)->pose) ? t_us : t_us + POLL_US;
    }
    return at_us == MF_NEVER ? t_us : at_us;
}

mf_us_t mf_nav_on_grid(const struct mf_vehicle *v, mf_us_t now_us)
{
    const mf_us_t grid_us = v->options.start_grid_us;
    MF_ASSERT(grid_us >= 0 && now_us >= 0);
    return grid_us > 0 ? (now_us + grid_us - 1) / grid_us * grid_us : now_us;
}

/* Near its target, which counted as reached, and on its way to rest there? */
bool mf_nav_settles(const struct mf_navigator *n)
{
    return n->phase == MF_NAV_BRAKE && n->planned && n->leg.radius_m > 0.0f;
}

bool mf_nav_looks(const struct mf_vehicle *v, enum mf_nav_phase phase)
{
    const struct mf_navigator *n = &v->navigator;
    /* A heading that a reposition asked for is the later word; steered modes have their own. */
    const bool in_mode = n->mode == MF_MODE_MISSION ||
                         (n->mode == MF_MODE_HOLD && !mf_finite((double)n->target.yaw_rad));
    const bool in_phase = phase != MF_NAV_CLIMB && phase != MF_NAV_LAND && phase != MF_NAV_FALL;
    return n->roi.kind != MF_ROI_NONE && in_mode && in_phase && v->commander.armed &&
           v->commander.landed != MF_LANDED_ON_GROUND;
}
