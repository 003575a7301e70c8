/* SPDX-License-Identifier: Apache-2.0 */
/* A multirotor in wind, which foreign autopilots steer frame by frame. Called by
 * boards/swarm/foreigns and tools/body. */
#include "fleet/foreign.h"

#include "math/trig.h"

#include <stddef.h>

#define STEP_MAX_NS 1000000u /* the steps of a frame are equal, and at most 1 ms long */
#define FULL_AT_M   5.0      /* height at which wind has its full speed (docs/disturbances.md) */

static void observe(struct mf_foreign *b)
{
    const struct mf_mover_rigid *m = &b->rotors.body;
    const double *sigma[2] = {&b->settings.gyro_rps, &b->settings.accel_mps2};
    const uint64_t key[2] = {b->gyro_key, b->accel_key};
    double seen[2][3] = {
        {m->rate_rps.x, m->rate_rps.y, m->rate_rps.z},
        {m->specific_force_mps2.x, m->specific_force_mps2.y, m->specific_force_mps2.z}};
    for (unsigned i = 0; i < 6 && b->frames > 0; i++) {
        seen[i / 3][i % 3] += *sigma[i / 3] * mf_noise_gauss(key[i / 3], 3 * b->frames + i % 3);
    }
    b->state = (struct mf_foreign_state){
        .time_s = (double)b->time_ns * 1e-9,
        .gyro_rps = {seen[0][0], seen[0][1], seen[0][2]},
        .accel_mps2 = {seen[1][0], seen[1][1], seen[1][2]},
        .pos_m = m->pos_m,
        .vel_mps = m->vel_mps,
        .quaternion = {m->attitude[0], m->attitude[1], m->attitude[2], m->attitude[3]},
    };
}

void mf_foreign_begin(struct mf_foreign *b, const struct mf_foreign_settings *settings)
{
    struct mf_multirotor_settings s = mf_multirotor_quad_x();
    const double heavier = settings->mass_kg / s.mass_kg;
    const struct mf_sin_cos from = mf_sin_cos(mf_rad(settings->wind_from_deg));
    *b = (struct mf_foreign){
        .settings = *settings,
        .gust = {mf_noise_smooth(mf_noise_key(&settings->seed, MF_NOISE_WIND_NORTH),
                                 settings->gust_time_s),
                 mf_noise_smooth(mf_noise_key(&settings->seed, MF_NOISE_WIND_EAST),
                                 settings->gust_time_s)},
        .mean_wind_mps = {-settings->wind_mps * from.cos, -settings->wind_mps * from.sin, 0.0},
        .gyro_key = mf_noise_key(&settings->seed, MF_NOISE_GYROSCOPE),
        .accel_key = mf_noise_key(&settings->seed, MF_NOISE_ACCELEROMETER),
    };
    s.mass_kg = settings->mass_kg;
    s.inertia_kgm2 = mf_vec3_times(s.inertia_kgm2, heavier);
    s.thrust_max_n *= heavier; /* so that any mass hovers at the same command */
    mf_multirotor_begin(&b->rotors, &s, mf_rad(settings->yaw_deg), 1e-9 * STEP_MAX_NS);
    observe(b);
}

static void blow(struct mf_foreign *b)
{
    const struct mf_multirotor *m = &b->rotors;
    const double share = mf_noise_step((m->settings.ground_m - m->body.pos_m.z) / FULL_AT_M).x;
    const mf_us_t t_us = (mf_us_t)(b->time_ns / 1000u);
    const double north = b->settings.gusts_mps * mf_noise_at(&b->gust[0], t_us).x;
    const double east = b->settings.gusts_mps * mf_noise_at(&b->gust[1], t_us).x;
    b->rotors.wind_mps =
        mf_vec3_times(mf_vec3_add(b->mean_wind_mps, (struct mf_vec3){north, east, 0.0}), share);
}

enum mf_foreign_took mf_foreign_take(struct mf_foreign *b, const struct mf_foreign_pulses *pulses)
{
    enum mf_foreign_took took = MF_FOREIGN_STEPPED;
    if (b->frames > 0 && pulses->frame_count == b->frame_count) {
        return MF_FOREIGN_REPEATED;
    }
    if (b->frames > 0 && pulses->frame_count < b->frame_count) {
        const struct mf_foreign_settings again = b->settings;
        mf_foreign_begin(b, &again);
        took = MF_FOREIGN_RESTARTED;
    }
    const uint64_t frame_ns = 1000000000u / pulses->frame_rate_hz;
    const uint64_t steps = (frame_ns + STEP_MAX_NS - 1) / STEP_MAX_NS;
    for (size_t i = 0; i < b->rotors.settings.rotors; i++) {
        const double level = ((double)pulses->pwm_us[i] - 1000.0) * 1e-3;
        b->rotors.command[i] = mf_larger(0.0, mf_smaller(1.0, level));
    }
    mf_multirotor_pace(&b->rotors, 1e-9 * (double)frame_ns / (double)steps);
    for (uint64_t i = 0; i < steps; i++) {
        blow(b);
        mf_multirotor_step(&b->rotors);
    }
    b->time_ns += frame_ns;
    b->frames++;
    b->frame_count = pulses->frame_count;
    observe(b);
    return took;
}
