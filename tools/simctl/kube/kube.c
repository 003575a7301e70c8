/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube.h"

#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/text.h"
#include "tools/simctl/kube/kube_cache.h"
#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_note.h"
#include "tools/simctl/kube/kube_pulse.h"
#include "tools/simctl/kube/kube_state.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOBS     "/apis/batch/v1/namespaces/%s/jobs"
#define PODS     "/api/v1/namespaces/%s/pods"
#define SECRETS  "/api/v1/namespaces/%s/secrets"
#define SERVICES "/api/v1/namespaces/%s/services"
#define QUOTAS   "/api/v1/namespaces/%s/resourcequotas"
#define EVENTS   "/api/v1/namespaces/%s/events"
/** An object of an earlier instance of this name is collected within seconds. */
#define STALE_TRIES   25u
#define STALE_STEP_MS 200
/** The control plane writes to a Job, too, while it is read and changed here. */
#define CHANGED_TRIES 5u
/* Instances that one request creates or ends at a time. */
#define WIDTH 16u

struct tenant {
    char name[SIMCTL_NAME_MAX], name_space[SIMCTL_NAME_MAX];
    struct simctl_kube_cache *cache;
};

struct simctl_kube_backend {
    struct simctl_kube *kube;
    struct simctl_key key;
    const struct simctl_ca *ca;
    const json_t *images;
    struct simctl_kube_notes *notes;
    struct simctl_kube_pulse *pulse; /* NULL until there is a tenant */
    struct tenant tenant[SIMCTL_KUBE_TENANTS_MAX];
    atomic_uint tenants;  /* watches look them up while others are added */
    pthread_mutex_t lock; /* of version */
    pthread_cond_t changed;
    uint64_t version;
};

/* ---- changes */

static void note_change(void *ctx)
{
    struct simctl_kube_backend *b = ctx;
    (void)pthread_mutex_lock(&b->lock);
    b->version++;
    (void)pthread_cond_broadcast(&b->changed);
    (void)pthread_mutex_unlock(&b->lock);
}

static uint64_t wait_change(void *ctx, uint64_t seen, int timeout_ms)
{
    struct simctl_kube_backend *b = ctx;
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += timeout_ms % 1000 * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_mutex_lock(&b->lock);
    while (b->version == seen && pthread_cond_timedwait(&b->changed, &b->lock, &until) == 0) {
    }
    const uint64_t version = b->version;
    (void)pthread_mutex_unlock(&b->lock);
    return version;
}

/* ---- paths */

static struct tenant *find_tenant(struct simctl_kube_backend *b, const char *name,
                                  struct web_error *error)
{
    for (unsigned i = 0; i < b->tenants; i++) {
        if (strcmp(b->tenant[i].name, name) == 0) {
            return &b->tenant[i];
        }
    }
    (void)web_refuse(error, 403, "tenant", "tenant '%.60s' has no namespace here", name);
    return NULL;
}

/* COLLECTION, or COLLECTION/NAME and what follows */
__attribute__((format(printf, 2, 0))) static void path_to(char *path, const char *collection,
                                                          const char *name_space, const char *name,
                                                          const char *more)
{
    size_t n = (size_t)snprintf(path, SIMCTL_KUBE_PATH_MAX, collection, name_space);
    (void)snprintf(path + n, SIMCTL_KUBE_PATH_MAX - n, "%s%s%s", name != NULL ? "/" : "",
                   name != NULL ? name : "", more);
}

static const char *uid_of(const json_t *object)
{
    return simctl_shape_text(json_object_get(object, "metadata"), "uid", "");
}

static bool refuse_unknown(const char *id, struct web_error *error)
{
    *error = (struct web_error){0};
    return web_refuse(error, 404, "unknown_instance", "there is no instance '%.60s'", id);
}

/* ---- create */

static bool is_owned_by(const json_t *object, const char *job_uid)
{
    const json_t *owners = json_object_get(json_object_get(object, "metadata"), "ownerReferences");
    return strcmp(simctl_shape_text(json_array_get(owners, 0), "uid", ""), job_uid) == 0;
}

/* A Job, or an object that the Job owns. */
struct wanted {
    const char *collection, *name, *job_uid; /* of its owner; NULL: it is the Job */
    json_t *object; /* the one to make; then the one that the API server has */
};

static bool is_being_deleted(const json_t *object)
{
    return json_is_string(
        json_object_get(json_object_get(object, "metadata"), "deletionTimestamp"));
}

/* Make it, or take the one that is there. Waited for is the end of one that is being collected, or
 * that an earlier Job owned, and an admission that is busy: a quota that others changed meanwhile
 * is a conflict, too (409). */
static bool make(struct simctl_kube_backend *b, struct tenant *t, struct wanted *o,
                 struct web_error *error)
{
    char all[SIMCTL_KUBE_PATH_MAX], one[SIMCTL_KUBE_PATH_MAX];
    json_t *made = NULL;
    path_to(all, o->collection, t->name_space, NULL, "");
    path_to(one, o->collection, t->name_space, o->name, "");
    for (unsigned n = 0; n < STALE_TRIES; n++) {
        *error = (struct web_error){0};
        bool good = simctl_kube_call(b->kube, "POST", all, o->object, &made, error);
        const bool there = !good && strcmp(error->code, "exists") == 0;
        if (there) {
            *error = (struct web_error){0};
            good = simctl_kube_call(b->kube, "GET", one, NULL, &made, error);
        }
        if (good &&
            (o->job_uid == NULL ? !is_being_deleted(made) : is_owned_by(made, o->job_uid))) {
            json_decref(o->object);
            o->object = made;
            return true;
        }
        json_decref(made);
        made = NULL;
        if (!good && error->status != (there ? 404u : 409u)) {
            return false;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = STALE_STEP_MS * 1000000L}, NULL);
    }
    *error = (struct web_error){0};
    return web_refuse(error, 503, "busy",
                      "the former instance %.60s is still being cleaned up, or a quota is busy: "
                      "try again",
                      o->name);
}

/* Refuse an order whose pod is beyond a quota now: the API server would take the Job, and refuse
 * the Job controller's pod later. A Job that exists already is not refused.
 * @return false: 429 "quota" */
static bool has_room(struct simctl_kube_backend *b, const struct tenant *t, const char *name,
                     const json_t *job, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    struct web_error ignored = {0};
    json_t *pod = simctl_kube_pod(job);
    path_to(path, PODS, t->name_space, NULL, "?dryRun=All");
    const bool good = simctl_kube_call(b->kube, "POST", path, pod, NULL, error);
    json_decref(pod);
    path_to(path, JOBS, t->name_space, name, "");
    if (!good && strcmp(error->code, "quota") == 0 &&
        !simctl_kube_call(b->kube, "GET", path, NULL, NULL, &ignored)) {
        return false;
    }
    *error = (struct web_error){0};
    return true;
}

/* The Job of an order, as it is made or was made before. @return NULL: @p error */
static json_t *make_job(struct simctl_kube_backend *b, struct tenant *t,
                        const struct simctl_order *order, struct web_error *error)
{
    json_t *pod = simctl_template_apply(order->template, order->values, SIMCTL_EXPANDS_DOLLARS);
    struct wanted job = {JOBS, simctl_kube_job_name(order), NULL, simctl_kube_job(order, pod)};
    simctl_kube_images(job.object, b->images);
    bool good = has_room(b, t, job.name, job.object, error) && make(b, t, &job, error);
    const json_t *made = json_object_get(job.object, "metadata");
    const json_t *annotations = json_object_get(made, "annotations");
    if (good && strcmp(simctl_shape_text(annotations, SIMCTL_KEY_HASH, ""), order->hash) != 0) {
        good = web_refuse(error, 409, "conflict",
                          "this request id was used for another request, of instance %.60s",
                          order->id);
    }
    json_decref(pod);
    if (!good) {
        json_decref(job.object);
    }
    return good ? job.object : NULL;
}

/* @param minted  NULL: its template wants no certificates */
static bool make_secret(struct simctl_kube_backend *b, struct tenant *t,
                        const struct simctl_order *order, const char *job_uid,
                        const struct simctl_minted *minted, struct web_error *error)
{
    char token[SIMCTL_TOKEN_MAX];
    simctl_drone_token(&b->key, order->id, token);
    struct wanted secret = {SECRETS, order->id, job_uid,
                            simctl_kube_secret(order, job_uid, token, minted)};
    const bool good = make(b, t, &secret, error);
    json_decref(secret.object);
    return good;
}

static bool make_service(struct simctl_kube_backend *b, struct tenant *t,
                         const struct simctl_order *order, const char *job_uid,
                         struct web_error *error)
{
    struct wanted service = {SERVICES, order->id, job_uid, simctl_kube_service(order, job_uid)};
    const bool good = make(b, t, &service, error);
    if (good) {
        simctl_kube_cache_take(t->cache, SIMCTL_KUBE_SERVICE, service.object);
    }
    json_decref(service.object);
    return good;
}

static void note_created(struct simctl_kube_backend *b, const struct tenant *t,
                         const struct simctl_order *order, const struct simctl_kube_about *about)
{
    char message[160];
    (void)snprintf(message, sizeof message, "started from template %s for %.0f s",
                   order->template->name, order->lifetime_s);
    simctl_kube_note(b->notes, t->name_space, order->id, about, SIMCTL_KUBE_NOTE_CREATED, 0,
                     message);
}

/* The certificate of an order, if its template wants one. @param minted  out */
static bool certify(const struct simctl_kube_backend *b, const struct simctl_order *order,
                    struct simctl_minted *minted, struct web_error *error)
{
    simctl_minted_free(minted);
    return order->template->certificates.container[0] == '\0' ||
           simctl_order_certify(order, b->ca, minted, error);
}

/* Make the objects that a Job owns. The kubelet mounts the Secret a moment later only. */
static bool make_owned(struct simctl_kube_backend *b, struct tenant *t,
                       const struct simctl_order *order, const char *job_uid,
                       const struct simctl_minted *minted, struct web_error *error)
{
    return make_secret(b, t, order, job_uid, minted, error) &&
           (order->template->reach != SIMCTL_REACH_NODE ||
            make_service(b, t, order, job_uid, error));
}

/* @param order  gets the id that its Job has: that of an earlier call, perhaps */
static bool make_all(struct simctl_kube_backend *b, struct tenant *t, struct simctl_order *order,
                     struct simctl_minted *minted, struct web_error *error)
{
    struct simctl_kube_about about = {.ended = false};
    json_t *job = make_job(b, t, order, error);
    if (job == NULL) {
        return false;
    }
    const json_t *labels = json_object_get(json_object_get(job, "metadata"), "labels");
    const char *id = simctl_shape_text(labels, SIMCTL_KEY_INSTANCE, "");
    const bool same = strcmp(id, order->id) == 0;
    (void)snprintf(order->id, sizeof order->id, "%s", id);
    simctl_kube_cache_take(t->cache, SIMCTL_KUBE_JOB, job);
    if (simctl_kube_cache_read(t->cache, order->id, NULL, &about)) {
        note_created(b, t, order, &about);
    }
    const bool good = (same || certify(b, order, minted, error)) &&
                      (about.ended || make_owned(b, t, order, uid_of(job), minted, error));
    json_decref(job);
    return good;
}

static bool create(void *ctx, const struct simctl_order *order, struct simctl_instance *out,
                   struct web_error *error)
{
    struct simctl_kube_backend *b = ctx;
    struct simctl_minted minted = {0};
    struct simctl_order own = *order;
    struct tenant *t = find_tenant(b, order->tenant, error);
    if (t == NULL || !certify(b, order, &minted, error)) {
        return false; /* before there is a Job that would wait for them */
    }
    const bool good = make_all(b, t, &own, &minted, error);
    simctl_minted_free(&minted);
    return good &&
           (simctl_kube_cache_read(t->cache, own.id, out, NULL) || refuse_unknown(own.id, error));
}

/* ---- read and list */

/* Read an instance that the cache lacks: another controller may have made it a moment ago. */
static bool fetch(struct simctl_kube_backend *b, struct tenant *t, const char *id,
                  struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX], query[160];
    json_t *list = NULL;
    if (!simctl_is_name(id)) {
        return refuse_unknown(id, error);
    }
    (void)snprintf(query, sizeof query, "?labelSelector=%s%%3D%s,%s%%3D%s", SIMCTL_KEY_INSTANCE, id,
                   SIMCTL_KEY_MANAGED, SIMCTL_MANAGED);
    path_to(path, JOBS, t->name_space, NULL, query);
    if (!simctl_kube_call(b->kube, "GET", path, NULL, &list, error)) {
        return false;
    }
    const json_t *job = json_array_get(json_object_get(list, "items"), 0);
    if (job != NULL) {
        simctl_kube_cache_take(t->cache, SIMCTL_KUBE_JOB, job);
    }
    json_decref(list);
    return job != NULL || refuse_unknown(id, error);
}

static struct tenant *look_up(struct simctl_kube_backend *b, const char *tenant, const char *id,
                              struct simctl_instance *out, struct simctl_kube_about *about,
                              struct web_error *error)
{
    struct tenant *t = find_tenant(b, tenant, error);
    const bool good =
        t != NULL && (simctl_kube_cache_read(t->cache, id, out, about) ||
                      (fetch(b, t, id, error) && simctl_kube_cache_read(t->cache, id, out, about)));
    return good ? t : NULL;
}

static bool read_one(void *ctx, const char *tenant, const char *id, struct simctl_instance *out,
                     struct web_error *error)
{
    return look_up(ctx, tenant, id, out, NULL, error) != NULL;
}

static bool list(void *ctx, const char *tenant, simctl_each *each, void *each_ctx,
                 struct web_error *error)
{
    struct tenant *t = find_tenant(ctx, tenant, error);
    if (t == NULL || !simctl_kube_cache_ready(t->cache, error)) {
        return false;
    }
    simctl_kube_cache_list(t->cache, each, each_ctx);
    return true;
}

/* ---- end and extend */

/* A merge patch of the Job. */
static bool patch_job(struct simctl_kube_backend *b, struct tenant *t, const char *id,
                      const struct simctl_kube_about *about, json_t *patch, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    json_t *job = NULL;
    path_to(path, JOBS, t->name_space, about->job, "");
    const bool good = simctl_kube_call(b->kube, "PATCH", path, patch, &job, error);
    if (good) {
        simctl_kube_cache_take(t->cache, SIMCTL_KUBE_JOB, job);
    }
    json_decref(patch);
    json_decref(job);
    return good || (error->status == 404 ? refuse_unknown(id, error) : false);
}

static bool end_pod(struct simctl_kube_backend *b, struct tenant *t,
                    const struct simctl_kube_about *about, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    json_t *patch = simctl_kube_end_pod(about->pod_uid);
    path_to(path, PODS, t->name_space, about->pod, "");
    const bool good = simctl_kube_call(b->kube, "PATCH", path, patch, NULL, error);
    if (!good && error->status == 404) {
        *error = (struct web_error){0}; /* the Job was deleted meanwhile */
    }
    json_decref(patch);
    return good || error->status == 0;
}

static bool end(void *ctx, const char *tenant, const char *id, const char *reason, bool keep_logs,
                struct web_error *error)
{
    struct simctl_kube_backend *b = ctx;
    struct simctl_kube_about about = {.ended = false};
    struct simctl_instance now = {0};
    struct tenant *t = look_up(b, tenant, id, &now, &about, error);
    if (t == NULL || about.ended || about.decided) {
        simctl_instance_free(&now);
        return t != NULL;
    }
    const bool at_once = !keep_logs || about.pod[0] == '\0';
    json_t *patch = simctl_kube_end(about.uid, NULL, simctl_outcome_code(SIMCTL_OUTCOME_BY_CALLER),
                                    reason, at_once, &now);
    simctl_instance_free(&now);
    const bool good =
        patch_job(b, t, id, &about, patch, error) && (at_once || end_pod(b, t, &about, error));
    if (good) {
        simctl_kube_note(b->notes, t->name_space, id, &about, SIMCTL_KUBE_NOTE_ENDED, 0, reason);
    }
    return good;
}

static void note_extended(struct simctl_kube_backend *b, const struct tenant *t, const char *id,
                          const struct simctl_kube_about *about, int64_t ends_us)
{
    char message[64], ends[32];
    simctl_utc_text(ends_us, ends);
    (void)snprintf(message, sizeof message, "its lifetime now ends at %s", ends);
    simctl_kube_note(b->notes, t->name_space, id, about, SIMCTL_KUBE_NOTE_EXTENDED,
                     ends_us / 1000000, message);
}

/*
 * Move the deadline of the Job as it is now, unless it is ending: moving it then would revoke the
 * end.
 * @return false: 409 "conflict": the Job has changed meanwhile
 */
static bool move_end(struct simctl_kube_backend *b, struct tenant *t, const char *id,
                     int64_t ends_us, struct web_error *error)
{
    struct simctl_instance now = {0};
    struct simctl_kube_about about = {.ended = false};
    if (!fetch(b, t, id, error) || !simctl_kube_cache_read(t->cache, id, &now, &about)) {
        return error->status != 0 ? false : refuse_unknown(id, error);
    }
    const bool over = now.state == SIMCTL_ENDING || now.state == SIMCTL_ENDED;
    simctl_instance_free(&now);
    if (over) {
        return web_refuse(error, 409, "ended", "instance %.60s has ended", id);
    }
    const double lifetime_s = ceil((double)(ends_us - about.asked_us) * 1e-6);
    const bool good =
        patch_job(b, t, id, &about,
                  simctl_kube_extend(about.uid, about.version, (json_int_t)lifetime_s), error);
    if (good) {
        note_extended(b, t, id, &about, ends_us);
    }
    return good;
}

static bool extend(void *ctx, const char *tenant, const char *id, int64_t ends_us,
                   struct web_error *error)
{
    struct tenant *t = find_tenant(ctx, tenant, error);
    bool good = false;
    for (unsigned n = 0; t != NULL && !good && n < CHANGED_TRIES; n++) {
        *error = (struct web_error){0};
        good = move_end(ctx, t, id, ends_us, error);
        if (!good && (error->status != 409 || strcmp(error->code, "conflict") != 0)) {
            break;
        }
    }
    return good;
}

static struct tenant *tenant_in(struct simctl_kube_backend *b, const char *name_space)
{
    struct tenant *found = NULL;
    for (unsigned i = 0; i < b->tenants && found == NULL; i++) {
        found = strcmp(b->tenant[i].name_space, name_space) == 0 ? &b->tenant[i] : NULL;
    }
    return found;
}

/* Note a verdict in the Job. The watches of all controllers call this at once with the same
 * verdict. A Job that has changed meanwhile is judged again when its watch shows the change. */
static void report_change(void *ctx, const char *name_space, const char *id,
                          const struct simctl_kube_verdict *verdict)
{
    struct simctl_kube_backend *b = ctx;
    struct web_error error = {0};
    struct simctl_kube_about about;
    struct simctl_instance now = {0};
    struct tenant *t = tenant_in(b, name_space);
    const char *code = simctl_outcome_code(verdict->outcome);
    if (t == NULL || !simctl_kube_cache_read(t->cache, id, &now, &about)) {
        return;
    }
    json_t *patch =
        verdict->waits
            ? simctl_kube_waits(about.uid, about.version, code, verdict->reason)
            : simctl_kube_end(about.uid, about.version, code, verdict->reason, false, &now);
    simctl_instance_free(&now);
    if (patch_job(b, t, id, &about, patch, &error) && verdict->ends) {
        (void)end_pod(ctx, t, &about, &error);
        simctl_kube_note(b->notes, name_space, id, &about,
                         verdict->restarted ? SIMCTL_KUBE_NOTE_RESTARTED : SIMCTL_KUBE_NOTE_ENDED,
                         0, verdict->reason);
    }
}

static void note_expired(void *ctx, const char *name_space, const char *id,
                         const struct simctl_kube_about *about)
{
    const struct simctl_kube_backend *b = ctx;
    simctl_kube_note(b->notes, name_space, id, about, SIMCTL_KUBE_NOTE_EXPIRED, 0,
                     "its lifetime was over");
}

/* ---- logs */

/* A log on its way. Where its file is gone, the kubelet says so with 200. */
struct log {
    simctl_sink *sink;
    void *ctx;
    bool begun, gone;
};

static bool take_log(void *ctx, const char *bytes, size_t n)
{
    static const char *const k_gone[] = {"failed to try resolving symlinks in path ",
                                         "unable to retrieve container logs for "};
    struct log *l = ctx;
    for (size_t i = 0; !l->begun && i < sizeof k_gone / sizeof k_gone[0]; i++) {
        const size_t len = strlen(k_gone[i]);
        l->gone = l->gone || (n > len && memcmp(bytes, k_gone[i], len) == 0);
    }
    l->begun = true;
    return !l->gone && l->sink(l->ctx, bytes, n);
}

static bool logs(void *ctx, const char *tenant, const char *id, const char *container,
                 simctl_sink *sink, void *sink_ctx, struct web_error *error)
{
    struct simctl_kube_backend *b = ctx;
    struct simctl_kube_about about = {.ended = false};
    char path[SIMCTL_KUBE_PATH_MAX], more[128];
    struct tenant *t = look_up(b, tenant, id, NULL, &about, error);
    if (t == NULL) {
        return false;
    }
    const char *name = container[0] != '\0' ? container : about.emulator;
    if (!simctl_is_name(name)) {
        return web_refuse(error, 422, "container", "'%.60s' is not a name of a container", name);
    }
    (void)snprintf(more, sizeof more, "/log?container=%.63s", name);
    path_to(path, PODS, t->name_space, about.pod, more);
    struct log l = {.sink = sink, .ctx = sink_ctx, .gone = about.pod[0] == '\0'};
    const bool good = !l.gone && simctl_kube_text(b->kube, path, take_log, &l, error);
    if (l.gone) {
        *error = (struct web_error){0};
        (void)web_refuse(error, 404, "no_logs",
                         about.ended || l.begun ? "instance %.60s ended without keeping its logs"
                                                : "instance %.60s has no pod yet",
                         id);
    }
    return good;
}

static bool recording(void *ctx, const char *tenant, const char *id, simctl_sink *sink,
                      void *sink_ctx, struct web_error *error)
{
    struct simctl_kube_about about = {.ended = false};
    struct simctl_text text = {0};
    if (look_up(ctx, tenant, id, NULL, &about, error) == NULL) {
        return false;
    }
    if (!about.recorded) {
        return web_refuse(error, 404, "no_recording", SIMCTL_NO_RECORDING, id);
    }
    const bool good = logs(ctx, tenant, id, SIMCTL_RECORDER, simctl_text_add, &text, error);
    const size_t n = good && text.bytes != NULL ? simctl_recording_decode(text.bytes, text.len) : 0;
    if (n > 0) {
        (void)sink(sink_ctx, text.bytes, n);
    }
    free(text.bytes);
    return good;
}

/* ---- events */

static bool add_events(struct simctl_kube_backend *b, const struct tenant *t, const char *object,
                       json_t *out, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX], query[160];
    json_t *list = NULL;
    (void)snprintf(query, sizeof query, "?fieldSelector=involvedObject.name%%3D%.63s", object);
    path_to(path, EVENTS, t->name_space, NULL, query);
    const bool good = simctl_kube_call(b->kube, "GET", path, NULL, &list, error);
    simctl_kube_events(list, out);
    json_decref(list);
    return good;
}

static bool events(void *ctx, const char *tenant, const char *id, json_t *out,
                   struct web_error *error)
{
    struct simctl_kube_about about = {.ended = false};
    struct tenant *t = look_up(ctx, tenant, id, NULL, &about, error);
    return t != NULL && add_events(ctx, t, about.job, out, error) &&
           (about.pod[0] == '\0' || add_events(ctx, t, about.pod, out, error));
}

/* ---- templates */

/*
 * Ask the API server whether it would accept an object (dry run). @return false: 422, it would not;
 * else the server did not answer
 */
static bool try_object(struct simctl_kube_backend *b, const struct tenant *t,
                       const char *collection, const json_t *object, struct web_error *error)
{
    char path[SIMCTL_KUBE_PATH_MAX];
    path_to(path, collection, t->name_space, NULL, "?dryRun=All");
    const bool good = simctl_kube_call(b->kube, "POST", path, object, NULL, error);
    if (!good && error->status == 429) {
        *error = (struct web_error){0}; /* the quota is used up: that will pass */
    }
    return good || error->status == 0;
}

/*
 * Try the Job, and the pod that the Job controller would make of it: pod security, limits and other
 * rules of a namespace apply to pods only.
 */
static bool try_template(struct simctl_kube_backend *b, const struct tenant *t,
                         struct simctl_order *order, struct web_error *error)
{
    json_t *pod = simctl_template_apply(order->template, order->values, SIMCTL_EXPANDS_DOLLARS);
    json_t *job = simctl_kube_job(order, pod);
    simctl_kube_images(job, b->images);
    json_t *alone = simctl_kube_pod(job);
    const bool good = try_object(b, t, JOBS, job, error) && try_object(b, t, PODS, alone, error);
    json_decref(alone);
    json_decref(job);
    json_decref(pod);
    return good;
}

static bool check(void *ctx, const char *tenant, const struct simctl_template *template,
                  struct web_error *error)
{
    struct web_error why = {0};
    struct tenant *t = find_tenant(ctx, tenant, error);
    struct simctl_order order = {.template = template,
                                 .tenant = tenant,
                                 .id = "template-is-tried",
                                 .values = simctl_template_values(template, NULL, error),
                                 .labels = json_object(),
                                 .lifetime_s = template->lifetime_default_s};
    bool good = t != NULL && order.values != NULL;
    if (good && !try_template(ctx, t, &order, &why)) {
        good = why.status != 422 || web_refuse(error, why.status, why.code, "namespace %.63s: %s",
                                               t->name_space, why.message);
    }
    json_decref((json_t *)order.values);
    json_decref((json_t *)order.labels);
    return good;
}

static bool limits(void *ctx, const char *tenant, json_t *out, struct web_error *error)
{
    struct simctl_kube_backend *b = ctx;
    struct tenant *t = find_tenant(b, tenant, error);
    char path[SIMCTL_KUBE_PATH_MAX];
    json_t *list = NULL;
    const json_t *quota;
    size_t i;
    if (t == NULL) {
        return false;
    }
    path_to(path, QUOTAS, t->name_space, NULL, "");
    const bool good = simctl_kube_call(b->kube, "GET", path, NULL, &list, error);
    json_array_foreach(json_object_get(list, "items"), i, quota)
    {
        const json_t *status = json_object_get(quota, "status");
        const char *name = simctl_shape_text(json_object_get(quota, "metadata"), "name", "");
        (void)json_array_append_new(out, json_pack("{s:s, s:O?, s:O?}", "name", name, "hard",
                                                   json_object_get(status, "hard"), "used",
                                                   json_object_get(status, "used")));
    }
    json_decref(list);
    return good;
}

static bool is_ready(void *ctx, const char *tenant, struct web_error *error)
{
    struct simctl_kube_backend *b = ctx;
    struct tenant *t = find_tenant(b, tenant, error);
    return t != NULL && simctl_kube_cache_ready(t->cache, error) &&
           (b->pulse == NULL || simctl_kube_pulse_good(b->pulse, error));
}

const struct simctl_backend_ops simctl_kube_ops = {
    create,      read_one, list,   extend, end,      logs,  recording,
    wait_change, check,    events, limits, is_ready, WIDTH,
};

/* ---- life */

struct simctl_kube_backend *simctl_kube_start(struct simctl_kube *k, const struct simctl_key *key,
                                              const struct simctl_ca *ca, const json_t *images)
{
    pthread_condattr_t monotonic;
    struct simctl_kube_backend *b = calloc(1, sizeof *b);
    if (b != NULL) {
        b->kube = k;
        b->key = *key;
        b->ca = ca;
        b->images = images;
        b->notes = simctl_kube_notes_start(k);
        (void)pthread_mutex_init(&b->lock, NULL);
        (void)pthread_condattr_init(&monotonic);
        (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
        (void)pthread_cond_init(&b->changed, &monotonic);
        (void)pthread_condattr_destroy(&monotonic);
    }
    return b;
}

bool simctl_kube_add(struct simctl_kube_backend *b, const char *tenant, const char *name_space,
                     struct web_error *error)
{
    const struct simctl_kube_listener listener = {note_change, report_change, note_expired, b};
    if (b->tenants == SIMCTL_KUBE_TENANTS_MAX || !simctl_is_name(name_space)) {
        return web_refuse(error, 422, "tenants",
                          "tenant %.60s: %u tenants at most, in namespaces of Kubernetes' names",
                          tenant, SIMCTL_KUBE_TENANTS_MAX);
    }
    struct tenant *t = &b->tenant[b->tenants];
    (void)snprintf(t->name, sizeof t->name, "%s", tenant);
    (void)snprintf(t->name_space, sizeof t->name_space, "%s", name_space);
    t->cache = simctl_kube_cache_open(name_space, &listener);
    if (t->cache == NULL) {
        return web_refuse(error, 500, "memory", "no memory for tenant %.60s", tenant);
    }
    b->tenants++;
    if (b->pulse == NULL) {
        char path[SIMCTL_KUBE_PATH_MAX];
        path_to(path, JOBS, name_space, NULL, "?limit=1");
        b->pulse = simctl_kube_pulse_start(b->kube, path);
    }
    return simctl_kube_cache_start(t->cache, b->kube) ||
           web_refuse(error, 500, "memory", "no memory for tenant %.60s", tenant);
}

void simctl_kube_stop(struct simctl_kube_backend *b)
{
    simctl_kube_cancel(b->kube); /* its watches may wait for an answer */
    for (unsigned i = 0; i < b->tenants; i++) {
        simctl_kube_cache_close(b->tenant[i].cache);
    }
    simctl_kube_pulse_stop(b->pulse);
    simctl_kube_notes_stop(b->notes);
    (void)pthread_cond_destroy(&b->changed);
    (void)pthread_mutex_destroy(&b->lock);
    memset(&b->key, 0, sizeof b->key);
    free(b);
}
