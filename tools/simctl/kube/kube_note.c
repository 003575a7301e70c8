/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_note.h"

#include "tools/simctl/kube/kube_job.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS    "/api/v1/namespaces/%.63s/events"
#define QUEUE_MAX 1024u /* two requests for as many instances as one may start */
#define UID_CHARS 8     /* of a Job's uid: tells it from an earlier one of its name */

static const char *const k_reason[] = {
#define X(NAME, reason, type) reason,
    SIMCTL_KUBE_NOTE_LIST(X)
#undef X
};
static const char *const k_type[] = {
#define X(NAME, reason, type) type,
    SIMCTL_KUBE_NOTE_LIST(X)
#undef X
};

struct simctl_kube_notes {
    struct simctl_kube *kube;
    pthread_t thread;
    bool good;            /* of the thread: the last event was written */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    json_t *event[QUEUE_MAX]; /* a ring */
    unsigned first, count;
    bool stop;
};

static json_t *make_event(const char *name_space, const char *id,
                          const struct simctl_kube_about *about, enum simctl_kube_note kind,
                          int64_t turn, const char *message)
{
    char name[128], when[32];
    int n = snprintf(name, sizeof name, "%.63s.%.*s.%s", id, UID_CHARS, about->uid, k_reason[kind]);
    if (turn != 0) {
        (void)snprintf(name + n, sizeof name - (size_t)n, ".%lld", (long long)turn);
    }
    for (char *c = name; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    simctl_utc_text(simctl_utc_us(), when);
    return json_pack(
        "{s:s, s:s, s:{s:s, s:s, s:{s:s, s:s}}, s:{s:s, s:s, s:s, s:s, s:s}, s:s, s:s, "
        "s:s, s:{s:s}, s:s, s:s, s:i}",
        "apiVersion", "v1", "kind", "Event", "metadata", "name", name, "namespace", name_space,
        "labels", SIMCTL_KEY_INSTANCE, id, SIMCTL_KEY_MANAGED, SIMCTL_MANAGED, "involvedObject",
        "apiVersion", "batch/v1", "kind", "Job", "namespace", name_space, "name", about->job, "uid",
        about->uid, "reason", k_reason[kind], "message", message, "type", k_type[kind], "source",
        "component", SIMCTL_MANAGED, "firstTimestamp", when, "lastTimestamp", when, "count", 1);
}

void simctl_kube_note(struct simctl_kube_notes *notes, const char *name_space, const char *id,
                      const struct simctl_kube_about *about, enum simctl_kube_note kind,
                      int64_t turn, const char *message)
{
    if (notes == NULL) {
        return;
    }
    json_t *event = make_event(name_space, id, about, kind, turn, message);
    (void)pthread_mutex_lock(&notes->lock);
    if (event != NULL && notes->count < QUEUE_MAX) {
        notes->event[(notes->first + notes->count++) % QUEUE_MAX] = event;
        event = NULL;
        (void)pthread_cond_signal(&notes->changed);
    }
    (void)pthread_mutex_unlock(&notes->lock);
    json_decref(event);
}

static void send_one(struct simctl_kube_notes *n, const json_t *event)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    struct web_error error = {0};
    (void)snprintf(
        path, sizeof path, EVENTS,
        json_string_value(json_object_get(json_object_get(event, "metadata"), "namespace")));
    const bool good = simctl_kube_call(n->kube, "POST", path, event, NULL, &error) ||
                      strcmp(error.code, "exists") == 0;
    if (!good && n->good) { /* the Role of an earlier version lacks the right */
        (void)fprintf(stderr, "simctl: events are not written: %s\n", error.message);
    }
    n->good = good;
}

static void *run(void *ctx)
{
    struct simctl_kube_notes *n = ctx;
    (void)pthread_mutex_lock(&n->lock);
    while (!n->stop) {
        if (n->count == 0) {
            (void)pthread_cond_wait(&n->changed, &n->lock);
            continue;
        }
        json_t *event = n->event[n->first];
        n->first = (n->first + 1) % QUEUE_MAX;
        n->count--;
        (void)pthread_mutex_unlock(&n->lock);
        send_one(n, event);
        json_decref(event);
        (void)pthread_mutex_lock(&n->lock);
    }
    (void)pthread_mutex_unlock(&n->lock);
    return NULL;
}

struct simctl_kube_notes *simctl_kube_notes_start(struct simctl_kube *k)
{
    struct simctl_kube_notes *n = calloc(1, sizeof *n);
    if (n == NULL) {
        return NULL;
    }
    n->kube = k;
    n->good = true;
    (void)pthread_mutex_init(&n->lock, NULL);
    (void)pthread_cond_init(&n->changed, NULL);
    if (pthread_create(&n->thread, NULL, run, n) != 0) {
        (void)pthread_cond_destroy(&n->changed);
        (void)pthread_mutex_destroy(&n->lock);
        free(n);
        return NULL;
    }
    return n;
}

void simctl_kube_notes_stop(struct simctl_kube_notes *n)
{
    if (n == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&n->lock);
    n->stop = true;
    (void)pthread_cond_signal(&n->changed);
    (void)pthread_mutex_unlock(&n->lock);
    (void)pthread_join(n->thread, NULL);
    for (; n->count > 0; n->count--, n->first = (n->first + 1) % QUEUE_MAX) {
        json_decref(n->event[n->first]);
    }
    (void)pthread_cond_destroy(&n->changed);
    (void)pthread_mutex_destroy(&n->lock);
    free(n);
}
