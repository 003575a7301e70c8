/* SPDX-License-Identifier: Apache-2.0 */
/* Flight of a ball among obstacles. Called by world/mover_bee. */
#include "world/space_slide.h"

#include "math/trig.h"

/* Maximum number of contacts and other ends of a parabola within one flight; then the ball waits
 * for the next one. */
#define PIECES_MAX 24u
/* Distance of a ball from an obstacle on which it lies, between 0 and MF_SPACE_TOUCH_M [m]. */
#define LIES_M (0.5 * MF_SPACE_TOUCH_M)
/* Greatest distance of a ball that still lies on an obstacle: above rounding. */
#define NEAR_M (8.0 * MF_SPACE_TOUCH_M)
/* Share of the radius by which a ball may be within an obstacle and is moved out of it. A ball that
 * is deeper has begun there, and may leave. */
#define DEEP 0.1
/* Smallest velocity [m/s] and acceleration [m/s^2] that count. */
#define STILL 1e-12
/* Cosine of the steepest slope that carries a ball. */
#define CARRIES 0.7

struct flight {
    const struct mf_space *space;
    struct mf_slider *ball;
    mf_slide_note *note;
    void *ctx;
    double since_s; /* start of the flight's rest, since its beginning */
    double left_s;
    double wall[3]; /* normal of the last obstacle met */
    bool has_wall;
};

/* End of a parabola. */
struct end {
    struct flight *f;
    double acc_mps2; /* length of the acceleration */
    double after_s;
    /* part that the ball meets; NULL: it meets none, but may return to one */
    const struct mf_space_part *part;
};

/* ---- places */

static void place_after(const struct mf_slider *ball, double s, double place[3])
{
    for (size_t i = 0; i < 3; i++) {
        place[i] = ball->neu_m[i] + (ball->vel_mps[i] + 0.5 * ball->acc_mps2[i] * s) * s;
    }
}

static double gap_after(const struct mf_space_part *part, const struct mf_slider *ball, double s)
{
    double place[3];
    place_after(ball, s, place);
    return mf_space_part_distance(part, place) - ball->radius_m;
}

static void move(struct flight *f, double s)
{
    struct mf_slider *ball = f->ball;
    double place[3];
    place_after(ball, s, place);
    for (size_t i = 0; i < 3; i++) {
        ball->neu_m[i] = place[i];
        ball->vel_mps[i] += ball->acc_mps2[i] * s;
    }
    f->since_s += s;
    f->left_s -= s;
}

static double length_of(const double v[3])
{
    return mf_sqrt(mf_dot3(v, v));
}

/* Box around all places that the ball can reach. */
static struct mf_box reach(const struct mf_slider *ball, double for_s)
{
    struct mf_box box;
    for (size_t i = 0; i < 3; i++) {
        const double way = ball->vel_mps[i] * for_s;
        const double bend = 0.5 * ball->acc_mps2[i] * for_s * for_s;
        const double wide = ball->radius_m + NEAR_M;
        box.low[i] = ball->neu_m[i] + mf_smaller(way, 0.0) + mf_smaller(bend, 0.0) - wide;
        box.high[i] = ball->neu_m[i] + mf_larger(way, 0.0) + mf_larger(bend, 0.0) + wide;
    }
    return box;
}

/* ---- ends of a parabola */

static void end_at(struct end *e, double s, const struct mf_space_part *part)
{
    const bool lower = part != NULL && (e->part == NULL || part->id < e->part->id);
    if (s < e->after_s || (s == e->after_s && lower)) {
        e->after_s = s;
        e->part = part;
    }
}

/* The ball lies on a part: it moves into it, along it or away, and may return. A part is convex, so
 * a way along its surface does not meet it. */
static void leave_part(struct end *e, const struct mf_space_part *part)
{
    const struct flight *f = e->f;
    double normal[3];
    if (!mf_space_part_normal(part, f->ball->neu_m, f->ball->radius_m, normal)) {
        return;
    }
    const double leaves_mps = mf_dot3(f->ball->vel_mps, normal);
    const double pulls_mps2 = mf_dot3(f->ball->acc_mps2, normal);
    if (leaves_mps < -STILL || (leaves_mps <= STILL && pulls_mps2 < -STILL)) {
        end_at(e, 0.0, part);
    } else if (pulls_mps2 < -STILL) {
        end_at(e, -2.0 * leaves_mps / pulls_mps2, NULL);
    } else if (leaves_mps <= STILL) {
        f->note(f->ctx, part->id, f->since_s, false);
    }
}

/* Time for which a ball cannot meet a part at this distance: it approaches by its speed, and by all
 * of its acceleration. */
static double safe_s(const struct end *e, double s, double gap)
{
    const struct mf_slider *ball = e->f->ball;
    double vel[3];
    for (size_t i = 0; i < 3; i++) {
        vel[i] = ball->vel_mps[i] + ball->acc_mps2[i] * s;
    }
    const double square = mf_dot3(vel, vel);
    return 2.0 * gap / (mf_sqrt(square) + mf_sqrt(square + 2.0 * e->acc_mps2 * gap));
}

/* Find the time of a contact with a part. The ball advances by the distance at which it cannot yet
 * meet it, until none is left. A ball that touches the part at the end has met it there: the next
 * flight begins on it. */
static void try_part(void *ctx, const struct mf_space_part *part)
{
    struct end *e = ctx;
    const struct mf_slider *ball = e->f->ball;
    double s = 0.0, gap = gap_after(part, ball, 0.0);
    if (gap <= NEAR_M) {
        if (gap >= -DEEP * ball->radius_m) {
            leave_part(e, part);
        }
        return;
    }
    for (uint32_t i = 0; i < MF_SPACE_ADVANCES && gap > MF_SPACE_TOUCH_M; i++) {
        s += safe_s(e, s, gap);
        if (s > e->after_s) {
            if (gap_after(part, ball, e->after_s) <= MF_SPACE_TOUCH_M) {
                end_at(e, e->after_s, part);
            }
            return;
        }
        gap = gap_after(part, ball, s);
    }
    end_at(e, s, part);
}

/* ---- contacts */

/* Keep only the component of a vector along an edge of two surfaces, or nothing. */
static void keep_along(double v[3], const double edge[3], double square)
{
    const double along = square > 0.0 ? mf_dot3(v, edge) / square : 0.0;
    for (size_t i = 0; i < 3; i++) {
        v[i] = edge[i] * along;
    }
}

static void lose(double v[3], const double normal[3])
{
    const double into = mf_smaller(mf_dot3(v, normal), 0.0);
    for (size_t i = 0; i < 3; i++) {
        v[i] -= normal[i] * into;
    }
}

static bool goes_into(const struct mf_slider *ball, const double normal[3])
{
    return mf_dot3(ball->vel_mps, normal) < -STILL || mf_dot3(ball->acc_mps2, normal) < -STILL;
}

/* Move the ball out of a part, so that it lies on it, and stop its motion into it. */
static void slide(struct flight *f, const struct mf_space_part *part, const double normal[3])
{
    struct mf_slider *ball = f->ball;
    const double gap = gap_after(part, ball, 0.0);
    for (size_t i = 0; i < 3; i++) {
        ball->neu_m[i] += normal[i] * (LIES_M - gap);
    }
    lose(ball->vel_mps, normal);
    if (mf_dot3(ball->vel_mps, normal) <= STILL) {
        lose(ball->acc_mps2, normal);
    }
    if (f->has_wall && goes_into(ball, f->wall)) { /* along both surfaces */
        const double *a = f->wall, *b = normal;
        const double edge[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                a[0] * b[1] - a[1] * b[0]};
        const double square = mf_dot3(edge, edge);
        keep_along(ball->vel_mps, edge, square);
        keep_along(ball->acc_mps2, edge, square);
    }
    for (size_t i = 0; i < 3; i++) {
        f->wall[i] = normal[i];
    }
    f->has_wall = true;
}

/* Meet a part. @return true: the part carries the ball */
static bool meet(struct flight *f, const struct mf_space_part *part)
{
    double normal[3];
    f->note(f->ctx, part->id, f->since_s, true);
    if (!mf_space_part_normal(part, f->ball->neu_m, f->ball->radius_m, normal)) {
        return false;
    }
    slide(f, part, normal);
    for (size_t i = 0; i < 3 && normal[2] > CARRIES; i++) {
        f->ball->vel_mps[i] = f->ball->acc_mps2[i] = 0.0;
    }
    return normal[2] > CARRIES;
}

bool mf_space_slide(const struct mf_space *space, struct mf_slider *ball, double for_s,
                    mf_slide_note *note, void *ctx)
{
    MF_ASSERT(for_s >= 0.0 && ball->radius_m > 0.0);
    struct flight f = {.space = space, .ball = ball, .note = note, .ctx = ctx, .left_s = for_s};
    for (uint32_t i = 0; i < PIECES_MAX && f.left_s > 0.0; i++) {
        struct end e = {.f = &f, .acc_mps2 = length_of(ball->acc_mps2), .after_s = f.left_s};
        const struct mf_box box = reach(ball, f.left_s);
        if (e.acc_mps2 > 0.0 || length_of(ball->vel_mps) > 0.0) {
            mf_space_each(space, &box, try_part, &e);
        }
        move(&f, e.after_s);
        if (e.part != NULL && meet(&f, e.part)) {
            return true;
        }
    }
    return false;
}
