/* SPDX-License-Identifier: Apache-2.0 */
/* Reads members of a Job and its pod, and how a container ended; kube_state.c, kube_wait.c and
 * kube_judge.c call it. */
#include "tools/simctl/kube/kube_view.h"

#include "host/base/value.h"
#include "tools/simctl/base/shape.h"

#include <stdio.h>
#include <string.h>

#define CODE_BAD_INPUT 2 /* exit code of mayfly: wrong options */

const json_t *simctl_kube_at(const json_t *o, const char *a, const char *b)
{
    return json_object_get(json_object_get(o, a), b);
}

const char *simctl_kube_text_at(const json_t *o, const char *a, const char *b)
{
    return simctl_shape_text(json_object_get(o, a), b, "");
}

int64_t simctl_kube_time(const json_t *object, const char *name)
{
    int64_t us = 0;
    const char *text = simctl_shape_text(object, name, "");
    return mf_value_utc(text, &us) ? us : 0;
}

const json_t *simctl_kube_find(const json_t *list, const char *name)
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

const json_t *simctl_kube_condition(const json_t *object, const char *type)
{
    const json_t *one = simctl_kube_find(simctl_kube_at(object, "status", "conditions"), type);
    return strcmp(simctl_shape_text(one, "status", ""), "True") == 0 ? one : NULL;
}

const json_t *simctl_kube_status(const json_t *pod, size_t n)
{
    const json_t *init = simctl_kube_at(pod, "status", "initContainerStatuses");
    const size_t first = json_array_size(init);
    return n < first
               ? json_array_get(init, n)
               : json_array_get(simctl_kube_at(pod, "status", "containerStatuses"), n - first);
}

/* ---- one container */

/* The kernel killed it, or its limit is below the memory that it needs to start. */
static bool has_too_little_memory(const json_t *ended)
{
    const char *reason = simctl_shape_text(ended, "reason", "");
    return strcmp(reason, "OOMKilled") == 0 ||
           (strcmp(reason, "StartError") == 0 &&
            strstr(simctl_shape_text(ended, "message", ""), "memory limit") != NULL);
}

/* A container writes the cause of its end last. */
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

/* True for a drone whose geoid is not that of planning. Each drone writes the fingerprint of its
 * geoid when it begins, so the words alone do not suffice. */
static bool has_wrong_geoid(const char *wrote, json_int_t code)
{
    return code == CODE_BAD_INPUT && strcasestr(wrote, "fingerprint") != NULL &&
           strstr(wrote, " is wanted") != NULL;
}

enum simctl_outcome simctl_kube_describe(const struct simctl_kube_view *v, const json_t *status,
                                         const json_t *ended, char *reason)
{
    const char *name = simctl_shape_text(status, "name", "");
    const bool is_drone = strcmp(name, v->drone) == 0;
    const char *wrote = last_line(simctl_shape_text(ended, "message", ""));
    const json_int_t code = json_integer_value(json_object_get(ended, "exitCode"));
    const int n = (int)strcspn(wrote, "\n");
    if (ended == NULL) {
        (void)snprintf(reason, SIMCTL_REASON_MAX, "container %.63s ended", name);
    } else if (has_too_little_memory(ended)) {
        (void)snprintf(reason, SIMCTL_REASON_MAX,
                       "container %.63s needed more memory than it may have", name);
        return SIMCTL_OUTCOME_OUT_OF_MEMORY;
    } else if (is_drone && has_wrong_geoid(wrote, code)) {
        (void)snprintf(reason, SIMCTL_REASON_MAX, "%.*s", n, wrote);
        return SIMCTL_OUTCOME_GEOID_MISMATCH;
    } else {
        (void)snprintf(reason, SIMCTL_REASON_MAX, "container %.63s ended with exit code %d%s%.*s",
                       name, (int)code, code != 0 && n > 0 ? ": " : "", code != 0 ? n : 0, wrote);
    }
    return is_drone ? SIMCTL_OUTCOME_EMULATOR_FAILED : SIMCTL_OUTCOME_ONBOARD_FAILED;
}

bool simctl_kube_has_begun(const json_t *status)
{
    const json_t *ended = simctl_kube_at(status, "state", "terminated");
    return simctl_kube_at(status, "state", "running") != NULL ||
           simctl_kube_time(ended, "startedAt") != 0 ||
           simctl_kube_at(status, "lastState", "terminated") != NULL;
}
