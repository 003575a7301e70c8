/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/source.h"

#include "mavlink/sha256.h"
#include "tools/geoid/bytes.h"
#include "tools/geoid/gtx.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEAD_BYTES   48u
#define AGREE_M      0.005 /* nodes that two files hold */
#define ALIGN        0.001 /* of a step */
#define DEG_E9       1e9
#define TURN_E9      INT64_C(360000000000)
#define HALF_TURN_E9 INT64_C(180000000000)

void geoid_source_free(struct geoid_source *source)
{
    mf_raster_free(&source->raster);
}

/* ---- one file */

static bool starts_tiff(const uint8_t *h)
{
    return memcmp(h, "II*\0", 4) == 0 || memcmp(h, "MM\0*", 4) == 0 || memcmp(h, "II+\0", 4) == 0 ||
           memcmp(h, "MM\0+", 4) == 0;
}

static bool starts_pgm(const uint8_t *h)
{
    return h[0] == 'P' && h[1] == '5' && strchr(" \t\r\n#", h[2]) != NULL && h[2] != '\0';
}

static bool starts_steps(const uint8_t *h, bool big)
{
    const double lat = geoid_f64(h, big), lon = geoid_f64(h + 8, big);
    const double dlat = geoid_f64(h + 16, big), dlon = geoid_f64(h + 24, big);
    return fabs(lat) <= 90.0 && fabs(lon) <= 360.0 && dlat > 1e-6 && dlat <= 90.0 && dlon > 1e-6 &&
           dlon <= 90.0;
}

static bool starts_noaa_bin(const uint8_t *h)
{
    return (geoid_u32(h + 40, false) == 1 && starts_steps(h, false)) ||
           (geoid_u32(h + 40, true) == 1 && starts_steps(h, true));
}

static bool starts_gtx(const uint8_t *h)
{
    return starts_steps(h, true);
}

static bool starts_geotrans(const uint8_t *h)
{
    const double dlat = geoid_f64(h + 12, true), dlon = geoid_f64(h + 20, true);
    return geoid_u32(h, true) <= 64 && dlat > 1e-6 && dlat <= 90.0 && dlon > 1e-6 && dlon <= 90.0;
}

static bool read_gtx(const char *path, struct geoid_source *source, char *error)
{
    char why[GEOID_ERROR_MAX];
    if (!mf_gtx_read(path, &source->raster, why, sizeof why)) {
        return geoid_fail(error, "%s", why);
    }
    source->raster.model[0] = '\0'; /* its name says it, as for the others: name_model() */
    return true;
}

static const struct {
    bool (*starts)(const uint8_t *head);
    bool (*read)(const char *path, struct geoid_source *source, char *error);
} k_format[] = {
    {starts_tiff, geoid_read_geotiff},
    {starts_pgm, geoid_read_pgm},
    {starts_noaa_bin, geoid_read_noaa_bin}, /* before GTX, which differs in what follows */
    {starts_gtx, read_gtx},
    {starts_geotrans, geoid_read_geotrans},
};

/* Models that file names give away, where the file does not. */
static const struct {
    const char *start, *model;
    enum geoid_datum datum;
} k_named[] = {
    {"egm96", "egm96", GEOID_DATUM_WGS84},
    {"us_nga_egm96", "egm96", GEOID_DATUM_WGS84},
    {"egm2008", "egm2008", GEOID_DATUM_WGS84},
    {"us_nga_egm08", "egm2008", GEOID_DATUM_WGS84},
    {"us_noaa_g1999u", "navd88", GEOID_DATUM_NAD83_2011},
    {"us_noaa_g2012bu", "navd88", GEOID_DATUM_NAD83_2011},
    {"us_noaa_g2018u", "navd88", GEOID_DATUM_NAD83_2011},
    {"g1999u", "navd88", GEOID_DATUM_NAD83_2011},
    {"g2012bu", "navd88", GEOID_DATUM_NAD83_2011},
    {"g2018u", "navd88", GEOID_DATUM_NAD83_2011},
    {"g2012ba", "navd88", GEOID_DATUM_NAD83_2011}, /* Alaska */
    {"g2012bp", "", GEOID_DATUM_NAD83_2011},       /* islands: heights above datums of their own */
    {"g2018p", "", GEOID_DATUM_NAD83_2011},
    {"g2012bh", "", GEOID_DATUM_NAD83_PA11},
    {"g2012bs", "", GEOID_DATUM_NAD83_PA11},
    {"g2012bg", "", GEOID_DATUM_NAD83_MA11},
};

static void name_model(const char *path, struct geoid_source *source)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof k_named / sizeof k_named[0]; i++) {
        if (strncasecmp(name, k_named[i].start, strlen(k_named[i].start)) == 0) {
            if (source->raster.model[0] == '\0') {
                (void)snprintf(source->raster.model, sizeof source->raster.model, "%s",
                               k_named[i].model);
            }
            if (source->datum == GEOID_DATUM_UNKNOWN) {
                source->datum = k_named[i].datum;
            }
        }
    }
}

static bool read_by_head(const char *path, struct geoid_source *source, char *error)
{
    uint8_t head[HEAD_BYTES] = {0};
    const size_t length = strlen(path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return geoid_fail(error, "%s: %s; say where the grid is", path, strerror(errno));
    }
    const size_t n = fread(head, 1, sizeof head, file);
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed) {
        return geoid_fail(error, "%s: cannot be read", path);
    }
    if (length > 4 && strcasecmp(path + length - 4, ".hgt") == 0) {
        return geoid_read_hgt(path, source, error);
    }
    for (size_t i = 0; i < sizeof k_format / sizeof k_format[0]; i++) {
        if (n > 4 && k_format[i].starts(head)) {
            return k_format[i].read(path, source, error);
        }
    }
    return geoid_fail(error,
                      "%s: no GeoTIFF, GTX, NOAA .bin, GEOTRANS grid, GeographicLib .pgm or "
                      ".hgt, or cut off; see docs/geoid-tool.md",
                      path);
}

bool geoid_source_read(const char *path, struct geoid_source *source, char *error)
{
    memset(source, 0, sizeof *source);
    struct mf_raster *r = &source->raster;
    if (!read_by_head(path, source, error)) {
        return false;
    }
    name_model(path, source);
    mf_raster_close(r);
    (void)snprintf(r->frame, sizeof r->frame, "none");
    (void)snprintf(r->epoch, sizeof r->epoch, "none");
    return mf_raster_hash_file(path, r->source_sha256) ||
           geoid_fail(error, "%s: cannot be read again", path);
}

/* ---- edges */

struct edges {
    int64_t north_e9, west_e9, south_e9, east_e9;
};

static int64_t extent_e9(uint32_t nodes, uint32_t num, uint32_t den)
{
    return (int64_t)llround((nodes - 1.0) * num / den * DEG_E9);
}

/* Edges of a raster, turned by a multiple of 360 degrees so that they are nearest to west_e9. */
static struct edges edges_of(const struct mf_raster *r, int64_t west_e9)
{
    int64_t west = r->west_e9;
    while (west - west_e9 >= HALF_TURN_E9) {
        west -= TURN_E9;
    }
    while (west - west_e9 < -HALF_TURN_E9) {
        west += TURN_E9;
    }
    return (struct edges){.north_e9 = r->north_e9,
                          .west_e9 = west,
                          .south_e9 = r->north_e9 - extent_e9(r->rows, r->lat_num, r->lat_den),
                          .east_e9 = west + extent_e9(r->columns, r->lon_num, r->lon_den)};
}

/*
 * Areas in which the heights of a model are known, generously. A file of another place that names
 * the model is mistaken: PROJ's grid of Hawaii names NAVD88, which ends at the shores of the
 * continent.
 */
#define DEG INT64_C(1000000000)
static const struct {
    const char *model;
    struct edges edges;
} k_area[] = {
    {"navd88", {58 * DEG, -130 * DEG, 24 * DEG, -60 * DEG}}, /* contiguous states: their grids */
    {"navd88", {33 * DEG, -119 * DEG, 14 * DEG, -86 * DEG}}, /* Mexico */
    {"navd88", {72 * DEG, 172 * DEG, 49 * DEG, 234 * DEG}},  /* Alaska */
};

bool geoid_source_is_named_wrongly(const struct geoid_source *source)
{
    bool wrongly = false;
    for (size_t i = 0; i < sizeof k_area / sizeof k_area[0]; i++) {
        const struct edges *a = &k_area[i].edges;
        const struct edges e = edges_of(&source->raster, a->west_e9);
        if (strcmp(source->raster.model, k_area[i].model) != 0) {
            continue;
        }
        if (e.south_e9 <= a->north_e9 && e.north_e9 >= a->south_e9 && e.west_e9 <= a->east_e9 &&
            e.east_e9 >= a->west_e9) {
            return false;
        }
        wrongly = true;
    }
    return wrongly;
}

/* ---- several files */

static struct edges around(const struct geoid_source *parts, size_t n)
{
    struct edges all = edges_of(&parts[0].raster, parts[0].raster.west_e9);
    for (size_t i = 1; i < n; i++) {
        const struct edges e = edges_of(&parts[i].raster, parts[0].raster.west_e9);
        all.north_e9 = e.north_e9 > all.north_e9 ? e.north_e9 : all.north_e9;
        all.south_e9 = e.south_e9 < all.south_e9 ? e.south_e9 : all.south_e9;
        all.west_e9 = e.west_e9 < all.west_e9 ? e.west_e9 : all.west_e9;
        all.east_e9 = e.east_e9 > all.east_e9 ? e.east_e9 : all.east_e9;
    }
    return all;
}

/* Steps between two places. @return false: they are not on the same lattice */
static bool steps(int64_t distance_e9, uint32_t num, uint32_t den, size_t *count)
{
    const double n = (double)distance_e9 / DEG_E9 * den / num;
    *count = (size_t)llround(n);
    return n > -ALIGN && fabs(n - (double)*count) < ALIGN;
}

static bool same_kind(const struct geoid_source *a, const struct geoid_source *b)
{
    return a->raster.lat_num == b->raster.lat_num && a->raster.lat_den == b->raster.lat_den &&
           a->raster.lon_num == b->raster.lon_num && a->raster.lon_den == b->raster.lon_den &&
           a->datum == b->datum && a->terrain == b->terrain &&
           strcmp(a->raster.model, b->raster.model) == 0;
}

static bool lay(struct mf_raster *all, const struct edges *edges, const struct mf_raster *part,
                const char *path, char *error)
{
    size_t row, column;
    const struct edges e = edges_of(part, edges->west_e9 + (edges->east_e9 - edges->west_e9) / 2);
    if (!steps(edges->north_e9 - e.north_e9, all->lat_num, all->lat_den, &row) ||
        !steps(e.west_e9 - edges->west_e9, all->lon_num, all->lon_den, &column) ||
        row + part->rows > all->rows || column + part->columns > all->columns) {
        return geoid_fail(error, "%s: its nodes lie between those of the other files", path);
    }
    for (size_t i = 0; i < (size_t)part->rows * part->columns; i++) {
        const size_t y = row + i / part->columns, x = column + i % part->columns;
        double *node = all->node_m + y * all->columns + x;
        if (isnan(part->node_m[i])) {
            continue;
        }
        if (!isnan(*node) && fabs(*node - part->node_m[i]) > AGREE_M) {
            return geoid_fail(error,
                              "%s: says %.4f m where another file says %.4f m (row %zu, column"
                              " %zu); are they of one model?",
                              path, part->node_m[i], *node, i / part->columns, i % part->columns);
        }
        *node = isnan(*node) ? part->node_m[i] : *node;
    }
    return true;
}

static int by_hash(const void *a, const void *b)
{
    return memcmp(((const struct geoid_source *)a)->raster.source_sha256,
                  ((const struct geoid_source *)b)->raster.source_sha256, 32);
}

static void hash_of_hashes(struct geoid_source *parts, size_t n, uint8_t *digest)
{
    struct mf_sha256 h;
    qsort(parts, n, sizeof *parts, by_hash);
    mf_sha256_init(&h);
    for (size_t i = 0; i < n; i++) {
        mf_sha256_add(&h, parts[i].raster.source_sha256, MF_SHA256_BYTES);
    }
    mf_sha256_end(&h, digest);
}

static bool merge(char *const *paths, struct geoid_source *parts, size_t n,
                  struct geoid_source *source, char *error)
{
    const struct edges edges = around(parts, n);
    struct mf_raster *all = &source->raster;
    size_t rows, columns;
    *source = parts[0];
    all->node_m = NULL;
    all->north_e9 = edges.north_e9;
    all->west_e9 = edges.west_e9;
    if (!steps(edges.north_e9 - edges.south_e9, all->lat_num, all->lat_den, &rows) ||
        !steps(edges.east_e9 - edges.west_e9, all->lon_num, all->lon_den, &columns)) {
        return geoid_fail(error, "%s: the files' nodes do not lie on one lattice", paths[0]);
    }
    all->rows = (uint32_t)(rows + 1);
    all->columns = (uint32_t)(columns + 1);
    if (edges.east_e9 - edges.west_e9 > TURN_E9 || !geoid_allocate(all)) {
        return geoid_fail(error,
                          "the files together span %zu x %zu nodes, which is too much: make "
                          "several packs",
                          rows + 1, columns + 1);
    }
    for (size_t i = 0; i < n; i++) {
        if (!lay(all, &edges, &parts[i].raster, paths[i], error)) {
            return false;
        }
        source->quantum_um = parts[i].quantum_um == 0 ? 0 : source->quantum_um;
    }
    hash_of_hashes(parts, n, all->source_sha256); /* sorts them: last */
    mf_raster_close(all);
    return true;
}

bool geoid_source_read_all(char *const *paths, size_t n, struct geoid_source *source, char *error)
{
    memset(source, 0, sizeof *source);
    if (n == 1) {
        return geoid_source_read(paths[0], source, error);
    }
    struct geoid_source *parts = calloc(n, sizeof *parts);
    if (parts == NULL) {
        return geoid_fail(error, "no memory");
    }
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        ok = geoid_source_read(paths[i], &parts[i], error);
        if (ok && !same_kind(&parts[0], &parts[i])) {
            ok = geoid_fail(error,
                            "%s: not of one kind with %s (steps, model or datum); pack them "
                            "one by one",
                            paths[i], paths[0]);
        }
    }
    ok = ok && merge(paths, parts, n, source, error);
    for (size_t i = 0; i < n; i++) {
        geoid_source_free(&parts[i]);
    }
    free(parts);
    return ok;
}
