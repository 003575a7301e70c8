/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a search writes while it runs: samples as CSV, its trace as SVG, and a video, for
 * which it starts ffmpeg where that is installed. search.c calls them. */
#include "boards/swarm/search/team.h"

#include "boards/swarm/processes/processes.h"
#include "fleet/canvas.h"
#include "host/base/output.h"
#include "math/trig.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static const uint32_t k_colour[COLOURS] = {0x1F77B4u, 0x2CA02Cu, 0x9467BDu,
                                           0xFF7F0Eu, 0x17BECFu, 0x8C564Bu};

/* A file that is due each so many steps. */
struct every {
    FILE *file; /* NULL: not wanted */
    uint64_t steps, next;
};

struct spot {
    float e, n;
};

/* Places of a member so far. */
struct way {
    struct spot *spot;
    size_t count, capacity;
};

struct swarm_team_watch {
    struct every csv, trace, video;
    FILE *detections;        /* NULL: not wanted */
    struct way *way;         /* [member_count], of trace */
    struct mf_canvas still;  /* of video: what stays */
    struct mf_canvas canvas; /* picture of video: still, and what moves above it */
    struct spot *last;       /* [member_count], of video */
    pid_t ffmpeg;            /* 0: frames go to files */
    uint32_t frames;
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

static bool has_ending(const char *text, const char *ending)
{
    const size_t n = strlen(text), k = strlen(ending);
    return n >= k && strcmp(text + n - k, ending) == 0;
}

static void output_path_of(const struct swarm *w, const char *file, char *path, size_t size)
{
    const bool within = file[0] != '/' && w->command->out[0] != '\0';
    (void)snprintf(path, size, "%s%s%s", within ? w->command->out : "", within ? "/" : "", file);
}

/* ffmpeg reads pictures from a pipe, and writes the file. @return the pipe; NULL with @p why set */
static FILE *start_ffmpeg(struct swarm *w, struct swarm_team_watch *x, const char **why)
{
    char path[2 * MF_SCENARIO_FILE_MAX + 2u], fps[32];
    int ends[2];
    output_path_of(w, w->scenario->outputs.video.file, path, sizeof path);
    (void)snprintf(fps, sizeof fps, "%g", w->scenario->outputs.video_fps);
    const int fd = mf_output_open(path, why);
    if (fd < 0 || pipe(ends) != 0) {
        *why = fd < 0 ? *why : strerror(errno);
        return NULL;
    }
    (void)close(fd);
    (void)fflush(NULL);
    x->ffmpeg = fork();
    if (x->ffmpeg == 0) {
        (void)dup2(ends[0], STDIN_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execlp("ffmpeg", "ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-c:v",
                     "ppm", "-framerate", fps, "-i", "-", "-pix_fmt", "yuv420p", "-movflags",
                     "+faststart", path, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[0]);
    if (x->ffmpeg < 0) {
        (void)close(ends[1]);
        x->ffmpeg = 0;
        *why = strerror(errno);
        return NULL;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    return fdopen(ends[1], "w");
}

/* A video has an even number of pixels in each direction. */
static uint32_t even_px(double px)
{
    return 2u * (uint32_t)ceil(px / 2.0);
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
    struct mf_canvas c = {even_px((v.box.high.e - v.box.low.e) * v.scale + 2.0 * EDGE_PX),
                          even_px((v.box.high.n - v.box.low.n) * v.scale + 2.0 * EDGE_PX), NULL};
    uint8_t *still = malloc(mf_canvas_bytes(&c)), *rgb = malloc(mf_canvas_bytes(&c));
    struct spot *last = calloc(t->settings.member_count, sizeof *last);
    x->still = (struct mf_canvas){c.width, c.height, still};
    x->canvas = (struct mf_canvas){c.width, c.height, rgb};
    x->last = last;
    if (still == NULL || rgb == NULL || last == NULL) {
        return swarm_refuse(w, o->line, "outputs: video: no memory");
    }
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = t->settings.members[i].begin_m;
        x->last[i] = (struct spot){at.e, at.n};
    }
    draw_still(t, &x->still);
    x->video.steps = x->video.next = in_steps(t, o->every_s);
    if (!has_ending(o->file, ".ppm") && swarm_has_program("ffmpeg")) {
        const char *why = "no memory";
        x->video.file = start_ffmpeg(w, x, &why);
        return x->video.file != NULL ? SWARM_OK
                                     : swarm_refuse(w, o->line, "outputs: video: %s", why);
    }
    return SWARM_OK;
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
    char who[SWARM_NAME_MAX], what[SWARM_NAME_MAX];
    bool spotted;
    const struct mf_en at = mf_search_object(q, object, &spotted);
    if (!is_chosen(w, t, &w->scenario->outputs.detections, member)) {
        return;
    }
    mf_scenario_member_name(w->scenario, t->number[member], who);
    mf_scenario_member_name(w->scenario, number, what);
    (void)fprintf(t->watch->detections, "%.3f,%s,%s,%s,%.3f,%.3f,%.3f,%s\n", search_time_s(t), who,
                  what, mf_scenario_type(mf_scenario_entity_of(w->scenario, number)), at.n, at.e,
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

int swarm_team_watch(struct swarm *w, struct team *t)
{
    const struct mf_scenario *s = w->scenario;
    const bool csv = is_output_wanted(w, &s->outputs.csv, false);
    const bool trace = is_output_wanted(w, &s->outputs.overhead, true);
    const bool video = is_output_wanted(w, &s->outputs.video, true);
    const bool detections = is_output_wanted(w, &s->outputs.detections, false);
    t->own.hooks.detected = NULL; /* a checkpoint has that of another process */
    if (!csv && !trace && !video && !detections) {
        return SWARM_OK;
    }
    struct swarm_team_watch *x = calloc(1, sizeof *x);
    struct way *way = calloc(t->settings.member_count, sizeof *way);
    if (x == NULL || way == NULL) {
        free(x);
        free(way);
        return swarm_refuse(w, 1, "outputs: no memory");
    }
    x->way = way;
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
        char name[SWARM_NAME_MAX];
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        const double energy_ns = mf_search_energy_ns(t->search, i);
        if (!is_chosen(w, t, &w->scenario->outputs.csv, i)) {
            continue;
        }
        mf_scenario_member_name(w->scenario, t->number[i], name);
        const double turned_deg = mf_deg(mf_atan2((double)m.heading.e, (double)m.heading.n));
        (void)fprintf(t->watch->csv.file, "%.3f,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,",
                      search_time_s(t), name, (double)m.pos_m.n, (double)m.pos_m.e,
                      (double)m.pos_m.u, (double)m.vel_mps.n, (double)m.vel_mps.e,
                      (double)m.vel_mps.u, turned_deg < 0.0 ? turned_deg + 360.0 : turned_deg);
        (void)(energy_ns < 0.0 ? fputs("\n", t->watch->csv.file)
                               : fprintf(t->watch->csv.file, "%.3f\n", energy_ns));
    }
}

static void keep_ways(const struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    for (size_t i = 0; i < t->settings.member_count; i++) {
        struct way *way = &x->way[i];
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        if (way->count == way->capacity) {
            const size_t more = way->capacity > 0 ? 2u * way->capacity : 512u;
            struct spot *grown = realloc(way->spot, more * sizeof *grown);
            if (grown == NULL) {
                x->failed = true;
                return;
            }
            way->spot = grown;
            way->capacity = more;
        }
        way->spot[way->count++] = (struct spot){m.pos_m.e, m.pos_m.n};
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
        mf_canvas_line(&t->watch->canvas, x[k], y[k], x[k + 1u], y[k + 1u], colour);
    }
}

static void draw_ways(const struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    const struct view v = plot_view_of(t);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = mf_search_member(t->search, i).pos_m;
        const struct spot was = x->last[i];
        mf_canvas_line(&x->still, plot_x(&v, (double)was.e), plot_y(&v, (double)was.n),
                       plot_x(&v, (double)at.e), plot_y(&v, (double)at.n), k_colour[i % COLOURS]);
        x->last[i] = (struct spot){at.e, at.n};
    }
    memcpy(x->canvas.rgb, x->still.rgb, mf_canvas_bytes(&x->still));
    for (size_t i = 0; i < t->objects; i++) {
        bool spotted = false;
        const struct mf_en at = mf_search_object(t->search, i, &spotted);
        mf_canvas_disc(&x->canvas, plot_x(&v, at.e), plot_y(&v, at.n), 4, spotted ? RED : GREY);
    }
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_enu at = mf_search_member(t->search, i).pos_m;
        draw_picture(t, &v, i, k_colour[i % COLOURS]);
        mf_canvas_disc(&x->canvas, plot_x(&v, (double)at.e), plot_y(&v, (double)at.n), 5,
                       k_colour[i % COLOURS]);
    }
}

/* "sharks.mp4" becomes "sharks-00017.ppm". */
static FILE *open_frame(const struct swarm *w, uint32_t frame)
{
    char path[2 * MF_SCENARIO_FILE_MAX + 32u];
    output_path_of(w, w->scenario->outputs.video.file, path, sizeof path);
    char *dot = strrchr(path, '.');
    char *end = dot != NULL && strchr(dot, '/') == NULL ? dot : path + strlen(path);
    (void)snprintf(end, sizeof path - (size_t)(end - path), "-%05u.ppm", (unsigned)frame);
    const char *why;
    return mf_output_stream(path, &why);
}

static void write_frame(const struct swarm *w, struct team *t)
{
    struct swarm_team_watch *x = t->watch;
    draw_ways(t);
    x->frames++;
    FILE *file = x->ffmpeg > 0 ? x->video.file : open_frame(w, x->frames);
    if (file == NULL || !mf_canvas_write(&x->canvas, file)) {
        x->failed = true;
    }
    if (x->ffmpeg == 0 && !swarm_close(w, file)) {
        x->failed = true;
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
        keep_ways(t);
    }
    if (is_frame_due(&x->video, steps) && !x->failed) {
        write_frame(w, t);
    }
}

/* ---- the trace */

static void write_polygon(FILE *to, const struct view *v, const struct mf_en *corner, size_t count,
                          const char *style)
{
    (void)fputs("<polygon points=\"", to);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(to, "%s%.1f,%.1f", i > 0 ? " " : "", plot_x(v, corner[i].e),
                      plot_y(v, corner[i].n));
    }
    (void)fprintf(to, "\" %s/>\n", style);
}

static void write_way(const struct swarm *w, const struct team *t, size_t member,
                      const struct view *v, FILE *to)
{
    const struct way *way = &t->watch->way[member];
    const struct mf_enu begin = t->settings.members[member].begin_m;
    char name[SWARM_NAME_MAX];
    mf_scenario_member_name(w->scenario, t->number[member], name);
    (void)fprintf(
        to, "<polyline fill=\"none\" stroke=\"#%06X\" stroke-width=\"1.5\" points=\"%.1f,%.1f",
        (unsigned)k_colour[member % COLOURS], plot_x(v, (double)begin.e),
        plot_y(v, (double)begin.n));
    for (size_t i = 0; i < way->count; i++) {
        (void)fprintf(to, " %.1f,%.1f", plot_x(v, (double)way->spot[i].e),
                      plot_y(v, (double)way->spot[i].n));
    }
    (void)fprintf(to, "\"><title>%s</title></polyline>\n", name);
}

static void write_legend(const struct swarm *w, const struct team *t, double x, FILE *to)
{
    size_t line = 0;
    for (; line < t->settings.member_count && line < 20u; line++) {
        char name[SWARM_NAME_MAX];
        mf_scenario_member_name(w->scenario, t->number[line], name);
        (void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06X\">%s</text>\n", x,
                      EDGE_PX + 14.0 + 18.0 * (double)line, (unsigned)k_colour[line % COLOURS],
                      name);
    }
    (void)fprintf(to,
                  "<text x=\"%.1f\" y=\"%.1f\" fill=\"#D62728\">spotted</text>\n"
                  "<text x=\"%.1f\" y=\"%.1f\" fill=\"#808080\">not spotted</text>\n"
                  "<text x=\"%.1f\" y=\"%.1f\">%.0f s</text>\n",
                  x, EDGE_PX + 32.0 + 18.0 * (double)line, x, EDGE_PX + 50.0 + 18.0 * (double)line,
                  x, EDGE_PX + 68.0 + 18.0 * (double)line, search_time_s(t));
}

static void write_trace(const struct swarm *w, const struct team *t, FILE *to)
{
    const struct mf_search_settings *s = &t->settings;
    const struct view v = plot_view_of(t);
    const double width = (v.box.high.e - v.box.low.e) * v.scale + 2.0 * EDGE_PX;
    const double height = (v.box.high.n - v.box.low.n) * v.scale + 2.0 * EDGE_PX;
    (void)fprintf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  width + 110.0, fmax(height, 120.0 + 18.0 * (double)s->member_count));
    write_polygon(to, &v, s->corners, s->corner_count, "fill=\"#F4F7FA\" stroke=\"#303030\"");
    for (size_t i = 0; i < s->obstacles; i++) {
        write_polygon(to, &v, s->obstacle[i].corner, s->obstacle[i].corners,
                      "fill=\"#B8B8B8\" stroke=\"#808080\"");
    }
    for (size_t i = 0; i < s->member_count; i++) {
        if (is_chosen(w, t, &w->scenario->outputs.overhead, i)) {
            write_way(w, t, i, &v, to);
        }
    }
    for (size_t i = 0; i < t->objects; i++) {
        bool spotted = false;
        const struct mf_en at = mf_search_object(t->search, i, &spotted);
        (void)fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
                      plot_x(&v, at.e), plot_y(&v, at.n), spotted ? "#D62728" : "#808080");
    }
    (void)fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#303030\"/>\n",
                  plot_x(&v, (double)s->station.e), plot_y(&v, (double)s->station.n));
    write_legend(w, t, width, to);
    (void)fputs("</svg>\n", to);
}

/* ---- closing */

static bool close_video(struct swarm *w, struct swarm_team_watch *x)
{
    int status = 0;
    if (x->ffmpeg > 0) {
        char path[2 * MF_SCENARIO_FILE_MAX + 2u];
        const bool taken = swarm_close(w, x->video.file);
        output_path_of(w, w->scenario->outputs.video.file, path, sizeof path);
        swarm_file_add_written(w, path);
        return waitpid(x->ffmpeg, &status, 0) == x->ffmpeg && WIFEXITED(status) &&
               WEXITSTATUS(status) == 0 && taken;
    }
    if (x->frames > 0 && !has_ending(w->scenario->outputs.video.file, ".ppm")) {
        (void)printf("video     ffmpeg is not installed: its %u frames are %.*s-00001.ppm and so "
                     "on\n",
                     x->frames, (int)strcspn(w->scenario->outputs.video.file, "."),
                     w->scenario->outputs.video.file);
    }
    return true;
}

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
    good = close_video(w, x) && good && !x->failed;
    for (size_t i = 0; x->way != NULL && i < t->settings.member_count; i++) {
        free(x->way[i].spot);
    }
    free(x->way);
    free(x->still.rgb);
    free(x->canvas.rgb);
    free(x->last);
    free(x);
    t->watch = NULL;
    if (!good && w->error[0] == '\0') {
        (void)swarm_refuse(w, 1, "outputs: a file or video was not written whole");
    }
    return good;
}
