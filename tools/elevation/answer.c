/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/answer.h"

#include <stdlib.h>
#include <string.h>

#define CONTRACT_VERSION 1

/* JSON numbers: enough digits for a tenth of a nanometre. */
#define DIGITS 14

/* State of a request. */
struct work {
    struct elevation_library *library;
    const struct elevation_query *query;
    struct elevation_answer *answer;
    struct web_error error;
    struct mf_pack_cache cache;
};

/* ---- writing */

/* Set an answer's text. NULL, out of memory, ends the connection. */
static void write_json(struct elevation_answer *answer, unsigned status, json_t *json)
{
    answer->status = status;
    answer->text =
        json != NULL ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS)) : NULL;
    json_decref(json);
}

void elevation_answer_error(const struct web_error *error, struct elevation_answer *answer)
{
    *answer = (struct elevation_answer){0};
    json_t *message = json_string(error->message);
    if (message ==
        NULL) { /* the request is not UTF-8, so a text that quotes it would not be, either */
        message = json_string("the request is not UTF-8");
    }
    write_json(answer, error->status,
               json_pack("{s:{s:i, s:s, s:o}}", "error", "status", (int)error->status, "code",
                         error->code, "message", message));
}

static void tag(struct elevation_answer *answer, const uint8_t *fingerprint)
{
    geoid_hash_text(fingerprint, answer->tag);
}

/* ---- what there is */

static void answer_service(struct work *w)
{
    json_t *paths = json_array();
#define X(name, path) (void)json_array_append_new(paths, json_string(path));
    ELEVATION_ROUTE_LIST(X)
#undef X
    write_json(w->answer, 200,
               json_pack("{s:s, s:i, s:o}", "service", "elevation", "version", CONTRACT_VERSION,
                         "paths", paths));
}

static void answer_models(struct work *w)
{
    json_t *models = json_array();
    for (size_t i = 0; i < w->library->count; i++) {
        (void)json_array_append_new(models, geoid_offer_json(&w->library->offer[i]));
    }
    write_json(w->answer, 200,
               json_pack("{s:i, s:o}", "version", CONTRACT_VERSION, "models", models));
}

/* The number of a model; -1 after an error. */
static int find_model(struct work *w, const char *name)
{
    const int model = elevation_library_find(w->library, name);
    if (model < 0) {
        (void)web_refuse(&w->error, 404, "unknown_model", "no model '%s'; /v1/models lists them",
                         name);
    }
    return model;
}

static bool refuse_large(struct work *w)
{
    return web_refuse(&w->error, 413, "too_large",
                      "a raster has %u nodes at most; ask for a smaller box",
                      GEOID_OFFER_NODES_MAX);
}

/* The grid, or its part, that a path and a box name. */
static bool find_part(struct work *w, struct elevation_part *part)
{
    const int model = find_model(w, w->query->model);
    if (model < 0) {
        return false;
    }
    switch (elevation_library_part(w->library, (size_t)model,
                                   w->query->has_box ? &w->query->box : NULL, part)) {
    case ELEVATION_FOUND:
        return true;
    case ELEVATION_OUTSIDE:
        return web_refuse(&w->error, 404, "outside", "the box is not within the bounds of '%s'",
                          w->query->model);
    case ELEVATION_LARGE:
        return refuse_large(w);
    case ELEVATION_DAMAGED:
        break;
    }
    return web_refuse(&w->error, 500, "damaged", "the pack of '%s' is damaged", w->query->model);
}

static void answer_model(struct work *w)
{
    struct elevation_part part;
    if (find_part(w, &part)) {
        tag(w->answer, geoid_offer_fingerprint(&part.offer, MF_PACK_AS_MADE));
        write_json(w->answer, 200, geoid_offer_json(&part.offer));
    }
}

static void answer_raster(struct work *w)
{
    if (!find_part(w, &w->answer->part)) {
        return;
    }
    if (geoid_offer_is_large(&w->answer->part.offer)) {
        (void)refuse_large(w);
    } else {
        w->answer->status = 200;
        tag(w->answer, geoid_offer_fingerprint(&w->answer->part.offer, MF_PACK_AS_MADE));
    }
}

/* ---- values */

/* Interpolation of a model's values: the requested one, if the model allows it. */
static enum mf_pack_interpolation how_of(const struct work *w, size_t model)
{
    return w->query->interpolation != MF_PACK_AS_MADE ? w->query->interpolation
                                                      : w->library->offer[model].interpolation;
}

/* Read the value of one model here. @return MF_E_RANGE without an error: outside the model */
static int value_of(struct work *w, size_t model, double *value_m)
{
    const int result = mf_pack_at(&w->library->pack[model], &w->cache, how_of(w, model),
                                  w->query->lat_deg, w->query->lon_deg, value_m);
    if (result != MF_E_OK && result != MF_E_RANGE) {
        (void)web_refuse(&w->error, 500, "damaged", "the pack of '%s' is damaged",
                         w->library->offer[model].model);
    }
    return result;
}

/* The named model, if it has a value here. @return -1 after an error */
static int serve_named(struct work *w, enum mf_pack_kind kind, const char *name, double *value_m)
{
    const int model = find_model(w, name);
    if (model < 0) {
        return -1;
    }
    if (w->library->offer[model].kind != kind) {
        (void)web_refuse(&w->error, 404, "wrong_kind", "'%s' is not of kind %s", name,
                         geoid_kind_name(kind));
    } else if (value_of(w, (size_t)model, value_m) == MF_E_OK) {
        return model;
    }
    (void)web_refuse(&w->error, 404, "outside", "'%s' has no value at this place", name);
    return -1;
}

/* The first model of a kind with a value here. @return -1 after an error */
static int serve_first(struct work *w, enum mf_pack_kind kind, double *value_m)
{
    bool any = false;
    for (size_t i = 0; i < w->library->count && w->error.status == 0; i++) {
        if (w->library->offer[i].kind == kind) {
            any = true;
            if (value_of(w, i, value_m) == MF_E_OK) {
                return (int)i;
            }
        }
    }
    if (!any) {
        (void)web_refuse(&w->error, 404, kind == MF_PACK_TERRAIN ? "no_terrain" : "no_geoid",
                         "this service has no model of kind %s", geoid_kind_name(kind));
    }
    (void)web_refuse(&w->error, 404, "outside", "no model of kind %s has a value here",
                     geoid_kind_name(kind));
    return -1;
}

/* @param name  empty: the first one that has a value */
static int serve_value(struct work *w, enum mf_pack_kind kind, const char *name, double *value_m)
{
    return *name != '\0' ? serve_named(w, kind, name, value_m) : serve_first(w, kind, value_m);
}

/* JSON of the model that served a value. */
static json_t *served_by(const struct work *w, size_t model)
{
    char text[GEOID_HASH_TEXT];
    const struct geoid_offer *offer = &w->library->offer[model];
    const enum mf_pack_interpolation how = how_of(w, model);
    geoid_hash_text(geoid_offer_fingerprint(offer, how), text);
    return json_pack("{s:f, s:f, s:s, s:s, s:s}", "lat", w->query->lat_deg, "lon",
                     w->query->lon_deg, "model", offer->model, "interpolation", geoid_how_name(how),
                     "fingerprint", text);
}

static void answer_value(struct work *w, enum mf_pack_kind kind, const char *key)
{
    double value_m = 0.0;
    const int model = serve_value(w, kind, w->query->model, &value_m);
    if (model < 0) {
        return;
    }
    json_t *json = served_by(w, (size_t)model);
    if (json != NULL) {
        (void)json_object_set_new(json, key, json_real(value_m));
    }
    tag(w->answer, geoid_offer_fingerprint(&w->library->offer[model], how_of(w, (size_t)model)));
    write_json(w->answer, 200, json);
}

static void answer_undulation(struct work *w)
{
    answer_value(w, MF_PACK_GEOID, "undulation");
}

static void answer_terrain(struct work *w)
{
    answer_value(w, MF_PACK_TERRAIN, "height");
}

/* ---- conversion */

/* The geoid that the heights of a terrain are above: of "navd88+egm96" the first with a value.
 * @return false after an error */
static bool add_geoid_below(struct work *w, size_t terrain, json_t *models, double *above_m)
{
    const char *above = w->library->offer[terrain].above;
    for (const char *at = above; w->error.status == 0; at++) {
        char name[MF_PACK_MODEL];
        const size_t n = strcspn(at, "+");
        (void)snprintf(name, sizeof name, "%.*s", (int)n, at);
        if (strcmp(name, "none") == 0) { /* above the ellipsoid */
            return true;
        }
        const int geoid = elevation_library_find(w->library, name);
        double undulation_m;
        if (geoid >= 0 && value_of(w, (size_t)geoid, &undulation_m) == MF_E_OK) {
            (void)json_array_append_new(models, served_by(w, (size_t)geoid));
            *above_m += undulation_m;
            return true;
        }
        at += n;
        if (*at == '\0') {
            return web_refuse(&w->error, 404, "no_geoid",
                              "the heights of '%s' are above %s, which this service does not have "
                              "here",
                              w->library->offer[terrain].model, above);
        }
    }
    return false;
}

/* Height of the zero of a vertical reference above the ellipsoid. Adds the models that served it.
 */
static bool zero_of(struct work *w, const char *reference, json_t *models, double *above_m)
{
    *above_m = 0.0;
    if (strcmp(reference, "ellipsoid") == 0) {
        return true;
    }
    double undulation_m = 0.0;
    if (strcmp(reference, "ground") == 0) {
        const int terrain = serve_value(w, MF_PACK_TERRAIN, "", above_m);
        if (terrain < 0) {
            return false;
        }
        (void)json_array_append_new(models, served_by(w, (size_t)terrain));
        return add_geoid_below(w, (size_t)terrain, models, above_m);
    }
    const int geoid = serve_named(w, MF_PACK_GEOID, reference, &undulation_m);
    if (geoid < 0) {
        return false;
    }
    (void)json_array_append_new(models, served_by(w, (size_t)geoid));
    *above_m = undulation_m;
    return true;
}

static void answer_convert(struct work *w)
{
    const struct elevation_query *q = w->query;
    double from_m = 0.0, to_m = 0.0;
    json_t *models = json_array();
    if (zero_of(w, q->from, models, &from_m) && zero_of(w, q->to, models, &to_m)) {
        write_json(w->answer, 200,
                   json_pack("{s:f, s:f, s:s, s:f, s:s, s:f, s:O}", "lat", q->lat_deg, "lon",
                             q->lon_deg, "from", q->from, "height", q->height_m, "to", q->to,
                             "result", q->height_m + from_m - to_m, "models", models));
    }
    json_decref(models);
}

void elevation_answer(struct elevation_library *library, const struct elevation_query *query,
                      struct elevation_answer *answer)
{
    static void (*const k_answer[ELEVATION_ROUTES])(struct work *) = {
        [ELEVATION_SERVICE] = answer_service,       [ELEVATION_MODELS] = answer_models,
        [ELEVATION_MODEL] = answer_model,           [ELEVATION_RASTER] = answer_raster,
        [ELEVATION_UNDULATION] = answer_undulation, [ELEVATION_TERRAIN] = answer_terrain,
        [ELEVATION_CONVERT] = answer_convert,
    };
    struct work w = {.library = library, .query = query, .answer = answer};
    *answer = (struct elevation_answer){0};
    k_answer[query->route](&w);
    if (w.error.status != 0) {
        elevation_answer_error(&w.error, answer);
    }
}
