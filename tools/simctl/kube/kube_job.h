/* SPDX-License-Identifier: Apache-2.0 */
/**
 * An instance as a Job of Kubernetes: the template's pod as it is, and over it a fixed list: names,
 * labels, deadlines, default limits, the restricted security context, the drone's environment. Pure
 * functions.
 */
#ifndef MF_SIMCTL_KUBE_JOB_H
#define MF_SIMCTL_KUBE_JOB_H

#include "tools/simctl/base/certificate.h"
#include "tools/simctl/base/instance.h"

/** Keys of labels and annotations. */
#define SIMCTL_KEY_INSTANCE "mayfly.dev/instance" /**< on every object of an instance: its id */
#define SIMCTL_KEY_TEMPLATE "mayfly.dev/template"
#define SIMCTL_KEY_MANAGED  "app.kubernetes.io/managed-by"
#define SIMCTL_MANAGED      "simctl"
#define SIMCTL_KEY_HASH     "mayfly.dev/hash"    /**< of the order */
#define SIMCTL_KEY_ORDER    "mayfly.dev/order"   /**< the order, as JSON */
#define SIMCTL_KEY_REASON   "mayfly.dev/reason"  /**< why it was ended */
#define SIMCTL_KEY_WAITS    "mayfly.dev/waits"   /**< what kept it from beginning: "CODE reason" */
#define SIMCTL_KEY_OUTCOME  "mayfly.dev/outcome" /**< its code; absent: "ended" */
/** Annotations of a Job that was extended: its lifetime [s]; and of one that ends: times of its
 * pod. */
#define SIMCTL_KEY_LIFETIME  "mayfly.dev/lifetime"
#define SIMCTL_KEY_SCHEDULED "mayfly.dev/scheduled"
#define SIMCTL_KEY_STARTED   "mayfly.dev/started"
#define SIMCTL_KEY_READY     "mayfly.dev/ready"

/** Port of the drone's control API in its container, and of its MAVLink servers. */
#define SIMCTL_API_PORT     5759
#define SIMCTL_MAVLINK_PORT 5760
/** Name of the former in the pod, by which a PodMonitor finds it. */
#define SIMCTL_API_PORT_NAME "mayfly-api"
/**
 * A lifetime is over at most 10 s late. The kubelet ends a pod at the end of its lifetime, and logs
 * stay. Where the pod began late, the control plane deletes it SIMCTL_JOB_GRACE_S after that end.
 * Containers get SIMCTL_END_GRACE_S to end, and a kubelet adds 2 s after a preStop hook that used
 * all of it [s].
 */
#define SIMCTL_JOB_GRACE_S 3
#define SIMCTL_END_GRACE_S 3
/** Longest lifetime of a template [s]. */
#define SIMCTL_LIFETIME_MAX_S (365.0 * 86400.0)

/** Folder in which the drone finds the instance's Secret, and in it the token of its control API.
 */
#define SIMCTL_SECRET_PATH   "/run/mayfly"
#define SIMCTL_SECRET_TOKEN  "token"
#define SIMCTL_SECRET_VOLUME "mayfly-token"
#define SIMCTL_SECRET_MODE   0440
/** The part of it that a container with certificates sees. */
#define SIMCTL_CERTIFICATES_VOLUME "mayfly-certificates"
/** Volume of the drone's recording, if the template has one. */
#define SIMCTL_RECORDING_VOLUME "mayfly-recording"
#define SIMCTL_RECORDING_PATH   "/run/mayfly-recording"
/** Volume with the drone's clock, if the template has virtualTime. */
#define SIMCTL_CLOCK_VOLUME "mayfly-time"
#define SIMCTL_CLOCK_PATH   "/run/mayfly-time"
/** Group of a pod whose template sets none: it may read the Secret, and join the drone's time. */
#define SIMCTL_GROUP 65532

/** @brief Name of an order's Job: one request cannot have two Jobs. */
const char *simctl_kube_job_name(const struct simctl_order *order);

/** @brief The Job of an order. @param pod  of simctl_template_apply(); only read
 *  @return a new object */
json_t *simctl_kube_job(const struct simctl_order *order, const json_t *pod);

/** @brief Put the images of a configuration in the places of those that a Job has.
 *  @param images  object {image: image}; a name must be the whole text of a Job's; NULL: none */
void simctl_kube_images(json_t *job, const json_t *images);

/** @brief Make the pod that the Job controller would make of a Job. @return a new object */
json_t *simctl_kube_pod(const json_t *job);

/** @brief The Service of an order whose template has SIMCTL_REACH_NODE: MAVLink on TCP and UDP, and
 * the API.
 *  @param job_uid  of its Job, which owns it  @return a new object */
json_t *simctl_kube_service(const struct simctl_order *order, const char *job_uid);

/** @brief The Secret of an order: what the drone's control API asks of its clients, and
 * certificates.
 *  @param job_uid  of its Job, which owns it  @param minted  NULL: none  @return a new object */
json_t *simctl_kube_secret(const struct simctl_order *order, const char *job_uid, const char *token,
                           const struct simctl_minted *minted);

/** @brief Patch that notes in a Job why it ends, which stays until the TTL is over.
 *  @param uid      of the Job: the API server refuses the patch for another one of its name
 *  @param version  resourceVersion that the Job must have; NULL: any
 *  @param outcome  a code of simctl_outcome_code()
 *  @param at_once  its deadline passes; the pod and its logs go
 *  @param seen     times of the pod, which the patch keeps; NULL: unknown */
json_t *simctl_kube_end(const char *uid, const char *version, const char *outcome,
                        const char *reason, bool at_once, const struct simctl_instance *seen);

/** @brief Patch that notes in a Job the obstacle to its begin, which its pod forgets at its
 *  deadline. @param outcome  its code, if the instance never begins */
json_t *simctl_kube_waits(const char *uid, const char *version, const char *outcome,
                          const char *reason);

/** @brief Patch that ends a pod by its deadline, and keeps its logs. */
json_t *simctl_kube_end_pod(const char *uid);

/** @brief Patch that changes the lifetime of a Job. @param lifetime_s  from its start
 *  @param version  resourceVersion that the Job must have */
json_t *simctl_kube_extend(const char *uid, const char *version, json_int_t lifetime_s);

/**
 * @brief Deadlines of an order [s], of its pod and of its Job. A pod's deadline can only be
 *        shortened: where the lifetime may be extended the pod has the longest one, and the Job's
 *        ends the instance.
 */
void simctl_kube_deadlines(const struct simctl_order *order, json_int_t *pod_s, json_int_t *job_s);

#endif
