/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/generate/write.h"

#include <math.h>
#include <string.h>

#define STL_HEADER 80u
#define STL_FACET  50u

/* ---- STL */

static void put_f32(uint8_t *to, double x)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    for (unsigned i = 0; i < 4u; i++) {
        to[i] = (uint8_t)(bits >> (8u * i));
    }
}

/* A corner of the raster: north, east, up [m]. */
static void put_corner(const struct rock *r, uint8_t *to, const uint32_t corner[3])
{
    put_f32(to, corner[1] * r->side_m);
    put_f32(to + 4, corner[0] * r->side_m);
    put_f32(to + 8, rock_up_m(r, corner[2]));
}

/* Two triangles about a face at @p at across an axis. @param turned  seen from the other side */
static void put_face(const struct rock *r, FILE *to, const uint32_t at[3], unsigned axis,
                     bool turned)
{
    static const unsigned k_turn[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 2, 1}, {0, 3, 2}}};
    const unsigned a = (axis + 1u) % 3u, b = (axis + 2u) % 3u;
    uint32_t corner[4][3];
    for (unsigned i = 0; i < 4u; i++) {
        memcpy(corner[i], at, sizeof corner[i]);
        corner[i][a] += i == 1u || i == 2u ? 1u : 0u;
        corner[i][b] += i >= 2u ? 1u : 0u;
    }
    for (unsigned t = 0; t < 2u; t++) {
        uint8_t facet[STL_FACET] = {0};
        for (unsigned k = 0; k < 3u; k++) {
            put_corner(r, facet + 12u * (k + 1u), corner[k_turn[turned ? 1 : 0][t][k]]);
        }
        (void)fwrite(facet, 1, sizeof facet, to);
    }
}

/* The faces of a cell to the west, the south and below, where one side of them is free. */
static uint32_t put_cell(const struct rock *r, FILE *to, const uint32_t at[3])
{
    const bool here = rock_is_free(r, at[0], at[1], at[2]);
    uint32_t faces = 0;
    for (unsigned axis = 0; axis < 3u; axis++) {
        const bool before = rock_is_free(r, (int64_t)at[0] - (axis == 0 ? 1 : 0),
                                         (int64_t)at[1] - (axis == 1u ? 1 : 0),
                                         (int64_t)at[2] - (axis == 2u ? 1 : 0));
        if (here != before) {
            faces++;
            if (to != NULL) {
                put_face(r, to, at, axis, before);
            }
        }
    }
    return faces;
}

static uint32_t put_cells(const struct rock *r, FILE *to)
{
    const size_t n = rock_cells(r);
    uint32_t faces = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t at[3] = {(uint32_t)(i % r->columns), (uint32_t)(i / r->columns % r->rows),
                                (uint32_t)(i / r->columns / r->rows)};
        faces += put_cell(r, to, at);
    }
    return faces;
}

uint32_t write_stl(const struct rock *r, FILE *to)
{
    uint8_t head[STL_HEADER + 4u] = "mayfly-generate: x north, y east, z up [m]";
    const uint32_t triangles = 2u * put_cells(r, NULL);
    for (unsigned i = 0; i < 4u; i++) {
        head[STL_HEADER + i] = (uint8_t)(triangles >> (8u * i));
    }
    (void)fwrite(head, 1, sizeof head, to);
    (void)put_cells(r, to);
    return triangles;
}

/* ---- SVG */

/* A rectangle of cells of a level that are not free, as long as they are. */
static void put_walls(const struct rock *r, FILE *to, uint32_t layer)
{
    for (uint32_t row = 0; row < r->rows; row++) {
        for (uint32_t column = 0, from = 0; column <= r->columns; column++) {
            const bool wall = column < r->columns && !rock_is_free(r, column, row, layer);
            if (!wall && column > from) {
                (void)fprintf(to, "M%u %uh%uv1h-%uz", (unsigned)from,
                              (unsigned)(r->rows - 1u - row), (unsigned)(column - from),
                              (unsigned)(column - from));
            }
            from = wall ? from : column + 1u;
        }
    }
}

static void put_shafts(const struct rock *r, FILE *to, uint32_t layer, int64_t slab,
                       const char *colour)
{
    for (uint32_t i = 0; i < r->columns * r->rows; i++) {
        const uint32_t column = i % r->columns, row = i / r->columns;
        if (rock_is_free(r, column, row, slab) && rock_is_free(r, column, row, layer)) {
            (void)fprintf(to, "<rect x=\"%u\" y=\"%u\" width=\"1\" height=\"1\" fill=\"%s\"/>\n",
                          (unsigned)column, (unsigned)(r->rows - 1u - row), colour);
        }
    }
}

void write_svg(const struct rock *r, FILE *to)
{
    const uint32_t gap = 1;
    const uint32_t height = r->levels * (r->rows + gap) - gap;
    const double scale = fmax(2.0, fmin(16.0, 1200.0 / r->columns));
    (void)fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%.0f\" "
        "height=\"%.0f\">\n<title>%u x %u cells of %g m, %u levels, seed %llu: the lowest "
        "one first; red: down, green: up</title>\n",
        (unsigned)r->columns, (unsigned)height, scale * r->columns, scale * height,
        (unsigned)r->columns, (unsigned)r->rows, r->side_m, (unsigned)r->levels,
        (unsigned long long)r->seed);
    for (uint32_t level = 0; level < r->levels; level++) {
        const uint32_t layer = 2u * level + 1u;
        (void)fprintf(to, "<g transform=\"translate(0 %u)\">\n",
                      (unsigned)(level * (r->rows + gap)));
        (void)fprintf(to, "<rect width=\"%u\" height=\"%u\" fill=\"#f7f9f8\"/>\n",
                      (unsigned)r->columns, (unsigned)r->rows);
        put_shafts(r, to, layer, (int64_t)layer - 1, "#b81d30");
        put_shafts(r, to, layer, (int64_t)layer + 1, "#17703f");
        (void)fputs("<path fill=\"#566572\" d=\"", to);
        put_walls(r, to, layer);
        (void)fputs("\"/>\n</g>\n", to);
    }
    (void)fputs("</svg>\n", to);
}
