/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of a moving body. Called by boards/swarm/space/senses.c and sense_plugin.c. */
#include "world/sense.h"

#include "math/trig.h"

#define NEVER_M (__builtin_inf())

/* Compute a * x + b * y. */
static void mix(double a, const double x[3], double b, const double y[3], double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = a * x[k] + b * y[k];
    }
}

/* Vector product in north, east, down, or any other right-handed axes. */
static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void from_ned(const double ned[3], double neu[3])
{
    neu[0] = ned[0];
    neu[1] = ned[1];
    neu[2] = -ned[2];
}

/* Axes of a body, forward, right and down, in north, east and down. */
static void body_axes(const double rpy[3], double axis[3][3])
{
    const struct mf_sin_cos r = mf_sin_cos(rpy[0]), p = mf_sin_cos(rpy[1]), y = mf_sin_cos(rpy[2]);
    const double level[3] = {y.cos, y.sin, 0.0}, down[3] = {0.0, 0.0, 1.0};
    const double right[3] = {-y.sin, y.cos, 0.0};
    double below[3];
    mix(p.cos, level, -p.sin, down, axis[0]);
    mix(p.sin, level, p.cos, down, below);
    mix(r.cos, right, r.sin, below, axis[1]);
    mix(r.cos, below, -r.sin, right, axis[2]);
}

/* Angular velocity of a body. Yaw turns about the vertical, pitch about a level axis to the right,
 * roll about the body's own. */
static void turn_of(const struct mf_sense_body *b, const double forward[3], double turn[3])
{
    const struct mf_sin_cos y = mf_sin_cos(b->rpy_rad[2]);
    const double right[3] = {-y.sin, y.cos, 0.0}, down[3] = {0.0, 0.0, 1.0};
    double of_yaw_and_pitch[3];
    mix(b->rpy_per_s[2], down, b->rpy_per_s[1], right, of_yaw_and_pitch);
    mix(1.0, of_yaw_and_pitch, b->rpy_per_s[0], forward, turn);
}

static void set_axes(const struct mf_sense_mount *m, double axis[3][3], struct mf_sense *s)
{
    const struct mf_sin_cos y = mf_sin_cos(m->yaw_rad), p = mf_sin_cos(m->pitch_rad);
    double level[3], ned[3];
    mix(y.cos, axis[0], y.sin, axis[1], level);
    mix(p.cos, level, -p.sin, axis[2], ned);
    from_ned(ned, s->ahead);
    mix(-y.sin, axis[0], y.cos, axis[1], ned);
    from_ned(ned, s->right);
    mix(p.sin, level, p.cos, axis[2], ned);
    from_ned(ned, s->below);
}

void mf_sense_on(const struct mf_sense_body *body, const struct mf_sense_mount *mount,
                 struct mf_sense *s)
{
    double axis[3][3], turn[3], arm[3], along[3], inward[3], sum[3];
    MF_ASSERT(body != NULL && mount != NULL && s != NULL);
    body_axes(body->rpy_rad, axis);
    turn_of(body, axis[0], turn);
    mix(mount->offset_frd_m[0], axis[0], mount->offset_frd_m[1], axis[1], arm);
    mix(1.0, arm, mount->offset_frd_m[2], axis[2], arm);
    cross(turn, arm, along);
    cross(turn, along, inward);
    set_axes(mount, axis, s);
    from_ned(turn, s->turn_rps);
    from_ned(arm, sum);
    mix(1.0, body->neu_m, 1.0, sum, s->neu_m);
    mix(1.0, body->vel_ned_mps, 1.0, along, sum);
    from_ned(sum, s->vel_mps);
    mix(1.0, body->acc_ned_mps2, 1.0, inward, sum);
    sum[2] -= MF_GRAVITY_MPS2;
    from_ned(sum, s->force_mps2);
}

static void along_axes(const struct mf_sense *s, const double v[3], double out[3])
{
    out[0] = mf_dot3(v, s->ahead);
    out[1] = mf_dot3(v, s->right);
    out[2] = mf_dot3(v, s->below);
}

void mf_sense_acceleration(const struct mf_sense *s, double out[3])
{
    along_axes(s, s->force_mps2, out);
}

void mf_sense_rates(const struct mf_sense *s, double out[3])
{
    along_axes(s, s->turn_rps, out);
}

double mf_sense_ray(const struct mf_space *space, const double from[3], const double toward[3],
                    double reach_m)
{
    struct mf_ray_hit hit;
    double seen_m = NEVER_M;
    if (toward[2] < 0.0 && from[2] >= 0.0 && from[2] < -toward[2] * reach_m) {
        seen_m = from[2] / -toward[2];
    }
    if (space != NULL && space->count > 0 &&
        mf_space_ray(space, from, toward, mf_smaller(seen_m, reach_m), &hit)) {
        seen_m = hit.distance_m;
    }
    return seen_m < reach_m ? seen_m : NEVER_M;
}

void mf_sense_toward(const struct mf_sense *s, double turn_rad, double toward[3])
{
    const struct mf_sin_cos turn = mf_sin_cos(turn_rad);
    mix(turn.cos, s->ahead, turn.sin, s->right, toward);
}

struct mf_sense_flow mf_sense_flow(const struct mf_sense *s, const struct mf_space *space,
                                   double reach_m)
{
    const double x[3] = {-s->below[0], -s->below[1], -s->below[2]};
    struct mf_sense_flow flow = {.turn_rps = {mf_dot3(s->turn_rps, x),
                                              mf_dot3(s->turn_rps, s->right),
                                              mf_dot3(s->turn_rps, s->ahead)},
                                 .distance_m = mf_sense_ray(space, s->neu_m, s->ahead, reach_m)};
    flow.x_rps = flow.turn_rps[0];
    flow.y_rps = flow.turn_rps[1];
    if (flow.distance_m > 0.0 && mf_finite(flow.distance_m)) {
        flow.x_rps -= mf_dot3(s->vel_mps, s->right) / flow.distance_m;
        flow.y_rps += mf_dot3(s->vel_mps, x) / flow.distance_m;
    }
    return flow;
}

void mf_sense_footprint(const struct mf_sense *s, const double half_rad[2], double corner[4][2])
{
    static const double k_sign[4][2] = {{-1.0, 1.0}, {1.0, 1.0}, {1.0, -1.0}, {-1.0, -1.0}};
    const struct mf_sin_cos across = mf_sin_cos(half_rad[0]), along = mf_sin_cos(half_rad[1]);
    for (size_t k = 0; k < 4; k++) {
        double aside[3], toward[3];
        mix(k_sign[k][0] * across.sin / across.cos, s->right, -k_sign[k][1] * along.sin / along.cos,
            s->below, aside);
        mix(1.0, s->ahead, 1.0, aside, toward);
        const bool meets = toward[2] < 0.0 && s->neu_m[2] >= 0.0;
        const double times = meets ? s->neu_m[2] / -toward[2] : 0.0;
        corner[k][0] = meets ? s->neu_m[0] + times * toward[0] : NEVER_M;
        corner[k][1] = meets ? s->neu_m[1] + times * toward[1] : NEVER_M;
    }
}
