/* SPDX-License-Identifier: Apache-2.0 */
/* Rigid bodies with a list of forces and contacts. Called by world/mover_stepped. */
#include "world/mover_body.h"

#include "hal/assert.h"
#include "math/trig.h"

_Static_assert(MF_BODY_FORCES_MAX <= 32, "a bit each");

#define AIR_KGPM3 1.225
/* Gain by which FOLLOW turns the body upright and to its heading [1/s]. */
#define UPRIGHT_PER_S 4.0
/* Maximum number of contacts within a step; then the body waits for the next step. */
#define CONTACTS_MAX 8
/* Cosine of the steepest slope that carries a body. */
#define CARRIES 0.7
/* Distance of a body from an obstacle that it has met [m]. */
#define APART_M 1e-7
#define GROUND  UINT32_MAX
#define REFINES 3

/* ---- forces */

/* Data that the list of forces needs. */
struct acting {
    const struct mf_mover_body_settings *s;
    const struct mf_body_told *told;
    double t_s;
    /* duration of the step: limits braking forces so that they do not reverse the motion within
     * it */
    double dt_s;
};

/* Convert up to down: a scenario counts upwards. */
static struct mf_vec3 down_of(const double up[3])
{
    return (struct mf_vec3){up[0], up[1], -up[2]};
}

static struct mf_vec3 level_of(const struct mf_body_force *f, const double attitude[4])
{
    const struct mf_vec3 v = down_of(f->vector);
    return f->with_body ? mf_rigid_to_ned(attitude, v) : v;
}

static void add_push(const struct mf_body_force *f, const struct mf_mover_rigid *at,
                     struct mf_wrench *sum)
{
    const struct mf_vec3 force = level_of(f, at->attitude);
    sum->force_n = mf_vec3_add(sum->force_n, force);
    sum->torque_nm = mf_vec3_add(
        sum->torque_nm, mf_vec3_cross(down_of(f->at_m), mf_rigid_to_body(at->attitude, force)));
}

static void add_drag(const struct mf_body_force *f, const struct acting *a,
                     const struct mf_mover_rigid *at, struct mf_wrench *sum)
{
    const struct mf_vec3 air = mf_vec3_add(a->told->wind_mps, mf_vec3_times(at->vel_mps, -1.0));
    const double speed = mf_sqrt(mf_vec3_dot(air, air));
    const double drag_nspm =
        mf_smaller(0.5 * AIR_KGPM3 * f->area_m2 * speed, a->s->mass_kg / a->dt_s);
    const struct mf_vec3 i = a->s->inertia_kgm2;
    const double rate_drag_nms =
        mf_smaller(f->rate_drag_nms, mf_smaller(i.x, mf_smaller(i.y, i.z)) / a->dt_s);
    sum->force_n = mf_vec3_add(sum->force_n, mf_vec3_times(air, drag_nspm));
    sum->torque_nm = mf_vec3_add(sum->torque_nm, mf_vec3_times(at->rate_rps, -rate_drag_nms));
}

/* Angular acceleration that turns the body upright and to its heading, critically damped: twice the
 * vector of the turn that is left. */
static struct mf_vec3 upright(const struct acting *a, const struct mf_mover_rigid *at)
{
    const struct mf_sin_cos half = mf_sin_cos(0.5 * a->told->yaw_rad);
    const double *q = at->attitude;
    const double w = q[0] * half.cos + q[3] * half.sin;
    const double sign = w < 0.0 ? -2.0 : 2.0;
    const struct mf_vec3 left = {sign * (-q[1] * half.cos - q[2] * half.sin),
                                 sign * (-q[2] * half.cos + q[1] * half.sin),
                                 sign * (-q[3] * half.cos + q[0] * half.sin)};
    const struct mf_vec3 turn = mf_vec3_add(mf_vec3_times(left, UPRIGHT_PER_S * UPRIGHT_PER_S),
                                            mf_vec3_times(at->rate_rps, -2.0 * UPRIGHT_PER_S));
    const struct mf_vec3 i = a->s->inertia_kgm2;
    return (struct mf_vec3){turn.x * i.x, turn.y * i.y, turn.z * i.z};
}

static void add_follow(const struct mf_body_force *f, const struct acting *a,
                       const struct mf_mover_rigid *at, struct mf_wrench *sum)
{
    if (!a->told->works) {
        return;
    }
    const struct mf_vec3 off = mf_vec3_add(a->told->want_mps, mf_vec3_times(at->vel_mps, -1.0));
    const double per_s = mf_smaller(f->gain_per_s, 1.0 / a->dt_s);
    struct mf_vec3 force = mf_vec3_times(off, per_s * a->s->mass_kg);
    force.z -= a->s->mass_kg * a->s->gravity_mps2;
    const double size = mf_sqrt(mf_vec3_dot(force, force));
    force = size > f->most_n ? mf_vec3_times(force, f->most_n / size) : force;
    sum->force_n = mf_vec3_add(sum->force_n, force);
    sum->torque_nm = mf_vec3_add(sum->torque_nm, upright(a, at));
}

static void add_forces(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                       struct mf_wrench *sum)
{
    const struct acting *a = ctx;
    for (uint32_t i = 0; i < a->s->forces; i++) {
        const struct mf_body_force *f = &a->s->force[i];
        const double t_s = a->t_s + ahead_s;
        if (!(t_s >= f->from_s && t_s < f->until_s)) {
            continue;
        }
        if (f->kind == MF_BODY_FORCE_PUSH) {
            add_push(f, at, sum);
        } else if (f->kind == MF_BODY_FORCE_TORQUE) {
            sum->torque_nm = mf_vec3_add(sum->torque_nm, down_of(f->vector));
        } else if (f->kind == MF_BODY_FORCE_DRAG) {
            add_drag(f, a, at, sum);
        } else if (f->kind == MF_BODY_FORCE_FOLLOW) {
            add_follow(f, a, at, sum);
        }
    }
}

static struct mf_mover_rigid_settings rigid_of(const struct mf_mover_body_settings *s,
                                               const struct mf_force_source *source)
{
    return (struct mf_mover_rigid_settings){s->mass_kg, s->inertia_kgm2, s->gravity_mps2, source,
                                            1};
}

const struct mf_body_force *mf_mover_body_follows(const struct mf_mover_body_settings *s)
{
    for (uint32_t i = 0; i < s->forces; i++) {
        if (s->force[i].kind == MF_BODY_FORCE_FOLLOW) {
            return &s->force[i];
        }
    }
    return NULL;
}

/* ---- contacts */

/* First contact within a step that moves the body from @c m to @c to. */
struct meeting {
    double after_s;
    struct mf_vec3 normal;
    uint32_t with; /* an obstacle, or the ground */
};

/* Find the contact with the ground. Between its ends a step is a parabola. */
static bool meet_ground(const struct mf_mover_rigid *m, const struct mf_mover_rigid *to,
                        double level_m, double dt_s, struct meeting *meeting)
{
    const double way_m = mf_larger(level_m - m->pos_m.z, 0.0);
    if (to->pos_m.z <= level_m) {
        return false;
    }
    const double acc = (to->vel_mps.z - m->vel_mps.z) / dt_s;
    const double square = m->vel_mps.z * m->vel_mps.z + 2.0 * acc * way_m;
    const double divisor = m->vel_mps.z + mf_sqrt(mf_larger(square, 0.0));
    const double after_s = divisor > 0.0 ? 2.0 * way_m / divisor : 0.0;
    *meeting = (struct meeting){mf_smaller(after_s, dt_s), {0.0, 0.0, -1.0}, GROUND};
    return true;
}

static struct mf_ball ball_of(const struct mf_mover_body_settings *s, struct mf_vec3 at_m,
                              struct mf_vec3 vel_mps)
{
    return (struct mf_ball){
        {at_m.x, at_m.y, -at_m.z}, {vel_mps.x, vel_mps.y, -vel_mps.z}, s->radius_m};
}

/* Direction and gap from an obstacle to a body. @return false: the body is farther away than
 * mf_space_normal() reaches */
static bool lies(const struct mf_mover_body_settings *s, uint32_t with, struct mf_vec3 at_m,
                 struct mf_vec3 *normal, double *gap_m)
{
    const struct mf_ball ball = ball_of(s, at_m, (struct mf_vec3){0.0, 0.0, 0.0});
    double away[3];
    if (!mf_space_normal(s->space, with, &ball, away, gap_m)) {
        return false;
    }
    *normal = (struct mf_vec3){away[0], away[1], -away[2]};
    return true;
}

/* Find the first obstacle on the straight way. */
static bool meet_obstacle(const struct mf_mover_body_settings *s, const struct mf_mover_rigid *m,
                          const struct mf_mover_rigid *to, double dt_s, struct meeting *meeting)
{
    struct mf_contact contact;
    double gap_m;
    const struct mf_vec3 way_m = mf_vec3_add(to->pos_m, mf_vec3_times(m->pos_m, -1.0));
    const struct mf_vec3 mean_mps = mf_vec3_times(way_m, 1.0 / dt_s);
    const struct mf_ball ball = ball_of(s, m->pos_m, mean_mps);
    if (s->space == NULL || !mf_space_meet(s->space, &ball, mf_contact_us(dt_s), &contact)) {
        return false;
    }
    meeting->after_s = mf_smaller((double)contact.after_us * 1e-6, dt_s);
    meeting->with = contact.with;
    const struct mf_vec3 there = mf_vec3_add(m->pos_m, mf_vec3_times(mean_mps, meeting->after_s));
    return lies(s, contact.with, there, &meeting->normal, &gap_m);
}

static bool meet(const struct mf_mover_body_settings *s, const struct mf_body_told *told,
                 const struct mf_mover_rigid *m, const struct mf_mover_rigid *to, double dt_s,
                 struct meeting *first)
{
    struct meeting ground, obstacle;
    const bool on_ground = meet_ground(m, to, told->ground_m - s->radius_m, dt_s, &ground);
    const bool on_obstacle = meet_obstacle(s, m, to, dt_s, &obstacle);
    if (on_obstacle && (!on_ground || obstacle.after_s < ground.after_s)) {
        *first = obstacle;
    } else if (on_ground) {
        *first = ground;
    }
    return on_ground || on_obstacle;
}

/* Find the exact instant of a contact by Newton's method, because the way is curved. */
static void refine(const struct mf_mover_body_settings *s, const struct mf_mover_rigid *m,
                   const struct mf_mover_rigid_settings *rigid, double dt_s,
                   struct meeting *meeting)
{
    for (int i = 0; i < REFINES && meeting->after_s > 0.0; i++) {
        struct mf_mover_rigid at = *m;
        double gap_m;
        mf_mover_rigid_step(&at, rigid, meeting->after_s);
        if (!lies(s, meeting->with, at.pos_m, &meeting->normal, &gap_m)) {
            return;
        }
        const double closes_mps = -mf_vec3_dot(at.vel_mps, meeting->normal);
        if (!(closes_mps > 0.0)) {
            return;
        }
        meeting->after_s = mf_larger(mf_smaller(meeting->after_s + gap_m / closes_mps, dt_s), 0.0);
    }
}

/* Move the body out of the surface that it has met, so that it lies on it. */
static void put_on(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                   const struct mf_body_told *told, struct meeting *meeting)
{
    double gap_m;
    if (meeting->with == GROUND) {
        b->rigid.pos_m.z = told->ground_m - s->radius_m;
    } else if (lies(s, meeting->with, b->rigid.pos_m, &meeting->normal, &gap_m)) {
        b->rigid.pos_m =
            mf_vec3_add(b->rigid.pos_m, mf_vec3_times(meeting->normal, APART_M - gap_m));
    }
}

/* ---- steps */

/* Count a contact. One with the obstacle of the last contact is new if the body did not touch it
 * for the duration of a step. */
static void count_contact(struct mf_mover_body *b, uint32_t with, double at_s, double dt_s)
{
    b->contacts++;
    if (with == GROUND) {
        return;
    }
    if (b->met != with || b->met_s == 0.0 || at_s - b->touches_s > 1.5 * dt_s) {
        b->met = with;
        b->met_s = at_s;
    }
    b->touches_s = at_s;
}

static void stand(struct mf_mover_body *b)
{
    b->standing = true;
    b->rigid.vel_mps = (struct mf_vec3){0.0, 0.0, 0.0};
    b->rigid.rate_rps = (struct mf_vec3){0.0, 0.0, 0.0};
}

/* Bounce off a surface. @return false: the body would meet it again within the duration of a step,
 * so it stays there */
static bool bounce(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                   const struct meeting *meeting, struct mf_vec3 acc_mps2, double dt_s)
{
    const double into = mf_mover_rigid_bounce(&b->rigid, meeting->normal, s->restitution);
    const double pull_mps2 = -mf_vec3_dot(acc_mps2, meeting->normal);
    return 2.0 * into * s->restitution > pull_mps2 * dt_s;
}

/* Slide along a surface that does not carry the body, without friction. */
static void slide(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                  const struct mf_body_told *told, const struct mf_mover_rigid_settings *rigid,
                  struct meeting *meeting, double dt_s)
{
    if (dt_s > 0.0) {
        mf_mover_rigid_step(&b->rigid, rigid, dt_s);
    }
    put_on(b, s, told, meeting);
    (void)mf_mover_rigid_bounce(&b->rigid, meeting->normal, 0.0);
}

static bool is_given(const struct mf_mover_body *b, uint32_t i)
{
    return (b->given & (1u << i)) != 0;
}

/* Apply the impulses whose time lies within the step, each once. */
static void apply_impulses(struct mf_mover_body *b, const struct acting *a,
                           const struct mf_mover_rigid_settings *rigid, double dt_s)
{
    for (uint32_t i = 0; i < a->s->forces; i++) {
        const struct mf_body_force *f = &a->s->force[i];
        if (f->kind != MF_BODY_FORCE_IMPULSE || is_given(b, i) || f->from_s >= a->t_s + dt_s) {
            continue;
        }
        b->given |= 1u << i;
        mf_mover_rigid_push(&b->rigid, rigid, level_of(f, b->rigid.attitude), down_of(f->at_m));
        b->standing = b->standing && b->rigid.vel_mps.z >= 0.0;
        if (b->standing) { /* the surface absorbs a downward impulse */
            stand(b);
        }
    }
}

/* Does the body keep standing, because the forces do not lift it? */
static bool stays(const struct mf_mover_body *b, const struct acting *a, double ahead_s)
{
    struct mf_wrench sum = {0};
    add_forces(a, &b->rigid, ahead_s, &sum);
    return b->standing && sum.force_n.z + a->s->mass_kg * a->s->gravity_mps2 >= 0.0;
}

void mf_mover_body_step(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                        const struct mf_body_told *told, double t_s, double dt_s)
{
    MF_ASSERT(dt_s > 0.0 && s->radius_m > 0.0 && s->forces <= MF_BODY_FORCES_MAX);
    struct acting a = {s, told, t_s, dt_s};
    const struct mf_force_source source = {add_forces, &a};
    const struct mf_mover_rigid_settings rigid = rigid_of(s, &source);
    double left_s = dt_s;
    apply_impulses(b, &a, &rigid, dt_s);
    if (b->standing && stays(b, &a, 0.5 * dt_s)) {
        b->rigid.specific_force_mps2 =
            mf_rigid_to_body(b->rigid.attitude, (struct mf_vec3){0.0, 0.0, -s->gravity_mps2});
        return;
    }
    b->standing = false;
    for (int i = 0; i < CONTACTS_MAX && left_s > 0.0; i++) {
        struct meeting first;
        struct mf_mover_rigid to = b->rigid;
        mf_mover_rigid_step(&to, &rigid, left_s);
        if (!meet(s, told, &b->rigid, &to, left_s, &first)) {
            b->rigid = to;
            return;
        }
        const struct mf_vec3 change =
            mf_vec3_add(to.vel_mps, mf_vec3_times(b->rigid.vel_mps, -1.0));
        const struct mf_vec3 acc_mps2 = mf_vec3_times(change, 1.0 / left_s);
        if (first.with != GROUND) {
            refine(s, &b->rigid, &rigid, left_s, &first);
        }
        if (first.after_s > 0.0) {
            mf_mover_rigid_step(&b->rigid, &rigid, first.after_s);
        }
        put_on(b, s, told, &first);
        left_s -= first.after_s;
        a.t_s += first.after_s;
        count_contact(b, first.with, a.t_s, dt_s);
        if (bounce(b, s, &first, acc_mps2, dt_s)) {
            continue;
        }
        if (-first.normal.z > CARRIES) {
            stand(b);
        } else {
            slide(b, s, told, &rigid, &first, left_s);
        }
        return;
    }
}

bool mf_mover_body_rests(const struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                         const struct mf_body_told *told, double t_s)
{
    const struct acting a = {s, told, t_s, 1.0};
    for (uint32_t i = 0; i < s->forces; i++) {
        const struct mf_body_force *f = &s->force[i];
        if ((f->kind == MF_BODY_FORCE_IMPULSE && !is_given(b, i)) ||
            (f->kind == MF_BODY_FORCE_PUSH && f->until_s >= t_s)) {
            return false;
        }
    }
    return stays(b, &a, 0.0);
}
