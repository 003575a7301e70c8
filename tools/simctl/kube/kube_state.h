/* SPDX-License-Identifier: Apache-2.0 */
/**
 * State, outcome and times of an instance, read from its Job and its pod. From container states,
 * not from the Job alone: a drone that a drain ends exits with 0, and its Job says Complete. Pure
 * functions.
 */
#ifndef MF_SIMCTL_KUBE_STATE_H
#define MF_SIMCTL_KUBE_STATE_H

#include "tools/simctl/base/instance.h"

/** Objects of an instance, as the API server has them. NULL: absent. */
struct simctl_kube_objects {
    const json_t *job, *pod, *service;
    const json_t *failure; /**< latest Event of the Job with the reason FailedCreate */
};

/** @brief Fill in an instance. @param out  the caller releases it by simctl_instance_free() */
void simctl_kube_read(const struct simctl_kube_objects *o, struct simctl_instance *out);

/**
 * @brief Keep what a previous reading of the same Job has seen: its times, and its state, which
 *        never goes backwards. The watches of Jobs and pods are not synchronized, and a pod may
 *        vanish before its Job has a condition.
 */
void simctl_kube_remember(const struct simctl_instance *before, struct simctl_instance *now);

/** Note that a Job needs, since its pod will not show it for long. */
struct simctl_kube_verdict {
    enum simctl_outcome outcome;
    char reason[SIMCTL_REASON_MAX];
    bool ends;      /**< the pod must end, too: a sidecar restarted, or other containers run on */
    bool restarted; /**< a sidecar restarted */
    bool waits; /**< the instance has not begun: outcome is the one that it has if it never does */
};

/** @brief True if an instance has ended, something outside ends or hinders it, or it must end, and
 *  its Job does not say so yet. */
bool simctl_kube_must_tell(const struct simctl_kube_objects *o, struct simctl_kube_verdict *out);

/** @brief True if an instance's own end has begun: a later request does not change its outcome. */
bool simctl_kube_has_decided(const struct simctl_kube_objects *o);

/** @brief Events of a list, in short. @param list  EventList; may be NULL  @param out  array: time,
 *  object, reason, message, count each */
void simctl_kube_events(const json_t *list, json_t *out);

/** @brief "2026-03-01T12:00:00Z" [us]; 0: absent, or of another form. */
int64_t simctl_kube_time(const json_t *object, const char *name);

#endif
