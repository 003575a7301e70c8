/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the frames of outputs.video of a world of cells. Called by grid_figures in each tick, and
 * at the end. */
#include "boards/swarm/cells/grid_video.h"

#include "boards/swarm/cells/grid_fly.h"
#include "boards/swarm/cells/grid_picture.h"

#include <math.h>
#include <stdlib.h>

#define EDGE_PX SWARM_GRID_EDGE_PX
#define WHITE   0xFFFFFFu
#define GROUND  0xF4F7FAu
#define INK     0x303030u

int swarm_grid_video_open(struct swarm *w, struct swarm_grid_video *v, const struct swarm_grid *g)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.video;
    const uint32_t *size = g->s.size, most = size[0] > size[1] ? size[0] : size[1];
    if (!swarm_video_is_wanted(w)) {
        return SWARM_OK;
    }
    v->on = true;
    v->px = SWARM_GRID_SIDE_PX / most;
    v->last = malloc(g->s.drone_count * sizeof *v->last);
    if (v->last == NULL) {
        return swarm_refuse(w, o->line, "outputs: video: no memory");
    }
    for (uint32_t i = 0; i < g->s.drone_count; i++) {
        v->last[i][0] = (double)NAN;
    }
    const int result = swarm_video_open(w, &v->film, size[0] * v->px + 2.0 * EDGE_PX,
                                        size[1] * v->px + 2.0 * EDGE_PX);
    if (result == SWARM_OK) {
        mf_canvas_fill(&v->film.still, WHITE);
    }
    return result;
}

/* Find a drone's place [px]. */
static void find_place(const struct swarm *w, const struct swarm_grid_video *v,
                       const struct swarm_grid *g, const struct mf_grid *q, uint32_t drone,
                       double xy[2])
{
    double at_m[3];
    mf_field_place(mf_grid_field(q), mf_grid_drone(q, drone).cell, at_m);
    swarm_grid_read_place(w, g, drone, at_m);
    xy[0] = EDGE_PX + at_m[0] / g->s.metres * v->px;
    xy[1] = EDGE_PX + ((double)g->s.size[1] - at_m[1] / g->s.metres) * v->px;
}

static void continue_ways(const struct swarm *w, struct swarm_grid_video *v,
                          const struct swarm_grid *g, const struct mf_grid *q)
{
    for (uint32_t drone = 1; drone <= g->s.drone_count; drone++) {
        double *last = v->last[drone - 1u], at[2];
        if (mf_grid_drone(q, drone).state == MF_GRID_STATE_ABSENT) {
            continue;
        }
        find_place(w, v, g, q, drone, at);
        if (!isnan(last[0])) {
            mf_canvas_line(&v->film.still, last[0], last[1], at[0], at[1],
                           swarm_grid_drone_colour(drone));
        }
        last[0] = at[0];
        last[1] = at[1];
    }
}

static void draw_cells(struct swarm_grid_video *v, const struct swarm_grid *g,
                       const struct mf_grid *q)
{
    struct mf_canvas *c = &v->film.canvas;
    const uint32_t *size = g->s.size;
    const double right = EDGE_PX + size[0] * v->px, bottom = EDGE_PX + size[1] * v->px;
    mf_canvas_fill(c, WHITE);
    mf_canvas_box(c, EDGE_PX - 1.0, EDGE_PX - 1.0, right + 1.0, bottom + 1.0, INK);
    mf_canvas_box(c, EDGE_PX, EDGE_PX, right, bottom, GROUND);
    for (uint32_t i = 0; i < size[0] * size[1]; i++) {
        const uint32_t column = i % size[0], row = i / size[0];
        uint32_t cell;
        const char letter = swarm_grid_letter_above(q, column, row, &cell);
        const double x = EDGE_PX + column * v->px;
        const double y = EDGE_PX + (size[1] - 1u - row) * v->px;
        if (letter != '.') {
            mf_canvas_box(c, x, y, x + v->px, y + v->px, swarm_grid_letter_colour(letter));
        }
    }
}

static void draw_frame(struct swarm_grid_video *v, const struct swarm_grid *g,
                       const struct mf_grid *q)
{
    uint8_t *rgb = v->film.canvas.rgb;
    const uint8_t *way = v->film.still.rgb;
    draw_cells(v, g, q);
    for (size_t i = 0, n = mf_canvas_bytes(&v->film.canvas); i < n; i += 3u) {
        if ((way[i] & way[i + 1u] & way[i + 2u]) != 0xFFu) { /* a way, which is not white */
            rgb[i] = way[i];
            rgb[i + 1u] = way[i + 1u];
            rgb[i + 2u] = way[i + 2u];
        }
    }
    for (uint32_t drone = 1; drone <= g->s.drone_count; drone++) {
        const double *at = v->last[drone - 1u];
        if (!isnan(at[0])) {
            mf_canvas_disc(&v->film.canvas, at[0], at[1], 5, swarm_grid_drone_colour(drone));
        }
    }
}

void swarm_grid_video_note(const struct swarm *w, struct swarm_grid_video *v,
                           const struct swarm_grid *g, const struct mf_grid *q)
{
    if (!v->on || v->film.failed) {
        return;
    }
    continue_ways(w, v, g, q);
    if (w->now_us >= v->due_us) {
        const mf_us_t period_us = mf_us_of(w->scenario->outputs.video.every_s);
        v->due_us = (w->now_us / period_us + 1) * period_us;
        draw_frame(v, g, q);
        swarm_video_write_frame(w, &v->film);
    }
}

bool swarm_grid_video_close(const struct swarm *w, struct swarm_grid_video *v)
{
    const bool good = swarm_video_close(w, &v->film);
    free(v->last);
    *v = (struct swarm_grid_video){0};
    return good;
}
