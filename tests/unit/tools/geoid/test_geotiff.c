/* SPDX-License-Identifier: Apache-2.0 */
/* GeoTIFF as PROJ-data, GeographicLib's users and terrain services have it (SIM-040). */
#include "tests/unit/support/names.h"
#include "tools/geoid/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#include <cmocka.h>

#define WIDTH  40u
#define HEIGHT 35u

static char s_path[] = "/tmp/mf_geotiff_XXXXXX";
static char s_error[GEOID_ERROR_MAX];
static struct geoid_source s_source;

/* What a test wants to have written. */
struct form {
    uint16_t bits, format, compression, predictor, samples;
    uint32_t tile, rows_per_strip; /* tile 0: strips */
    uint16_t raster_type;          /* 1 area, 2 point */
    uint16_t model_type, epsg;
    const char *metadata, *nodata;
    bool rotated;
    const char *order; /* mode of libtiff: "wl" little-endian, "wb" big-endian */
};

static const struct form k_proj_data = {.bits = 32,
                                        .format = SAMPLEFORMAT_IEEEFP,
                                        .compression = COMPRESSION_ADOBE_DEFLATE,
                                        .predictor = 3,
                                        .samples = 1,
                                        .tile = 16,
                                        .raster_type = 2,
                                        .model_type = 2,
                                        .epsg = 6319,
                                        .order = "wl"};

static const TIFFFieldInfo k_tags[] = {
    {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelPixelScale"},
    {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTiepoint"},
    {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, "ModelTransformation"},
    {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, "GeoKeyDirectory"},
    {42112, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALMetadata"},
    {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALNoData"},
};

static void add_tags(TIFF *file)
{
    (void)TIFFMergeFieldInfo(file, k_tags, sizeof k_tags / sizeof k_tags[0]);
}

/* 100 row + column, in quarters for real numbers. */
static void pixel(const struct form *f, uint32_t row, uint32_t column, uint8_t *out)
{
    const float real = (float)(100 * row + column) * 0.25F;
    const double wide = (double)real;
    const int16_t whole = (int16_t)(100 * row + column);
    const void *from = f->format != SAMPLEFORMAT_IEEEFP ? (const void *)&whole
                       : f->bits == 32                  ? (const void *)&real
                                                        : (const void *)&wide;
    memcpy(out, from, f->bits / 8u);
}

static void write_pixels(const struct form *f, TIFF *file)
{
    static uint8_t s_chunk[64 * 64 * 8];
    const uint32_t width = f->tile != 0 ? f->tile : WIDTH;
    const uint32_t height = f->tile != 0 ? f->tile : f->rows_per_strip;
    uint32_t index = 0;
    for (uint32_t top = 0; top < HEIGHT; top += height) {
        for (uint32_t left = 0; left < WIDTH; left += width) {
            const uint32_t rows = f->tile != 0 || HEIGHT - top > height ? height : HEIGHT - top;
            for (uint32_t i = 0; i < width * rows; i++) {
                pixel(f, top + i / width, left + i % width, s_chunk + i * (f->bits / 8u));
            }
            const tmsize_t n = (tmsize_t)width * rows * (f->bits / 8u);
            assert_int_not_equal(f->tile != 0 ? TIFFWriteEncodedTile(file, index, s_chunk, n)
                                              : TIFFWriteEncodedStrip(file, index, s_chunk, n),
                                 -1);
            index++;
        }
    }
}

static void write_tiff(const struct form *f, unsigned images)
{
    const double scale[3] = {0.016666666666667, 0.016666666666667, 0.0};
    const double tie[6] = {0.0, 0.0, 0.0, 230.0, 58.000000000000355, 0.0};
    const double turned[16] = {0.1, 0.01, 0, 230, 0, -0.1, 0, 58, 0, 0, 0, 0, 0, 0, 0, 1};
    const uint16_t keys[16] = {
        1, 1, 0, 3, 1024, 0, 1, f->model_type, 1025, 0, 1, f->raster_type, 2048, 0, 1, f->epsg};
    (void)TIFFSetTagExtender(add_tags);
    TIFF *file = TIFFOpen(s_path, f->order);
    assert_non_null(file);
    for (unsigned i = 0; i < images; i++) {
        assert_int_equal(TIFFSetField(file, TIFFTAG_IMAGEWIDTH, WIDTH), 1);
        TIFFSetField(file, TIFFTAG_IMAGELENGTH, HEIGHT);
        TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, f->bits);
        TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, f->format);
        TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, f->samples);
        TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE);
        TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(file, TIFFTAG_COMPRESSION, f->compression);
        if (f->predictor != 0) {
            TIFFSetField(file, TIFFTAG_PREDICTOR, f->predictor);
        }
        if (f->tile != 0) {
            TIFFSetField(file, TIFFTAG_TILEWIDTH, f->tile);
            TIFFSetField(file, TIFFTAG_TILELENGTH, f->tile);
        } else {
            TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, f->rows_per_strip);
        }
        if (f->rotated) {
            TIFFSetField(file, 34264, 16, turned);
        } else {
            TIFFSetField(file, 33550, 3, scale);
            TIFFSetField(file, 33922, 6, tie);
        }
        TIFFSetField(file, 34735, 16, keys);
        if (f->metadata != NULL) {
            TIFFSetField(file, 42112, f->metadata);
        }
        if (f->nodata != NULL) {
            TIFFSetField(file, 42113, f->nodata);
        }
        write_pixels(f, file);
        assert_int_equal(TIFFWriteDirectory(file), 1);
    }
    TIFFClose(file);
}

static bool read_tiff(const struct form *f)
{
    write_tiff(f, 1);
    return geoid_source_read(s_path, &s_source, s_error);
}

static double node(size_t row, size_t column)
{
    return s_source.raster.node_m[row * WIDTH + column];
}

static int set_up(void **state)
{
    (void)state;
    memset(s_path + sizeof s_path - 7, 'X', 6);
    const int fd = mkstemp(s_path);
    return fd < 0 || close(fd) != 0 ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    geoid_source_free(&s_source);
    return unlink(s_path);
}

/* ---- what is read */

static void check_reals(const struct form *f)
{
    assert_true(read_tiff(f));
    assert_int_equal(s_source.raster.rows, HEIGHT);
    assert_int_equal(s_source.raster.columns, WIDTH);
    for (size_t row = 0; row < HEIGHT; row++) {
        for (size_t column = 0; column < WIDTH; column++) {
            assert_true(node(row, column) == (double)(100 * row + column) * 0.25);
        }
    }
    geoid_source_free(&s_source);
}

static void test_sim040_tiles_and_strips_in_all_forms(void **state)
{
    (void)state;
    struct form f = k_proj_data;
    check_reals(&f);
    f.predictor =
        0; /* libtiff 4.5 writes real numbers wrongly in big-endian order with predictor 3 */
    f.order = "wb";
    check_reals(&f);
    f = k_proj_data;
    f.order = "wl8"; /* BigTIFF */
    check_reals(&f);
    f.tile = 0;
    f.rows_per_strip = 8;
    check_reals(&f);
    f.compression = COMPRESSION_NONE;
    f.predictor = 0;
    f.order = "wb";
    check_reals(&f);
    f.bits = 64;
    check_reals(&f);
    f.compression = COMPRESSION_LZW;
    f.rows_per_strip = HEIGHT;
    check_reals(&f);
}

static void test_sim040_geometry_of_points(void **state)
{
    (void)state;
    assert_true(read_tiff(&k_proj_data));
    assert_int_equal(s_source.raster.north_e9, 58000000000);
    assert_int_equal(s_source.raster.west_e9, -130000000000);
    assert_int_equal(s_source.raster.lat_num, 1);
    assert_int_equal(s_source.raster.lat_den, 60);
    assert_int_equal(s_source.raster.lon_num, 1);
    assert_int_equal(s_source.raster.lon_den, 60);
    assert_int_equal(s_source.datum, GEOID_DATUM_NAD83_2011);
    assert_int_equal(s_source.quantum_um, 0);
    assert_string_equal(s_source.raster.model, "");
}

/* The corner of the first pixel is given: its middle lies half a minute further. */
static void test_sim040_geometry_of_areas(void **state)
{
    (void)state;
    struct form f = k_proj_data;
    f.raster_type = 1;
    assert_true(read_tiff(&f));
    assert_int_equal(s_source.raster.north_e9, 57991666667);
    assert_int_equal(s_source.raster.west_e9, -129991666667);
}

static void test_sim040_integers_with_a_scale(void **state)
{
    (void)state;
    struct form f = k_proj_data;
    f.bits = 16;
    f.format = SAMPLEFORMAT_INT;
    f.predictor = 2;
    f.epsg = 4326;
    f.nodata = "-32768";
    f.metadata = "<GDALMetadata>\n"
                 "  <Item name=\"SCALE\" sample=\"1\" role=\"scale\">7</Item>\n"
                 "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-100</Item>\n"
                 "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.01</Item>\n"
                 "  <Item name=\"target_crs_epsg_code\">3855</Item>\n"
                 "  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">metre</Item>\n"
                 "</GDALMetadata>\n";
    assert_true(read_tiff(&f));
    assert_true(node(0, 0) == -100.0);
    assert_true(fabs(node(34, 39) - -65.61) < 1e-12);
    assert_int_equal(s_source.quantum_um, 10000);
    assert_int_equal(s_source.datum, GEOID_DATUM_WGS84);
    assert_string_equal(s_source.raster.model, "egm2008");
}

static void test_nodata_becomes_void(void **state)
{
    (void)state;
    struct form f = k_proj_data;
    f.nodata = "25.25";
    assert_true(read_tiff(&f));
    assert_true(isnan(node(1, 1)));
    assert_true(node(1, 2) == 25.5);
}

/* ---- what is refused */

static void refuse(const struct form *f, const char *data)
{
    s_error[0] = '\0';
    assert_false(read_tiff(f));
    assert_names(s_error, s_path);
    assert_names(s_error, data);
    assert_null(strchr(s_error, '\n'));
    geoid_source_free(&s_source);
}

static void test_forms_that_are_not_read(void **state)
{
    (void)state;
    struct form f = k_proj_data;
    f.model_type = 1;
    refuse(&f, "latitude longitude -t_srs EPSG:4326");
    f = k_proj_data;
    f.rotated = true;
    refuse(&f, "rotated");
    f = k_proj_data;
    f.metadata = "<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">US survey foot</Item>";
    refuse(&f, "US survey foot");
    f.metadata = "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">much</Item>";
    refuse(&f, "role=\"scale\"");
    f = k_proj_data;
    f.bits = 8;
    f.predictor = 0;
    f.format = SAMPLEFORMAT_UINT;
    refuse(&f, "1 samples 8 bits int16 uint16 int32 uint32 float32 float64");
    write_tiff(&k_proj_data, 2);
    assert_false(geoid_source_read(s_path, &s_source, s_error));
    assert_names(s_error, "grids");
}

/* Cut at every hundredth byte: an error each time, and memory is never left behind. */
static void test_a_file_that_was_cut_off_is_refused(void **state)
{
    (void)state;
    write_tiff(&k_proj_data, 1);
    FILE *file = fopen(s_path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    (void)fclose(file);
    for (long n = size - 1; n >= 0; n -= 97) {
        s_error[0] = '\0';
        assert_int_equal(truncate(s_path, n), 0);
        assert_false(geoid_source_read(s_path, &s_source, s_error));
        assert_non_null(strstr(s_error, s_path));
        geoid_source_free(&s_source);
    }
}

/* Bytes that are wrong may be taken for other pixels, but never for anything worse. */
static void test_damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    static uint8_t s_bytes[65536];
    write_tiff(&k_proj_data, 1);
    FILE *file = fopen(s_path, "rb");
    assert_non_null(file);
    const size_t size = fread(s_bytes, 1, sizeof s_bytes, file);
    (void)fclose(file);
    for (size_t i = 4; i < size; i += 29) {
        const uint8_t was = s_bytes[i];
        s_bytes[i] = (uint8_t)(was ^ 0x5AU);
        file = fopen(s_path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(s_bytes, 1, size, file), size);
        (void)fclose(file);
        (void)geoid_source_read(s_path, &s_source, s_error);
        geoid_source_free(&s_source);
        s_bytes[i] = was;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sim040_tiles_and_strips_in_all_forms, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_sim040_geometry_of_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sim040_geometry_of_areas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sim040_integers_with_a_scale, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nodata_becomes_void, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forms_that_are_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_that_was_cut_off_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_bytes_do_no_harm, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
