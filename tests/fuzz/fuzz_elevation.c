/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what elevation services and their clients take from each other, by the first byte: 'J' the
 * JSON of a grid, 'T' a template of an address, 'B' a box on a grid, 'H' values of headers;
 * otherwise a request: a path, then a parameter a line, name=value. What must hold for any input is
 * checked, and abort() called if it does not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/elevation/answer.h"
#include "tools/elevation/raster.h"
#include "tools/geoid/pack_write.h"
#include "tools/geoid/url.h"

#define TEXT_MAX 4096u

int LLVMFuzzerInitialize(int *argc, char ***argv);
static struct elevation_library s_library;

/* A pack of so many cells in 10 degrees, whose bytes stay. */
static void add(enum mf_pack_kind kind, const char *model, uint32_t rows, uint32_t columns,
                bool wraps)
{
    struct mf_raster raster = {.rows = rows,
                               .columns = columns,
                               .north_e9 = INT64_C(90000000000),
                               .west_e9 = wraps ? INT64_C(-180000000000) : INT64_C(175000000000),
                               .lat_num = 10,
                               .lat_den = wraps ? 1 : 24,
                               .lon_num = 10,
                               .lon_den = wraps ? 1 : 24,
                               .wraps = wraps,
                               .frame = "none",
                               .epoch = "none"};
    const struct mf_pack_plan plan = {kind, MF_PACK_CUBIC, 1000};
    uint8_t *bytes = NULL;
    size_t size = 0, i = s_library.count;
    char error[200];
    (void)snprintf(raster.model, sizeof raster.model, "%s", model);
    check(mf_raster_alloc(&raster));
    for (size_t n = 0; n < (size_t)rows * columns; n++) {
        raster.node_m[n] = n % 97 == 5 && !wraps ? (double)NAN : (double)(n * n % 1009) / 10.0;
    }
    check(mf_pack_make(&raster, &plan, &bytes, &size, error, sizeof error));
    mf_raster_free(&raster);
    check(mf_pack_open(&s_library.pack[i], bytes, size) == MF_E_OK);
    geoid_offer_of_pack(&s_library.pack[i], &s_library.offer[i]);
    s_library.count++;
}

// NOLINTNEXTLINE(readability-non-const-parameter): libFuzzer's type
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    elevation_library_init(&s_library);
    add(MF_PACK_TERRAIN, "dem", 70, 65, false);
    add(MF_PACK_GEOID, "g", 19, 36, true);
    return 0;
}

/* ---- requests */

static void check_raster(const struct elevation_part *part)
{
    struct elevation_raster raster;
    uint8_t bytes[512];
    int64_t at = 0, n;
    check(elevation_raster_open(&raster, part));
    while ((n = elevation_raster_read(&raster, at, bytes, sizeof bytes)) > 0) {
        at += n;
    }
    check(n == 0 && at == geoid_offer_bytes(&part->offer));
    elevation_raster_close(&raster);
}

static void check_answer(struct elevation_answer *answer)
{
    check(answer->status == 200 || (answer->status >= 400 && answer->status < 500));
    if (answer->text == NULL) {
        check(answer->status == 200);
        check_raster(&answer->part);
        return;
    }
    json_t *json = json_loads(answer->text, 0, NULL);
    check(json != NULL);
    json_t *status = json_object_get(json_object_get(json, "error"), "status");
    check(answer->status == 200 ? status == NULL : json_integer_value(status) == answer->status);
    json_decref(json);
    free(answer->text);
}

static void fuzz_request(char *text)
{
    struct elevation_query query;
    struct web_error error = {0};
    struct elevation_answer answer;
    char *next = NULL;
    char *line = strtok_r(text, "\n", &next);
    bool good = elevation_query_path(&query, line != NULL ? line : "", &error);
    while (good && (line = strtok_r(NULL, "\n", &next)) != NULL) {
        char *value = strchr(line, '=');
        if (value != NULL) {
            *value++ = '\0';
        }
        good = elevation_query_parameter(&query, line, value, &error);
    }
    if (good && elevation_query_end(&query, &error)) {
        elevation_answer(&s_library, &query, &answer);
    } else {
        check(error.status >= 400 && error.message[0] != '\0');
        elevation_answer_error(&error, &answer);
    }
    check_answer(&answer);
}

/* ---- the rest */

static void fuzz_json(const char *text)
{
    struct geoid_offer offer;
    char error[200] = "";
    json_t *json = json_loads(text, 0, NULL);
    if (json != NULL && geoid_offer_read(json, &offer, error, sizeof error)) {
        struct geoid_crop crop;
        const struct geoid_box bounds = geoid_grid_bounds(&offer.grid);
        (void)geoid_box_crop(&offer.grid, &bounds, &crop);
        json_t *again = geoid_offer_json(&offer);
        check(again != NULL && geoid_offer_bytes(&offer) > 0);
        json_decref(again);
    } else {
        check(json == NULL || error[0] != '\0');
    }
    json_decref(json);
}

static void fuzz_template(const char *text)
{
    static const struct geoid_url_variable k_variables[] = {
        {"model", "a b"}, {"bbox", "1,2,3,4"}, {"none", NULL}, {NULL, NULL}};
    char url[GEOID_URL_MAX], error[200] = "";
    if (geoid_url_expand("http://host", text, k_variables, url, error, sizeof error)) {
        check(strncasecmp(url, "http", 4) == 0 && strlen(url) < GEOID_URL_MAX);
    } else {
        check(error[0] != '\0');
    }
}

static void fuzz_box(const char *text)
{
    struct geoid_box box, again;
    struct geoid_crop crop;
    char error[200] = "", written[GEOID_BOX_TEXT_MAX];
    if (!geoid_box_parse(text, &box, error, sizeof error)) {
        check(error[0] != '\0');
        return;
    }
    geoid_box_text(&box, written);
    check(geoid_box_parse(written, &again, error, sizeof error) &&
          memcmp(&box, &again, sizeof box) == 0);
    for (size_t i = 0; i < s_library.count; i++) {
        const struct geoid_grid *grid = &s_library.offer[i].grid;
        if (geoid_box_crop(grid, &box, &crop)) {
            check(crop.grid.rows >= 2 && crop.row + crop.grid.rows <= grid->rows);
            check(crop.grid.columns >= 2 && crop.grid.columns <= grid->columns);
            check(crop.column < grid->columns && crop.grid.north_e9 >= box.north_e9);
            check(grid->wraps || crop.column + crop.grid.columns <= grid->columns);
        }
    }
}

static void fuzz_headers(const char *text)
{
    int64_t first = 0, last = 0;
    (void)elevation_query_tagged(text, "abc");
    if (elevation_query_range(text, 1000, &first, &last) == 1) {
        check(first >= 0 && first <= last && last < 1000);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX];
    if (size < 1 || size >= sizeof text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    switch (text[0]) {
    case 'J':
        fuzz_json(text + 1);
        break;
    case 'T':
        fuzz_template(text + 1);
        break;
    case 'B':
        fuzz_box(text + 1);
        break;
    case 'H':
        fuzz_headers(text + 1);
        break;
    default:
        fuzz_request(text);
        break;
    }
    return 0;
}
