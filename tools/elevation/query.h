/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of clients (docs/elevation.md), from path and query. Pure functions. */
#ifndef MF_ELEVATION_QUERY_H
#define MF_ELEVATION_QUERY_H

#include "tools/geoid/box.h"
#include "tools/web/error.h"
#include "world/pack.h"

#define ELEVATION_NAME_MAX MF_PACK_MODEL /* of a model, with its end */

/* Routes: name, description; query.c matches their paths. */
#define ELEVATION_ROUTE_LIST(X)            \
    X(SERVICE, "/v1")                      \
    X(MODELS, "/v1/models")                \
    X(MODEL, "/v1/models/{model}")         \
    X(RASTER, "/v1/models/{model}/raster") \
    X(UNDULATION, "/v1/undulation")        \
    X(TERRAIN, "/v1/terrain")              \
    X(CONVERT, "/v1/convert")

enum elevation_route {
#define X(name, path) ELEVATION_##name,
    ELEVATION_ROUTE_LIST(X)
#undef X
        ELEVATION_ROUTES
};

/** A request. What was not given is zero. */
struct elevation_query {
    enum elevation_route route;
    uint32_t given; /**< bit of each parameter that was, enum of query.c */
    char model[ELEVATION_NAME_MAX];
    char from[ELEVATION_NAME_MAX], to[ELEVATION_NAME_MAX]; /**< vertical references */
    double lat_deg, lon_deg, height_m;
    enum mf_pack_interpolation interpolation;
    bool has_box;
    struct geoid_box box;
};

/**
 * @brief Find the route of a path, and the model in it.
 * @return false: not found, @p error says what
 */
bool elevation_query_path(struct elevation_query *query, const char *path, struct web_error *error);

/**
 * @brief Read a parameter, after the path. @param value  decoded; NULL as empty
 * @return false: not one of this route, repeated, or not an allowed value
 */
bool elevation_query_parameter(struct elevation_query *query, const char *name, const char *value,
                               struct web_error *error);

/** @brief Check the parameters, after the last one. @return false: a required one is missing */
bool elevation_query_end(const struct elevation_query *query, struct web_error *error);

/** @brief The value of a Range header: "bytes=N-" and "bytes=N-M" only, of a body of @p size bytes.
 *  @return 1: first and last byte are set; 0: of another form, to be ignored; -1: it begins behind
 *  the end */
int elevation_query_range(const char *header, int64_t size, int64_t *first, int64_t *last);

/** @brief Is a tag (without quotes) among those of an If-None-Match or If-Match header, or "*"? */
bool elevation_query_tagged(const char *header, const char *tag);

#endif
