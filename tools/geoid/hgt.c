/* SPDX-License-Identifier: Apache-2.0 */
/* SRTM's .hgt: big-endian int16 [m above EGM96], 1201 or 3601 square, from north, -32768 void. The
 * name says the south-west corner: N47E008.hgt. */
#include "tools/geoid/bytes.h"
#include "tools/geoid/source.h"

#include <math.h>
#include <stdlib.h>

#define VOID_M   (-32768)
#define SIDE_MAX 10801u

/* `N47` or `E008`. @return what follows, or NULL: the name does not say where it is */
static const char *read_part(const char *text, const char *letters, size_t digits, double *deg)
{
    const char *letter = *text != '\0' ? strchr(letters, *text) : NULL;
    if (letter == NULL || strspn(text + 1, "0123456789") != digits) {
        return NULL;
    }
    *deg = (double)strtoul(text + 1, NULL, 10) * ((letter - letters) % 2 == 0 ? 1.0 : -1.0);
    return text + 1 + digits;
}

static bool read_name(const char *path, double *south_deg, double *west_deg)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    name = read_part(name, "NSns", 2, south_deg);
    name = name != NULL ? read_part(name, "EWew", 3, west_deg) : NULL;
    return name != NULL && *name == '.';
}

static bool read_nodes(FILE *file, struct mf_raster *r)
{
    uint8_t *line = malloc((size_t)r->columns * 2);
    bool ok = line != NULL;
    for (uint32_t row = 0; ok && row < r->rows; row++) {
        ok = fread(line, 2, r->columns, file) == r->columns;
        for (uint32_t i = 0; ok && i < r->columns; i++) {
            const int16_t v = (int16_t)geoid_uint(line + 2 * (size_t)i, 2, true);
            r->node_m[(size_t)row * r->columns + i] = v == VOID_M ? (double)NAN : (double)v;
        }
    }
    free(line);
    return ok && fgetc(file) == EOF;
}

static uint32_t side_of(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0) {
        return 0;
    }
    const long size = ftell(file);
    const uint32_t side = size > 0 ? (uint32_t)(sqrt((double)size / 2.0) + 0.5) : 0;
    rewind(file);
    return side > 1 && side <= SIDE_MAX && (long)side * (long)side * 2 == size ? side : 0;
}

bool geoid_read_hgt(const char *path, struct geoid_source *source, char *error)
{
    struct geoid_geometry g;
    double south_deg;
    if (!read_name(path, &south_deg, &g.west_deg)) {
        return geoid_fail(
            error, "%s: the name of an .hgt file says where it is, as N47E008.hgt does", path);
    }
    FILE *file = fopen(path, "rb");
    const uint32_t side = file != NULL ? side_of(file) : 0;
    bool ok = side != 0;
    if (!ok) {
        (void)geoid_fail(error,
                         "%s: not as long as a square of heights is (1201 x 1201, 3601 x 3601);"
                         " fetch the file again",
                         path);
    } else {
        g.north_deg = south_deg + 1.0;
        g.lat_step_deg = g.lon_step_deg = 1.0 / (side - 1);
        g.rows = g.columns = side;
        ok = geoid_layout(&source->raster, &g, path, error);
        if (ok && !read_nodes(file, &source->raster)) {
            ok = geoid_fail(error, "%s: cannot be read to its end", path);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    source->datum = GEOID_DATUM_WGS84;
    source->quantum_um = 1000000;
    source->terrain = true;
    return ok;
}
