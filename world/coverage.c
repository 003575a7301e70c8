/* SPDX-License-Identifier: Apache-2.0 */
/* Rasters of seen cells, and polygons. Called by fleet, world/obstacles and boards/swarm. */
#include "world/coverage.h"

#include "hal/assert.h"
#include "math/chance.h"
#include "math/trig.h"

#define WORD      64u
#define TRIES_MAX 100000u /* to find a place within a polygon */

static uint32_t words_a_row(const struct mf_coverage_grid *g)
{
    return (g->columns + WORD - 1u) / WORD;
}

size_t mf_coverage_words(const struct mf_coverage_grid *g)
{
    return (size_t)words_a_row(g) * g->rows;
}

static uint32_t cells(double length_m, double cell_m)
{
    const double count = length_m / cell_m;
    const uint32_t whole = (uint32_t)count;
    return (double)whole < count ? whole + 1u : whole;
}

struct mf_coverage_box mf_coverage_box(const struct mf_en *corners, size_t count)
{
    MF_ASSERT(count >= 3u);
    struct mf_coverage_box box = {corners[0], corners[0]};
    for (size_t i = 1; i < count; i++) {
        box.low.e = mf_smaller(box.low.e, corners[i].e);
        box.low.n = mf_smaller(box.low.n, corners[i].n);
        box.high.e = mf_larger(box.high.e, corners[i].e);
        box.high.n = mf_larger(box.high.n, corners[i].n);
    }
    return box;
}

struct mf_coverage_grid mf_coverage_grid(const struct mf_en *corners, size_t count, double cell_m)
{
    MF_ASSERT(cell_m > 0.0);
    const struct mf_coverage_box box = mf_coverage_box(corners, count);
    return (struct mf_coverage_grid){box.low, cell_m, cells(box.high.e - box.low.e, cell_m),
                                     cells(box.high.n - box.low.n, cell_m)};
}

/* Index of the first of @p count centres 0.5, 1.5, ... that is not below @p x. */
static uint32_t first_from(double x, uint32_t count)
{
    const double at = x - 0.5;
    if (!(at > 0.0)) {
        return 0;
    }
    return at >= (double)count ? count : cells(at, 1.0);
}

/* Set the cells whose centres lie from @p low to @p high, in cells from the western edge. */
static void set_row(uint64_t *row, uint32_t columns, double low, double high)
{
    const uint32_t from = first_from(low, columns), to = first_from(high, columns);
    if (from >= to) {
        return;
    }
    const uint32_t first = from / WORD, last = (to - 1u) / WORD;
    const uint64_t west = UINT64_MAX << (from % WORD);
    const uint64_t east = UINT64_MAX >> (WORD - 1u - (to - 1u) % WORD);
    row[first] |= first == last ? west & east : west;
    row[last] |= first == last ? 0u : east;
    for (uint32_t i = first + 1u; i < last; i++) {
        row[i] = UINT64_MAX;
    }
}

/* Pair of a frame's sides: the cells of a row between them have
 * base + slope * x
 * <= limit, where base changes from row to row. */
struct side {
    double slope, inverse, limit;
};

static struct side side(double slope, double limit)
{
    return (struct side){slope, slope != 0.0 ? 1.0 / slope : 0.0, limit};
}

/* Limit @p low .. @p high to the cells between a pair of sides. */
static void limit_between(const struct side *s, double base, double *low, double *high)
{
    if (s->slope == 0.0) {
        if (!mf_within(base, s->limit)) {
            *high = *low;
        }
        return;
    }
    const double a = (-s->limit - base) * s->inverse;
    const double b = (s->limit - base) * s->inverse;
    *low = mf_larger(*low, mf_smaller(a, b));
    *high = mf_smaller(*high, mf_larger(a, b));
}

bool mf_coverage_is_set(const uint64_t *bits, const struct mf_coverage_grid *g, uint32_t column,
                        uint32_t row)
{
    return (bits[(size_t)row * words_a_row(g) + column / WORD] >> (column % WORD) & 1u) != 0;
}

void mf_coverage_see(uint64_t *bits, const struct mf_coverage_grid *g,
                     const struct mf_coverage_frame *f)
{
    const struct mf_en c = {(f->centre.e - g->corner.e) / g->cell_m,
                            (f->centre.n - g->corner.n) / g->cell_m};
    const struct side ahead = side(f->heading.e, f->ahead_m / g->cell_m);
    const struct side across = side(-f->heading.n, f->across_m / g->cell_m);
    const double reach = mf_abs(f->heading.n) * ahead.limit + mf_abs(f->heading.e) * across.limit;
    const uint32_t end = first_from(c.n + reach, g->rows);
    for (uint32_t r = first_from(c.n - reach, g->rows); r < end; r++) {
        const double dn = (double)r + 0.5 - c.n;
        double low = -(ahead.limit + across.limit);
        double high = ahead.limit + across.limit;
        limit_between(&ahead, dn * f->heading.n, &low, &high);
        limit_between(&across, dn * f->heading.e, &low, &high);
        if (low < high) {
            set_row(bits + (size_t)r * words_a_row(g), g->columns, c.e + low, c.e + high);
        }
    }
}

/* Invert the first @p count cells. */
static void turn_over(uint64_t *row, uint32_t count)
{
    for (uint32_t i = 0; i < count / WORD; i++) {
        row[i] = ~row[i];
    }
    if (count % WORD != 0u) {
        row[count / WORD] ^= (UINT64_C(1) << (count % WORD)) - 1u;
    }
}

/* East of the point where an edge crosses a latitude. @return false: it does not cross it */
static bool crosses(struct mf_en a, struct mf_en b, double n, double *e)
{
    if ((a.n > n) == (b.n > n)) {
        return false;
    }
    *e = a.e + (n - a.n) / (b.n - a.n) * (b.e - a.e);
    return true;
}

bool mf_coverage_inside(struct mf_en at, const struct mf_en *corners, size_t count)
{
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        double e = 0.0;
        if (crosses(corners[i], corners[(i + 1u) % count], at.n, &e) && e > at.e) {
            inside = !inside;
        }
    }
    return inside;
}

/* Twice the area of a triangle: its sign is the side of the edge from a to b on which p lies. */
static double side_of(struct mf_en a, struct mf_en b, struct mf_en p)
{
    return (b.e - a.e) * (p.n - a.n) - (b.n - a.n) * (p.e - a.e);
}

/* Does p lie between a and b, and is neither of them? */
static bool lies_between(struct mf_en p, struct mf_en a, struct mf_en b)
{
    const double ahead = (p.e - a.e) * (b.e - a.e) + (p.n - a.n) * (b.n - a.n);
    const double length2 = (b.e - a.e) * (b.e - a.e) + (b.n - a.n) * (b.n - a.n);
    return side_of(a, b, p) == 0.0 && ahead > 0.0 && ahead < length2;
}

static bool do_edges_meet(struct mf_en a, struct mf_en b, struct mf_en c, struct mf_en d)
{
    const bool apart = (side_of(a, b, c) > 0.0) != (side_of(a, b, d) > 0.0) &&
                       (side_of(c, d, a) > 0.0) != (side_of(c, d, b) > 0.0);
    const bool on_line = side_of(a, b, c) == 0.0 || side_of(a, b, d) == 0.0 ||
                         side_of(c, d, a) == 0.0 || side_of(c, d, b) == 0.0;
    return (apart && !on_line) || lies_between(a, c, d) || lies_between(b, c, d) ||
           lies_between(c, a, b) || lies_between(d, a, b);
}

bool mf_coverage_crosses(const struct mf_en *corners, size_t count, size_t *edge)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 2u; k < count; k++) {
            const bool neighbours = (k + 1u) % count == i;
            if (!neighbours &&
                do_edges_meet(corners[i], corners[i + 1u], corners[k], corners[(k + 1u) % count])) {
                edge[0] = i;
                edge[1] = k;
                return true;
            }
        }
    }
    return false;
}

struct mf_en mf_coverage_chance(const struct mf_en *corners, size_t count, uint64_t key)
{
    const struct mf_coverage_box box = mf_coverage_box(corners, count);
    struct mf_en at;
    uint64_t n = 0;
    do {
        at.e = box.low.e + mf_chance_unit(key, n) * (box.high.e - box.low.e);
        at.n = box.low.n + mf_chance_unit(key, n + 1u) * (box.high.n - box.low.n);
        n += 2u;
    } while (n < TRIES_MAX && !mf_coverage_inside(at, corners, count));
    return at;
}

/* A cell is inside if an odd number of edges lies east of it, so each edge inverts the cells west
 * of it. */
void mf_coverage_fill(uint64_t *bits, const struct mf_coverage_grid *g, const struct mf_en *corners,
                      size_t count)
{
    for (uint32_t r = 0; r < g->rows; r++) {
        const double n = g->corner.n + ((double)r + 0.5) * g->cell_m;
        uint64_t *row = bits + (size_t)r * words_a_row(g);
        for (size_t i = 0; i < count; i++) {
            double e = 0.0;
            if (crosses(corners[i], corners[(i + 1u) % count], n, &e)) {
                turn_over(row, first_from((e - g->corner.e) / g->cell_m, g->columns));
            }
        }
    }
}

uint64_t mf_coverage_both(const uint64_t *a, const uint64_t *b, const struct mf_coverage_grid *g)
{
    uint64_t count = 0;
    for (size_t i = 0; i < mf_coverage_words(g); i++) {
        count += (uint64_t)__builtin_popcountll(a[i] & b[i]);
    }
    return count;
}
