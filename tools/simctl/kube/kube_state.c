/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_state.h"

#include "host/base/value.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CODE_BAD_INPUT 2 /* of mayfly: wrong options */

/* What one look at an instance needs. */
struct view {
    const json_t *job, *pod;
    struct simctl_instance *out;
    const char *drone, *onboard; /* names of containers; onboard may be "" */
};

static const json_t *at(const json_t *o, const char *a, const char *b)
{
    return json_object_get(json_object_get(o, a), b);
}

static const char *text_at(const json_t *o, const char *a, const char *b)
{
    return simctl_shape_text(json_object_get(o, a), b, "");
}

static const char *reason_of(const json_t *job)
{
    return simctl_shape_text(at(job, "metadata", "annotations"), SIMCTL_KEY_REASON, NULL);
}

int64_t simctl_kube_time(const json_t *object, const char *name)
{
    int64_t us = 0;
    const char *text = simctl_shape_text(object, name, "");
    return mf_value_utc(text, &us) ? us : 0;
}

/* ---- containers */

static const json_t *find(const json_t *list, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (strcmp(simctl_shape_text(one, "name", simctl_shape_text(one, "type", "")), name) == 0) {
            return one;
        }
    }
    return NULL;
}

/* The status of a container, wherever in the pod it is. */
static const json_t *status_of(const struct view *v, const char *name)
{
    const json_t *one = find(at(v->pod, "status", "initContainerStatuses"), name);
    return one != NULL ? one : find(at(v->pod, "status", "containerStatuses"), name);
}

static const json_t *condition(const json_t *object, const char *type)
{
    const json_t *one = find(at(object, "status", "conditions"), type);
    return strcmp(simctl_shape_text(one, "status", ""), "True") == 0 ? one : NULL;
}

static void end_as(struct view *v, enum simctl_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The first outcome that is found counts. */
static void end_as(struct view *v, enum simctl_outcome outcome, const char *format, ...)
{
    if (v->out->outcome == SIMCTL_OUTCOME_OPEN) {
        va_list args;
        v->out->outcome = outcome;
        va_start(args, format);
        (void)vsnprintf(v->out->reason, sizeof v->out->reason, format, args);
        va_end(args);
    }
}

/* ---- what it waits for */

/* Why a container does not start. @return whether it is an image that cannot be had */
static bool look_at_waiting(struct view *v, const json_t *list)
{
    static const char *const k_image[] = {"ErrImagePull",      "ImagePullBackOff",
                                          "ErrImageNeverPull", "InvalidImageName",
                                          "ImageInspectError", NULL};
    size_t i;
    const json_t *status;
    json_array_foreach(list, i, status)
    {
        const json_t *waiting = at(status, "state", "waiting");
        const char *why = simctl_shape_text(waiting, "reason", "");
        if (simctl_is_one_of(why, k_image)) {
            (void)snprintf(v->out->reason, sizeof v->out->reason, "%.60s: %.60s: %.120s",
                           simctl_shape_text(status, "name", ""), why,
                           simctl_shape_text(waiting, "message", ""));
            return true;
        }
    }
    return false;
}

/* @return whether no node has room for it */
static bool look_at_schedule(struct view *v)
{
    const json_t *scheduled = find(at(v->pod, "status", "conditions"), "PodScheduled");
    if (strcmp(simctl_shape_text(scheduled, "reason", ""), "Unschedulable") == 0) {
        (void)snprintf(v->out->reason, sizeof v->out->reason, "unschedulable: %.200s",
                       simctl_shape_text(scheduled, "message", ""));
        return true;
    }
    return false;
}

static bool look_at_images(struct view *v)
{
    return look_at_waiting(v, at(v->pod, "status", "initContainerStatuses")) ||
           look_at_waiting(v, at(v->pod, "status", "containerStatuses"));
}

/* ---- why it ended: in this order, the first that holds */

/* Whoever told it to end, or saw why it would, left outcome and reason in its Job. */
static void judge_told(struct view *v)
{
    const char *reason = reason_of(v->job);
    const char *code = simctl_shape_text(at(v->job, "metadata", "annotations"), SIMCTL_KEY_OUTCOME,
                                         simctl_outcome_code(SIMCTL_OUTCOME_BY_CALLER));
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES && reason != NULL; i++) {
        if (strcmp(simctl_outcome_code((enum simctl_outcome)i), code) == 0) {
            end_as(v, (enum simctl_outcome)i, "%s", reason);
        }
    }
}

static bool is_over_time(const struct view *v)
{
    const json_t *failed = condition(v->job, "Failed");
    failed = failed != NULL ? failed : condition(v->job, "FailureTarget");
    return strcmp(text_at(v->pod, "status", "reason"), "DeadlineExceeded") == 0 ||
           strcmp(simctl_shape_text(failed, "reason", ""), "DeadlineExceeded") == 0;
}

static bool has_begun(const struct view *v, const char *name)
{
    const json_t *status = status_of(v, name);
    return simctl_kube_time(at(status, "state", "running"), "startedAt") != 0 ||
           simctl_kube_time(at(status, "state", "terminated"), "startedAt") != 0;
}

static bool waits(struct view *v)
{
    v->out->outcome = look_at_images(v)     ? SIMCTL_OUTCOME_IMAGE
                      : look_at_schedule(v) ? SIMCTL_OUTCOME_UNSCHEDULABLE
                                            : SIMCTL_OUTCOME_OPEN;
    return v->out->outcome != SIMCTL_OUTCOME_OPEN;
}

/* Its deadline may have come while it waited: what it waited for is why. The pod has gone then, or
 * the kubelet has written something else over it, but the Job has been told. */
static void judge_start(struct view *v)
{
    const char *told =
        simctl_shape_text(at(v->job, "metadata", "annotations"), SIMCTL_KEY_WAITS, "");
    const size_t n = strcspn(told, " ");
    if (v->out->outcome != SIMCTL_OUTCOME_OPEN || !is_over_time(v) ||
        (has_begun(v, v->drone) && (v->onboard[0] == '\0' || has_begun(v, v->onboard))) ||
        waits(v)) {
        return;
    }
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES; i++) {
        const char *code = simctl_outcome_code((enum simctl_outcome)i);
        if (strlen(code) == n && strncmp(code, told, n) == 0) {
            end_as(v, (enum simctl_outcome)i, "%s", told + n + (told[n] != '\0'));
        }
    }
}

static void judge_deadline(struct view *v)
{
    if (is_over_time(v)) {
        end_as(v, SIMCTL_OUTCOME_EXPIRED, "%s",
               v->pod == NULL || v->out->started_us != 0
                   ? "its lifetime is over"
                   : "its lifetime is over, and the drone had not begun");
    }
}

/* What takes a pod from its node. @param why  out [SIMCTL_REASON_MAX]  @return false: nothing */
static bool is_disrupted(const json_t *pod, char *why)
{
    const json_t *target = condition(pod, "DisruptionTarget");
    const char *reason = text_at(pod, "status", "reason");
    const bool lost = strcmp(reason, "Evicted") == 0 || strcmp(reason, "NodeLost") == 0;
    (void)snprintf(why, SIMCTL_REASON_MAX, "%.60s: %.160s",
                   target != NULL ? simctl_shape_text(target, "reason", "") : reason,
                   target != NULL ? simctl_shape_text(target, "message", "")
                                  : text_at(pod, "status", "message"));
    return target != NULL || lost;
}

static void judge_disruption(struct view *v)
{
    char why[SIMCTL_REASON_MAX];
    if (is_disrupted(v->pod, why)) {
        end_as(v, SIMCTL_OUTCOME_EVICTED, "%s", why);
    }
}

static bool is_drone(const struct view *v, const json_t *status)
{
    return strcmp(simctl_shape_text(status, "name", ""), v->drone) == 0;
}

/* Killed, or its limit is below what it takes to start. */
static bool has_too_little_memory(const json_t *ended)
{
    const char *reason = simctl_shape_text(ended, "reason", "");
    return strcmp(reason, "OOMKilled") == 0 ||
           (strcmp(reason, "StartError") == 0 &&
            strstr(simctl_shape_text(ended, "message", ""), "memory limit") != NULL);
}

/* Of what a container has written: why it ended stands last. */
static const char *last_line(const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == '\n') {
        n--;
    }
    while (n > 0 && text[n - 1] != '\n') {
        n--;
    }
    return text + n;
}

/* What a drone says that is given another model than planning has. Each drone tells the fingerprint
 * of its model when it begins. */
static bool has_wrong_geoid(const char *wrote, json_int_t code)
{
    return code == CODE_BAD_INPUT && strcasestr(wrote, "fingerprint") != NULL &&
           strstr(wrote, " is wanted") != NULL;
}

/* @param ended  a container's state when it had ended; NULL: it has not */
static void judge_end(struct view *v, const json_t *status, const json_t *ended)
{
    const char *name = simctl_shape_text(status, "name", "");
    const char *wrote = last_line(simctl_shape_text(ended, "message", ""));
    const json_int_t code = json_integer_value(json_object_get(ended, "exitCode"));
    if (ended == NULL || code == 0) {
        return;
    }
    if (has_too_little_memory(ended)) {
        end_as(v, SIMCTL_OUTCOME_OUT_OF_MEMORY,
               "container %.63s needed more memory than it may have", name);
    } else if (is_drone(v, status) && has_wrong_geoid(wrote, code)) {
        end_as(v, SIMCTL_OUTCOME_GEOID_MISMATCH, "%.*s", (int)strcspn(wrote, "\n"), wrote);
    } else {
        end_as(v,
               is_drone(v, status) ? SIMCTL_OUTCOME_EMULATOR_FAILED : SIMCTL_OUTCOME_ONBOARD_FAILED,
               "container %.63s ended with exit code %d%s%.*s", name, (int)code,
               wrote[0] != '\0' ? ": " : "", (int)strcspn(wrote, "\n"), wrote);
    }
}

static void judge_container(struct view *v, const json_t *status)
{
    const json_t *now = at(status, "state", "terminated");
    judge_end(v, status, now != NULL ? now : at(status, "lastState", "terminated"));
}

/* How a sidecar that restarted had ended before. The kubelet forgets that soon. */
static void judge_restarted(struct view *v)
{
    size_t i;
    const json_t *status;
    json_array_foreach(at(v->pod, "status", "initContainerStatuses"), i, status)
    {
        if (json_integer_value(json_object_get(status, "restartCount")) > 0) {
            judge_end(v, status, at(status, "lastState", "terminated"));
            end_as(v,
                   is_drone(v, status) ? SIMCTL_OUTCOME_EMULATOR_FAILED
                                       : SIMCTL_OUTCOME_ONBOARD_FAILED,
                   "container %.63s ended and was started again",
                   simctl_shape_text(status, "name", ""));
        }
    }
}

/* The containers whose end is the instance's come first: others end because they did. */
static void judge_containers(struct view *v)
{
    static const char *const k_list[] = {"containerStatuses", "initContainerStatuses"};
    size_t i;
    const json_t *status;
    for (size_t k = 0; k < sizeof k_list / sizeof k_list[0]; k++) {
        json_array_foreach(at(v->pod, "status", k_list[k]), i, status)
        {
            judge_container(v, status);
        }
    }
}

static bool has_ended(const struct view *v)
{
    const char *phase = text_at(v->pod, "status", "phase");
    static const char *const k_over[] = {"Failed", "Complete", "FailureTarget",
                                         "SuccessCriteriaMet"};
    bool over = false;
    for (size_t i = 0; i < sizeof k_over / sizeof k_over[0] && v->pod == NULL; i++) {
        over = over || condition(v->job, k_over[i]) != NULL;
    }
    return over || strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0;
}

/* ---- state */

static bool all_ready(const struct view *v)
{
    static const char *const k_list[] = {"initContainerStatuses", "containerStatuses"};
    bool ready = condition(v->pod, "Ready") != NULL;
    size_t i;
    const json_t *status;
    for (size_t k = 0; k < sizeof k_list / sizeof k_list[0]; k++) {
        json_array_foreach(at(v->pod, "status", k_list[k]), i, status)
        {
            const bool over = at(status, "state", "terminated") != NULL;
            v->out->restarts +=
                (unsigned)json_integer_value(json_object_get(status, "restartCount"));
            ready = ready && (over || json_is_true(json_object_get(status, "ready")));
        }
    }
    return ready;
}

static void set_state(struct view *v)
{
    char why[SIMCTL_REASON_MAX];
    const bool told =
        reason_of(v->job) != NULL || at(v->job, "metadata", "deletionTimestamp") != NULL ||
        at(v->pod, "metadata", "deletionTimestamp") != NULL || is_disrupted(v->pod, why);
    const bool ready = all_ready(v);
    if (has_ended(v)) {
        v->out->state = SIMCTL_ENDED;
    } else if (told) {
        v->out->state = v->pod != NULL ? SIMCTL_ENDING : SIMCTL_ENDED;
    } else if (ready) {
        v->out->state = v->out->restarts > 0 ? SIMCTL_DEGRADED : SIMCTL_READY;
    } else {
        v->out->state = at(status_of(v, v->drone), "state", "running") != NULL ? SIMCTL_STARTING
                                                                               : SIMCTL_PENDING;
    }
}

static void judge(struct view *v)
{
    judge_told(v);
    judge_disruption(v);
    judge_start(v);
    judge_deadline(v);
    judge_containers(v);
    end_as(v, SIMCTL_OUTCOME_COMPLETED, "%s",
           v->onboard[0] != '\0' ? "the onboard software ended with 0" : "the drone ended");
}

/* ---- the rest */

static void set_address(char *to, const char *ip, int port)
{
    const bool v6 = strchr(ip, ':') != NULL;
    if (ip[0] != '\0' && port != 0) {
        (void)snprintf(to, SIMCTL_ADDRESS_MAX, "%s%.60s%s:%d", v6 ? "[" : "", ip, v6 ? "]" : "",
                       port);
    }
}

static void set_addresses(struct view *v, const json_t *service)
{
    const char *ip = text_at(v->pod, "status", "podIP"),
               *node = text_at(v->pod, "status", "hostIP");
    struct simctl_addresses *within = &v->out->within, *outside = &v->out->outside;
    size_t i;
    const json_t *port;
    set_address(within->tcp, ip, SIMCTL_MAVLINK_PORT);
    set_address(within->udp, ip, SIMCTL_MAVLINK_PORT);
    set_address(within->api, ip, SIMCTL_API_PORT);
    json_array_foreach(at(service, "spec", "ports"), i, port)
    {
        const char *name = simctl_shape_text(port, "name", "");
        char *to = strcmp(name, "mavlink-tcp") == 0   ? outside->tcp
                   : strcmp(name, "mavlink-udp") == 0 ? outside->udp
                                                      : outside->api;
        set_address(to, node, (int)json_integer_value(json_object_get(port, "nodePort")));
    }
}

static void set_times(struct view *v)
{
    const json_t *drone = status_of(v, v->drone), *metadata = json_object_get(v->job, "metadata");
    const json_int_t deadline_s = json_integer_value(at(v->job, "spec", "activeDeadlineSeconds"));
    const json_t *scheduled = condition(v->pod, "PodScheduled"),
                 *ready = condition(v->pod, "Ready");
    struct simctl_instance *o = v->out;
    o->asked_us = simctl_kube_time(metadata, "creationTimestamp");
    o->scheduled_us = simctl_kube_time(scheduled, "lastTransitionTime");
    o->started_us = simctl_kube_time(at(drone, "state", "running"), "startedAt");
    if (o->started_us == 0) {
        o->started_us = simctl_kube_time(at(drone, "state", "terminated"), "startedAt");
    }
    o->ready_us = simctl_kube_time(ready, "lastTransitionTime");
    o->ends_us = o->asked_us + 1000000 * (int64_t)(deadline_s - SIMCTL_JOB_GRACE_S);
    o->ended_us = simctl_kube_time(at(drone, "state", "terminated"), "finishedAt");
    if (o->ended_us == 0) {
        const json_t *failed = condition(v->job, "Failed"), *done = condition(v->job, "Complete");
        o->ended_us = simctl_kube_time(failed != NULL ? failed : done, "lastTransitionTime");
    }
}

static json_t *order_of(const json_t *job)
{
    return json_loads(simctl_shape_text(at(job, "metadata", "annotations"), SIMCTL_KEY_ORDER, "{}"),
                      0, NULL);
}

static bool is_ended_by_restart(const json_t *order)
{
    return strcmp(simctl_shape_text(order, "restarted", ""), "ended") == 0;
}

bool simctl_kube_must_tell(const json_t *job, const json_t *pod, struct simctl_kube_verdict *out)
{
    struct simctl_instance is = {0};
    *out = (struct simctl_kube_verdict){.ends = false};
    if (job == NULL || pod == NULL || reason_of(job) != NULL) {
        return false;
    }
    json_t *order = order_of(job);
    struct view v = {
        .pod = pod, .out = &is, .drone = simctl_shape_text(order, "emulator", "emulator")};
    judge_disruption(&v);
    if (is.outcome == SIMCTL_OUTCOME_OPEN && is_ended_by_restart(order)) {
        judge_restarted(&v);
        out->ends = true;
    }
    const char *known =
        simctl_shape_text(at(job, "metadata", "annotations"), SIMCTL_KEY_WAITS, NULL);
    out->waits = is.outcome == SIMCTL_OUTCOME_OPEN && known == NULL && waits(&v);
    out->outcome = is.outcome;
    (void)snprintf(out->reason, sizeof out->reason, "%s", is.reason);
    json_decref(order);
    return is.outcome != SIMCTL_OUTCOME_OPEN;
}

void simctl_kube_read(const json_t *job, const json_t *pod, const json_t *service,
                      struct simctl_instance *out)
{
    const json_t *metadata = json_object_get(job, "metadata");
    json_t *order = order_of(job);
    struct view v = {.job = job,
                     .pod = pod,
                     .out = out,
                     .drone = simctl_shape_text(order, "emulator", "emulator"),
                     .onboard = simctl_shape_text(order, "onboard", "")};
    *out = (struct simctl_instance){0};
    (void)snprintf(out->id, sizeof out->id, "%s", simctl_shape_text(metadata, "name", ""));
    (void)snprintf(out->template_name, sizeof out->template_name, "%s",
                   text_at(metadata, "labels", SIMCTL_KEY_TEMPLATE));
    json_t *labels = json_object_get(order, "labels"), *values = json_object_get(order, "values");
    out->labels = labels != NULL ? json_incref(labels) : json_object();
    out->values = values != NULL ? json_incref(values) : json_object();
    out->ttl_s = (double)json_integer_value(at(job, "spec", "ttlSecondsAfterFinished"));
    set_times(&v);
    set_addresses(&v, service);
    set_state(&v);
    if (out->state == SIMCTL_ENDED) {
        judge(&v);
    } else if (out->state == SIMCTL_PENDING && !look_at_images(&v)) {
        (void)look_at_schedule(&v);
    }
    json_decref(order);
}

void simctl_kube_events(const json_t *list, json_t *out)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(list, "items"), i, one)
    {
        const char *when = simctl_shape_text(
            one, "lastTimestamp",
            simctl_shape_text(one, "eventTime", text_at(one, "metadata", "creationTimestamp")));
        const json_int_t count = json_integer_value(json_object_get(one, "count"));
        (void)json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:s, s:I}", "time", when,
                                                   "object", text_at(one, "involvedObject", "kind"),
                                                   "reason", simctl_shape_text(one, "reason", ""),
                                                   "message", simctl_shape_text(one, "message", ""),
                                                   "count", count > 0 ? count : 1));
    }
}
