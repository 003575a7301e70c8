/* SPDX-License-Identifier: Apache-2.0 */
/* Rigid bodies with six degrees of freedom. Called by world/mover_body, multirotor, mover_stepped,
 * mover_bee and fleet/foreign. */
#include "world/mover_rigid.h"

#include "hal/assert.h"
#include "math/trig.h"

/* Greatest angular rate about an axis, whatever the torque [rad/s]. */
#define SPIN_MAX_RPS 1e5

struct mf_vec3 mf_vec3_add(struct mf_vec3 a, struct mf_vec3 b)
{
    return (struct mf_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

struct mf_vec3 mf_vec3_times(struct mf_vec3 v, double by)
{
    return (struct mf_vec3){v.x * by, v.y * by, v.z * by};
}

double mf_vec3_dot(struct mf_vec3 a, struct mf_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct mf_vec3 mf_vec3_cross(struct mf_vec3 a, struct mf_vec3 b)
{
    return (struct mf_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Rotate v by a quaternion with scalar w and vector u: v + 2 w (u x v) + 2 u x (u x v). */
static struct mf_vec3 turned(double w, struct mf_vec3 u, struct mf_vec3 v)
{
    const struct mf_vec3 twice = mf_vec3_times(mf_vec3_cross(u, v), 2.0);
    return mf_vec3_add(v, mf_vec3_add(mf_vec3_times(twice, w), mf_vec3_cross(u, twice)));
}

struct mf_vec3 mf_rigid_to_ned(const double attitude[4], struct mf_vec3 frd)
{
    return turned(attitude[0], (struct mf_vec3){attitude[1], attitude[2], attitude[3]}, frd);
}

struct mf_vec3 mf_rigid_to_body(const double attitude[4], struct mf_vec3 ned)
{
    return turned(attitude[0], (struct mf_vec3){-attitude[1], -attitude[2], -attitude[3]}, ned);
}

static struct mf_vec3 per_axis(struct mf_vec3 v, struct mf_vec3 by)
{
    return (struct mf_vec3){v.x / by.x, v.y / by.y, v.z / by.z};
}

/* ---- free motion */

/* Turn an attitude about an axis of the body of length 1. */
static void turn_attitude(double q[4], struct mf_vec3 axis, struct mf_sin_cos half)
{
    const double w = half.cos, x = half.sin * axis.x, y = half.sin * axis.y, z = half.sin * axis.z;
    const double turned_by[4] = {
        q[0] * w - q[1] * x - q[2] * y - q[3] * z, q[0] * x + q[1] * w + q[2] * z - q[3] * y,
        q[0] * y + q[2] * w + q[3] * x - q[1] * z, q[0] * z + q[3] * w + q[1] * y - q[2] * x};
    for (int i = 0; i < 4; i++) {
        q[i] = turned_by[i];
    }
}

/* Attitude, and angular momentum along the body's axes, of a body that turns freely. */
struct spin {
    double q[4];
    double momentum[3];
};

/* Turn about one axis, by the difference of its moment from the others: the momentum is constant in
 * NED, so along the body's axes it turns the other way. */
static void spin_about(struct spin *s, int axis, double per_inertia, double dt_s)
{
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double angle_rad = s->momentum[axis] * per_inertia * dt_s;
    if (angle_rad == 0.0) {
        return;
    }
    const struct mf_sin_cos half = mf_sin_cos(0.5 * angle_rad);
    turn_attitude(s->q, (struct mf_vec3){axis == 0, axis == 1, axis == 2}, half);
    const double c = half.cos * half.cos - half.sin * half.sin, n = 2.0 * half.sin * half.cos;
    const double a = s->momentum[next], b = s->momentum[last];
    s->momentum[next] = c * a + n * b;
    s->momentum[last] = c * b - n * a;
}

/* Turn as a ball of this moment would. */
static void spin_as_ball(struct spin *s, double inertia_kgm2, double dt_s)
{
    const double length =
        mf_sqrt(s->momentum[0] * s->momentum[0] + s->momentum[1] * s->momentum[1] +
                s->momentum[2] * s->momentum[2]);
    const struct mf_vec3 axis = {s->momentum[0] / length, s->momentum[1] / length,
                                 s->momentum[2] / length};
    turn_attitude(s->q, axis, mf_sin_cos(0.5 * length / inertia_kgm2 * dt_s));
}

/* Two of the three moments of a symmetric body are equal, so one of the turns is zero, and the
 * other one is exact. For other bodies the two are composed to the fourth order (Yoshida 1990), in
 * a way that keeps momentum, and energy except for a ripple. */
static void spin_freely(struct spin *s, const double inertia_kgm2[3], double dt_s)
{
    static const double k_part[3] = {1.3512071919596578, -1.7024143839193153, 1.3512071919596578};
    const int all = inertia_kgm2[0] == inertia_kgm2[2] ? 0 : 1;
    const int one = (all + 1) % 3, two = (all + 2) % 3;
    const double per_one = 1.0 / inertia_kgm2[one] - 1.0 / inertia_kgm2[all];
    const double per_two = 1.0 / inertia_kgm2[two] - 1.0 / inertia_kgm2[all];
    spin_as_ball(s, inertia_kgm2[all], dt_s);
    if (per_one == 0.0 || per_two == 0.0) {
        spin_about(s, one, per_one, dt_s);
        spin_about(s, two, per_two, dt_s);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double part_s = k_part[i] * dt_s;
        spin_about(s, one, per_one, 0.5 * part_s);
        spin_about(s, two, per_two, part_s);
        spin_about(s, one, per_one, 0.5 * part_s);
    }
}

static void move_freely(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                        double dt_s)
{
    m->pos_m = mf_vec3_add(m->pos_m, mf_vec3_times(m->vel_mps, dt_s));
    if (m->rate_rps.x == 0.0 && m->rate_rps.y == 0.0 && m->rate_rps.z == 0.0) {
        return;
    }
    const double inertia[3] = {s->inertia_kgm2.x, s->inertia_kgm2.y, s->inertia_kgm2.z};
    struct spin spin = {.momentum = {inertia[0] * m->rate_rps.x, inertia[1] * m->rate_rps.y,
                                     inertia[2] * m->rate_rps.z}};
    for (int i = 0; i < 4; i++) {
        spin.q[i] = m->attitude[i];
    }
    spin_freely(&spin, inertia, dt_s);
    m->rate_rps = (struct mf_vec3){spin.momentum[0] / inertia[0], spin.momentum[1] / inertia[1],
                                   spin.momentum[2] / inertia[2]};
    const double length = mf_sqrt(spin.q[0] * spin.q[0] + spin.q[1] * spin.q[1] +
                                  spin.q[2] * spin.q[2] + spin.q[3] * spin.q[3]);
    for (int i = 0; i < 4; i++) {
        m->attitude[i] = spin.q[i] / length;
    }
}

/* ---- forces */

static struct mf_wrench wrench_at(const struct mf_mover_rigid *m,
                                  const struct mf_mover_rigid_settings *s, double ahead_s)
{
    struct mf_wrench sum = {0};
    for (size_t i = 0; i < s->sources; i++) {
        s->source[i].add(s->source[i].ctx, m, ahead_s, &sum);
    }
    return sum;
}

static double held(double rps)
{
    return mf_larger(mf_smaller(rps, SPIN_MAX_RPS), -SPIN_MAX_RPS);
}

static void turn_faster(struct mf_mover_rigid *m, struct mf_vec3 by_rps)
{
    const struct mf_vec3 w = mf_vec3_add(m->rate_rps, by_rps);
    m->rate_rps = (struct mf_vec3){held(w.x), held(w.y), held(w.z)};
}

/* Change the velocities by a wrench that acts for a time. */
static void act(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                const struct mf_wrench *w, double dt_s)
{
    m->vel_mps = mf_vec3_add(m->vel_mps, mf_vec3_times(w->force_n, dt_s / s->mass_kg));
    m->vel_mps.z += s->gravity_mps2 * dt_s;
    turn_faster(m, per_axis(mf_vec3_times(w->torque_nm, dt_s), s->inertia_kgm2));
}

void mf_mover_rigid_step(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         double dt_s)
{
    MF_ASSERT(dt_s > 0.0 && s->mass_kg > 0.0);
    MF_ASSERT(s->inertia_kgm2.x > 0.0 && s->inertia_kgm2.y > 0.0 && s->inertia_kgm2.z > 0.0);
    move_freely(m, s, 0.5 * dt_s);
    struct mf_wrench w = wrench_at(m, s, 0.5 * dt_s);
    if (s->sources > 0) { /* forces may depend on velocities: use those in the middle of the step */
        struct mf_mover_rigid middle = *m;
        act(&middle, s, &w, 0.5 * dt_s);
        w = wrench_at(&middle, s, 0.5 * dt_s);
    }
    act(m, s, &w, dt_s);
    m->specific_force_mps2 =
        mf_rigid_to_body(m->attitude, mf_vec3_times(w.force_n, 1.0 / s->mass_kg));
    move_freely(m, s, 0.5 * dt_s);
}

void mf_mover_rigid_push(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         struct mf_vec3 impulse_ns, struct mf_vec3 at_m)
{
    const struct mf_vec3 body_ns = mf_rigid_to_body(m->attitude, impulse_ns);
    m->vel_mps = mf_vec3_add(m->vel_mps, mf_vec3_times(impulse_ns, 1.0 / s->mass_kg));
    turn_faster(m, per_axis(mf_vec3_cross(at_m, body_ns), s->inertia_kgm2));
}

double mf_mover_rigid_bounce(struct mf_mover_rigid *m, struct mf_vec3 normal, double restitution)
{
    const double away = mf_vec3_dot(m->vel_mps, normal);
    if (away >= 0.0) {
        return 0.0;
    }
    m->vel_mps = mf_vec3_add(m->vel_mps, mf_vec3_times(normal, -(1.0 + restitution) * away));
    return -away;
}
