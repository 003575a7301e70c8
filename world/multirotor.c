/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies with rotors. Called by fleet/foreign. */
#include "world/multirotor.h"

#include "hal/assert.h"
#include "math/trig.h"
#include "world/decay.h"

double mf_multirotor_thrust(const struct mf_multirotor_settings *s, double command)
{
    const double x = mf_larger(0.0, mf_smaller(1.0, (command - s->idle) / (s->full - s->idle)));
    return s->thrust_max_n * ((1.0 - s->expo) * x + s->expo * x * x);
}

static void add_rotors(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                       struct mf_wrench *sum)
{
    const struct mf_multirotor *m = ctx;
    const struct mf_multirotor_settings *s = &m->settings;
    const double left = ahead_s > 0.0 ? m->left_half : 1.0;
    double thrust_n = 0.0;
    for (size_t i = 0; i < s->rotors; i++) {
        const struct mf_rotor *r = &s->rotor[i];
        const double level = m->command[i] + (m->level[i] - m->command[i]) * left;
        const double n = mf_multirotor_thrust(s, level);
        thrust_n += n;
        sum->torque_nm.x -= r->right_m * n;
        sum->torque_nm.y += r->forward_m * n;
        sum->torque_nm.z += r->yaw * s->yaw_m * n;
    }
    sum->force_n = mf_vec3_add(
        sum->force_n, mf_rigid_to_ned(at->attitude, (struct mf_vec3){0.0, 0.0, -thrust_n}));
}

static void add_drag(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                     struct mf_wrench *sum)
{
    (void)ahead_s;
    const struct mf_multirotor *m = ctx;
    const struct mf_multirotor_settings *s = &m->settings;
    const struct mf_vec3 air = mf_vec3_add(at->vel_mps, mf_vec3_times(m->wind_mps, -1.0));
    const double speed = mf_sqrt(mf_vec3_dot(air, air));
    sum->force_n = mf_vec3_add(sum->force_n,
                               mf_vec3_times(air, -0.5 * s->air_kgpm3 * s->drag_area_m2 * speed));
    sum->torque_nm = mf_vec3_add(sum->torque_nm, mf_vec3_times(at->rate_rps, -s->rate_drag_nms));
}

struct mf_multirotor_settings mf_multirotor_quad_x(void)
{
    const double arm = 0.5 * 0.35; /* half the diagonal [m] */
    const double side = arm * 0.70710678118654752;
    const double mass = 3.0;
    const double gravity = 9.80665;
    return (struct mf_multirotor_settings){
        .mass_kg = mass,
        .inertia_kgm2 = {0.25 * mass * arm * arm, 0.25 * mass * arm * arm, 0.5 * mass * arm * arm},
        .gravity_mps2 = gravity,
        .rotor = {{side, side, 1.0}, {-side, -side, 1.0}, {side, -side, -1.0}, {-side, side, -1.0}},
        .rotors = 4,
        .thrust_max_n = mass * gravity / 0.39 / 4.0,
        .expo = 0.65,
        .idle = 0.15,
        .full = 0.95,
        .lag_s = 0.02,
        .yaw_m = 0.02,
        .drag_area_m2 = 0.06,
        .rate_drag_nms = 0.02,
        .air_kgpm3 = 1.225,
    };
}

/* Share of a rotor's change that is left after a time. */
static double left_after(const struct mf_multirotor_settings *s, double dt_s)
{
    return s->lag_s > 0.0 ? mf_decay(dt_s / s->lag_s) : 0.0;
}

void mf_multirotor_pace(struct mf_multirotor *m, double dt_s)
{
    MF_ASSERT(dt_s > 0.0);
    m->dt_s = dt_s;
    m->left_half = left_after(&m->settings, 0.5 * dt_s);
    m->left_whole = left_after(&m->settings, dt_s);
}

/* Put the body level on the ground, at rest, with its present heading. */
static void stand(struct mf_multirotor *m, double w, double z)
{
    const double length = mf_length2(w, z);
    m->body.attitude[0] = length > 0.0 ? w / length : 1.0;
    m->body.attitude[1] = m->body.attitude[2] = 0.0;
    m->body.attitude[3] = length > 0.0 ? z / length : 0.0;
    m->body.pos_m.z = m->settings.ground_m;
    m->body.vel_mps = (struct mf_vec3){0.0, 0.0, 0.0};
    m->body.rate_rps = (struct mf_vec3){0.0, 0.0, 0.0};
    m->body.specific_force_mps2 = (struct mf_vec3){0.0, 0.0, -m->settings.gravity_mps2};
    m->standing = true;
}

void mf_multirotor_begin(struct mf_multirotor *m, const struct mf_multirotor_settings *settings,
                         double yaw_rad, double dt_s)
{
    MF_ASSERT(settings->rotors >= 1 && settings->rotors <= MF_ROTORS_MAX);
    MF_ASSERT(settings->full > settings->idle);
    *m = (struct mf_multirotor){.settings = *settings};
    m->source[0] = (struct mf_force_source){add_rotors, m};
    m->source[1] = (struct mf_force_source){add_drag, m};
    m->rigid = (struct mf_mover_rigid_settings){
        .mass_kg = settings->mass_kg,
        .inertia_kgm2 = settings->inertia_kgm2,
        .gravity_mps2 = settings->gravity_mps2,
        .source = m->source,
        .sources = sizeof m->source / sizeof m->source[0],
    };
    mf_multirotor_pace(m, dt_s);
    const struct mf_sin_cos half = mf_sin_cos(0.5 * yaw_rad);
    stand(m, half.cos, half.sin);
}

/* Thrust of all rotors at the end of the step. */
static double lift_n(const struct mf_multirotor *m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->settings.rotors; i++) {
        sum += mf_multirotor_thrust(&m->settings, m->level[i]);
    }
    return sum;
}

void mf_multirotor_step(struct mf_multirotor *m)
{
    const struct mf_multirotor_settings *s = &m->settings;
    const bool lifts = lift_n(m) > s->mass_kg * s->gravity_mps2;
    if (!m->standing || lifts) {
        m->standing = false;
        mf_mover_rigid_step(&m->body, &m->rigid, m->dt_s);
    }
    for (size_t i = 0; i < s->rotors; i++) {
        m->level[i] = m->command[i] + (m->level[i] - m->command[i]) * m->left_whole;
    }
    if (!m->standing && m->body.pos_m.z >= s->ground_m) {
        const double into =
            mf_mover_rigid_bounce(&m->body, (struct mf_vec3){0.0, 0.0, -1.0}, s->restitution);
        m->body.pos_m.z = s->ground_m;
        if (into * s->restitution <= 0.1 && !lifts) { /* m/s: too slow to leave the ground again */
            stand(m, m->body.attitude[0], m->body.attitude[3]);
        }
    }
}
