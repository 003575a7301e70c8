/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_cache.h"

#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANAGED "labelSelector=app.kubernetes.io%2Fmanaged-by%3D" SIMCTL_MANAGED

/* Members of objects that the cache keeps, and of each container's status. */
static const char *const k_kept[][3] = {
    {"metadata", "name"},
    {"metadata", "uid"},
    {"metadata", "labels", SIMCTL_KEY_TEMPLATE},
    {"metadata", "annotations", SIMCTL_KEY_HASH},
    {"metadata", "annotations", SIMCTL_KEY_ORDER},
    {"metadata", "annotations", SIMCTL_KEY_REASON},
    {"metadata", "annotations", SIMCTL_KEY_OUTCOME},
    {"metadata", "annotations", SIMCTL_KEY_WAITS},
    {"metadata", "annotations", SIMCTL_KEY_LIFETIME},
    {"metadata", "annotations", SIMCTL_KEY_SCHEDULED},
    {"metadata", "annotations", SIMCTL_KEY_STARTED},
    {"metadata", "annotations", SIMCTL_KEY_READY},
    {"metadata", "creationTimestamp"},
    {"metadata", "deletionTimestamp"},
    {"metadata", "deletionGracePeriodSeconds"},
    {"spec", "activeDeadlineSeconds"},
    {"spec", "ttlSecondsAfterFinished"},
    {"spec", "ports"},
    {"status", "phase"},
    {"status", "reason"},
    {"status", "message"},
    {"status", "podIP"},
    {"status", "hostIP"},
    {"status", "conditions"},
    {"status", "startTime"},
    {"status", "failed"},
    {"status", "succeeded"},
    {"message"},
};
static const char *const k_containers[] = {"initContainerStatuses", "containerStatuses"};
static const char *const k_container[] = {"name", "state", "lastState", "ready", "restartCount"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct entry {
    struct simctl_instance now;
    struct simctl_kube_about about;
    char *part[SIMCTL_KUBE_KINDS]; /* JSON of the kept members; NULL: no such object */
    uint64_t version[SIMCTL_KUBE_KINDS];
    bool seen[SIMCTL_KUBE_KINDS]; /* by the LIST that runs */
    bool owes;                    /* the verdict is still to be written into the Job */
    struct simctl_kube_verdict verdict;
};

/* The watch of one kind. */
struct kind {
    struct simctl_kube_cache *cache;
    enum simctl_kube_kind kind;
    struct simctl_kube_watch *watch;
    bool listed;
    struct web_error error;
};

struct simctl_kube_cache {
    char name_space[SIMCTL_NAME_MAX];
    struct simctl_kube_listener listener;
    pthread_t teller; /* writes verdicts, which the watches must not wait for */
    bool has_teller;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t owed;
    bool stop;
    struct kind kind[SIMCTL_KUBE_KINDS];
    size_t count;
    struct entry *entry[SIMCTL_KUBE_INSTANCES_MAX]; /* in the order of their ids */
};

/* ---- what is kept */

static void keep_member(const json_t *object, json_t *out, const char *const path[3])
{
    for (unsigned i = 0; i < 3 && object != NULL && path[i] != NULL; i++) {
        object = json_object_get(object, path[i]);
        if (object == NULL) {
            return;
        }
        if (i == 2 || path[i + 1] == NULL) {
            (void)json_object_set(out, path[i], (json_t *)object);
        } else if (json_object_get(out, path[i]) == NULL) {
            (void)json_object_set_new(out, path[i], json_object());
        }
        out = json_object_get(out, path[i]);
    }
}

static void keep_containers(const json_t *status, json_t *out, const char *list)
{
    size_t i;
    const json_t *one;
    json_t *array = json_array();
    json_array_foreach(json_object_get(status, list), i, one)
    {
        json_t *small = json_object();
        for (size_t k = 0; k < COUNT(k_container); k++) {
            (void)json_object_set(small, k_container[k], json_object_get(one, k_container[k]));
        }
        (void)json_array_append_new(array, small);
    }
    (void)json_object_set_new(out, list, array);
}

static char *text_of(const json_t *object)
{
    json_t *small = json_pack("{s:{}}", "status");
    for (size_t i = 0; i < COUNT(k_kept); i++) {
        keep_member(object, small, k_kept[i]);
    }
    for (size_t i = 0; i < COUNT(k_containers); i++) {
        keep_containers(json_object_get(object, "status"), json_object_get(small, "status"),
                        k_containers[i]);
    }
    char *text = json_dumps(small, JSON_COMPACT);
    json_decref(small);
    return text;
}

/* Key of an object's entry: the instance's id, or for an Event, which lacks labels, its Job's uid.
 */
static const char *id_of(enum simctl_kube_kind kind, const json_t *object)
{
    const json_t *labels = json_object_get(json_object_get(object, "metadata"), "labels");
    return kind == SIMCTL_KUBE_FAILURE
               ? simctl_shape_text(json_object_get(object, "involvedObject"), "uid", "")
               : simctl_shape_text(labels, SIMCTL_KEY_INSTANCE, "");
}

static uint64_t version_of(const json_t *object)
{
    return strtoull(simctl_shape_text(json_object_get(object, "metadata"), "resourceVersion", "0"),
                    NULL, 10);
}

/* ---- entries */

/* @return its place, or where it would stand */
static size_t place_of(const struct simctl_kube_cache *c, const char *id, bool *there)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strcmp(c->entry[middle]->now.id, id) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *there = low < c->count && strcmp(c->entry[low]->now.id, id) == 0;
    return low;
}

static struct entry *add(struct simctl_kube_cache *c, const char *id, size_t place)
{
    struct entry *e = c->count < SIMCTL_KUBE_INSTANCES_MAX ? calloc(1, sizeof *e) : NULL;
    if (e != NULL) {
        (void)snprintf(e->now.id, sizeof e->now.id, "%s", id);
        for (size_t i = c->count; i > place; i--) {
            c->entry[i] = c->entry[i - 1];
        }
        c->entry[place] = e;
        c->count++;
    }
    return e;
}

static void drop(struct simctl_kube_cache *c, size_t place)
{
    struct entry *e = c->entry[place];
    for (size_t i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        free(e->part[i]);
    }
    simctl_instance_free(&e->now);
    free(e);
    c->count--;
    memmove(c->entry + place, c->entry + place + 1, (c->count - place) * sizeof(struct entry *));
}

static bool is_empty(const struct entry *e)
{
    for (size_t i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        if (e->part[i] != NULL) {
            return false;
        }
    }
    return true;
}

static void note_about(struct entry *e, const struct simctl_kube_objects *o)
{
    struct simctl_kube_about *a = &e->about;
    const json_t *metadata = json_object_get(o->job, "metadata"),
                 *of_pod = json_object_get(o->pod, "metadata"),
                 *annotations = json_object_get(metadata, "annotations");
    json_t *order = json_loads(simctl_shape_text(annotations, SIMCTL_KEY_ORDER, "{}"), 0, NULL);
    (void)snprintf(a->job, sizeof a->job, "%s", simctl_shape_text(metadata, "name", ""));
    (void)snprintf(a->uid, sizeof a->uid, "%s", simctl_shape_text(metadata, "uid", ""));
    (void)snprintf(a->version, sizeof a->version, "%llu",
                   (unsigned long long)e->version[SIMCTL_KUBE_JOB]);
    (void)snprintf(a->hash, sizeof a->hash, "%s",
                   simctl_shape_text(annotations, SIMCTL_KEY_HASH, ""));
    (void)snprintf(a->pod, sizeof a->pod, "%s", simctl_shape_text(of_pod, "name", ""));
    (void)snprintf(a->pod_uid, sizeof a->pod_uid, "%s", simctl_shape_text(of_pod, "uid", ""));
    (void)snprintf(a->emulator, sizeof a->emulator, "%s",
                   simctl_shape_text(order, "emulator", "emulator"));
    a->recorded = json_is_true(json_object_get(order, "recording"));
    a->asked_us = e->now.asked_us;
    a->ended = e->now.state == SIMCTL_ENDED;
    a->told = simctl_shape_text(annotations, SIMCTL_KEY_REASON, "")[0] != '\0';
    a->decided = simctl_kube_has_decided(o);
    json_decref(order);
}

/* News for the listener: the end of a lifetime. */
struct duty {
    bool expired;
    struct simctl_kube_about about;
};

/* Note the verdict that an instance's Job needs. A pod that has gone no longer shows a reason, so
 * the verdict on its last state stays. */
static void owe(struct simctl_kube_cache *c, struct entry *e, const struct simctl_kube_objects *o)
{
    /* before pods are listed, a pod that is absent here may be there */
    if (c->kind[SIMCTL_KUBE_POD].listed && (o->pod != NULL || !e->owes)) {
        e->owes = simctl_kube_must_tell(o, &e->verdict);
    }
    e->owes = e->owes && !e->about.told;
    if (e->owes) {
        (void)pthread_cond_signal(&c->owed);
    }
}

/* Read an instance from its objects, and remember what they showed before. */
static void judge_entry(struct simctl_kube_cache *c, struct entry *e, struct duty *duty)
{
    json_t *part[SIMCTL_KUBE_KINDS] = {NULL};
    const struct simctl_instance before = e->now;
    const bool had_ended = e->about.ended;
    bool there = false;
    for (size_t i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        part[i] = e->part[i] != NULL ? json_loads(e->part[i], 0, NULL) : NULL;
    }
    const char *uid =
        simctl_shape_text(json_object_get(part[SIMCTL_KUBE_JOB], "metadata"), "uid", "");
    const size_t place = place_of(c, uid, &there);
    if (there && c->entry[place]->part[SIMCTL_KUBE_FAILURE] != NULL) {
        part[SIMCTL_KUBE_FAILURE] = json_loads(c->entry[place]->part[SIMCTL_KUBE_FAILURE], 0, NULL);
    }
    const struct simctl_kube_objects objects = {part[SIMCTL_KUBE_JOB], part[SIMCTL_KUBE_POD],
                                                part[SIMCTL_KUBE_SERVICE],
                                                part[SIMCTL_KUBE_FAILURE]};
    simctl_kube_read(&objects, &e->now);
    (void)memcpy(e->now.id, before.id, sizeof e->now.id);
    if (strcmp(e->about.uid, uid) == 0) {
        simctl_kube_remember(&before, &e->now);
    }
    json_decref(before.labels);
    json_decref(before.values);
    note_about(e, &objects);
    owe(c, e, &objects);
    duty->expired = !had_ended && e->about.ended && e->now.outcome == SIMCTL_OUTCOME_EXPIRED;
    duty->about = e->about;
    for (size_t i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        json_decref(part[i]);
    }
}

/* True if an object was made before the known one of its name: then it is news of a deleted object.
 */
static bool is_of_before(const struct entry *e, enum simctl_kube_kind kind, const json_t *object)
{
    json_t *known = e->part[kind] != NULL ? json_loads(e->part[kind], 0, NULL) : NULL;
    const json_t *had = json_object_get(known, "metadata"),
                 *has = json_object_get(object, "metadata");
    const bool other = known != NULL && strcmp(simctl_shape_text(had, "uid", ""),
                                               simctl_shape_text(has, "uid", "")) != 0;
    const bool before = other && simctl_kube_time(has, "creationTimestamp") <
                                     simctl_kube_time(had, "creationTimestamp");
    json_decref(known);
    return before;
}

static void put_object(struct simctl_kube_cache *c, enum simctl_kube_kind kind,
                       const json_t *object, const char *id, struct duty *duty)
{
    bool there = false;
    const size_t place = place_of(c, id, &there);
    struct entry *e = there ? c->entry[place] : add(c, id, place);
    const uint64_t version = version_of(object);
    if (e == NULL) {
        return;
    }
    e->seen[kind] = true;
    if (e->part[kind] != NULL && (version < e->version[kind] || is_of_before(e, kind, object))) {
        return;
    }
    free(e->part[kind]);
    e->part[kind] = text_of(object);
    e->version[kind] = version;
    judge_entry(c, e, duty);
}

static void remove_part(struct simctl_kube_cache *c, size_t place, enum simctl_kube_kind kind)
{
    struct entry *e = c->entry[place];
    free(e->part[kind]);
    e->part[kind] = NULL;
    if (is_empty(e)) {
        drop(c, place);
    } else {
        struct duty none;
        judge_entry(c, e, &none);
    }
}

/* Judge the instance whose Job has this uid again. @return its id; "": no instance has */
static const char *judge_job(struct simctl_kube_cache *c, const char *uid, struct duty *duty)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->entry[i]->about.uid, uid) == 0) {
            judge_entry(c, c->entry[i], duty);
            return c->entry[i]->now.id;
        }
    }
    return "";
}

static void store_object(struct simctl_kube_cache *c, enum simctl_kube_kind kind,
                         const json_t *object, bool gone)
{
    char told[SIMCTL_ID_MAX];
    const char *id = id_of(kind, object);
    struct duty duty = {.expired = false};
    bool there = false;
    if (id[0] == '\0' || strlen(id) >= SIMCTL_ID_MAX) {
        return;
    }
    (void)pthread_mutex_lock(&c->lock);
    if (!gone) {
        put_object(c, kind, object, id, &duty);
    } else {
        const size_t place = place_of(c, id, &there);
        if (there && c->entry[place]->part[kind] != NULL &&
            version_of(object) >= c->entry[place]->version[kind] &&
            !is_of_before(c->entry[place], kind, object)) {
            put_object(c, kind, object, id, &duty); /* how it was at the end */
            remove_part(c, place, kind);
        }
    }
    (void)snprintf(told, sizeof told, "%s",
                   kind == SIMCTL_KUBE_FAILURE ? judge_job(c, id, &duty) : id);
    (void)pthread_mutex_unlock(&c->lock);
    c->listener.changed(c->listener.ctx);
    if (duty.expired) {
        c->listener.expired(c->listener.ctx, c->name_space, told, &duty.about);
    }
}

void simctl_kube_cache_take(struct simctl_kube_cache *c, enum simctl_kube_kind kind,
                            const json_t *object)
{
    store_object(c, kind, object, false);
}

/* ---- verdicts */

static struct entry *find_owing(const struct simctl_kube_cache *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->entry[i]->owes) {
            return c->entry[i];
        }
    }
    return NULL;
}

static void *tell_verdicts(void *ctx)
{
    struct simctl_kube_cache *c = ctx;
    (void)pthread_mutex_lock(&c->lock);
    while (!c->stop) {
        struct entry *e = find_owing(c);
        if (e == NULL) {
            (void)pthread_cond_wait(&c->owed, &c->lock);
            continue;
        }
        char id[SIMCTL_ID_MAX];
        const struct simctl_kube_verdict verdict = e->verdict;
        (void)snprintf(id, sizeof id, "%s", e->now.id);
        e->owes = false;
        (void)pthread_mutex_unlock(&c->lock);
        c->listener.must_tell(c->listener.ctx, c->name_space, id, &verdict);
        (void)pthread_mutex_lock(&c->lock);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- watches */

static void begin_list(void *ctx)
{
    struct kind *k = ctx;
    struct simctl_kube_cache *c = k->cache;
    (void)pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->count; i++) {
        c->entry[i]->seen[k->kind] = false;
    }
    (void)pthread_mutex_unlock(&c->lock);
}

static void end_list(void *ctx)
{
    struct kind *k = ctx;
    struct simctl_kube_cache *c = k->cache;
    (void)pthread_mutex_lock(&c->lock);
    for (size_t i = c->count; i-- > 0;) {
        if (c->entry[i]->part[k->kind] != NULL && !c->entry[i]->seen[k->kind]) {
            remove_part(c, i, k->kind);
        }
    }
    k->listed = true;
    k->error = (struct web_error){0};
    (void)pthread_mutex_unlock(&c->lock);
    c->listener.changed(c->listener.ctx);
}

static void take_object(void *ctx, const json_t *object, bool gone)
{
    struct kind *k = ctx;
    store_object(k->cache, k->kind, object, gone);
}

static void note_failure(void *ctx, const struct web_error *error)
{
    struct kind *k = ctx;
    (void)pthread_mutex_lock(&k->cache->lock);
    k->error = *error;
    (void)pthread_mutex_unlock(&k->cache->lock);
}

struct simctl_kube_cache *simctl_kube_cache_open(const char *name_space,
                                                 const struct simctl_kube_listener *listener)
{
    struct simctl_kube_cache *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->listener = *listener;
        (void)snprintf(c->name_space, sizeof c->name_space, "%s", name_space);
        (void)pthread_mutex_init(&c->lock, NULL);
        (void)pthread_cond_init(&c->owed, NULL);
    }
    return c;
}

bool simctl_kube_cache_start(struct simctl_kube_cache *c, struct simctl_kube *k)
{
    static const struct simctl_kube_watch_ops k_ops = {begin_list, end_list, take_object,
                                                       note_failure};
    static const struct {
        const char *group, *plural, *query;
    } k_kind[SIMCTL_KUBE_KINDS] = {
        {"apis/batch/v1", "jobs", MANAGED},
        {"api/v1", "pods", MANAGED},
        {"api/v1", "services", MANAGED},
        {"api/v1", "events", "fieldSelector=reason%3DFailedCreate%2CinvolvedObject.kind%3DJob"}};
    for (unsigned i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        char path[160];
        (void)snprintf(path, sizeof path, "/%s/namespaces/%s/%s", k_kind[i].group, c->name_space,
                       k_kind[i].plural);
        c->kind[i] = (struct kind){.cache = c, .kind = (enum simctl_kube_kind)i};
        c->kind[i].watch = simctl_kube_watch_start(k, path, k_kind[i].query, &k_ops, &c->kind[i]);
        if (c->kind[i].watch == NULL) {
            return false;
        }
    }
    c->has_teller = pthread_create(&c->teller, NULL, tell_verdicts, c) == 0;
    return c->has_teller;
}

void simctl_kube_cache_close(struct simctl_kube_cache *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->stop = true;
    (void)pthread_cond_signal(&c->owed);
    (void)pthread_mutex_unlock(&c->lock);
    if (c->has_teller) {
        (void)pthread_join(c->teller, NULL);
    }
    for (unsigned i = 0; i < SIMCTL_KUBE_KINDS; i++) {
        simctl_kube_watch_stop(c->kind[i].watch);
    }
    while (c->count > 0) {
        drop(c, c->count - 1);
    }
    (void)pthread_cond_destroy(&c->owed);
    (void)pthread_mutex_destroy(&c->lock);
    free(c);
}

/* ---- reading */

static void copy(const struct simctl_instance *from, struct simctl_instance *out)
{
    *out = *from;
    (void)json_incref(out->labels);
    (void)json_incref(out->values);
}

bool simctl_kube_cache_read(struct simctl_kube_cache *c, const char *id,
                            struct simctl_instance *out, struct simctl_kube_about *about)
{
    bool there = false;
    (void)pthread_mutex_lock(&c->lock);
    const size_t place = place_of(c, id, &there);
    there = there && c->entry[place]->part[SIMCTL_KUBE_JOB] != NULL;
    if (there && out != NULL) {
        copy(&c->entry[place]->now, out);
    }
    if (there && about != NULL) {
        *about = c->entry[place]->about;
    }
    (void)pthread_mutex_unlock(&c->lock);
    return there;
}

void simctl_kube_cache_list(struct simctl_kube_cache *c, simctl_each *each, void *ctx)
{
    (void)pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->count; i++) {
        if (c->entry[i]->part[SIMCTL_KUBE_JOB] != NULL) {
            each(ctx, &c->entry[i]->now);
        }
    }
    (void)pthread_mutex_unlock(&c->lock);
}

bool simctl_kube_cache_ready(struct simctl_kube_cache *c, struct web_error *error)
{
    bool ready = true;
    (void)pthread_mutex_lock(&c->lock);
    for (unsigned i = 0; i < SIMCTL_KUBE_KINDS && ready; i++) {
        const struct kind *k = &c->kind[i];
        if (k->error.status != 0) {
            *error = k->error;
            ready = false;
        } else if (!k->listed) {
            ready = web_refuse(error, 503, "kubernetes", "namespace %.60s is being listed",
                               c->name_space);
        }
    }
    (void)pthread_mutex_unlock(&c->lock);
    return ready;
}
