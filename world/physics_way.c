/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways of a body: transition, run, landing. Called by world/airframe_physics.
 *
 * The figures were fitted to recorded flights of a PX4 in SIH (tests/perf/physics_vs_sih.c). There
 * the trajectory is stretched in time while the vehicle lags behind it because of drag: it speeds
 * up with 0.69 of its greatest acceleration, up to three quarters of the speed, and creeps up to
 * the rest while an integrator works against the drag. It brakes by remaining distance, v(d) =
 * sqrt(b^2 / 4 + 2 a d) - b / 2 with b = 4 a^2 / jerk, which is half of a, then less and less.
 */
#include "world/physics_way.h"

#include "math/trig.h"

#define UNLIMITED      1e12
#define FOREVER_S      1e9 /* 30 years */
#define SAME_PLACE_M   1e-9
#define SAME_SPEED_MPS 1e-9

#define SPEED_UP  0.69 /* share of the greatest acceleration */
#define SPEED_ON  0.95 /* share of the greatest acceleration, from one corner to the next */
#define BRAKE     0.53 /* share of the greatest acceleration */
#define TURN      0.82 /* share of the greatest acceleration */
#define TURN_LATE 0.84 /* share of the greatest acceleration, where no corner was expected */
#define TAIL      0.1  /* share of the jerk, at the end of braking to a stop */
#define KNEE      0.765
/* share of the speed, after a turn of 90 degrees where no corner was expected */
#define LATE 0.74
/* time without creeping after an unexpected turn: the integrator points the old way */
#define UNWIND_S  4.5
#define CREEP_H_S 14.5
#define CREEP_V_S 6.0
/* factor on PX4's speed in a corner, at the radius: the vehicle lags behind */
#define TURN_IN     1.3
#define TURN_WAIT_S 0.8 /* wait after a corner, at its speed: PX4 speeds up when it is aligned */
/* share of MPC_LAND_SPEED: PX4 sinks more slowly while it is off its place */
#define LAND 0.92

#define AIM_MAX      60    /* iterations of a fixed point; ten are usual */
#define AIM_TOL      1e-11 /* tolerance of a unit vector */
#define SPEED_TRIALS 12

const struct mf_physics_limits mf_physics_limits_px4 = {
    .vel_h_mps = 12.0f,
    .vel_up_mps = 3.0f,
    .vel_down_mps = 1.5f,
    .acc_h_mps2 = 3.0f,
    .acc_up_mps2 = 4.0f,
    .acc_down_mps2 = 3.0f,
    .jerk_mps3 = 4.0f,
    .takeoff_mps = 1.5f,
    .takeoff_wait_s = 1.0f,
    .takeoff_ramp_s = 3.0f,
    .land_mps = 0.7f,
    .land_crawl_mps = 0.3f,
    .land_alt1_m = 10.0f,
    .land_alt2_m = 5.0f,
    .land_alt3_m = 1.0f,
    .alt_radius_m = 0.8f,
    .yaw_acc_rps2 = 0.45f,
    .tilt_max_rad = 0.785398f,
    .drag_per_s = 1.0f,
    .damping = 1.0f,
};

bool mf_physics_limits_are_good(const struct mf_physics_limits *l)
{
    const float positive[] = {l->vel_h_mps,  l->vel_up_mps,     l->vel_down_mps,
                              l->acc_h_mps2, l->acc_up_mps2,    l->acc_down_mps2,
                              l->jerk_mps3,  l->takeoff_mps,    l->takeoff_ramp_s,
                              l->land_mps,   l->land_crawl_mps, l->yaw_acc_rps2};
    for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++) {
        if (!(positive[i] >= 1e-3f && positive[i] <= 1e6f)) {
            return false;
        }
    }
    return l->land_alt1_m >= l->land_alt2_m && l->land_alt2_m >= l->land_alt3_m &&
           l->land_alt3_m >= 0.0f && l->land_alt1_m <= 1e6f && l->takeoff_wait_s >= 0.0f &&
           l->takeoff_wait_s <= 1e6f && l->alt_radius_m >= 0.0f && l->alt_radius_m <= 1e6f &&
           l->tilt_max_rad >= 0.01f && l->tilt_max_rad <= 1.5f && l->drag_per_s >= 0.0f &&
           l->drag_per_s <= 1e3f && l->damping >= 0.1f && l->damping <= 1.0f;
}

/* ---- the transition ---- */

/* Horizontal part of the transition: the acceleration decreases to 0, then the velocity changes
 * along a straight line. Both are vectors of limited length. */
struct turn {
    double unload_s;
    double unload_jerk[2];
    double change[2]; /* unit vector of the velocity's change */
    double ramp_s;
    double hold_s;
    double jerk;
    double duration_s;
    double to_m[2];
};

static double unload_s(const struct mf_way_task *k, double jerk)
{
    return mf_length2(k->a_mps2[0], k->a_mps2[1]) / jerk;
}

/* Velocity that remains when the acceleration has decreased to 0. */
static double unloaded_v(const struct mf_way_task *k, double jerk, int axis)
{
    return k->v_mps[axis] + k->a_mps2[axis] * 0.5 * unload_s(k, jerk);
}

static struct turn turn_to(const struct mf_way_task *k, const struct mf_physics_limits *l,
                           double v_north, double v_east)
{
    const double jerk = (double)l->jerk_mps3;
    const double to[2] = {v_north, v_east};
    struct turn t = {.unload_s = unload_s(k, jerk), .jerk = jerk};
    double left[2];
    for (int i = 0; i < 2; i++) {
        left[i] = unloaded_v(k, jerk, i);
        t.change[i] = to[i] - left[i];
    }
    const double gain = mf_length2(t.change[0], t.change[1]);
    if (gain > 0.0) {
        const double most =
            k->turn_mps > 0.0 || (v_north == 0.0 && v_east == 0.0) ? TURN : TURN_LATE;
        const double peak = mf_smaller(most * (double)l->acc_h_mps2, mf_sqrt(gain * jerk));
        t.ramp_s = peak / jerk;
        t.hold_s = mf_larger(gain / peak - t.ramp_s, 0.0);
    }
    const double change_s = 2.0 * t.ramp_s + t.hold_s;
    for (int i = 0; i < 2; i++) {
        const double a = k->a_mps2[i];
        t.unload_jerk[i] = t.unload_s > 0.0 ? -a / t.unload_s : 0.0;
        t.change[i] = gain > 0.0 ? t.change[i] / gain : 0.0;
        t.to_m[i] =
            t.unload_s * (k->v_mps[i] + t.unload_s * a / 3.0) + 0.5 * (left[i] + to[i]) * change_s;
    }
    t.duration_s = t.unload_s + change_s;
    return t;
}

/* Build the vertical part of the transition. */
static void climb_to(struct mf_profile *p, const struct mf_way_task *k,
                     const struct mf_physics_limits *l, double v_up)
{
    mf_profile_begin(p, k->alt_m, k->v_mps[2], k->a_mps2[2]);
    const double jerk = (double)l->jerk_mps3;
    const double left = k->v_mps[2] + k->a_mps2[2] * mf_abs(k->a_mps2[2]) / (2.0 * jerk);
    const double acc = (double)(v_up < left ? l->acc_down_mps2 : l->acc_up_mps2);
    mf_profile_change(p, v_up, acc, jerk);
}

/* Build the component of a turn along an axis of the frame. */
static void turn_along(struct mf_profile *p, const struct mf_way_task *k, const struct turn *t,
                       double north, double east)
{
    mf_profile_begin(p, 0.0, k->v_mps[0] * north + k->v_mps[1] * east,
                     k->a_mps2[0] * north + k->a_mps2[1] * east);
    const double jerk = t->jerk * (t->change[0] * north + t->change[1] * east);
    mf_profile_add(p, t->unload_s, t->unload_jerk[0] * north + t->unload_jerk[1] * east);
    mf_profile_add(p, t->ramp_s, jerk);
    mf_profile_add(p, t->hold_s, 0.0);
    mf_profile_add(p, t->ramp_s, -jerk);
    p->end.a_mps2 = 0.0;
}

/* ---- the path ---- */

/* Straight path from the end of the transition to the target. */
struct path {
    double unit[3];
    double speed_mps; /* speed at its beginning */
    double run_s;     /* start of the run */
    double length_m;
};

static double horizontal(const struct path *p)
{
    return mf_length2(p->unit[0], p->unit[1]);
}

/* Limit along the path that results from a limit along one axis. */
static double along_path(double limit, double part)
{
    return part * UNLIMITED > limit ? limit / part : UNLIMITED;
}

/* Angle of a turn as 1 - cos; a share of that below a speed. */
static double turned(const struct mf_way_task *k, const struct mf_physics_limits *l,
                     const struct path *p, double speed_mps)
{
    const double north = unloaded_v(k, (double)l->jerk_mps3, 0);
    const double east = unloaded_v(k, (double)l->jerk_mps3, 1);
    const double speed = mf_length2(north, east);
    const double h = horizontal(p);
    if (!(speed > 0.0) || !(h > 0.0)) {
        return 0.0;
    }
    const double ahead = (north * p->unit[0] + east * p->unit[1]) / (speed * h);
    return mf_smaller(speed / speed_mps, 1.0) * (1.0 - ahead);
}

/* Drag as a share of SIH's, up to 1: effects of the lag behind drag are proportional to it. */
static double lag(const struct mf_physics_limits *l)
{
    return mf_smaller((double)l->drag_per_s, 1.0);
}

static struct mf_shape shape_of(const struct mf_way_task *k, const struct mf_physics_limits *l,
                                const struct path *p)
{
    const double h = horizontal(p);
    const double v = mf_abs(p->unit[2]);
    const bool up = p->unit[2] > 0.0;
    const double gain = (double)(up ? l->acc_up_mps2 : l->acc_down_mps2);
    const double loss = (double)(up ? l->acc_down_mps2 : l->acc_up_mps2);
    const double acc_h = along_path((double)l->acc_h_mps2, h);
    const double jerk = (double)l->jerk_mps3 / mf_larger(h, v);
    const bool corners = k->turn_mps > 0.0 && k->corner_mps > 0.0;
    return (struct mf_shape){
        .speed_mps = mf_smaller(along_path(k->speed_h_mps, h),
                                along_path(up ? k->speed_up_mps : k->speed_down_mps, v)),
        .acc_mps2 = (corners ? SPEED_ON : SPEED_UP) * mf_smaller(acc_h, along_path(gain, v)),
        .brake_mps2 = BRAKE * mf_smaller(acc_h, along_path(loss, v)),
        .jerk_mps3 = jerk,
        .tail_jerk_mps3 = TAIL * jerk,
        .knee = KNEE + (1.0 - KNEE) * (1.0 - lag(l)),
        .creep_s = CREEP_H_S * h * h + CREEP_V_S * v * v,
        .wait_s =
            k->turn_mps > 0.0 ? 0.0 : UNWIND_S * lag(l) * turned(k, l, p, KNEE * k->speed_h_mps),
        .damping = k->damping,
    };
}

/* Aim at the rest of the way. @return change of the direction */
static double aim_at(struct path *p, const double left_m[3])
{
    double changed = 0.0;
    p->length_m = mf_sqrt(left_m[0] * left_m[0] + left_m[1] * left_m[1] + left_m[2] * left_m[2]);
    for (int i = 0; i < 3 && p->length_m > SAME_PLACE_M; i++) {
        const double unit = left_m[i] / p->length_m;
        changed += mf_abs(unit - p->unit[i]);
        p->unit[i] = unit;
    }
    return changed;
}

/* Initial speed of a path: the body's speed along it, reduced to a share. */
static double first_speed(const struct mf_way_task *k, const struct mf_physics_limits *l,
                          const struct path *p, double part)
{
    const double jerk = (double)l->jerk_mps3;
    const double north = unloaded_v(k, jerk, 0);
    const double east = unloaded_v(k, jerk, 1);
    const double ahead = north * p->unit[0] + east * p->unit[1];
    const double level = horizontal(p) * mf_length2(north, east);
    const double late = mf_smaller(turned(k, l, p, KNEE * k->speed_h_mps), 1.0);
    const double lost = lag(l) * late * mf_larger(level - LATE * k->speed_h_mps, 0.0);
    const double h =
        k->turn_mps > 0.0 ? mf_smaller(level, mf_larger(k->turn_mps, ahead)) : level - lost;
    const double left = k->v_mps[2] + k->a_mps2[2] * mf_abs(k->a_mps2[2]) / (2.0 * jerk);
    const double speed = h + mf_larger(0.0, left * p->unit[2]);
    return part * mf_smaller(speed, shape_of(k, l, p).speed_mps);
}

/* Find a path. The end of the transition depends on the direction of the path, and that on the end
 * of the transition: iterates to the fixed point. @param climb  out: vertical part of the
 * transition @return true: found */
static bool find_path(const struct mf_way_task *k, const struct mf_physics_limits *l, double part,
                      double wait_s, struct mf_profile *climb, struct path *p)
{
    *p = (struct path){.unit = {1.0, 0.0, 0.0}};
    (void)aim_at(p, k->target_m);
    for (int i = 0; i < AIM_MAX; i++) {
        p->speed_mps = first_speed(k, l, p, part);
        const double v[3] = {p->speed_mps * p->unit[0], p->speed_mps * p->unit[1],
                             p->speed_mps * p->unit[2]};
        const struct turn turn = turn_to(k, l, v[0], v[1]);
        climb_to(climb, k, l, v[2]);
        p->run_s = mf_larger(mf_larger(turn.duration_s, climb->duration_s), wait_s);
        if (k->turn_mps > 0.0 && k->turn_mps < p->speed_mps * 1.001) {
            const double sharp = 3.0 * turned(k, l, p, k->turn_mps) - 2.0; /* from 70 degrees on */
            p->run_s += TURN_WAIT_S * mf_larger(mf_smaller(sharp, 1.0), 0.0);
        }
        const double rest_s = p->run_s - turn.duration_s;
        const double alt_m = mf_profile_at(climb, p->run_s).x_m;
        const double left_m[3] = {k->target_m[0] - turn.to_m[0] - v[0] * rest_s,
                                  k->target_m[1] - turn.to_m[1] - v[1] * rest_s,
                                  k->target_m[2] - (alt_m - k->alt_m)};
        const double changed = aim_at(p, left_m);
        if (part == 0.0 || changed < AIM_TOL) {
            return true;
        }
    }
    return false;
}

/* ---- the run ---- */

/* Part of the path on which the target counts as reached, by distance and by altitude; 0: the body
 * must stop at the target. */
static double corner_part_m(const struct mf_way_task *k, const struct mf_physics_limits *l,
                            const struct path *p)
{
    const double part_m = mf_smaller(along_path(k->radius_m, horizontal(p)),
                                     along_path((double)l->alt_radius_m, mf_abs(p->unit[2])));
    return k->corner_mps > 0.0 && part_m < p->length_m ? part_m : 0.0;
}

static bool can_brake(const struct mf_way_task *k, const struct mf_physics_limits *l,
                      const struct path *p, struct mf_profile *scratch)
{
    const struct mf_shape shape = shape_of(k, l, p);
    const double within_m = corner_part_m(k, l, p);
    const double end = within_m > 0.0 ? along_path(TURN_IN * k->corner_mps, horizontal(p)) : 0.0;
    const double braking_m =
        mf_profile_braking_m(scratch, p->speed_mps, mf_smaller(end, p->speed_mps), &shape);
    return braking_m <= p->length_m - within_m;
}

/* Choose the path that begins as fast as the distance allows; one from a standstill always exists.
 * @param climb  scratch */
static struct path choose_path(const struct mf_way_task *k, const struct mf_physics_limits *l,
                               double wait_s, struct mf_profile *climb)
{
    struct path best;
    struct path trial;
    double low = 0.0;
    double high = 1.0;
    if (find_path(k, l, 1.0, wait_s, climb, &best) && can_brake(k, l, &best, climb)) {
        return best;
    }
    (void)find_path(k, l, 0.0, wait_s, climb, &best);
    for (int i = 0; i < SPEED_TRIALS; i++) {
        const double part = 0.5 * (low + high);
        if (find_path(k, l, part, wait_s, climb, &trial) && can_brake(k, l, &trial, climb)) {
            low = part;
            best = trial;
        } else {
            high = part;
        }
    }
    return best;
}

/* Stop at the target, or as soon as possible behind it, if a new plan is missing at the radius.
 * @return true: behind it */
static bool stop_within(struct mf_profile *run, double within_m, double brake_mps2,
                        double jerk_mps3)
{
    const double speed = run->end.v_mps;
    const double rest_m = within_m - mf_profile_stopping_m(run, brake_mps2, jerk_mps3);
    mf_profile_add(run, rest_m / speed, 0.0);
    mf_profile_change(run, 0.0, brake_mps2, jerk_mps3);
    return rest_m < 0.0;
}

/* Climb slowly from the ground up to a height, if the way above it is long enough. */
static double lift(struct mf_profile *run, const struct mf_physics_limits *l, const struct path *p,
                   double length_m, struct mf_shape *shape)
{
    struct mf_shape slow = *shape;
    const double up = p->unit[2];
    const double slow_m = (double)l->land_alt1_m / up;
    slow.speed_mps = mf_smaller(shape->speed_mps, (double)l->takeoff_mps / up);
    slow.acc_mps2 =
        mf_smaller(shape->acc_mps2, (double)l->takeoff_mps / ((double)l->takeoff_ramp_s * up));
    if (slow_m + mf_profile_braking_m(run, slow.speed_mps, 0.0, shape) < length_m &&
        mf_profile_run(run, slow_m, slow.speed_mps, &slow)) {
        return length_m - slow_m;
    }
    *shape = slow;
    return length_m;
}

static void fly_path(struct mf_way *w, const struct mf_way_task *k,
                     const struct mf_physics_limits *l, const struct path *p)
{
    struct mf_shape shape = shape_of(k, l, p);
    const double within_m = corner_part_m(k, l, p);
    const double end = along_path(TURN_IN * k->corner_mps, horizontal(p));
    double length_m = p->length_m - within_m;
    mf_profile_begin(&w->run, 0.0, p->speed_mps, 0.0);
    if (p->length_m <= SAME_PLACE_M) {
        return;
    }
    if (k->lifts_off && p->unit[2] > 0.0) {
        length_m = lift(&w->run, l, p, length_m, &shape);
    }
    if (within_m > 0.0) {
        (void)mf_profile_run(&w->run, length_m, mf_smaller(end, shape.speed_mps), &shape);
        w->passes = stop_within(&w->run, within_m, shape.brake_mps2 / BRAKE, shape.jerk_mps3);
    } else if (mf_profile_run(&w->run, length_m, 0.0, &shape) && shape.damping > 0.0) {
        w->swing = mf_swing(w->run.end.v_mps, shape.damping, shape.brake_mps2, shape.jerk_mps3);
    }
}

static double end_of_run_s(const struct mf_way *w)
{
    return w->run_s + w->run.duration_s + w->swing.duration_s;
}

/* ---- landing ---- */

/* Slow down between two heights above ground, if they are far enough apart. */
static void slow_between(struct mf_profile *run, double above_m, double upper_m, double lower_m,
                         double v_to, const struct mf_physics_limits *l)
{
    const double jerk = (double)l->jerk_mps3;
    const double v = run->end.v_mps;
    double acc = (double)l->acc_up_mps2;
    if (!(v > v_to)) {
        return;
    }
    mf_profile_add(run, (above_m - run->end.x_m - upper_m) / v, 0.0);
    const double time_s = 2.0 * (above_m - run->end.x_m - lower_m) / (v + v_to);
    const double spare = time_s * time_s - 4.0 * (v - v_to) / jerk;
    if (time_s > 0.0 && spare > 0.0) {
        acc = mf_smaller(acc, 0.5 * jerk * (time_s - mf_sqrt(spare)));
    }
    mf_profile_change(run, v_to, acc, jerk);
}

/* Speed at which PX4 descends at a height. */
static double landing_speed(const struct mf_way_task *k, const struct mf_physics_limits *l,
                            double above_m)
{
    const double low = mf_smaller(LAND * (double)l->land_mps, k->speed_down_mps);
    const double alt1_m = (double)l->land_alt1_m;
    const double alt2_m = (double)l->land_alt2_m;
    if (above_m <= (double)l->land_alt3_m) {
        return mf_smaller((double)l->land_crawl_mps, low);
    }
    if (above_m <= alt2_m) {
        return low;
    }
    const double part = above_m < alt1_m ? (above_m - alt2_m) / (alt1_m - alt2_m) : 1.0;
    return low + part * (k->speed_down_mps - low);
}

/* Build a descent with a share of the landing speed. @return false: it does not fit */
static bool descend(struct mf_way *w, const struct mf_way_task *k,
                    const struct mf_physics_limits *l, double part)
{
    const double speed = landing_speed(k, l, k->alt_m - k->ground_m);
    climb_to(&w->alt, k, l, -part * speed);
    const double above_m = w->alt.end.x_m - k->ground_m;
    struct path down = {.unit = {0.0, 0.0, -1.0}};
    struct mf_shape shape = shape_of(k, l, &down);
    mf_profile_begin(&w->run, 0.0, part * speed, 0.0);
    const double middle_m = 0.5 * ((double)l->land_alt1_m + (double)l->land_alt2_m);
    slow_between(&w->run, above_m, (double)l->land_alt1_m, middle_m, landing_speed(k, l, middle_m),
                 l);
    slow_between(&w->run, above_m, middle_m, (double)l->land_alt2_m,
                 landing_speed(k, l, (double)l->land_alt2_m), l);
    slow_between(&w->run, above_m, (double)l->land_alt3_m, (double)l->land_alt3_m,
                 landing_speed(k, l, (double)l->land_alt3_m), l);
    shape.speed_mps = w->run.end.v_mps > 0.0 ? w->run.end.v_mps : speed;
    return mf_profile_run(&w->run, above_m - w->run.end.x_m, 0.0, &shape);
}

/* ---- the way ---- */

static void set_transition(struct mf_way *w, const struct mf_way_task *k,
                           const struct mf_physics_limits *l, const struct path *p)
{
    const double h = horizontal(p);
    const bool level = h > 0.0 && p->length_m > SAME_PLACE_M;
    const struct turn turn = turn_to(k, l, p->speed_mps * p->unit[0], p->speed_mps * p->unit[1]);
    w->north = level ? p->unit[0] / h : 1.0;
    w->east = level ? p->unit[1] / h : 0.0;
    turn_along(&w->x, k, &turn, w->north, w->east);
    turn_along(&w->y, k, &turn, -w->east, w->north);
    climb_to(&w->alt, k, l, p->speed_mps * p->unit[2]);
    w->run_s = p->run_s;
    w->run_h = level ? h : 0.0;
    w->run_up = p->length_m > SAME_PLACE_M ? p->unit[2] : 0.0;
    w->run_from_m[0] = mf_profile_at(&w->x, p->run_s).x_m;
    w->run_from_m[1] = mf_profile_at(&w->y, p->run_s).x_m;
    w->run_from_m[2] = mf_profile_at(&w->alt, p->run_s).x_m;
}

void mf_way_stop(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits)
{
    struct path nowhere = {.unit = {1.0, 0.0, 0.0}};
    const struct turn turn = turn_to(task, limits, 0.0, 0.0);
    climb_to(&way->alt, task, limits, 0.0);
    nowhere.run_s = mf_larger(turn.duration_s, way->alt.duration_s);
    *way = (struct mf_way){.settle_s = nowhere.run_s, .end_s = nowhere.run_s};
    set_transition(way, task, limits, &nowhere);
    mf_profile_begin(&way->run, 0.0, 0.0, 0.0);
}

/* Follow another way along an axis, from t_s on, until it comes to rest. */
static void follow_onward(struct mf_profile *p, const struct mf_profile *transition,
                          const struct mf_way *onward, double t_s, double run_part)
{
    mf_profile_append(p, transition, t_s, 1.0);
    if (run_part != 0.0) {
        const double run_s = onward->run_s - t_s;
        mf_profile_add(p, run_s - p->duration_s, 0.0);
        mf_profile_append(p, &onward->run, -mf_smaller(run_s, 0.0), run_part);
    }
    p->end.v_mps = 0.0; /* except for rounding */
    p->end.a_mps2 = 0.0;
}

static void go_on_level(struct mf_way *w, const struct mf_way *onward, double t_s)
{
    const struct mf_way_spot s = mf_way_at(onward, t_s);
    w->north = onward->north;
    w->east = onward->east;
    mf_profile_begin(&w->x, 0.0, s.x.v_mps, s.x.a_mps2);
    mf_profile_begin(&w->y, 0.0, s.y.v_mps, s.y.a_mps2);
    follow_onward(&w->x, &onward->x, onward, t_s, onward->run_h);
    follow_onward(&w->y, &onward->y, onward, t_s, 0.0);
}

/* Stop horizontally. */
static void stop_level(struct mf_way *w, const struct mf_way_task *k,
                       const struct mf_physics_limits *l)
{
    const struct turn turn = turn_to(k, l, 0.0, 0.0);
    w->north = 1.0;
    turn_along(&w->x, k, &turn, 1.0, 0.0);
    turn_along(&w->y, k, &turn, 0.0, 1.0);
}

void mf_way_land(struct mf_way *way, const struct mf_way_task *task,
                 const struct mf_physics_limits *limits)
{
    double low = 0.0;
    double high = 1.0;
    *way = (struct mf_way){.run_up = -1.0};
    if (task->onward != NULL) {
        go_on_level(way, task->onward, task->onward_s);
    } else {
        stop_level(way, task, limits);
    }
    const double level_s = mf_larger(way->x.duration_s, way->y.duration_s);
    if (!descend(way, task, limits, 1.0)) {
        for (int i = 0; i < SPEED_TRIALS; i++) {
            const double part = 0.5 * (low + high);
            *(descend(way, task, limits, part) ? &low : &high) = part;
        }
        (void)descend(way, task, limits, low); /* even a standstill may be too late */
    }
    way->run_s = way->alt.duration_s;
    way->run_from_m[2] = way->alt.end.x_m;
    way->settle_s = mf_larger(way->run_s, level_s);
    way->end_s = mf_larger(way->run_s + way->run.duration_s, level_s);
}

/* Is the altitude the one to which the way before leads? Then its vertical part continues, and the
 * path is level. */
static bool levels(const struct mf_way_task *k)
{
    return k->onward != NULL &&
           mf_abs(k->alt_m + k->target_m[2] - k->onward_alt_m) < SAME_PLACE_M &&
           mf_length2(k->target_m[0], k->target_m[1]) > SAME_PLACE_M;
}

static void fly_level(struct mf_way *way, const struct mf_way_task *task,
                      const struct mf_physics_limits *l)
{
    const struct mf_way *onward = task->onward;
    struct mf_way_task level = *task;
    level.v_mps[2] = level.a_mps2[2] = level.target_m[2] = 0.0;
    climb_to(&way->alt, task, l, 0.0);
    const struct path path = choose_path(&level, l, way->alt.duration_s, &way->alt);
    *way = (struct mf_way){.length_m = path.length_m > SAME_PLACE_M ? path.length_m : 0.0};
    set_transition(way, &level, l, &path);
    fly_path(way, &level, l, &path);
    way->run_up = 0.0;
    mf_profile_begin(&way->alt, task->alt_m, task->v_mps[2], task->a_mps2[2]);
    follow_onward(&way->alt, &onward->alt, onward, task->onward_s, onward->run_up);
    way->settle_s = mf_larger(way->run_s, way->alt.duration_s);
    way->end_s = mf_larger(end_of_run_s(way), way->alt.duration_s);
}

void mf_way_fly(struct mf_way *way, const struct mf_way_task *task,
                const struct mf_physics_limits *limits)
{
    if (levels(task)) {
        fly_level(way, task, limits);
        return;
    }
    const double wait_s =
        (double)limits->takeoff_wait_s + (double)limits->takeoff_ramp_s - task->waited_s;
    const struct path path =
        choose_path(task, limits, task->lifts_off ? mf_larger(wait_s, 0.0) : 0.0, &way->alt);
    *way = (struct mf_way){.length_m = path.length_m > SAME_PLACE_M ? path.length_m : 0.0};
    set_transition(way, task, limits, &path);
    fly_path(way, task, limits, &path);
    way->settle_s = way->run_s;
    way->end_s = end_of_run_s(way);
}

/* Change the velocity along an axis, from any acceleration. */
static void change_along(struct mf_profile *p, const struct mf_way_task *k, const double v_mps[3],
                         const struct mf_physics_limits *l, double north, double east)
{
    mf_profile_begin(p, 0.0, k->v_mps[0] * north + k->v_mps[1] * east,
                     k->a_mps2[0] * north + k->a_mps2[1] * east);
    mf_profile_change(p, v_mps[0] * north + v_mps[1] * east, TURN * (double)l->acc_h_mps2,
                      (double)l->jerk_mps3);
}

/* Way without a run: the velocity at the end of the transition stays. Unlike on a way to a target,
 * the acceleration is not taken back first: a client that steers sends one velocity after another,
 * and the body would never finish taking it back. Axis x is that of the greatest change. */
void mf_way_cruise(struct mf_way *way, const struct mf_way_task *task,
                   const struct mf_physics_limits *limits, const double v_mps[3])
{
    const double jerk = (double)limits->jerk_mps3;
    const double north = v_mps[0] - unloaded_v(task, jerk, 0);
    const double east = v_mps[1] - unloaded_v(task, jerk, 1);
    const double gain = mf_length2(north, east);
    *way = (struct mf_way){.north = 1.0, .run_s = FOREVER_S, .end_s = FOREVER_S};
    if (gain > SAME_SPEED_MPS) {
        way->north = north / gain;
        way->east = east / gain;
    }
    change_along(&way->x, task, v_mps, limits, way->north, way->east);
    change_along(&way->y, task, v_mps, limits, -way->east, way->north);
    climb_to(&way->alt, task, limits, v_mps[2]);
    way->settle_s = mf_larger(mf_larger(way->x.duration_s, way->y.duration_s), way->alt.duration_s);
}

/* Motion along the path since the start of the run. */
static struct mf_motion along_run(const struct mf_way *way, double t_s)
{
    if (!(way->swing.v_mps > 0.0) || t_s < way->run.duration_s) {
        return mf_profile_at(&way->run, t_s);
    }
    struct mf_motion m = mf_swing_at(&way->swing, t_s - way->run.duration_s);
    m.x_m += way->length_m;
    return m;
}

static struct mf_motion on_run(struct mf_motion run, double from_m, double part)
{
    return (struct mf_motion){from_m + part * run.x_m, part * run.v_mps, part * run.a_mps2,
                              part * run.j_mps3};
}

struct mf_way_spot mf_way_at(const struct mf_way *way, double t_s)
{
    struct mf_motion run = {0.0, 0.0, 0.0, 0.0};
    struct mf_way_spot s;
    if (t_s >= way->run_s) {
        run = along_run(way, t_s - way->run_s);
    }
    if (t_s < way->run_s || way->run_up == 0.0) {
        s.alt = mf_profile_at(&way->alt, t_s);
    } else {
        s.alt = on_run(run, way->run_from_m[2], way->run_up);
    }
    if (t_s < way->run_s || way->run_h == 0.0) {
        s.x = mf_profile_at(&way->x, t_s);
        s.y = mf_profile_at(&way->y, t_s);
    } else {
        s.x = on_run(run, way->run_from_m[0], way->run_h);
        s.y = (struct mf_motion){way->run_from_m[1], 0.0, 0.0, 0.0};
    }
    return s;
}
