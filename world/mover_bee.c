/* SPDX-License-Identifier: Apache-2.0 */
/* Motion of bees. Called by world/mover_stepped. */
#include "world/mover_bee.h"

#include "hal/assert.h"
#include "math/trig.h"
#include "world/space_slide.h"

#define AIR_KGPM3    1.225
#define GRAVITY_MPS2 9.80665

static double length_of(struct mf_vec3 v)
{
    return mf_sqrt(mf_vec3_dot(v, v));
}

static struct mf_vec3 held(struct mf_vec3 v, double most)
{
    const double length = length_of(v);
    return length > most ? mf_vec3_times(v, most / length) : v;
}

/* Acceleration by passing air, which within a step makes the bee no faster than the air. */
static struct mf_vec3 pushed(const struct mf_mover_bee_settings *s, struct mf_vec3 air_mps)
{
    const double area_m2 = 0.25 * MF_PI * s->length_m * s->length_m;
    const double per_s = 0.5 * AIR_KGPM3 * area_m2 * length_of(air_mps) / s->mass_kg;
    return mf_vec3_times(air_mps, mf_smaller(per_s, 1.0 / s->period_s));
}

double mf_mover_bee_gain(const struct mf_mover_bee_settings *s)
{
    return s->compat ? 1.0 : 1.0 / s->period_s;
}

void mf_mover_bee_update(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s,
                         struct mf_vec3 want_mps, struct mf_vec3 wind_mps)
{
    MF_ASSERT(s->mass_kg > 0.0 && s->length_m > 0.0 && s->accel_max_mps2 > 0.0);
    MF_ASSERT(s->period_s > 0.0);
    const struct mf_vec3 back = mf_vec3_times(m->vel_mps, -1.0);
    const struct mf_vec3 push = pushed(s, s->compat ? wind_mps : mf_vec3_add(wind_mps, back));
    struct mf_vec3 thrust = mf_vec3_times(mf_vec3_add(want_mps, back), mf_mover_bee_gain(s));
    if (!s->compat) {
        thrust = mf_vec3_add(thrust, mf_vec3_times(push, -1.0));
    }
    thrust = held(thrust, s->accel_max_mps2);
    m->acc_mps2 = mf_vec3_add(thrust, push);
    m->draws_ma = s->hover_ma + s->full_ma * length_of(thrust) / s->accel_max_mps2;
}

void mf_mover_bee_drop(struct mf_mover_bee *m)
{
    m->acc_mps2 = (struct mf_vec3){0.0, 0.0, GRAVITY_MPS2};
    m->draws_ma = 0.0;
}

void mf_mover_bee_move(struct mf_mover_bee *m, double dt_s)
{
    MF_ASSERT(dt_s >= 0.0);
    const struct mf_vec3 half = mf_vec3_times(m->acc_mps2, 0.5 * dt_s);
    m->pos_m = mf_vec3_add(m->pos_m, mf_vec3_times(mf_vec3_add(m->vel_mps, half), dt_s));
    m->vel_mps = mf_vec3_add(m->vel_mps, mf_vec3_times(half, 2.0));
    m->used_mas += m->draws_ma * dt_s;
}

/* ---- among obstacles */

/* A contact with an obstacle is new if the last one was longer ago than this [steps]. */
#define LASTS 1.5

struct passing {
    struct mf_mover_bee *m;
    const struct mf_mover_bee_settings *s;
    double t_s;
};

static void count_contact(void *ctx, uint32_t with, double after_s, bool meets)
{
    const struct passing *p = ctx;
    struct mf_mover_bee *m = p->m;
    const double at_s = p->t_s + after_s;
    uint32_t k = m->touch_until_s[0] <= m->touch_until_s[1] ? 0u : 1u; /* replace the older one */
    bool lasts = false;
    for (uint32_t i = 0; i < MF_BEE_TOUCHES; i++) {
        if (m->touches[i] == with && at_s < m->touch_until_s[i]) {
            lasts = true;
            k = i;
        }
    }
    if (!lasts && !meets) {
        return;
    }
    if (!lasts) {
        m->met = with;
        m->met_s = at_s;
        m->contacts++;
    }
    m->touches[k] = with;
    m->touch_until_s[k] = at_s + LASTS * p->s->period_s;
}

static void to_neu(struct mf_vec3 ned, double neu[3])
{
    neu[0] = ned.x;
    neu[1] = ned.y;
    neu[2] = -ned.z;
}

static struct mf_vec3 from_neu(const double neu[3])
{
    return (struct mf_vec3){neu[0], neu[1], -neu[2]};
}

bool mf_mover_bee_pass(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s, double t_s,
                       double dt_s)
{
    if (s->space == NULL || s->space->nodes == 0) {
        mf_mover_bee_move(m, dt_s);
        return false;
    }
    struct mf_slider ball = {.radius_m = s->radius_m};
    struct passing p = {m, s, t_s};
    to_neu(m->pos_m, ball.neu_m);
    to_neu(m->vel_mps, ball.vel_mps);
    to_neu(m->acc_mps2, ball.acc_mps2);
    const bool carried = mf_space_slide(s->space, &ball, dt_s, count_contact, &p);
    m->pos_m = from_neu(ball.neu_m);
    m->vel_mps = from_neu(ball.vel_mps);
    m->acc_mps2 = from_neu(ball.acc_mps2);
    m->used_mas += m->draws_ma * dt_s;
    return carried;
}
