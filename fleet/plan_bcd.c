/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a boustrophedon decomposition. Called by fleet/search. */
#include "fleet/plan_bcd.h"

#include "hal/assert.h"
#include "math/trig.h"

#define SAMPLES \
    8 /* points per side of a cell at which it is tested for being inside the boundary */

struct cell {
    struct mf_en low, high;
};

/* Number of cells along a side of the area. */
static size_t cuts(double length_m, double edge_m, bool compat)
{
    size_t n = (size_t)(length_m / edge_m);
    if ((double)n * edge_m < length_m) {
        n++;
    }
    return compat ? n - 1u : n;
}

static struct mf_en middle(const struct cell *c)
{
    return (struct mf_en){(c->low.e + c->high.e) / 2.0, (c->low.n + c->high.n) / 2.0};
}

static struct mf_en sample(const struct cell *c, int i, int j)
{
    const double part = 1.0 / SAMPLES;
    return (struct mf_en){c->low.e + (c->high.e - c->low.e) * part * ((double)i + 0.5),
                          c->low.n + (c->high.n - c->low.n) * part * ((double)j + 0.5)};
}

/* Find the sample inside the boundary that is nearest to a point. @return false: all are outside */
static bool nearest_inside(const struct mf_bcd *b, const struct cell *c, struct mf_en to,
                           struct mf_en *best)
{
    double least = -1.0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const struct mf_en at = sample(c, i % SAMPLES, i / SAMPLES);
        const double away = mf_length2(at.e - to.e, at.n - to.n);
        if ((least < 0.0 || away < least) && mf_coverage_inside(at, b->corners, b->count)) {
            least = away;
            *best = at;
        }
    }
    return least >= 0.0;
}

/* Choose the middle of a cell, or the nearest sample inside the boundary. @return false: all of the
 * cell is outside */
static bool point_of(const struct mf_bcd *b, const struct cell *c, struct mf_en *at)
{
    *at = middle(c);
    return mf_coverage_inside(*at, b->corners, b->count) || nearest_inside(b, c, *at, at);
}

size_t mf_bcd_points(const struct mf_bcd *b, struct mf_enu *points, size_t capacity)
{
    MF_ASSERT(b->count >= 3u && b->edge_m > 0.0);
    const struct mf_coverage_box box = mf_coverage_box(b->corners, b->count);
    const size_t columns = cuts(box.high.e - box.low.e, b->edge_m, b->compat);
    const size_t rows = cuts(box.high.n - box.low.n, b->edge_m, b->compat);
    size_t count = 0;
    for (size_t k = 0; k < columns * rows; k++) {
        const size_t i = k / rows;
        const size_t j = i % 2u == 1u ? rows - 1u - k % rows : k % rows;
        const struct mf_en low = {box.low.e + (double)i * b->edge_m,
                                  box.low.n + (double)j * b->edge_m};
        const struct cell c = {
            low,
            {mf_smaller(low.e + b->edge_m, box.high.e), mf_smaller(low.n + b->edge_m, box.high.n)}};
        struct mf_en at;
        if (point_of(b, &c, &at)) {
            if (count < capacity) {
                points[count] = (struct mf_enu){(float)at.e, (float)at.n, b->altitude_m};
            }
            count++;
        }
    }
    return count;
}

size_t mf_bcd_share(size_t points, size_t members)
{
    return (points + members - 1u) / members;
}
