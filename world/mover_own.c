/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of plug-ins. Called by world/mover_stepped. */
#include "world/mover_own.h"

#include "hal/assert.h"
#include "math/trig.h"

#include <string.h>

void mf_mover_own_plan(struct mf_mover_own *m, const struct mf_mover_own_settings *s,
                       const struct mf_mover_own_step *step)
{
    MF_ASSERT(s->step != NULL && step->dt_s > 0.0);
    uint8_t *memory = s->bytes > 0 ? &m->memory[s->bytes] : NULL;
    if (memory != NULL) {
        memcpy(memory, m->memory, s->bytes);
    }
    m->to = m->from;
    s->step(s->ctx, step, &m->to, memory);
    const struct mf_vec3 faster = mf_vec3_add(m->to.vel_mps, mf_vec3_times(m->from.vel_mps, -1.0));
    m->acc_mps2 = mf_vec3_times(faster, 1.0 / step->dt_s);
    for (int i = 0; i < 3; i++) {
        m->rpy_per_s[i] = mf_wrap_pi(m->to.rpy_rad[i] - m->from.rpy_rad[i]) / step->dt_s;
    }
}

void mf_mover_own_stay(struct mf_mover_own *m)
{
    m->from.vel_mps = m->acc_mps2 = (struct mf_vec3){0.0, 0.0, 0.0};
    memset(m->rpy_per_s, 0, sizeof m->rpy_per_s);
    m->to = m->from;
}

/* Place in a step: a parabola by the acceleration, plus a straight line for the rest of the way. */
static struct mf_vec3 place_after(const struct mf_mover_own *m, double dt_s, double period_s)
{
    const struct mf_mover_own_state *f = &m->from;
    const double part = dt_s / period_s;
    const struct mf_vec3 way_m = mf_vec3_add(m->to.pos_m, mf_vec3_times(f->pos_m, -1.0));
    const struct mf_vec3 whole = mf_vec3_add(mf_vec3_times(f->vel_mps, period_s),
                                             mf_vec3_times(m->acc_mps2, 0.5 * period_s * period_s));
    const struct mf_vec3 rest = mf_vec3_add(way_m, mf_vec3_times(whole, -1.0));
    const struct mf_vec3 bent =
        mf_vec3_add(mf_vec3_times(f->vel_mps, dt_s), mf_vec3_times(m->acc_mps2, 0.5 * dt_s * dt_s));
    return mf_vec3_add(f->pos_m, mf_vec3_add(bent, mf_vec3_times(rest, part)));
}

void mf_mover_own_move(struct mf_mover_own *m, double dt_s, double period_s)
{
    MF_ASSERT(dt_s >= 0.0 && period_s > 0.0);
    if (dt_s >= period_s) {
        m->from = m->to;
        return;
    }
    m->from.pos_m = place_after(m, dt_s, period_s);
    m->from.vel_mps = mf_vec3_add(m->from.vel_mps, mf_vec3_times(m->acc_mps2, dt_s));
    for (int i = 0; i < 3; i++) {
        m->from.rpy_rad[i] += m->rpy_per_s[i] * dt_s;
    }
}

void mf_mover_own_keep(struct mf_mover_own *m, const struct mf_mover_own_settings *s)
{
    if (s->bytes > 0) {
        memcpy(m->memory, &m->memory[s->bytes], s->bytes);
    }
}

void mf_mover_own_attitude(const struct mf_mover_own *m, double attitude[4], struct mf_vec3 *rps)
{
    const double *rpy = m->from.rpy_rad, *per_s = m->rpy_per_s;
    const struct mf_sin_cos r = mf_sin_cos(0.5 * rpy[0]), p = mf_sin_cos(0.5 * rpy[1]),
                            y = mf_sin_cos(0.5 * rpy[2]);
    const struct mf_sin_cos roll = mf_sin_cos(rpy[0]), pitch = mf_sin_cos(rpy[1]);
    attitude[0] = r.cos * p.cos * y.cos + r.sin * p.sin * y.sin;
    attitude[1] = r.sin * p.cos * y.cos - r.cos * p.sin * y.sin;
    attitude[2] = r.cos * p.sin * y.cos + r.sin * p.cos * y.sin;
    attitude[3] = r.cos * p.cos * y.sin - r.sin * p.sin * y.cos;
    *rps = (struct mf_vec3){per_s[0] - per_s[2] * pitch.sin,
                            per_s[1] * roll.cos + per_s[2] * roll.sin * pitch.cos,
                            per_s[2] * roll.cos * pitch.cos - per_s[1] * roll.sin};
}
