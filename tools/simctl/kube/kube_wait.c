/* SPDX-License-Identifier: Apache-2.0 */
/* Names the part that keeps an instance from being ready, and why; kube_state.c calls it. */
#include "tools/simctl/kube/kube_view.h"

#include "tools/simctl/base/shape.h"

#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void set_reason(struct simctl_kube_view *v,
                                                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(v->out->reason, sizeof v->out->reason, format, args);
    va_end(args);
}

static const char *name_of(const json_t *status)
{
    return simctl_shape_text(status, "name", "");
}

/* The state in which a kubelet leaves a container that only has to wait for its turn. */
static bool is_only_late(const char *why)
{
    static const char *const k_late[] = {"", "ContainerCreating", "PodInitializing", NULL};
    return simctl_is_one_of(why, k_late);
}

/* Init containers that have done their work, and containers that are ready. */
static bool is_fine(const json_t *status)
{
    const json_t *ended = simctl_kube_at(status, "state", "terminated");
    return ended != NULL ? json_integer_value(json_object_get(ended, "exitCode")) == 0
                         : json_is_true(json_object_get(status, "ready"));
}

/* ---- before there are containers */

static enum simctl_outcome wait_for_pod(struct simctl_kube_view *v)
{
    const char *message = simctl_shape_text(v->failure, "message", "");

    const char *cause = strstr(message, "is forbidden: ");
    if (message[0] == '\0') {
        set_reason(v, "the Job has not made its pod yet");
        return SIMCTL_OUTCOME_OPEN;
    }
    set_reason(v, "the Job cannot make its pod: %.200s",
               cause != NULL ? cause + strlen("is forbidden: ") : message);
    return SIMCTL_OUTCOME_UNSCHEDULABLE;
}

/* @return true: the pod lacks a node yet, and the reason says why */
static bool wait_for_node(struct simctl_kube_view *v, enum simctl_outcome *outcome)
{
    const json_t *scheduled =
        simctl_kube_find(simctl_kube_at(v->pod, "status", "conditions"), "PodScheduled");
    const char *why = simctl_shape_text(scheduled, "reason", "");
    const char *message = simctl_shape_text(scheduled, "message", "");
    *outcome = SIMCTL_OUTCOME_OPEN;
    if (strcmp(simctl_shape_text(scheduled, "status", ""), "True") == 0 ||
        (scheduled == NULL && simctl_kube_status(v->pod, 0) != NULL)) {
        return false;
    }
    if (strcmp(why, "Unschedulable") == 0) {
        *outcome = SIMCTL_OUTCOME_UNSCHEDULABLE;
        set_reason(v, "unschedulable: %.200s", message);
    } else {
        set_reason(v, "the pod has no node yet%s%.60s%s%.140s", why[0] != '\0' ? ": " : "", why,
                   message[0] != '\0' ? ": " : "", message);
    }
    return true;
}

/* ---- containers */

static bool is_image(const char *why)
{
    static const char *const k_image[] = {
        "ErrImagePull",        "ImagePullBackOff",          "ErrImageNeverPull",
        "InvalidImageName",    "ImageInspectError",         "RegistryUnavailable",
        "ErrImagePullBackOff", "SignatureValidationFailed", NULL};
    return simctl_is_one_of(why, k_image);
}

static bool has_restarted(const json_t *status)
{
    return json_integer_value(json_object_get(status, "restartCount")) > 0;
}

/* Name how a container that has restarted had ended; a kubelet forgets that soon. */
static enum simctl_outcome set_restarted(struct simctl_kube_view *v, const json_t *status)
{
    char how[SIMCTL_REASON_MAX];
    const json_t *ended = simctl_kube_at(status, "state", "terminated");
    ended = ended != NULL ? ended : simctl_kube_at(status, "lastState", "terminated");
    const enum simctl_outcome outcome = simctl_kube_describe(v, status, ended, how);
    set_reason(v, "%.200s, and restarts (%d)", how,
               (int)json_integer_value(json_object_get(status, "restartCount")));
    return outcome;
}

/* Describe a container that is not ready. */
static enum simctl_outcome set_part(struct simctl_kube_view *v, const json_t *status)
{
    char how[SIMCTL_REASON_MAX];
    const json_t *waiting = simctl_kube_at(status, "state", "waiting");
    const json_t *ended = simctl_kube_at(status, "state", "terminated");
    const char *why = simctl_shape_text(waiting, "reason", "");
    const char *message = simctl_shape_text(waiting, "message", "");
    if (!is_only_late(why) && strcmp(why, "CrashLoopBackOff") != 0) {
        set_reason(v, "container %.60s: %.60s%s%.120s", name_of(status), why,
                   message[0] != '\0' ? ": " : "", message);
        return is_image(why) ? SIMCTL_OUTCOME_IMAGE : SIMCTL_OUTCOME_OPEN;
    }
    if (has_restarted(status)) {
        return set_restarted(v, status);
    }
    if (ended != NULL) {
        (void)simctl_kube_describe(v, status, ended, how);
        set_reason(v, "%.250s", how);
    } else if (simctl_kube_at(status, "state", "running") != NULL) {
        set_reason(v, "container %.60s runs and is not ready", name_of(status));
    } else {
        set_reason(v, "container %.60s has not begun%s%.60s", name_of(status),
                   why[0] != '\0' ? ": " : "", why);
    }
    return SIMCTL_OUTCOME_OPEN;
}

/* Containers start in their order, so the first that is not ready is the one to wait for, unless
 * another one has an error. */
static const json_t *find_part(const json_t *pod)
{
    const json_t *status, *first = NULL;
    for (size_t n = 0; (status = simctl_kube_status(pod, n)) != NULL; n++) {
        const json_t *waiting = simctl_kube_at(status, "state", "waiting");
        if (!is_only_late(simctl_shape_text(waiting, "reason", "")) ||
            (has_restarted(status) && !is_fine(status))) {
            return status;
        }
        first = first == NULL && !is_fine(status) ? status : first;
    }
    return first;
}

static const json_t *find_restarted(const json_t *pod)
{
    const json_t *status;
    for (size_t n = 0; (status = simctl_kube_status(pod, n)) != NULL; n++) {
        if (has_restarted(status)) {
            break;
        }
    }
    return status;
}

enum simctl_outcome simctl_kube_wait(struct simctl_kube_view *v)
{
    enum simctl_outcome outcome;
    if (v->pod == NULL) {
        return wait_for_pod(v);
    }
    if (wait_for_node(v, &outcome)) {
        return outcome;
    }
    const json_t *status = find_part(v->pod), *restarted = find_restarted(v->pod);
    const json_t *ready = simctl_kube_find(simctl_kube_at(v->pod, "status", "conditions"), "Ready");
    const char *why = simctl_shape_text(ready, "reason", "");
    if (status != NULL) {
        return set_part(v, status);
    }
    if (simctl_kube_status(v->pod, 0) == NULL) {
        set_reason(v, "the node has not begun its containers yet");
    } else if (restarted != NULL) {
        (void)set_restarted(v, restarted);
    } else {
        set_reason(v, "the pod is not ready%s%.60s", why[0] != '\0' ? ": " : "", why);
    }
    return SIMCTL_OUTCOME_OPEN;
}
