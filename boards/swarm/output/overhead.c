/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/output/overhead.h"

#include "boards/swarm/members/members.h"

#include <math.h>

#define SIDE_PX     600.0 /* of the longer side */
#define EDGE_PX     20.0
#define LEGEND_PX   120.0
#define LEGEND_MOST 20u

static const char *const k_colour[] = {"#1F77B4", "#2CA02C", "#9467BD",
                                       "#FF7F0E", "#17BECF", "#8C564B"};
#define COLOURS (sizeof k_colour / sizeof k_colour[0])

struct picture {
    const struct swarm *w;
    FILE *to;
    double low[2], high[2]; /* north, east [m] */
    double scale;           /* [px/m] */
};

static void include(struct picture *p, double north, double east)
{
    p->low[0] = fmin(p->low[0], north);
    p->low[1] = fmin(p->low[1], east);
    p->high[0] = fmax(p->high[0], north);
    p->high[1] = fmax(p->high[1], east);
}

static void local(const struct picture *p, const struct swarm_point *point, double *ne_m)
{
    const double *origin = p->w->scenario->origin;
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){point->lat_deg, point->lon_deg}, ne_m);
}

static void put(const struct picture *p, double north, double east)
{
    (void)fprintf(p->to, "%.1f,%.1f ", EDGE_PX + (east - p->low[1]) * p->scale,
                  EDGE_PX + (p->high[0] - north) * p->scale);
}

static void put_circle(const struct picture *p, double north, double east, double radius_px,
                       const char *style)
{
    (void)fprintf(p->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s>",
                  EDGE_PX + (east - p->low[1]) * p->scale,
                  EDGE_PX + (p->high[0] - north) * p->scale, radius_px, style);
}

/* ---- what stands there */

static void put_box(const struct picture *p, const struct mf_scenario_obstacle *o)
{
    (void)fputs("<polygon fill=\"#B8B8B8\" points=\"", p->to);
    put(p, o->at[0], o->at[1]);
    put(p, o->at[0] + o->size[0], o->at[1]);
    put(p, o->at[0] + o->size[0], o->at[1] + o->size[1]);
    put(p, o->at[0], o->at[1] + o->size[1]);
    (void)fputs("\"/>\n", p->to);
}

/* Hulls and meshes are left out. */
static void put_obstacles(const struct picture *p)
{
    const struct mf_scenario_search *s = &p->w->scenario->search;
    for (uint32_t i = 0; i < s->obstacles; i++) {
        const struct mf_scenario_obstacle *o = &s->obstacle[i];
        if (o->kind == MF_SCENARIO_SHAPE_BOX) {
            put_box(p, o);
        } else if (o->kind < MF_SCENARIO_SHAPE_HULL) {
            put_circle(p, o->at[0], o->at[1], o->radius_m * p->scale, "fill=\"#B8B8B8\"");
            (void)fputs("</circle>\n", p->to);
        }
    }
}

static void put_boundary(const struct picture *p)
{
    const struct mf_scenario_search *s = &p->w->scenario->search;
    if (s->corners == 0) {
        return;
    }
    (void)fputs("<polygon fill=\"#F4F7FA\" stroke=\"#303030\" points=\"", p->to);
    for (uint32_t i = 0; i < s->corners; i++) {
        put(p, s->corner[i][0], s->corner[i][1]);
    }
    (void)fputs("\"/>\n", p->to);
}

static void put_things(const struct picture *p)
{
    const struct mf_scenario *s = p->w->scenario;
    for (uint32_t i = 0; i < s->members; i++) {
        double neu_m[3];
        char name[SWARM_NAME_MAX];
        if (swarm_is_thing(p->w, i)) {
            swarm_place(p->w, i, p->w->now_us, neu_m);
            mf_scenario_member_name(s, i, name);
            put_circle(p, neu_m[0], neu_m[1], 3.0, "fill=\"#303030\"");
            (void)fprintf(p->to, "<title>%s</title></circle>\n", name);
        }
    }
}

/* ---- who flew there */

static void put_way(const struct picture *p, const struct swarm_point *point, size_t count,
                    uint32_t line)
{
    char name[SWARM_NAME_MAX];
    const char *colour = k_colour[line % COLOURS];
    mf_scenario_member_name(p->w->scenario, point->i, name);
    (void)fprintf(p->to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                  colour);
    for (size_t k = 0; k < count; k++) {
        double ne_m[2];
        local(p, &point[k], ne_m);
        put(p, ne_m[0], ne_m[1]);
    }
    (void)fprintf(p->to, "\"><title>%s</title></polyline>\n", name);
    if (line < LEGEND_MOST) {
        (void)fprintf(p->to, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n",
                      2.0 * EDGE_PX + (p->high[1] - p->low[1]) * p->scale,
                      EDGE_PX + 14.0 + 18.0 * line, colour, name);
    }
}

/* Everything that will be drawn lies within. */
static void frame(struct picture *p, const struct swarm_point *point, size_t count)
{
    const struct mf_scenario *s = p->w->scenario;
    for (size_t k = 0; k < count; k++) {
        double ne_m[2];
        local(p, &point[k], ne_m);
        include(p, ne_m[0], ne_m[1]);
    }
    for (uint32_t i = 0; i < s->search.corners; i++) {
        include(p, s->search.corner[i][0], s->search.corner[i][1]);
    }
    for (uint32_t i = 0; i < s->members; i++) {
        double neu_m[3];
        if (swarm_is_thing(p->w, i)) {
            swarm_place(p->w, i, p->w->now_us, neu_m);
            include(p, neu_m[0], neu_m[1]);
        }
    }
    const double side_m = fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]);
    p->scale = SIDE_PX / fmax(side_m, 1.0);
}

void swarm_overhead_write(const struct swarm *w, const struct swarm_point *point, size_t count,
                          FILE *to)
{
    struct picture p = {
        .w = w, .to = to, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    uint32_t line = 0;
    if (count == 0) {
        return;
    }
    frame(&p, point, count);
    (void)fprintf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  (p.high[1] - p.low[1]) * p.scale + 2.0 * EDGE_PX + LEGEND_PX,
                  fmax((p.high[0] - p.low[0]) * p.scale, 18.0 * LEGEND_MOST) + 2.0 * EDGE_PX);
    put_boundary(&p);
    put_obstacles(&p);
    put_things(&p);
    for (size_t from = 0, until = 0; from < count; from = until) {
        while (until < count && point[until].i == point[from].i) {
            until++;
        }
        put_way(&p, &point[from], until - from, line++);
    }
    (void)fputs("</svg>\n", to);
}
