/* SPDX-License-Identifier: Apache-2.0 */
/* Stepped bodies of all kinds. Called by fleet/agent, hal-sim/airframe_stepped and
 * boards/swarm/bodies. */
#include "world/mover_stepped.h"

#include "hal/assert.h"
#include "math/trig.h"

/* Gain of the approach to a place, as a share of the velocity loop's gain: then the body does not
 * swing. */
#define APPROACH 0.25
/* Assumed gain of a plug-in's body [1/s]. */
#define OWN_GAIN 2.0
/* Limits of distance and speed, whatever the forces [m, m/s]. */
#define FAR_M    1e6
#define FAST_MPS 1e3

static bool is_bee(const struct mf_stepped_settings *s)
{
    return s->kind == MF_STEPPED_BEE;
}

static bool is_rigid(const struct mf_stepped_settings *s)
{
    return s->kind == MF_STEPPED_RIGID;
}

static mf_us_t instant(const struct mf_stepped_settings *s, uint64_t step)
{
    return (mf_us_t)((double)step * 1e6 / s->rate_hz + 0.5);
}

/* Time at which the body moves on: the start of the step, or of its rest after a push. */
static double begin_s(const struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    return b->at_us == instant(s, b->steps) ? (double)b->steps / s->rate_hz
                                            : (double)b->at_us * 1e-6;
}

static struct mf_vec3 place_of(const struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    return is_bee(s)     ? b->of.bee.pos_m
           : is_rigid(s) ? b->of.rigid.rigid.pos_m
                         : b->of.own.from.pos_m;
}

/* ---- start of a step */

static struct mf_vec3 wind_at(const struct mf_stepped_settings *s, struct mf_vec3 pos_m,
                              mf_us_t at_us)
{
    const double neu_m[3] = {pos_m.x, pos_m.y, -pos_m.z};
    double ne_mps[2];
    mf_weather_wind(s->weather, neu_m, (double)at_us * 1e-6, ne_mps);
    return (struct mf_vec3){ne_mps[0], ne_mps[1], 0.0};
}

static void begin_own(struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    const struct mf_mover_own_step step = {b->of.own.number, &b->told, (double)b->at_us * 1e-6,
                                           1.0 / s->rate_hz};
    mf_mover_own_plan(&b->of.own, &s->own, &step);
}

static void begin_step(struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    b->told.want_mps = b->order.want_mps;
    b->told.yaw_rad = b->order.yaw_rad;
    b->told.works = b->order.works;
    b->told.wind_mps = wind_at(s, place_of(b, s), b->at_us);
    if (is_rigid(s)) {
        b->standing = b->of.rigid.standing;
        b->rests = b->standing &&
                   mf_mover_body_rests(&b->of.rigid, &s->rigid, &b->told, (double)b->at_us * 1e-6);
        return;
    }
    b->standing = b->standing && !(b->told.works && b->told.want_mps.z < 0.0);
    b->rests = b->standing;
    if (b->standing) {
        return;
    }
    if (!is_bee(s)) {
        begin_own(b, s);
    } else if (b->told.works) {
        mf_mover_bee_update(&b->of.bee, &s->bee, b->told.want_mps, b->told.wind_mps);
    } else {
        mf_mover_bee_drop(&b->of.bee);
    }
}

void mf_stepped_begin(struct mf_stepped *b, const struct mf_stepped_settings *s,
                      struct mf_vec3 pos_m, double yaw_rad, double ground_m)
{
    MF_ASSERT(s->rate_hz > 0.0);
    const struct mf_sin_cos half = mf_sin_cos(0.5 * yaw_rad);
    struct mf_mover_own own = {.number = 0};
    if (s->kind == MF_STEPPED_OWN) {
        own.memory = b->of.own.memory;
        own.number = b->of.own.number;
    }
    *b = (struct mf_stepped){.ground_m = ground_m, .standing = pos_m.z >= ground_m};
    pos_m.z = mf_smaller(pos_m.z, ground_m);
    b->order.yaw_rad = yaw_rad;
    if (is_bee(s)) {
        b->of.bee.pos_m = pos_m;
    } else if (!is_rigid(s)) {
        own.from = (struct mf_mover_own_state){.pos_m = pos_m, .rpy_rad = {0.0, 0.0, yaw_rad}};
        b->told.ground_m = ground_m;
        b->of.own = own;
    } else { /* a place is where it touches the ground */
        b->told.ground_m = ground_m + s->rigid.radius_m;
        b->of.rigid = (struct mf_mover_body){
            .rigid = {.pos_m = pos_m, .attitude = {half.cos, 0.0, 0.0, half.sin}},
            .standing = b->standing};
    }
    begin_step(b, s);
}

void mf_stepped_tell(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                     const struct mf_stepped_order *order)
{
    b->order = *order;
    if (b->rests) { /* a resting body has skipped its steps */
        const uint64_t passed = (uint64_t)((double)t_us * 1e-6 * s->rate_hz);
        b->steps = passed > b->steps ? passed : b->steps;
        b->steps += instant(s, b->steps) < t_us ? 1u : 0u;
        b->at_us = instant(s, b->steps);
    }
    if (t_us <= b->at_us) {
        begin_step(b, s);
    }
}

/* ---- end of a step */

static void limit_length(struct mf_vec3 *v, double most)
{
    v->x = mf_larger(mf_smaller(v->x, most), -most);
    v->y = mf_larger(mf_smaller(v->y, most), -most);
    v->z = mf_larger(mf_smaller(v->z, most), -most);
}

static void move_own(struct mf_stepped *b, const struct mf_stepped_settings *s, double dt_s)
{
    struct mf_mover_own *m = &b->of.own;
    mf_mover_own_move(m, dt_s, 1.0 / s->rate_hz);
    if (!b->standing && m->from.pos_m.z >= b->ground_m) {
        b->standing = true;
        m->from.pos_m.z = b->ground_m;
        mf_mover_own_stay(m);
    }
}

static void move(struct mf_stepped *b, const struct mf_stepped_settings *s, double dt_s)
{
    if (s->kind == MF_STEPPED_OWN) {
        move_own(b, s, dt_s);
        return;
    }
    if (!is_bee(s)) {
        mf_mover_body_step(&b->of.rigid, &s->rigid, &b->told, begin_s(b, s), dt_s);
        b->standing = b->of.rigid.standing;
        limit_length(&b->of.rigid.rigid.pos_m, FAR_M);
        limit_length(&b->of.rigid.rigid.vel_mps, FAST_MPS);
        return;
    }
    if (b->standing) {
        return;
    }
    b->standing = mf_mover_bee_pass(&b->of.bee, &s->bee, begin_s(b, s), dt_s);
    limit_length(&b->of.bee.pos_m, FAR_M);
    limit_length(&b->of.bee.vel_mps, FAST_MPS);
    if (b->of.bee.pos_m.z >= b->ground_m) {
        b->standing = true;
        b->of.bee.pos_m.z = b->ground_m;
        b->of.bee.vel_mps = b->of.bee.acc_mps2 = (struct mf_vec3){0.0, 0.0, 0.0};
    }
}

void mf_stepped_step(struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    MF_ASSERT(!b->rests);
    const bool whole = b->at_us == instant(s, b->steps);
    move(b, s, whole ? 1.0 / s->rate_hz : (double)(instant(s, b->steps + 1u) - b->at_us) * 1e-6);
    if (s->kind == MF_STEPPED_OWN) {
        mf_mover_own_keep(&b->of.own, &s->own);
    }
    b->at_us = instant(s, ++b->steps);
    begin_step(b, s);
}

void mf_stepped_push(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                     struct mf_vec3 shift_m, struct mf_vec3 by_mps)
{
    MF_ASSERT(s->kind != MF_STEPPED_OWN && (b->rests || t_us < mf_stepped_next(b, s)));
    if (!b->rests && t_us > b->at_us) {
        move(b, s, (double)(t_us - b->at_us) * 1e-6);
        b->at_us = t_us;
    }
    if (b->standing) {
        return;
    }
    struct mf_vec3 *pos_m = is_bee(s) ? &b->of.bee.pos_m : &b->of.rigid.rigid.pos_m;
    struct mf_vec3 *vel_mps = is_bee(s) ? &b->of.bee.vel_mps : &b->of.rigid.rigid.vel_mps;
    *pos_m = mf_vec3_add(*pos_m, shift_m);
    pos_m->z = mf_smaller(pos_m->z, b->ground_m);
    *vel_mps = mf_vec3_add(*vel_mps, by_mps);
}

mf_us_t mf_stepped_next(const struct mf_stepped *b, const struct mf_stepped_settings *s)
{
    return b->rests ? MF_NEVER : instant(s, b->steps + 1u);
}

/* ---- states */

static double yaw_of(const double q[4])
{
    return mf_atan2(2.0 * (q[0] * q[3] + q[1] * q[2]), 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]));
}

static struct mf_stepped_state state_of(const struct mf_stepped *b,
                                        const struct mf_stepped_settings *s)
{
    if (is_bee(s)) {
        const struct mf_sin_cos half = mf_sin_cos(0.5 * b->told.yaw_rad);
        return (struct mf_stepped_state){.pos_m = b->of.bee.pos_m,
                                         .vel_mps = b->of.bee.vel_mps,
                                         .acc_mps2 = b->of.bee.acc_mps2,
                                         .attitude = {half.cos, 0.0, 0.0, half.sin},
                                         .standing = b->standing};
    }
    if (!is_rigid(s)) {
        const struct mf_mover_own *m = &b->of.own;
        struct mf_stepped_state own = {.pos_m = m->from.pos_m,
                                       .vel_mps = m->from.vel_mps,
                                       .acc_mps2 = m->acc_mps2,
                                       .standing = b->standing};
        mf_mover_own_attitude(m, own.attitude, &own.rate_rps);
        return own;
    }
    const struct mf_mover_rigid *m = &b->of.rigid.rigid;
    struct mf_stepped_state state = {
        .pos_m = m->pos_m, .vel_mps = m->vel_mps, .rate_rps = m->rate_rps, .standing = b->standing};
    if (b->steps > 0 && !b->standing) { /* before the first step no force has acted */
        state.acc_mps2 = mf_rigid_to_ned(m->attitude, m->specific_force_mps2);
        state.acc_mps2.z += s->rigid.gravity_mps2;
    }
    for (int i = 0; i < 4; i++) {
        state.attitude[i] = m->attitude[i];
    }
    return state;
}

struct mf_stepped_state mf_stepped_at(const struct mf_stepped *b,
                                      const struct mf_stepped_settings *s, mf_us_t t_us)
{
    struct mf_stepped then = *b;
    if (!b->rests && t_us > b->at_us) {
        move(&then, s, (double)(t_us - b->at_us) * 1e-6);
    }
    return state_of(&then, s);
}

void mf_stepped_show(const struct mf_stepped_state *state, struct mf_pose *pose)
{
    const double *q = state->attitude;
    const double sine = mf_larger(mf_smaller(2.0 * (q[0] * q[2] - q[3] * q[1]), 1.0), -1.0);
    const double roll_rad =
        mf_atan2(2.0 * (q[0] * q[1] + q[2] * q[3]), 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]));
    const double pitch_rad = mf_atan2(sine, mf_sqrt(1.0 - sine * sine));
    const struct mf_sin_cos roll = mf_sin_cos(roll_rad);
    /* limited, because at 90 degrees of pitch the rates are undefined */
    const double level = mf_larger(mf_cos(pitch_rad), 1e-6);
    const struct mf_vec3 w = state->rate_rps;
    const double yaw_rps = (w.y * roll.sin + w.z * roll.cos) / level;
    pose->roll_rad = (float)roll_rad;
    pose->pitch_rad = (float)pitch_rad;
    pose->yaw_rad = (float)mf_wrap_pi(yaw_of(q));
    pose->rollspeed_rps = (float)(w.x + yaw_rps * sine);
    pose->pitchspeed_rps = (float)(w.y * roll.cos - w.z * roll.sin);
    pose->yawspeed_rps = (float)yaw_rps;
    const double vel[3] = {state->vel_mps.x, state->vel_mps.y, state->vel_mps.z};
    const double acc[3] = {state->acc_mps2.x, state->acc_mps2.y, state->acc_mps2.z};
    for (int i = 0; i < 3; i++) {
        pose->vel_ned_mps[i] = (float)vel[i];
        pose->acc_ned_mps2[i] = (float)acc[i];
    }
    pose->sinks_mps2 = pose->acc_ned_mps2[2];
}

bool mf_stepped_met(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                    mf_us_t since_us, mf_us_t until_us, struct mf_contact *contact)
{
    struct mf_stepped then = *b;
    if (s->kind == MF_STEPPED_OWN) {
        return false;
    }
    if (!b->rests && until_us > b->at_us) { /* the part of the step that is not over */
        move(&then, s, (double)(until_us - b->at_us) * 1e-6);
    }
    const mf_us_t met_us = mf_contact_us(is_bee(s) ? then.of.bee.met_s : then.of.rigid.met_s);
    if (met_us <= since_us) {
        return false;
    }
    *contact = (struct mf_contact){.after_us = met_us - since_us,
                                   .with = is_bee(s) ? then.of.bee.met : then.of.rigid.met};
    return true;
}

/* ---- orders */

bool mf_stepped_obeys(const struct mf_stepped_settings *s)
{
    return !is_rigid(s) || mf_mover_body_follows(&s->rigid) != NULL;
}

/* Greatest speed at a distance from a place: the body can stop, and follows velocities in time. */
static double approach_mps(const struct mf_stepped_settings *s, double way_m)
{
    double gain = is_bee(s) ? mf_mover_bee_gain(&s->bee) : 0.0;
    double acc_mps2 = s->bee.accel_max_mps2;
    if (s->kind == MF_STEPPED_OWN) {
        gain = mf_smaller(OWN_GAIN, s->rate_hz);
        acc_mps2 = s->own.accel_max_mps2;
    } else if (is_rigid(s)) {
        const struct mf_body_force *f = mf_mover_body_follows(&s->rigid);
        MF_ASSERT(f != NULL);
        gain = mf_smaller(f->gain_per_s, s->rate_hz);
        acc_mps2 = mf_larger(f->most_n / s->rigid.mass_kg - s->rigid.gravity_mps2, 0.1);
    }
    return mf_smaller(APPROACH * gain * way_m, mf_sqrt(acc_mps2 * way_m));
}

struct mf_vec3 mf_stepped_toward(const struct mf_stepped *b, const struct mf_stepped_settings *s,
                                 struct mf_vec3 to_m, const struct mf_stepped_speeds *speeds)
{
    const struct mf_vec3 here_m = place_of(b, s);
    const struct mf_vec3 d = mf_vec3_add(to_m, mf_vec3_times(here_m, -1.0));
    const double way_m = mf_sqrt(mf_vec3_dot(d, d));
    const double lasts_s = mf_larger(mf_length2(d.x, d.y) / speeds->level_mps,
                                     d.z < 0.0 ? -d.z / speeds->up_mps : d.z / speeds->down_mps);
    if (!(lasts_s > 0.0)) {
        return (struct mf_vec3){0.0, 0.0, 0.0};
    }
    return mf_vec3_times(d, mf_smaller(1.0 / lasts_s, approach_mps(s, way_m) / way_m));
}
