/* SPDX-License-Identifier: Apache-2.0 */
/* Instances that live as long as a connection. What is held is told by their labels alone, so that
 * a controller has nothing to remember: one that starts again is asked to hold again, and what a
 * dead client left behind meanwhile is ended by its lifetime. */
#include "tools/simctl/api/call.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIGN_MS      1000  /* between two signs of life */
#define UNHEARD_MS   4000u /* a client that confirms none of them for so long is gone */
#define GRACE_MS     2000  /* for a client that holds again on another connection */
#define SWEEPS       4u    /* a second apart: a request of the same client may still create */
#define STEP_MS      100
#define ENDED_ATONCE 500u

struct hold {
    const struct simctl_api *api;
    struct simctl_who who;
    struct simctl_query query;
    char from[WEB_PEER_TEXT];
    int fd;
    struct hold *next; /* of those that are open */
};

static struct hold *s_open;
static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER; /* of s_open */

static bool same_labels(const struct simctl_query *a, const struct simctl_query *b)
{
    return a->labels == b->labels && memcmp(a->label, b->label, sizeof a->label) == 0;
}

/* Does another connection hold the same? */
static bool is_held(const struct hold *h)
{
    (void)pthread_mutex_lock(&s_lock);
    const struct hold *other = s_open;
    while (other != NULL && (strcmp(other->who.tenant, h->who.tenant) != 0 ||
                             !same_labels(&other->query, &h->query))) {
        other = other->next;
    }
    (void)pthread_mutex_unlock(&s_lock);
    return other != NULL;
}

static void enter(struct hold *h)
{
    (void)pthread_mutex_lock(&s_lock);
    h->next = s_open;
    s_open = h;
    (void)pthread_mutex_unlock(&s_lock);
}

static void leave(struct hold *h)
{
    (void)pthread_mutex_lock(&s_lock);
    struct hold **at = &s_open;
    while (*at != h) {
        at = &(*at)->next;
    }
    *at = h->next;
    (void)pthread_mutex_unlock(&s_lock);
}

/* ---- signs of life */

static ssize_t sign(void *ctx, uint64_t position, char *bytes, size_t max)
{
    const struct hold *h = ctx;
    struct pollfd connection = {.fd = h->fd, .events = POLLRDHUP};
    (void)max;
    if (position > 0 && (poll(&connection, 1, SIGN_MS) != 0 || h->api->stopping)) {
        return -1;
    }
    bytes[0] = '\n';
    return 1;
}

/* ---- the end */

/* Ids of those that have not ended. */
struct found {
    const struct hold *hold;
    char (*id)[SIMCTL_ID_MAX];
    size_t count;
};

static void take(void *ctx, const struct simctl_instance *i)
{
    struct found *f = ctx;
    if (f->count < ENDED_ATONCE && i->state < SIMCTL_ENDING &&
        simctl_call_fits(&f->hold->query, i->labels)) {
        memcpy(f->id[f->count++], i->id, SIMCTL_ID_MAX);
    }
}

static void sweep(const struct hold *h)
{
    const struct simctl_backend *b = &h->api->backend;
    struct found f = {.hold = h, .id = calloc(ENDED_ATONCE, sizeof *f.id)};
    struct web_error error = {0};
    do {
        f.count = 0;
        if (f.id == NULL || !b->ops->list(b->ctx, h->who.tenant, take, &f, &error)) {
            break;
        }
        for (size_t n = 0; n < f.count; n++) {
            if (b->ops->end(b->ctx, h->who.tenant, f.id[n], "the connection that held it ended",
                            false, &error)) {
                const struct simctl_change change = {&h->who, h->from, "end-held", f.id[n], "done"};
                simctl_audit(h->api->audit, &change);
            }
        }
    } while (f.count == ENDED_ATONCE && error.status == 0);
    free(f.id);
}

/* @return false: there is a reason to end nothing */
static bool wait_on(const struct hold *h, int ms)
{
    for (int left = ms; left > 0; left -= STEP_MS) {
        if (h->api->stopping || is_held(h)) {
            return false;
        }
        (void)usleep(1000u * STEP_MS);
    }
    return !h->api->stopping && !is_held(h);
}

static void end(void *ctx)
{
    struct hold *h = ctx;
    leave(h);
    bool good = wait_on(h, GRACE_MS);
    for (unsigned n = 0; good && n < SWEEPS; n++) {
        sweep(h);
        good = n + 1 < SWEEPS && wait_on(h, SIGN_MS);
    }
    free(h);
}

void simctl_api_hold(struct simctl_call *c)
{
    const unsigned unheard_ms = UNHEARD_MS;
    const int fd = web_socket(c->request);
    if (strcmp(c->request->method, "GET") != 0) {
        (void)web_refuse(&c->error, 405, "method", "only GET holds");
        return;
    }
    if (c->query.labels == 0) {
        (void)web_refuse(&c->error, 422, "label",
                         "?label=NAME=TEXT says which instances the connection holds");
        return;
    }
    struct hold *h = calloc(1, sizeof *h);
    if (h == NULL) {
        (void)web_refuse(&c->error, 500, "memory", "no memory");
        return;
    }
    *h = (struct hold){.api = c->api, .who = c->who, .query = c->query, .fd = fd};
    web_peer(c->request, h->from);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unheard_ms, (socklen_t)sizeof unheard_ms);
    enter(h);
    c->answer->type = "text/plain; charset=utf-8";
    c->answer->read = sign;
    c->answer->end = end;
    c->answer->ctx = h;
    c->answer->size = -1;
    web_answer_header(c->answer, "Cache-Control", "no-store");
    web_answer_header(c->answer, "X-Accel-Buffering", "no"); /* of nginx: pass each sign on */
}
