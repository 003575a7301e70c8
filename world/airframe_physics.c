/* SPDX-License-Identifier: Apache-2.0 */
/* Airframe with limited acceleration and jerk. Called by world/world, and through the HAL. */
#include "world/airframe_physics.h"

#include "math/trig.h"
#include "world/airframe_leg.h"
#include "world/fall.h"
#include "world/physics_speed.h"
#include "world/thrust.h"

#include <string.h>

#define YAW_JERK     4.0  /* jerk of yaw as a multiple of its acceleration per second */
#define TRACE_M      1e-6 /* largest error of a height by rounding */
#define SAFE_STEP_US 1000
#define SAFE_STEPS   4096
#define SWING_MOST   0.9f /* greatest damping ratio that swings: near 1 a body rests late */

/* ---- place ---- */

static double since_start_s(const struct mf_physics_course *b, mf_us_t t_us)
{
    return (double)(t_us - b->start_us) * 1e-6;
}

static bool at_rest(const struct mf_physics_course *b, mf_us_t t_us)
{
    return t_us >= b->arrive_us;
}

static bool ends_on_ground(const struct mf_physics_course *b)
{
    return b->end_alt_m <= b->ground_amsl_m;
}

static bool on_ground(const struct mf_physics_course *b, mf_us_t t_us)
{
    return t_us < b->lift_us || (at_rest(b, t_us) && ends_on_ground(b));
}

/* Convert the point (x, y) of the way's frame into a place. @param turn_rad  out: angle from north
 * at the origin to north at the place, clockwise */
static struct mf_geo place_of(const struct mf_physics_course *b, double x_m, double y_m,
                              double *turn_rad)
{
    const double north_m = x_m * b->way.north - y_m * b->way.east;
    const double east_m = x_m * b->way.east + y_m * b->way.north;
    const double bearing_rad = mf_atan2(east_m, north_m);
    double azimuth_rad = bearing_rad;
    *turn_rad = 0.0;
    if (x_m == 0.0 && y_m == 0.0) {
        return b->origin;
    }
    const struct mf_geo_ray ray = mf_geo_ray(b->origin, bearing_rad);
    const struct mf_geo place = mf_geo_at(&ray, mf_length2(north_m, east_m), &azimuth_rad);
    *turn_rad = azimuth_rad - bearing_rad;
    return place;
}

static double ground_at(const struct mf_physics_course *b, struct mf_geo place)
{
    return mf_terrain_under(b->terrain, place.lat_deg, place.lon_deg, b->flat_amsl_m);
}

static double ground_under(const struct mf_physics_course *b, const struct mf_way_spot *s)
{
    double turn_rad;
    return b->terrain == NULL ? b->flat_amsl_m
                              : ground_at(b, place_of(b, s->x.x_m, s->y.x_m, &turn_rad));
}

/* Height of the way, as if the ground were flat. */
static double way_height(const void *body, mf_us_t t_us)
{
    const struct mf_physics_course *b = body;
    const struct mf_way_spot s = mf_way_at(&b->way, since_start_s(b, t_us));
    return s.alt.x_m - ground_under(b, &s);
}

static struct mf_motion fallen(const struct mf_physics_course *b, mf_us_t t_us)
{
    const struct mf_motion m = mf_fall_at((double)b->limits.drag_per_s, since_start_s(b, t_us));
    return (struct mf_motion){b->way.run_from_m[2] - m.x_m, -m.v_mps, -m.a_mps2, -m.j_mps3};
}

/* Motion at an instant, on the ground if the way leads below it. */
static struct mf_way_spot spot_at(const struct mf_physics_course *b, mf_us_t t_us)
{
    struct mf_way_spot s = mf_way_at(&b->way, since_start_s(b, t_us));
    if (b->falling) {
        s.alt = fallen(b, t_us);
    }
    const double ground_m = ground_under(b, &s);
    if (s.alt.x_m < ground_m) {
        s.alt = (struct mf_motion){ground_m, 0.0, 0.0, 0.0};
    }
    return s;
}

static double altitude_at(const struct mf_physics_course *b, mf_us_t t_us)
{
    return at_rest(b, t_us) ? b->end_alt_m : spot_at(b, t_us).alt.x_m;
}

static double target_distance_m(const struct mf_physics_course *b, mf_us_t t_us)
{
    const struct mf_way_spot s = spot_at(b, t_us);
    return mf_length2(b->target_m[0] - s.x.x_m, b->target_m[1] - s.y.x_m);
}

/* ---- heading ---- */

/* Does a touchdown end the turn before it is complete? */
static bool turn_is_cut(const struct mf_physics_course *b)
{
    return ends_on_ground(b) && b->arrive_us < b->turned_us;
}

static struct mf_motion yaw_at(const struct mf_physics_course *b, mf_us_t t_us)
{
    const bool cut = turn_is_cut(b) && t_us >= b->arrive_us;
    const mf_us_t until_us = cut ? b->arrive_us : t_us;
    if (until_us >= b->turned_us) {
        return (struct mf_motion){b->yaw_to_rad, 0.0, 0.0, 0.0};
    }
    const double past_s = (double)(until_us - b->turn_us) * 1e-6;
    struct mf_motion m = mf_profile_at(&b->yaw, past_s);
    if (b->turned_us == MF_NEVER) { /* a spin may last for years */
        const double steady_s = mf_larger(past_s - b->yaw.duration_s, 0.0);
        m.x_m += mf_spun_rad(m.v_mps, steady_s) - m.v_mps * steady_s;
    }
    m.x_m = mf_wrap_pi(m.x_m);
    m.v_mps = cut ? 0.0 : m.v_mps;
    m.a_mps2 = cut ? 0.0 : m.a_mps2;
    return m;
}

/* ---- the state ---- */

/* Vectors are north, east, up. */
struct state {
    struct mf_geo place;
    double alt_m;
    double v[3];
    double a[3];
    double j[3];
    struct mf_motion yaw;
};

static struct state state_at(const struct mf_physics_course *b, mf_us_t t_us)
{
    struct state s = {.place = b->end, .alt_m = b->end_alt_m, .yaw = yaw_at(b, t_us)};
    if (at_rest(b, t_us)) {
        return s;
    }
    const struct mf_way_spot spot = spot_at(b, t_us);
    double turn_rad;
    s.place = place_of(b, spot.x.x_m, spot.y.x_m, &turn_rad);
    const double c = mf_cos(turn_rad);
    const double d = mf_sin(turn_rad);
    const double north = b->way.north * c - b->way.east * d;
    const double east = b->way.east * c + b->way.north * d;
    s.alt_m = spot.alt.x_m;
    s.v[0] = spot.x.v_mps * north - spot.y.v_mps * east;
    s.v[1] = spot.x.v_mps * east + spot.y.v_mps * north;
    s.v[2] = spot.alt.v_mps;
    s.a[0] = spot.x.a_mps2 * north - spot.y.a_mps2 * east;
    s.a[1] = spot.x.a_mps2 * east + spot.y.a_mps2 * north;
    s.a[2] = spot.alt.a_mps2;
    s.j[0] = spot.x.j_mps3 * north - spot.y.j_mps3 * east;
    s.j[1] = spot.x.j_mps3 * east + spot.y.j_mps3 * north;
    s.j[2] = spot.alt.j_mps3;
    return s;
}

/* Make a body that stays, from t_us on, at its place of that instant, in the air or on the ground.
 * held must not be b. */
static void hold_place(struct mf_physics_course *held, const struct mf_physics_course *b,
                       mf_us_t t_us)
{
    const struct state s = state_at(b, t_us);
    memset(held, 0, sizeof *held);
    held->limits = b->limits;
    held->origin = held->end = s.place;
    held->end_alt_m = s.alt_m;
    held->ground_amsl_m = ground_at(b, s.place);
    held->flat_amsl_m = b->flat_amsl_m;
    held->terrain = b->terrain;
    held->yaw_to_rad = s.yaw.x_m;
    held->spool_us = t_us < b->lift_us ? b->spool_us : t_us;
    held->start_us = held->lift_us = held->settle_us = held->pass_us = t_us;
    held->arrived_us = held->arrive_us = held->turn_us = held->turned_us = t_us;
    held->armed = b->armed;
}

/* ---- the future ---- */

/* Distance by which the condition of arrival is missed; not above zero: it holds. */
static double arrival_gap_m(const struct mf_physics_course *b, mf_us_t t_us)
{
    const double high_m = mf_abs(altitude_at(b, t_us) - b->target_m[2]);
    return mf_larger(target_distance_m(b, t_us) - (double)b->radius_m,
                     high_m - (double)b->limits.alt_radius_m);
}

/* A question to next() about the future. */
struct question {
    const struct mf_physics_course *b;
    enum mf_when when;
    double value;
    bool from_above; /* ALTITUDE: the body was above the value at the time of the question */
};

/* Distance by which a condition is missed; not above zero: it holds. Changes by no more than the
 * body moves. */
static double gap_m(const struct question *q, mf_us_t t_us)
{
    if (q->when == MF_WHEN_ARRIVED) {
        return arrival_gap_m(q->b, t_us);
    }
    if (q->when == MF_WHEN_DISTANCE) {
        return target_distance_m(q->b, t_us) - q->value;
    }
    const double above_m = altitude_at(q->b, t_us) - q->value;
    return q->from_above ? above_m : -above_m;
}

/* Find the first instant between a false and a true one by bisection over whole microseconds,
 * because a solution of the equation would not agree with sample() to the last bit. */
static mf_us_t between_us(const struct question *q, mf_us_t false_us, mf_us_t true_us)
{
    while (true_us - false_us > 1) {
        const mf_us_t middle_us = false_us + (true_us - false_us) / 2;
        if (gap_m(q, middle_us) <= 0.0) {
            true_us = middle_us;
        } else {
            false_us = middle_us;
        }
    }
    return true_us;
}

/* Instant of a mark of the swing; MF_NEVER: the body does not swing, or ends first. */
static mf_us_t mark_us(const struct mf_physics_course *b, unsigned number, mf_us_t until_us)
{
    const struct mf_way *w = &b->way;
    if (!(w->swing.v_mps > 0.0)) {
        return MF_NEVER;
    }
    const double t_s = w->run_s + w->run.duration_s + mf_swing_mark_s(&w->swing, number);
    return t_s * 1e6 < (double)(until_us - b->start_us) ? b->start_us + mf_ceil_us(t_s * 1e6)
                                                        : MF_NEVER;
}

/* Find the first instant at which a condition holds. During the transition it may begin and end
 * again, so the search advances in steps in which it cannot begin, but not in too many. Afterwards
 * everything is monotone between the marks of the swing, and up to @p until_us. */
static mf_us_t first_us(const struct question *q, mf_us_t t_us, mf_us_t until_us)
{
    const mf_us_t settle_us = q->b->settle_us;
    const mf_us_t least_us = SAFE_STEP_US + (settle_us - q->b->start_us) / SAFE_STEPS;
    double gap = gap_m(q, t_us);
    if (gap <= 0.0) {
        return t_us;
    }
    while (t_us < settle_us) {
        const double safe_us = mf_smaller(gap / q->b->speed_max_mps * 1e6, 1e15);
        const mf_us_t last_us = t_us;
        t_us += safe_us > (double)least_us ? (mf_us_t)safe_us : least_us;
        t_us = t_us < settle_us ? t_us : settle_us;
        gap = gap_m(q, t_us);
        if (gap <= 0.0) {
            return between_us(q, last_us, t_us);
        }
    }
    for (unsigned n = 0u; t_us < until_us; n++) {
        const mf_us_t last_us = t_us;
        const mf_us_t next_us = mark_us(q->b, n, until_us);
        t_us = next_us == MF_NEVER ? until_us : next_us > t_us ? next_us : t_us;
        if (gap_m(q, t_us) <= 0.0) {
            return between_us(q, last_us, t_us);
        }
    }
    return MF_NEVER;
}

static void set_arrival(struct mf_physics_course *b)
{
    const struct question q = {.b = b, .when = MF_WHEN_ARRIVED};
    b->arrived_us = b->arrive_us;
    if (b->radius_m > 0.0f) {
        const mf_us_t first = first_us(&q, b->start_us, b->pass_us);
        b->arrived_us = first < b->arrive_us ? first : b->arrive_us;
    }
}

/* Instant at which the run passes the target, if it does not end there. */
static mf_us_t passing_us(const struct mf_physics_course *b)
{
    mf_us_t before_us = b->settle_us;
    mf_us_t after_us = b->arrive_us;
    while (after_us - before_us > 1) {
        const mf_us_t middle_us = before_us + (after_us - before_us) / 2;
        const double t_s = since_start_s(b, middle_us) - b->way.run_s;
        if (mf_profile_at(&b->way.run, t_s).x_m >= b->way.length_m) {
            after_us = middle_us;
        } else {
            before_us = middle_us;
        }
    }
    return after_us;
}

/* ---- plans ---- */

/* Set the end of the way, and its place unless that is the target. */
static int set_end(struct mf_physics_course *b)
{
    double turn_rad;
    if (!(b->way.end_s * 1e6 <= DURATION_MAX_US)) {
        return MF_E_RANGE;
    }
    b->settle_us = b->start_us + mf_ceil_us(b->way.settle_s * 1e6);
    b->arrive_us = b->start_us + mf_ceil_us(b->way.end_s * 1e6);
    b->pass_us = b->arrive_us;
    const struct mf_way_spot s = spot_at(b, b->arrive_us);
    b->end = place_of(b, s.x.x_m, s.y.x_m, &turn_rad);
    b->end_alt_m = s.alt.x_m;
    b->ground_amsl_m = ground_at(b, b->end);
    return MF_E_OK;
}

/* Does the body, on its way down, overshoot a target so far that it would meet the ground? */
static bool swings_into_ground(const struct mf_way *w, double height_m)
{
    if (!(w->swing.v_mps > 0.0)) {
        return false;
    }
    const double turn_s = mf_swing_mark_s(&w->swing, 1u);
    return height_m < -w->run_up * mf_swing_at(&w->swing, turn_s).x_m;
}

static int fly_to(struct mf_physics_course *b, struct mf_way_task *k, struct mf_geo target,
                  double alt_amsl_m)
{
    k->damping = b->limits.damping <= SWING_MOST ? (double)b->limits.damping : 0.0;
    mf_way_fly(&b->way, k, &b->limits);
    if (swings_into_ground(&b->way, alt_amsl_m - ground_at(b, target))) {
        k->damping = 0.0;
        mf_way_fly(&b->way, k, &b->limits);
    }
    if (set_end(b) != MF_E_OK) {
        return MF_E_RANGE;
    }
    b->lift_us = k->lifts_off ? b->settle_us : b->start_us;
    b->corner_mps = (float)k->corner_mps;
    b->target_m[0] = k->target_m[0] * b->way.north + k->target_m[1] * b->way.east;
    b->target_m[1] = k->target_m[1] * b->way.north - k->target_m[0] * b->way.east;
    b->target_m[2] = alt_amsl_m;
    if (b->way.passes) {
        b->pass_us = passing_us(b);
    } else {
        b->end = target;
        b->end_alt_m = alt_amsl_m;
        b->ground_amsl_m = ground_at(b, target);
    }
    return MF_E_OK;
}

/* Is the body about to come to rest at a target that counts as reached? */
static bool nears(const struct mf_physics_course *b, mf_us_t t_us)
{
    const bool stops = !b->way.passes && !(b->way.swing.v_mps > 0.0);
    return (b->has_target && b->radius_m > 0.0f && stops && t_us >= b->arrived_us &&
            t_us >= b->lift_us && !at_rest(b, t_us)) ||
           (b->nears && !at_rest(b, t_us));
}

static void set_task(struct mf_way_task *k, const struct mf_physics_course *b, mf_us_t t_us,
                     const struct mf_leg *leg)
{
    const struct mf_physics_limits *l = &b->limits;
    const struct state s = state_at(b, t_us);
    *k = (struct mf_way_task){
        .alt_m = s.alt_m,
        .ground_m = ground_at(b, s.place),
        .turn_mps = t_us >= b->arrived_us ? (double)b->corner_mps : 0.0,
        .lifts_off = on_ground(b, t_us),
        .waited_s = t_us < b->lift_us ? (double)(t_us - b->spool_us) * 1e-6 : 0.0,
    };
    if (nears(b, t_us)) {
        k->onward = &b->way;
        k->onward_s = since_start_s(b, t_us);
        k->onward_alt_m = b->nears ? (double)__builtin_nanf("") : b->end_alt_m;
    }
    memcpy(k->v_mps, s.v, sizeof k->v_mps);
    memcpy(k->a_mps2, s.a, sizeof k->a_mps2);
    if (leg != NULL && leg->velocity) {
        k->speed_h_mps = (double)l->vel_h_mps;
        k->speed_up_mps = (double)l->vel_up_mps;
        k->speed_down_mps = (double)l->vel_down_mps;
    } else if (leg != NULL) {
        k->speed_h_mps = mf_smaller((double)leg->speed_h_mps, (double)l->vel_h_mps);
        k->speed_up_mps = mf_smaller((double)leg->speed_up_mps, (double)l->vel_up_mps);
        k->speed_down_mps = mf_smaller((double)leg->speed_down_mps, (double)l->vel_down_mps);
        k->radius_m = (double)leg->radius_m;
    }
    k->speed_h_mps = mf_physics_top_mps(l, k->speed_h_mps);
}

/* Set the way to the first leg's target; if the ground is in the way, only the part of it above
 * ground. */
static int set_way(struct mf_physics_course *b, struct mf_way_task *k, const struct mf_leg *legs,
                   size_t n)
{
    const struct mf_geo target = {legs[0].lat_deg, legs[0].lon_deg};
    const struct mf_geo_line line = mf_geo_inverse(b->origin, target);
    const double there_m = ground_at(b, target);
    const bool raised = b->terrain != NULL && legs[0].alt_amsl_m < there_m;
    const double alt_m = raised ? there_m : legs[0].alt_amsl_m;
    const double climb_m = alt_m - k->alt_m;
    const double height_m = k->alt_m - b->ground_amsl_m;
    const bool cut = b->terrain == NULL && -climb_m > height_m;
    const double part = cut ? height_m / -climb_m : 1.0;
    const double distance_m = part * line.distance_m;
    if (line.distance_m > LEG_MAX_M) {
        return MF_E_RANGE;
    }
    k->target_m[0] = distance_m * mf_cos(line.azimuth_from_rad);
    k->target_m[1] = distance_m * mf_sin(line.azimuth_from_rad);
    k->target_m[2] = cut ? -height_m : climb_m;
    if (cut) {
        const struct mf_geo there = mf_geo_direct(b->origin, line.azimuth_from_rad, distance_m);
        return fly_to(b, k, there, b->ground_amsl_m);
    }
    if (n > 1) {
        k->corner_mps = mf_physics_corner_mps(&b->limits, &legs[0], &legs[1], line.azimuth_to_rad);
    }
    return fly_to(b, k, target, alt_m);
}

/* Turn the axes of the way that continues into the plane of the new one. */
static void turn_axes(struct mf_physics_course *b, const struct mf_physics_course *before)
{
    const struct mf_way_spot s = spot_at(before, b->start_us);
    double turn_rad;
    (void)place_of(before, s.x.x_m, s.y.x_m, &turn_rad);
    const double c = mf_cos(turn_rad);
    const double d = mf_sin(turn_rad);
    b->way.north = before->way.north * c - before->way.east * d;
    b->way.east = before->way.east * c + before->way.north * d;
}

/* Land on the ground at the place where the body stops, which does not depend on that ground. */
static int set_landing(struct mf_physics_course *b, struct mf_way_task *k,
                       const struct mf_physics_course *before)
{
    b->nears = k->onward != NULL;
    if (b->terrain != NULL) {
        mf_way_land(&b->way, k, &b->limits);
        if (set_end(b) != MF_E_OK) {
            return MF_E_RANGE;
        }
        k->ground_m = b->ground_amsl_m;
    }
    mf_way_land(&b->way, k, &b->limits);
    if (b->nears) {
        turn_axes(b, before);
    }
    const int err = set_end(b);
    if (b->nears) {
        b->end = before->end;
        b->ground_amsl_m = ground_at(b, b->end);
    }
    if (err == MF_E_OK) {
        const struct mf_way_spot s = spot_at(b, b->arrive_us);
        b->target_m[0] = s.x.x_m;
        b->target_m[1] = s.y.x_m;
        b->target_m[2] = b->ground_amsl_m;
        b->end_alt_m = b->ground_amsl_m;
    }
    return err;
}

/* Instant at which a velocity leads to the ground: the first one, or one not before arrive_us. */
static mf_us_t grounding_us(const struct mf_physics_course *b, const struct mf_way_task *k,
                            const double v_mps[3])
{
    const struct question q = {b, MF_WHEN_ALTITUDE, b->ground_amsl_m, true};
    if (b->terrain == NULL) {
        return first_us(&q, b->start_us, b->arrive_us);
    }
    const mf_us_t until_us = v_mps[2] < 0.0 ? b->arrive_us : b->settle_us;
    const bool sinks = v_mps[2] < 0.0 || k->v_mps[2] < 0.0;
    const double way_m = k->speed_h_mps * (double)(until_us - b->start_us) * 1e-6;
    return sinks ? mf_meets_ground_us(way_height, b, b->start_us, until_us, way_m) : MF_NEVER;
}

/* Change to a velocity, and keep it as far as a body flies, or until the ground. */
static int set_velocity(struct mf_physics_course *b, const struct mf_way_task *k,
                        const float vel_ned_mps[3])
{
    const bool lifts = k->alt_m <= b->ground_amsl_m + TRACE_M;
    double v[3];
    mf_physics_limit_velocity(&b->limits, vel_ned_mps, v);
    if (lifts && v[2] <= 0.0) {
        b->end_alt_m = b->ground_amsl_m;
        return MF_E_OK; /* the body stays on the ground */
    }
    mf_way_cruise(&b->way, k, &b->limits, v);
    const double deepest_m = b->terrain != NULL ? DEEPEST_M : b->ground_amsl_m;
    const double height_m = mf_way_at(&b->way, b->way.settle_s).alt.x_m - deepest_m;
    const double lasts_s =
        mf_velocity_lasts_s(mf_length2(v[0], v[1]), v[2], mf_larger(height_m, 0.0));
    b->way.end_s = mf_smaller(b->way.settle_s + lasts_s, DURATION_MAX_US * 1e-6);
    if (set_end(b) != MF_E_OK) {
        return MF_E_RANGE;
    }
    b->lift_us = b->start_us;
    const mf_us_t ground_us = lifts ? MF_NEVER : grounding_us(b, k, v);
    if (ground_us < b->arrive_us) {
        b->way.end_s = since_start_s(b, ground_us);
        (void)set_end(b);
    }
    if (b->end_alt_m <= b->ground_amsl_m + TRACE_M) {
        b->end_alt_m = b->ground_amsl_m;
    }
    return MF_E_OK;
}

static int set_turn(struct mf_physics_course *b, struct mf_motion m, const struct mf_leg *leg)
{
    const double acc = (double)b->limits.yaw_acc_rps2;
    const double jerk = YAW_JERK * acc;
    mf_profile_begin(&b->yaw, m.x_m, m.v_mps, m.a_mps2);
    mf_profile_change(&b->yaw, 0.0, acc, jerk);
    const double stop_rad = b->yaw.end.x_m;
    b->yaw_to_rad = mf_wrap_pi(stop_rad);
    if (leg != NULL && leg->yaw_rad != leg->yaw_rad && leg->spin_rps != 0.0f) {
        mf_profile_begin(&b->yaw, m.x_m, m.v_mps, m.a_mps2);
        mf_profile_change(&b->yaw, (double)leg->spin_rps, acc, jerk);
        b->turned_us = MF_NEVER;
        return MF_E_OK;
    }
    if (leg != NULL && leg->yaw_rad == leg->yaw_rad) {
        const double turn_rad = mf_wrap_pi((double)leg->yaw_rad - stop_rad);
        mf_profile_begin(&b->yaw, m.x_m, m.v_mps, m.a_mps2);
        mf_profile_reach(&b->yaw, stop_rad + turn_rad, (double)leg->yaw_rate_rps, acc, jerk);
        b->yaw_to_rad = mf_wrap_pi((double)leg->yaw_rad);
    }
    if (!(b->yaw.duration_s * 1e6 <= DURATION_MAX_US)) {
        return MF_E_RANGE;
    }
    b->turned_us = b->turn_us + mf_ceil_us(b->yaw.duration_s * 1e6);
    return MF_E_OK;
}

/* Upper bound of the speed until the run begins. */
static double speed_bound(const struct mf_way_task *k, const struct mf_physics_limits *l)
{
    double bound = k->speed_h_mps + k->speed_up_mps + k->speed_down_mps + 1.0;
    for (int i = 0; i < 3; i++) {
        const double a = k->a_mps2[i];
        bound += mf_abs(k->v_mps[i]) + a * a / (double)l->jerk_mps3;
    }
    return bound;
}

/* Begin a plan in the state of the course before, at the instant at which the new one begins. */
static int set_plan(struct mf_physics_course *b, const struct mf_physics_course *before,
                    const struct mf_leg *legs, size_t n)
{
    struct mf_way_task k;
    set_task(&k, before, b->start_us, n > 0 ? &legs[0] : NULL);
    b->speed_max_mps = speed_bound(&k, &b->limits);
    b->has_leg = n > 0;
    b->has_target = n > 0 && !legs[0].velocity;
    if (n == 0) {
        mf_way_stop(&b->way, &k, &b->limits);
        return set_end(b);
    }
    if (legs[0].land) {
        return set_landing(b, &k, before);
    }
    if (legs[0].velocity) {
        return set_velocity(b, &k, legs[0].vel_ned_mps);
    }
    b->radius_m = legs[0].radius_m;
    return set_way(b, &k, legs, n);
}

/* ---- operations of the airframe ---- */

static void drop(struct mf_physics_course *b)
{
    const double height_m = b->end_alt_m - b->ground_amsl_m;
    b->falling = true;
    b->way.run_from_m[2] = b->end_alt_m;
    b->end_alt_m = b->ground_amsl_m;
    b->arrive_us = b->start_us + mf_fall_us((double)b->limits.drag_per_s, height_m);
}

static int physics_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_airframe_physics *body = ctx;
    MF_ASSERT(body != NULL && t_us >= body->now.start_us);
    if (on == body->now.armed) {
        return MF_E_OK;
    }
    hold_place(&body->next, &body->now, t_us);
    body->now = body->next;
    body->now.armed = on;
    if (!on && !ends_on_ground(&body->now)) {
        drop(&body->now);
    }
    return MF_E_OK;
}

static int physics_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_airframe_physics *body = ctx;
    MF_ASSERT(body != NULL && t_us >= body->now.start_us);
    MF_ASSERT(n <= MF_PLAN_LEGS_MAX && (legs != NULL || n == 0));
    const struct mf_physics_course *b = &body->now;
    if (!b->armed) {
        return MF_E_DENIED;
    }
    if (!mf_legs_are_good(legs, n)) {
        return MF_E_RANGE;
    }
    hold_place(&body->next, b, t_us);
    const struct mf_leg *leg = n > 0 ? &legs[0] : NULL;
    if (set_turn(&body->next, yaw_at(b, t_us), leg) != MF_E_OK ||
        set_plan(&body->next, b, legs, n) != MF_E_OK) {
        return MF_E_RANGE;
    }
    set_arrival(&body->next);
    body->now = body->next;
    return MF_E_OK;
}

static int physics_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    struct mf_airframe_physics *body = ctx;
    MF_ASSERT(body != NULL && leg != NULL);
    const struct mf_physics_course *b = &body->now;
    MF_ASSERT(t_us >= b->start_us && t_us >= b->turn_us);
    if (!b->armed) {
        return MF_E_DENIED;
    }
    body->next = *b;
    body->next.turn_us = t_us;
    if (!mf_turn_is_good(leg) || set_turn(&body->next, yaw_at(b, t_us), leg) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (!on_ground(b, t_us)) {
        body->next.has_leg = true;
        body->now = body->next;
    }
    return MF_E_OK;
}

static int physics_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_airframe_physics *body = ctx;
    MF_ASSERT(body != NULL && pose != NULL);
    const struct mf_physics_course *b = &body->now;
    MF_ASSERT(t_us >= b->start_us);
    const struct state s = state_at(b, t_us);
    *pose = (struct mf_pose){
        .lat_deg = s.place.lat_deg,
        .lon_deg = s.place.lon_deg,
        .alt_amsl_m = s.alt_m,
        .ground_amsl_m = ground_at(b, s.place),
        .vel_ned_mps = {(float)s.v[0], (float)s.v[1], (float)-s.v[2]},
        .acc_ned_mps2 = {(float)s.a[0], (float)s.a[1], (float)-s.a[2]},
        .sinks_mps2 = (float)-s.a[2],
        .sinks_mps3 = (float)-s.j[2],
        .yaw_rad = (float)s.yaw.x_m,
        .yawspeed_rps = (float)s.yaw.v_mps,
        .on_ground = on_ground(b, t_us),
    };
    if (!at_rest(b, t_us) && !b->falling && !pose->on_ground) {
        const struct mf_thrust t =
            mf_thrust_of(s.v, s.a, s.j, &s.yaw, (double)b->limits.drag_per_s);
        mf_thrust_point(&t, mf_tan((double)b->limits.tilt_max_rad), pose);
    }
    return MF_E_OK;
}

static mf_us_t later_us(mf_us_t a_us, mf_us_t b_us)
{
    return a_us > b_us ? a_us : b_us;
}

static int physics_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    const struct mf_airframe_physics *body = ctx;
    MF_ASSERT(body != NULL && at_us != NULL);
    const struct mf_physics_course *b = &body->now;
    MF_ASSERT(t_us >= b->start_us);
    const struct question q = {b, when, value, altitude_at(b, t_us) > value};
    *at_us = MF_NEVER;
    switch (when) {
    case MF_WHEN_ARRIVED:
        *at_us = b->has_target ? later_us(t_us, b->arrived_us) : MF_NEVER;
        break;
    case MF_WHEN_TOUCHDOWN:
        *at_us = on_ground(b, t_us) ? t_us : ends_on_ground(b) ? b->arrive_us : MF_NEVER;
        break;
    case MF_WHEN_LIFTOFF:
        *at_us = !on_ground(b, t_us) ? t_us : t_us < b->lift_us ? b->lift_us : MF_NEVER;
        break;
    case MF_WHEN_ALTITUDE:
        *at_us = first_us(&q, t_us, b->arrive_us);
        break;
    case MF_WHEN_DISTANCE:
        *at_us = b->has_target ? first_us(&q, t_us, b->pass_us) : MF_NEVER;
        break;
    case MF_WHEN_REST:
        *at_us = later_us(t_us, b->arrive_us);
        break;
    case MF_WHEN_YAW:
        *at_us = b->has_leg && !turn_is_cut(b) ? later_us(t_us, b->turned_us) : MF_NEVER;
        break;
    default:
        break;
    }
    return MF_E_OK;
}

int mf_airframe_physics_set_limits(struct mf_airframe_physics *body,
                                   const struct mf_physics_limits *limits)
{
    MF_ASSERT(body != NULL && limits != NULL);
    if (!mf_physics_limits_are_good(limits)) {
        return MF_E_RANGE;
    }
    body->now.limits = *limits;
    return MF_E_OK;
}

static int physics_limit(void *ctx, const struct mf_physics_limits *limits)
{
    struct mf_airframe_physics *b = ctx;
    MF_ASSERT(b != NULL && limits != NULL);
    struct mf_physics_limits own = *limits;
    own.drag_per_s = b->now.limits.drag_per_s;
    own.damping = b->now.limits.damping;
    return mf_airframe_physics_set_limits(b, &own);
}

void mf_airframe_physics_init(struct mf_airframe_physics *body, double lat_deg, double lon_deg,
                              double alt_amsl_m, float yaw_rad,
                              const struct mf_physics_limits *limits)
{
    MF_ASSERT(body != NULL && limits != NULL && mf_physics_limits_are_good(limits));
    MF_ASSERT(mf_within(lat_deg, 90.0) && mf_within(lon_deg, 180.0));
    MF_ASSERT(mf_within(alt_amsl_m, 1e9) && mf_within((double)yaw_rad, 1e6));
    /* written in place, because a body is too large for the stack of a flight controller */
    memset(body, 0, sizeof *body);
    struct mf_physics_course *b = &body->now;
    b->limits = *limits;
    b->origin = b->end = (struct mf_geo){lat_deg, lon_deg};
    b->end_alt_m = b->ground_amsl_m = b->flat_amsl_m = alt_amsl_m;
    b->yaw_to_rad = mf_wrap_pi((double)yaw_rad);
}

void mf_airframe_physics_set_terrain(struct mf_airframe_physics *body, struct mf_terrain *terrain)
{
    MF_ASSERT(body != NULL && !body->now.armed);
    struct mf_physics_course *b = &body->now;
    b->terrain = terrain;
    b->ground_amsl_m = b->end_alt_m = ground_at(b, b->end);
}

const struct mf_airframe_ops mf_airframe_physics_ops = {
    .arm = physics_arm,
    .plan = physics_plan,
    .sample = physics_sample,
    .next = physics_next,
    .turn = physics_turn,
    .limit = physics_limit,
};
