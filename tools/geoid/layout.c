/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and the geometry of grids, for the readers of all formats. */
#include "tools/geoid/source.h"

#include <math.h>
#include <stdarg.h>

#define NODES_MAX    (UINT64_C(64) << 20) /* EGM2008 has 37 million each 2.5 minutes */
#define DEG_E9       1e9
#define TURN_E9      INT64_C(360000000000)
#define HALF_TURN_E9 INT64_C(180000000000)

bool geoid_fail(char *error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(error, GEOID_ERROR_MAX, format, list);
    va_end(list);
    return false;
}

bool geoid_allocate(struct mf_raster *r)
{
    return (uint64_t)r->rows * r->columns <= NODES_MAX && mf_raster_alloc(r);
}

bool geoid_layout(struct mf_raster *r, const struct geoid_geometry *g, const char *path,
                  char *error)
{
    const double height_deg = g->lat_step_deg * (g->rows - 1.0);
    const double width_deg = g->lon_step_deg * (g->columns - 1.0);
    r->rows = g->rows;
    r->columns = g->columns;
    if (g->rows < 2 || g->columns < 2 || !(g->lat_step_deg > 0.0) || !(g->lon_step_deg > 0.0) ||
        !(fabs(g->west_deg) <= 360.0) || !(g->north_deg <= 90.0 + 1e-9) ||
        !(g->north_deg - height_deg >= -90.0 - 1e-6) || !(width_deg <= 360.0 + 1e-6)) {
        return geoid_fail(error,
                          "%s: %u x %u nodes from %g,%g every %g,%g deg are not a grid on Earth;"
                          " fetch the file again",
                          path, g->rows, g->columns, g->north_deg, g->west_deg, g->lat_step_deg,
                          g->lon_step_deg);
    }
    if (!mf_raster_fraction(g->lat_step_deg, &r->lat_num, &r->lat_den) ||
        !mf_raster_fraction(g->lon_step_deg, &r->lon_num, &r->lon_den)) {
        return geoid_fail(error, "%s: its steps %.15g,%.15g deg are not a fraction such as 1/60",
                          path, g->lat_step_deg, g->lon_step_deg);
    }
    r->north_e9 = (int64_t)llround(g->north_deg * DEG_E9);
    r->west_e9 = (int64_t)llround(g->west_deg * DEG_E9);
    if (r->west_e9 >= HALF_TURN_E9) {
        r->west_e9 -= TURN_E9;
    } else if (r->west_e9 < -HALF_TURN_E9) {
        r->west_e9 += TURN_E9;
    }
    return geoid_allocate(r) ||
           geoid_fail(error, "%s: %u x %u nodes are too many", path, g->rows, g->columns);
}

bool geoid_layout_of(FILE *file, uint64_t bytes, struct mf_raster *r,
                     const struct geoid_geometry *g, const char *path, char *error)
{
    return mf_raster_file_has(file, bytes)
               ? geoid_layout(r, g, path, error)
               : geoid_fail(error,
                            "%s: not %u x %u nodes, as its header says; fetch the file again", path,
                            g->rows, g->columns);
}
