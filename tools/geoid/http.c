/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define REDIRECTIONS_MAX  5L
#define DELAY_MAX_S       30.0
#define RETRY_AFTER_MAX_S 60.0
#define SLOW_BYTES_S      1000L /* a transfer that stays below this for the timeout has failed */
#define COMPLAINT_MAX     2048u /* of the body of an error */

/* State of an attempt. */
struct attempt {
    const struct geoid_http_request *request;
    CURL *curl;
    int64_t offset;     /* offset of the first requested byte */
    int64_t range_from; /* of the first byte that came with 206; -1 */
    int64_t n;          /* in the file */
    bool begun;
    char complaint[COMPLAINT_MAX];
    size_t complaint_n;
    char why[160]; /* reason for giving up; empty: going on */
};

enum verdict { DONE, AGAIN, HOPELESS };

static long status_of(const struct attempt *a)
{
    long status = 0;
    (void)curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* Check that the content type is the requested one. */
static bool check_type(struct attempt *a)
{
    const char *type = NULL;
    const char *wanted = a->request->type;
    (void)curl_easy_getinfo(a->curl, CURLINFO_CONTENT_TYPE, &type);
    type = type != NULL ? type : "(none)";
    const size_t n = strcspn(type, "; ");
    if (n != strlen(wanted) || strncasecmp(type, wanted, n) != 0) {
        (void)snprintf(a->why, sizeof a->why, "content type %.60s instead of %s", type, wanted);
        return false;
    }
    return true;
}

/* The first bytes of a body with 200 or 206. */
static bool begin(struct attempt *a, long status)
{
    a->begun = true;
    if (!check_type(a)) {
        return false;
    }
    if (status == 206 && a->range_from != a->offset) {
        (void)snprintf(a->why, sizeof a->why, "its part begins at byte %lld instead of %lld",
                       (long long)a->range_from, (long long)a->offset);
        return false;
    }
    a->n = status == 206 ? a->offset : 0;
    if (fflush(a->request->file) != 0 || ftruncate(fileno(a->request->file), (off_t)a->n) != 0 ||
        fseeko(a->request->file, (off_t)a->n, SEEK_SET) != 0) {
        (void)snprintf(a->why, sizeof a->why, "cannot write: %s", strerror(errno));
        return false;
    }
    return true;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct attempt *a = ctx;
    const size_t n = size * count;
    const long status = status_of(a);
    if (status != 200 && status != 206) {
        const size_t room = sizeof a->complaint - 1 - a->complaint_n;
        const size_t more = n < room ? n : room;
        memcpy(a->complaint + a->complaint_n, bytes, more);
        a->complaint_n += more;
        a->complaint[a->complaint_n] = '\0';
        return more == n ? n : 0;
    }
    if (!a->begun && !begin(a, status)) {
        return 0;
    }
    const int64_t limit = a->request->size >= 0 ? a->request->size : a->request->size_max;
    if ((int64_t)n > limit - a->n) {
        (void)snprintf(a->why, sizeof a->why, "longer than %lld bytes", (long long)limit);
        return 0;
    }
    if (fwrite(bytes, 1, n, a->request->file) != n) {
        (void)snprintf(a->why, sizeof a->why, "cannot write: %s", strerror(errno));
        return 0;
    }
    a->n += (int64_t)n;
    return n;
}

static size_t take_header(char *line, size_t size, size_t count, void *ctx)
{
    static const char k_range[] = "content-range: bytes ";
    struct attempt *a = ctx;
    const size_t n = size * count;
    if (n > 5 && strncasecmp(line, "http/", 5) == 0) {
        a->range_from = -1; /* a redirection's headers are not the answer's */
    } else if (n > sizeof k_range && strncasecmp(line, k_range, sizeof k_range - 1) == 0) {
        a->range_from = 0;
        for (const char *at = line + sizeof k_range - 1;
             at < line + n && *at >= '0' && *at <= '9' && a->range_from < INT64_MAX / 16; at++) {
            a->range_from = a->range_from * 10 + (*at - '0');
        }
    }
    return n;
}

static struct curl_slist *headers_of(const struct geoid_http *http, const struct attempt *a)
{
    struct curl_slist *list = NULL;
    char line[160];
    if (http->header != NULL) {
        list = curl_slist_append(list, http->header);
    }
    if (a->offset > 0) {
        (void)snprintf(line, sizeof line, "If-Range: \"%s\"", a->request->tag);
        list = curl_slist_append(list, line);
    }
    (void)snprintf(line, sizeof line, "Accept: %s", a->request->type);
    return curl_slist_append(list, line);
}

static void set_up(const struct geoid_http *http, struct attempt *a, struct curl_slist *headers,
                   char *text)
{
    CURL *curl = a->curl;
    char range[32];
    (void)curl_easy_setopt(curl, CURLOPT_URL, a->request->url);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_MAXREDIRS, REDIRECTIONS_MAX);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)(http->timeout_s * 1e3));
    (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, SLOW_BYTES_S);
    (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)(http->timeout_s + 0.999));
    (void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "mayfly-geoid/1");
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, a);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, a);
    (void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
    if (a->offset > 0) {
        (void)snprintf(range, sizeof range, "%lld-", (long long)a->offset);
        (void)curl_easy_setopt(curl, CURLOPT_RANGE, range);
    }
}

/* ---- what became of it */

static bool may_pass(CURLcode code)
{
    static const CURLcode k_passing[] = {
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE,
        CURLE_OPERATION_TIMEDOUT,   CURLE_GOT_NOTHING,     CURLE_SEND_ERROR,
        CURLE_RECV_ERROR,           CURLE_HTTP2_STREAM,
    };
    for (size_t i = 0; i < sizeof k_passing / sizeof k_passing[0]; i++) {
        if (code == k_passing[i]) {
            return true;
        }
    }
    return false;
}

/* Add the service's own error text, if its answer has the form of docs/elevation.md. */
static void add_complaint(const struct attempt *a, char *error, size_t error_size)
{
    const char *message = NULL;
    json_t *root = json_loadb(a->complaint, a->complaint_n, 0, NULL);
    if (root != NULL && json_unpack(root, "{s:{s:s}}", "error", "message", &message) == 0) {
        const size_t n = strlen(error);
        (void)snprintf(error + n, error_size - n, ": %.200s", message);
    }
    json_decref(root);
}

static enum verdict judge_status(struct attempt *a, char *error, size_t error_size)
{
    const long status = status_of(a);
    if (status == 416 && a->offset > 0) { /* what we have is not the beginning of what it has */
        (void)snprintf(error, error_size, "HTTP status 416");
        rewind(a->request->file);
        return ftruncate(fileno(a->request->file), 0) == 0 ? AGAIN : HOPELESS;
    }
    if (status != 200 && status != 206) {
        (void)snprintf(error, error_size, "HTTP status %ld", status);
        add_complaint(a, error, error_size);
        const bool passing = status == 408 || status == 429 || (status >= 500 && status != 501);
        return passing ? AGAIN : HOPELESS;
    }
    if (!a->begun && !begin(a, status)) { /* an empty body */
        (void)snprintf(error, error_size, "%s", a->why);
        return HOPELESS;
    }
    if (a->request->size >= 0 && a->n != a->request->size) {
        (void)snprintf(error, error_size, "%lld bytes instead of %lld", (long long)a->n,
                       (long long)a->request->size);
        return AGAIN;
    }
    return DONE;
}

static enum verdict judge_attempt(struct attempt *a, CURLcode code, const char *text, char *error,
                                  size_t error_size)
{
    if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && a->complaint_n > 0)) {
        return judge_status(a, error, error_size);
    }
    if (a->why[0] != '\0') {
        (void)snprintf(error, error_size, "%s", a->why);
        return HOPELESS;
    }
    (void)snprintf(error, error_size, "%s", text[0] != '\0' ? text : curl_easy_strerror(code));
    return may_pass(code) ? AGAIN : HOPELESS;
}

/* @param wait_s  out: how long the service asks to wait */
static enum verdict attempt(const struct geoid_http *http, const struct geoid_http_request *request,
                            double *wait_s, char *error, size_t error_size)
{
    struct attempt a = {.request = request, .curl = curl_easy_init(), .range_from = -1};
    char text[CURL_ERROR_SIZE] = "";
    curl_off_t after_s = 0;
    if (a.curl == NULL || fseeko(request->file, 0, SEEK_END) != 0) {
        (void)snprintf(error, error_size, "cannot begin a download");
        curl_easy_cleanup(a.curl);
        return HOPELESS;
    }
    a.offset = request->tag != NULL ? (int64_t)ftello(request->file) : 0;
    if (a.offset >= request->size && request->size >= 0) {
        a.offset = 0; /* complete, and yet it was not good */
    }
    struct curl_slist *headers = headers_of(http, &a);
    set_up(http, &a, headers, text);
    const CURLcode code = curl_easy_perform(a.curl);
    enum verdict verdict = judge_attempt(&a, code, text, error, error_size);
    (void)curl_easy_getinfo(a.curl, CURLINFO_RETRY_AFTER, &after_s);
    *wait_s = after_s > 0 ? (double)after_s : 0.0;
    curl_slist_free_all(headers);
    curl_easy_cleanup(a.curl);
    if (fflush(request->file) != 0) {
        (void)snprintf(error, error_size, "cannot write: %s", strerror(errno));
        verdict = HOPELESS;
    }
    return verdict;
}

static void rest(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds};
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

bool geoid_http_get(const struct geoid_http *http, const struct geoid_http_request *request,
                    char *error, size_t error_size)
{
    double delay_s = http->retry_delay_s;
    char why[320];
    for (int i = 0;; i++) {
        double wait_s = 0.0;
        const enum verdict verdict = attempt(http, request, &wait_s, why, sizeof why);
        if (verdict == DONE) {
            return true;
        }
        if (verdict == HOPELESS || i >= http->retries) {
            (void)snprintf(error, error_size, "%.200s: %s", request->url, why);
            return false;
        }
        wait_s = wait_s > RETRY_AFTER_MAX_S ? RETRY_AFTER_MAX_S : wait_s;
        wait_s = wait_s > delay_s ? wait_s : delay_s;
        if (http->notes != NULL) {
            (void)fprintf(http->notes, "geoid: %s: %s; again in %.1f s (%d of %d)\n", request->url,
                          why, wait_s, i + 1, http->retries);
        }
        rest(wait_s);
        delay_s = delay_s * 2.0 > DELAY_MAX_S ? DELAY_MAX_S : delay_s * 2.0;
    }
}
