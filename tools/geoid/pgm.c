/* SPDX-License-Identifier: Apache-2.0 */
/* GeographicLib's .pgm for source.c: a binary PGM of 16 bits, big-endian, rows from the north pole,
 * columns from Greenwich. Comments say what a value means: "# Offset -108", "# Scale 0.003". */
#include "host/base/value.h"
#include "tools/geoid/bytes.h"
#include "tools/geoid/source.h"

#include <stdlib.h>
#include <string.h>

#define COMMENT_MAX 512
#define SIDE_MAX    100000u
#define VALUE_MAX   65535u

/* Header of a file. */
struct header {
    double offset_m, scale_m;
    bool has_offset, has_scale, elsewhere;
    uint32_t columns, rows, value_max;
};

static bool read_real(const char *text, double *value)
{
    const char *end = mf_value_number(text, value);
    return end != NULL && end[strspn(end, " \t\r")] == '\0';
}

/* "# Key value", from behind the '#'. */
static void read_comment(struct header *h, char *text)
{
    char *key = text + strspn(text, " \t");
    char *value = key + strcspn(key, " \t");
    if (*value != '\0') {
        *value++ = '\0';
        value += strspn(value, " \t");
    }
    if (strcmp(key, "Offset") == 0) {
        h->has_offset = read_real(value, &h->offset_m);
    } else if (strcmp(key, "Scale") == 0) {
        h->has_scale = read_real(value, &h->scale_m) && h->scale_m > 0.0;
    } else if (strcmp(key, "Origin") == 0) {
        h->elsewhere = strncmp(value, "90N 0E", 6) != 0;
    }
}

/* Read the comments before the next number of the header, and the number. @return false: it is
 * missing, or too large */
static bool read_count(FILE *file, struct header *h, uint32_t max, uint32_t *count)
{
    char line[COMMENT_MAX];
    int c = fgetc(file);
    while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        if (c == '#') {
            if (fgets(line, sizeof line, file) == NULL || strchr(line, '\n') == NULL) {
                return false;
            }
            line[strcspn(line, "\n")] = '\0';
            read_comment(h, line);
        }
        c = fgetc(file);
    }
    uint64_t value = 0;
    const bool any = c >= '0' && c <= '9';
    for (; c >= '0' && c <= '9' && value <= max; c = fgetc(file)) {
        value = value * 10 + (uint64_t)(c - '0');
    }
    *count = (uint32_t)value;
    return any && value <= max && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

static bool read_header(FILE *file, struct header *h, const char *path, char *error)
{
    char magic[2];
    if (fread(magic, sizeof magic, 1, file) != 1 || memcmp(magic, "P5", sizeof magic) != 0 ||
        !read_count(file, h, SIDE_MAX, &h->columns) || !read_count(file, h, SIDE_MAX, &h->rows) ||
        !read_count(file, h, VALUE_MAX, &h->value_max)) {
        return geoid_fail(error, "%s: a PGM without width, height and maximum", path);
    }
    if (!h->has_offset || !h->has_scale || h->value_max != VALUE_MAX) {
        return geoid_fail(error,
                          "%s: a PGM, but not a geoid of GeographicLib: it must have comments "
                          "Offset and Scale, and 16 bits",
                          path);
    }
    if (h->elsewhere || h->columns < 2 || h->rows < 2) {
        return geoid_fail(error, "%s: must cover the Earth from 90N 0E", path);
    }
    return true;
}

static bool read_nodes(FILE *file, const struct header *h, struct mf_raster *r)
{
    uint8_t *line = malloc((size_t)r->columns * 2);
    bool ok = line != NULL;
    for (uint32_t row = 0; ok && row < r->rows; row++) {
        ok = fread(line, 2, r->columns, file) == r->columns;
        for (uint32_t i = 0; ok && i < r->columns; i++) {
            r->node_m[(size_t)row * r->columns + i] =
                h->offset_m + h->scale_m * (double)geoid_uint(line + 2 * (size_t)i, 2, true);
        }
    }
    free(line);
    return ok;
}

bool geoid_read_pgm(const char *path, struct geoid_source *source, char *error)
{
    struct header h = {.scale_m = 1.0};
    FILE *file = fopen(path, "rb");
    bool ok = file != NULL ? read_header(file, &h, path, error)
                           : geoid_fail(error, "%s: cannot be opened", path);
    if (ok) {
        const struct geoid_geometry g = {.north_deg = 90.0,
                                         .lat_step_deg = 180.0 / (h.rows - 1.0),
                                         .lon_step_deg = 360.0 / h.columns,
                                         .rows = h.rows,
                                         .columns = h.columns};
        ok =
            mf_raster_file_has(file, (uint64_t)h.rows * h.columns * 2u)
                ? geoid_layout(&source->raster, &g, path, error)
                : geoid_fail(error, "%s: its nodes end too early or too late; fetch the file again",
                             path);
    }
    if (ok && !read_nodes(file, &h, &source->raster)) {
        ok = geoid_fail(error, "%s: cannot be read", path);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    source->datum = GEOID_DATUM_WGS84;
    return ok;
}
