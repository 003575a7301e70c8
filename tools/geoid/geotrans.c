/* SPDX-License-Identifier: Apache-2.0 */
/* EGM2008 as GEOTRANS has it (Debian's geotranz), big-endian: int32 pad, rows, columns; float64
 * steps in latitude and longitude [deg; where it was converted, rad]; then (rows + 2 pad) x
 * (columns + 1 + 2 pad) float32 from north to south. The row after the padding is 90 degrees north,
 * the last one before it 90 degrees south, the column after it longitude 0. */
#include "tools/geoid/bytes.h"
#include "tools/geoid/source.h"

#include <stdlib.h>

#define HEADER_BYTES 28u
#define PAD_MAX      64u
#define RAD          57.295779513082321
#define HALF_DEG     180.0

static bool read_nodes(FILE *file, struct mf_raster *r, uint32_t pad)
{
    const size_t width = (size_t)r->columns + 1 + 2 * (size_t)pad;
    uint8_t *line = malloc(width * 4);
    bool ok = line != NULL;
    for (uint32_t row = 0; ok && row < r->rows + 2 * pad; row++) {
        ok = fread(line, 4, width, file) == width;
        if (ok && row >= pad && row < pad + r->rows) {
            double *out = r->node_m + (size_t)(row - pad) * r->columns;
            for (uint32_t i = 0; i < r->columns; i++) {
                out[i] = (double)geoid_f32(line + 4 * ((size_t)pad + i), true);
            }
        }
    }
    free(line);
    return ok;
}

/* The rows reach from pole to pole: so the unit of their step shows. */
static double unit_deg(double step, uint32_t rows)
{
    const double extent = step * (rows - 1.0);
    return extent * RAD > HALF_DEG - 1e-3 && extent * RAD < HALF_DEG + 1e-3 ? RAD : 1.0;
}

bool geoid_read_geotrans(const char *path, struct geoid_source *source, char *error)
{
    uint8_t h[HEADER_BYTES];
    FILE *file = fopen(path, "rb");
    bool ok =
        file != NULL && fread(h, 1, sizeof h, file) == sizeof h && geoid_u32(h, true) <= PAD_MAX;
    if (!ok) {
        (void)geoid_fail(error, "%s: no header of GEOTRANS' EGM2008; fetch the file again", path);
    } else {
        const double unit = unit_deg(geoid_f64(h + 12, true), geoid_u32(h + 4, true));
        const struct geoid_geometry g = {.north_deg = 90.0,
                                         .west_deg = 0.0,
                                         .lat_step_deg = geoid_f64(h + 12, true) * unit,
                                         .lon_step_deg = geoid_f64(h + 20, true) * unit,
                                         .rows = geoid_u32(h + 4, true),
                                         .columns = geoid_u32(h + 8, true)};
        const uint64_t pad = geoid_u32(h, true);
        const uint64_t bytes = (2u * pad + g.rows) * (2u * pad + 1u + g.columns) * 4u;
        ok = geoid_layout_of(file, bytes, &source->raster, &g, path, error) &&
             (read_nodes(file, &source->raster, (uint32_t)pad) ||
              geoid_fail(error, "%s: cannot be read", path));
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    (void)snprintf(source->raster.model, sizeof source->raster.model, "egm2008");
    source->datum = GEOID_DATUM_WGS84;
    return ok;
}
