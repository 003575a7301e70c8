/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cause of an instance's end in its Job and its pod; kube_state.c calls it. */
#include "tools/simctl/kube/kube_view.h"

#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"

#include <stdio.h>
#include <string.h>

#define CLOCKS_US 2000000 /* difference of the control plane's clocks */
#define S_US      1000000

static const char *annotation(const struct simctl_kube_view *v, const char *key)
{
    return simctl_shape_text(simctl_kube_at(v->job, "metadata", "annotations"), key, "");
}

static const char *name_of(const json_t *status)
{
    return simctl_shape_text(status, "name", "");
}

static bool is_drone(const struct simctl_kube_view *v, const json_t *status)
{
    return strcmp(name_of(status), v->drone) == 0;
}

/* ---- one container */

static json_int_t code_of(const json_t *status)
{
    return json_integer_value(
        json_object_get(simctl_kube_at(status, "state", "terminated"), "exitCode"));
}

/* The end that a container has reported [us]. A kubelet that lost a container invents one without
 * a start. @return 0: the container has not ended */
static int64_t end_us(const json_t *status)
{
    const json_t *ended = simctl_kube_at(status, "state", "terminated");
    const bool lost = strcmp(simctl_shape_text(ended, "reason", ""), "ContainerStatusUnknown") == 0;
    const int64_t us = simctl_kube_time(ended, "finishedAt");
    return ended == NULL || lost ? 0 : us != 0 ? us : 1;
}

/* ---- the container that decides */

/* Main containers decide together where the template names none of them: the first that failed,
 * once all have ended. */
static const json_t *decided_together(const struct simctl_kube_view *v)
{
    size_t i;
    const json_t *status, *found = NULL;
    json_array_foreach(simctl_kube_at(v->pod, "status", "containerStatuses"), i, status)
    {
        if (end_us(status) == 0) {
            return NULL;
        }
        found = found == NULL || (code_of(found) == 0 && code_of(status) != 0) ? status : found;
    }
    return found;
}

/* @return NULL: no single container decides, or its status is absent yet */
static const json_t *decider(const struct simctl_kube_view *v)
{
    return simctl_kube_find(simctl_kube_at(v->pod, "status", "containerStatuses"),
                            v->onboard[0] != '\0' ? v->onboard : v->drone);
}

const json_t *simctl_kube_decided(const struct simctl_kube_view *v)
{
    const json_t *status = decider(v);
    if (status == NULL && v->onboard[0] == '\0') {
        return decided_together(v);
    }
    return end_us(status) != 0 ? status : NULL;
}

bool simctl_kube_has_decider_begun(const struct simctl_kube_view *v)
{
    const json_t *status = decider(v);
    return simctl_kube_has_begun(
        status != NULL || v->onboard[0] != '\0'
            ? status
            : json_array_get(simctl_kube_at(v->pod, "status", "containerStatuses"), 0));
}

/* ---- causes from outside */

/* @return time of the instance's own end [us]; 0: it has not ended on its own */
static int64_t own_end_us(const struct simctl_kube_view *v)
{
    const char *phase = simctl_kube_text_at(v->pod, "status", "phase");
    const json_t *status = simctl_kube_decided(v);
    int64_t last_us = 0;
    if (status != NULL) {
        return end_us(status);
    }
    for (size_t n = 0; strcmp(phase, "Failed") == 0 || strcmp(phase, "Succeeded") == 0; n++) {
        if ((status = simctl_kube_status(v->pod, n)) == NULL) {
            break;
        }
        const int64_t us = end_us(status);
        last_us = us > last_us ? us : last_us;
    }
    return last_us;
}

/* @return time at which a Job's or pod's deadline passes [us]; 0: it has not started */
static int64_t deadline_us(const json_t *object)
{
    const int64_t start_us = simctl_kube_time(json_object_get(object, "status"), "startTime");
    return start_us != 0 ? start_us + S_US * (int64_t)json_integer_value(simctl_kube_at(
                                                 object, "spec", "activeDeadlineSeconds"))
                         : 0;
}

/* @param when_us  out, [us]; 0: unknown  @return true: a disruption takes the pod */
static bool is_disrupted(const json_t *pod, int64_t *when_us, char *reason)
{
    const json_t *target = simctl_kube_condition(pod, "DisruptionTarget");
    const char *why = simctl_kube_text_at(pod, "status", "reason");
    const bool lost = strcmp(why, "Evicted") == 0 || strcmp(why, "NodeLost") == 0;
    if (target == NULL && !lost) {
        return false;
    }
    *when_us = simctl_kube_time(target, "lastTransitionTime");
    (void)snprintf(reason, SIMCTL_REASON_MAX, "%.60s: %.160s",
                   target != NULL ? simctl_shape_text(target, "reason", "") : why,
                   target != NULL ? simctl_shape_text(target, "message", "")
                                  : simctl_kube_text_at(pod, "status", "message"));
    return true;
}

/* @return time at which the pod's deletion was requested [us]; 0: it was not */
static int64_t deleted_us(const json_t *pod)
{
    const json_t *metadata = json_object_get(pod, "metadata");
    const int64_t gone_us = simctl_kube_time(metadata, "deletionTimestamp");
    return gone_us == 0 ? 0
                        : gone_us - S_US * (int64_t)json_integer_value(json_object_get(
                                               metadata, "deletionGracePeriodSeconds"));
}

/* @return true: a deadline has passed. The Job controller deletes a pod before it says so. */
static bool is_over_time(const struct simctl_kube_view *v, int64_t *when_us)
{
    const json_t *failed = simctl_kube_condition(v->job, "Failed");
    failed = failed != NULL ? failed : simctl_kube_condition(v->job, "FailureTarget");
    const int64_t job_us = deadline_us(v->job), deleted = deleted_us(v->pod);
    if (strcmp(simctl_kube_text_at(v->pod, "status", "reason"), "DeadlineExceeded") == 0) {
        *when_us = deadline_us(v->pod);
        return true;
    }
    *when_us = job_us;
    return strcmp(simctl_shape_text(failed, "reason", ""), "DeadlineExceeded") == 0 ||
           (deleted != 0 && job_us != 0 && deleted >= job_us - CLOCKS_US);
}

/* Outcome of an instance that its deadline ended before its deciding container began: the obstacle
 * is the cause. The pod may have gone, or its kubelet may have written something else over it, but
 * the Job has a note. */
static enum simctl_outcome outcome_of_start(const struct simctl_kube_view *v, char *reason)
{
    struct simctl_instance is = {0};
    struct simctl_kube_view look = *v;
    const char *told = annotation(v, SIMCTL_KEY_WAITS);
    const size_t n = strcspn(told, " ");
    look.out = &is;
    look.failure = NULL;
    const enum simctl_outcome now = simctl_kube_wait(&look);
    if (now != SIMCTL_OUTCOME_OPEN) {
        (void)snprintf(reason, SIMCTL_REASON_MAX, "%s", is.reason);
        return now;
    }
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES; i++) {
        const char *code = simctl_outcome_code((enum simctl_outcome)i);
        if (strlen(code) == n && strncmp(code, told, n) == 0) {
            (void)snprintf(reason, SIMCTL_REASON_MAX, "%s", told + n + (told[n] != '\0'));
            return (enum simctl_outcome)i;
        }
    }
    return SIMCTL_OUTCOME_OPEN;
}

static enum simctl_outcome outcome_of_deadline(const struct simctl_kube_view *v, char *reason)
{
    const bool begun = simctl_kube_has_decider_begun(v);
    enum simctl_outcome outcome = begun ? SIMCTL_OUTCOME_OPEN : outcome_of_start(v, reason);
    if (outcome == SIMCTL_OUTCOME_OPEN) {
        outcome = SIMCTL_OUTCOME_EXPIRED;
        (void)snprintf(reason, SIMCTL_REASON_MAX, "its lifetime is over%s",
                       v->pod == NULL || begun || v->out->started_us != 0
                           ? ""
                           : ", and the drone had not begun");
    }
    return outcome;
}

enum simctl_outcome simctl_kube_outside(const struct simctl_kube_view *v, char *reason)
{
    const int64_t own_us = own_end_us(v);
    int64_t when_us = 0;
    if (is_disrupted(v->pod, &when_us, reason) && (own_us == 0 || own_us >= when_us)) {
        return SIMCTL_OUTCOME_EVICTED;
    }
    if (is_over_time(v, &when_us) && (own_us == 0 || own_us >= when_us)) {
        return outcome_of_deadline(v, reason);
    }
    when_us = deleted_us(v->pod);
    if (when_us != 0 && (own_us == 0 || own_us >= when_us)) {
        (void)snprintf(reason, SIMCTL_REASON_MAX, "its pod was deleted");
        return SIMCTL_OUTCOME_EVICTED;
    }
    return SIMCTL_OUTCOME_OPEN;
}

/* ---- the order of judgement: the first cause that holds */

bool simctl_kube_is_told(const struct simctl_kube_view *v)
{
    return annotation(v, SIMCTL_KEY_REASON)[0] != '\0';
}

/* @return false: the Job does not note an end */
static bool judge_told(struct simctl_kube_view *v)
{
    const char *code =
        simctl_shape_text(simctl_kube_at(v->job, "metadata", "annotations"), SIMCTL_KEY_OUTCOME,
                          simctl_outcome_code(SIMCTL_OUTCOME_BY_CALLER));
    for (int i = SIMCTL_OUTCOME_OPEN + 1; i < SIMCTL_OUTCOMES && simctl_kube_is_told(v); i++) {
        if (strcmp(simctl_outcome_code((enum simctl_outcome)i), code) == 0) {
            v->out->outcome = (enum simctl_outcome)i;
            (void)snprintf(v->out->reason, sizeof v->out->reason, "%s",
                           annotation(v, SIMCTL_KEY_REASON));
            return true;
        }
    }
    return false;
}

/* Add the other containers that failed, as consequences of the end, or as events before it. */
static void add_others(struct simctl_kube_view *v, const json_t *cause)
{
    const int64_t cause_us = end_us(cause);
    char *reason = v->out->reason;
    const json_t *status;
    for (size_t n = 0; (status = simctl_kube_status(v->pod, n)) != NULL; n++) {
        const json_t *before = simctl_kube_at(status, "lastState", "terminated");
        const int64_t us = end_us(status);
        const size_t len = strlen(reason);
        if (status == cause) {
            continue;
        }
        if (before != NULL) {
            (void)snprintf(reason + len, SIMCTL_REASON_MAX - len,
                           "; container %.63s had ended with exit code %d before", name_of(status),
                           (int)json_integer_value(json_object_get(before, "exitCode")));
        } else if (us != 0 && code_of(status) != 0) {
            (void)snprintf(reason + len, SIMCTL_REASON_MAX - len,
                           us < cause_us ? "; container %.63s had ended with exit code %d before"
                                         : "; container %.63s then ended with exit code %d",
                           name_of(status), (int)code_of(status));
        }
    }
}

static void judge_decider(struct simctl_kube_view *v, const json_t *status)
{
    if (code_of(status) != 0) {
        v->out->outcome = simctl_kube_describe(
            v, status, simctl_kube_at(status, "state", "terminated"), v->out->reason);
    } else {
        v->out->outcome = SIMCTL_OUTCOME_COMPLETED;
        (void)snprintf(v->out->reason, sizeof v->out->reason, "%s",
                       is_drone(v, status) ? "the drone ended"
                                           : "the onboard software ended with 0");
    }
    add_others(v, status);
}

/* Find the container whose failure ended a pod before the deciding container had an end: the one
 * that failed first, and of two in one second the one that starts later, since its failure ends
 * the others. @return NULL: no container failed */
static const json_t *find_failed(const struct simctl_kube_view *v)
{
    int64_t first_us = INT64_MAX;
    const json_t *status, *found = NULL;
    for (size_t n = 0; (status = simctl_kube_status(v->pod, n)) != NULL; n++) {
        const int64_t us = end_us(status);
        if (us != 0 && us <= first_us && code_of(status) != 0) {
            found = status;
            first_us = us;
        }
    }
    return found;
}

/* Judge by the phase of the pod and the conditions of the Job: no container has a cause. */
static void judge_objects(struct simctl_kube_view *v)
{
    const char *why = simctl_kube_text_at(v->pod, "status", "reason");
    const json_t *failed = simctl_kube_condition(v->job, "Failed");
    const bool completed = v->pod != NULL || simctl_kube_condition(v->job, "Complete") != NULL ||
                           simctl_kube_condition(v->job, "SuccessCriteriaMet") != NULL;
    const bool pod_failed = strcmp(simctl_kube_text_at(v->pod, "status", "phase"), "Failed") == 0;
    if (pod_failed && why[0] != '\0') { /* the kubelet did not admit it: OutOfcpu, NodeAffinity */
        v->out->outcome = SIMCTL_OUTCOME_UNSCHEDULABLE;
        (void)snprintf(v->out->reason, sizeof v->out->reason, "%.60s: %.180s", why,
                       simctl_kube_text_at(v->pod, "status", "message"));
    } else if (pod_failed || (failed != NULL && v->pod == NULL)) {
        v->out->outcome =
            v->onboard[0] != '\0' ? SIMCTL_OUTCOME_ONBOARD_FAILED : SIMCTL_OUTCOME_EMULATOR_FAILED;
        (void)snprintf(v->out->reason, sizeof v->out->reason,
                       "the Job failed, and no container's end is known: %.60s: %.120s",
                       simctl_shape_text(failed, "reason", ""),
                       simctl_shape_text(failed, "message", ""));
    } else if (completed) {
        v->out->outcome = SIMCTL_OUTCOME_COMPLETED;
        (void)snprintf(v->out->reason, sizeof v->out->reason, "%s",
                       v->onboard[0] != '\0' ? "the onboard software ended with 0"
                                             : "the drone ended");
    } else {
        (void)snprintf(v->out->reason, sizeof v->out->reason, "the Job ends");
    }
}

void simctl_kube_judge(struct simctl_kube_view *v)
{
    const json_t *status;
    if (judge_told(v)) {
        return;
    }
    v->out->outcome = simctl_kube_outside(v, v->out->reason);
    if (v->out->outcome != SIMCTL_OUTCOME_OPEN) {
        return;
    }
    if ((status = simctl_kube_decided(v)) != NULL) {
        judge_decider(v, status);
    } else if ((status = find_failed(v)) != NULL) {
        v->out->outcome = simctl_kube_describe(
            v, status, simctl_kube_at(status, "state", "terminated"), v->out->reason);
        add_others(v, status);
    } else {
        judge_objects(v);
    }
}
