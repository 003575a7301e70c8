/* SPDX-License-Identifier: Apache-2.0 */
/* NOAA's .bin (GEOID12B, GEOID18 as the National Geodetic Survey publishes them), either byte
 * order: float64 south [deg], west [deg east], step in latitude, step in longitude; int32 rows,
 * columns, kind (1); float32 nodes, rows from south to north, each from west to east. */
#include "tools/geoid/bytes.h"
#include "tools/geoid/source.h"

#include <stdlib.h>

#define HEADER_BYTES 44u

static bool read_nodes(FILE *file, struct mf_raster *r, bool big)
{
    uint8_t *line = malloc((size_t)r->columns * 4);
    bool ok = line != NULL;
    for (uint32_t row = r->rows; ok && row-- > 0;) {
        ok = fread(line, 4, r->columns, file) == r->columns;
        for (uint32_t i = 0; ok && i < r->columns; i++) {
            r->node_m[(size_t)row * r->columns + i] = (double)geoid_f32(line + 4 * (size_t)i, big);
        }
    }
    free(line);
    return ok;
}

bool geoid_read_noaa_bin(const char *path, struct geoid_source *source, char *error)
{
    uint8_t h[HEADER_BYTES];
    FILE *file = fopen(path, "rb");
    bool ok = file != NULL && fread(h, 1, sizeof h, file) == sizeof h;
    if (!ok) {
        (void)geoid_fail(error, "%s: no header of a NOAA .bin grid; fetch the file again", path);
    } else {
        const bool big = geoid_u32(h + 40, true) == 1;
        struct geoid_geometry g = {.west_deg = geoid_f64(h + 8, big),
                                   .lat_step_deg = geoid_f64(h + 16, big),
                                   .lon_step_deg = geoid_f64(h + 24, big),
                                   .rows = geoid_u32(h + 32, big),
                                   .columns = geoid_u32(h + 36, big)};
        g.north_deg = geoid_f64(h, big) + (g.rows - 1.0) * g.lat_step_deg;
        ok = geoid_layout_of(file, (uint64_t)g.rows * g.columns * 4u, &source->raster, &g, path,
                             error) &&
             (read_nodes(file, &source->raster, big) ||
              geoid_fail(error, "%s: cannot be read", path));
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return ok;
}
