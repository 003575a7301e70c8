/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube_state.h"

#include "host/base/value.h"
#include "tools/simctl/kube_job.h"
#include "tools/simctl/shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What one look at an instance needs. */
struct view {
    const json_t *job, *pod;
    struct simctl_instance *out;
    const char *drone, *onboard; /* names of containers; onboard may be "" */
    bool restart_ends;
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

static void judge_caller(struct view *v)
{
    const char *reason = reason_of(v->job);
    if (reason != NULL) {
        end_as(v, SIMCTL_OUTCOME_BY_CALLER, "%s", reason);
    }
}

/* Its deadline may have come while it waited: what it waited for is why. */
static void judge_start(struct view *v)
{
    if (v->out->outcome == SIMCTL_OUTCOME_OPEN && v->out->started_us == 0) {
        v->out->outcome = look_at_images(v)     ? SIMCTL_OUTCOME_IMAGE
                          : look_at_schedule(v) ? SIMCTL_OUTCOME_UNSCHEDULABLE
                                                : SIMCTL_OUTCOME_OPEN;
    }
}

static void judge_deadline(struct view *v)
{
    const json_t *failed = condition(v->job, "Failed");
    if (strcmp(text_at(v->pod, "status", "reason"), "DeadlineExceeded") == 0 ||
        strcmp(simctl_shape_text(failed, "reason", ""), "DeadlineExceeded") == 0) {
        end_as(v, SIMCTL_OUTCOME_EXPIRED, "its lifetime is over");
    }
}

static void judge_disruption(struct view *v)
{
    const json_t *target = condition(v->pod, "DisruptionTarget");
    const char *why = text_at(v->pod, "status", "reason");
    if (target != NULL || strcmp(why, "Evicted") == 0 || strcmp(why, "NodeLost") == 0) {
        end_as(v, SIMCTL_OUTCOME_EVICTED, "%.60s: %.160s",
               target != NULL ? simctl_shape_text(target, "reason", "") : why,
               target != NULL ? simctl_shape_text(target, "message", "")
                              : text_at(v->pod, "status", "message"));
    }
}

static bool is_drone(const struct view *v, const json_t *status)
{
    return strcmp(simctl_shape_text(status, "name", ""), v->drone) == 0;
}

static void judge_container(struct view *v, const json_t *status)
{
    const json_t *last = at(status, "lastState", "terminated");
    const json_t *ended =
        at(status, "state", "terminated") != NULL ? at(status, "state", "terminated") : last;
    const char *name = simctl_shape_text(status, "name", "");
    const char *message = simctl_shape_text(ended, "message", "");
    const json_int_t code = json_integer_value(json_object_get(ended, "exitCode"));
    if (ended == NULL || code == 0) {
        return;
    }
    if (strcmp(simctl_shape_text(ended, "reason", ""), "OOMKilled") == 0) {
        end_as(v, SIMCTL_OUTCOME_OUT_OF_MEMORY,
               "container %.63s needed more memory than it may have", name);
    } else if (is_drone(v, status) && strcasestr(message, "fingerprint") != NULL) {
        end_as(v, SIMCTL_OUTCOME_GEOID_MISMATCH, "%.200s", message);
    } else if (is_drone(v, status)) {
        end_as(v, SIMCTL_OUTCOME_EMULATOR_FAILED, "exit code %d: %.160s", (int)code, message);
    } else if (strcmp(name, v->onboard) == 0) {
        end_as(v, SIMCTL_OUTCOME_ONBOARD_FAILED, "the onboard software ended with %d", (int)code);
    } else {
        end_as(v, SIMCTL_OUTCOME_ONBOARD_FAILED, "container %.63s ended with %d", name, (int)code);
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
    return strcmp(phase, "Succeeded") == 0 || strcmp(phase, "Failed") == 0 ||
           (v->pod == NULL &&
            (condition(v->job, "Failed") != NULL || condition(v->job, "Complete") != NULL));
}

/* ---- state */

static bool all_ready(const struct view *v)
{
    static const char *const k_list[] = {"initContainerStatuses", "containerStatuses"};
    size_t i;
    const json_t *status;
    for (size_t k = 0; k < sizeof k_list / sizeof k_list[0]; k++) {
        json_array_foreach(at(v->pod, "status", k_list[k]), i, status)
        {
            const bool over = at(status, "state", "terminated") != NULL;
            v->out->restarts +=
                (unsigned)json_integer_value(json_object_get(status, "restartCount"));
            if (!over && !json_is_true(json_object_get(status, "ready"))) {
                return false;
            }
        }
    }
    return condition(v->pod, "Ready") != NULL;
}

static void set_state(struct view *v)
{
    const bool told =
        reason_of(v->job) != NULL || at(v->job, "metadata", "deletionTimestamp") != NULL;
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
    if (v->restart_ends && v->out->restarts > 0) {
        judge_containers(v); /* whoever saw it has told it to end */
    }
    judge_caller(v);
    judge_disruption(v);
    judge_start(v);
    judge_deadline(v);
    judge_containers(v);
    end_as(v, SIMCTL_OUTCOME_COMPLETED, "%s",
           v->onboard[0] != '\0' ? "the onboard software ended with 0" : "the drone ended");
}

/* ---- the rest */

static void set_addresses(struct view *v, const json_t *service)
{
    const char *ip = text_at(v->pod, "status", "podIP"),
               *node = text_at(v->pod, "status", "hostIP");
    const bool v6 = strchr(ip, ':') != NULL;
    size_t i;
    const json_t *port;
    if (ip[0] != '\0') {
        struct simctl_addresses *a = &v->out->within;
        (void)snprintf(a->tcp, sizeof a->tcp, "%s%.60s%s:%d", v6 ? "[" : "", ip, v6 ? "]" : "",
                       SIMCTL_MAVLINK_PORT);
        (void)snprintf(a->udp, sizeof a->udp, "%s", a->tcp);
        (void)snprintf(a->api, sizeof a->api, "%s%.60s%s:%d", v6 ? "[" : "", ip, v6 ? "]" : "",
                       SIMCTL_API_PORT);
    }
    json_array_foreach(at(service, "spec", "ports"), i, port)
    {
        const int number = (int)json_integer_value(json_object_get(port, "nodePort"));
        const char *name = simctl_shape_text(port, "name", "");
        struct simctl_addresses *a = &v->out->outside;
        char *to = strcmp(name, "mavlink-tcp") == 0   ? a->tcp
                   : strcmp(name, "mavlink-udp") == 0 ? a->udp
                                                      : a->api;
        if (number != 0 && node[0] != '\0') {
            (void)snprintf(to, SIMCTL_ADDRESS_MAX, "%.60s:%d", node, number);
        }
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

bool simctl_kube_must_end(const json_t *job, const json_t *pod)
{
    size_t i;
    const json_t *status;
    json_int_t restarts = 0;
    json_array_foreach(at(pod, "status", "initContainerStatuses"), i, status)
    {
        restarts += json_integer_value(json_object_get(status, "restartCount"));
    }
    json_t *order = restarts > 0 && reason_of(job) == NULL ? order_of(job) : NULL;
    const bool must = is_ended_by_restart(order);
    json_decref(order);
    return must;
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
                     .onboard = simctl_shape_text(order, "onboard", ""),
                     .restart_ends = is_ended_by_restart(order)};
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
