/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a search writes while it runs: samples as CSV, its trace as SVG, and a video. search.c
 * calls them. */
#include "boards/swarm/search/team.h"

#include "boards/swarm/processes/video.h"
#include "fleet/overhead.h"
#include "host/base/output.h"
#include "math/trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Growing arrays belong to struct swarm_team_watch; gcc 12 loses sight of them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define COLOURS 6u
#define SIDE_PX 600.0 /* of the longer side of a picture */
#define EDGE_PX 20.0
#define WHITE   0xFFFFFFu
#define BLACK   0x303030u
#define GREY    0xB8B8B8u
#define RED     0xD62728u
/* Objects in the trace. */
#define SPOTTED     "#D62728"
#define NOT_SPOTTED "#808080"

static const uint32_t k_colour[COLOURS] = {0x1F77B4u, 0x2CA02Cu, 0x9467BDu,
                                           0xFF7F0Eu, 0x17BECFu, 0x8C564Bu};

/* A file that is due each so many steps. */
struct every {
    FILE *file; /* NULL: not wanted */
    uint64_t steps, next;
};

struct spot {
    float e, n;
    size_t member;
};

struct swarm_team_watch {
    struct every csv, trace, video;
    FILE *detections;        /* NULL: not wanted */
    struct swarm_rows ways;  /* struct spot, of trace: at each instant one of each chosen member */
    struct swarm_video film; /* of video: paths stay, members move above them */
    struct spot *last;       /* [member_count], of video */
    bool failed;
};

/* ---- places in a picture */

struct view {
    struct mf_coverage_box box;
    double scale; /* px/m */
};

/* The area, the station and the begin of each. */
static struct view plot_view_of(const struct team *t)
{
    const struct mf_search_settings *s = &t->settings;
    struct view v = {mf_coverage_box(s->corners, s->corner_count), 1.0};
    for (size_t i = 0; i <= s->member_count; i++) {
        const struct mf_enu p = i < s->member_count ? s->members[i].begin_m : s->station;
        v.box.low.e = fmin(v.box.low.e, (double)p.e);
        v.box.low.n = fmin(v.box.low.n, (double)p.n);
        v.box.high.e = fmax(v.box.high.e, (double)p.e);
        v.box.high.n = fmax(v.box.high.n, (double)p.n);
    }
    const double side_m = fmax(v.box.high.e - v.box.low.e, v.box.high.n - v.box.low.n);
    v.scale = SIDE_PX / fmax(side_m, 1e-3);
    return v;
}

static double plot_x(const struct view *v, double e)
{
    return EDGE_PX + (e - v->box.low.e) * v->scale;
}

static double plot_y(const struct view *v, double n)
{
    return EDGE_PX + (v->box.high.n - n) * v->scale;
}

/* ---- opening */

static uint64_t in_steps(const struct team *t, double every_s)
{
    const double steps = floor(every_s / t->settings.step_s + 0.5);
    return steps >= 1.0 ? (uint64_t)steps : 1u;
}

static bool is_output_wanted(const struct swarm *w, const struct mf_scenario_output *o, bool plot)
{
    return o->file[0] != '\0' && (!plot || w->scenario->outputs.plots);
}

static int open_every(struct swarm *w, const struct team *t, const struct mf_scenario_output *o,
                      struct every *e)
{
    e->file = swarm_open(w, o, 0);
    e->steps = in_steps(t, o->every_s);
    e->next = (mf_search_steps(t->search) / e->steps + 1u) * e->steps;
    return e->file != NULL ? SWARM_OK : SWARM_INPUT;
}

static void draw_still(const struct team *t, struct mf_canvas *c)
{
    const struct view v = plot_view_of(t);
    const struct mf_search_settings *s = &t->settings;
    mf_canvas_fill(c, WHITE);
    for (size_t i = 0; i < s->corner_count; i++) {
        const struct mf_en a = s->corners[i], b = s->corners[(i + 1u) % s->corner_count];
        mf_canvas_line(c, plot_x(&v, a.e), plot_y(&v, a.n), plot_x(&v, b.e), plot_y(&v, b.n),
                       BLACK);
    }
    for (size_t i = 0; i < s->obstacles; i++) {
        const struct mf_obstacle *o = &s->obstacle[i];
        for (size_t k = 0; k < o->corners; k++) {
            const struct mf_en a = o->corner[k], b = o->corner[(k + 1u) % o->corners];
            mf_canvas_line(c, plot_x(&v, a.e), plot_y(&v, a.n), plot_x(&v, b.e), plot_y(&v, b.n),
                           GREY);
        }
    }
    mf_canvas_disc(c, plot_x(&v, (double)s->station.e), plot_y(&v, (double)s->station.n), 5, BLACK);
}

static int open_video(struct swarm *w, struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    const struct mf_scenario_output *o = &w->scenario->outputs.video;
    const struct view v = plot_view_of(t);
    struct spot *last = calloc(t->settings.member_count, sizeof *last);
    x->last = last;
    if (last == NULL) {
        return swarm_refuse(w, o->line, "outputs: video: no memory");
    }
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = t->settings.members[i].begin_m;
        x->last[i] = (struct spot){at.e, at.n, i};
    }
    x->video.steps = x->video.next = in_steps(t, o->every_s);
    const int result =
        swarm_video_open(w, &x->film, (v.box.high.e - v.box.low.e) * v.scale + 2.0 * EDGE_PX,
                         (v.box.high.n - v.box.low.n) * v.scale + 2.0 * EDGE_PX);
    if (result == SWARM_OK) {
        draw_still(t, &x->film.still);
    }
    return result;
}

static bool is_chosen(const struct swarm *w, const struct team *t,
                      const struct mf_scenario_output *o, size_t member)
{
    return mf_scenario_is_chosen(w->scenario, &o->of, t->number[member], true);
}

static double search_time_s(const struct team *t)
{
    return (double)mf_search_steps(t->search) * t->settings.step_s;
}

/* Write a line for a detection. @param ctx  struct swarm_search_plugin */
static void write_detection(void *ctx, const struct mf_search *q, size_t member, size_t object,
                            bool right)
{
    const struct swarm *w = ((const struct swarm_search_plugin *)ctx)->w;
    const struct team *t = (const struct team *)swarm_steps_of(w);
    const uint32_t number = t->object_number[object];
    bool spotted;
    const struct mf_en at = mf_search_object(q, object, &spotted);
    if (!is_chosen(w, t, &w->scenario->outputs.detections, member)) {
        return;
    }
    (void)fprintf(t->watch->detections, "%.3f,%s,%s,%s,%.3f,%.3f,%.3f,%s\n", search_time_s(t),
                  swarm_name(w, t->number[member]).text, swarm_name(w, number).text,
                  mf_scenario_type(mf_scenario_entity_of(w->scenario, number)), at.n, at.e,
                  mf_search_object_up_m(q, object), right ? "right" : "wrong");
}

static int open_detections(struct swarm *w, struct team *t)
{
    t->watch->detections = swarm_open(w, &w->scenario->outputs.detections, 0);
    if (t->watch->detections == NULL) {
        return SWARM_INPUT;
    }
    t->own.hooks.detected = write_detection;
    (void)fputs("time_s,name,object,type,north_m,east_m,up_m,report\n", t->watch->detections);
    return SWARM_OK;
}

/* Add where the chosen members are now to their ways. */
static void keep_ways(const struct swarm *w, const struct team *t)
{
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = mf_search_member(t->search, i).pos_m;
        struct spot *spot = is_chosen(w, t, &w->scenario->outputs.overhead, i)
                                ? swarm_gather(&t->watch->ways, sizeof *spot)
                                : NULL;
        if (spot != NULL) {
            *spot = (struct spot){at.e, at.n, i};
        }
    }
}

int swarm_team_watch(struct swarm *w, struct team *t)
{
    const struct mf_scenario *s = w->scenario;
    const bool csv = is_output_wanted(w, &s->outputs.csv, false);
    const bool trace = is_output_wanted(w, &s->outputs.overhead, true);
    const bool video = swarm_video_is_wanted(w);
    const bool detections = is_output_wanted(w, &s->outputs.detections, false);
    t->own.hooks.detected = NULL; /* a checkpoint has that of another process */
    if (!csv && !trace && !video && !detections) {
        return SWARM_OK;
    }
    struct swarm_team_watch *x = calloc(1, sizeof *x);
    if (x == NULL) {
        return swarm_refuse(w, 1, "outputs: no memory");
    }
    t->watch = x; /* swarm_team_unwatch() gives it back */
    int result = SWARM_OK;
    if (csv) {
        result = open_every(w, t, &s->outputs.csv, &x->csv);
    }
    if (csv && result == SWARM_OK) {
        (void)fputs("time_s,name,north_m,east_m,up_m,vn_mps,ve_mps,vu_mps,heading_deg,energy_ns\n",
                    x->csv.file);
    }
    if (trace && result == SWARM_OK) {
        result = open_every(w, t, &s->outputs.overhead, &x->trace);
        keep_ways(w, t);
    }
    if (detections && result == SWARM_OK) {
        result = open_detections(w, t);
    }
    return video && result == SWARM_OK ? open_video(w, t) : result;
}

/* ---- a step */

static void write_samples(const struct swarm *w, const struct team *t)
{
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        const double energy_ns = mf_search_energy_ns(t->search, i);
        if (!is_chosen(w, t, &w->scenario->outputs.csv, i)) {
            continue;
        }
        const double turned_deg = mf_deg(mf_atan2((double)m.heading.e, (double)m.heading.n));
        (void)fprintf(t->watch->csv.file, "%.3f,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,",
                      search_time_s(t), swarm_name(w, t->number[i]).text, (double)m.pos_m.n,
                      (double)m.pos_m.e, (double)m.pos_m.u, (double)m.vel_mps.n,
                      (double)m.vel_mps.e, (double)m.vel_mps.u,
                      turned_deg < 0.0 ? turned_deg + 360.0 : turned_deg);
        (void)(energy_ns < 0.0 ? fputs("\n", t->watch->csv.file)
                               : fprintf(t->watch->csv.file, "%.3f\n", energy_ns));
    }
}

/* Draw the edge of the picture that a camera takes now. */
static void draw_picture(const struct team *t, const struct view *v, size_t member, uint32_t colour)
{
    const struct mf_mover_thrust m = mf_search_member(t->search, member);
    const struct mf_coverage_frame f = mf_search_frame(t->search, member);
    static const double k_way[5][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
    double x[5], y[5];
    if (!(m.pos_m.u > 0.0f)) {
        return;
    }
    for (size_t k = 0; k < 5u; k++) {
        const double ahead = k_way[k][0] * f.ahead_m, across = k_way[k][1] * f.across_m;
        x[k] = plot_x(v, f.centre.e + ahead * f.heading.e - across * f.heading.n);
        y[k] = plot_y(v, f.centre.n + ahead * f.heading.n + across * f.heading.e);
    }
    for (size_t k = 0; k < 4u; k++) {
        mf_canvas_line(&t->watch->film.canvas, x[k], y[k], x[k + 1u], y[k + 1u], colour);
    }
}

static void draw_ways(const struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    const struct view v = plot_view_of(t);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = mf_search_member(t->search, i).pos_m;
        const struct spot was = x->last[i];
        mf_canvas_line(&x->film.still, plot_x(&v, (double)was.e), plot_y(&v, (double)was.n),
                       plot_x(&v, (double)at.e), plot_y(&v, (double)at.n), k_colour[i % COLOURS]);
        x->last[i] = (struct spot){at.e, at.n, i};
    }
    swarm_video_begin_frame(&x->film);
    for (size_t i = 0; i < t->objects; i++) {
        bool spotted = false;
        const struct mf_en at = mf_search_object(t->search, i, &spotted);
        mf_canvas_disc(&x->film.canvas, plot_x(&v, at.e), plot_y(&v, at.n), 4,
                       spotted ? RED : GREY);
    }
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = mf_search_member(t->search, i).pos_m;
        draw_picture(t, &v, i, k_colour[i % COLOURS]);
        mf_canvas_disc(&x->film.canvas, plot_x(&v, (double)at.e), plot_y(&v, (double)at.n), 5,
                       k_colour[i % COLOURS]);
    }
}

static bool is_frame_due(struct every *e, uint64_t steps)
{
    if (e->steps == 0 || steps < e->next) {
        return false;
    }
    e->next += e->steps;
    return true;
}

void swarm_team_record_step(struct swarm *w, struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    const uint64_t steps = mf_search_steps(t->search);
    if (is_frame_due(&x->csv, steps)) {
        write_samples(w, t);
    }
    if (is_frame_due(&x->trace, steps)) {
        keep_ways(w, t);
    }
    if (is_frame_due(&x->video, steps) && !x->film.failed) {
        draw_ways(t);
        swarm_video_write_frame(w, &x->film);
    }
}

/* ---- the trace */

/* Context of the picture. */
struct trace {
    const struct swarm *w;
    const struct team *t;
    size_t ways; /* chosen members */
};

static uint32_t read_way_point(const void *ctx, size_t k, struct mf_geo *at)
{
    const struct trace *x = ctx;
    const struct swarm_rows *rows = &x->t->watch->ways;
    const double *origin = x->w->scenario->origin;
    const size_t instants = rows->count / x->ways;
    const struct spot *spot =
        &((const struct spot *)rows->at)[k % instants * x->ways + k / instants];
    *at =
        mf_geo_from_local((struct mf_geo){origin[0], origin[1]}, (double)spot->n, (double)spot->e);
    return x->t->number[spot->member];
}

static const char *read_object(const void *ctx, uint32_t member, double *ne_m)
{
    const struct team *t = ((const struct trace *)ctx)->t;
    size_t i = 0;
    bool spotted;
    while (t->object_number[i] != member) {
        i++;
    }
    const struct mf_en at = mf_search_object(t->search, i, &spotted);
    ne_m[0] = at.n;
    ne_m[1] = at.e;
    return spotted ? SPOTTED : NOT_SPOTTED;
}

static void write_trace(const struct swarm *w, const struct team *t, FILE *to)
{
    static const struct mf_overhead_note k_note[] = {
        {SPOTTED, "spotted"}, {NOT_SPOTTED, "not spotted"}, {NULL, NULL}};
    struct trace x = {w, t, 0};
    for (size_t i = 0; i < t->settings.member_count; i++) {
        x.ways += is_chosen(w, t, &w->scenario->outputs.overhead, i) ? 1u : 0u;
    }
    mf_overhead_write(&(struct mf_overhead){.scenario = w->scenario,
                                            .points = t->watch->ways.count,
                                            .point = read_way_point,
                                            .thing = read_object,
                                            .ctx = &x,
                                            .station_ne_m = w->scenario->search.station,
                                            .note = k_note},
                      to);
}

/* ---- closing */

bool swarm_team_unwatch(struct swarm *w, struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    bool good = true;
    if (x == NULL) {
        return true;
    }
    if (x->trace.file != NULL) {
        write_trace(w, t, x->trace.file);
        good = swarm_close(w, x->trace.file);
    }
    good = swarm_close(w, x->csv.file) && good;
    good = swarm_close(w, x->detections) && good;
    good = swarm_video_close(w, &x->film) && good && !x->failed && !x->ways.failed;
    free(x->ways.at);
    free(x->last);
    free(x);
    t->watch = NULL;
    if (!good && w->error[0] == '\0') {
        (void)swarm_refuse(w, 1, "outputs: a file or video was not written whole");
    }
    return good;
}
