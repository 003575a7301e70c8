/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mode is flown in phases. Each phase gives the airframe one leg and names the condition that
 * ends it; the airframe says when that will be, and the navigator sleeps until then. What a mode
 * does at its start and at the end of each phase stands in one table.
 */
#include "firmware/navigator.h"

#include "firmware/nav.h"
#include "firmware/vehicle.h"
#include "math/trig.h"

/* An airframe that does not know its future is asked at [us], and is at its target within [m]. */
#define POLL_US  (50 * MF_MS_US)
#define NEAR_H_M 0.5
#define NEAR_V_M 0.3
/* ... and at rest below this speed [m/s]. */
#define REST_MPS 0.1
/* A mission that jumps in a circle without moving must neither stop time nor flood the links: it
 * goes on after [us]. */
#define YIELD_US (1000 * MF_MS_US)
/* A turn towards a target nearer than this would only be a twitch [m]. */
#define TURN_MIN_M 1.0

static const float k_nan = __builtin_nanf("");

struct mf_target mf_target_none(void)
{
    const double none = (double)k_nan;
    return (struct mf_target){none, none, none, k_nan, k_nan};
}

/* ---- legs ---- */

/* What was asked for with the target, or for the mode, or is configured. */
static float cruise_mps(const struct mf_vehicle *v)
{
    const struct mf_navigator *n = &v->navigator;
    const float asked_mps = n->target.speed_mps > 0.0f ? n->target.speed_mps : n->speed_mps;
    if (!(asked_mps > 0.0f)) {
        return mf_param_f(v, MF_PARAM_MPC_XY_CRUISE);
    }
    return asked_mps < MF_SPEED_MIN_MPS ? MF_SPEED_MIN_MPS : asked_mps;
}

struct mf_leg mf_nav_leg(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    return (struct mf_leg){
        .lat_deg = pose->lat_deg,
        .lon_deg = pose->lon_deg,
        .alt_amsl_m = pose->alt_amsl_m,
        .speed_h_mps = cruise_mps(v),
        .speed_up_mps = mf_param_f(v, MF_PARAM_MPC_Z_V_AUTO_UP),
        .speed_down_mps = mf_param_f(v, MF_PARAM_MPC_Z_V_AUTO_DN),
        .yaw_rad = k_nan,
        .yaw_rate_rps = (float)mf_rad((double)mf_param_f(v, MF_PARAM_MPC_YAWRAUTO_MAX)),
    };
}

struct mf_leg mf_nav_leg_aimed(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    struct mf_leg leg = mf_nav_leg(v, t_us);
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
    if (mf_param_i(v, MF_PARAM_MPC_YAW_MODE) != 0) {
        return k_nan;
    }
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){lat_deg, lon_deg});
    return line.distance_m > TURN_MIN_M ? (float)line.azimuth_from_rad : k_nan;
}

bool mf_navigator_flies(const struct mf_vehicle *v)
{
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

/* @return whether it stands on the ground and does not leave it now
 * @param at_us  out: when that changes; MF_NEVER: it does not, or a phase ends then */
static bool stands(struct mf_vehicle *v, mf_us_t t_us, mf_us_t *at_us)
{
    const struct mf_navigator *n = &v->navigator;
    *at_us = MF_NEVER;
    const bool on_ground = mf_estimate_at(v, t_us)->pose.on_ground;
    if (n->phase == MF_NAV_WAIT && n->leg.radius_m > 0.0f && !on_ground) { /* on its way to rest */
        (void)mf_airframe_next(&v->hal, t_us, MF_WHEN_TOUCHDOWN, 0.0, at_us);
        *at_us = *at_us > t_us ? *at_us : MF_NEVER;
    }
    if (!mf_navigator_flies(v)) {
        return on_ground;
    }
    if (mf_airframe_next(&v->hal, t_us, MF_WHEN_LIFTOFF, 0.0, at_us) != MF_E_OK) {
        *at_us = on_ground ? t_us + POLL_US : MF_NEVER;
        return on_ground;
    }
    const bool later = *at_us > t_us; /* or never: its target may lie below the ground */
    *at_us = later ? *at_us : MF_NEVER;
    return later;
}

static enum mf_landed landed_by_phase(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_us_t liftoff_us = MF_NEVER;
    if (stands(v, t_us, &liftoff_us)) {
        return MF_LANDED_ON_GROUND;
    }
    switch ((enum mf_nav_phase)v->navigator.phase) {
    case MF_NAV_CLIMB:
        return v->navigator.mode == MF_MODE_RTL ? MF_LANDED_IN_AIR : MF_LANDED_TAKEOFF;
    case MF_NAV_LAND:
        return MF_LANDED_LANDING;
    case MF_NAV_IDLE:
    case MF_NAV_FLY:
    case MF_NAV_DESCEND:
    case MF_NAV_FALL:
    case MF_NAV_BRAKE:
    case MF_NAV_WAIT:
    case MF_NAV_STEER:
    default:
        return MF_LANDED_IN_AIR;
    }
}

static bool slow(const struct mf_pose *pose)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += (double)pose->vel_ned_mps[i] * (double)pose->vel_ned_mps[i];
    }
    return sum < REST_MPS * REST_MPS;
}

mf_us_t mf_nav_rest_us(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_us_t at_us = MF_NEVER;
    if (mf_airframe_next(&v->hal, t_us, MF_WHEN_REST, 0.0, &at_us) != MF_E_OK) {
        return slow(&mf_estimate_at(v, t_us)->pose) ? t_us : t_us + POLL_US;
    }
    return at_us == MF_NEVER ? t_us : at_us;
}

void mf_nav_set_phase(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase)
{
    struct mf_navigator *n = &v->navigator;
    n->phase = (uint8_t)phase;
    n->look_us = t_us;
    if (phase == MF_NAV_IDLE && mf_nav_rest_us(v, t_us) > t_us) {
        n->phase = MF_NAV_BRAKE;
        n->when = MF_WHEN_REST;
    }
    mf_commander_set_landed(v, t_us, landed_by_phase(v, t_us));
}

/* One plan, flown within the limits that hold now. A climb from the ground that is lower than the
 * acceptance radius is over half-way up, as in PX4. */
static int plan(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_physics_limits limits = mf_nav_limits(v);
    if (n > 0 && v->commander.landed == MF_LANDED_ON_GROUND) {
        const double climb_m = legs[0].alt_amsl_m - mf_estimate_at(v, t_us)->pose.alt_amsl_m;
        const bool low = climb_m > 0.0 && climb_m < (double)limits.alt_radius_m;
        limits.alt_radius_m = low ? (float)(0.5 * climb_m) : limits.alt_radius_m;
    }
    (void)mf_airframe_limit(&v->hal, &limits); /* or the body flies by its own */
    const int err = mf_airframe_plan(&v->hal, t_us, legs, n);
    mf_estimate_forget(v);
    v->navigator.spins = v->navigator.spins && err != MF_E_OK;
    return err;
}

/* How near counts as reached: with PX4's motion what PX4 calls near, and the body flies on to the
 * target itself, in the next phase or before it. */
static float acceptance_m(const struct mf_vehicle *v, enum mf_nav_phase phase)
{
    const uint8_t mode = v->navigator.mode;
    const bool reports = mode == MF_MODE_MISSION || mode == MF_MODE_RTL || mode == MF_MODE_TAKEOFF;
    const bool leads = phase == MF_NAV_CLIMB || phase == MF_NAV_FLY || phase == MF_NAV_DESCEND;
    if (!v->options.px4_motion || !reports || !leads) {
        return 0.0f;
    }
    return mode == MF_MODE_MISSION ? mf_nav_mission_radius(v) : mf_param_f(v, MF_PARAM_NAV_ACC_RAD);
}

bool mf_nav_fly(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase,
                const struct mf_leg *leg)
{
    struct mf_navigator *n = &v->navigator;
    const struct mf_estimate *e = mf_estimate_at(v, t_us);
    struct mf_leg legs[2] = {*leg};
    MF_ASSERT(leg->speed_h_mps > 0.0f);
    if (mf_nav_looks(v, phase)) {
        legs[0].yaw_rad = k_nan;
    }
    legs[0].radius_m = acceptance_m(v, phase);
    n->passes = n->mode == MF_MODE_MISSION && phase == MF_NAV_FLY &&
                mf_nav_mission_onward(v, t_us, &legs[0], &legs[1]);
    const size_t count = n->passes ? 2 : 1;
    n->leg = legs[0];
    for (size_t i = 0; i < count; i++) {
        mf_estimate_aim(e, &legs[i]);
    }
    const int err = plan(v, t_us, legs, count);
    if (err != MF_E_OK) {
        struct mf_text text = mf_text("Navigation: target refused: ");
        mf_text_add(&text, mf_err_text(err));
        mf_say(v, MF_CRITICAL, text.s);
        mf_nav_stay(v, t_us);
        mf_commander_post(v, t_us, MF_EV_TARGET_REFUSED);
        return false;
    }
    n->planned = true;
    n->when = (uint8_t)(leg->land || leg->velocity ? MF_WHEN_TOUCHDOWN : MF_WHEN_ARRIVED);
    mf_nav_set_phase(v, t_us, phase);
    return true;
}

/* A leg to where the body will come to rest; one that does not know is said to be there. */
static struct mf_leg leg_to_rest(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    struct mf_pose pose;
    const mf_us_t at_us = mf_nav_rest_us(v, t_us);
    if (at_us > t_us && mf_airframe_sample(&v->hal, at_us, &pose) == MF_E_OK) {
        leg.lat_deg = pose.lat_deg;
        leg.lon_deg = pose.lon_deg;
        leg.alt_amsl_m = pose.alt_amsl_m;
        mf_estimate_believe(mf_estimate_at(v, t_us), &leg);
    }
    return leg;
}

void mf_nav_stay(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    const bool on_ground = v->commander.landed == MF_LANDED_ON_GROUND;
    if (!on_ground || mf_navigator_flies(v)) {
        (void)plan(v, t_us, NULL, 0);
    }
    n->planned = !on_ground;
    if (!on_ground) {
        n->leg = leg_to_rest(v, t_us);
    }
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

void mf_nav_wait(struct mf_vehicle *v, mf_us_t t_us, double seconds)
{
    const double limited = seconds > 0.0 ? (seconds < 1e7 ? seconds : 1e7) : 0.0;
    v->navigator.wait_until_us = t_us + (mf_us_t)(limited * 1e6 + 0.5);
    mf_nav_set_phase(v, t_us, MF_NAV_WAIT);
}

/* ---- TAKEOFF ---- */

static void take_off(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double here_m = leg.alt_amsl_m;
    double to_m = v->navigator.target.alt_amsl_m;
    if (!mf_finite(to_m)) {
        to_m = here_m + (double)mf_param_f(v, MF_PARAM_MIS_TAKEOFF_ALT);
    }
    if (to_m < here_m) {
        mf_say(v, MF_WARNING, "Already higher than takeoff altitude");
    }
    if (to_m > here_m) {
        leg.alt_amsl_m = to_m;
        (void)mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
    } else {
        mf_nav_stay(v, t_us);
        mf_commander_post(v, t_us, MF_EV_TAKEOFF_DONE);
    }
}

static void took_off(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    mf_commander_post(v, t_us, MF_EV_TAKEOFF_DONE);
}

/* ---- HOLD, and every mode in which nothing is flown ---- */

static bool leads_nowhere(const struct mf_target *to)
{
    return !mf_finite(to->lat_deg) && !mf_finite(to->alt_amsl_m) && !mf_finite((double)to->yaw_rad);
}

static void hold(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    const struct mf_target *to = &n->target;
    const bool stands = !mf_navigator_flies(v) && n->phase != MF_NAV_STEER;
    if (n->keep && n->planned && stands) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
        return;
    }
    if (leads_nowhere(to)) {
        mf_nav_stay(v, t_us);
        return;
    }
    const double here_m = mf_estimate_at(v, t_us)->pose.alt_amsl_m;
    struct mf_leg leg = mf_nav_leg_aimed(v, t_us); /* what is not given stays as it is */
    if (mf_finite(to->lat_deg)) {
        leg.lat_deg = to->lat_deg;
        leg.lon_deg = to->lon_deg;
        leg.yaw_rad = mf_nav_course(v, t_us, to->lat_deg, to->lon_deg);
    }
    if (mf_finite(to->alt_amsl_m)) {
        leg.alt_amsl_m = to->alt_amsl_m;
    }
    if (mf_finite((double)to->yaw_rad)) {
        leg.yaw_rad = to->yaw_rad;
    }
    if (v->commander.landed == MF_LANDED_ON_GROUND && !(leg.alt_amsl_m > here_m)) {
        mf_nav_stay(v, t_us); /* it does not slide along the ground */
        return;
    }
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

static void held(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

/* ---- LAND, DESCEND ---- */

void mf_nav_land(struct mf_vehicle *v, mf_us_t t_us)
{
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
        return;
    }
    struct mf_leg leg = mf_nav_leg(v, t_us);
    leg.land = true;
    (void)mf_nav_fly(v, t_us, MF_NAV_LAND, &leg);
}

static void land_here(struct mf_vehicle *v, mf_us_t t_us)
{
    if (v->commander.landed != MF_LANDED_ON_GROUND && !v->navigator.keep) {
        mf_say(v, MF_INFO, "Landing at current position");
    }
    mf_nav_land(v, t_us);
}

static void landed(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

/* ---- what each mode does ---- */

/* At the place: nothing to do until told otherwise. On the ground, or at a circle: look again. */
static void steered(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    if (n->leg.velocity || n->mode == MF_MODE_ORBIT) {
        mf_nav_steer_again(v, t_us);
    }
}

static const struct {
    void (*start)(struct mf_vehicle *v, mf_us_t t_us); /* the mode begins */
    void (*done)(struct mf_vehicle *v, mf_us_t t_us);  /* its present phase is over */
    void (*steer)(struct mf_vehicle *v, mf_us_t t_us); /* where to now? NULL: as begun */
} k_mode[MF_MODE_COUNT] = {
    [MF_MODE_MANUAL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_ALTCTL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_POSCTL] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_ORBIT] = {mf_nav_orbit_start, steered, mf_nav_orbit_steer},
    [MF_MODE_TAKEOFF] = {take_off, took_off, NULL},
    [MF_MODE_HOLD] = {hold, held, NULL},
    [MF_MODE_MISSION] = {mf_nav_mission_start, mf_nav_mission_done, NULL},
    [MF_MODE_RTL] = {mf_nav_return_start, mf_nav_return_done, NULL},
    [MF_MODE_LAND] = {land_here, landed, NULL},
    [MF_MODE_DESCEND] = {mf_nav_land, landed, NULL},
    [MF_MODE_FOLLOW] = {mf_nav_follow_start, steered, mf_nav_follow_steer},
    [MF_MODE_ACRO] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_OFFBOARD] = {mf_nav_offboard_start, steered, mf_nav_offboard_start},
    [MF_MODE_STABILIZED] = {mf_nav_manual_start, steered, mf_nav_manual_start},
    [MF_MODE_TERMINATION] = {mf_nav_stay, held, NULL},
};

mf_us_t mf_nav_on_grid(const struct mf_vehicle *v, mf_us_t now_us)
{
    const mf_us_t grid_us = v->options.start_grid_us;
    return grid_us > 0 ? (now_us + grid_us - 1) / grid_us * grid_us : now_us;
}

/* A mode that a user chose begins on the grid, since it sets the vehicle in motion; stopping does not
 * wait. A landing stops at once, and sinks from the grid on. @return when the mode begins */
static mf_us_t begin_us(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_navigator *n = &v->navigator;
    const mf_us_t at_us = mf_nav_on_grid(v, now_us);
    if (n->mode == MF_MODE_HOLD && leads_nowhere(&n->target)) {
        return now_us;
    }
    const bool flies = mf_navigator_flies(v) && n->phase != MF_NAV_LAND;
    if (n->mode == MF_MODE_LAND && at_us > now_us && (flies || n->phase == MF_NAV_STEER)) {
        mf_nav_stay(v, now_us);
    }
    return at_us;
}

static void begin_at(struct mf_vehicle *v, mf_us_t at_us)
{
    v->navigator.begin_us = at_us;
    mf_wake_at(v, MF_TASK_NAVIGATOR, at_us);
}

void mf_navigator_begin(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                        const struct mf_target *target)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    if ((enum mf_mode)n->mode != mode || !v->commander.armed) {
        n->speed_mps = 0.0f;
    }
    n->from_mission = n->mode == MF_MODE_MISSION;
    n->mode = (uint8_t)mode;
    n->begin = true;
    n->steer_us = MF_NEVER;
    n->keep = target == NULL;
    n->target = target != NULL ? *target : mf_target_none();
    begin_at(v, target != NULL ? begin_us(v, now_us) : now_us);
}

void mf_navigator_hurry(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->navigator.begin) {
        begin_at(v, now_us);
    }
}

void mf_navigator_fall(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_navigator *n = &v->navigator;
    n->begin = false;
    n->planned = false;
    n->steer_us = MF_NEVER;
    n->when = MF_WHEN_TOUCHDOWN;
    mf_nav_set_phase(v, now_us,
                     v->commander.landed != MF_LANDED_ON_GROUND ? MF_NAV_FALL : MF_NAV_IDLE);
    mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
}

void mf_nav_steer_again(struct mf_vehicle *v, mf_us_t at_us)
{
    v->navigator.steer_us = mf_earlier(v->navigator.steer_us, at_us);
    mf_wake_at(v, MF_TASK_NAVIGATOR, at_us);
}

void mf_navigator_steer(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_navigator *n = &v->navigator;
    if (v->commander.armed && !n->begin && n->phase != MF_NAV_FALL && k_mode[n->mode].steer) {
        mf_nav_steer_again(v, now_us);
    }
}

bool mf_navigator_steered(const struct mf_vehicle *v)
{
    const struct mf_navigator *n = &v->navigator;
    return v->commander.armed && n->phase != MF_NAV_FALL && k_mode[n->mode].steer != NULL;
}

void mf_navigator_set_speed(struct mf_vehicle *v, mf_us_t now_us, float speed_mps)
{
    v->navigator.speed_mps = speed_mps > 0.0f ? speed_mps : 0.0f;
    v->navigator.target.speed_mps = k_nan;
    mf_navigator_refresh(v, now_us);
}

/* Near its target, which counted as reached, and on its way to rest there? */
static bool settles(const struct mf_navigator *n)
{
    return n->phase == MF_NAV_BRAKE && n->planned && n->leg.radius_m > 0.0f;
}

void mf_navigator_refresh(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_navigator *n = &v->navigator;
    if (!v->commander.armed || n->begin) {
        return; /* nothing is flown, or will be planned anew anyway */
    }
    if (n->mode == MF_MODE_MISSION &&
        (n->item_tag != v->mission.tag || n->item_seq != v->mission.current)) {
        n->begin = true;
        begin_at(v, now_us);
        return;
    }
    if (settles(n)) {
        return; /* what is left of the way stays as it is */
    }
    if (n->phase == MF_NAV_BRAKE) {
        mf_nav_stay(v, now_us);
        mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
    } else if (n->planned && mf_navigator_flies(v)) {
        const struct mf_leg now = mf_nav_leg(v, now_us);
        struct mf_leg leg = n->leg;
        leg.speed_h_mps = now.speed_h_mps;
        leg.speed_up_mps = now.speed_up_mps;
        leg.speed_down_mps = now.speed_down_mps;
        leg.yaw_rate_rps = now.yaw_rate_rps;
        if (n->phase == MF_NAV_CLIMB &&
            mf_faults_move(v)) { /* up from wherever that has taken it */
            leg.lat_deg = now.lat_deg;
            leg.lon_deg = now.lon_deg;
        }
        (void)mf_nav_fly(v, now_us, (enum mf_nav_phase)n->phase, &leg);
        mf_wake_at(v, MF_TASK_NAVIGATOR, now_us);
    }
}

void mf_navigator_correct(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_navigator *n = &v->navigator;
    const enum mf_nav_phase phase = (enum mf_nav_phase)n->phase;
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    const bool stands = phase == MF_NAV_IDLE || phase == MF_NAV_WAIT || settles(n);
    if (!v->commander.armed || n->begin || !e->position ||
        v->commander.landed == MF_LANDED_ON_GROUND) {
        return;
    }
    if (!stands) {
        mf_navigator_refresh(v, now_us);
        mf_navigator_steer(v, now_us);
    } else if (n->planned && !n->leg.land && !n->leg.velocity) {
        struct mf_leg leg = mf_nav_leg_aimed(v, now_us);
        leg.yaw_rad = mf_nav_looks(v, phase) ? k_nan : leg.yaw_rad;
        mf_estimate_aim(e, &leg);
        (void)plan(v, now_us, &leg, 1); /* the phase goes on */
    }
}

/* ---- the task ---- */

/* For an airframe that does not tell its future: is the phase over by what can be seen? */
static bool over_by_sight(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const struct mf_leg *leg = &v->navigator.leg;
    if (v->navigator.when == MF_WHEN_TOUCHDOWN) {
        return pose->on_ground;
    }
    if (v->navigator.when == MF_WHEN_REST) {
        return slow(pose);
    }
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   (struct mf_geo){leg->lat_deg, leg->lon_deg});
    const double near_m = (double)leg->radius_m > NEAR_H_M ? (double)leg->radius_m : NEAR_H_M;
    return line.distance_m <= near_m && mf_abs(leg->alt_amsl_m - pose->alt_amsl_m) <= NEAR_V_M;
}

static mf_us_t phase_end(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    mf_us_t at_us = MF_NEVER;
    if (n->phase == MF_NAV_IDLE ||
        (n->phase == MF_NAV_STEER && v->commander.landed == MF_LANDED_ON_GROUND)) {
        return MF_NEVER;
    }
    if (n->phase == MF_NAV_WAIT) {
        return n->wait_until_us;
    }
    if (mf_airframe_next(&v->hal, t_us, (enum mf_when)n->when, 0.0, &at_us) != MF_E_OK) {
        at_us = over_by_sight(v, t_us) ? t_us : t_us + POLL_US;
    }
    return at_us;
}

/* The body has come to rest where nothing more is to be flown. */
static void rested(struct mf_vehicle *v, mf_us_t t_us)
{
    if (!settles(&v->navigator)) {
        v->navigator.leg = mf_nav_leg(v, t_us);
    }
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
}

static void phase_over(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    v->counters.events++;
    if (n->phase == MF_NAV_FALL) {
        landed(v, t_us);
    } else if (n->phase == MF_NAV_BRAKE) {
        rested(v, t_us);
    } else {
        k_mode[n->mode].done(v, t_us);
    }
}

mf_us_t mf_navigator_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_navigator *n = &v->navigator;
    if (v->faults.motors_off) { /* nothing leads anywhere; the mode begins when they work again */
        n->begin = false;
        n->steer_us = MF_NEVER;
    }
    for (unsigned guard = 0; guard < MF_INSTANT_ITEMS_MAX; guard++) {
        if (n->begin && v->commander.armed && due_us >= n->begin_us) {
            n->begin = false;
            k_mode[n->mode].start(v, due_us);
        }
        if (n->steer_us <= due_us) {
            n->steer_us = MF_NEVER;
            k_mode[n->mode].steer(v, due_us);
        }
        if (v->commander.landed == MF_LANDED_ON_GROUND && mf_navigator_flies(v)) {
            mf_nav_set_phase(v, due_us, (enum mf_nav_phase)n->phase);
        } else if (n->phase == MF_NAV_WAIT) {
            mf_commander_set_landed(v, due_us, landed_by_phase(v, due_us));
        }
        mf_us_t lift_us = MF_NEVER;
        (void)stands(v, due_us, &lift_us);
        const mf_us_t end_us = phase_end(v, due_us);
        if (end_us > due_us) {
            if (n->look_us <= due_us) {
                mf_nav_look(v, due_us);
            }
            const bool waits = n->begin && v->commander.armed;
            const mf_us_t told_us = mf_earlier(n->steer_us, waits ? n->begin_us : MF_NEVER);
            return mf_earlier(mf_earlier(told_us, n->look_us), mf_earlier(end_us, lift_us));
        }
        phase_over(v, due_us);
    }
    return due_us + YIELD_US;
}
