/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the state of an instance from its Job and pod; the cache of a namespace calls it. */
#include "tools/simctl/kube/kube_state.h"

#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S_US 1000000

/* ---- state */

/* True if every part is ready. Counts restarts, too. */
static bool are_all_ready(struct simctl_kube_view *v)
{
    bool ready = simctl_kube_condition(v->pod, "Ready") != NULL;
    const json_t *status;
    for (size_t n = 0; (status = simctl_kube_status(v->pod, n)) != NULL; n++) {
        const bool over = simctl_kube_at(status, "state", "terminated") != NULL;
        v->out->restarts += (unsigned)json_integer_value(json_object_get(status, "restartCount"));
        ready = ready && (over || json_is_true(json_object_get(status, "ready")));
    }
    return ready;
}

/* True if the pod is or was ready. A kubelet sets the condition Ready, false, together with the
 * pod's start; a later transition to false was one from true. */
static bool was_ready(const struct simctl_kube_view *v)
{
    const json_t *ready = simctl_kube_find(simctl_kube_at(v->pod, "status", "conditions"), "Ready");
    const int64_t start_us = simctl_kube_time(json_object_get(v->pod, "status"), "startTime");
    return v->out->ready_us != 0 ||
           (start_us != 0 && simctl_kube_time(ready, "lastTransitionTime") > start_us);
}

static bool has_ended(const struct simctl_kube_view *v)
{
    const char *phase = simctl_kube_text_at(v->pod, "status", "phase");
    return v->pod == NULL ? simctl_kube_condition(v->job, "Failed") != NULL ||
                                simctl_kube_condition(v->job, "Complete") != NULL
                          : strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
}

/* True if the end has begun: an order, a condition of the Job, or the deciding container's end. */
static bool is_ending(const struct simctl_kube_view *v)
{
    static const char *const k_over[] = {"Failed", "Complete", "FailureTarget",
                                         "SuccessCriteriaMet"};
    char reason[SIMCTL_REASON_MAX];
    bool over = simctl_kube_is_told(v) || simctl_kube_at(v->job, "metadata", "deletionTimestamp") ||
                json_integer_value(simctl_kube_at(v->job, "status", "failed")) > 0 ||
                json_integer_value(simctl_kube_at(v->job, "status", "succeeded")) > 0;
    for (size_t i = 0; i < sizeof k_over / sizeof k_over[0]; i++) {
        over = over || simctl_kube_condition(v->job, k_over[i]) != NULL;
    }
    return over || simctl_kube_decided(v) != NULL ||
           simctl_kube_outside(v, reason) != SIMCTL_OUTCOME_OPEN;
}

static bool has_begun(const struct simctl_kube_view *v)
{
    const json_t *status;
    for (size_t n = 0; (status = simctl_kube_status(v->pod, n)) != NULL; n++) {
        if (simctl_kube_has_begun(status)) {
            break;
        }
    }
    return status != NULL;
}

static enum simctl_state state_of(struct simctl_kube_view *v)
{
    const bool ready = are_all_ready(v);
    if (has_ended(v)) {
        return SIMCTL_ENDED;
    }
    if (is_ending(v)) {
        return SIMCTL_ENDING;
    }
    if (ready && v->out->restarts == 0) {
        return SIMCTL_READY;
    }
    return ready || was_ready(v) ? SIMCTL_DEGRADED
           : has_begun(v)        ? SIMCTL_STARTING
                                 : SIMCTL_PENDING;
}

/* Set the state, and its reason: the cause of an end, or the part that is not ready. */
static void set_state(struct simctl_kube_view *v)
{
    v->out->state = state_of(v);
    if (v->out->state >= SIMCTL_ENDING) {
        simctl_kube_judge(v);
    } else if (v->out->state != SIMCTL_READY) {
        (void)simctl_kube_wait(v);
    }
    if (v->out->state != SIMCTL_ENDED) {
        v->out->outcome = SIMCTL_OUTCOME_OPEN;
    }
}

/* ---- addresses and times */

static void set_address(char *to, const char *ip, int port)
{
    const bool v6 = strchr(ip, ':') != NULL;
    if (ip[0] != '\0' && port != 0) {
        (void)snprintf(to, SIMCTL_ADDRESS_MAX, "%s%.60s%s:%d", v6 ? "[" : "", ip, v6 ? "]" : "",
                       port);
    }
}

static void set_addresses(struct simctl_kube_view *v, const json_t *service)
{
    const char *ip = simctl_kube_text_at(v->pod, "status", "podIP"),
               *node = simctl_kube_text_at(v->pod, "status", "hostIP");
    struct simctl_addresses *within = &v->out->within, *outside = &v->out->outside;
    size_t i;
    const json_t *port;
    set_address(within->tcp, ip, SIMCTL_MAVLINK_PORT);
    set_address(within->udp, ip, SIMCTL_MAVLINK_PORT);
    set_address(within->api, ip, SIMCTL_API_PORT);
    json_array_foreach(simctl_kube_at(service, "spec", "ports"), i, port)
    {
        const char *name = simctl_shape_text(port, "name", "");
        char *to = strcmp(name, "mavlink-tcp") == 0   ? outside->tcp
                   : strcmp(name, "mavlink-udp") == 0 ? outside->udp
                                                      : outside->api;
        set_address(to, node, (int)json_integer_value(json_object_get(port, "nodePort")));
    }
}

/* @return the first of an annotation, which outlives the pod, and a time of the pod */
static int64_t time_of(const struct simctl_kube_view *v, const char *key, int64_t us)
{
    const int64_t kept_us =
        simctl_kube_time(simctl_kube_at(v->job, "metadata", "annotations"), key);
    return kept_us != 0 ? kept_us : us;
}

/* @return the first start of a container that is known [us]; 0: it has not started */
static int64_t start_us(const json_t *status)
{
    const int64_t before = simctl_kube_time(simctl_kube_at(status, "lastState", "terminated"),
                                            "startedAt"),
                  over =
                      simctl_kube_time(simctl_kube_at(status, "state", "terminated"), "startedAt"),
                  now = simctl_kube_time(simctl_kube_at(status, "state", "running"), "startedAt");
    return before != 0 ? before : over != 0 ? over : now;
}

/* @return time at which the last container ended [us], or else at which the Job did */
static int64_t ended_us(const struct simctl_kube_view *v)
{
    int64_t last_us = 0;
    const json_t *status, *failed = simctl_kube_condition(v->job, "Failed");
    for (size_t n = 0; (status = simctl_kube_status(v->pod, n)) != NULL; n++) {
        const int64_t us =
            simctl_kube_time(simctl_kube_at(status, "state", "terminated"), "finishedAt");
        last_us = us > last_us ? us : last_us;
    }
    return last_us != 0 ? last_us
                        : simctl_kube_time(
                              failed != NULL ? failed : simctl_kube_condition(v->job, "Complete"),
                              "lastTransitionTime");
}

/* @return time at which the lifetime is over [us]. Kubernetes counts it from the start of the Job,
 * which a busy control plane delays. */
static int64_t ends_us(const struct simctl_kube_view *v, const json_t *order)
{
    const int64_t begun_us = simctl_kube_time(json_object_get(v->job, "status"), "startTime");
    const char *moved = simctl_shape_text(simctl_kube_at(v->job, "metadata", "annotations"),
                                          SIMCTL_KEY_LIFETIME, "");
    const double s = moved[0] != '\0' ? strtod(moved, NULL)
                                      : json_number_value(json_object_get(order, "lifetime_s"));
    return (begun_us != 0 ? begun_us : v->out->asked_us) +
           S_US * (int64_t)ceil(fmin(fmax(s, 0.0), SIMCTL_LIFETIME_MAX_S));
}

static void set_times(struct simctl_kube_view *v, const json_t *order)
{
    struct simctl_instance *o = v->out;
    const json_t *conditions = simctl_kube_at(v->pod, "status", "conditions");
    const json_t *drone =
        simctl_kube_find(simctl_kube_at(v->pod, "status", "initContainerStatuses"), v->drone);
    drone = drone != NULL
                ? drone
                : simctl_kube_find(simctl_kube_at(v->pod, "status", "containerStatuses"), v->drone);
    o->asked_us = simctl_kube_time(json_object_get(v->job, "metadata"), "creationTimestamp");
    o->scheduled_us = time_of(
        v, SIMCTL_KEY_SCHEDULED,
        simctl_kube_time(simctl_kube_condition(v->pod, "PodScheduled"), "lastTransitionTime"));
    o->started_us = time_of(v, SIMCTL_KEY_STARTED, start_us(drone));
    o->ready_us = time_of(
        v, SIMCTL_KEY_READY,
        strcmp(simctl_shape_text(simctl_kube_find(conditions, "Ready"), "status", ""), "True") == 0
            ? simctl_kube_time(simctl_kube_find(conditions, "Ready"), "lastTransitionTime")
            : 0);
    o->ends_us = ends_us(v, order);
}

static json_t *order_of(const json_t *job)
{
    const json_t *annotations = simctl_kube_at(job, "metadata", "annotations");
    return json_loads(simctl_shape_text(annotations, SIMCTL_KEY_ORDER, "{}"), 0, NULL);
}

static struct simctl_kube_view view_of(const struct simctl_kube_objects *o, const json_t *order,
                                       struct simctl_instance *out)
{
    *out = (struct simctl_instance){0};
    return (struct simctl_kube_view){.job = o->job,
                                     .pod = o->pod,
                                     .failure = o->failure,
                                     .out = out,
                                     .drone = simctl_shape_text(order, "emulator", "emulator"),
                                     .onboard = simctl_shape_text(order, "onboard", "")};
}

void simctl_kube_read(const struct simctl_kube_objects *o, struct simctl_instance *out)
{
    const json_t *metadata = json_object_get(o->job, "metadata");
    json_t *order = order_of(o->job);
    struct simctl_kube_view v = view_of(o, order, out);
    (void)snprintf(out->id, sizeof out->id, "%s", simctl_shape_text(metadata, "name", ""));
    (void)snprintf(out->template_name, sizeof out->template_name, "%s",
                   simctl_kube_text_at(metadata, "labels", SIMCTL_KEY_TEMPLATE));
    json_t *labels = json_object_get(order, "labels"), *values = json_object_get(order, "values");
    out->labels = labels != NULL ? json_incref(labels) : json_object();
    out->values = values != NULL ? json_incref(values) : json_object();
    out->ttl_s =
        (double)json_integer_value(simctl_kube_at(o->job, "spec", "ttlSecondsAfterFinished"));
    set_times(&v, order);
    set_addresses(&v, o->service);
    set_state(&v);
    out->ended_us = out->state == SIMCTL_ENDED ? ended_us(&v) : 0;
    json_decref(order);
}

void simctl_kube_remember(const struct simctl_instance *before, struct simctl_instance *now)
{
    const int64_t before_us[] = {before->scheduled_us, before->started_us, before->ready_us};
    int64_t *const now_us[] = {&now->scheduled_us, &now->started_us, &now->ready_us};
    for (size_t i = 0; i < sizeof now_us / sizeof now_us[0]; i++) {
        *now_us[i] = before_us[i] != 0 ? before_us[i] : *now_us[i];
    }
    if (before->state == SIMCTL_ENDED) {
        now->ended_us = before->ended_us;
    }
    if (now->state < before->state &&
        !(now->state == SIMCTL_READY && before->state == SIMCTL_DEGRADED)) {
        now->state = before->state;
        now->outcome = before->outcome;
        (void)snprintf(now->reason, sizeof now->reason, "%s", before->reason);
    }
}

/* ---- notes in a Job */

/* Judge a sidecar that has restarted by the way it had ended. */
static enum simctl_outcome outcome_of_restart(const struct simctl_kube_view *v, char *reason)
{
    size_t i;
    const json_t *status;
    json_array_foreach(simctl_kube_at(v->pod, "status", "initContainerStatuses"), i, status)
    {
        if (json_integer_value(json_object_get(status, "restartCount")) > 0) {
            return simctl_kube_describe(v, status,
                                        simctl_kube_at(status, "lastState", "terminated"), reason);
        }
    }
    return SIMCTL_OUTCOME_OPEN;
}

/* True if main containers run on after the end of the one that decides. */
static bool do_others_run(const struct simctl_kube_view *v)
{
    size_t i;
    const json_t *status;
    json_array_foreach(simctl_kube_at(v->pod, "status", "containerStatuses"), i, status)
    {
        if (simctl_kube_at(status, "state", "terminated") == NULL) {
            return simctl_kube_decided(v) != NULL;
        }
    }
    return false;
}

static bool is_noted(const struct simctl_kube_view *v, enum simctl_outcome outcome)
{
    const char *code = simctl_outcome_code(outcome);
    const char *known =
        simctl_shape_text(simctl_kube_at(v->job, "metadata", "annotations"), SIMCTL_KEY_WAITS, "");
    return strncmp(known, code, strlen(code)) == 0;
}

/* Set the verdict of an instance, as long as its Job does not note an end. */
static void set_verdict(struct simctl_kube_view *v, bool ends_by_restart,
                        struct simctl_kube_verdict *out)
{
    struct simctl_instance *is = v->out;
    const bool others = do_others_run(v);
    if (v->pod != NULL &&
        (has_ended(v) || others || simctl_kube_outside(v, is->reason) != SIMCTL_OUTCOME_OPEN)) {
        simctl_kube_judge(v);
        out->ends = others;
    } else if (ends_by_restart &&
               (is->outcome = outcome_of_restart(v, is->reason)) != SIMCTL_OUTCOME_OPEN) {
        out->ends = out->restarted = true;
    } else if (!is_ending(v)) {
        const enum simctl_outcome waits = simctl_kube_wait(v);
        out->waits = waits != SIMCTL_OUTCOME_OPEN && !simctl_kube_has_decider_begun(v) &&
                     !is_noted(v, waits);
        is->outcome = out->waits ? waits : SIMCTL_OUTCOME_OPEN;
    }
}

bool simctl_kube_must_tell(const struct simctl_kube_objects *o, struct simctl_kube_verdict *out)
{
    struct simctl_instance is;
    json_t *order = order_of(o->job);
    struct simctl_kube_view v = view_of(o, order, &is);
    *out = (struct simctl_kube_verdict){.ends = false};
    if (o->job != NULL && !simctl_kube_is_told(&v)) {
        set_times(&v, order);
        set_verdict(&v, strcmp(simctl_shape_text(order, "restarted", ""), "ended") == 0, out);
    }
    out->outcome = is.outcome;
    (void)snprintf(out->reason, sizeof out->reason, "%s", is.reason);
    json_decref(order);
    return out->outcome != SIMCTL_OUTCOME_OPEN;
}

bool simctl_kube_has_decided(const struct simctl_kube_objects *o)
{
    char reason[SIMCTL_REASON_MAX];
    struct simctl_instance is;
    json_t *order = order_of(o->job);
    const struct simctl_kube_view v = view_of(o, order, &is);
    const bool decided = !simctl_kube_is_told(&v) && simctl_kube_decided(&v) != NULL &&
                         !do_others_run(&v) &&
                         simctl_kube_outside(&v, reason) == SIMCTL_OUTCOME_OPEN;
    json_decref(order);
    return decided;
}

void simctl_kube_events(const json_t *list, json_t *out)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(list, "items"), i, one)
    {
        const char *when = simctl_shape_text(
            one, "lastTimestamp",
            simctl_shape_text(one, "eventTime",
                              simctl_kube_text_at(one, "metadata", "creationTimestamp")));
        const json_int_t count = json_integer_value(json_object_get(one, "count"));
        (void)json_array_append_new(
            out, json_pack("{s:s, s:s, s:s, s:s, s:I}", "time", when, "object",
                           simctl_kube_text_at(one, "involvedObject", "kind"), "reason",
                           simctl_shape_text(one, "reason", ""), "message",
                           simctl_shape_text(one, "message", ""), "count", count > 0 ? count : 1));
    }
}
