/* SPDX-License-Identifier: Apache-2.0 */
/* Draws outputs.trust and outputs.costs of a world of cells. Called by grid_figures in each tick,
 * and at the end. */
#include "boards/swarm/cells/grid_plots.h"

#include "boards/swarm/cells/grid_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define EDGE_PX   SWARM_GRID_EDGE_PX
#define LEGEND_PX 160.0
#define LINE_PX   18.0 /* of the legend */
#define INK       0x303030u
#define GREY      0x606060u

/* ---- trust over time */

#define WIDE_PX     560.0 /* of the axis of time */
#define HIGH_PX     320.0 /* of the axis of trust */
#define LEFT_PX     60.0
#define BELOW_PX    50.0
#define LEGEND_MOST 18u

void swarm_grid_trust_note(struct swarm_grid_trust *t, const struct swarm_grid *g,
                           const struct mf_grid *q)
{
    if (t->last == NULL) {
        t->last = malloc(g->s.drone_count * sizeof *t->last);
        t->changes.failed = t->last == NULL;
        for (uint32_t i = 0; t->last != NULL && i < g->s.drone_count; i++) {
            t->last[i] = -1.0;
        }
    }
    for (uint32_t drone = 1; drone <= g->s.drone_count && !t->changes.failed; drone++) {
        const struct mf_grid_view v = mf_grid_drone(q, drone);
        if (v.state != MF_GRID_STATE_ABSENT && t->last[drone - 1u] != v.trust) {
            struct swarm_grid_trusted *row = swarm_gather(&t->changes, sizeof *row);
            if (row != NULL) {
                *row = (struct swarm_grid_trusted){mf_grid_ticks(q), drone, v.trust};
            }
            t->last[drone - 1u] = v.trust;
        }
    }
}

/* Scales of a plot. */
struct axes {
    double ticks, trust; /* greatest values */
};

static double x_at(const struct axes *a, double tick)
{
    return LEFT_PX + tick / a->ticks * WIDE_PX;
}

static double y_at(const struct axes *a, double trust)
{
    return EDGE_PX + (1.0 - trust / a->trust) * HIGH_PX;
}

/* Largest of 1, 2, 5, 10, ... that divides an axis into at least four parts. */
static double step_of(double most)
{
    static const double k_part[] = {5.0, 2.0, 1.0};
    const double ten = pow(10.0, floor(log10(most / 4.0)));
    for (size_t i = 0; i < 3; i++) {
        if (k_part[i] * ten <= most / 4.0) {
            return k_part[i] * ten;
        }
    }
    return ten;
}

static void put_line(FILE *to, double x0, double y0, double x1, double y1, const char *colour)
{
    (void)fprintf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x0,
                  y0, x1, y1, colour);
}

static void put_axes(const struct axes *a, FILE *to)
{
    char text[32];
    const double left = x_at(a, 0.0), right = x_at(a, a->ticks), bottom = y_at(a, 0.0);
    const double ticks = step_of(a->ticks), trust = step_of(a->trust);
    for (int i = 0; i * ticks <= a->ticks; i++) {
        const double x = x_at(a, i * ticks);
        put_line(to, x, bottom, x, EDGE_PX, i == 0 ? "#303030" : "#E2E6EA");
        (void)snprintf(text, sizeof text, "%g", i * ticks);
        swarm_grid_put_text(to, x - 4.0 * (double)(text[1] != '\0' ? 2 : 1), bottom + 18.0, INK,
                            text);
    }
    for (int i = 0; i * trust <= a->trust * (1.0 + 1e-9); i++) {
        const double y = y_at(a, i * trust);
        put_line(to, left, y, right, y, i == 0 ? "#303030" : "#E2E6EA");
        (void)snprintf(text, sizeof text, "%g", i * trust);
        swarm_grid_put_text(to, left - 34.0, y + 4.0, INK, text);
    }
    swarm_grid_put_text(to, right - 24.0, bottom + 38.0, INK, "tick");
    swarm_grid_put_text(to, left + 4.0, EDGE_PX - 6.0, INK, "trust");
}

/* Draw a drone's trust as steps, from its first tick to the end. */
static void put_trust(const struct swarm_grid_trust *t, const struct axes *a, uint32_t drone,
                      const char *name, FILE *to)
{
    const struct swarm_grid_trusted *row = t->changes.at;
    double before = 0.0;
    bool any = false;
    (void)fprintf(to, "<polyline fill=\"none\" stroke=\"#%06X\" stroke-width=\"1.5\" points=\"",
                  (unsigned)swarm_grid_drone_colour(drone));
    for (size_t i = 0; i < t->changes.count; i++) {
        const double x = x_at(a, (double)row[i].tick);
        if (row[i].drone != drone) {
            continue;
        }
        if (any) {
            (void)fprintf(to, "%.1f,%.1f ", x, y_at(a, before));
        }
        (void)fprintf(to, "%.1f,%.1f ", x, y_at(a, row[i].trust));
        before = row[i].trust;
        any = true;
    }
    if (any) {
        (void)fprintf(to, "%.1f,%.1f", x_at(a, a->ticks), y_at(a, before));
    }
    (void)fprintf(to, "\"><title>%s</title></polyline>\n", name);
}

void swarm_grid_trust_write(const struct swarm_grid_trust *t, const struct swarm *w,
                            const struct swarm_grid *g, const struct mf_grid *q, FILE *to)
{
    const struct swarm_grid_trusted *row = t->changes.at;
    struct axes a = {fmax((double)mf_grid_last_active(q), 1.0), 1.0};
    uint32_t lines = 0;
    for (size_t i = 0; i < t->changes.count; i++) {
        a.trust = fmax(a.trust, row[i].trust); /* compat: lds lets it exceed 1 */
        a.ticks = fmax(a.ticks, (double)row[i].tick);
    }
    swarm_grid_begin_svg(to, LEFT_PX + WIDE_PX + EDGE_PX + LEGEND_PX, EDGE_PX + HIGH_PX + BELOW_PX);
    put_axes(&a, to);
    for (uint32_t drone = 1; t->last != NULL && drone <= g->s.drone_count; drone++) {
        char name[SWARM_NAME_MAX], text[SWARM_NAME_MAX + 16u];
        if (t->last[drone - 1u] < 0.0) {
            continue; /* it has never been there */
        }
        swarm_grid_drone_name(w, g, drone, name);
        put_trust(t, &a, drone, name, to);
        if (lines < LEGEND_MOST) {
            (void)snprintf(text, sizeof text, "%s: %.3f", name, t->last[drone - 1u]);
            swarm_grid_put_text(to, LEFT_PX + WIDE_PX + EDGE_PX, EDGE_PX + 14.0 + LINE_PX * lines++,
                                swarm_grid_drone_colour(drone), text);
        }
    }
    (void)fputs("</svg>\n", to);
}

void swarm_grid_trust_free(struct swarm_grid_trust *t)
{
    free(t->changes.at);
    free(t->last);
    *t = (struct swarm_grid_trust){0};
}

/* ---- the cost map */

#define SHADES    32   /* colours of costs */
#define NUMBER_PX 18.0 /* least side of a cell that has a number */
#define NO_WAY    (-1) /* as in mf_grid_costs() */
#define BLOCKED   (-2)

/* Map of costs on a level. */
struct cost_map {
    const int32_t *cost; /* [cells] */
    const struct mf_field_map *known;
    FILE *to;
    uint32_t level;
    int32_t most;
    double px; /* side of a cell */
};

static uint32_t shade(int32_t cost, int32_t most)
{
    static const int32_t k_near[] = {0xE8, 0xF2, 0xFB}, k_far[] = {0x08, 0x45, 0x94};
    const int32_t part = most > 0 ? cost * (SHADES - 1) / most : 0;
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) {
        const int32_t mixed = k_near[i] + (k_far[i] - k_near[i]) * part / (SHADES - 1);
        colour = colour << 8 | (uint32_t)mixed;
    }
    return colour;
}

static int32_t cost_at(const struct cost_map *m, uint32_t x, uint32_t y)
{
    const uint32_t *size = m->known->size;
    const uint32_t cell = (m->level * size[1] + y) * size[0] + x;
    return mf_field_is_blocked(m->known, cell) ? BLOCKED : m->cost[cell];
}

static uint32_t colour_of_cost(const struct cost_map *m, int32_t cost)
{
    return cost == BLOCKED ? GREY : cost == NO_WAY ? 0xFFFFFFu : shade(cost, m->most);
}

/* Draw a row; neighbours with one colour are one rectangle. */
static void put_cost_row(const struct cost_map *m, uint32_t y)
{
    const uint32_t width = m->known->size[0];
    const double top = EDGE_PX + (double)(m->known->size[1] - 1u - y) * m->px;
    for (uint32_t x = 0, end; x < width; x = end) {
        const uint32_t colour = colour_of_cost(m, cost_at(m, x, y));
        for (end = x + 1u; end < width && colour_of_cost(m, cost_at(m, end, y)) == colour;) {
            end++;
        }
        (void)fprintf(m->to,
                      "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                      "fill=\"#%06X\"/>\n",
                      EDGE_PX + x * m->px, top, (end - x) * m->px, m->px, (unsigned)colour);
    }
    for (uint32_t x = 0; x < width && m->px >= NUMBER_PX; x++) {
        const int32_t cost = cost_at(m, x, y);
        if (cost != BLOCKED) {
            (void)fprintf(m->to, "<text x=\"%.1f\" y=\"%.1f\"%s>%" PRId32 "</text>\n",
                          EDGE_PX + (x + 0.5) * m->px, top + 0.5 * m->px + 4.0,
                          2 * cost > m->most ? " fill=\"white\"" : "", cost);
        }
    }
}

static void put_sample(const struct cost_map *m, int line, uint32_t colour, const char *text)
{
    const double x = 2.0 * EDGE_PX + m->known->size[0] * m->px, y = EDGE_PX + LINE_PX * line;
    (void)fprintf(m->to,
                  "<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" height=\"14\" fill=\"#%06X\" "
                  "stroke=\"#303030\"/>\n",
                  x, y, (unsigned)colour);
    swarm_grid_put_text(m->to, x + 22.0, y + 12.0, INK, text);
}

static void put_cost_legend(const struct cost_map *m, struct mf_cell goal)
{
    char text[64];
    int line = 0;
    (void)snprintf(text, sizeof text, "moves to (%d, %d, %d)", (int)goal.x, (int)goal.y,
                   (int)goal.z);
    swarm_grid_put_text(m->to, 2.0 * EDGE_PX + m->known->size[0] * m->px,
                        EDGE_PX + 12.0 + LINE_PX * line++, INK, text);
    for (int32_t i = 0; i <= 4 && i <= m->most; i++) {
        const int32_t cost = m->most >= 4 ? m->most * i / 4 : i;
        (void)snprintf(text, sizeof text, "%" PRId32, cost);
        put_sample(m, line++, shade(cost, m->most), text);
    }
    put_sample(m, line++, GREY, "blocked");
    put_sample(m, line, 0xFFFFFFu, "-1: no way");
}

void swarm_grid_costs_write(const struct swarm_grid *g, struct mf_grid *q, uint32_t controller,
                            uint32_t goal, FILE *to)
{
    const uint32_t *size = g->s.size, side = size[0] > size[1] ? size[0] : size[1];
    const struct mf_cell at = mf_field_cell(mf_grid_field(q), goal);
    struct cost_map m = {.cost = mf_grid_costs(q, controller, goal),
                         .known = mf_grid_known(q, controller),
                         .to = to,
                         .level = (uint32_t)at.z,
                         .px = SWARM_GRID_SIDE_PX / side};
    const double wide_px = size[0] * m.px, high_px = size[1] * m.px;
    for (uint32_t i = 0; i < size[0] * size[1]; i++) {
        const int32_t cost = cost_at(&m, i % size[0], i / size[0]);
        m.most = cost > m.most ? cost : m.most;
    }
    swarm_grid_begin_svg(to, wide_px + 2.0 * EDGE_PX + LEGEND_PX,
                         fmax(high_px, 8.0 * LINE_PX) + 2.0 * EDGE_PX);
    (void)fprintf(to, "<g font-size=\"%.0f\" text-anchor=\"middle\" fill=\"#303030\">\n",
                  fmin(12.0, 0.5 * m.px));
    for (uint32_t y = 0; y < size[1]; y++) {
        put_cost_row(&m, y);
    }
    (void)fprintf(to,
                  "</g>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                  "stroke=\"#303030\"/>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                  "height=\"%.1f\" fill=\"none\" stroke=\"#D62728\" stroke-width=\"2\"/>\n",
                  EDGE_PX, EDGE_PX, wide_px, high_px, EDGE_PX + at.x * m.px,
                  EDGE_PX + ((double)size[1] - 1.0 - at.y) * m.px, m.px, m.px);
    put_cost_legend(&m, at);
    (void)fputs("</svg>\n", to);
}
