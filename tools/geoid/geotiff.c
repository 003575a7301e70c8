/* SPDX-License-Identifier: Apache-2.0 */
/* GeoTIFF by libtiff: the first image of a file, one sample per pixel, geographic coordinates,
 * not rotated; the first row may be the northernmost or the southernmost. Geometry and void from
 * GeoTIFF's and GDAL's tags; scale and offset, unit and the EPSG code of the heights from GDAL's
 * metadata, as PROJ-data writes them. */
#include "tools/geoid/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define TAG_PIXEL_SCALE    33550
#define TAG_TIE_POINTS     33922
#define TAG_TRANSFORMATION 34264
#define TAG_GEO_KEYS       34735
#define TAG_METADATA       42112
#define TAG_NODATA         42113

#define KEY_MODEL_TYPE   1024
#define KEY_RASTER_TYPE  1025
#define KEY_GEOGRAPHIC   2048
#define KEY_VERTICAL     4096
#define MODEL_GEOGRAPHIC 2
#define RASTER_IS_POINT  2
#define MEMORY_MAX       (1 << 29) /* of one strip or tile: the nodes of the largest grid */
#define SIDE_MAX         200000u

struct tiff {
    TIFF *file;
    const char *path;
    char *error;
    uint32_t width, height;
    uint16_t bits, format;
    uint32_t chunk_width, chunk_height; /* of a tile, or a strip */
    bool has_nodata, south_up;
    double nodata, scale, offset;
};

/* ---- libtiff: unknown tags, messages */

static const TIFFFieldInfo k_tags[] = {
    {TAG_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelPixelScale"},
    {TAG_TIE_POINTS, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTiepoint"},
    {TAG_TRANSFORMATION, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTransformation"},
    {TAG_GEO_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, "GeoKeyDirectory"},
    {TAG_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALMetadata"},
    {TAG_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALNoData"},
};

static void add_tags(TIFF *file)
{
    (void)TIFFMergeFieldInfo(file, k_tags, sizeof k_tags / sizeof k_tags[0]);
}

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list list)
{
    struct tiff *t = user;
    char text[GEOID_ERROR_MAX / 2];
    (void)file;
    (void)module;
    (void)vsnprintf(text, sizeof text, format, list);
    if (t->error[0] == '\0') { /* the first says why */
        (void)geoid_fail(t->error, "%s: damaged (%s); fetch the file again", t->path, text);
    }
    return 1;
}

static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list list)
{
    (void)file;
    (void)user;
    (void)module;
    (void)format;
    (void)list;
    return 1;
}

static bool open_tiff(struct tiff *t)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) {
        return geoid_fail(t->error, "no memory");
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, t);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, t);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MEMORY_MAX);
    (void)TIFFSetTagExtender(add_tags);
    t->file = TIFFOpenExt(t->path, "rm", options);
    TIFFOpenOptionsFree(options);
    return t->file != NULL;
}

/* ---- GDAL's metadata: <Item name=".." sample="0" role="scale">0.01</Item> */

static bool item(const char *xml, const char *attribute, char *value, size_t size)
{
    for (const char *at = strstr(xml, "<Item"); at != NULL; at = strstr(at + 1, "<Item")) {
        const char *end = strchr(at, '>'), *found = strstr(at, attribute);
        const char *sample = strstr(at, " sample=\"");
        if (end == NULL || found == NULL || found > end ||
            (sample != NULL && sample < end && strncmp(sample, " sample=\"0\"", 11) != 0)) {
            continue;
        }
        const size_t n = strcspn(end + 1, "<");
        (void)snprintf(value, size, "%.*s", (int)(n < size ? n : size - 1), end + 1);
        return true;
    }
    return false;
}

static bool number(const struct tiff *t, const char *xml, const char *attribute, double *value)
{
    char text[64], *end;
    if (!item(xml, attribute, text, sizeof text)) {
        return true;
    }
    *value = strtod(text, &end);
    return (end != text && isfinite(*value)) ||
           geoid_fail(t->error, "%s: its metadata has no number as %s", t->path, attribute);
}

static const char *model_of_epsg(long code)
{
    return code == 5703 || code == 6360 ? "navd88"
           : code == 5773               ? "egm96"
           : code == 3855               ? "egm2008"
                                        : "";
}

static bool read_metadata(struct tiff *t, struct geoid_source *source)
{
    char *xml = NULL, text[64] = "";
    t->scale = 1.0;
    if (TIFFGetField(t->file, TAG_METADATA, &xml) != 1 || xml == NULL) {
        return true;
    }
    if (item(xml, "role=\"unittype\"", text, sizeof text) && strcmp(text, "metre") != 0 &&
        strcmp(text, "m") != 0 && strcmp(text, "meter") != 0) {
        return geoid_fail(t->error, "%s: its unit is %s; only metres are read", t->path, text);
    }
    if (item(xml, "name=\"target_crs_epsg_code\"", text, sizeof text)) {
        (void)snprintf(source->raster.model, sizeof source->raster.model, "%s",
                       model_of_epsg(strtol(text, NULL, 10)));
    }
    return number(t, xml, "role=\"scale\"", &t->scale) &&
           number(t, xml, "role=\"offset\"", &t->offset);
}

/* ---- GeoTIFF's tags */

static int geo_key(const struct tiff *t, uint16_t key)
{
    uint16_t n = 0;
    const uint16_t *keys = NULL;
    if (TIFFGetField(t->file, TAG_GEO_KEYS, &n, &keys) != 1 || n < 4) {
        return 0;
    }
    for (size_t i = 4; i + 4 <= n; i += 4) {
        if (keys[i] == key && keys[i + 1] == 0) {
            return keys[i + 3];
        }
    }
    return 0;
}

/*
 * Read the corner (or node, of points) of the first pixel, and the steps; that of latitude is
 * negative if the first row is the southernmost. @return false: missing, or rotated
 */
static bool read_transformation(const struct tiff *t, struct geoid_geometry *g)
{
    uint16_t n = 0, tied = 0;
    const double *scale = NULL, *tie = NULL, *m = NULL;
    if (TIFFGetField(t->file, TAG_PIXEL_SCALE, &n, &scale) == 1 && n >= 2 &&
        TIFFGetField(t->file, TAG_TIE_POINTS, &tied, &tie) == 1 && tied == 6) {
        g->lon_step_deg = scale[0];
        g->lat_step_deg = scale[1];
        g->west_deg = tie[3] - tie[0] * scale[0];
        g->north_deg = tie[4] + tie[1] * scale[1];
        return true;
    }
    if (TIFFGetField(t->file, TAG_TRANSFORMATION, &n, &m) == 1 && n == 16 && m[1] == 0.0 &&
        m[4] == 0.0) {
        g->lon_step_deg = m[0];
        g->lat_step_deg = -m[5];
        g->west_deg = m[3];
        g->north_deg = m[7];
        return true;
    }
    return false;
}

static bool read_geometry(struct tiff *t, struct geoid_source *source)
{
    struct geoid_geometry g = {.rows = t->height, .columns = t->width};
    const int model = geo_key(t, KEY_MODEL_TYPE);
    if (model != MODEL_GEOGRAPHIC || !read_transformation(t, &g)) {
        return geoid_fail(t->error,
                          "%s: not in latitude and longitude, or rotated; warp it first, as "
                          "gdalwarp -t_srs EPSG:4326 does",
                          t->path);
    }
    if (geo_key(t, KEY_RASTER_TYPE) != RASTER_IS_POINT) { /* then the corner is a pixel's corner */
        g.west_deg += g.lon_step_deg / 2.0;
        g.north_deg -= g.lat_step_deg / 2.0;
    }
    t->south_up = g.lat_step_deg < 0.0;
    if (t->south_up) {
        g.lat_step_deg = -g.lat_step_deg;
        g.north_deg += g.lat_step_deg * (g.rows - 1.0);
    }
    source->datum = geoid_datum_epsg(geo_key(t, KEY_GEOGRAPHIC));
    if (source->datum == GEOID_DATUM_UNKNOWN) {
        source->datum = geoid_datum_epsg(geo_key(t, KEY_VERTICAL));
    }
    return geoid_layout(&source->raster, &g, t->path, t->error);
}

/* ---- pixels */

static bool read_form(struct tiff *t)
{
    uint16_t samples = 1;
    const char *nodata = NULL;
    t->format = SAMPLEFORMAT_UINT;
    (void)TIFFGetFieldDefaulted(t->file, TIFFTAG_SAMPLESPERPIXEL, &samples);
    (void)TIFFGetFieldDefaulted(t->file, TIFFTAG_SAMPLEFORMAT, &t->format);
    (void)TIFFGetFieldDefaulted(t->file, TIFFTAG_BITSPERSAMPLE, &t->bits);
    if (TIFFGetField(t->file, TIFFTAG_IMAGEWIDTH, &t->width) != 1 ||
        TIFFGetField(t->file, TIFFTAG_IMAGELENGTH, &t->height) != 1 || t->width > SIDE_MAX ||
        t->height > SIDE_MAX) {
        return geoid_fail(t->error, "%s: has no size, or one beyond %u", t->path, SIDE_MAX);
    }
    const bool real = t->format == SAMPLEFORMAT_IEEEFP && (t->bits == 32 || t->bits == 64);
    const bool whole = (t->format == SAMPLEFORMAT_INT || t->format == SAMPLEFORMAT_UINT) &&
                       (t->bits == 16 || t->bits == 32);
    if (samples != 1 || !(real || whole)) {
        return geoid_fail(t->error,
                          "%s: %u samples of %u bits; one is read, of int16, uint16, int32, "
                          "uint32, float32 or float64",
                          t->path, samples, t->bits);
    }
    if (TIFFIsTiled(t->file)) {
        (void)TIFFGetField(t->file, TIFFTAG_TILEWIDTH, &t->chunk_width);
        (void)TIFFGetField(t->file, TIFFTAG_TILELENGTH, &t->chunk_height);
    } else {
        t->chunk_width = t->width;
        (void)TIFFGetFieldDefaulted(t->file, TIFFTAG_ROWSPERSTRIP, &t->chunk_height);
        t->chunk_height = t->chunk_height < t->height ? t->chunk_height : t->height;
    }
    if (TIFFGetField(t->file, TAG_NODATA, &nodata) == 1 && nodata != NULL) {
        char *end;
        t->nodata = strtod(nodata, &end);
        t->has_nodata = end != nodata;
    }
    return (t->chunk_width != 0 && t->chunk_height != 0 && t->chunk_width <= SIDE_MAX &&
            t->chunk_height <= SIDE_MAX) ||
           geoid_fail(t->error, "%s: has empty or too large tiles; fetch the file again", t->path);
}

static double pixel(const struct tiff *t, const uint8_t *p)
{
    union {
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        float f32;
        double f64;
    } v = {0};
    memcpy(&v, p, t->bits / 8u);
    double value;
    if (t->format == SAMPLEFORMAT_IEEEFP) {
        value = t->bits == 32 ? (double)v.f32 : v.f64;
    } else if (t->format == SAMPLEFORMAT_INT) {
        value = t->bits == 16 ? (double)v.i16 : (double)v.i32;
    } else {
        value = t->bits == 16 ? (double)v.u16 : (double)v.u32;
    }
    const bool is_void =
        t->has_nodata &&
        (value == t->nodata ||
         (t->format == SAMPLEFORMAT_IEEEFP && t->bits == 32 && value == (double)(float)t->nodata));
    return is_void ? (double)NAN : value * t->scale + t->offset;
}

static bool read_chunk(struct tiff *t, uint32_t index, uint8_t *buffer, tmsize_t size,
                       struct mf_raster *r)
{
    const uint32_t across = (t->width + t->chunk_width - 1) / t->chunk_width;
    const uint32_t top = index / across * t->chunk_height, left = index % across * t->chunk_width;
    const uint32_t rows = t->height - top < t->chunk_height ? t->height - top : t->chunk_height;
    const uint32_t columns = t->width - left < t->chunk_width ? t->width - left : t->chunk_width;
    const size_t bytes = t->bits / 8u, line = t->chunk_width * bytes;
    if (TIFFGetStrileByteCount(t->file, index) == 0) {
        return true; /* a hole: stays void */
    }
    const tmsize_t got = TIFFIsTiled(t->file) ? TIFFReadEncodedTile(t->file, index, buffer, size)
                                              : TIFFReadEncodedStrip(t->file, index, buffer, size);
    if (got < (tmsize_t)((rows - 1) * line + columns * bytes)) {
        return false;
    }
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            r->node_m[(size_t)(top + y) * t->width + left + x] =
                pixel(t, buffer + y * line + x * bytes);
        }
    }
    return true;
}

static bool read_pixels(struct tiff *t, struct mf_raster *r)
{
    const bool tiled = TIFFIsTiled(t->file) != 0;
    const uint32_t chunks = tiled ? TIFFNumberOfTiles(t->file) : TIFFNumberOfStrips(t->file);
    const tmsize_t size = tiled ? TIFFTileSize(t->file) : TIFFStripSize(t->file);
    uint8_t *buffer = size > 0 && size <= MEMORY_MAX ? malloc((size_t)size) : NULL;
    bool ok = buffer != NULL && chunks != 0;
    for (uint32_t i = 0; ok && i < chunks; i++) {
        ok = read_chunk(t, i, buffer, size, r);
    }
    free(buffer);
    if (!ok && t->error[0] == '\0') {
        (void)geoid_fail(t->error, "%s: ends too early; fetch the file again", t->path);
    }
    return ok;
}

static void turn_north_up(struct mf_raster *r)
{
    for (size_t i = 0; i < r->rows / 2; i++) {
        double *north = r->node_m + i * r->columns;
        double *south = r->node_m + (r->rows - 1 - i) * r->columns;
        for (size_t k = 0; k < r->columns; k++) {
            const double value = north[k];
            north[k] = south[k];
            south[k] = value;
        }
    }
}

/* Images after the first one may be smaller copies of it, nothing else. */
static bool is_alone(struct tiff *t)
{
    while (TIFFReadDirectory(t->file) != 0) {
        uint32_t kind = 0;
        (void)TIFFGetFieldDefaulted(t->file, TIFFTAG_SUBFILETYPE, &kind);
        if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0) {
            return geoid_fail(t->error, "%s: holds several grids; split it first", t->path);
        }
    }
    return t->error[0] == '\0';
}

bool geoid_read_geotiff(const char *path, struct geoid_source *source, char *error)
{
    struct tiff t = {.path = path, .error = error};
    error[0] = '\0';
    bool ok = open_tiff(&t) && read_form(&t) && read_metadata(&t, source) &&
              read_geometry(&t, source) && read_pixels(&t, &source->raster) && is_alone(&t);
    if (t.file != NULL) {
        TIFFClose(t.file);
    } else if (error[0] == '\0') {
        (void)geoid_fail(error, "%s: no TIFF that libtiff reads; fetch the file again", path);
    }
    if (ok && t.south_up) {
        turn_north_up(&source->raster);
    }
    if (ok && t.format != SAMPLEFORMAT_IEEEFP) {
        const double quantum_um = round(t.scale * 1e6);
        source->quantum_um = quantum_um >= 1.0 && quantum_um <= 1e6 ? (uint32_t)quantum_um : 0;
    }
    return ok;
}
