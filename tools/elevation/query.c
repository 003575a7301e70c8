/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/query.h"

#include "host/base/value.h"
#include "tools/geoid/offer.h"
#include "tools/web/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT_MAX_M 1e6

enum parameter {
    P_LAT = 1u << 0,
    P_LON = 1u << 1,
    P_HEIGHT = 1u << 2,
    P_FROM = 1u << 3,
    P_TO = 1u << 4,
    P_MODEL = 1u << 5,
    P_INTERPOLATION = 1u << 6,
    P_BBOX = 1u << 7,
};

static const char *const k_path[] = {
#define X(name, path) path,
    ELEVATION_ROUTE_LIST(X)
#undef X
};

/* Parameters that each route requires, and those that it allows. */
static const struct {
    uint32_t needs, takes;
} k_parameters[] = {
    [ELEVATION_SERVICE] = {0, 0},
    [ELEVATION_MODELS] = {0, 0},
    [ELEVATION_MODEL] = {0, P_BBOX},
    [ELEVATION_RASTER] = {0, P_BBOX},
    [ELEVATION_UNDULATION] = {P_LAT | P_LON, P_MODEL | P_INTERPOLATION},
    [ELEVATION_TERRAIN] = {P_LAT | P_LON, P_MODEL | P_INTERPOLATION},
    [ELEVATION_CONVERT] = {P_LAT | P_LON | P_HEIGHT | P_FROM | P_TO, P_INTERPOLATION},
};

/* ---- path */

bool elevation_query_path(struct elevation_query *query, const char *path, struct web_error *error)
{
    *query = (struct elevation_query){.route = ELEVATION_ROUTES};
    for (size_t i = 0; i < ELEVATION_ROUTES; i++) {
        const char *model = "";
        size_t n = 0;
        if (!web_path_fits(k_path[i], path, &model, &n)) {
            continue;
        }
        if (n >= sizeof query->model) {
            return web_refuse(error, 404, "unknown_model", "no model has so long a name");
        }
        query->route = (enum elevation_route)i;
        memcpy(query->model, model, n);
        query->model[n] = '\0';
        return true;
    }
    return web_refuse(error, 404, "unknown_path", "there is nothing at %.100s; /v1 lists all paths",
                      path);
}

/* ---- parameters */

static bool read_number(const char *name, const char *text, double min, double max, double *value,
                        struct web_error *error)
{
    double parsed = 0.0;
    const char *end = mf_value_number(text, &parsed);
    if (end == NULL || *end != '\0' || !(parsed >= min && parsed <= max)) {
        return web_refuse(error, 400, "bad_parameter",
                          "%s must be a number from %g to %g, not '%.40s'", name, min, max, text);
    }
    *value = parsed;
    return true;
}

static bool read_name(const char *name, const char *text, char *to, struct web_error *error)
{
    const size_t n = strlen(text);
    if (n < 1 || n >= ELEVATION_NAME_MAX) {
        return web_refuse(error, 400, "bad_parameter", "%s must be a name, not '%.40s'", name,
                          text);
    }
    memcpy(to, text, n + 1);
    return true;
}

static bool read_interpolation(struct elevation_query *query, const char *text,
                               struct web_error *error)
{
    query->interpolation = geoid_how_find(text);
    if (query->interpolation == MF_PACK_AS_MADE) {
        return web_refuse(error, 400, "bad_parameter",
                          "interpolation must be bilinear or cubic, not '%.40s'", text);
    }
    return true;
}

static bool read_box(struct elevation_query *query, const char *text, struct web_error *error)
{
    char why[160];
    query->has_box = geoid_box_parse(text, &query->box, why, sizeof why);
    return query->has_box || web_refuse(error, 400, "bad_parameter", "bbox '%.60s': %s", text, why);
}

static bool read_value(struct elevation_query *query, enum parameter id, const char *text,
                       struct web_error *error)
{
    switch (id) {
    case P_LAT:
        return read_number("lat", text, -90.0, 90.0, &query->lat_deg, error);
    case P_LON:
        return read_number("lon", text, -360.0, 360.0, &query->lon_deg, error);
    case P_HEIGHT:
        return read_number("height", text, -HEIGHT_MAX_M, HEIGHT_MAX_M, &query->height_m, error);
    case P_FROM:
        return read_name("from", text, query->from, error);
    case P_TO:
        return read_name("to", text, query->to, error);
    case P_MODEL:
        return read_name("model", text, query->model, error);
    case P_INTERPOLATION:
        return read_interpolation(query, text, error);
    case P_BBOX:
        return read_box(query, text, error);
    }
    return false;
}

static const struct {
    const char *name;
    enum parameter id;
} k_parameter[] = {
    {"lat", P_LAT},   {"lon", P_LON},     {"height", P_HEIGHT},
    {"to", P_TO},     {"from", P_FROM},   {"interpolation", P_INTERPOLATION},
    {"bbox", P_BBOX}, {"model", P_MODEL},
};

bool elevation_query_parameter(struct elevation_query *query, const char *name, const char *value,
                               struct web_error *error)
{
    const uint32_t known = k_parameters[query->route].needs | k_parameters[query->route].takes;
    for (size_t i = 0; i < sizeof k_parameter / sizeof k_parameter[0]; i++) {
        const enum parameter id = k_parameter[i].id;
        if (strcmp(k_parameter[i].name, name) != 0 || (known & id) == 0) {
            continue;
        }
        if ((query->given & id) != 0) {
            return web_refuse(error, 400, "bad_parameter", "%s is given twice", name);
        }
        query->given |= id;
        return read_value(query, id, value != NULL ? value : "", error);
    }
    return web_refuse(error, 400, "unknown_parameter", "%s takes no parameter '%.40s'",
                      k_path[query->route], name);
}

bool elevation_query_end(const struct elevation_query *query, struct web_error *error)
{
    const uint32_t missing = k_parameters[query->route].needs & ~query->given;
    for (size_t i = 0; i < sizeof k_parameter / sizeof k_parameter[0]; i++) {
        if ((missing & k_parameter[i].id) != 0) {
            return web_refuse(error, 400, "missing_parameter", "%s needs %s", k_path[query->route],
                              k_parameter[i].name);
        }
    }
    return true;
}

/* ---- headers */

/* Read decimal digits; -1 without one, or with too many. */
static int64_t read_digits(const char **text)
{
    const size_t n = strspn(*text, "0123456789");
    int64_t value = 0;
    for (size_t i = 0; i < n && n <= 18; i++) {
        value = value * 10 + ((*text)[i] - '0');
    }
    *text += n;
    return n < 1 || n > 18 ? -1 : value;
}

int elevation_query_range(const char *header, int64_t size, int64_t *first, int64_t *last)
{
    static const char k_unit[] = "bytes=";
    if (strncmp(header, k_unit, sizeof k_unit - 1) != 0) {
        return 0;
    }
    const char *at = header + sizeof k_unit - 1;
    const int64_t from = read_digits(&at);
    if (from < 0 || *at++ != '-') {
        return 0;
    }
    const int64_t to = *at != '\0' ? read_digits(&at) : INT64_MAX;
    if (*at != '\0' || to < from) {
        return 0;
    }
    *first = from;
    *last = to < size ? to : size - 1;
    return from < size ? 1 : -1;
}

bool elevation_query_tagged(const char *header, const char *tag)
{
    const size_t n = strlen(tag);
    for (const char *at = header; *at != '\0';) {
        at += strspn(at, " \t,");
        if (*at == '*') {
            return true;
        }
        at += strncmp(at, "W/", 2) == 0 ? 2 : 0;
        if (*at != '"') {
            at += strcspn(at, ",");
            continue;
        }
        const size_t quoted = strcspn(++at, "\"");
        if (at[quoted] == '\0') {
            return false;
        }
        if (quoted == n && memcmp(at, tag, n) == 0) {
            return true;
        }
        at += quoted + 1;
    }
    return false;
}
