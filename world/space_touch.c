/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of moving balls with each other. Called by boards/swarm/contacts. */
#include "world/space_touch.h"

#include "math/trig.h"

#include <string.h>

#define CELL_LEAST_M 0.01
#define FAR_M        1e6

size_t mf_touch_bytes(uint32_t count)
{
    return mf_buckets_bytes(count);
}

void mf_touch_init(struct mf_touch *t, uint32_t count, void *bytes)
{
    MF_ASSERT(t != NULL && bytes != NULL && count > 0 && count <= UINT32_MAX / 2u);
    *t = (struct mf_touch){.count = count, .by_cell = mf_buckets(count, bytes)};
}

/* ---- the grid */

struct cell {
    int32_t at[3];
};

/* Cell along an axis. A ball beyond the limits of the world counts in its outermost cell. */
static int32_t cell_along(const struct mf_touch *t, double along_m)
{
    return mf_cell_along(mf_larger(mf_smaller(along_m, FAR_M), -FAR_M), t->cell_m);
}

static struct cell cell_of(const struct mf_touch *t, const double neu_m[3])
{
    return (struct cell){
        {cell_along(t, neu_m[0]), cell_along(t, neu_m[1]), cell_along(t, neu_m[2])}};
}

static uint32_t bucket_of(const struct mf_touch *t, const struct cell *cell)
{
    const uint32_t n = (uint32_t)cell->at[0] * 73856093u, e = (uint32_t)cell->at[1] * 19349663u,
                   u = (uint32_t)cell->at[2] * 83492791u;
    return (n ^ e ^ u) & (t->by_cell.buckets - 1u);
}

static uint32_t bucket_of_ball(const struct mf_touch *t, uint32_t i)
{
    const struct cell cell = cell_of(t, t->ball[i].neu_m);
    return bucket_of(t, &cell);
}

/* Distance within which a ball touches others during the step. */
static double reach_m(const struct mf_touch *t, const struct mf_ball *ball)
{
    return ball->radius_m + MF_SPACE_TOUCH_M +
           mf_sqrt(mf_dot3(ball->vel_mps, ball->vel_mps)) * t->until_s;
}

void mf_touch_sort(struct mf_touch *t, const struct mf_ball *ball, mf_us_t until_us)
{
    t->ball = ball;
    t->until_s = (double)until_us * 1e-6;
    t->cell_m = CELL_LEAST_M;
    for (uint32_t i = 0; i < t->count; i++) {
        t->cell_m = mf_larger(2.0 * reach_m(t, &ball[i]), t->cell_m);
    }
    mf_buckets_begin(&t->by_cell);
    for (uint32_t i = 0; i < t->count; i++) {
        mf_buckets_count(&t->by_cell, bucket_of_ball(t, i));
    }
    mf_buckets_lay(&t->by_cell);
    for (uint32_t i = 0; i < t->count; i++) {
        mf_buckets_put(&t->by_cell, bucket_of_ball(t, i), i);
    }
    mf_buckets_end(&t->by_cell);
}

/* ---- contacts */

/* Relative place of two balls after a time, of which only the distance counts. @return its square
 */
static double square_after(const double p[3], const double v[3], double s)
{
    const double at[3] = {p[0] + v[0] * s, p[1] + v[1] * s, p[2] + v[2] * s};
    return mf_dot3(at, at);
}

/* Time at which two balls meet within the step; infinity: they do not, or touch already. Balls that
 * touch at the end of a step have met in it, as those that touch at its beginning have met before:
 * rounding of the root neither loses a contact at the end of a step nor finds it twice. */
static double meet_s(const struct mf_touch *t, const struct mf_ball *a, const struct mf_ball *b)
{
    double p[3], v[3];
    const double both = a->radius_m + b->radius_m, near = both + MF_SPACE_TOUCH_M;
    for (size_t i = 0; i < 3; i++) {
        p[i] = b->neu_m[i] - a->neu_m[i];
        v[i] = b->vel_mps[i] - a->vel_mps[i];
    }
    const double vv = mf_dot3(v, v), pv = mf_dot3(p, v), rest = mf_dot3(p, p) - both * both;
    const double under = pv * pv - vv * rest;
    if (!(mf_dot3(p, p) > near * near && pv < 0.0)) {
        return t->overlaps && pv < 0.0 ? 0.0 : __builtin_inf();
    }
    /* the smaller root, without a difference of nearly equal numbers */
    const double s = under >= 0.0 ? rest / (mf_sqrt(under) - pv) : __builtin_inf();
    return s <= t->until_s                                 ? s
           : square_after(p, v, t->until_s) <= near * near ? t->until_s
                                                           : __builtin_inf();
}

static void look_into(const struct mf_touch *t, uint32_t i, const struct cell *cell,
                      mf_touch_take *take, void *ctx)
{
    const uint32_t bucket = bucket_of(t, cell);
    for (uint32_t k = t->by_cell.begin[bucket]; k < t->by_cell.begin[bucket + 1u]; k++) {
        const uint32_t other = t->by_cell.order[k];
        if (other <= i) {
            continue;
        }
        const struct cell its = cell_of(t, t->ball[other].neu_m);
        const double s = memcmp(&its, cell, sizeof its) == 0 /* another cell may share the bucket */
                             ? meet_s(t, &t->ball[i], &t->ball[other])
                             : __builtin_inf();
        if (s <= t->until_s) {
            take(ctx, &(struct mf_contact){mf_contact_us(s), i, other});
        }
    }
}

void mf_touch_look(const struct mf_touch *t, uint32_t i, mf_touch_take *take, void *ctx)
{
    MF_ASSERT(i < t->count);
    const struct cell own = cell_of(t, t->ball[i].neu_m);
    for (int32_t k = 0; k < 27; k++) {
        const struct cell cell = {
            {own.at[0] + k / 9 - 1, own.at[1] + k / 3 % 3 - 1, own.at[2] + k % 3 - 1}};
        look_into(t, i, &cell, take, ctx);
    }
}
