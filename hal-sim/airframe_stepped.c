/* SPDX-License-Identifier: Apache-2.0 */
/* Airframe with a stepped body. Called by boards/swarm/bodies, through the vehicle's HAL. */
#include "hal-sim/airframe_stepped.h"

#include "hal/assert.h"
#include "math/trig.h"
#include "world/airframe_leg.h"
#include "world/world.h"

/* A body has reached a target within THERE_M. A landing leads it below the ground, so that it
 * touches down with speed [m]. */
#define THERE_M 0.3
#define BELOW_M 1.0

/* ---- legs */

static const struct mf_leg *leg_of(const struct mf_airframe_stepped *a)
{
    return a->flown < a->legs ? &a->leg[a->flown] : NULL;
}

/* Ordered heading at an instant. */
static double heading(const struct mf_airframe_stepped *a, mf_us_t t_us)
{
    const struct mf_leg *leg = leg_of(a);
    const double spin_rps =
        leg != NULL && !(leg->yaw_rad == leg->yaw_rad) ? (double)leg->spin_rps : 0.0;
    const double since_s = (double)(t_us - a->from_us) * 1e-6;
    return mf_wrap_pi(a->yaw_rad + mf_spun_rad(spin_rps, since_s));
}

static void set_order(struct mf_airframe_stepped *a, mf_us_t t_us)
{
    const struct mf_leg *leg = leg_of(a);
    struct mf_stepped_order order = {.yaw_rad = heading(a, t_us), .works = a->armed};
    if (leg != NULL && leg->velocity) {
        order.want_mps = (struct mf_vec3){(double)leg->vel_ned_mps[0], (double)leg->vel_ned_mps[1],
                                          (double)leg->vel_ned_mps[2]};
    } else {
        const struct mf_stepped_speeds speeds =
            leg == NULL
                ? (struct mf_stepped_speeds){1.0, 1.0, 1.0}
                : (struct mf_stepped_speeds){(double)leg->speed_h_mps, (double)leg->speed_up_mps,
                                             (double)leg->speed_down_mps};
        order.want_mps = mf_stepped_toward(&a->body, a->made, a->to_m, &speeds);
    }
    mf_stepped_tell(&a->body, a->made, t_us, &order);
}

/* Begin the present leg. */
static void take_leg(struct mf_airframe_stepped *a, mf_us_t t_us)
{
    const struct mf_leg *leg = leg_of(a);
    const struct mf_stepped_state state = mf_stepped_at(&a->body, a->made, t_us);
    a->from_us = t_us;
    a->to_m = state.pos_m;
    if (leg == NULL || leg->velocity) {
        return;
    }
    if (leg->land) {
        a->to_m.z = a->ground_m + BELOW_M;
        return;
    }
    double ne_m[2];
    mf_geo_to_local(a->origin, (struct mf_geo){leg->lat_deg, leg->lon_deg}, ne_m);
    a->to_m = (struct mf_vec3){ne_m[0], ne_m[1], a->origin_amsl_m - leg->alt_amsl_m};
}

/* Begin the next leg when the body is near the target of the present one. */
static void follow(struct mf_airframe_stepped *a)
{
    const struct mf_leg *leg = leg_of(a);
    if (leg == NULL || leg->velocity || leg->land || a->flown + 1u >= a->legs) {
        return;
    }
    const mf_us_t t_us = a->body.at_us;
    const struct mf_vec3 here_m = mf_stepped_at(&a->body, a->made, t_us).pos_m;
    const double away_m = mf_length2(a->to_m.x - here_m.x, a->to_m.y - here_m.y);
    if (away_m <= mf_larger((double)leg->radius_m, THERE_M) &&
        mf_within(a->to_m.z - here_m.z, THERE_M)) {
        a->yaw_rad = heading(a, t_us);
        a->flown++;
        take_leg(a, t_us);
    }
}

static void run(struct mf_airframe_stepped *a, mf_us_t t_us)
{
    while (mf_stepped_next(&a->body, a->made) <= t_us) {
        mf_stepped_step(&a->body, a->made);
        follow(a);
        set_order(a, a->body.at_us);
    }
}

/* ---- operations of the airframe */

void mf_airframe_stepped_begin(void *ctx, const struct mf_world_settings *settings)
{
    struct mf_airframe_stepped *a = ctx;
    double ne_m[2];
    mf_geo_to_local(a->origin, (struct mf_geo){settings->home_lat_deg, settings->home_lon_deg},
                    ne_m);
    *a = (struct mf_airframe_stepped){
        .made = a->made,
        .body = a->body, /* a plug-in's body keeps its memory */
        .origin = a->origin,
        .origin_amsl_m = a->origin_amsl_m,
        .ground_m = a->origin_amsl_m - settings->home_alt_amsl_m,
        .yaw_rad = mf_wrap_pi(mf_rad(settings->home_yaw_deg)),
    };
    a->to_m = (struct mf_vec3){ne_m[0], ne_m[1], a->ground_m};
    mf_stepped_begin(&a->body, a->made, a->to_m, a->yaw_rad, a->ground_m);
}

static int arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_airframe_stepped *a = ctx;
    run(a, t_us);
    a->armed = on;
    set_order(a, t_us);
    return MF_E_OK;
}

static int plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_airframe_stepped *a = ctx;
    MF_ASSERT(n <= MF_PLAN_LEGS_MAX);
    if (!mf_legs_are_good(legs, n)) {
        return MF_E_RANGE;
    }
    if (!a->armed) {
        return MF_E_DENIED;
    }
    run(a, t_us);
    a->yaw_rad = heading(a, t_us);
    a->legs = n;
    a->flown = 0;
    for (size_t i = 0; i < n; i++) {
        a->leg[i] = legs[i];
    }
    if (n > 0 && legs[0].yaw_rad == legs[0].yaw_rad) {
        a->yaw_rad = mf_wrap_pi((double)legs[0].yaw_rad);
    }
    take_leg(a, t_us);
    set_order(a, t_us);
    return MF_E_OK;
}

static int sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    struct mf_airframe_stepped *a = ctx;
    run(a, t_us);
    const struct mf_stepped_state state = mf_stepped_at(&a->body, a->made, t_us);
    const struct mf_geo at = mf_geo_from_local(a->origin, state.pos_m.x, state.pos_m.y);
    *pose = (struct mf_pose){
        .lat_deg = at.lat_deg,
        .lon_deg = at.lon_deg,
        .alt_amsl_m = a->origin_amsl_m - state.pos_m.z,
        .ground_amsl_m = a->origin_amsl_m - a->ground_m,
        .wind_ne_mps = {(float)a->body.told.wind_mps.x, (float)a->body.told.wind_mps.y},
        .on_ground = state.standing,
    };
    mf_stepped_show(&state, pose);
    return MF_E_OK;
}

static int next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    (void)when;
    (void)value;
    run(ctx, t_us);
    *at_us = MF_NEVER;
    return MF_E_NOSUPP;
}

const struct mf_airframe_ops mf_airframe_stepped_ops = {
    .arm = arm, .plan = plan, .sample = sample, .next = next};
