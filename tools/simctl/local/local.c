/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/local.h"

#include "hal-posix/cgroup.h"
#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/local/local_instance.h"
#include "tools/simctl/local/local_run.h"
#include "tools/simctl/local/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_BUSY_MS     4
#define LOOK_IDLE_MS     50
#define LOOK_RUN_US      1000000 /* between looks at the commands of an instance that is ready */
#define LOCK_PATIENCE_MS 5000
/*
 * An instance has ended 10 s after the request to end, or the end of its lifetime. A drone needs 4
 * s to end processes that ignore SIGTERM; the keeper of a killed drone needs 2 s (keeper.h).
 */
#define DRONE_PATIENCE_US 5000000 /* from the order to SIGKILL for the drone */
#define REST_PATIENCE_US  7200000 /* from the order to SIGKILL for all */
#define ALONE_PATIENCE_US 2500000 /* from the end of a killed drone to SIGKILL for all */
/* Pause between looks at all processes of the machine: this, and so many times the last look. */
#define SEARCH_MS    20
#define SEARCH_SHARE 4

struct simctl_local {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool stop;
    uint64_t version;
    int64_t search_us; /* UTC of the next look at all processes */
    struct simctl_local_site site;
    int folder_fd;  /* of site.folder, locked */
    unsigned count; /* places in use are below */
    struct simctl_local_instance instance[SIMCTL_LOCAL_MAX];
};

static void note_change(struct simctl_local *l)
{
    l->version++;
    (void)pthread_cond_broadcast(&l->changed);
}

static struct simctl_local_instance *find(struct simctl_local *l, const char *tenant,
                                          const char *id)
{
    for (unsigned n = 0; n < l->count; n++) {
        struct simctl_local_instance *x = &l->instance[n];
        if (x->used && strcmp(x->i.id, id) == 0 && strcmp(x->tenant, tenant) == 0) {
            return x;
        }
    }
    return NULL;
}

/* The instance of an order's request, whose name has the tenant in it. */
static struct simctl_local_instance *find_request(struct simctl_local *l, const char *request)
{
    for (unsigned n = 0; n < l->count && request[0] != '\0'; n++) {
        if (l->instance[n].used && strcmp(l->instance[n].request, request) == 0) {
            return &l->instance[n];
        }
    }
    return NULL;
}

static bool refuse_unknown(const char *id, struct web_error *error)
{
    return web_refuse(error, 404, "unknown_instance", "there is no instance '%.60s'", id);
}

static void forget(struct simctl_local *l, struct simctl_local_instance *x)
{
    simctl_local_remove(&l->site, x->i.id);
    simctl_instance_free(&x->i);
    simctl_probe_close(&x->probe);
    *x = (struct simctl_local_instance){0};
    while (l->count > 0 && !l->instance[l->count - 1].used) {
        l->count--;
    }
}

/* ---- what becomes of them */

/* States go forwards only. */
static void advance(struct simctl_local *l, struct simctl_local_instance *x,
                    enum simctl_state state)
{
    if (state > x->i.state) {
        x->i.state = state;
        note_change(l);
    }
}

static void set_reason(struct simctl_local *l, struct simctl_local_instance *x, const char *reason)
{
    if (strcmp(x->i.reason, reason) != 0) {
        (void)snprintf(x->i.reason, sizeof x->i.reason, "%s", reason);
        note_change(l);
    }
}

/* Read the state of the commands, and take up its reason where it is the instance's. */
static void look_at_run(struct simctl_local *l, struct simctl_local_instance *x)
{
    char folder[SIMCTL_PATH_BYTES], reason[SIMCTL_REASON_MAX];
    if (!x->onboard || x->i.outcome != SIMCTL_OUTCOME_OPEN || simctl_local_is_run_over(x)) {
        return;
    }
    simctl_local_path(&l->site, x->i.id, "", folder);
    x->run = simctl_run_state_read(folder, reason);
    if (simctl_local_is_run_over(x)) {
        set_reason(l, x, reason);
        advance(l, x, SIMCTL_ENDING);
    } else if (x->run == SIMCTL_RUN_DEGRADED && x->i.ready_us != 0) {
        set_reason(l, x, reason);
        advance(l, x, SIMCTL_DEGRADED);
    } else if (x->run == SIMCTL_RUN_STARTING && x->i.state == SIMCTL_STARTING) {
        set_reason(l, x, reason[0] != '\0' ? reason : "the drone is not ready yet");
    }
}

static void look_at_start(struct simctl_local *l, struct simctl_local_instance *x)
{
    simctl_local_read_addresses(&l->site, x);
    const char *port = strrchr(x->i.within.api, ':');
    if (port == NULL) {
        return;
    }
    if (x->i.state == SIMCTL_PENDING) {
        x->i.started_us = simctl_utc_us();
        set_reason(l, x, "the drone is not ready yet");
        advance(l, x, SIMCTL_STARTING);
    }
    look_at_run(l, x);
    const bool run = !x->onboard || x->run == SIMCTL_RUN_READY || x->run == SIMCTL_RUN_DEGRADED;
    if (run && x->i.state == SIMCTL_STARTING &&
        simctl_probe_ok(&x->probe, (unsigned)strtoul(port + 1, NULL, 10), "/readyz")) {
        x->i.ready_us = simctl_utc_us();
        set_reason(l, x, "");
        advance(l, x, SIMCTL_READY);
        look_at_run(l, x);
        (void)simctl_local_save(&l->site, x);
    }
}

static bool has_ended(const struct simctl_local_instance *x, int *status)
{
    *status = 0;
    if (x->drone.pid == 0) {
        return true;
    }
    if (x->child) {
        return waitpid(x->drone.pid, status, WNOHANG) == x->drone.pid;
    }
    return !simctl_process_runs(&x->drone);
}

static void signal_drone(const struct simctl_local_instance *x, int number)
{
    if (x->child && x->drone.pid > 0) {
        (void)kill(x->drone.pid, number);
    } else if (x->drone.pid > 0) {
        simctl_process_signal(&x->drone, number);
    }
}

static void tell_to_end(struct simctl_local *l, struct simctl_local_instance *x,
                        enum simctl_outcome outcome, const char *reason)
{
    if (x->i.state == SIMCTL_ENDED || x->told_us != 0) {
        return;
    }
    look_at_run(l, x);
    x->told_us = simctl_utc_us();
    if (!simctl_local_is_run_over(x) && x->i.outcome == SIMCTL_OUTCOME_OPEN) {
        simctl_local_set_outcome(x, outcome, "%s", reason);
    }
    signal_drone(x, SIGTERM);
    simctl_probe_close(&x->probe);
    advance(l, x, SIMCTL_ENDING);
    (void)simctl_local_save(&l->site, x);
    note_change(l);
}

/* Nothing of it runs. */
static void finish(struct simctl_local *l, struct simctl_local_instance *x)
{
    x->i.ended_us = simctl_utc_us();
    advance(l, x, SIMCTL_ENDED);
    (void)simctl_local_save(&l->site, x);
}

/* The drone has ended. It ends all others before, unless it was killed. */
static void take_end(struct simctl_local *l, struct simctl_local_instance *x, int status)
{
    look_at_run(l, x);
    simctl_local_judge(&l->site, x, status);
    simctl_probe_close(&x->probe);
    x->drone.pid = 0;
    if (x->child && WIFEXITED(status)) {
        finish(l, x);
        return;
    }
    x->alone_us = simctl_utc_us();
    x->found = true; /* until a look at all processes finds none */
    advance(l, x, SIMCTL_ENDING);
    (void)simctl_local_save(&l->site, x);
}

/* @return true: look at it again soon */
static bool check_instance(struct simctl_local *l, struct simctl_local_instance *x)
{
    int status;
    const int64_t now_us = simctl_utc_us();
    if (x->i.state == SIMCTL_ENDED) {
        if (now_us > x->i.ended_us + (int64_t)(x->i.ttl_s * 1e6)) {
            forget(l, x);
            note_change(l);
        }
        return false;
    }
    if (x->alone_us != 0) {
        if (!x->found) {
            finish(l, x);
        }
        return x->found;
    }
    if (has_ended(x, &status)) {
        take_end(l, x, status);
        return x->alone_us != 0;
    }
    if (now_us >= x->i.ends_us) {
        tell_to_end(l, x, SIMCTL_OUTCOME_EXPIRED, "its lifetime is over");
    }
    if (x->told_us != 0 && now_us > x->told_us + DRONE_PATIENCE_US) {
        signal_drone(x, SIGKILL);
    }
    if (x->i.state == SIMCTL_PENDING || x->i.state == SIMCTL_STARTING) {
        look_at_start(l, x);
    } else if (now_us > x->run_us + LOOK_RUN_US) {
        x->run_us = now_us;
        look_at_run(l, x);
    }
    return x->i.state < SIMCTL_READY || x->i.state == SIMCTL_ENDING;
}

/* ---- processes without their drone */

/* Find the instance whose folder is, or begins, the value of a process's variable.
 * @param rest  out: what follows its folder */
static struct simctl_local_instance *find_by_folder(struct simctl_local *l, const char *value,
                                                    const char **rest)
{
    const size_t length = strlen(l->site.folder);
    if (strncmp(value, l->site.folder, length) != 0 || value[length] != '/') {
        return NULL;
    }
    const char *id = value + length + 1;
    const size_t n = strcspn(id, "/");
    *rest = id + n;
    for (unsigned k = 0; k < l->count; k++) {
        struct simctl_local_instance *x = &l->instance[k];
        if (x->used && strncmp(x->i.id, id, n) == 0 && x->i.id[n] == '\0') {
            return x;
        }
    }
    return NULL;
}

static void take_left(void *ctx, const struct simctl_process *process, const char *value)
{
    struct simctl_local *l = ctx;
    const char *rest = NULL;
    const int64_t now_us = simctl_utc_us();
    struct simctl_local_instance *x = find_by_folder(l, value, &rest);
    if (x != NULL && x->alone_us != 0 && x->i.state != SIMCTL_ENDED) {
        x->found = true;
        if (now_us > x->alone_us + ALONE_PATIENCE_US ||
            (x->told_us != 0 && now_us > x->told_us + REST_PATIENCE_US)) {
            simctl_process_signal(process, SIGKILL);
        }
    }
}

/* End the processes of drones that were killed. Their keepers do that first; processes that a
 * keeper has not ended are in its group, or have the variable of their instance. */
static void search_left(struct simctl_local *l)
{
    const int64_t begin_us = simctl_utc_us();
    bool any = false;
    if (begin_us < l->search_us) {
        return;
    }
    for (unsigned n = 0; n < l->count; n++) {
        struct simctl_local_instance *x = &l->instance[n];
        any = any || (x->used && x->found);
        x->found = false;
    }
    if (any) {
        simctl_find_processes(SIMCTL_FOLDER_VARIABLE, take_left, l);
        /* a process that is about to end has lost its environment, but still holds its lock */
        const bool ending = mf_cgroup_sweep(true);
        for (unsigned n = 0; n < l->count; n++) {
            l->instance[n].found |= ending && l->instance[n].alone_us != 0;
        }
        const int64_t end_us = simctl_utc_us();
        l->search_us = end_us + 1000 * SEARCH_MS + SEARCH_SHARE * (end_us - begin_us);
    }
}

static void *watch_instances(void *ctx)
{
    struct simctl_local *l = ctx;
    (void)pthread_mutex_lock(&l->lock);
    while (!l->stop) {
        bool soon = false;
        search_left(l);
        for (unsigned n = 0; n < l->count; n++) {
            soon = (l->instance[n].used && check_instance(l, &l->instance[n])) || soon;
        }
        (void)pthread_mutex_unlock(&l->lock);
        (void)usleep(1000u * (soon ? LOOK_BUSY_MS : LOOK_IDLE_MS));
        (void)pthread_mutex_lock(&l->lock);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* ---- the operations */

static void copy_out(const struct simctl_local_instance *x, struct simctl_instance *out)
{
    *out = x->i;
    out->labels =
        json_deep_copy(x->i.labels); /* threads share no references: they are not counted safely */
    out->values = json_deep_copy(x->i.values);
}

/* Forget the instance that ended first, before the end of its TTL, to make room. */
static void forget_oldest(struct simctl_local *l)
{
    struct simctl_local_instance *oldest = NULL;
    for (unsigned n = 0; n < l->count; n++) {
        struct simctl_local_instance *x = &l->instance[n];
        if (x->used && x->i.state == SIMCTL_ENDED &&
            (oldest == NULL || x->i.ended_us < oldest->i.ended_us)) {
            oldest = x;
        }
    }
    if (oldest != NULL) {
        forget(l, oldest);
    }
}

/* @return index of a free place; SIMCTL_LOCAL_MAX: all are in use */
static unsigned free_place(const struct simctl_local *l)
{
    unsigned n = 0;
    while (n < l->count && l->instance[n].used) {
        n++;
    }
    return n;
}

static struct simctl_local_instance *place(struct simctl_local *l)
{
    unsigned n = free_place(l);
    if (n == SIMCTL_LOCAL_MAX) {
        forget_oldest(l);
        n = free_place(l);
    }
    if (n == SIMCTL_LOCAL_MAX) {
        return NULL;
    }
    l->count = n == l->count ? n + 1 : l->count;
    l->instance[n] = (struct simctl_local_instance){.used = true};
    return &l->instance[n];
}

static bool certify(struct simctl_local *l, const struct simctl_order *order, json_t *pod,
                    struct web_error *error)
{
    const struct simctl_template *t = order->template;
    char path[SIMCTL_PATH_BYTES];
    struct simctl_minted minted = {0};
    if (t->certificates.container[0] == '\0') {
        return true;
    }
    if (!simctl_order_certify(order, l->site.ca, &minted, error)) {
        return false;
    }
    const bool good = simctl_local_certify(&l->site, order->id, &minted);
    simctl_minted_free(&minted);
    simctl_local_path(&l->site, order->id, "", path);
    simctl_set_variable(simctl_container(pod, t->certificates.container),
                        SIMCTL_CERTIFICATES_VARIABLE, path);
    return good || web_refuse(error, 507, "folder", "%.160s: %s", path, strerror(errno));
}

/* @return the instance of the same request, that of an earlier call included; NULL: @p error */
static struct simctl_local_instance *
create_locked(struct simctl_local *l, const struct simctl_order *order, struct web_error *error)
{
    char path[SIMCTL_PATH_BYTES];
    struct simctl_local_instance *x = find_request(l, order->request);
    const struct simctl_template *t = order->template;
    if (x != NULL && strcmp(x->hash, order->hash) != 0) {
        (void)web_refuse(error, 409, "conflict",
                         "this request id was used for another request, of instance %s", x->i.id);
        return NULL;
    }
    if (x != NULL) {
        return x;
    }
    x = place(l);
    if (x == NULL) {
        (void)web_refuse(error, 429, "full", "this machine runs %u instances at most",
                         SIMCTL_LOCAL_MAX);
        return NULL;
    }
    (void)snprintf(x->i.id, sizeof x->i.id, "%s", order->id);
    (void)snprintf(x->tenant, sizeof x->tenant, "%s", order->tenant);
    (void)snprintf(x->request, sizeof x->request, "%s", order->request);
    (void)snprintf(x->hash, sizeof x->hash, "%s", order->hash);
    (void)snprintf(x->i.template_name, sizeof x->i.template_name, "%s", t->name);
    x->i.labels = json_deep_copy(order->labels);
    x->i.values = json_deep_copy(order->values);
    x->i.asked_us = x->i.scheduled_us = simctl_utc_us();
    x->i.ends_us = x->i.asked_us + (int64_t)(order->lifetime_s * 1e6);
    (void)snprintf(x->i.reason, sizeof x->i.reason, "the drone has not opened its ports yet");
    x->extend = t->extend;
    x->lifetime_max_s = t->lifetime_max_s;
    x->i.ttl_s = t->ttl_s;
    simctl_local_path(&l->site, x->i.id, "", path);
    json_t *pod = simctl_template_apply(t, order->values, SIMCTL_EXPANDS_NOTHING);
    const bool good = (mkdir(path, 0755) == 0 || errno == EEXIST ||
                       web_refuse(error, 507, "folder", "%.160s: %s", path, strerror(errno))) &&
                      certify(l, order, pod, error) &&
                      simctl_local_begin(&l->site, x, t, pod, error);
    json_decref(pod);
    if (!good) {
        forget(l, x);
    }
    note_change(l);
    return good ? x : NULL;
}

static bool do_read(void *ctx, const char *tenant, const char *id, struct simctl_instance *out,
                    struct web_error *error)
{
    struct simctl_local *l = ctx;
    (void)pthread_mutex_lock(&l->lock);
    const struct simctl_local_instance *x = find(l, tenant, id);
    if (x != NULL) {
        copy_out(x, out);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return x != NULL || refuse_unknown(id, error);
}

static bool do_create(void *ctx, const struct simctl_order *order, struct simctl_instance *out,
                      struct web_error *error)
{
    struct simctl_local *l = ctx;
    (void)pthread_mutex_lock(&l->lock);
    const struct simctl_local_instance *x = create_locked(l, order, error);
    if (x != NULL) {
        copy_out(x, out);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return x != NULL;
}

static int by_id(const void *a, const void *b)
{
    const struct simctl_instance *x = *(const void *const *)a, *y = *(const void *const *)b;
    return strcmp(x->id, y->id);
}

static bool do_list(void *ctx, const char *tenant, simctl_each *each, void *each_ctx,
                    struct web_error *error)
{
    struct simctl_local *l = ctx;
    const void *order[SIMCTL_LOCAL_MAX] = {NULL};
    size_t n = 0;
    (void)error;
    (void)pthread_mutex_lock(&l->lock);
    for (unsigned k = 0; k < l->count; k++) {
        if (l->instance[k].used && strcmp(l->instance[k].tenant, tenant) == 0) {
            order[n++] = &l->instance[k].i;
        }
    }
    qsort(order, n, sizeof(const void *), by_id);
    for (size_t k = 0; k < n; k++) {
        each(each_ctx, order[k]);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return true;
}

static bool do_extend(void *ctx, const char *tenant, const char *id, int64_t ends_us,
                      struct web_error *error)
{
    struct simctl_local *l = ctx;
    (void)pthread_mutex_lock(&l->lock);
    struct simctl_local_instance *x = find(l, tenant, id);
    bool good = x != NULL && x->i.state < SIMCTL_ENDING;
    if (x == NULL) {
        (void)refuse_unknown(id, error);
    } else if (!good) {
        (void)web_refuse(error, 409, "ended", "instance %s ends, or has ended", id);
    } else if (ends_us <= simctl_utc_us()) {
        good = web_refuse(error, 422, "lifetime", "the new end of instance %s is in the past", id);
    } else {
        const int64_t before_us = x->i.ends_us;
        x->i.ends_us = ends_us;
        good =
            (simctl_local_save_end(&l->site, x) && simctl_local_save(&l->site, x)) ||
            web_refuse(error, 507, "folder", "the new end of instance %s: %s", id, strerror(errno));
        x->i.ends_us = good ? ends_us : before_us;
        note_change(l);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return good;
}

static bool do_end(void *ctx, const char *tenant, const char *id, const char *reason,
                   bool keep_logs, struct web_error *error)
{
    struct simctl_local *l = ctx;
    (void)keep_logs; /* they are kept until its TTL is over */
    (void)pthread_mutex_lock(&l->lock);
    struct simctl_local_instance *x = find(l, tenant, id);
    if (x != NULL) {
        tell_to_end(l, x, SIMCTL_OUTCOME_BY_CALLER, reason);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return x != NULL || refuse_unknown(id, error);
}

static bool knows(struct simctl_local *l, const char *tenant, const char *id,
                  struct web_error *error)
{
    (void)pthread_mutex_lock(&l->lock);
    const bool known = find(l, tenant, id) != NULL;
    (void)pthread_mutex_unlock(&l->lock);
    return known || refuse_unknown(id, error);
}

/* @return false: the file does not exist */
static bool give_file(const struct simctl_local *l, const char *id, const char *name,
                      simctl_sink *sink, void *sink_ctx)
{
    char path[SIMCTL_PATH_BYTES], bytes[8192];
    simctl_local_path(&l->site, id, name, path);
    FILE *file = strchr(name, '/') == NULL ? fopen(path, "re") : NULL;
    if (file == NULL) {
        return false;
    }
    for (size_t n = fread(bytes, 1, sizeof bytes, file); n > 0 && sink(sink_ctx, bytes, n);
         n = fread(bytes, 1, sizeof bytes, file)) {
    }
    (void)fclose(file);
    return true;
}

static bool do_logs(void *ctx, const char *tenant, const char *id, const char *container,
                    simctl_sink *sink, void *sink_ctx, struct web_error *error)
{
    char name[SIMCTL_NAME_MAX + 8u];
    (void)snprintf(name, sizeof name, "%.63s.log", container[0] != '\0' ? container : "emulator");
    return knows(ctx, tenant, id, error) &&
           (give_file(ctx, id, name, sink, sink_ctx) ||
            web_refuse(error, 404, "unknown_container", "instance %s has no log of '%.63s'", id,
                       container));
}

static bool do_recording(void *ctx, const char *tenant, const char *id, simctl_sink *sink,
                         void *sink_ctx, struct web_error *error)
{
    return knows(ctx, tenant, id, error) &&
           (give_file(ctx, id, SIMCTL_RECORDING_FILE, sink, sink_ctx) ||
            web_refuse(error, 404, "no_recording", SIMCTL_NO_RECORDING, id));
}

static uint64_t do_wait(void *ctx, uint64_t seen, int timeout_ms)
{
    struct simctl_local *l = ctx;
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += timeout_ms % 1000 * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_mutex_lock(&l->lock);
    while (l->version == seen && !l->stop &&
           pthread_cond_timedwait(&l->changed, &l->lock, &until) == 0) {
    }
    const uint64_t version = l->version;
    (void)pthread_mutex_unlock(&l->lock);
    return version;
}

/* Report no events: only clusters make them. */
static bool do_events(void *ctx, const char *tenant, const char *id, json_t *out,
                      struct web_error *error)
{
    struct simctl_instance i = {0};
    (void)out;
    const bool good = do_read(ctx, tenant, id, &i, error);
    simctl_instance_free(&i);
    return good;
}

static bool do_limits(void *ctx, const char *tenant, json_t *out, struct web_error *error)
{
    struct simctl_local *l = ctx;
    int used = 0;
    (void)tenant, (void)error; /* all of them share the machine */
    (void)pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->count; i++) {
        used += l->instance[i].used;
    }
    (void)pthread_mutex_unlock(&l->lock);
    (void)json_array_append_new(out, json_pack("{s:s, s:{s:o}, s:{s:o}}", "name", "machine", "hard",
                                               "instances", json_sprintf("%u", SIMCTL_LOCAL_MAX),
                                               "used", "instances", json_sprintf("%d", used)));
    return true;
}

const struct simctl_backend_ops simctl_local_ops = {
    do_create, do_read, do_list,   do_extend, do_end, do_logs, do_recording,
    do_wait,   NULL,    do_events, do_limits, NULL,   1,
};

/* ---- begin and end */

/* A drone leads its session, and the value of its variable is its folder itself. */
static void take_process(void *ctx, const struct simctl_process *process, const char *value)
{
    const char *rest = NULL;
    struct simctl_local_instance *x = find_by_folder(ctx, value, &rest);
    if (x != NULL && rest[0] == '\0' && x->i.state != SIMCTL_ENDED &&
        getsid(process->pid) == process->pid) {
        x->drone = *process;
    }
}

/*
 * Adopt instances of an earlier run: those with a living drone go on, others have ended meanwhile.
 * Orders that the killed run had not begun are forgotten, so a client that repeats one gets it.
 */
static void take_up(struct simctl_local *l)
{
    char log[SIMCTL_PATH_BYTES];
    DIR *folder = opendir(l->site.folder);
    for (const struct dirent *e = folder != NULL ? readdir(folder) : NULL; e != NULL;
         e = readdir(folder)) {
        struct simctl_local_instance *x = e->d_name[0] != '.' ? place(l) : NULL;
        if (x != NULL && !simctl_local_load(&l->site, e->d_name, x)) {
            simctl_instance_free(&x->i);
            *x = (struct simctl_local_instance){0};
            simctl_local_remove(&l->site, e->d_name);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    simctl_find_processes(SIMCTL_FOLDER_VARIABLE, take_process, l);
    for (unsigned n = 0; n < l->count; n++) {
        struct simctl_local_instance *x = &l->instance[n];
        simctl_local_path(&l->site, x->i.id, SIMCTL_EMULATOR_LOG, log);
        if (!x->used || x->i.state == SIMCTL_ENDED) {
            continue;
        }
        if (x->drone.pid == 0 && access(log, F_OK) != 0) {
            forget(l, x);
        } else {
            simctl_local_read_addresses(&l->site, x);
            look_at_run(l, x);
        }
    }
}

/*
 * Lock the folder for this controller. A child of a killed controller holds lock and port until it
 * has become a drone; before that its variables do not name its owner.
 * @return the folder's descriptor, or -1 with the error
 */
static int lock_folder(const char *folder, struct web_error *error)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int why = fd < 0 ? errno : EWOULDBLOCK;
    for (unsigned n = 0; n < LOCK_PATIENCE_MS / LOOK_BUSY_MS && why == EWOULDBLOCK; n++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
            return fd;
        }
        why = errno;
        (void)usleep(1000u * LOOK_BUSY_MS);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    (void)web_refuse(error, 500, "folder", "%.160s: %s", folder,
                     why == EWOULDBLOCK ? "another simctl works in it: end that one, or give "
                                          "another folder to --state"
                                        : strerror(why));
    return -1;
}

struct simctl_local *simctl_local_start(const char *folder, const char *mayfly, const char *self,
                                        const struct simctl_ca *ca, struct web_error *error)
{
    struct simctl_local *l = calloc(1, sizeof *l);
    if (l == NULL || (mkdir(folder, 0755) != 0 && errno != EEXIST)) {
        (void)web_refuse(error, 500, "folder", "%.160s: %s", folder, strerror(errno));
        free(l);
        return NULL;
    }
    l->folder_fd = lock_folder(folder, error);
    if (l->folder_fd < 0) {
        free(l);
        return NULL;
    }
    char *path = realpath(folder, NULL); /* processes have other working folders */
    (void)snprintf(l->site.folder, sizeof l->site.folder, "%s", path != NULL ? path : folder);
    free(path);
    (void)snprintf(l->site.mayfly, sizeof l->site.mayfly, "%s", mayfly);
    (void)snprintf(l->site.self, sizeof l->site.self, "%s", self);
    l->site.ca = ca;
    (void)pthread_mutex_init(&l->lock, NULL);
    (void)pthread_cond_init(&l->changed, NULL);
    take_up(l);
    if (pthread_create(&l->thread, NULL, watch_instances, l) != 0) {
        (void)web_refuse(error, 500, "thread", "cannot start a thread");
        (void)close(l->folder_fd);
        free(l);
        return NULL;
    }
    return l;
}

void simctl_local_end_all(struct simctl_local *l)
{
    bool alive = true;
    while (alive) {
        alive = false;
        (void)pthread_mutex_lock(&l->lock);
        for (unsigned n = 0; n < l->count; n++) {
            struct simctl_local_instance *x = &l->instance[n];
            if (x->used && x->i.state != SIMCTL_ENDED) {
                alive = true;
                tell_to_end(l, x, SIMCTL_OUTCOME_BY_CALLER, "the controller was stopped");
            }
        }
        (void)pthread_mutex_unlock(&l->lock);
        (void)usleep(1000u * LOOK_BUSY_MS);
    }
}

void simctl_local_stop(struct simctl_local *l)
{
    simctl_local_end_all(l);
    l->stop = true;
    (void)pthread_join(l->thread, NULL);
    for (unsigned n = 0; n < l->count; n++) {
        simctl_instance_free(&l->instance[n].i);
    }
    (void)close(l->folder_fd);
    free(l);
}
