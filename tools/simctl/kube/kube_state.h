/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What has become of an instance, told from its Job and its pod. From container states, not from
 * the Job alone: a drone that a drain ends exits with 0, and its Job says Complete. Pure functions.
 */
#ifndef MF_SIMCTL_KUBE_STATE_H
#define MF_SIMCTL_KUBE_STATE_H

#include "tools/simctl/base/instance.h"

/**
 * @brief Fill in an instance.
 * @param job      as the API server has it
 * @param pod      the Job's pod; NULL: there is none
 * @param service  NULL: there is none
 * @param out      all but the id's and times' origin is set; to be released
 * by simctl_instance_free()
 */
void simctl_kube_read(const json_t *job, const json_t *pod, const json_t *service,
                      struct simctl_instance *out);

/** What is to be written into a Job, since its pod will not tell it for long. */
struct simctl_kube_verdict {
    enum simctl_outcome outcome;
    char reason[SIMCTL_REASON_MAX];
    bool ends;  /**< and it is to end: a sidecar restarted, and its template has it so */
    bool waits; /**< it has not begun, and this would be why it never did */
};

/** @brief Is something taking its pod from its node, or keeping it from beginning, or must it end
 * since a sidecar restarted, and does its Job not say so yet? */
bool simctl_kube_must_tell(const json_t *job, const json_t *pod, struct simctl_kube_verdict *out);

/** @brief Events of a list, in short. @param list  EventList; may be NULL  @param out  array: time,
 *  object, reason, message, count each */
void simctl_kube_events(const json_t *list, json_t *out);

/** @brief "2026-03-01T12:00:00Z" [us]; 0: absent, or of another form. */
int64_t simctl_kube_time(const json_t *object, const char *name);

#endif
