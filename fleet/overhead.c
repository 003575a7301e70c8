/* SPDX-License-Identifier: Apache-2.0 */
/* Draws outputs.overhead at the end of a run; tracks.c and search_watch.c of
 * boards/swarm call it. */
#include "fleet/overhead.h"

#include <math.h>

#define SIDE_PX     600.0 /* of the longer side */
#define EDGE_PX     20.0
#define LEGEND_PX   120.0
#define LEGEND_MOST 20u
#define LINE_PX     18.0 /* of the legend */
#define NAME_LENGTH (MF_SCENARIO_NAME_MAX + 12u)

static const char *const k_colour[] = {"#1F77B4", "#2CA02C", "#9467BD",
                                       "#FF7F0E", "#17BECF", "#8C564B"};
#define COLOURS (sizeof k_colour / sizeof k_colour[0])

struct picture {
    const struct mf_overhead *of;
    FILE *to;
    double low[2], high[2]; /* north, east [m] */
    double scale;           /* [px/m] */
};

static void include_place(struct picture *p, const double *ne_m)
{
    for (size_t k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], ne_m[k]);
        p->high[k] = fmax(p->high[k], ne_m[k]);
    }
}

/* @return number of the member */
static uint32_t read_point(const struct picture *p, size_t k, double *ne_m)
{
    const double *origin = p->of->scenario->origin;
    struct mf_geo at;
    const uint32_t member = p->of->point(p->of->ctx, k, &at);
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]}, at, ne_m);
    return member;
}

static bool is_thing(const struct picture *p, uint32_t member)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(p->of->scenario, member);
    const bool team = p->of->station_ne_m != NULL; /* objects of a search are of kind agent */
    return e->as == MF_SCENARIO_KIND_THING || (team && e->object.thing != MF_SCENARIO_THING_NONE);
}

/* ---- shapes */

static double x_of(const struct picture *p, double east_m)
{
    return EDGE_PX + (east_m - p->low[1]) * p->scale;
}

static double y_of(const struct picture *p, double north_m)
{
    return EDGE_PX + (p->high[0] - north_m) * p->scale;
}

static void put_corner(const struct picture *p, double north_m, double east_m)
{
    (void)fprintf(p->to, "%.1f,%.1f ", x_of(p, east_m), y_of(p, north_m));
}

static void put_circle(const struct picture *p, const double *ne_m, double radius_px,
                       const char *colour)
{
    (void)fprintf(p->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\">",
                  x_of(p, ne_m[1]), y_of(p, ne_m[0]), radius_px, colour);
}

/* ---- what does not move */

static void put_box(const struct picture *p, const struct mf_scenario_obstacle *o)
{
    (void)fputs("<polygon fill=\"#B8B8B8\" points=\"", p->to);
    put_corner(p, o->at[0], o->at[1]);
    put_corner(p, o->at[0] + o->size[0], o->at[1]);
    put_corner(p, o->at[0] + o->size[0], o->at[1] + o->size[1]);
    put_corner(p, o->at[0], o->at[1] + o->size[1]);
    (void)fputs("\"/>\n", p->to);
}

static void put_obstacles(const struct picture *p)
{
    const struct mf_scenario_search *s = &p->of->scenario->search;
    for (uint32_t i = 0; i < s->obstacles; i++) {
        const struct mf_scenario_obstacle *o = &s->obstacle[i];
        if (o->kind == MF_SCENARIO_SHAPE_BOX) {
            put_box(p, o);
        } else if (o->kind < MF_SCENARIO_SHAPE_HULL) {
            put_circle(p, o->at, o->radius_m * p->scale, "#B8B8B8");
            (void)fputs("</circle>\n", p->to);
        }
    }
}

static void put_boundary(const struct picture *p)
{
    const struct mf_scenario_search *s = &p->of->scenario->search;
    if (s->corners == 0) {
        return;
    }
    (void)fputs("<polygon fill=\"#F4F7FA\" stroke=\"#303030\" points=\"", p->to);
    for (uint32_t i = 0; i < s->corners; i++) {
        put_corner(p, s->corner[i][0], s->corner[i][1]);
    }
    (void)fputs("\"/>\n", p->to);
}

static void put_things(const struct picture *p)
{
    const struct mf_scenario *s = p->of->scenario;
    for (uint32_t i = 0; i < s->members; i++) {
        double ne_m[2];
        char name[NAME_LENGTH];
        if (is_thing(p, i)) {
            const char *colour = p->of->thing(p->of->ctx, i, ne_m);
            mf_scenario_member_name(s, i, name);
            put_circle(p, ne_m, 3.0, colour);
            (void)fprintf(p->to, "<title>%s</title></circle>\n", name);
        }
    }
    if (p->of->station_ne_m != NULL) {
        put_circle(p, p->of->station_ne_m, 5.0, "#303030");
        (void)fputs("</circle>\n", p->to);
    }
}

/* ---- ways */

static void put_legend(const struct picture *p, uint32_t line, const char *colour, const char *text)
{
    if (line < LEGEND_MOST) {
        (void)fprintf(p->to, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n",
                      x_of(p, p->high[1]) + EDGE_PX, EDGE_PX + 14.0 + LINE_PX * line, colour, text);
    }
}

/* Draw the way of one member. @param line  of the legend  @return its end: the next way's point */
static size_t put_way(const struct picture *p, size_t from, uint32_t line)
{
    char name[NAME_LENGTH];
    double ne_m[2];
    const char *colour = k_colour[line % COLOURS];
    const uint32_t member = read_point(p, from, ne_m);
    size_t k = from;
    (void)fprintf(p->to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                  colour);
    do {
        put_corner(p, ne_m[0], ne_m[1]);
        k++;
    } while (k < p->of->points && read_point(p, k, ne_m) == member);
    mf_scenario_member_name(p->of->scenario, member, name);
    (void)fprintf(p->to, "\"><title>%s</title></polyline>\n", name);
    put_legend(p, line, colour, name);
    return k;
}

/* Choose frame and scale so that all that is drawn lies within; circles may reach beyond. */
static void set_frame(struct picture *p)
{
    const struct mf_scenario *s = p->of->scenario;
    double ne_m[2];
    for (size_t k = 0; k < p->of->points; k++) {
        (void)read_point(p, k, ne_m);
        include_place(p, ne_m);
    }
    for (uint32_t i = 0; i < s->search.corners; i++) {
        include_place(p, s->search.corner[i]);
    }
    for (uint32_t i = 0; i < s->members; i++) {
        if (is_thing(p, i)) {
            (void)p->of->thing(p->of->ctx, i, ne_m);
            include_place(p, ne_m);
        }
    }
    if (p->of->station_ne_m != NULL) {
        include_place(p, p->of->station_ne_m);
    }
    const double side_m = fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]);
    p->scale = SIDE_PX / fmax(side_m, 1.0);
}

void mf_overhead_write(const struct mf_overhead *o, FILE *to)
{
    struct picture p = {
        .of = o, .to = to, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    uint32_t line = 0;
    if (o->points == 0) {
        return;
    }
    set_frame(&p);
    (void)fprintf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  (p.high[1] - p.low[1]) * p.scale + 2.0 * EDGE_PX + LEGEND_PX,
                  fmax((p.high[0] - p.low[0]) * p.scale, LINE_PX * LEGEND_MOST) + 2.0 * EDGE_PX);
    put_boundary(&p);
    put_obstacles(&p);
    put_things(&p);
    for (size_t k = 0; k < o->points;) {
        k = put_way(&p, k, line++);
    }
    for (const struct mf_overhead_note *n = o->note; n != NULL && n->text != NULL; n++) {
        put_legend(&p, line++, n->colour, n->text);
    }
    (void)fputs("</svg>\n", to);
}
