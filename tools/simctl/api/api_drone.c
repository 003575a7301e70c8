/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/api_drone.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CONNECT_MAX_MS 3000L
#define HEAD_MAX_MS    30000 /* until an answer begins */
#define STEP_MS        250   /* between looks at whether the client is still there */
#define BUFFER_MAX     65536u
#define URL_MAX        (3 * WEB_TARGET_MAX)

/* Headers of the drone's answers that clients need; those of a connection are not among them. */
static const char *const k_header[] = {"Allow", "Cache-Control", "Content-Security-Policy",
                                       "ETag",  "Retry-After",   "X-Content-Type-Options"};
/* Headers of requests that the drone needs. */
static const char *const k_sent[] = {"Content-Type", "If-None-Match", "Last-Event-ID"};
/* Directive in the Content-Security-Policy of the drone's page, and its replacement of equal
 * length. */
#define NOBODY_FRAMES_IT "frame-ancestors 'none'"
#define ONLY_WE_FRAME_IT "frame-ancestors 'self'"
#define COUNT(array)     (sizeof(array) / sizeof((array)[0]))

/* State of one answer that passes through. */
struct passage {
    CURLM *multi;
    CURL *curl;
    struct curl_slist *headers;
    char *body;                /* of the request */
    struct web_answer *answer; /* until it has begun */
    int client;                /* socket; -1: unknown */
    char type[WEB_HEADER_TEXT];
    char *bytes; /* [len], of which the first @p from have gone */
    size_t from, len, cap;
    bool begun, over, paused;
    CURLcode result;
};

static void close_passage(void *ctx)
{
    struct passage *p = ctx;
    if (p->multi != NULL && p->curl != NULL) {
        (void)curl_multi_remove_handle(p->multi, p->curl);
    }
    curl_easy_cleanup(p->curl);
    (void)curl_multi_cleanup(p->multi);
    curl_slist_free_all(p->headers);
    free(p->body);
    free(p->bytes);
    free(p);
}

/* ---- what comes from the drone */

static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
    struct passage *p = ctx;
    (void)size;
    if (p->len - p->from > BUFFER_MAX) {
        p->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (p->from == p->len) {
        p->from = p->len = 0;
    }
    if (p->len + n > p->cap) {
        char *more = realloc(p->bytes, 2 * (p->len + n));
        if (more == NULL) {
            return 0;
        }
        p->bytes = more;
        p->cap = 2 * (p->len + n);
    }
    memcpy(p->bytes + p->len, bytes, n);
    p->len += n;
    return n;
}

/* The value of "Name: value", or NULL. */
static const char *value_of(const char *line, const char *name)
{
    const size_t n = strlen(name);
    if (strncasecmp(line, name, n) != 0 || line[n] != ':') {
        return NULL;
    }
    return line + n + 1 + strspn(line + n + 1, " ");
}

static size_t take_header(char *bytes, size_t size, size_t n, void *ctx)
{
    struct passage *p = ctx;
    char line[WEB_HEADER_TEXT + 64];
    long status = 0;
    const char *value;
    (void)snprintf(line, sizeof line, "%.*s", (int)(n * size), bytes);
    line[strcspn(line, "\r\n")] = '\0';
    (void)curl_easy_getinfo(p->curl, CURLINFO_RESPONSE_CODE, &status);
    if (line[0] == '\0' && status >= 200) {
        p->begun = true;
    }
    if (p->answer == NULL || status < 200) {
        return n * size;
    }
    p->answer->status = (unsigned)status;
    if ((value = value_of(line, "Content-Type")) != NULL) {
        (void)snprintf(p->type, sizeof p->type, "%.120s", value);
        p->answer->type = p->type;
    }
    char *nobody = strstr(line, NOBODY_FRAMES_IT);
    if (nobody != NULL) { /* the controller's own page does */
        memcpy(nobody, ONLY_WE_FRAME_IT, strlen(NOBODY_FRAMES_IT));
    }
    for (size_t i = 0; i < COUNT(k_header); i++) {
        if ((value = value_of(line, k_header[i])) != NULL) {
            web_answer_header(p->answer, k_header[i], "%s", value);
        }
    }
    return n * size;
}

static bool is_client_gone(const struct passage *p)
{
    struct pollfd fd = {.fd = p->client, .events = POLLRDHUP};
    return p->client >= 0 && poll(&fd, 1, 0) > 0 &&
           (fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

/* Until something has come, or it is over. @return false: nothing more can come */
static bool advance(struct passage *p, int wait_ms)
{
    int running = 0, left = 0;
    CURLMsg *message;
    if (p->paused && p->len - p->from < BUFFER_MAX) {
        p->paused = false;
        (void)curl_easy_pause(p->curl, CURLPAUSE_CONT);
    }
    if (curl_multi_perform(p->multi, &running) != CURLM_OK) {
        p->over = true;
        p->result = CURLE_RECV_ERROR;
    }
    while ((message = curl_multi_info_read(p->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            p->over = true;
            p->result = message->data.result;
        }
    }
    if (!p->over && p->from == p->len && wait_ms > 0) {
        (void)curl_multi_poll(p->multi, NULL, 0, wait_ms, NULL);
    }
    return !p->over;
}

static ssize_t give_bytes(void *ctx, uint64_t position, char *bytes, size_t max)
{
    struct passage *p = ctx;
    (void)position;
    while (p->from == p->len) {
        if (p->over) {
            return p->result == CURLE_OK ? 0 : -1;
        }
        if (!advance(p, STEP_MS) && p->from == p->len) {
            continue;
        }
        if (p->from == p->len && is_client_gone(p)) {
            return -1;
        }
    }
    const size_t n = p->len - p->from < max ? p->len - p->from : max;
    memcpy(bytes, p->bytes + p->from, n);
    p->from += n;
    return (ssize_t)n;
}

/* ---- what goes to it */

struct url {
    char text[URL_MAX];
    size_t n;
    CURL *curl;
    char between; /* the next parameter's: '?' or '&' */
};

static void add(struct url *u, const char *text, bool escaped)
{
    char *safe = escaped ? curl_easy_escape(u->curl, text, 0) : NULL;
    const char *plain = safe != NULL ? safe : text;
    if (u->n + strlen(plain) < sizeof u->text) {
        u->n += (size_t)snprintf(u->text + u->n, sizeof u->text - u->n, "%s", plain);
    }
    curl_free(safe);
}

static bool add_parameter(void *ctx, const char *name, const char *value)
{
    struct url *u = ctx;
    const char between[2] = {u->between, '\0'};
    add(u, between, false);
    add(u, name, true);
    if (value != NULL) {
        add(u, "=", false);
        add(u, value, true);
    }
    u->between = '&';
    return true;
}

/* A path is escaped part by part. */
static void add_path(struct url *u, const char *path)
{
    char part[WEB_TARGET_MAX + 1];
    while (*path != '\0') {
        const size_t n = strcspn(path, "/");
        (void)snprintf(part, sizeof part, "%.*s", (int)n, path);
        if (n > 0) {
            add(u, part, true);
        }
        path += n;
        if (*path == '/') {
            add(u, "/", false);
            path++;
        }
    }
}

static void add_headers(struct passage *p, const struct simctl_call *c, const char *id)
{
    char line[WEB_TARGET_MAX + 64], token[SIMCTL_TOKEN_MAX];
    p->headers = curl_slist_append(p->headers, "Expect:");
    p->headers = curl_slist_append(p->headers, "Accept:");
    for (size_t i = 0; i < COUNT(k_sent); i++) {
        const char *value = web_header(c->request, k_sent[i]);
        (void)snprintf(line, sizeof line, "%s: %.*s", k_sent[i], (int)WEB_TARGET_MAX,
                       value != NULL ? value : "");
        line[value != NULL ? strlen(line) : strlen(k_sent[i]) + 1] = '\0'; /* "Name:" sends none */
        p->headers = curl_slist_append(p->headers, line);
    }
    if (c->api->drone_key != NULL) {
        simctl_drone_token(c->api->drone_key, id, token);
        (void)snprintf(line, sizeof line, "Authorization: Bearer %s", token);
        p->headers = curl_slist_append(p->headers, line);
    }
}

static bool set_request(struct passage *p, const struct simctl_call *c, const char *address)
{
    struct url *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return false;
    }
    u->curl = p->curl;
    u->between = '?';
    u->n = (size_t)snprintf(u->text, sizeof u->text, "http://%s", address);
    add_path(u, c->rest);
    (void)web_parameters(c->request, add_parameter, u);
    CURL *curl = p->curl;
    (void)curl_easy_setopt(curl, CURLOPT_URL, u->text);
    free(u);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
    (void)curl_easy_setopt(curl, CURLOPT_PROXY, "");
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, p);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, p);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, p->headers);
    if (strcmp(c->request->method, "HEAD") == 0) {
        (void)curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    } else {
        (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, c->request->method);
    }
    if (c->request->body_len > 0) {
        p->body = malloc(c->request->body_len);
        if (p->body == NULL) {
            return false;
        }
        memcpy(p->body, c->request->body, c->request->body_len);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, p->body);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)c->request->body_len);
    }
    return curl_multi_add_handle(p->multi, curl) == CURLM_OK;
}

static struct passage *open_passage(struct simctl_call *c, const char *id, const char *address)
{
    struct passage *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->client = web_socket(c->request);
    p->answer = c->answer;
    p->multi = curl_multi_init();
    p->curl = curl_easy_init();
    if (p->multi == NULL || p->curl == NULL) {
        close_passage(p);
        return NULL;
    }
    add_headers(p, c, id);
    if (!set_request(p, c, address)) {
        close_passage(p);
        return NULL;
    }
    return p;
}

/* ---- requests */

/* Faults, orders and all else that changes a drone. */
static void audit_change(const struct simctl_call *c, const char *id)
{
    char what[256], status[16];
    if (simctl_call_changes(c)) {
        (void)snprintf(what, sizeof what, "drone %.20s %.200s", c->request->method, c->rest);
        (void)snprintf(status, sizeof status, "%u", c->answer->status);
        simctl_call_audit(c, what, id, status);
    }
}

static void pass_request(struct simctl_call *c, const char *id, const char *address)
{
    curl_off_t size = -1;
    struct passage *p = open_passage(c, id, address);
    if (p == NULL) {
        (void)web_refuse(&c->error, 503, "memory", "no memory for another connection to a drone");
        return;
    }
    for (int ms = 0; ms < HEAD_MAX_MS && !p->begun && advance(p, STEP_MS); ms += STEP_MS) {
        if (is_client_gone(p)) {
            break;
        }
    }
    if (!p->begun) {
        (void)web_refuse(&c->error, 502, "drone", "the drone of %.60s does not answer at %.60s: %s",
                         id, address, p->over ? curl_easy_strerror(p->result) : "silence");
        close_passage(p);
        return;
    }
    (void)curl_easy_getinfo(p->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);
    p->answer = NULL;
    audit_change(c, id);
    c->answer->size = size;
    c->answer->read = give_bytes;
    c->answer->end = close_passage;
    c->answer->ctx = p;
}

static void pass_to(struct simctl_call *c, struct simctl_instance *i)
{
    char address[SIMCTL_ADDRESS_MAX];
    const enum simctl_state state = i->state;
    (void)snprintf(address, sizeof address, "%s", i->within.api);
    simctl_instance_free(i);
    if (state == SIMCTL_ENDED || state == SIMCTL_ENDING) {
        (void)web_refuse(&c->error, 410, "ended", "instance %.60s has ended, and its drone with it",
                         c->id);
    } else if (address[0] == '\0') {
        web_answer_header(c->answer, "Retry-After", "1");
        (void)web_refuse(&c->error, 503, "not_ready",
                         "instance %.60s has no address yet: ?wait=ready waits for it", c->id);
    } else {
        pass_request(c, c->id, address);
    }
}

void simctl_api_drone(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    if (c->rest[0] == '\0') { /* its page asks by relative paths */
        web_answer_header(c->answer, "Location", "drone/");
        c->answer->status = 308;
    } else if (simctl_call_find(c, &i)) {
        pass_to(c, &i);
    }
}

static void pass_page(struct simctl_call *c, const char *path)
{
    const struct simctl_backend *b = &c->api->backend;
    struct simctl_instance i = {0};
    const char *name_space = NULL, *tenant;
    c->rest = path;
    for (unsigned n = 0; (tenant = simctl_tenants_name(c->api->tenants, n, &name_space)) != NULL;
         n++) {
        c->error = (struct web_error){0};
        if (b->ops->read(b->ctx, tenant, c->id, &i, &c->error)) {
            pass_to(c, &i);
            return;
        }
    }
}

void simctl_api_drone_page(struct simctl_call *c)
{
    pass_page(c, "/");
}

void simctl_api_drone_docs(struct simctl_call *c)
{
    pass_page(c, "/docs");
}
