/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/box.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE_E9 INT64_C(1000000000)
#define CIRCLE_E9 (360 * DEGREE_E9)

/* ---- text */

/* A number of degrees, and the comma behind it. */
static const char *read_degrees(const char *text, double limit, int64_t *e9)
{
    char *end = NULL;
    const size_t n = strspn(text, "+-.0123456789");
    const double value = n > 0 ? strtod(text, &end) : 0.0;
    if (n == 0 || end != text + n || !(fabs(value) <= limit)) {
        return NULL;
    }
    *e9 = llround(value * 1e9);
    return end;
}

bool geoid_box_parse(const char *text, struct geoid_box *box, char *error, size_t error_size)
{
    int64_t *const to[] = {&box->south_e9, &box->west_e9, &box->north_e9, &box->east_e9};
    const char *at = text;
    for (size_t i = 0; i < 4; i++) {
        at = read_degrees(at, i % 2 == 0 ? 90.0 : 180.0, to[i]);
        if (at == NULL || *at != (i < 3 ? ',' : '\0')) {
            (void)snprintf(error, error_size,
                           "a box is south,west,north,east in degrees, latitudes within +-90, "
                           "longitudes within +-180");
            return false;
        }
        at++;
    }
    if (box->south_e9 > box->north_e9) {
        (void)snprintf(error, error_size, "the box has its south north of its north");
        return false;
    }
    return true;
}

void geoid_degrees_text(int64_t e9, char *text)
{
    const int64_t size = e9 < 0 ? -e9 : e9;
    int n = snprintf(text, 16, "%s%" PRId64 ".%09" PRId64, e9 < 0 ? "-" : "", size / DEGREE_E9,
                     size % DEGREE_E9);
    while (text[n - 1] == '0') {
        text[--n] = '\0';
    }
    if (text[n - 1] == '.') {
        text[n - 1] = '\0';
    }
}

void geoid_box_text(const struct geoid_box *box, char *text)
{
    const int64_t from[] = {box->south_e9, box->west_e9, box->north_e9, box->east_e9};
    char *at = text;
    for (size_t i = 0; i < 4; i++) {
        geoid_degrees_text(from[i], at);
        at += strlen(at);
        *at++ = i < 3 ? ',' : '\0';
    }
}

/* ---- grids */

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

/* Wrap a longitude to -180 (included) to 180 degrees. */
static int64_t normal_longitude(int64_t e9)
{
    return e9 - CIRCLE_E9 * floor_div(e9 + CIRCLE_E9 / 2, CIRCLE_E9);
}

/* Spacing num / den; the first and the last of @p n nodes (or any number, if it wraps) that cover
 * offsets from .. to from the first node. */
struct span {
    int64_t num, den, from_e9, to_e9;
    int64_t first, last; /* out */
};

static void cover(struct span *s)
{
    const int64_t unit = s->num * DEGREE_E9; /* nodes are unit / den apart */
    int64_t whole = 1;                       /* nodes after which the position is exact */
    while (whole * unit % s->den != 0) {
        whole++;
    }
    s->first = floor_div(s->from_e9 * s->den, unit) - GEOID_BOX_MARGIN;
    s->first = floor_div(s->first, whole) * whole;
    s->last = -floor_div(-s->to_e9 * s->den, unit) + GEOID_BOX_MARGIN;
}

static int64_t node_e9(uint32_t num, uint32_t den, int64_t node)
{
    /* exact for the nodes that begin a part */
    return floor_div(2 * node * num * DEGREE_E9 + den, 2 * (int64_t)den);
}

static void take_rows(struct geoid_crop *crop, const struct geoid_grid *grid, const struct span *s)
{
    const int64_t first = s->first > 0 ? s->first : 0;
    const int64_t last = s->last < grid->rows ? s->last : (int64_t)grid->rows - 1;
    crop->row = (uint32_t)first;
    crop->grid.rows = (uint32_t)(last - first + 1);
    crop->grid.north_e9 = grid->north_e9 - node_e9(grid->lat_num, grid->lat_den, first);
}

static void take_columns(struct geoid_crop *crop, const struct geoid_grid *grid,
                         const struct span *s)
{
    int64_t first = s->first, last = s->last;
    if (grid->wraps) {
        crop->column = (uint32_t)(first - (int64_t)grid->columns * floor_div(first, grid->columns));
    } else {
        first = first > 0 ? first : 0;
        last = last < grid->columns ? last : (int64_t)grid->columns - 1;
        crop->column = (uint32_t)first;
    }
    crop->grid.columns = (uint32_t)(last - first + 1);
    crop->grid.west_e9 =
        normal_longitude(grid->west_e9 + node_e9(grid->lon_num, grid->lon_den, first));
    crop->grid.wraps = false;
}

bool geoid_box_crop(const struct geoid_grid *grid, const struct geoid_box *box,
                    struct geoid_crop *crop)
{
    const int64_t height = node_e9(grid->lat_num, grid->lat_den, (int64_t)grid->rows - 1);
    const int64_t width = node_e9(grid->lon_num, grid->lon_den, (int64_t)grid->columns - 1);
    const int64_t span = box->east_e9 - box->west_e9;
    struct span lat = {.num = grid->lat_num,
                       .den = grid->lat_den,
                       .from_e9 = grid->north_e9 - box->north_e9,
                       .to_e9 = grid->north_e9 - box->south_e9};
    struct span lon = {.num = grid->lon_num, .den = grid->lon_den};
    lon.from_e9 = box->west_e9 - grid->west_e9;
    lon.from_e9 -= CIRCLE_E9 * floor_div(lon.from_e9, CIRCLE_E9);
    lon.to_e9 = lon.from_e9 + (span < 0 ? span + CIRCLE_E9 : span);
    if (lat.from_e9 < 0 || lat.to_e9 > height || (!grid->wraps && lon.to_e9 > width)) {
        return false;
    }
    cover(&lat);
    cover(&lon);
    *crop = geoid_box_whole(grid);
    take_rows(crop, grid, &lat);
    const bool pole = lat.first < 0 || lat.last >= grid->rows;
    if (!grid->wraps || !(pole || lon.last - lon.first + 1 >= grid->columns)) {
        take_columns(crop, grid, &lon);
    }
    return true;
}

struct geoid_crop geoid_box_whole(const struct geoid_grid *grid)
{
    return (struct geoid_crop){.grid = *grid};
}

struct geoid_box geoid_grid_bounds(const struct geoid_grid *grid)
{
    const int64_t height = node_e9(grid->lat_num, grid->lat_den, (int64_t)grid->rows - 1);
    const int64_t width = node_e9(grid->lon_num, grid->lon_den, (int64_t)grid->columns - 1);
    struct geoid_box box = {
        .south_e9 = grid->north_e9 - height,
        .north_e9 = grid->north_e9,
        .west_e9 = -CIRCLE_E9 / 2,
        .east_e9 = CIRCLE_E9 / 2,
    };
    if (!grid->wraps) {
        box.west_e9 = normal_longitude(grid->west_e9);
        box.east_e9 = -normal_longitude(-grid->west_e9 - width); /* 180 rather than -180 */
    }
    return box;
}
