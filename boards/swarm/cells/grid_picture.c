/* SPDX-License-Identifier: Apache-2.0 */
/* Draws outputs.overhead of a world of cells. Called by grid_figures in each tick, and at the end;
 * grid_plots and grid_video use its colours. */
#include "boards/swarm/cells/grid_picture.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX     SWARM_GRID_SIDE_PX
#define EDGE_PX     SWARM_GRID_EDGE_PX
#define LEGEND_PX   160.0
#define LEGEND_MOST 24u
#define LINE_PX     18.0 /* of the legend */

uint32_t swarm_grid_drone_colour(uint32_t drone)
{
    static const uint32_t k_way[] = {0x1F77B4u, 0xD62728u, 0x9467BDu,
                                     0xFF7F0Eu, 0x17BECFu, 0x8C564Bu};
    return k_way[(drone - 1u) % (sizeof k_way / sizeof k_way[0])];
}

uint32_t swarm_grid_letter_colour(char letter)
{
    return letter == 'X'   ? 0x606060u
           : letter == 'A' ? 0x2CA02Cu
           : letter == 'C' ? 0xE6B800u
                           : 0x9CC3E6u;
}

char swarm_grid_letter_above(const struct mf_grid *q, uint32_t x, uint32_t y, uint32_t *cell)
{
    const uint32_t *size = mf_grid_field(q)->size;
    char letter = '.';
    for (uint32_t z = 0; z < size[2] && letter == '.'; z++) {
        *cell = (z * size[1] + y) * size[0] + x;
        letter = mf_grid_letter(q, *cell);
    }
    return letter;
}

void swarm_grid_put_text(FILE *to, double x, double y, uint32_t colour, const char *text)
{
    (void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06X\">", x, y, (unsigned)colour);
    for (; *text != '\0'; text++) {
        (void)(*text == '<' || *text == '&' ? fprintf(to, "&#%d;", *text) : fputc(*text, to));
    }
    (void)fputs("</text>\n", to);
}

void swarm_grid_begin_svg(FILE *to, double width, double height)
{
    (void)fprintf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  width, height);
}

/* ---- ways */

void swarm_grid_picture_note(struct swarm_grid_picture *p, const struct swarm_grid *g,
                             const struct mf_grid *q)
{
    p->last = p->last != NULL ? p->last : calloc(g->s.drone_count, sizeof *p->last);
    p->steps.failed = p->steps.failed || p->last == NULL;
    for (uint32_t drone = 1; drone <= g->s.drone_count && !p->steps.failed; drone++) {
        const struct mf_grid_view v = mf_grid_drone(q, drone);
        if (v.state != MF_GRID_STATE_ABSENT && p->last[drone - 1u] != v.cell + 1u) {
            struct swarm_grid_step *step = swarm_gather(&p->steps, sizeof *step);
            if (step != NULL) {
                *step = (struct swarm_grid_step){drone, v.cell};
            }
            p->last[drone - 1u] = v.cell + 1u;
        }
    }
}

/* ---- the picture */

struct picture {
    const struct swarm_grid *g;
    const struct mf_grid *q;
    FILE *to;
    double px;      /* side of a cell */
    uint32_t lines; /* of the legend */
    char seen[16];  /* letters that the legend has */
};

static double x_of(const struct picture *p, double x)
{
    return EDGE_PX + x * p->px;
}

/* Rows count to the north, the picture to the south. */
static double y_of(const struct picture *p, double y)
{
    return EDGE_PX + ((double)p->g->s.size[1] - y) * p->px;
}

static void put_legend(struct picture *p, uint32_t colour, const char *text)
{
    if (p->lines < LEGEND_MOST) {
        swarm_grid_put_text(p->to, x_of(p, p->g->s.size[0]) + EDGE_PX,
                            EDGE_PX + 14.0 + LINE_PX * p->lines++, colour, text);
    }
}

static void explain_letter(struct picture *p, char letter, uint32_t cell)
{
    const size_t n = strlen(p->seen);
    if (strchr(p->seen, letter) != NULL || n + 1u == sizeof p->seen) {
        return;
    }
    p->seen[n] = letter;
    const struct mf_attribute *first = mf_field_first(mf_grid_field(p->q), cell);
    put_legend(p, swarm_grid_letter_colour(letter),
               letter == 'X'   ? "blocked"
               : letter == 'A' ? "delivered"
               : letter == 'C' ? "charger"
               : first != NULL ? first->name
                               : "");
}

/* Draw a row; neighbours with one letter are one rectangle. */
static void put_row(struct picture *p, uint32_t y)
{
    for (uint32_t x = 0, end; x < p->g->s.size[0]; x = end) {
        uint32_t cell, next;
        const char letter = swarm_grid_letter_above(p->q, x, y, &cell);
        for (end = x + 1u;
             end < p->g->s.size[0] && swarm_grid_letter_above(p->q, end, y, &next) == letter;) {
            end++;
        }
        if (letter != '.') {
            (void)fprintf(
                p->to,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06X\"/>\n",
                x_of(p, x), y_of(p, y + 1.0), (end - x) * p->px, p->px,
                (unsigned)swarm_grid_letter_colour(letter));
            explain_letter(p, letter, cell);
        }
    }
}

static void put_way(struct picture *p, const struct swarm_grid_picture *of, const struct swarm *w,
                    uint32_t drone)
{
    const uint32_t colour = swarm_grid_drone_colour(drone);
    char name[SWARM_NAME_MAX];
    const uint32_t last = of->last != NULL ? of->last[drone - 1u] : 0;
    if (last == 0) {
        return; /* it has never been there */
    }
    (void)fprintf(p->to, "<polyline fill=\"none\" stroke=\"#%06X\" stroke-width=\"1.5\" points=\"",
                  (unsigned)colour);
    const struct swarm_grid_step *step = of->steps.at;
    for (size_t i = 0; i < of->steps.count; i++) {
        if (step[i].drone == drone) {
            const struct mf_cell c = mf_field_cell(mf_grid_field(p->q), step[i].cell);
            (void)fprintf(p->to, "%.1f,%.1f ", x_of(p, c.x + 0.5), y_of(p, c.y + 0.5));
        }
    }
    const struct mf_cell c = mf_field_cell(mf_grid_field(p->q), last - 1u);
    swarm_grid_drone_name(w, p->g, drone, name);
    (void)fprintf(p->to,
                  "\"><title>%s</title></polyline>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" "
                  "fill=\"#%06X\"/>\n",
                  name, x_of(p, c.x + 0.5), y_of(p, c.y + 0.5), (unsigned)colour);
    put_legend(p, colour, name);
}

void swarm_grid_picture_write(struct swarm_grid_picture *of, const struct swarm *w,
                              const struct swarm_grid *g, const struct mf_grid *q, FILE *to)
{
    const uint32_t *size = g->s.size, most = size[0] > size[1] ? size[0] : size[1];
    struct picture p = {.g = g, .q = q, .to = to, .px = SIDE_PX / most};
    const double high_px = size[1] * p.px, legend_px = LINE_PX * LEGEND_MOST;
    swarm_grid_begin_svg(to, size[0] * p.px + 2.0 * EDGE_PX + LEGEND_PX,
                         (high_px > legend_px ? high_px : legend_px) + 2.0 * EDGE_PX);
    (void)fprintf(to,
                  "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.1f\" height=\"%.1f\" fill=\"#F4F7FA\" "
                  "stroke=\"#303030\"/>\n",
                  EDGE_PX, EDGE_PX, size[0] * p.px, high_px);
    for (uint32_t y = 0; y < size[1]; y++) {
        put_row(&p, y);
    }
    for (uint32_t drone = 1; drone <= g->s.drone_count; drone++) {
        put_way(&p, of, w, drone);
    }
    (void)fputs("</svg>\n", to);
}

void swarm_grid_picture_free(struct swarm_grid_picture *of)
{
    free(of->steps.at);
    free(of->last);
    *of = (struct swarm_grid_picture){0};
}
