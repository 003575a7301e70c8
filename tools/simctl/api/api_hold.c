/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances that live as long as a connection. Their labels alone say which connection holds them,
 * so a controller has nothing to remember: after its restart clients ask it to hold again, and
 * lifetimes end what a dead client left.
 */
#include "tools/simctl/api/call.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SIGN_MS      1000  /* between two signs of life */
#define UNHEARD_MS   4000u /* a client that confirms none of them for so long is gone */
#define GRACE_MS     2000  /* for a client that holds again on another connection */
#define SWEEPS       4u    /* a second apart: a request of the same client may still create */
#define STEP_MS      100
#define ENDED_ATONCE 500u
#define SWEEPERS     4u /* threads that end instances; the connection's own is free at once */

struct hold {
    const struct simctl_api *api;
    struct simctl_who who;
    struct simctl_query query;
    char from[WEB_PEER_TEXT];
    int fd;
    unsigned sweeps;   /* left, after its connection has ended */
    int64_t due_us;    /* monotonic: of the next one */
    struct hold *next; /* of those that are open, or have ended */
};

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static pthread_cond_t s_changed = PTHREAD_COND_INITIALIZER;
static struct hold *s_open, *s_ended;
static pthread_t s_sweeper[SWEEPERS];
static unsigned s_sweepers;
static bool s_stop;

static bool same_labels(const struct simctl_query *a, const struct simctl_query *b)
{
    return a->labels == b->labels && memcmp(a->label, b->label, sizeof a->label) == 0;
}

static bool is_same(const struct hold *a, const struct hold *b)
{
    return strcmp(a->who.tenant, b->who.tenant) == 0 && same_labels(&a->query, &b->query);
}

/* Does another connection hold the same? */
static bool is_held(const struct hold *h)
{
    (void)pthread_mutex_lock(&s_lock);
    const struct hold *other = s_open;
    while (other != NULL && !is_same(other, h)) {
        other = other->next;
    }
    (void)pthread_mutex_unlock(&s_lock);
    return other != NULL;
}

/* Hold, instead of a connection that has ended in the meantime. */
static void enter(struct hold *h)
{
    (void)pthread_mutex_lock(&s_lock);
    h->next = s_open;
    s_open = h;
    for (struct hold **at = &s_ended; *at != NULL;) {
        struct hold *ended = *at;
        if (is_same(ended, h)) {
            *at = ended->next;
            free(ended);
        } else {
            at = &ended->next;
        }
    }
    (void)pthread_mutex_unlock(&s_lock);
}

static int64_t monotonic_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The lock is held. */
static void put_off(struct hold *h, int ms)
{
    h->due_us = monotonic_us() + 1000 * (int64_t)ms;
    h->next = s_ended;
    s_ended = h;
    (void)pthread_cond_signal(&s_changed);
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

static void take_instance(void *ctx, const struct simctl_instance *i)
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
        if (f.id == NULL || !b->ops->list(b->ctx, h->who.tenant, take_instance, &f, &error)) {
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

/* Remove one that is due. The lock is held. @return NULL: none is due */
static struct hold *take_due(void)
{
    const int64_t now_us = monotonic_us();
    struct hold **at = &s_ended, *due;
    while (*at != NULL && (*at)->due_us > now_us) {
        at = &(*at)->next;
    }
    due = *at;
    if (due != NULL) {
        *at = due->next;
    }
    return due;
}

static void *sweep_ended(void *ctx)
{
    (void)ctx;
    (void)pthread_mutex_lock(&s_lock);
    while (!s_stop) {
        struct hold *h = take_due();
        if (h == NULL && s_ended == NULL) {
            (void)pthread_cond_wait(&s_changed, &s_lock);
            continue;
        }
        (void)pthread_mutex_unlock(&s_lock);
        bool more = false;
        if (h == NULL) {
            (void)usleep(1000u * STEP_MS);
        } else if (!is_held(h)) {
            sweep(h);
            more = --h->sweeps > 0;
        }
        (void)pthread_mutex_lock(&s_lock);
        if (more) {
            put_off(h, SIGN_MS);
        } else {
            free(h);
        }
    }
    (void)pthread_mutex_unlock(&s_lock);
    return NULL;
}

static bool begin_sweepers(void)
{
    (void)pthread_mutex_lock(&s_lock);
    while (s_sweepers < SWEEPERS &&
           pthread_create(&s_sweeper[s_sweepers], NULL, sweep_ended, NULL) == 0) {
        s_sweepers++;
    }
    const bool good = s_sweepers > 0;
    (void)pthread_mutex_unlock(&s_lock);
    return good;
}

void simctl_api_holds_stop(void)
{
    (void)pthread_mutex_lock(&s_lock);
    s_stop = true;
    (void)pthread_cond_broadcast(&s_changed);
    (void)pthread_mutex_unlock(&s_lock);
    for (unsigned n = 0; n < s_sweepers; n++) {
        (void)pthread_join(s_sweeper[n], NULL);
    }
    while (s_ended != NULL) {
        struct hold *h = s_ended;
        s_ended = h->next;
        free(h);
    }
}

/* The connection has ended, and its thread is about to. */
static void end(void *ctx)
{
    struct hold *h = ctx;
    (void)pthread_mutex_lock(&s_lock);
    struct hold **at = &s_open;
    while (*at != h) {
        at = &(*at)->next;
    }
    *at = h->next;
    if (h->api->stopping || s_stop) {
        free(h);
    } else {
        put_off(h, GRACE_MS);
    }
    (void)pthread_mutex_unlock(&s_lock);
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
    struct hold *h = begin_sweepers() ? calloc(1, sizeof *h) : NULL;
    if (h == NULL) {
        (void)web_refuse(&c->error, 500, "memory", "no memory");
        return;
    }
    *h = (struct hold){.api = c->api, .who = c->who, .query = c->query, .fd = fd, .sweeps = SWEEPS};
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
