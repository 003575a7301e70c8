/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_watch.h"

#include "tools/simctl/base/shape.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE         50  /* objects: JSON in memory is ten times what it is on the wire */
#define WATCH_S      280 /* the server ends a watch after this, and the client begins another */
#define SILENCE_S    90u /* bookmarks come each minute */
#define STEP_MS      100 /* of waiting between tries, so that an end is noticed */
#define BACK_OFF_MS  200 /* after the first failure; doubles */
#define BACK_OFF_MAX 5000
#define STEADY_MS    1000 /* a watch that lasted so long ends the back-off */
#define TOKEN_MAX    600u /* where a list goes on, escaped */

struct simctl_kube_watch {
    struct simctl_kube *kube;
    const struct simctl_kube_watch_ops *ops;
    void *ctx;
    char path[160], query[128];
    struct simctl_kube_lines lines;
    bool heard; /* the stream that runs has said something */
    atomic_bool stop;
    pthread_t thread;
};

/* ---- lines */

static void note_version(struct simctl_kube_lines *l, const json_t *object)
{
    const char *version =
        simctl_shape_text(json_object_get(object, "metadata"), "resourceVersion", "");
    if (version[0] != '\0' && strlen(version) < sizeof l->version) {
        (void)snprintf(l->version, sizeof l->version, "%s", version);
    }
}

/* @return false: the watch is over */
static bool take_line(struct simctl_kube_lines *l, const char *line, size_t n,
                      const struct simctl_kube_watch_ops *ops, void *ctx)
{
    json_t *event = json_loadb(line, n, 0, NULL);
    const char *type = simctl_shape_text(event, "type", "");
    const json_t *object = json_object_get(event, "object");
    const bool gone = strcmp(type, "DELETED") == 0;
    if (gone || strcmp(type, "ADDED") == 0 || strcmp(type, "MODIFIED") == 0) {
        note_version(l, object);
        ops->object(ctx, object, gone);
    } else if (strcmp(type, "BOOKMARK") == 0) {
        note_version(l, object);
    } else {
        l->broken = true; /* an ERROR, within a 200, or no event at all */
    }
    json_decref(event);
    return !l->broken;
}

static bool keep_bytes(struct simctl_kube_lines *l, const char *bytes, size_t n)
{
    if (n == 0 || l->len + n > SIMCTL_KUBE_LINE_MAX) {
        return n == 0;
    }
    if (l->len + n > l->cap) {
        char *more = realloc(l->bytes, 2 * (l->len + n));
        if (more == NULL) {
            return false;
        }
        l->bytes = more;
        l->cap = 2 * (l->len + n);
    }
    memcpy(l->bytes + l->len, bytes, n);
    l->len += n;
    return true;
}

bool simctl_kube_lines_feed(struct simctl_kube_lines *l, const char *bytes, size_t n,
                            const struct simctl_kube_watch_ops *ops, void *ctx)
{
    while (n > 0 && !l->broken) {
        const char *end = memchr(bytes, '\n', n);
        const size_t part = end != NULL ? (size_t)(end - bytes) : n;
        if (!keep_bytes(l, bytes, part)) {
            l->broken = true;
        } else if (end != NULL) {
            if (l->len > 0 && !take_line(l, l->bytes, l->len, ops, ctx)) {
                return false;
            }
            l->len = 0;
        }
        bytes += part + (end != NULL);
        n -= part + (end != NULL);
    }
    return !l->broken;
}

void simctl_kube_lines_free(struct simctl_kube_lines *l)
{
    free(l->bytes);
    *l = (struct simctl_kube_lines){0};
}

/* ---- list */

/* A token of a list goes into a query: all but what may stand there is escaped. @return false: it
 * is too long */
static bool escape(const char *text, char *out)
{
    size_t n = 0;
    for (; *text != '\0' && n + 4 < TOKEN_MAX; text++) {
        const char c = *text;
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
        n += (size_t)snprintf(out + n, TOKEN_MAX - n, plain ? "%c" : "%%%02X", (unsigned char)c);
    }
    out[n] = '\0';
    return *text == '\0';
}

/*
 * Read a page's metadata. @param next  out: the token of the next page, escaped for a query; "":
 * the last page
 * @return false: not a page of a list
 */
static bool note_page(struct simctl_kube_watch *w, const json_t *page, char *next,
                      struct web_error *error)
{
    const json_t *items = json_object_get(page, "items");
    const json_t *metadata = json_object_get(page, "metadata");
    note_version(&w->lines, page);
    return ((json_is_array(items) || json_is_null(items)) && w->lines.version[0] != '\0' &&
            escape(simctl_shape_text(metadata, "continue", ""), next)) ||
           web_refuse(error, 502, "kubernetes", "GET %.120s answers no list", w->path);
}

static bool list_page(struct simctl_kube_watch *w, char *next, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    json_t *page = NULL;
    size_t i;
    const json_t *one;
    (void)snprintf(path, SIMCTL_KUBE_PATH_MAX, "%s?%s&limit=%d%s%s", w->path, w->query, PAGE,
                   next[0] != '\0' ? "&continue=" : "", next);
    if (!simctl_kube_call(w->kube, "GET", path, NULL, &page, error)) {
        return false;
    }
    const bool good = note_page(w, page, next, error);
    for (i = 0; good && (one = json_array_get(json_object_get(page, "items"), i)) != NULL; i++) {
        w->ops->object(w->ctx, one, false);
    }
    json_decref(page);
    return good;
}

static bool list(struct simctl_kube_watch *w, struct web_error *error)
{
    char next[TOKEN_MAX] = "";
    w->ops->begin(w->ctx);
    do {
        if (w->stop || !list_page(w, next, error)) {
            w->lines.version[0] = '\0';
            if (error->status == 410) {
                *error = (struct web_error){0}; /* it took too long: once more, from its start */
            }
            return false;
        }
    } while (next[0] != '\0');
    w->ops->end(w->ctx);
    return true;
}

/* ---- watch */

static bool take_bytes(void *ctx, const char *bytes, size_t n)
{
    struct simctl_kube_watch *w = ctx;
    w->heard = true;
    return simctl_kube_lines_feed(&w->lines, bytes, n, w->ops, w->ctx);
}

static bool is_stopped(void *ctx)
{
    const struct simctl_kube_watch *w = ctx;
    return w->stop;
}

/* @return false: it broke. @p error says why, unless it is enough to go on: by a LIST after what
 * could not be read, an error in the stream, or a version that is forgotten; and from the last
 * version after a connection that was lost */
static bool watch_once(struct simctl_kube_watch *w, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    struct simctl_kube_lines *l = &w->lines;
    l->len = 0;
    l->broken = w->heard = false;
    (void)snprintf(path, sizeof path,
                   "%s?%s&watch=1&allowWatchBookmarks=true&timeoutSeconds=%d"
                   "&resourceVersion=%s",
                   w->path, w->query, WATCH_S, l->version);
    const bool good =
        simctl_kube_stream(w->kube, path, SILENCE_S, take_bytes, is_stopped, w, error);
    if (l->broken || error->status == 410) {
        l->version[0] = '\0';
    }
    if (l->broken || error->status == 410 || w->heard) {
        *error = (struct web_error){0};
    }
    return good && !l->broken;
}

static void wait_ms(const struct simctl_kube_watch *w, long ms)
{
    for (; ms > 0 && !w->stop; ms -= STEP_MS) {
        (void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *run(void *ctx)
{
    struct simctl_kube_watch *w = ctx;
    long back_off_ms = 0;
    while (!w->stop) {
        struct web_error error = {0};
        const int64_t begun_ms = now_ms();
        const bool listing = w->lines.version[0] == '\0';
        const bool good = listing ? list(w, &error) : watch_once(w, &error);
        const bool steady = !listing && now_ms() - begun_ms >= STEADY_MS;
        back_off_ms = steady ? 0 : back_off_ms;
        if (good && (listing || steady)) {
            continue;
        }
        if (error.status != 0 && w->ops->failed != NULL && !w->stop) {
            w->ops->failed(w->ctx, &error);
            w->lines.version[0] = '\0'; /* a list, which ends well, takes the error back */
        }
        wait_ms(w, back_off_ms);
        back_off_ms = back_off_ms == 0 ? BACK_OFF_MS : 2 * back_off_ms;
        back_off_ms = back_off_ms > BACK_OFF_MAX ? BACK_OFF_MAX : back_off_ms;
    }
    return NULL;
}

struct simctl_kube_watch *simctl_kube_watch_start(struct simctl_kube *k, const char *path,
                                                  const char *query,
                                                  const struct simctl_kube_watch_ops *ops,
                                                  void *ctx)
{
    struct simctl_kube_watch *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->kube = k;
    w->ops = ops;
    w->ctx = ctx;
    (void)snprintf(w->path, sizeof w->path, "%s", path);
    (void)snprintf(w->query, sizeof w->query, "%s", query);
    if (pthread_create(&w->thread, NULL, run, w) != 0) {
        free(w);
        return NULL;
    }
    return w;
}

void simctl_kube_watch_stop(struct simctl_kube_watch *w)
{
    if (w != NULL) {
        w->stop = true;
        (void)pthread_join(w->thread, NULL);
        simctl_kube_lines_free(&w->lines);
        free(w);
    }
}
