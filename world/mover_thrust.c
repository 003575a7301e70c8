/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of UavSim. Called by fleet/search. */
#include "world/mover_thrust.h"

#include "hal/assert.h"
#include "math/trig.h"

#include <stddef.h>

#define GRAVITY_MPS2 9.81f /* UavSim's; per mass, or under compat for all masses */
#define DENSITY      1.225 /* of air [kg/m^3] */
#define DRAG         1.2   /* coefficient */
#define NEAR         1.0f  /* tolerance of a goal [m] and of a velocity [m/s] */
#define PASSED       5.0f /* distance of a goal from which a body that goes away has passed it [m] */
#define DIRECTIONS   6

static struct mf_enu add(struct mf_enu a, struct mf_enu b)
{
    return (struct mf_enu){a.e + b.e, a.n + b.n, a.u + b.u};
}

static struct mf_enu scaled(struct mf_enu v, float by)
{
    return (struct mf_enu){v.e * by, v.n * by, v.u * by};
}

static struct mf_enu minus(struct mf_enu a, struct mf_enu b)
{
    return add(a, scaled(b, -1.0f));
}

static float dot(struct mf_enu a, struct mf_enu b)
{
    return a.e * b.e + a.n * b.n + a.u * b.u;
}

static float root(float x)
{
    return (float)mf_sqrt((double)x);
}

float mf_enu_length(struct mf_enu v)
{
    return root(dot(v, v));
}

/* Component of @p v along @p onto, which is not zero. */
static struct mf_enu along(struct mf_enu v, struct mf_enu onto)
{
    return scaled(onto, dot(v, onto) / dot(onto, onto));
}

static struct mf_enu unit(struct mf_enu v)
{
    const float length = mf_enu_length(v);
    return (struct mf_enu){v.e / length, v.n / length, v.u / length};
}

/* Distance of @p p from a segment, in the plane or in space as dot() sees them. */
static float distance_to_segment(struct mf_enu p, struct mf_enu a, struct mf_enu b)
{
    const struct mf_enu way = minus(b, a);
    const float whole = dot(way, way);
    const float part = whole > 0.0f ? dot(minus(p, a), way) / whole : 0.0f;
    const float held = (float)mf_larger(0.0, mf_smaller(1.0, (double)part));
    return mf_enu_length(minus(p, add(a, scaled(way, held))));
}

static struct mf_enu level(struct mf_enu v)
{
    return (struct mf_enu){v.e, v.n, 0.0f};
}

bool mf_enu_near_segment(struct mf_enu p, struct mf_enu a, struct mf_enu b, float radius)
{
    return distance_to_segment(level(p), level(a), level(b)) <= radius;
}

static struct mf_enu wanted_velocity(const struct mf_mover_thrust *m,
                                     const struct mf_mover_goal *goal)
{
    if (goal != NULL) {
        const struct mf_enu way = minus(goal->at_m, m->pos_m);
        if (dot(way, way) > 0.0f) {
            return scaled(unit(way), goal->speed_mps);
        }
    }
    return (struct mf_enu){0.0f, 0.0f, 0.0f};
}

float mf_mover_thrust_weight_n(const struct mf_mover_thrust_settings *s)
{
    return s->compat ? GRAVITY_MPS2 : GRAVITY_MPS2 * s->mass_kg;
}

double mf_mover_thrust_terminal_mps(const struct mf_mover_thrust_settings *s)
{
    return mf_sqrt((double)s->forward_n / (0.5 * DENSITY * DRAG * s->area_m2));
}

/* Force of gravity and air. */
static struct mf_enu force_of_world(const struct mf_mover_thrust *m,
                                    const struct mf_mover_thrust_settings *s, struct mf_enu wind)
{
    const struct mf_enu gravity = {0.0f, 0.0f, -mf_mover_thrust_weight_n(s)};
    const struct mf_enu air = minus(m->vel_mps, wind);
    const double speed = (double)mf_enu_length(air);
    if (speed == 0.0) {
        return gravity;
    }
    const double drag_n = 0.5 * DENSITY * (speed * speed) * DRAG * s->area_m2;
    return add(gravity, scaled(unit(air), (float)-drag_n));
}

/* ---- as published */

static struct mf_enu turned(struct mf_enu v, double rad, float length)
{
    const struct mf_sin_cos t = mf_sin_cos(rad);
    const double e = (double)v.e;
    const double n = (double)v.n;
    return scaled(
        (struct mf_enu){(float)(t.cos * e - t.sin * n), (float)(t.sin * e + t.cos * n), v.u},
        length);
}

/* Directions of thrust. As published, degrees are used as radians. */
static void directions(struct mf_enu heading, const struct mf_mover_thrust_settings *s,
                       struct mf_enu out[DIRECTIONS])
{
    const struct mf_enu flat = level(heading);
    const struct mf_enu ahead = dot(flat, flat) > 0.0f ? unit(flat) : flat;
    out[0] = (struct mf_enu){0.0f, 0.0f, s->up_n};
    out[1] = (struct mf_enu){0.0f, 0.0f, s->down_n};
    out[2] = scaled(ahead, s->forward_n);
    out[3] = turned(ahead, 90.0, s->left_n);
    out[4] = turned(ahead, 180.0, s->backward_n);
    out[5] = turned(ahead, 270.0, s->right_n);
}

/* Use one direction of thrust to balance the world's force. @return the rest of that thrust */
static struct mf_enu balance(struct mf_enu from, struct mf_enu *world, struct mf_enu *thrust)
{
    if (dot(*world, *world) == 0.0f) {
        return from;
    }
    struct mf_enu part = along(from, *world);
    if (dot(part, *world) >= 0.0f) {
        return from;
    }
    const float need = mf_enu_length(*world);
    if (mf_enu_length(part) > need) {
        part = scaled(unit(part), need);
        *world = (struct mf_enu){0.0f, 0.0f, 0.0f};
    } else {
        *world = add(*world, part);
    }
    *thrust = add(*thrust, part);
    return minus(from, part);
}

static struct mf_enu published_thrust(const struct mf_mover_thrust *m,
                                      const struct mf_mover_thrust_settings *s, struct mf_enu world,
                                      struct mf_enu change)
{
    struct mf_enu from[DIRECTIONS];
    struct mf_enu thrust = {0.0f, 0.0f, 0.0f};
    const bool changes = dot(change, change) > 0.0f;
    directions(m->heading, s, from);
    if (changes && dot(world, change) > 0.0f) { /* a force that helps needs no balance */
        world = minus(world, along(world, change));
    }
    for (int i = 0; i < DIRECTIONS; i++) {
        const struct mf_enu left = balance(from[i], &world, &thrust);
        if (changes && dot(left, change) > 0.0f) {
            thrust = add(thrust, along(left, change));
        }
    }
    return thrust;
}

/* ---- within its limits */

/* The axes of a body are ahead, to the left and up. */
static struct mf_enu to_body(struct mf_enu ahead, struct mf_enu v)
{
    return (struct mf_enu){v.e * ahead.e + v.n * ahead.n, v.n * ahead.e - v.e * ahead.n, v.u};
}

static struct mf_enu from_body(struct mf_enu ahead, struct mf_enu v)
{
    return (struct mf_enu){v.e * ahead.e - v.n * ahead.n, v.n * ahead.e + v.e * ahead.n, v.u};
}

static float held_between(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/* Thrust against the world's force and along the change of velocity. Each axis has its own limits:
 * the upward one carries the weight, whatever the others need. */
static struct mf_enu limited_thrust(const struct mf_mover_thrust *m,
                                    const struct mf_mover_thrust_settings *s, struct mf_enu world,
                                    struct mf_enu change_n)
{
    const struct mf_enu flat = level(m->heading);
    const struct mf_enu ahead =
        dot(flat, flat) > 0.0f ? unit(flat) : (struct mf_enu){0.0f, 1.0f, 0.0f};
    const struct mf_enu need = to_body(ahead, minus(change_n, world));
    return from_body(ahead, (struct mf_enu){held_between(need.e, -s->backward_n, s->forward_n),
                                            held_between(need.n, -s->right_n, s->left_n),
                                            held_between(need.u, -s->down_n, s->up_n)});
}

/* ---- steps */

/* A corrected body looks into the air that passes, so that a headwind which drives it back does not
 * turn it round, and leave it the thrust of its back only. */
static void take_velocity(struct mf_mover_thrust *m, const struct mf_mover_thrust_settings *s,
                          struct mf_enu wind, struct mf_enu wanted, float dt_s)
{
    const struct mf_enu world = force_of_world(m, s, wind);
    const struct mf_enu change = minus(wanted, m->vel_mps);
    m->thrust_n = s->compat ? published_thrust(m, s, world, change)
                            : limited_thrust(m, s, world, scaled(change, s->mass_kg / dt_s));
    const struct mf_enu next = add(m->vel_mps, scaled(add(world, m->thrust_n), dt_s / s->mass_kg));
    const bool met = s->compat && mf_enu_near_segment(wanted, m->vel_mps, next, NEAR);
    m->vel_mps = met ? wanted : next;
    const struct mf_enu way = s->compat ? m->vel_mps : minus(m->vel_mps, wind);
    if (dot(way, way) > 0.0f) {
        m->heading = unit(way);
    }
}

/* Does a body go away from a goal that it has come near to? */
static bool has_passed(const struct mf_mover_thrust *m, struct mf_enu goal)
{
    const struct mf_enu way = minus(goal, m->pos_m);
    return dot(way, m->vel_mps) < 0.0f && mf_enu_length(way) <= PASSED;
}

bool mf_mover_thrust_step(struct mf_mover_thrust *m, const struct mf_mover_thrust_settings *s,
                          const struct mf_mover_goal *goal, struct mf_enu wind_mps, float dt_s)
{
    MF_ASSERT(dt_s > 0.0f && s->mass_kg > 0.0f);
    take_velocity(m, s, wind_mps, wanted_velocity(m, goal), dt_s);
    const struct mf_enu from = m->pos_m;
    m->pos_m = add(m->pos_m, scaled(m->vel_mps, dt_s));
    if (goal == NULL) {
        return false;
    }
    const bool reached = s->compat ? mf_enu_near_segment(goal->at_m, from, m->pos_m, NEAR)
                                   : distance_to_segment(goal->at_m, from, m->pos_m) <= NEAR ||
                                         has_passed(m, goal->at_m);
    if (reached && s->compat) {
        m->pos_m = goal->at_m;
    }
    return reached;
}
