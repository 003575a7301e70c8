/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Objects of one instance while kube_state.c reads them, and the two judgements that it makes:
 * the part that an instance waits for (kube_wait.c), and the cause of its end (kube_judge.c).
 */
#ifndef MF_SIMCTL_KUBE_VIEW_H
#define MF_SIMCTL_KUBE_VIEW_H

#include "tools/simctl/base/instance.h"
#include "tools/simctl/kube/kube_state.h"

struct simctl_kube_view {
    const json_t *job, *pod, *failure; /**< NULL: absent */
    struct simctl_instance *out;
    const char *drone, *onboard; /**< names of containers; onboard may be "" */
};

/** @brief Member b of member a. @return NULL: absent */
const json_t *simctl_kube_at(const json_t *o, const char *a, const char *b);

/** @brief Text at member b of member a. @return "": absent */
const char *simctl_kube_text_at(const json_t *o, const char *a, const char *b);

/** @brief Element of a list by its name or type. @return NULL: absent */
const json_t *simctl_kube_find(const json_t *list, const char *name);

/** @brief Condition of an object whose status is True. @return NULL: it is not True */
const json_t *simctl_kube_condition(const json_t *object, const char *type);

/** @brief n-th container status of a pod: initContainers first, then containers.
 *  @return NULL: n is the number of statuses */
const json_t *simctl_kube_status(const json_t *pod, size_t n);

/** @brief True if a container runs, or has run. */
bool simctl_kube_has_begun(const json_t *status);

/** @brief Describe how a container ended. @param ended  its terminated state
 *  @param reason  out [SIMCTL_REASON_MAX]  @return the outcome if this ends the instance */
enum simctl_outcome simctl_kube_describe(const struct simctl_kube_view *v, const json_t *status,
                                         const json_t *ended, char *reason);

/**
 * @brief Find the part that keeps an instance from being ready; v->out->reason names it.
 * @return the outcome if the instance never gets further; SIMCTL_OUTCOME_OPEN: it only needs time
 */
enum simctl_outcome simctl_kube_wait(struct simctl_kube_view *v);

/** @brief True if the Job notes an end. */
bool simctl_kube_is_told(const struct simctl_kube_view *v);

/** @brief Find what ends a pod from outside: disruption, deadline, deletion.
 *  @param reason  out [SIMCTL_REASON_MAX]  @return SIMCTL_OUTCOME_OPEN: nothing does, or the
 *  instance had ended before */
enum simctl_outcome simctl_kube_outside(const struct simctl_kube_view *v, char *reason);

/** @brief Status of the container whose end is the instance's, if it has ended. @return NULL: it
 *  has not */
const json_t *simctl_kube_decided(const struct simctl_kube_view *v);

/** @brief True if that container, or the first main one, runs or has run. */
bool simctl_kube_has_decider_begun(const struct simctl_kube_view *v);

/** @brief Set outcome and reason of an instance that has ended, or ends. */
void simctl_kube_judge(struct simctl_kube_view *v);

#endif
