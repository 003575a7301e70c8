/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/client.h"

#include "host/base/value.h"
#include "tools/simctl/client_answer.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define URL_MAX        2048u
#define CONNECT_MAX_MS 5000L
#define TOKEN_MAX      8192u
#define PATH_MAX_BYTES 256u
#define SILENCE_MAX_S  5L      /* of a connection that holds: a sign of life comes every second */
#define AGAIN_US       200000u /* between two tries to hold */
#define PATIENCE_S     60u     /* with a controller whose places are in use */

/* Body of an answer, as curl's write callback gathers it. */
struct answer {
    char *text;
    size_t len;
    FILE *to; /* NULL: text */
    CURL *curl;
};

static size_t take_bytes(char *bytes, size_t size, size_t n, void *ctx)
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

/* A request that waits for a place. */
struct waiting {
    unsigned waited_s;
    bool told;
    bool again; /* the controller had no place, and the request is to be sent again */
};

void simctl_append(char *path, size_t size, const char *text)
{
    static const char k_plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "-_.~=";
    size_t n = strlen(path);
    for (; *text != '\0' && n < size; text++) {
        const bool plain = strchr(k_plain, *text) != NULL;
        n += (size_t)snprintf(path + n, size - n, plain ? "%c" : "%%%02X", (unsigned char)*text);
    }
}

/* Length of a URL without the slashes at its end. */
static size_t url_length(const char *url)
{
    size_t n = strlen(url);
    while (n > 0 && url[n - 1] == '/') {
        n--;
    }
    return n;
}

/*
 * Copy the token, or read it from its file, which may be renewed while this program runs.
 * @return false: the file cannot be read
 */
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
    const size_t mark = mf_value_bom(text, strlen(text));
    const size_t length = strcspn(text + mark, "\r\n");
    memmove(text, text + mark, length);
    text[length] = '\0';
    return true;
}

/* Make a request with the settings that all requests share. @param headers  out: the caller frees
 * them */
static CURL *prepare(const struct simctl_client *client, const char *method, const char *path,
                     struct curl_slist **headers, struct web_error *error)
{
    char url[URL_MAX], token[TOKEN_MAX], header[TOKEN_MAX + 32];
    *headers = NULL;
    if (client->token != NULL && !read_token(client->token, token, error)) {
        return NULL;
    }
    CURL *curl = curl_easy_init();
    *headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (curl == NULL || *headers == NULL) {
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    (void)snprintf(url, sizeof url, "%.*s%s", (int)url_length(client->url), client->url, path);
    if (client->token != NULL) {
        (void)snprintf(header, sizeof header, "Authorization: Bearer %s", token);
        *headers = curl_slist_append(*headers, header);
    }
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, *headers);
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    if (client->ca != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_CAINFO, client->ca);
    }
    return curl;
}

/* Turn an error of the connection into a text that says how to mend it. */
static bool refuse_connection(const struct simctl_client *client, CURLcode result,
                              struct web_error *error)
{
    const bool tls = result == CURLE_PEER_FAILED_VERIFICATION || result == CURLE_SSL_CACERT_BADFILE;
    const bool broke = result == CURLE_GOT_NOTHING || result == CURLE_RECV_ERROR ||
                       result == CURLE_SEND_ERROR || result == CURLE_PARTIAL_FILE;
    return web_refuse(
        error, 503, "unreachable", "%.160s: %s; %s", client->url, curl_easy_strerror(result),
        tls     ? "--ca FILE names who has signed the controller's certificate"
        : broke ? "the controller, or a proxy before it, closed the connection"
                : "is 'simctl serve' running there? --controller URL says where it is");
}

/* Wait as long as the controller, whose places are in use, wants, and print its reason once.
 * @param wait  all zero at the first try
 * @return false: it has answered otherwise, or it had no place for PATIENCE_S: @p error */
static bool wait_for_place(CURL *curl, long status, struct waiting *wait, struct web_error *error)
{
    curl_off_t after_s = 0;
    (void)curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &after_s);
    if (status != 503 || after_s < 1) {
        return false;
    }
    if (!wait->told) {
        (void)fprintf(stderr, "simctl: %s; waiting, for %u s at most\n", error->message,
                      PATIENCE_S);
        wait->told = true;
    }
    if (wait->waited_s >= PATIENCE_S) {
        error->code = SIMCTL_TIMEOUT;
        return false;
    }
    const unsigned step_s = after_s < PATIENCE_S ? (unsigned)after_s : PATIENCE_S;
    (void)usleep(step_s * 1000000u);
    wait->waited_s += step_s;
    *error = (struct web_error){0};
    return true;
}

static bool request_once(const struct simctl_client *client, const char *method, const char *path,
                         const char *body, struct answer *a, struct waiting *wait,
                         struct web_error *error)
{
    long status = 0;
    struct curl_slist *headers = NULL;
    a->curl = prepare(client, method, path, &headers, error);
    if (a->curl == NULL) {
        curl_slist_free_all(headers);
        return false;
    }
    (void)curl_easy_setopt(a->curl, CURLOPT_WRITEFUNCTION, take_bytes);
    (void)curl_easy_setopt(a->curl, CURLOPT_WRITEDATA, a);
    if (body != NULL) {
        (void)curl_easy_setopt(a->curl, CURLOPT_POSTFIELDS, body);
    }
    const CURLcode result = curl_easy_perform(a->curl);
    (void)curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK) {
        (void)refuse_connection(client, result, error);
    } else if (status < 200 || status > 299) {
        simctl_answer_refuse(status, a->text, error);
        wait->again = wait_for_place(a->curl, status, wait, error);
    }
    curl_easy_cleanup(a->curl);
    curl_slist_free_all(headers);
    return error->status == 0 && !wait->again;
}

static bool request(const struct simctl_client *client, const char *method, const char *path,
                    const char *body, struct answer *a, struct web_error *error)
{
    struct waiting wait = {.again = true};
    bool good = false;
    while (wait.again) {
        wait.again = false;
        free(a->text);
        *a = (struct answer){.to = a->to};
        good = request_once(client, method, path, body, a, &wait, error);
    }
    return good;
}

json_t *simctl_request(const struct simctl_client *client, const char *method, const char *path,
                       json_t *body, struct web_error *error)
{
    struct answer a = {0};
    json_t *o = NULL;
    char *text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    json_decref(body);
    if (request(client, method, path, text, &a, error)) {
        o = simctl_answer_read(client->url, a.text, error);
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

/* ---- hold */

struct simctl_hold {
    const struct simctl_client *client;
    char path[PATH_MAX_BYTES];
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool held, end,
        over; /* the first byte has arrived; the caller ends the hold; the thread is done */
    int fd;   /* socket of the connection; -1: not connected */
    struct waiting wait; /* for a place, before it is held; the thread's */
    bool again;          /* the controller had no place; the thread's */
    struct web_error error;
    struct answer said; /* of an error */
};

/* Open a socket that a command started by this process does not inherit: a copy would keep the
 * connection alive. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct simctl_hold *h = ctx;
    (void)purpose;
    const int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    (void)pthread_mutex_lock(&h->lock);
    h->fd = fd;
    (void)pthread_mutex_unlock(&h->lock);
    return fd;
}

static int close_socket(void *ctx, curl_socket_t fd)
{
    struct simctl_hold *h = ctx;
    (void)pthread_mutex_lock(&h->lock);
    h->fd = h->fd == fd ? -1 : h->fd;
    (void)pthread_mutex_unlock(&h->lock);
    return close(fd);
}

static void note_state(struct simctl_hold *h, bool held, bool over)
{
    (void)pthread_mutex_lock(&h->lock);
    h->held = h->held || held;
    h->over = h->over || over;
    (void)pthread_cond_broadcast(&h->changed);
    (void)pthread_mutex_unlock(&h->lock);
}

static bool is_let_go(struct simctl_hold *h)
{
    (void)pthread_mutex_lock(&h->lock);
    const bool end = h->end;
    (void)pthread_mutex_unlock(&h->lock);
    return end;
}

static size_t take_sign(char *bytes, size_t size, size_t n, void *ctx)
{
    struct simctl_hold *h = ctx;
    long status = 0;
    (void)curl_easy_getinfo(h->said.curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {
        return take_bytes(bytes, size, n, &h->said);
    }
    note_state(h, true, false);
    return n;
}

static int look_whether_to_end(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    return is_let_go(ctx) ? 1 : 0;
}

/* Hold over one connection until it ends. @return true: the controller holds nothing, error says
 * why */
static bool hold_once(struct simctl_hold *h)
{
    long status = 0;
    struct curl_slist *headers = NULL;
    h->error = (struct web_error){0};
    h->said = (struct answer){.curl = prepare(h->client, "GET", h->path, &headers, &h->error)};
    if (h->said.curl != NULL) {
        CURL *curl = h->said.curl;
        (void)curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
        (void)curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, h);
        (void)curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
        (void)curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, h);
        (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_sign);
        (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, h);
        (void)curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
        (void)curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_whether_to_end);
        (void)curl_easy_setopt(curl, CURLOPT_XFERINFODATA, h);
        (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
        (void)curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, SILENCE_MAX_S);
        const CURLcode result = curl_easy_perform(curl);
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        h->again = false;
        if (status == 0) {
            (void)refuse_connection(h->client, result, &h->error);
        } else if (status != 200) {
            simctl_answer_refuse(status, h->said.text, &h->error);
            h->again = !h->held && wait_for_place(curl, status, &h->wait, &h->error);
        }
        curl_easy_cleanup(curl);
    }
    curl_slist_free_all(headers);
    free(h->said.text);
    return status != 200;
}

static void *hold_on(void *ctx)
{
    struct simctl_hold *h = ctx;
    bool told = false;
    bool failed = hold_once(h);
    while (h->again) {
        failed = hold_once(h);
    }
    while (!is_let_go(h) && h->held) {
        if (!told) {
            (void)fprintf(stderr,
                          "simctl: the connection that holds the instances broke%s%s; it is made "
                          "again\n",
                          failed ? ": " : "", failed ? h->error.message : "");
            told = true;
        }
        (void)usleep(AGAIN_US);
        failed = hold_once(h);
    }
    note_state(h, false, true);
    return NULL;
}

static void release(struct simctl_hold *h)
{
    (void)pthread_cond_destroy(&h->changed);
    (void)pthread_mutex_destroy(&h->lock);
    free(h);
}

struct simctl_hold *simctl_hold_begin(const struct simctl_client *client, const char *label,
                                      struct web_error *error)
{
    struct simctl_hold *h = calloc(1, sizeof *h);
    if (h == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(h);
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    h->client = client;
    h->fd = -1;
    (void)snprintf(h->path, sizeof h->path, "/v1/holds?label=%s", label);
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_cond_init(&h->changed, NULL);
    if (pthread_create(&h->thread, NULL, hold_on, h) != 0) {
        (void)web_refuse(error, 500, "thread", "cannot start a thread");
        release(h);
        return NULL;
    }
    (void)pthread_mutex_lock(&h->lock);
    while (!h->held && !h->over) {
        (void)pthread_cond_wait(&h->changed, &h->lock);
    }
    const bool held = h->held;
    (void)pthread_mutex_unlock(&h->lock);
    if (!held) {
        (void)pthread_join(h->thread, NULL);
        *error = h->error;
        release(h);
        return NULL;
    }
    return h;
}

void simctl_hold_end(struct simctl_hold *hold)
{
    (void)pthread_mutex_lock(&hold->lock);
    hold->end = true;
    if (hold->fd >= 0) {
        (void)shutdown(hold->fd, SHUT_RDWR); /* its thread notices at once */
    }
    (void)pthread_mutex_unlock(&hold->lock);
    (void)pthread_join(hold->thread, NULL);
    release(hold);
}
