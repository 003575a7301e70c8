/* SPDX-License-Identifier: Apache-2.0 */
/* Airframe at constant speed, in closed form. Called by world/world, and through the HAL. */
#include "world/airframe_constant.h"

#include "math/trig.h"
#include "world/airframe_leg.h"

#define TRACE_M   1e-6    /* largest error of a height by rounding */
#define BEYOND_US 20000.0 /* audited: a leg lasts this much longer, as in a simulation by steps */

static bool at_rest(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    return t_us >= b->arrive_us;
}

static bool ends_on_ground(const struct mf_airframe_constant *b)
{
    return b->alt_to_m <= b->ground_amsl_m;
}

static bool on_ground(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    return at_rest(b, t_us) && ends_on_ground(b);
}

/* Share of the path that the body has flown, 0 to 1; while it falls, share of the duration. */
static double fraction(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const double past_us = (double)(t_us - b->start_us);
    const double left_us = b->duration_us - past_us;
    const double cruise_us = b->duration_us - b->ramp_us;
    if (at_rest(b, t_us)) {
        return 1.0;
    }
    if (past_us < b->ramp_us) {
        return past_us * past_us / (2.0 * b->ramp_us * cruise_us);
    }
    if (left_us < b->ramp_us) {
        return 1.0 - left_us * left_us / (2.0 * b->ramp_us * cruise_us);
    }
    return (past_us - 0.5 * b->ramp_us) / cruise_us;
}

/* Speed relative to the mean speed of the path. */
static double speed_factor(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const double past_us = (double)(t_us - b->start_us);
    const double ramped_us = mf_smaller(past_us, mf_smaller(b->duration_us - past_us, b->ramp_us));
    if (b->falling) {
        return 2.0 * fraction(b, t_us);
    }
    return b->ramp_us > 0.0
               ? ramped_us * b->duration_us / (b->ramp_us * (b->duration_us - b->ramp_us))
               : 1.0;
}

/* Rate of change of speed_factor(): not 0 in ramps only. */
static double speed_factor_per_s(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const double past_us = (double)(t_us - b->start_us);
    const double left_us = b->duration_us - past_us;
    if (past_us >= b->ramp_us && left_us >= b->ramp_us) {
        return 0.0;
    }
    const double per_s = b->duration_us / (b->ramp_us * (b->duration_us - b->ramp_us)) * 1e6;
    return past_us < b->ramp_us ? per_s : -per_s;
}

static struct mf_geo place_at(const struct mf_airframe_constant *b, mf_us_t t_us,
                              double *azimuth_rad)
{
    if (at_rest(b, t_us)) {
        if (azimuth_rad != NULL && b->path_m > 0.0) {
            (void)mf_geo_at(&b->ray, b->path_m, azimuth_rad);
        }
        return b->end;
    }
    return mf_geo_at(&b->ray, b->path_m * fraction(b, t_us), azimuth_rad);
}

static double ground_at(const struct mf_airframe_constant *b, struct mf_geo place)
{
    return mf_terrain_under(b->terrain, place.lat_deg, place.lon_deg, b->flat_amsl_m);
}

/* Altitude of the path, as if the ground were flat. */
static double path_altitude(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const double f = fraction(b, t_us);
    return b->alt_from_m + (b->alt_to_m - b->alt_from_m) * (b->falling ? f * f : f);
}

static double path_height(const void *body, mf_us_t t_us)
{
    const struct mf_airframe_constant *b = body;
    return path_altitude(b, t_us) - ground_at(b, place_at(b, t_us, NULL));
}

static double altitude_at(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    if (at_rest(b, t_us)) {
        return b->alt_to_m;
    }
    const double alt_m = path_altitude(b, t_us);
    const double ground_m = b->terrain != NULL ? ground_at(b, place_at(b, t_us, NULL)) : alt_m;
    return alt_m >= ground_m ? alt_m : ground_m;
}

static double target_distance_m(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    return b->target_m - b->path_m * fraction(b, t_us);
}

static bool spins(const struct mf_airframe_constant *b)
{
    return b->turned_us == MF_NEVER;
}

/* Does a touchdown end the turn before it is complete? */
static bool turn_is_cut(const struct mf_airframe_constant *b)
{
    return ends_on_ground(b) && b->arrive_us < b->turned_us;
}

static bool turning(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    return t_us < b->turned_us && !on_ground(b, t_us);
}

static float yaw_at(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const mf_us_t until_us = turn_is_cut(b) && t_us > b->arrive_us ? b->arrive_us : t_us;
    if (until_us >= b->turned_us) {
        return b->yaw_to_rad;
    }
    const double rate_rps = (double)b->yaw_rate_rps;
    const double turning_s = (double)(until_us - b->turn_us) * 1e-6;
    const double turned = spins(b) ? mf_spun_rad(rate_rps, turning_s) : rate_rps * turning_s;
    return (float)mf_wrap_pi((double)b->yaw_from_rad + turned);
}

/* Body that stays, from t_us on, at its place of that instant, in the air or on the ground. */
static struct mf_airframe_constant held(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const struct mf_geo here = place_at(b, t_us, NULL);
    const double alt_m = altitude_at(b, t_us);
    const float yaw_rad = yaw_at(b, t_us);
    return (struct mf_airframe_constant){
        .ray = {.lat1_deg = here.lat_deg, .lon1_deg = here.lon_deg},
        .end = here,
        .alt_from_m = alt_m,
        .alt_to_m = alt_m,
        .ground_amsl_m = ground_at(b, here),
        .flat_amsl_m = b->flat_amsl_m,
        .terrain = b->terrain,
        .start_us = t_us,
        .arrive_us = t_us,
        .turn_us = t_us,
        .turned_us = t_us,
        .yaw_from_rad = yaw_rad,
        .yaw_to_rad = yaw_rad,
        .accel_mps2 = b->accel_mps2,
        .armed = b->armed,
        .audited = b->audited,
    };
}

static void move_for(struct mf_airframe_constant *b, double duration_us)
{
    b->duration_us = duration_us;
    b->arrive_us = b->start_us + mf_ceil_us(duration_us);
}

/* Fly the path, which takes this long at constant speed. Ramps that meet leave no time for
 * cruise. */
static void fly_for(struct mf_airframe_constant *b, double cruise_us)
{
    const double climb_m = b->alt_to_m - b->alt_from_m;
    const double length_m = mf_sqrt(b->path_m * b->path_m + climb_m * climb_m);
    if (!(b->accel_mps2 > 0.0f && cruise_us > 0.0)) {
        move_for(b, cruise_us);
        return;
    }
    const double ramp_us = length_m / cruise_us / (double)b->accel_mps2 * 1e12;
    b->ramp_us = ramp_us < cruise_us ? ramp_us : mf_sqrt(ramp_us * cruise_us);
    move_for(b, ramp_us < cruise_us ? cruise_us + ramp_us : 2.0 * b->ramp_us);
}

static void drop(struct mf_airframe_constant *b)
{
    b->falling = true;
    b->alt_to_m = b->ground_amsl_m;
    move_for(b, mf_sqrt(2.0 * (b->alt_from_m - b->ground_amsl_m) / MF_GRAVITY_MPS2) * 1e6);
}

static double leg_duration_us(const struct mf_leg *leg, double distance_m, double climb_m)
{
    const double horizontal_s = distance_m / (double)leg->speed_h_mps;
    const double vertical_s = climb_m > 0.0 ? climb_m / (double)leg->speed_up_mps
                                            : -climb_m / (double)leg->speed_down_mps;
    return (horizontal_s > vertical_s ? horizontal_s : vertical_s) * 1e6;
}

/* Extend the path for an audit: without ramps, by the distance that the body flies in a step. */
static void fly_beyond(struct mf_airframe_constant *b)
{
    if (!b->audited || b->ramp_us > 0.0 || !(b->duration_us > 0.0)) {
        return;
    }
    const double part = 1.0 + BEYOND_US / b->duration_us;
    const double alt_m = b->alt_from_m + (b->alt_to_m - b->alt_from_m) * part;
    if (alt_m <= b->ground_amsl_m) {
        return;
    }
    b->alt_to_m = alt_m;
    if (b->path_m > 0.0) {
        b->path_m *= part;
        b->target_m = b->path_m;
        b->end = mf_geo_at(&b->ray, b->path_m, NULL);
    }
    move_for(b, b->duration_us * part);
}

/* Set the path to a target; if the ground is in the way, only the part of it above ground. */
static int set_path(struct mf_airframe_constant *b, const struct mf_leg *leg)
{
    const struct mf_geo here = b->end;
    const struct mf_geo target = leg->land ? here : (struct mf_geo){leg->lat_deg, leg->lon_deg};
    b->ground_amsl_m = ground_at(b, target);
    const bool raised = b->terrain != NULL && leg->alt_amsl_m < b->ground_amsl_m;
    const double alt_m = leg->land || raised ? b->ground_amsl_m : leg->alt_amsl_m;
    const struct mf_geo_line line = mf_geo_inverse(here, target);
    const double duration_us = leg_duration_us(leg, line.distance_m, alt_m - b->alt_from_m);
    if (line.distance_m > LEG_MAX_M || !(duration_us <= DURATION_MAX_US)) {
        return MF_E_RANGE;
    }
    if (line.distance_m > 0.0) {
        b->ray = mf_geo_ray(here, line.azimuth_from_rad);
    }
    b->has_target = true;
    b->target_m = line.distance_m;
    b->radius_m = leg->radius_m;
    b->has_leg = true;
    if (alt_m >= b->ground_amsl_m) {
        b->path_m = line.distance_m;
        b->end = target;
        b->alt_to_m = alt_m;
        fly_for(b, duration_us);
        fly_beyond(b);
        return MF_E_OK;
    }
    const double part = (b->alt_from_m - b->ground_amsl_m) / (b->alt_from_m - alt_m);
    b->path_m = line.distance_m * part;
    b->end = mf_geo_at(&b->ray, b->path_m, NULL);
    b->alt_to_m = b->ground_amsl_m;
    fly_for(b, duration_us * part);
    return MF_E_OK;
}

/* Shorten a velocity over terrain, whose path is already set: one that leads down ends at the
 * ground. */
static void end_at_ground(struct mf_airframe_constant *b, bool sinks)
{
    const mf_us_t met_us =
        sinks ? mf_meets_ground_us(path_height, b, b->start_us, b->arrive_us, b->path_m) : MF_NEVER;
    if (met_us != MF_NEVER) {
        const double part = fraction(b, met_us);
        b->end = place_at(b, met_us, NULL);
        b->path_m *= part;
        move_for(b, b->duration_us * part);
    }
    b->ground_amsl_m = ground_at(b, b->end);
    if (met_us != MF_NEVER || b->alt_to_m < b->ground_amsl_m) {
        b->alt_to_m = b->ground_amsl_m;
    }
}

/* Fly a velocity until the next plan. It uses the machinery of a path, with the latest possible
 * end. */
static void set_velocity(struct mf_airframe_constant *b, const float vel_ned_mps[3])
{
    const double north = (double)vel_ned_mps[0];
    const double east = (double)vel_ned_mps[1];
    const double up = -(double)vel_ned_mps[2];
    const double speed = mf_length2(north, east);
    double height_m = b->alt_from_m - b->ground_amsl_m;
    b->has_leg = true;
    if ((height_m <= 0.0 && up <= 0.0) || (speed == 0.0 && up == 0.0)) {
        return;
    }
    const bool over_hills = b->terrain != NULL && speed > 0.0;
    if (over_hills) {
        height_m = b->alt_from_m - DEEPEST_M;
    }
    const double lasts_s = mf_velocity_lasts_s(speed, up, height_m);
    const bool lands = height_m + up * lasts_s <= TRACE_M;
    if (speed > 0.0) {
        b->ray = mf_geo_ray(b->end, mf_atan2(east, north));
        b->path_m = speed * lasts_s;
        b->end = mf_geo_at(&b->ray, b->path_m, NULL);
    }
    b->alt_to_m = lands && !over_hills ? b->ground_amsl_m : b->alt_from_m + up * lasts_s;
    move_for(b, lasts_s * 1e6);
    if (over_hills) {
        end_at_ground(b, up < 0.0);
    }
}

static int set_turn(struct mf_airframe_constant *b, const struct mf_leg *leg)
{
    if (leg->yaw_rad != leg->yaw_rad) {
        b->yaw_rate_rps = leg->spin_rps;
        b->turned_us = leg->spin_rps != 0.0f ? MF_NEVER : b->turn_us;
        return MF_E_OK;
    }
    const double turn_rad = mf_wrap_pi((double)leg->yaw_rad - (double)b->yaw_from_rad);
    const double duration_us = mf_abs(turn_rad) / (double)leg->yaw_rate_rps * 1e6;
    if (!(duration_us <= DURATION_MAX_US)) {
        return MF_E_RANGE;
    }
    b->yaw_to_rad = (float)mf_wrap_pi((double)leg->yaw_rad);
    b->yaw_rate_rps = turn_rad < 0.0 ? -leg->yaw_rate_rps : leg->yaw_rate_rps;
    b->turned_us = b->turn_us + mf_ceil_us(duration_us);
    return MF_E_OK;
}

static int constant_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_airframe_constant *b = ctx;
    MF_ASSERT(b != NULL && t_us >= b->start_us);
    if (on == b->armed) {
        return MF_E_OK;
    }
    *b = held(b, t_us);
    b->armed = on;
    if (!on && !ends_on_ground(b)) {
        drop(b);
    }
    return MF_E_OK;
}

static int constant_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_airframe_constant *b = ctx;
    MF_ASSERT(b != NULL && t_us >= b->start_us);
    MF_ASSERT(n <= MF_PLAN_LEGS_MAX && (legs != NULL || n == 0));
    if (!b->armed) {
        return MF_E_DENIED;
    }
    if (!mf_legs_are_good(legs, n)) {
        return MF_E_RANGE;
    }
    struct mf_airframe_constant planned = held(b, t_us);
    if (n > 0 && legs[0].velocity) {
        set_velocity(&planned, legs[0].vel_ned_mps);
        planned.roll_rad = legs[0].roll_rad;
        planned.pitch_rad = legs[0].pitch_rad;
    } else if (n > 0 && set_path(&planned, &legs[0]) < 0) {
        return MF_E_RANGE;
    }
    if (n > 0 && set_turn(&planned, &legs[0]) < 0) {
        return MF_E_RANGE;
    }
    planned.leads_on = n > 1 && planned.has_target;
    *b = planned;
    return MF_E_OK;
}

static int constant_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    struct mf_airframe_constant *b = ctx;
    MF_ASSERT(b != NULL && leg != NULL && t_us >= b->start_us && t_us >= b->turn_us);
    struct mf_airframe_constant turned = *b;
    if (!b->armed) {
        return MF_E_DENIED;
    }
    turned.turn_us = t_us;
    turned.yaw_from_rad = turned.yaw_to_rad = yaw_at(b, t_us);
    if (!mf_turn_is_good(leg) || set_turn(&turned, leg) < 0) {
        return MF_E_RANGE;
    }
    if (!on_ground(b, t_us)) {
        turned.has_leg = true;
        *b = turned;
    }
    return MF_E_OK;
}

/* Is this the instant at which the leg ends and the next one would begin? */
static bool passes(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    return (b->leads_on || (b->audited && b->has_target)) && t_us == b->arrive_us &&
           b->duration_us > 0.0 && !ends_on_ground(b);
}

/* Set the velocity of a moving body. The acceleration is reported as zero, also during ramps. */
static void set_velocity_of(const struct mf_airframe_constant *b, mf_us_t t_us, double azimuth_rad,
                            struct mf_pose *pose)
{
    const double factor = speed_factor(b, t_us);
    const double horizontal = b->path_m / b->duration_us * 1e6 * factor;
    const double mean_down = (b->alt_from_m - b->alt_to_m) / b->duration_us * 1e6;
    if (horizontal > 0.0) {
        pose->vel_ned_mps[0] = (float)(horizontal * mf_cos(azimuth_rad));
        pose->vel_ned_mps[1] = (float)(horizontal * mf_sin(azimuth_rad));
    }
    const bool on_hill = b->terrain != NULL && path_altitude(b, t_us) < pose->alt_amsl_m;
    pose->vel_ned_mps[2] = on_hill ? 0.0f : (float)(mean_down * factor);
    pose->acc_ned_mps2[2] = b->falling ? (float)MF_GRAVITY_MPS2 : 0.0f;
    pose->sinks_mps2 = on_hill      ? 0.0f
                       : b->falling ? pose->acc_ned_mps2[2]
                                    : (float)(mean_down * speed_factor_per_s(b, t_us));
}

static int constant_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_airframe_constant *b = ctx;
    MF_ASSERT(b != NULL && pose != NULL && t_us >= b->start_us);
    double azimuth_rad = 0.0;
    const struct mf_geo place = place_at(b, t_us, &azimuth_rad);
    *pose = (struct mf_pose){
        .lat_deg = place.lat_deg,
        .lon_deg = place.lon_deg,
        .alt_amsl_m = altitude_at(b, t_us),
        .ground_amsl_m = ground_at(b, place),
        .yaw_rad = yaw_at(b, t_us),
        .yawspeed_rps = turning(b, t_us) ? b->yaw_rate_rps : 0.0f,
        .on_ground = on_ground(b, t_us),
    };
    if (!pose->on_ground) {
        pose->roll_rad = b->roll_rad;
        pose->pitch_rad = b->pitch_rad;
    }
    if (!at_rest(b, t_us) || passes(b, t_us)) {
        set_velocity_of(b, t_us, azimuth_rad, pose);
    }
    return MF_E_OK;
}

/* A question to next() about the future. */
struct question {
    const struct mf_airframe_constant *b;
    enum mf_when when;
    double value;
    bool from_above; /* ALTITUDE: the body was above the value at the time of the question */
};

static bool has_arrived(const struct mf_airframe_constant *b, mf_us_t t_us)
{
    const double radius_m = (double)b->radius_m;
    const bool counts = b->target_m > radius_m;
    return at_rest(b, t_us) || (counts && target_distance_m(b, t_us) <= radius_m);
}

/* Does the event's condition hold? Once true, it is true until the plan changes (except LIFTOFF,
 * which is true at once or never). */
static bool holds(const struct question *q, mf_us_t t_us)
{
    const struct mf_airframe_constant *b = q->b;
    switch (q->when) {
    case MF_WHEN_ARRIVED:
        return b->has_target && has_arrived(b, t_us);
    case MF_WHEN_TOUCHDOWN:
        return on_ground(b, t_us);
    case MF_WHEN_LIFTOFF:
        return !on_ground(b, t_us);
    case MF_WHEN_ALTITUDE:
        return q->from_above ? altitude_at(b, t_us) <= q->value : altitude_at(b, t_us) >= q->value;
    case MF_WHEN_DISTANCE:
        return b->has_target && target_distance_m(b, t_us) <= q->value;
    case MF_WHEN_REST:
        return at_rest(b, t_us);
    case MF_WHEN_YAW:
        return b->has_leg && t_us >= b->turned_us && !turn_is_cut(b) && !spins(b);
    default:
        return false;
    }
}

/* Find the first instant by bisection over whole microseconds, so that the answer agrees with
 * sample() to the last bit, which a solution of the equation would not. */
static mf_us_t first_us(const struct question *q, mf_us_t t_us)
{
    const struct mf_airframe_constant *b = q->b;
    mf_us_t false_us = t_us;
    mf_us_t true_us = b->arrive_us > b->turned_us || spins(b) ? b->arrive_us : b->turned_us;
    if (holds(q, t_us)) {
        return t_us;
    }
    if (t_us >= true_us || !holds(q, true_us)) {
        return MF_NEVER;
    }
    if (!holds(q, true_us - 1)) { /* most questions are about the end of a leg */
        return true_us;
    }
    while (true_us - false_us > 1) {
        const mf_us_t middle_us = false_us + (true_us - false_us) / 2;
        if (holds(q, middle_us)) {
            true_us = middle_us;
        } else {
            false_us = middle_us;
        }
    }
    return true_us;
}

static int constant_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    const struct mf_airframe_constant *b = ctx;
    MF_ASSERT(b != NULL && at_us != NULL && t_us >= b->start_us);
    const struct question q = {b, when, value, altitude_at(b, t_us) > value};
    *at_us = first_us(&q, t_us);
    return MF_E_OK;
}

void mf_airframe_constant_init(struct mf_airframe_constant *body, double lat_deg, double lon_deg,
                               double alt_amsl_m, float yaw_rad)
{
    MF_ASSERT(body != NULL && mf_within(lat_deg, 90.0) && mf_within(lon_deg, 180.0));
    MF_ASSERT(mf_within(alt_amsl_m, 1e9) && mf_within((double)yaw_rad, 1e6));
    const struct mf_airframe_constant placed = {
        .end = {lat_deg, lon_deg},
        .alt_to_m = alt_amsl_m,
        .ground_amsl_m = alt_amsl_m,
        .flat_amsl_m = alt_amsl_m,
        .yaw_to_rad = (float)mf_wrap_pi((double)yaw_rad),
    };
    *body = held(&placed, 0);
}

void mf_airframe_constant_set_accel(struct mf_airframe_constant *body, float accel_mps2)
{
    MF_ASSERT(body != NULL && (accel_mps2 == 0.0f || accel_mps2 >= 0.001f));
    MF_ASSERT(mf_within((double)accel_mps2, 1e9));
    body->accel_mps2 = accel_mps2;
}

void mf_airframe_constant_set_audit(struct mf_airframe_constant *body, bool on)
{
    MF_ASSERT(body != NULL);
    body->audited = on;
}

void mf_airframe_constant_set_terrain(struct mf_airframe_constant *body, struct mf_terrain *terrain)
{
    MF_ASSERT(body != NULL && !body->armed);
    body->terrain = terrain;
    body->ground_amsl_m = ground_at(body, body->end);
    body->alt_from_m = body->alt_to_m = body->ground_amsl_m;
}

const struct mf_airframe_ops mf_airframe_constant_ops = {
    .arm = constant_arm,
    .plan = constant_plan,
    .sample = constant_sample,
    .next = constant_next,
    .turn = constant_turn,
};
