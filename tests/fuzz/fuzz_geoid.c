/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes files that the geoid tool reads, by the first byte: 'P' a place as text, 'C' a table of
 * places, 'H' an .hgt, 'J' two grids (two bytes are the length of the first), otherwise one grid of
 * any format. A grid is refused with the file's name, or has nodes for a pack that opens again.
 * GeoTIFFs of more than a million nodes are left out: a file of some bytes may be all holes.
 */
#include "tests/fuzz/fuzz_file.h"
#include "tools/geoid/pack_write.h"
#include "tools/geoid/points.h"
#include "tools/geoid/source.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#define FILE_MAX  65536u
#define NODES_FEW (1u << 20)
#define GRIDS     2

static char s_path[GRIDS + 1][64];

static void clean_up(void)
{
    for (unsigned i = 0; i <= GRIDS; i++) {
        (void)unlink(s_path[i]);
    }
    *strrchr(s_path[0], '/') = '\0';
    (void)rmdir(s_path[0]);
}

static void make_paths(void)
{
    static const char *const k_name[GRIDS + 1] = {"g2018u5.bin", "egm96.tif", "N47E008.hgt"};
    char dir[FUZZ_PATH_BYTES];
    fuzz_folder(dir);
    for (unsigned i = 0; i <= GRIDS; i++) {
        (void)snprintf(s_path[i], sizeof s_path[i], "%s/%s", dir, k_name[i]);
    }
    check(atexit(clean_up) == 0);
}

static int no_words(TIFF *file, void *user, const char *module, const char *format, va_list list)
{
    (void)file, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

/* @return false: a GeoTIFF of very many nodes */
static bool write_grid(const char *path, const uint8_t *data, size_t size)
{
    fuzz_write(path, data, size);
    if (size < 4 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0)) {
        return true;
    }
    uint32_t width = 0, height = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options, no_words, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, no_words, NULL);
    TIFF *file = TIFFOpenExt(path, "rm", options);
    TIFFOpenOptionsFree(options);
    if (file == NULL) {
        return true;
    }
    (void)TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    (void)TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    TIFFClose(file);
    return (uint64_t)width * height <= NODES_FEW;
}

static void check_source(struct geoid_source *source, bool good, const char *error)
{
    const struct mf_pack_plan plan = {.kind = source->terrain ? MF_PACK_TERRAIN : MF_PACK_GEOID,
                                      .interpolation = MF_PACK_BILINEAR,
                                      .quantum_um = 1000};
    const struct mf_raster *r = &source->raster;
    uint8_t *bytes = NULL;
    size_t size = 0;
    char why[200] = "";
    if (!good) {
        check(error[0] != '\0' && strlen(error) < GEOID_ERROR_MAX);
        return;
    }
    check(r->rows >= 2 && r->columns >= 1 && r->lat_den > 0 && r->lon_den > 0);
    check(strlen(r->model) < sizeof r->model);
    if (mf_pack_make(r, &plan, &bytes, &size, why, sizeof why)) {
        struct mf_pack pack;
        check(mf_pack_open(&pack, bytes, size) == MF_E_OK);
        free(bytes);
    } else {
        check(why[0] != '\0');
    }
}

static void fuzz_grid(const char *path, const uint8_t *data, size_t size)
{
    struct geoid_source source;
    char error[GEOID_ERROR_MAX] = "";
    if (write_grid(path, data, size)) {
        const bool good = geoid_source_read(path, &source, error);
        check_source(&source, good, error);
        geoid_source_free(&source);
    }
}

static void fuzz_grids(const uint8_t *data, size_t size)
{
    char *path[GRIDS] = {s_path[0], s_path[1]};
    struct geoid_source source;
    char error[GEOID_ERROR_MAX] = "";
    const size_t wanted = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8);
    const size_t rest = size < 2 ? 0 : size - 2, first = wanted < rest ? wanted : rest;
    if (rest > 0 && write_grid(path[0], data + 2, first) &&
        write_grid(path[1], data + 2 + first, rest - first)) {
        const bool good = geoid_source_read_all(path, GRIDS, &source, error);
        check_source(&source, good, error);
        geoid_source_free(&source);
    }
}

static void fuzz_table(const uint8_t *data, size_t size)
{
    static struct geoid_table s_table;
    int row = 0;
    (void)write_grid(s_path[0], data, size);
    if (geoid_table_open(&s_table, s_path[0])) {
        check(s_table.columns > 0 && s_table.columns <= GEOID_FIELDS_MAX);
        check(geoid_table_column(&s_table, s_table.name[0]) == 0);
        while ((row = geoid_table_next(&s_table)) == 1) {
            double lat_deg, lon_deg;
            for (size_t i = 0; i < s_table.columns; i++) {
                check(strlen(s_table.field[i]) < GEOID_LINE_MAX);
                (void)geoid_point_read(s_table.field[i], &lat_deg, &lon_deg);
            }
        }
        check(row <= 0);
    }
    geoid_table_close(&s_table);
}

static void fuzz_place(const uint8_t *data, size_t size)
{
    char text[256];
    double lat_deg, lon_deg;
    const size_t n = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, data, n);
    text[n] = '\0';
    if (geoid_point_read(text, &lat_deg, &lon_deg) == NULL) {
        check(fabs(lat_deg) <= 90.0 && fabs(lon_deg) <= 720.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > FILE_MAX) {
        return 0;
    }
    if (s_path[0][0] == '\0') {
        make_paths();
    }
    switch (data[0]) {
    case 'P':
        fuzz_place(data + 1, size - 1);
        break;
    case 'C':
        fuzz_table(data + 1, size - 1);
        break;
    case 'H':
        fuzz_grid(s_path[GRIDS], data + 1, size - 1);
        break;
    case 'J':
        fuzz_grids(data + 1, size - 1);
        break;
    default:
        fuzz_grid(s_path[data[0] % GRIDS], data + 1, size - 1);
    }
    return 0;
}
