/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ORBIT: first to the nearest point of the circle, then around it in chords, each of which ends on
 * the circle: at 10 m/s on a circle of 50 m the vehicle is never more than 3 mm inside.
 */
#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define STEP_US          (100 * MF_MS_US)
#define STEP_S           0.1
#define RADIUS_MIN_M     1.0f
#define RADIUS_DEFAULT_M 10.0f
#define SPEED_DEFAULT    1.0f
#define SPEED_MAX_MPS    10.0f
#define ACC_MAX_MPS2     2.0  /* towards the centre: PX4's */
#define ON_CIRCLE_M      0.05 /* nearer than this a chord leads back to it */
#define NEAR_CIRCLE_M    1.0  /* nearer than this it needs no flight to it */
#define TURN_RAD         0.2  /* a heading farther off is turned to, a nearer one followed */
#define PULL_PER_S       1.0

static float limited(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

struct mf_orbit mf_orbit_of(const struct mf_params *p, float radius_m, float speed_mps,
                            float yaw_mode)
{
    const bool has_radius = mf_finite((double)radius_m) && radius_m != 0.0f;
    const float signed_m = has_radius ? radius_m : RADIUS_DEFAULT_M;
    const float size_m = limited(signed_m < 0.0f ? -signed_m : signed_m, RADIUS_MIN_M,
                                 mf_param_f(p, MF_PARAM_MC_ORBIT_RAD_MAX));
    const float speed = mf_finite((double)speed_mps) ? speed_mps : SPEED_DEFAULT;
    /* v^2 / r within PX4's limit: a smaller circle is flown more slowly. */
    const float most_mps = (float)mf_sqrt(ACC_MAX_MPS2 * (double)size_m);
    MF_ASSERT(size_m > 0.0f && most_mps > 0.0f);
    const bool has_yaw = yaw_mode >= 0.0f && yaw_mode < (float)ORBIT_YAW_BEHAVIOUR_UNCHANGED;
    return (struct mf_orbit){
        .radius_m = signed_m < 0.0f ? -size_m : size_m,
        .speed_mps = limited(speed < 0.0f ? -speed : speed, MF_SPEED_MIN_MPS,
                             most_mps < SPEED_MAX_MPS ? most_mps : SPEED_MAX_MPS),
        .yaw_mode =
            (uint8_t)(has_yaw ? (int32_t)yaw_mode : mf_param_i(p, MF_PARAM_MC_ORBIT_YAW_MOD)),
    };
}

void mf_navigator_set_orbit(struct mf_navigator *n, const struct mf_orbit *orbit)
{
    MF_ASSERT(orbit->given && orbit->radius_m != 0.0f && orbit->speed_mps > 0.0f);
    n->orbit = *orbit;
}

/* Find the vehicle's place relative to the centre. */
static struct mf_geo_line from_centre(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_orbit *o = &v->navigator.orbit;
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    return mf_geo_inverse((struct mf_geo){o->lat_deg, o->lon_deg},
                          (struct mf_geo){pose->lat_deg, pose->lon_deg});
}

static double size_m(const struct mf_orbit *o)
{
    return mf_abs((double)o->radius_m);
}

/* Signed like the radius: clockwise, seen from above. [rad/s] */
static double rate_rps(const struct mf_orbit *o)
{
    return (double)o->speed_mps / (double)o->radius_m;
}

static struct mf_geo on_circle(const struct mf_orbit *o, double bearing_rad)
{
    return mf_geo_direct((struct mf_geo){o->lat_deg, o->lon_deg}, bearing_rad, size_m(o));
}

/* Heading by behaviour. @param outward_rad  away from the centre @return NAN: any */
static double heading(const struct mf_orbit *o, double outward_rad)
{
    /* the tangent needs a circle of some size */
    MF_ASSERT(o->radius_m != 0.0f);
    switch (o->yaw_mode) {
    case ORBIT_YAW_BEHAVIOUR_HOLD_FRONT_TO_CIRCLE_CENTER:
        return mf_wrap_pi(outward_rad + MF_PI);
    case ORBIT_YAW_BEHAVIOUR_HOLD_INITIAL_HEADING:
        return (double)o->yaw_rad;
    case ORBIT_YAW_BEHAVIOUR_HOLD_FRONT_TANGENT_TO_CIRCLE:
        return mf_wrap_pi(outward_rad + (o->radius_m < 0.0f ? -0.5 : 0.5) * MF_PI);
    default:
        return (double)__builtin_nanf("");
    }
}

static void set_heading(struct mf_vehicle *v, mf_us_t t_us, double outward_rad, struct mf_aim *aim)
{
    MF_ASSERT(mf_finite(outward_rad));
    const struct mf_orbit *o = &v->navigator.orbit;
    const double wanted_rad = heading(o, outward_rad);
    const double off_rad = mf_wrap_pi(wanted_rad - (double)mf_estimate_at(v, t_us)->pose.yaw_rad);
    /* A heading that is near is followed by a rate that closes what is left: it turns with the
     * circle, and a sequence of targets would stop at each of them. */
    const bool turns = o->yaw_mode != ORBIT_YAW_BEHAVIOUR_HOLD_INITIAL_HEADING;
    if (!mf_finite(wanted_rad)) {
        return;
    }
    if (!turns || mf_abs(off_rad) > TURN_RAD) {
        aim->yaw_rad = (float)wanted_rad;
    } else {
        aim->spin_rps = (float)(rate_rps(o) + PULL_PER_S * off_rad);
    }
}

static void set_climb(struct mf_vehicle *v, mf_us_t t_us, struct mf_aim *aim)
{
    const double above_m = mf_estimate_at(v, t_us)->pose.alt_amsl_m - v->navigator.orbit.alt_amsl_m;
    aim->vel_ned_mps[2] = (float)(mf_abs(above_m) < 1e-3 ? 0.0 : PULL_PER_S * above_m);
}

/* Along a chord from point to point of the circle; off the circle, towards it as well. */
void mf_nav_orbit_steer(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_orbit *o = &v->navigator.orbit;
    MF_ASSERT(o->radius_m != 0.0f && o->speed_mps > 0.0f);
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const struct mf_geo_line out = from_centre(v, t_us);
    const double inside_m = size_m(o) - out.distance_m;
    const struct mf_geo next = on_circle(o, out.azimuth_from_rad + rate_rps(o) * STEP_S);
    const struct mf_geo_line chord =
        mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg}, next);
    const double along_rad = out.azimuth_to_rad + (o->radius_m < 0.0f ? -0.5 : 0.5) * MF_PI;
    const double speed = (double)o->speed_mps;
    const double pull = PULL_PER_S * inside_m;
    const double radial = pull > speed ? speed : pull < -speed ? -speed : pull;
    struct mf_aim aim = mf_aim_none();
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
        return;
    }
    /* Near the circle, a chord ends on it, so that errors do not add up. Elsewhere, the velocity is
     * the tangent's plus one towards the circle. */
    if (mf_abs(inside_m) < ON_CIRCLE_M) {
        aim.vel_ned_mps[0] = (float)(chord.distance_m / STEP_S * mf_cos(chord.azimuth_from_rad));
        aim.vel_ned_mps[1] = (float)(chord.distance_m / STEP_S * mf_sin(chord.azimuth_from_rad));
    } else {
        aim.vel_ned_mps[0] =
            (float)(speed * mf_cos(along_rad) + radial * mf_cos(out.azimuth_to_rad));
        aim.vel_ned_mps[1] =
            (float)(speed * mf_sin(along_rad) + radial * mf_sin(out.azimuth_to_rad));
    }
    set_climb(v, t_us, &aim);
    set_heading(v, t_us, out.azimuth_to_rad, &aim);
    mf_nav_steer(v, t_us, &aim);
    mf_nav_steer_again(v, t_us + STEP_US);
}

/* Complete an orbit whose command leaves values open, from the vehicle's present state. */
static void complete(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_orbit *o = &v->navigator.orbit;
    const float none = __builtin_nanf("");
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    if (!o->given) {
        *o = mf_orbit_of(&v->params, none, none, none);
        o->lat_deg = o->lon_deg = o->alt_amsl_m = (double)none;
    }
    if (!mf_finite(o->lat_deg) || !mf_finite(o->lon_deg)) {
        o->lat_deg = pose->lat_deg;
        o->lon_deg = pose->lon_deg;
    }
    if (!mf_finite(o->alt_amsl_m)) {
        o->alt_amsl_m = pose->alt_amsl_m;
    }
    o->yaw_rad = pose->yaw_rad;
    o->given = false;
    MF_ASSERT(mf_finite(o->lat_deg) && mf_finite(o->lon_deg) && mf_finite(o->alt_amsl_m));
}

void mf_nav_orbit_start(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode == MF_MODE_ORBIT);
    const struct mf_orbit *o = &v->navigator.orbit;
    complete(v, t_us);
    const struct mf_geo_line out = from_centre(v, t_us);
    const double climb_m = o->alt_amsl_m - mf_estimate_at(v, t_us)->pose.alt_amsl_m;
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
        return;
    }
    if (mf_abs(out.distance_m - size_m(o)) < NEAR_CIRCLE_M && mf_abs(climb_m) < NEAR_CIRCLE_M) {
        mf_nav_orbit_steer(v, t_us);
        return;
    }
    /* The heading is that of the arrival: the nearest point keeps its bearing from the centre. */
    const struct mf_geo nearest = on_circle(o, out.azimuth_from_rad);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    leg.lat_deg = nearest.lat_deg;
    leg.lon_deg = nearest.lon_deg;
    leg.alt_amsl_m = o->alt_amsl_m;
    leg.yaw_rad = (float)heading(o, out.azimuth_from_rad);
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}
