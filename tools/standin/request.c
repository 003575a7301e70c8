/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/request.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MAX   65536u
#define TIMEOUT_S    10L
#define TOGETHER_MAX 50u /* reports of one request */

struct text {
    char bytes[ANSWER_MAX];
    size_t n;
};

static size_t take_bytes(char *data, size_t size, size_t n, void *ctx)
{
    struct text *t = ctx;
    if (size * n > sizeof t->bytes - t->n) {
        return 0;
    }
    memcpy(t->bytes + t->n, data, size * n);
    t->n += size * n;
    return size * n;
}

static bool path_of(const char *folder, const char *name, char out[STANDIN_URL_MAX])
{
    return (size_t)snprintf(out, STANDIN_URL_MAX, "%s/%s", folder, name) < STANDIN_URL_MAX;
}

bool standin_service_open(struct standin_service *s, const char *url, const char *folder)
{
    memset(s, 0, sizeof *s);
    s->curl = curl_easy_init();
    return s->curl != NULL && (size_t)snprintf(s->url, sizeof s->url, "%s", url) < sizeof s->url &&
           (folder == NULL ||
            (path_of(folder, "tls.crt", s->certificate) && path_of(folder, "tls.key", s->key) &&
             path_of(folder, "ca.crt", s->authority)));
}

/* @return false: s->error says why */
static bool perform(struct standin_service *s, const char *path, const char *body, struct text *got)
{
    char url[2 * STANDIN_URL_MAX], why[CURL_ERROR_SIZE] = "";
    long status = 0;
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    (void)snprintf(url, sizeof url, "%s%s", s->url, path);
    curl_easy_reset(s->curl);
    (void)curl_easy_setopt(s->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(s->curl, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(s->curl, CURLOPT_TIMEOUT, TIMEOUT_S);
    (void)curl_easy_setopt(s->curl, CURLOPT_ERRORBUFFER, why);
    (void)curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    (void)curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, got);
    if (s->certificate[0] != '\0') {
        (void)curl_easy_setopt(s->curl, CURLOPT_SSLCERT, s->certificate);
        (void)curl_easy_setopt(s->curl, CURLOPT_SSLKEY, s->key);
        (void)curl_easy_setopt(s->curl, CURLOPT_CAINFO, s->authority);
    }
    if (body != NULL) {
        (void)curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, body);
    }
    const CURLcode code = curl_easy_perform(s->curl);
    (void)curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    if (code != CURLE_OK || status != 200) {
        (void)snprintf(s->error, sizeof s->error, "%.200s%.60s: %.220s", s->url, path,
                       code != CURLE_OK ? (why[0] != '\0' ? why : curl_easy_strerror(code))
                                        : "refused");
        return false;
    }
    return true;
}

json_t *standin_service_ask(struct standin_service *s, const char *path, const json_t *body)
{
    struct text *got = calloc(1, sizeof *got);
    char *text = body != NULL ? json_dumps(body, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_t *answer = NULL;
    if (got != NULL && (body == NULL || text != NULL) && perform(s, path, text, got)) {
        answer = json_loadb(got->bytes, got->n, 0, NULL);
        if (answer == NULL) {
            (void)snprintf(s->error, sizeof s->error, "%.200s: the answer is not JSON", s->url);
        }
    }
    free(text);
    free(got);
    return answer;
}

void standin_service_close(struct standin_service *s)
{
    curl_easy_cleanup(s->curl);
    s->curl = NULL;
}

bool standin_reporter_flush(struct standin_reporter *r)
{
    if (r->failed) {
        return false;
    }
    json_t *body = json_pack("{s:O}", "reports", r->list);
    json_t *answer = standin_service_ask(r->service, "/v1/reports", body);
    r->failed = answer == NULL;
    r->sent += answer != NULL ? json_array_size(r->list) : 0;
    (void)json_array_clear(r->list);
    json_decref(answer);
    json_decref(body);
    return !r->failed;
}

void standin_reporter_note(struct standin_reporter *r, const struct fly_message *message)
{
    const struct mf_msg_gps_raw_int *gps = &message->m.gps_raw_int;
    if (message->info->id != MF_MSG_GPS_RAW_INT || r->failed) {
        return;
    }
    (void)json_array_append_new(r->list, json_pack("{s:I, s:f, s:f, s:f}", "time_us",
                                                   (json_int_t)gps->time_usec, "lat_deg",
                                                   gps->lat * 1e-7, "lon_deg", gps->lon * 1e-7,
                                                   "alt_wgs84_m", gps->alt_ellipsoid * 1e-3));
    if (json_array_size(r->list) >= TOGETHER_MAX) {
        (void)standin_reporter_flush(r);
    }
}
