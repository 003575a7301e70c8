/* SPDX-License-Identifier: Apache-2.0 */
#include "world/mover_rigid.h"

#include "hal/assert.h"
#include "math/trig.h"

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

static struct mf_vec3 cross(struct mf_vec3 a, struct mf_vec3 b)
{
    return (struct mf_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* v + 2 w (u x v) + 2 u x (u x v), with the quaternion's w and vector u. */
static struct mf_vec3 turned(double w, struct mf_vec3 u, struct mf_vec3 v)
{
    const struct mf_vec3 twice = mf_vec3_times(cross(u, v), 2.0);
    return mf_vec3_add(v, mf_vec3_add(mf_vec3_times(twice, w), cross(u, twice)));
}

struct mf_vec3 mf_rigid_to_ned(const double attitude[4], struct mf_vec3 frd)
{
    return turned(attitude[0], (struct mf_vec3){attitude[1], attitude[2], attitude[3]}, frd);
}

struct mf_vec3 mf_rigid_to_body(const double attitude[4], struct mf_vec3 ned)
{
    return turned(attitude[0], (struct mf_vec3){-attitude[1], -attitude[2], -attitude[3]}, ned);
}

static struct mf_vec3 by_axis(struct mf_vec3 v, struct mf_vec3 by)
{
    return (struct mf_vec3){v.x * by.x, v.y * by.y, v.z * by.z};
}

static struct mf_vec3 per_axis(struct mf_vec3 v, struct mf_vec3 by)
{
    return (struct mf_vec3){v.x / by.x, v.y / by.y, v.z / by.z};
}

/* How the state changes, per second. */
struct change {
    struct mf_vec3 vel_mps, acc_mps2, turn_rps2;
    double attitude[4];
    struct mf_vec3 felt_mps2; /* acceleration without gravity, NED */
};

static struct change change_at(const struct mf_mover_rigid *m,
                               const struct mf_mover_rigid_settings *s, double ahead_s)
{
    struct mf_wrench sum = {0};
    for (size_t i = 0; i < s->sources; i++) {
        s->source[i].add(s->source[i].ctx, m, ahead_s, &sum);
    }
    const struct mf_vec3 w = m->rate_rps;
    const double *q = m->attitude;
    const struct mf_vec3 felt = mf_vec3_times(sum.force_n, 1.0 / s->mass_kg);
    const struct mf_vec3 gyroscopic = cross(by_axis(w, s->inertia_kgm2), w);
    return (struct change){
        .vel_mps = m->vel_mps,
        .acc_mps2 = {felt.x, felt.y, felt.z + s->gravity_mps2},
        .turn_rps2 = per_axis(mf_vec3_add(sum.torque_nm, gyroscopic), s->inertia_kgm2),
        .attitude = {0.5 * (-q[1] * w.x - q[2] * w.y - q[3] * w.z),
                     0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y),
                     0.5 * (q[0] * w.y + q[3] * w.x - q[1] * w.z),
                     0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x)},
        .felt_mps2 = felt,
    };
}

/* @p m after @p dt_s of a change that does not change. */
static struct mf_mover_rigid moved(const struct mf_mover_rigid *m, const struct change *c,
                                   double dt_s)
{
    struct mf_mover_rigid to = {
        .pos_m = mf_vec3_add(m->pos_m, mf_vec3_times(c->vel_mps, dt_s)),
        .vel_mps = mf_vec3_add(m->vel_mps, mf_vec3_times(c->acc_mps2, dt_s)),
        .rate_rps = mf_vec3_add(m->rate_rps, mf_vec3_times(c->turn_rps2, dt_s)),
    };
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        to.attitude[i] = m->attitude[i] + c->attitude[i] * dt_s;
        square += to.attitude[i] * to.attitude[i];
    }
    const double length = mf_sqrt(square);
    for (int i = 0; i < 4; i++) {
        to.attitude[i] /= length;
    }
    return to;
}

void mf_mover_rigid_step(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                         double dt_s)
{
    MF_ASSERT(dt_s > 0.0 && s->mass_kg > 0.0);
    MF_ASSERT(s->inertia_kgm2.x > 0.0 && s->inertia_kgm2.y > 0.0 && s->inertia_kgm2.z > 0.0);
    const struct change begin = change_at(m, s, 0.0);
    const struct mf_mover_rigid half = moved(m, &begin, 0.5 * dt_s);
    const struct change middle = change_at(&half, s, 0.5 * dt_s);
    *m = moved(m, &middle, dt_s);
    m->specific_force_mps2 = mf_rigid_to_body(half.attitude, middle.felt_mps2);
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
