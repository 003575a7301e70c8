/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/fetch.h"

#include "tools/geoid/folder.h"
#include "tools/geoid/offer.h"
#include "tools/geoid/pack_write.h"
#include "tools/geoid/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JSON_MAX INT64_C(8000000) /* bytes of a list */

/* State of a fetch. */
struct work {
    const struct geoid_fetch *fetch;
    struct geoid_offer offer;
    char tag[GEOID_HASH_TEXT]; /* fingerprint of the offer */
    char *error;
    uint8_t *pack; /* [size] */
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool fail(struct work *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(w->error, GEOID_FETCH_ERROR_MAX, format, args);
    va_end(args);
    return false;
}

/* ---- what the service has */

static bool expand(struct work *w, const char *pattern, char *url)
{
    const struct geoid_fetch *f = w->fetch;
    char edge[4][16];
    const int64_t e9[] = {f->box.south_e9, f->box.west_e9, f->box.north_e9, f->box.east_e9};
    for (size_t i = 0; i < 4; i++) {
        geoid_degrees_text(e9[i], edge[i]);
    }
    const bool box = f->box_text != NULL;
    const struct geoid_url_variable variables[] = {
        {"model", w->offer.model},      {"fingerprint", w->tag},
        {"bbox", f->box_text},          {"south", box ? edge[0] : NULL},
        {"west", box ? edge[1] : NULL}, {"north", box ? edge[2] : NULL},
        {"east", box ? edge[3] : NULL}, {NULL, NULL},
    };
    return geoid_url_expand(f->service, pattern, variables, url, w->error, GEOID_FETCH_ERROR_MAX);
}

/* A document of the service. @return NULL after an error */
static json_t *get_json(struct work *w, const char *pattern, char *url)
{
    json_error_t wrong;
    json_t *root = NULL;
    if (!expand(w, pattern, url)) {
        return NULL;
    }
    FILE *file = geoid_temporary(w->fetch->out);
    if (file == NULL) {
        (void)fail(w, "cannot write a temporary file, nor one in the folder of --out");
        return NULL;
    }
    const struct geoid_http_request request = {
        .url = url, .type = "application/json", .file = file, .size_max = JSON_MAX, .size = -1};
    if (geoid_http_get(&w->fetch->http, &request, w->error, GEOID_FETCH_ERROR_MAX)) {
        rewind(file);
        root = json_loadf(file, JSON_REJECT_DUPLICATES, &wrong);
        if (root == NULL) {
            (void)fail(w, "%.200s: no JSON: line %d: %.120s", url, wrong.line, wrong.text);
        }
    }
    (void)fclose(file);
    return root;
}

/* Find the wanted entry of the list. Other entries are not checked. */
static json_t *choose(struct work *w, json_t *models)
{
    const struct geoid_fetch *f = w->fetch;
    size_t i;
    json_t *entry;
    json_array_foreach(models, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "model"));
        const char *kind = json_string_value(json_object_get(entry, "kind"));
        const bool wanted = f->model != NULL
                                ? name != NULL && strcmp(name, f->model) == 0
                                : kind != NULL && strcmp(kind, geoid_kind_name(f->kind)) == 0;
        if (wanted) {
            return entry;
        }
    }
    return NULL;
}

/* Print the names of all models after a request for an unknown one. */
static bool fail_unknown(struct work *w, const char *url, json_t *models)
{
    char names[200] = "";
    size_t i;
    json_t *entry;
    json_array_foreach(models, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "model"));
        const size_t n = strlen(names);
        (void)snprintf(names + n, sizeof names - n, "%s%.40s", n > 0 ? ", " : "",
                       name != NULL ? name : "?");
    }
    return fail(w, "%.200s: the service has no %s%.40s; it has: %s", url,
                w->fetch->model != NULL ? "model " : "model of kind ",
                w->fetch->model != NULL ? w->fetch->model : geoid_kind_name(w->fetch->kind),
                names[0] != '\0' ? names : "none");
}

static bool read_offer(struct work *w, const char *url, json_t *json)
{
    char why[160];
    if (!geoid_offer_read(json, &w->offer, why, sizeof why)) {
        return fail(w, "%.200s: %s", url, why);
    }
    geoid_hash_text(geoid_offer_fingerprint(&w->offer, MF_PACK_AS_MADE), w->tag);
    return true;
}

static bool ask_list(struct work *w)
{
    char url[GEOID_URL_MAX];
    json_t *root = get_json(w, w->fetch->models_path, url);
    json_t *models = json_object_get(root, "models");
    bool done = false;
    if (root == NULL) {
        return false;
    }
    if (!json_is_array(models)) {
        (void)fail(w, "%.200s: there is no list \"models\" in it", url);
    } else {
        json_t *entry = choose(w, models);
        done = entry != NULL ? read_offer(w, url, entry) : fail_unknown(w, url, models);
    }
    json_decref(root);
    return done;
}

/* The part of the model that covers the box. */
static bool ask_part(struct work *w)
{
    char url[GEOID_URL_MAX], model[sizeof w->offer.model];
    memcpy(model, w->offer.model, sizeof model);
    json_t *root = get_json(w, w->fetch->model_path, url);
    bool done = root != NULL && read_offer(w, url, root);
    if (done && strcmp(w->offer.model, model) != 0) {
        done = fail(w, "%.200s: it describes %s instead of %s", url, w->offer.model, model);
    }
    struct geoid_crop crop;
    if (done && !geoid_box_crop(&w->offer.grid, &w->fetch->box, &crop)) {
        done = fail(w, "%.200s: what it offers does not hold the box %s", url, w->fetch->box_text);
    }
    json_decref(root);
    return done;
}

static bool ask_service(struct work *w)
{
    const struct geoid_fetch *f = w->fetch;
    if (!ask_list(w) || (f->box_text != NULL && !ask_part(w))) {
        return false;
    }
    if (f->fingerprint != NULL && strcasecmp(f->fingerprint, w->tag) != 0) {
        return fail(w, "the service's %s has the fingerprint %s, not %s", w->offer.model, w->tag,
                    f->fingerprint);
    }
    if (geoid_offer_is_large(&w->offer)) {
        return fail(w, "%s has too many nodes for one raster; ask for a --bbox", w->offer.model);
    }
    return true;
}

/* ---- packs */

/* Do bytes hold what is offered, whole and undamaged? */
static bool is_offered(const struct work *w, const uint8_t *bytes, size_t size)
{
    const struct geoid_offer *o = &w->offer;
    struct mf_pack pack;
    uint8_t hash[MF_PACK_HASH];
    return mf_pack_open(&pack, bytes, size) == MF_E_OK && pack.kind == o->kind &&
           pack.interpolation == o->interpolation &&
           strcmp(mf_pack_model(&pack), geoid_offer_pack_model(o)) == 0 &&
           memcmp(mf_pack_fingerprint(&pack, o->interpolation),
                  geoid_offer_fingerprint(o, MF_PACK_AS_MADE), MF_PACK_HASH) == 0 &&
           mf_pack_hash_grid(&pack, hash) && memcmp(hash, o->hash, MF_PACK_HASH) == 0;
}

/* The nodes of a downloaded raster. */
static bool read_nodes(struct work *w, FILE *file, struct mf_raster *raster)
{
    const double unit_m = w->offer.quantum_um / 1e6;
    const size_t n = (size_t)raster->rows * raster->columns;
    uint8_t b[4];
    rewind(file);
    for (size_t i = 0; i < n; i++) {
        if (fread(b, 1, sizeof b, file) != sizeof b) {
            return fail(w, "what was downloaded cannot be read");
        }
        const int32_t node = (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                                       (uint32_t)b[3] << 24);
        raster->node_m[i] = node == MF_PACK_VOID ? (double)NAN : node * unit_m;
    }
    return true;
}

/* A raster without its nodes. */
static bool begin_raster(struct work *w, struct mf_raster *raster)
{
    const struct geoid_offer *o = &w->offer;
    *raster = (struct mf_raster){
        .rows = o->grid.rows,
        .columns = o->grid.columns,
        .north_e9 = o->grid.north_e9,
        .west_e9 = o->grid.west_e9,
        .lat_num = o->grid.lat_num,
        .lat_den = o->grid.lat_den,
        .lon_num = o->grid.lon_num,
        .lon_den = o->grid.lon_den,
        .wraps = o->grid.wraps,
    };
    (void)snprintf(raster->model, sizeof raster->model, "%s", geoid_offer_pack_model(o));
    memcpy(raster->frame, o->frame, sizeof o->frame);
    memcpy(raster->epoch, o->epoch, sizeof o->epoch);
    memcpy(raster->source_sha256, o->source, sizeof o->source);
    return mf_raster_alloc(raster) || fail(w, "not enough memory for %s", o->model);
}

static bool check_pack(struct work *w)
{
    struct mf_pack pack;
    char is[GEOID_HASH_TEXT], wanted[GEOID_HASH_TEXT];
    if (mf_pack_open(&pack, w->pack, w->size) != MF_E_OK) {
        return fail(w, "the pack that was made cannot be opened");
    }
    if (memcmp(mf_pack_grid(&pack), w->offer.hash, MF_PACK_HASH) != 0) {
        geoid_hash_text(mf_pack_grid(&pack), is);
        geoid_hash_text(w->offer.hash, wanted);
        return fail(w, "%s: what came has the grid hash %s, not %s as the service says",
                    w->offer.model, is, wanted);
    }
    if (!is_offered(w, w->pack, w->size)) {
        geoid_hash_text(mf_pack_fingerprint(&pack, w->offer.interpolation), is);
        return fail(w, "%s: what came has the fingerprint %s, not %s as the service says",
                    w->offer.model, is, w->tag);
    }
    return true;
}

/* A pack of what was downloaded. */
static bool make_pack(struct work *w, FILE *file)
{
    struct mf_raster raster;
    const struct mf_pack_plan plan = {.kind = w->offer.kind,
                                      .interpolation = w->offer.interpolation,
                                      .quantum_um = w->offer.quantum_um};
    if (!begin_raster(w, &raster)) {
        return false;
    }
    char why[200];
    bool done = read_nodes(w, file, &raster);
    if (done && !mf_pack_make(&raster, &plan, &w->pack, &w->size, why, sizeof why)) {
        done = fail(w, "%s: %s", w->offer.model, why);
    }
    mf_raster_free(&raster);
    if (done && !check_pack(w)) {
        free(w->pack);
        w->pack = NULL;
        done = false;
    }
    return done;
}

/* Download what is missing in a file, and make a pack of it. */
static bool download(struct work *w, FILE *file)
{
    char url[GEOID_URL_MAX];
    if (!expand(w, w->fetch->raster_path, url)) {
        return false;
    }
    const struct geoid_http_request request = {
        .url = url,
        .type = "application/octet-stream",
        .file = file,
        .tag = w->tag,
        .size_max = geoid_offer_bytes(&w->offer),
        .size = geoid_offer_bytes(&w->offer),
    };
    return geoid_http_get(&w->fetch->http, &request, w->error, GEOID_FETCH_ERROR_MAX);
}

/* @param complete  out: all bytes came; right or wrong, they are of no more use */
static bool try_part(struct work *w, struct geoid_part *part, bool *complete)
{
    *complete = download(w, part->file);
    const bool done = *complete && make_pack(w, part->file);
    if (*complete) {
        geoid_part_clear(part);
    }
    return done;
}

static bool obtain(struct work *w)
{
    struct geoid_part part;
    bool complete = false;
    if (!geoid_part_open(&part, w->fetch->cache, w->tag, w->fetch->out)) {
        return fail(w, "cannot write to a temporary file");
    }
    const bool resumed = part.size > 0; /* if it is wrong, it may have been so since then */
    const bool done =
        try_part(w, &part, &complete) || (complete && resumed && try_part(w, &part, &complete));
    geoid_part_close(&part, !complete);
    return done;
}

/* ---- a whole pack: from the cache, else by download */

static bool read_cache(struct work *w, const char *path)
{
    if (!geoid_file_read(path, &w->pack, &w->size)) {
        return false;
    }
    if (!is_offered(w, w->pack, w->size)) {
        free(w->pack);
        w->pack = NULL;
        return false;
    }
    return true;
}

/* Store the pack in the cache. A failure does not matter now: the pack is used anyway. */
static void keep_in_cache(struct work *w, const char *path)
{
    char why[GEOID_FILE_ERROR];
    if (w->pack != NULL && path[0] != '\0' && !geoid_file_write(path, w->pack, w->size, why) &&
        w->fetch->http.notes != NULL) {
        (void)fprintf(w->fetch->http.notes, "geoid: %s\n", why);
    }
}

bool geoid_fetch_pack(const struct geoid_fetch *fetch, FILE *report, char *error)
{
    struct work w = {.fetch = fetch, .error = error};
    char cached[GEOID_PATH_MAX] = "", out[GEOID_PATH_MAX];
    const char *how = "up to date";
    if (!ask_service(&w)) {
        return false;
    }
    (void)snprintf(out, sizeof out, "%s%s", fetch->out != NULL ? fetch->out : w.offer.model,
                   fetch->out != NULL ? "" : ".pack");
    if (fetch->cache != NULL) {
        (void)snprintf(cached, sizeof cached, "%s/%s.pack", fetch->cache, w.tag);
    }
    bool done = read_cache(&w, out);
    if (!done) {
        how = "from the cache";
        done = cached[0] != '\0' && read_cache(&w, cached);
        if (!done) {
            how = "downloaded";
            done = obtain(&w);
            keep_in_cache(&w, cached);
        }
        done = done && geoid_file_write(out, w.pack, w.size, error);
    }
    if (done) {
        (void)fprintf(report, "%s: %s %s, %s, frame %s, epoch %s, fingerprint %s, %zu bytes, %s\n",
                      out, geoid_kind_name(w.offer.kind), w.offer.model,
                      geoid_how_name(w.offer.interpolation), w.offer.frame, w.offer.epoch, w.tag,
                      w.size, how);
    }
    free(w.pack);
    return done;
}
