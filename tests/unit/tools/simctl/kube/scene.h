/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Jobs, pods and Events as Kubernetes 1.34 has them, in short, for tests of states and outcomes.
 * The times are the seconds of one minute; the Job is made at second 0, and its lifetime of 45 s
 * ends at second 45.
 */
#ifndef MF_TESTS_SCENE_H
#define MF_TESTS_SCENE_H

#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_state.h"

#define T(s) "'2026-03-01T12:00:" s "Z'"

/* ---- templates: the containers of each */

/* The example of docs/controller.md. */
#define BEHIND                                                                                \
    "onboard: onboard\n"                                                                      \
    "pod: {spec: {initContainers: [{name: emulator, restartPolicy: Always}, {name: weather, " \
    "restartPolicy: Always}], containers: [{name: onboard}]}}\n"
#define ALONE "pod: {spec: {containers: [{name: emulator}]}}\n"
#define PAIR                                                                               \
    "onboard: onboard\n"                                                                   \
    "pod: {spec: {initContainers: [{name: emulator, restartPolicy: Always}], containers: " \
    "[{name: helper}, {name: onboard}]}}\n"
/* No key onboard: the main containers decide together. */
#define UNNAMED                                                                            \
    "pod: {spec: {initContainers: [{name: emulator, restartPolicy: Always}], containers: " \
    "[{name: a}, {name: b}]}}\n"

/* ---- statuses of containers */

#define READY(name) \
    "{name: " name ", ready: true, restartCount: 0, state: {running: {startedAt: " T("02") "}}}"
#define RUNS(name) \
    "{name: " name ", ready: false, restartCount: 0, state: {running: {startedAt: " T("02") "}}}"
#define WAITS(name, why, message)                                                    \
    "{name: " name ", ready: false, restartCount: 0, state: {waiting: {reason: " why \
    ", message: '" message "'}}}"
#define DONE_AS(name, code, s, more)                                                       \
    "{name: " name ", ready: false, restartCount: 0, state: {terminated: {exitCode: " code \
    ", startedAt: " T("02") ", finishedAt: " T(s) more "}}}"
#define DONE(name, code, s) DONE_AS(name, code, s, "")
/* Restarted after an end, and ready again. */
#define AGAIN(name, code)                                                             \
    "{name: " name ", ready: true, restartCount: 1, state: {running: {startedAt: " T( \
        "09") "}}, "                                                                  \
              "lastState: {terminated: {exitCode: " code                              \
              ", startedAt: " T("02") ", finishedAt: " T("08") "}}}"
/* Restarted after an end, and gone. */
#define AGAIN_DONE(name, code, s)                                                              \
    "{name: " name ", ready: false, restartCount: 1, state: {terminated: {exitCode: 137, "     \
    "startedAt: " T("09") ", finishedAt: " T(s) "}}, lastState: {terminated: {exitCode: " code \
                                                ", startedAt: " T("02") ", finishedAt: " T(    \
                                                    "08") "}}}"
#define LOOPS(name, code, more)                                                                    \
    "{name: " name ", ready: false, restartCount: 4, state: {waiting: {reason: CrashLoopBackOff, " \
    "message: back-off}}, lastState: {terminated: {exitCode: " code                                \
    ", startedAt: " T("02") ", finishedAt: " T("03") more "}}}"

/* ---- pods and Jobs */

#define SCHEDULED      "{type: PodScheduled, status: 'True', lastTransitionTime: " T("01") "}"
#define IS_READY       "{type: Ready, status: 'True', lastTransitionTime: " T("03") "}"
#define NEVER_READY    "{type: Ready, status: 'False', lastTransitionTime: " T("01") "}"
#define READY_UNTIL(s) "{type: Ready, status: 'False', lastTransitionTime: " T(s) "}"
#define DRAINED(s)                                                                               \
    "{type: DisruptionTarget, status: 'True', reason: EvictionByEvictionAPI, message: drained, " \
    "lastTransitionTime: " T(s) "}"
#define POD_WITH(metadata, status, conditions, init, main)                                    \
    "{metadata: {uid: p" metadata "}, spec: {activeDeadlineSeconds: 45}, status: {" status    \
    ", startTime: " T("01") ", conditions: [" SCHEDULED ", " conditions                       \
                            "], initContainerStatuses: [" init "], containerStatuses: [" main \
                            "]}}"
#define POD(status, conditions, init, main) POD_WITH("", status, conditions, init, main)
#define OVER(status, init, main)            POD(status, READY_UNTIL("20"), init, main)
#define DELETED(s)                          ", deletionTimestamp: " T(s) ", deletionGracePeriodSeconds: 3"
#define EXPIRED                             "phase: Failed, reason: DeadlineExceeded"
#define SUCCEEDED                           "phase: Succeeded"
#define FAILED                              "phase: Failed"
#define RUNNING                             "phase: Running"
#define PENDING                             "phase: Pending"

/* Members of a Job's metadata, its status. */
#define JOB(notes, status) \
    "{metadata: {annotations: {" notes "}}, status: {startTime: " T("00") ", " status "}}"
#define PLAIN JOB("", "active: 1")
#define CONDITION(type, why)                                     \
    "conditions: [{type: " type ", status: 'True', reason: " why \
    ", message: why, lastTransitionTime: " T("50") "}]"
#define COMPLETE           JOB("", CONDITION("Complete", "CompletionsReached"))
#define BACKOFF            JOB("", CONDITION("Failed", "BackoffLimitExceeded"))
#define OUT_OF_TIME        JOB("", CONDITION("Failed", "DeadlineExceeded"))
#define NOTE(code, reason) "mayfly.dev/outcome: " code ", mayfly.dev/reason: '" reason "'"
#define OBSTACLE(text)     "mayfly.dev/waits: '" text "'"

/** A moment of an instance, and the state and reason that it must have. */
struct scene {
    const char *name, *template, *job, *pod, *failure;
    enum simctl_state state;
    enum simctl_outcome outcome;
    const char *data; /**< words of the reason; "": no reason */
};

/** Objects of one instance. The test may set pod, service and failure, and scene_end() releases
 * them. */
struct fixture {
    struct simctl_template template;
    json_t *job, *pod, *service, *failure;
};

/** @brief Read YAML, or fail the test. @return NULL for NULL */
json_t *scene_yaml(const char *text);

/** @brief Add members, and members of members, to an object. @param from  released */
void scene_merge(json_t *into, json_t *from);

/** @brief Make the Job of a template, with members of @p job. @param pod  NULL: absent */
void scene_begin(struct fixture *f, const char *template, const char *job, const char *pod);
void scene_end(struct fixture *f);

struct simctl_kube_objects scene_objects(const struct fixture *f);

/** @brief Read the instance. @param is  the caller releases it by simctl_instance_free() */
void scene_read(const struct fixture *f, struct simctl_instance *is);
bool scene_must_tell(const struct fixture *f, struct simctl_kube_verdict *verdict);

/** @brief Fail the test unless an instance has state, outcome and reason of its scene. */
void scene_expect(const struct scene *s);

#endif
