/* SPDX-License-Identifier: Apache-2.0 */
/* geoid fetch: what users write, for geoid_fetch_pack(). */
#include "tools/geoid/commands.h"
#include "tools/geoid/fetch.h"
#include "tools/geoid/folder.h"
#include "tools/geoid/offer.h"
#include "tools/geoid/options.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TIMEOUT_S     "30"
#define RETRIES       "4"
#define RETRY_DELAY_S "0.5"

/* Texts of the command line. */
struct given {
    const char *kind, *timeout, *retries, *retry_delay;
};

static bool complain(const char *text)
{
    (void)fprintf(stderr, "geoid fetch: %s\n", text);
    return false;
}

/* Path of "mayfly" in the user's folder of caches; NULL: HOME is not set. */
static const char *default_cache(char *path)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (base != NULL && *base == '/') {
        (void)snprintf(path, GEOID_PATH_MAX, "%s/mayfly", base);
    } else if (home != NULL && *home == '/') {
        (void)snprintf(path, GEOID_PATH_MAX, "%s/.cache", home);
        (void)mkdir(path, 0755);
        (void)snprintf(path, GEOID_PATH_MAX, "%s/.cache/mayfly", home);
    } else {
        return NULL;
    }
    return path;
}

static bool check(struct geoid_fetch *f, const struct given *g)
{
    char error[200];
    double retries = 0.0;
    uint8_t hash[MF_PACK_HASH];
    if (!geoid_number("--timeout", g->timeout, 0.1, 86400.0, &f->http.timeout_s) ||
        !geoid_number("--retries", g->retries, 0.0, 100.0, &retries) ||
        !geoid_number("--retry-delay", g->retry_delay, 0.0, 3600.0, &f->http.retry_delay_s)) {
        return false;
    }
    f->http.retries = (int)retries;
    if (!geoid_kind_find(g->kind, &f->kind)) {
        return complain("--kind must be geoid or terrain");
    }
    if (f->box_text != NULL && !geoid_box_parse(f->box_text, &f->box, error, sizeof error)) {
        return complain(error);
    }
    if (f->fingerprint != NULL && !geoid_hash_parse(f->fingerprint, hash)) {
        return complain("--fingerprint must be 64 hexadecimal digits");
    }
    if (f->http.header != NULL &&
        (strchr(f->http.header, ':') == NULL || strpbrk(f->http.header, "\r\n") != NULL)) {
        return complain("--header must be 'Name: value'");
    }
    return true;
}

int geoid_fetch(int argc, char **argv)
{
    char cache[GEOID_PATH_MAX], error[GEOID_FETCH_ERROR_MAX] = "";
    char box[GEOID_BOX_TEXT_MAX];
    struct given given = {
        .kind = "geoid", .timeout = TIMEOUT_S, .retries = RETRIES, .retry_delay = RETRY_DELAY_S};
    struct geoid_fetch f = {
        .models_path = GEOID_FETCH_MODELS_PATH,
        .model_path = GEOID_FETCH_MODEL_PATH,
        .raster_path = GEOID_FETCH_RASTER_PATH,
        .http = {.notes = stderr},
    };
    const struct geoid_option options[] = {
        {"--model", &f.model},
        {"--kind", &given.kind},
        {"--bbox", &f.box_text},
        {"--fingerprint", &f.fingerprint},
        {"--out", &f.out},
        {"--cache", &f.cache},
        {"--models-path", &f.models_path},
        {"--model-path", &f.model_path},
        {"--raster-path", &f.raster_path},
        {"--header", &f.http.header},
        {"--timeout", &given.timeout},
        {"--retries", &given.retries},
        {"--retry-delay", &given.retry_delay},
    };
    const int n = geoid_options(argc, argv, options, sizeof options / sizeof options[0]);
    if (n < 0 || !check(&f, &given)) {
        return GEOID_EXIT_USAGE;
    }
    if (n != 1) {
        (void)complain("the address of one elevation service, such as http://127.0.0.1:8089");
        return GEOID_EXIT_USAGE;
    }
    f.service = argv[0];
    if (f.box_text != NULL) { /* one way to write a box: one address for it */
        geoid_box_text(&f.box, box);
        f.box_text = box;
    }
    if (f.cache == NULL) {
        f.cache = default_cache(cache);
    } else if (strcmp(f.cache, "none") == 0) {
        f.cache = NULL;
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        (void)complain("cannot begin: libcurl");
        return GEOID_EXIT_FAILED;
    }
    const bool done = geoid_fetch_pack(&f, stdout, error);
    curl_global_cleanup();
    if (!done) {
        (void)complain(error);
    }
    return done ? EXIT_SUCCESS : GEOID_EXIT_FAILED;
}
