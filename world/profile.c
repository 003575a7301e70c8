/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of pieces of constant jerk. Called by world/physics_way and airframe_physics. */
#include "world/profile.h"

#include "math/trig.h"
#include "world/physics_swing.h"

#include <string.h>

/* Number of halvings of an interval of speeds; the distance still missing then is travelled at the
 * highest speed. */
#define HALVINGS 48

#define ACC_TRACE_MPS2 1e-13

/* Move a state by a piece, in place, as all functions below: some hundred trials of a few pieces
 * build a chain, and a state that is passed by value is written and read again at every piece. */
static inline void move(struct mf_motion *m, double t_s, double jerk)
{
    const double v_mps = m->v_mps, a_mps2 = m->a_mps2;
    m->x_m = m->x_m + t_s * (v_mps + t_s * (a_mps2 * 0.5 + t_s * (jerk / 6.0)));
    m->v_mps = v_mps + t_s * (a_mps2 + t_s * (jerk * 0.5));
    m->a_mps2 = a_mps2 + t_s * jerk;
    m->j_mps3 = jerk;
}

/* Move to the end of a piece. Rounding leaves a trace of an acceleration that is zero by
 * construction, which would add up over hours of cruise. */
static inline void join(struct mf_motion *m, double t_s, double jerk)
{
    move(m, t_s, jerk);
    if (mf_abs(m->a_mps2) < ACC_TRACE_MPS2) {
        m->a_mps2 = 0.0;
    }
}

void mf_profile_begin(struct mf_profile *p, double x_m, double v_mps, double a_mps2)
{
    memset(p, 0, sizeof *p);
    p->start = p->end = (struct mf_motion){x_m, v_mps, a_mps2, 0.0};
}

void mf_profile_add(struct mf_profile *p, double duration_s, double jerk_mps3)
{
    MF_ASSERT(p->count < MF_PROFILE_PIECES_MAX || !(duration_s > 0.0));
    if (duration_s > 0.0) {
        p->piece[p->count].duration_s = duration_s;
        p->piece[p->count].jerk_mps3 = jerk_mps3;
        p->count++;
        p->duration_s += duration_s;
        join(&p->end, duration_s, jerk_mps3);
    }
}

void mf_profile_append(struct mf_profile *p, const struct mf_profile *from, double t_s, double part)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const double left_s = from->piece[i].duration_s - mf_larger(t_s, 0.0);
        mf_profile_add(p, left_s, part * from->piece[i].jerk_mps3);
        t_s -= from->piece[i].duration_s;
    }
}

struct mf_motion mf_profile_at(const struct mf_profile *p, double t_s)
{
    struct mf_motion m = p->start;
    if (t_s >= p->duration_s) {
        m = p->end;
        move(&m, t_s - p->duration_s, 0.0);
        return m;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (t_s < p->piece[i].duration_s) {
            move(&m, t_s, p->piece[i].jerk_mps3);
            return m;
        }
        join(&m, p->piece[i].duration_s, p->piece[i].jerk_mps3);
        t_s -= p->piece[i].duration_s;
    }
    return m;
}

/* Remove the traces of rounding from values that are known by construction. */
static void settle(struct mf_profile *p, double v_mps)
{
    p->end.v_mps = v_mps;
    p->end.a_mps2 = 0.0;
}

/* Change to the side on which the wanted velocity lies of the one that would remain if the
 * acceleration were just taken back: up or down to a peak, then back to zero. */
void mf_profile_change(struct mf_profile *p, double v_mps, double acc_mps2, double jerk_mps3)
{
    const double a0 = p->end.a_mps2;
    const double left = p->end.v_mps + a0 * mf_abs(a0) / (2.0 * jerk_mps3);
    const double side = v_mps < left ? -1.0 : 1.0;
    const double a = side * a0;
    const double missing = side * (v_mps - p->end.v_mps);
    const double square = jerk_mps3 * missing + a * a * 0.5;
    const double limit = mf_larger(acc_mps2, a);
    const double peak = mf_smaller(limit, mf_sqrt(mf_larger(square, 0.0)));
    mf_profile_add(p, (peak - a) / jerk_mps3, side * jerk_mps3);
    if (peak > 0.0) {
        mf_profile_add(p, (square - peak * peak) / (jerk_mps3 * peak), 0.0);
    }
    mf_profile_add(p, peak / jerk_mps3, -side * jerk_mps3);
    settle(p, v_mps);
}

/* Accelerate from 0 up to a peak, hold it, and reduce it to @p acc_end, with a total gain of
 * velocity. */
static void rise(struct mf_profile *p, double gain, double peak, double acc_end, double jerk)
{
    const double ramps = (peak * peak - acc_end * acc_end * 0.5) / jerk;
    mf_profile_add(p, peak / jerk, jerk);
    mf_profile_add(p, (gain - ramps) / peak, 0.0);
    mf_profile_add(p, (peak - acc_end) / jerk, -jerk);
}

/* Speed up to v_to, which is at most the shape's speed: quickly to the knee, then creeping. */
static void speed_up(struct mf_profile *p, double v_to, const struct mf_shape *s)
{
    const double jerk = s->jerk_mps3;
    const double knee = s->knee * s->speed_mps;
    const double creep = mf_smaller((s->speed_mps - knee) / s->creep_s, s->acc_mps2);
    const double v = p->end.v_mps;
    const double gain = v_to - v;
    /* velocity gained while the acceleration rises or falls */
    const double ramp = creep * creep / (2.0 * jerk);
    if (!(gain > 0.0)) {
        return;
    }
    if (v_to <= knee + ramp) {
        rise(p, gain, mf_smaller(s->acc_mps2, mf_sqrt(jerk * gain)), 0.0, jerk);
    } else if (s->wait_s > 0.0) {
        const double quick = mf_larger(knee - v, 0.0);
        rise(p, quick, mf_smaller(s->acc_mps2, mf_sqrt(jerk * quick)), 0.0, jerk);
        mf_profile_add(p, s->wait_s, 0.0);
        const double rest = v_to - mf_larger(v, knee);
        rise(p, rest, mf_smaller(creep, mf_sqrt(jerk * rest)), 0.0, jerk);
    } else if (v < knee - ramp) {
        const double peak = mf_sqrt(jerk * (knee - v) + creep * creep * 0.5);
        rise(p, knee - v, mf_smaller(s->acc_mps2, peak), creep, jerk);
        mf_profile_add(p, (v_to - knee - ramp) / creep, 0.0);
        mf_profile_add(p, creep / jerk, -jerk);
    } else {
        rise(p, gain, mf_smaller(creep, mf_sqrt(jerk * gain)), 0.0, jerk);
    }
    settle(p, v_to);
}

/* Slow down to v_to; to a stop with the longer tail, or in a swing, which is not part of the chain.
 * @return length of the swing */
static double slow_down(struct mf_profile *p, double v_to, const struct mf_shape *s)
{
    const double lost = p->end.v_mps - v_to;
    if (s->damping > 0.0 && !(v_to > 0.0)) {
        const struct mf_swing swing =
            mf_swing(p->end.v_mps, s->damping, s->brake_mps2, s->jerk_mps3);
        return mf_swing_way_m(&swing);
    }
    const double jerk = s->jerk_mps3;
    const double tail = v_to > 0.0 ? jerk : s->tail_jerk_mps3;
    const double ramps = 0.5 / jerk + 0.5 / tail;
    if (!(lost > 0.0)) {
        return 0.0;
    }
    const double peak = mf_smaller(s->brake_mps2, mf_sqrt(lost / ramps));
    mf_profile_add(p, peak / jerk, -jerk);
    mf_profile_add(p, lost / peak - peak * ramps, 0.0);
    mf_profile_add(p, peak / tail, tail);
    settle(p, v_to);
    return 0.0;
}

/* End of a chain, to which a trial cuts it back. */
struct mark {
    struct mf_motion end;
    double duration_s;
    uint32_t count;
};

static struct mark mark_of(const struct mf_profile *p)
{
    return (struct mark){p->end, p->duration_s, p->count};
}

static void cut_back(struct mf_profile *p, const struct mark *mark)
{
    p->end = mark->end;
    p->duration_s = mark->duration_s;
    p->count = mark->count;
}

double mf_profile_braking_m(struct mf_profile *p, double v_mps, double v_end_mps,
                            const struct mf_shape *shape)
{
    const struct mark mark = mark_of(p);
    p->end = (struct mf_motion){0.0, v_mps, 0.0, 0.0};
    const double swing_m = slow_down(p, v_end_mps, shape);
    const double braking_m = p->end.x_m + swing_m;
    cut_back(p, &mark);
    return braking_m;
}

double mf_profile_stopping_m(struct mf_profile *p, double acc_mps2, double jerk_mps3)
{
    const struct mark mark = mark_of(p);
    p->end = (struct mf_motion){0.0, mark.end.v_mps, 0.0, 0.0};
    mf_profile_change(p, 0.0, acc_mps2, jerk_mps3);
    const double stopping_m = p->end.x_m;
    cut_back(p, &mark);
    return stopping_m;
}

/* Distance travelled if v_peak is the highest speed. Tries it behind the chain, which stays
 * unchanged. */
static double travelled(struct mf_profile *p, double v_peak, double v_end, const struct mf_shape *s)
{
    const struct mark mark = mark_of(p);
    p->end = (struct mf_motion){0.0, mark.end.v_mps, 0.0, 0.0};
    speed_up(p, v_peak, s);
    const double swing_m = slow_down(p, mf_smaller(v_end, v_peak), s);
    const double travelled_m = p->end.x_m + swing_m;
    cut_back(p, &mark);
    return travelled_m;
}

bool mf_profile_run(struct mf_profile *p, double distance_m, double v_end_mps,
                    const struct mf_shape *shape)
{
    const double to_m = p->end.x_m + distance_m;
    double low = p->end.v_mps;
    double high = mf_larger(shape->speed_mps, low);
    if (!(distance_m > 0.0) || travelled(p, low, v_end_mps, shape) > distance_m) {
        return false;
    }
    if (travelled(p, high, v_end_mps, shape) <= distance_m) {
        low = high;
    }
    for (int i = 0; i < HALVINGS && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (travelled(p, middle, v_end_mps, shape) <= distance_m) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const double rest_m = distance_m - travelled(p, low, v_end_mps, shape);
    speed_up(p, low, shape);
    if (low > 0.0) {
        mf_profile_add(p, rest_m / low, 0.0);
    }
    const double swing_m = slow_down(p, mf_smaller(v_end_mps, low), shape);
    p->end.x_m = to_m - swing_m;
    return true;
}

static void mirror(struct mf_profile *p)
{
    p->start = (struct mf_motion){-p->start.x_m, -p->start.v_mps, -p->start.a_mps2, 0.0};
    p->end = (struct mf_motion){-p->end.x_m, -p->end.v_mps, -p->end.a_mps2, 0.0};
    for (uint32_t i = 0; i < p->count; i++) {
        p->piece[i].jerk_mps3 = -p->piece[i].jerk_mps3;
    }
}

/* A place behind that of an immediate stop is ahead in the mirror. */
void mf_profile_reach(struct mf_profile *p, double x_m, double speed_mps, double acc_mps2,
                      double jerk_mps3)
{
    const struct mf_shape shape = {speed_mps, acc_mps2, acc_mps2, jerk_mps3, jerk_mps3,
                                   1.0,       1.0,      0.0,      0.0};
    const struct mark mark = mark_of(p);
    mf_profile_change(p, 0.0, acc_mps2, jerk_mps3);
    const bool back = x_m < p->end.x_m;
    const double to_m = back ? -x_m : x_m;
    cut_back(p, &mark);
    if (back) {
        mirror(p);
    }
    const double v = p->end.v_mps;
    mf_profile_change(p, v > 0.0 ? mf_smaller(v, speed_mps) : 0.0, acc_mps2, jerk_mps3);
    if (!mf_profile_run(p, to_m - p->end.x_m, 0.0, &shape)) {
        if (back) {
            mirror(p);
        }
        cut_back(p, &mark);
        mf_profile_change(p, 0.0, acc_mps2, jerk_mps3);
        if (back) {
            mirror(p);
        }
        (void)mf_profile_run(p, to_m - p->end.x_m, 0.0, &shape);
    }
    if (back) {
        mirror(p);
    }
}
