/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/client.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#define URL_MAX        2048u
#define CONNECT_MAX_MS 5000L
#define TOKEN_MAX      8192u

/* What came. */
struct answer {
    char *text;
    size_t len;
    FILE *to; /* NULL: text */
    CURL *curl;
};

static size_t take(char *bytes, size_t size, size_t n, void *ctx)
{
    struct answer *a = ctx;
    long status = 0;
    (void)size;
    (void)curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &status);
    if (a->to != NULL && status == 200) {
        return fwrite(bytes, 1, n, a->to);
    }
    char *more = realloc(a->text, a->len + n + 1);
    if (more == NULL) {
        return 0;
    }
    a->text = more;
    memcpy(a->text + a->len, bytes, n);
    a->len += n;
    a->text[a->len] = '\0';
    return n;
}

/* The controller's own words, if it said any. */
static void refuse(struct web_error *error, long status, const char *text)
{
    json_t *o = text != NULL ? json_loads(text, 0, NULL) : NULL;
    const char *said = json_string_value(json_object_get(o, "error"));
    (void)web_refuse(error, (unsigned)status, "controller", "%s",
                     said != NULL ? said : "the controller gave no reason");
    json_decref(o);
}

/* The token itself, or that of a file, which may be renewed while we run. @return false: there
 * is none */
static bool read_token(const char *token, char *text, struct web_error *error)
{
    FILE *file = strchr(token, '/') != NULL ? fopen(token, "re") : NULL;
    if (file != NULL) {
        const size_t n = fread(text, 1, TOKEN_MAX - 1, file);
        text[n] = '\0';
        (void)fclose(file);
    } else if (strchr(token, '/') != NULL) {
        return web_refuse(error, 422, "token", "%.180s cannot be read", token);
    } else {
        (void)snprintf(text, TOKEN_MAX, "%s", token);
    }
    text[strcspn(text, "\r\n")] = '\0';
    return true;
}

static bool request(const struct simctl_client *client, const char *method, const char *path,
                    const char *body, struct answer *a, struct web_error *error)
{
    char url[URL_MAX], token[TOKEN_MAX], header[TOKEN_MAX + 32];
    long status = 0;
    if (client->token != NULL && !read_token(client->token, token, error)) {
        return false;
    }
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    a->curl = curl_easy_init();
    (void)snprintf(url, sizeof url, "%s%s", client->url, path);
    if (client->token != NULL) {
        (void)snprintf(header, sizeof header, "Authorization: Bearer %s", token);
        headers = curl_slist_append(headers, header);
    }
    (void)curl_easy_setopt(a->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(a->curl, CURLOPT_CUSTOMREQUEST, method);
    (void)curl_easy_setopt(a->curl, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(a->curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS);
    (void)curl_easy_setopt(a->curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(a->curl, CURLOPT_WRITEFUNCTION, take);
    (void)curl_easy_setopt(a->curl, CURLOPT_WRITEDATA, a);
    if (client->ca != NULL) {
        (void)curl_easy_setopt(a->curl, CURLOPT_CAINFO, client->ca);
    }
    if (body != NULL) {
        (void)curl_easy_setopt(a->curl, CURLOPT_POSTFIELDS, body);
    }
    const CURLcode result = curl_easy_perform(a->curl);
    (void)curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(a->curl);
    curl_slist_free_all(headers);
    if (result != CURLE_OK) {
        return web_refuse(error, 503, "unreachable", "%.160s: %s; is 'simctl serve' running there?",
                          client->url, curl_easy_strerror(result));
    }
    if (status < 200 || status > 299) {
        refuse(error, status, a->text);
        return false;
    }
    return true;
}

json_t *simctl_request(const struct simctl_client *client, const char *method, const char *path,
                       json_t *body, struct web_error *error)
{
    struct answer a = {0};
    json_t *o = NULL;
    char *text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    json_decref(body);
    if (request(client, method, path, text, &a, error)) {
        o = a.text != NULL ? json_loads(a.text, 0, NULL) : NULL;
        if (o == NULL) {
            (void)web_refuse(error, 502, "controller",
                             "%.160s answers no JSON: is it a controller?", client->url);
        }
    }
    free(a.text);
    free(text);
    return o;
}

bool simctl_request_text(const struct simctl_client *client, const char *path, FILE *to,
                         struct web_error *error)
{
    struct answer a = {.to = to};
    const bool good = request(client, "GET", path, NULL, &a, error);
    free(a.text);
    return good;
}
