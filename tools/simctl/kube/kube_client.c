/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_client.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONNECT_MAX_MS 5000L
#define CALL_MAX_MS    30000L
#define IDLE_HANDLES   20u /* creations of one request, and some other calls */
#define ANSWER_MAX     (64u << 20)
#define TOKEN_MAX      8192u
#define TRIES          4u /* of a request that a busy server, or an old token, kept back */
#define BUSY_MAX_S     3L
#define STEP_MS        100 /* of waiting, so that an end is noticed */

struct simctl_kube {
    struct simctl_kube_settings settings;
    atomic_bool cancelled;
    pthread_mutex_t lock; /* of all below */
    CURL *idle[IDLE_HANDLES];
    unsigned idles;
    char token[TOKEN_MAX]; /* as it was read last */
};

/* State of a request under way. */
struct transfer {
    CURL *curl;
    struct simctl_kube *kube;
    struct timespec begun;  /* this attempt */
    bool late;              /* it had no answer in time */
    long max_ms;            /* time for an answer; 0: CALL_MAX_MS */
    simctl_kube_sink *sink; /* NULL: text is gathered */
    bool (*stop)(void *ctx);
    void *ctx;
    char *text; /* gathered; also what an error says */
    size_t len, cap;
    long status;
};

/* ---- tokens */

static void read_token(struct simctl_kube *k)
{
    char token[TOKEN_MAX];
    FILE *file = k->settings.token_file != NULL ? fopen(k->settings.token_file, "re") : NULL;
    if (file != NULL) {
        const size_t n = fread(token, 1, sizeof token - 1, file);
        token[n] = '\0';
        token[strcspn(token, "\r\n")] = '\0';
        if (token[0] != '\0') { /* a request with an empty token would always get 403 */
            memcpy(k->token, token, sizeof token);
        }
        memset(token, 0, sizeof token);
        (void)fclose(file);
    }
}

struct simctl_kube *simctl_kube_open(struct simctl_kube_settings *s)
{
    struct simctl_kube *k = calloc(1, sizeof *k);
    if (k == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(k);
        return NULL;
    }
    k->settings = *s;
    *s = (struct simctl_kube_settings){0};
    (void)pthread_mutex_init(&k->lock, NULL);
    (void)snprintf(k->token, sizeof k->token, "%s",
                   k->settings.token != NULL ? k->settings.token : "");
    read_token(k);
    return k;
}

void simctl_kube_close(struct simctl_kube *k)
{
    while (k->idles > 0) {
        curl_easy_cleanup(k->idle[--k->idles]);
    }
    (void)pthread_mutex_destroy(&k->lock);
    simctl_kube_settings_free(&k->settings);
    memset(k->token, 0, sizeof k->token);
    free(k);
}

void simctl_kube_cancel(struct simctl_kube *k)
{
    k->cancelled = true;
}

const char *simctl_kube_namespace(const struct simctl_kube *k)
{
    return k->settings.name_space;
}

/* ---- a transfer */

static bool keep_bytes(struct transfer *t, const char *bytes, size_t n)
{
    if (t->len + n >= t->cap) {
        const size_t cap = 2 * (t->len + n) + 256;
        char *more = cap <= ANSWER_MAX ? realloc(t->text, cap) : NULL;
        if (more == NULL) {
            return false;
        }
        t->text = more;
        t->cap = cap;
    }
    memcpy(t->text + t->len, bytes, n);
    t->len += n;
    t->text[t->len] = '\0';
    return true;
}

static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    long status = 0;
    (void)size;
    (void)curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    const bool good =
        t->sink != NULL && status == 200 ? t->sink(t->ctx, bytes, n) : keep_bytes(t, bytes, n);
    return good ? n : 0;
}

static long since_ms(const struct timespec *begun)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - begun->tv_sec) * 1000 + (now.tv_nsec - begun->tv_nsec) / 1000000;
}

static bool is_over(const struct transfer *t)
{
    return t->kube->cancelled || (t->stop != NULL && t->stop(t->ctx));
}

static long answer_max_ms(const struct transfer *t)
{
    return t->max_ms != 0 ? t->max_ms : CALL_MAX_MS;
}

static int check_transfer(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    struct transfer *t = ctx;
    long status = 0;
    (void)a, (void)b, (void)c, (void)d;
    (void)curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    t->late = status == 0 && since_ms(&t->begun) > answer_max_ms(t);
    return t->late || is_over(t);
}

static void set_pem(CURL *curl, CURLoption option, char *pem)
{
    if (pem != NULL) {
        struct curl_blob blob = {.data = pem, .len = strlen(pem), .flags = CURL_BLOB_NOCOPY};
        (void)curl_easy_setopt(curl, option, &blob);
    }
}

/* A handle keeps its connection, so the next request needs no handshake. */
static CURL *take_handle(struct simctl_kube *k)
{
    (void)pthread_mutex_lock(&k->lock);
    CURL *curl = k->idles > 0 ? k->idle[--k->idles] : NULL;
    (void)pthread_mutex_unlock(&k->lock);
    if (curl == NULL) {
        curl = curl_easy_init();
    } else {
        curl_easy_reset(curl);
    }
    return curl;
}

static void give_handle(struct simctl_kube *k, CURL *curl)
{
    (void)pthread_mutex_lock(&k->lock);
    if (k->idles < IDLE_HANDLES) {
        k->idle[k->idles++] = curl;
        curl = NULL;
    }
    (void)pthread_mutex_unlock(&k->lock);
    curl_easy_cleanup(curl);
}

static struct curl_slist *headers(struct simctl_kube *k, const char *method)
{
    char line[TOKEN_MAX + 32];
    const bool patch = strcmp(method, "PATCH") == 0;
    struct curl_slist *list =
        curl_slist_append(NULL, patch ? "Content-Type: application/merge-patch+json"
                                      : "Content-Type: application/json");
    list = curl_slist_append(list, "Expect:"); /* no round trip before a body */
    (void)pthread_mutex_lock(&k->lock);
    if (k->token[0] != '\0') {
        (void)snprintf(line, sizeof line, "Authorization: Bearer %s", k->token);
        list = curl_slist_append(list, line);
    }
    (void)pthread_mutex_unlock(&k->lock);
    return list;
}

static void set_options(struct simctl_kube *k, struct transfer *t, unsigned idle_s)
{
    CURL *curl = t->curl;
    set_pem(curl, CURLOPT_CAINFO_BLOB, k->settings.ca);
    set_pem(curl, CURLOPT_SSLCERT_BLOB, k->settings.certificate);
    set_pem(curl, CURLOPT_SSLKEY_BLOB, k->settings.key);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS);
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    (void)curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    (void)curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, check_transfer);
    (void)curl_easy_setopt(curl, CURLOPT_XFERINFODATA, t);
    if (t->stop != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
        (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)idle_s);
    } else {
        (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, answer_max_ms(t));
    }
}

/* Try a request once. @return seconds to wait before the next try; 0: at once; -1: done */
static long attempt(struct simctl_kube *k, struct transfer *t, const char *method, const char *url,
                    const char *body, unsigned idle_s, CURLcode *result)
{
    curl_off_t wait_s = 0;
    t->curl = take_handle(k);
    t->len = 0;
    t->late = false;
    (void)clock_gettime(CLOCK_MONOTONIC, &t->begun);
    if (t->curl == NULL) {
        *result = CURLE_OUT_OF_MEMORY;
        return -1;
    }
    struct curl_slist *list = headers(k, method);
    set_options(k, t, idle_s);
    (void)curl_easy_setopt(t->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(t->curl, CURLOPT_CUSTOMREQUEST, method);
    (void)curl_easy_setopt(t->curl, CURLOPT_HTTPHEADER, list);
    if (body != NULL) {
        (void)curl_easy_setopt(t->curl, CURLOPT_POSTFIELDS, body);
    }
    *result = curl_easy_perform(t->curl);
    (void)curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &t->status);
    (void)curl_easy_getinfo(t->curl, CURLINFO_RETRY_AFTER, &wait_s);
    curl_slist_free_all(list);
    give_handle(k, t->curl);
    if (*result == CURLE_OK && t->status == 401 && k->settings.token_file != NULL) {
        (void)pthread_mutex_lock(&k->lock);
        read_token(k);
        (void)pthread_mutex_unlock(&k->lock);
        return 0;
    }
    if (*result == CURLE_OK && t->status == 429) {
        return wait_s < 1 ? 1 : wait_s < BUSY_MAX_S ? (long)wait_s : BUSY_MAX_S;
    }
    return -1;
}

static void wait_s(const struct transfer *t, long s)
{
    for (long ms = 1000 * s; ms > 0 && !is_over(t); ms -= STEP_MS) {
        (void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
}

/* Repeat a request until it has an answer, or a retry is pointless. */
static CURLcode try_all(struct simctl_kube *k, struct transfer *t, const char *method,
                        const char *path, const char *body, unsigned idle_s)
{
    char url[SIMCTL_KUBE_PATH_MAX + 256];
    CURLcode result = CURLE_OK;
    bool tried_token = false;
    (void)snprintf(url, sizeof url, "%s%s", k->settings.server, path);
    for (unsigned n = 1;; n++) {
        const long pause_s = attempt(k, t, method, url, body, idle_s, &result);
        if (pause_s < 0 || (pause_s == 0 && tried_token) || n == TRIES) {
            return result;
        }
        tried_token = tried_token || pause_s == 0;
        wait_s(t, pause_s);
    }
}

static bool perform(struct simctl_kube *k, struct transfer *t, const char *method, const char *path,
                    const char *body, unsigned idle_s, struct web_error *error)
{
    t->kube = k;
    const CURLcode result = try_all(k, t, method, path, body, idle_s);
    if (result != CURLE_OK) {
        return web_refuse(error, 503, "kubernetes", "the API server at %.120s: %.100s",
                          k->settings.server,
                          t->late ? "Timeout was reached" : curl_easy_strerror(result));
    }
    if (t->status < 200 || t->status > 299) {
        json_t *said = t->text != NULL ? json_loadb(t->text, t->len, 0, NULL) : NULL;
        simctl_kube_refusal((unsigned)t->status, said, error);
        json_decref(said);
        return false;
    }
    return true;
}

/* ---- calls */

bool simctl_kube_call(struct simctl_kube *k, const char *method, const char *path,
                      const json_t *body, json_t **out, struct web_error *error)
{
    struct transfer t = {0};
    char *text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    bool good = perform(k, &t, method, path, text, 0, error);
    if (good && out != NULL) {
        *out = t.text != NULL ? json_loadb(t.text, t.len, 0, NULL) : NULL;
        if (!json_is_object(*out)) {
            json_decref(*out);
            *out = NULL;
            good = web_refuse(error, 502, "kubernetes",
                              "%.120s answers no JSON: is it an API server?", k->settings.server);
        }
    }
    free(text);
    free(t.text);
    return good;
}

bool simctl_kube_probe(struct simctl_kube *k, const char *path, long max_ms,
                       struct web_error *error)
{
    struct transfer t = {.max_ms = max_ms};
    const bool good = perform(k, &t, "GET", path, NULL, 0, error);
    free(t.text);
    return good;
}

bool simctl_kube_text(struct simctl_kube *k, const char *path, simctl_kube_sink *sink, void *ctx,
                      struct web_error *error)
{
    struct transfer t = {.sink = sink, .ctx = ctx};
    const bool good = perform(k, &t, "GET", path, NULL, 0, error);
    free(t.text);
    return good;
}

bool simctl_kube_stream(struct simctl_kube *k, const char *path, unsigned idle_s,
                        simctl_kube_sink *sink, bool (*stop)(void *ctx), void *ctx,
                        struct web_error *error)
{
    struct transfer t = {.sink = sink, .stop = stop, .ctx = ctx};
    const bool good = perform(k, &t, "GET", path, NULL, idle_s, error);
    free(t.text);
    return good;
}

/* ---- what a server says */

void simctl_kube_refusal(unsigned status, const json_t *body, struct web_error *error)
{
    const char *said = json_string_value(json_object_get(body, "message")),
               *reason = json_string_value(json_object_get(body, "reason")), *quota;
    const char *text = said != NULL ? said : "the API server gave no reason";
    if (status == 403 && (quota = strstr(text, "exceeded quota: ")) != NULL) {
        (void)web_refuse(error, 429, "quota", "%.230s", quota);
    } else if (status == 409) {
        const bool exists = reason != NULL && strcmp(reason, "AlreadyExists") == 0;
        (void)web_refuse(error, 409, exists ? "exists" : "conflict", "%.230s", text);
    } else if (status == 404 || status == 410) {
        (void)web_refuse(error, status, "unknown", "%.230s", text);
    } else if (status == 403 && (strstr(text, "violates PodSecurity") != NULL ||
                                 strstr(text, " usage per ") != NULL)) { /* of a LimitRange */
        (void)web_refuse(error, 422, "template", "%.230s", text);
    } else if (status == 401 || status == 403) {
        (void)web_refuse(error, 503, "kubernetes",
                         "the API server does not let the controller do this (%u): %.150s", status,
                         text);
    } else if (status == 400 || status == 422) {
        (void)web_refuse(error, 422, "template", "%.230s", text);
    } else if (status == 429) {
        (void)web_refuse(error, 429, "busy", "the API server is busy: %.180s", text);
    } else {
        (void)web_refuse(error, 503, "kubernetes", "the API server answers %u: %.180s", status,
                         text);
    }
}
