/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/gtx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER    40
#define NODES_MAX 200000000.0
#define VOID_M    -88.8888f

static double big_endian(const uint8_t *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | b[i];
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t big_endian_u32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* South-west corner, spacing, rows and columns. */
static const char *read_header(FILE *file, struct mf_raster *raster)
{
    uint8_t header[HEADER];
    if (fread(header, sizeof header, 1, file) != 1) {
        return "no header of 40 bytes";
    }
    const double south_deg = big_endian(header);
    const double west_deg = big_endian(header + 8);
    const double lat_step_deg = big_endian(header + 16);
    raster->rows = big_endian_u32(header + 32);
    raster->columns = big_endian_u32(header + 36);
    if (raster->rows < 2 || raster->columns < 2 ||
        (double)raster->rows * raster->columns > NODES_MAX) {
        return "rows or columns make no sense";
    }
    if (!mf_raster_fraction(lat_step_deg, &raster->lat_num, &raster->lat_den) ||
        !mf_raster_fraction(big_endian(header + 24), &raster->lon_num, &raster->lon_den)) {
        return "the spacing is not a fraction of a degree";
    }
    const double north_deg = south_deg + (raster->rows - 1.0) * raster->lat_num / raster->lat_den;
    if (!(south_deg >= -90.000001 && north_deg <= 90.000001 && fabs(west_deg) <= 360.0)) {
        return "it lies outside the Earth";
    }
    raster->north_e9 = llrint(north_deg * 1e9);
    raster->west_e9 = llrint(west_deg * 1e9);
    return NULL;
}

static const char *read_nodes(FILE *file, struct mf_raster *raster)
{
    if (!mf_raster_file_has(file, (uint64_t)raster->rows * raster->columns * 4u)) {
        return "it ends too early or too late";
    }
    uint8_t *line = malloc(4u * (size_t)raster->columns);
    if (line == NULL || !mf_raster_alloc(raster)) {
        free(line);
        return "not enough memory";
    }
    const char *wrong = NULL;
    for (uint32_t i = 0; i < raster->rows && wrong == NULL; i++) {
        double *row = raster->node_m + (size_t)(raster->rows - 1 - i) * raster->columns;
        if (fread(line, 4, raster->columns, file) != raster->columns) {
            wrong = "it cannot be read";
        }
        for (uint32_t j = 0; j < raster->columns && wrong == NULL; j++) {
            const uint32_t bits = big_endian_u32(line + (size_t)4 * j);
            float value_m;
            memcpy(&value_m, &bits, sizeof value_m);
            row[j] = fabsf(value_m - VOID_M) < 1e-4f ? NAN : (double)value_m;
        }
    }
    free(line);
    if (wrong != NULL) {
        mf_raster_free(raster);
    }
    return wrong;
}

/* Make a model's name of a file's name, without folders and ending: small letters, digits, and _
 * for all else. */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *from = slash != NULL ? slash + 1 : path;
    size_t n = 0;
    while (from[n] != 0 && from[n] != '.' && n + 1 < size) {
        const char c = from[n];
        const bool capital = c >= 'A' && c <= 'Z';
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        name[n++] = capital ? (char)(c - 'A' + 'a') : plain ? c : '_';
    }
    name[n] = 0;
}

bool mf_gtx_read(const char *path, struct mf_raster *raster, char *error, size_t error_size)
{
    memset(raster, 0, sizeof *raster);
    FILE *file = fopen(path, "rb");
    const char *wrong = file == NULL ? "it cannot be opened" : read_header(file, raster);
    if (wrong == NULL) {
        wrong = read_nodes(file, raster);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (wrong == NULL && !mf_raster_hash_file(path, raster->source_sha256)) {
        mf_raster_free(raster);
        wrong = "it cannot be read twice";
    }
    if (wrong != NULL) {
        snprintf(error, error_size, "%s: not a GTX grid: %s", path, wrong);
        return false;
    }
    mf_raster_close(raster);
    name_of(path, raster->model, sizeof raster->model);
    snprintf(raster->frame, sizeof raster->frame, "none");
    snprintf(raster->epoch, sizeof raster->epoch, "none");
    return true;
}
