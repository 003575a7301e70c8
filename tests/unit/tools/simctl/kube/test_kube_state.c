/* SPDX-License-Identifier: Apache-2.0 */
/* States, outcomes and reasons of instances, from Jobs, pods and Events as Kubernetes 1.34 has
 * them. The times are the seconds of one minute; the Job is made at second 0, and its lifetime of
 * 45 s ends at second 45. */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

struct scene {
    const char *name, *template, *job, *pod, *failure;
    enum simctl_state state;
    enum simctl_outcome outcome;
    const char *data; /* of the reason; "": no reason */
};

static const struct scene k_living[] = {
    {"there is no pod yet", BEHIND, PLAIN, NULL, NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "pod"},
    {"a quota of pods is full", BEHIND, PLAIN, NULL,
     "{message: 'Error creating: pods \"x-\" is forbidden: exceeded "
     "quota: "
     "instances, requested: pods=1'}",
     SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "exceeded quota: instances"},
    {"a webhook is down", BEHIND, PLAIN, NULL,
     "{message: 'Internal error: failed calling webhook x'}", SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN,
     "failed calling webhook x"},
    {"the scheduler has not looked at it", BEHIND, PLAIN, "{status: {phase: Pending}}", NULL,
     SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "node"},
    {"a scheduling gate", BEHIND, PLAIN,
     "{status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
     "SchedulingGated}]}}",
     NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "SchedulingGated"},
    {"no node has room", BEHIND, PLAIN,
     "{status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
     "Unschedulable, message: 0/1 nodes}]}}",
     NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "unschedulable 0/1 nodes"},
    {"its kubelet has not begun", BEHIND, PLAIN, POD(PENDING, NEVER_READY, "", ""), NULL,
     SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "containers"},
    {"a volume is not mounted", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY,
         WAITS("emulator", "PodInitializing", "") ", " WAITS("weather", "PodInitializing", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "emulator PodInitializing"},
    {"the drone's image is missing", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY, WAITS("emulator", "ErrImageNeverPull", "not here"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "emulator ErrImageNeverPull not here"},
    {"the drone starts", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY, RUNS("emulator") ", " WAITS("weather", "PodInitializing", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "emulator runs"},
    {"an init container works", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY,
         DONE("time", "0", "02") ", " RUNS("geoid") ", " WAITS("emulator", "PodInitializing", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "geoid runs"},
    {"between two init containers", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY,
         DONE("time", "0", "02") ", " WAITS("emulator", "PodInitializing", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "emulator PodInitializing"},
    {"a Secret is missing", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY,
         READY("emulator") ", " WAITS("weather", "CreateContainerConfigError",
                                      "secret x not found"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN,
     "weather CreateContainerConfigError secret x not found"},
    {"the onboard image is missing", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY, READY("emulator") ", " READY("weather"),
         WAITS("onboard", "ImagePullBackOff", "acme/onboard")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "onboard ImagePullBackOff acme/onboard"},
    {"the second image is missing", PAIR, PLAIN,
     POD(PENDING, NEVER_READY, READY("emulator"),
         RUNS("helper") ", " WAITS("onboard", "ErrImagePull", "acme/onboard")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "onboard ErrImagePull acme/onboard"},
    {"a service crashes at its start", BEHIND, PLAIN,
     POD(PENDING, NEVER_READY, READY("emulator") ", " LOOPS("weather", "3", ", message: no key"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "weather 3: no key 4"},
    {"the onboard software is not ready", BEHIND, PLAIN,
     POD(RUNNING, NEVER_READY, READY("emulator") ", " READY("weather"), RUNS("onboard")), NULL,
     SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "onboard runs"},
    {"a gate of readiness", BEHIND, PLAIN,
     POD(RUNNING,
         "{type: Ready, status: 'False', reason: ReadinessGatesNotReady, lastTransitionTime: " T(
             "01") "}",
         READY("emulator") ", " READY("weather"), READY("onboard")),
     NULL, SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, "ReadinessGatesNotReady"},
    {"all are ready", BEHIND, PLAIN,
     POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")), NULL,
     SIMCTL_READY, SIMCTL_OUTCOME_OPEN, ""},
    {"a service has restarted", BEHIND, PLAIN,
     POD(RUNNING, IS_READY, READY("emulator") ", " AGAIN("weather", "137"), READY("onboard")), NULL,
     SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, "weather 137 1"},
    {"a restart whose kubelet has forgotten the end", BEHIND, PLAIN,
     POD(RUNNING, IS_READY,
         READY("emulator") ", {name: weather, ready: true, restartCount: 2, state: {running: {}}}",
         READY("onboard")),
     NULL, SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, "weather 2"},
    {"a service restarts", BEHIND, PLAIN,
     POD(RUNNING, READY_UNTIL("08"), READY("emulator") ", " LOOPS("weather", "3", ""),
         READY("onboard")),
     NULL, SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, "weather 3 4"},
    {"a service does not answer any more", BEHIND, PLAIN,
     POD(RUNNING, READY_UNTIL("08"), READY("emulator") ", " RUNS("weather"), READY("onboard")),
     NULL, SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, "weather runs"},
    {"a main container that does not decide has ended", PAIR, PLAIN,
     POD(RUNNING, READY_UNTIL("08"), READY("emulator"),
         DONE("helper", "5", "08") ", " READY("onboard")),
     NULL, SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, "helper 5"},
    {"the onboard software has ended", BEHIND, PLAIN,
     POD(RUNNING, READY_UNTIL("20"), READY("emulator") ", " READY("weather"),
         DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "onboard 0"},
    {"and the drone after it", BEHIND, JOB("", CONDITION("SuccessCriteriaMet", "x")),
     POD(RUNNING, READY_UNTIL("20"), DONE("emulator", "0", "21") ", " READY("weather"),
         DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "onboard 0"},
    {"a caller ends it", BEHIND, JOB(NOTE("ended", "enough"), "active: 1"),
     POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")), NULL,
     SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "enough"},
    {"a caller ends it before it has a pod", BEHIND, JOB(NOTE("ended", "enough"), "active: 0"),
     NULL, NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "enough"},
    {"a drain begins", BEHIND, PLAIN,
     POD(RUNNING, IS_READY ", " DRAINED("20"), READY("emulator") ", " READY("weather"),
         READY("onboard")),
     NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "EvictionByEvictionAPI drained"},
    {"the Job's deadline deletes the pod", BEHIND, PLAIN,
     POD_WITH(DELETED("51"), RUNNING, IS_READY, READY("emulator") ", " READY("weather"),
              READY("onboard")),
     NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "lifetime"},
    {"the Job is about to say why", BEHIND, JOB("", CONDITION("FailureTarget", "DeadlineExceeded")),
     NULL, NULL, SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, "lifetime"},
    {"a Job without its pod", BEHIND, JOB("", "failed: 1"), NULL, NULL, SIMCTL_ENDING,
     SIMCTL_OUTCOME_OPEN, "Job"},
};

static const struct scene k_endings[] = {
    {"docs/controller.md: the onboard software ends, and its service ignores SIGTERM", BEHIND,
     COMPLETE,
     OVER(SUCCEEDED, DONE("emulator", "0", "21") ", " DONE("weather", "137", "23"),
          DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 weather then 137"},
    {"the same within a second", BEHIND, COMPLETE,
     OVER(SUCCEEDED, DONE("emulator", "0", "20") ", " DONE("weather", "137", "20"),
          DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 weather then 137"},
    {"all end with 0", BEHIND, COMPLETE,
     OVER(SUCCEEDED, DONE("emulator", "0", "21") ", " DONE("weather", "0", "21"),
          DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0"},
    {"the onboard software fails, and its drone is killed", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "137", "23") ", " DONE("weather", "0", "21"),
          DONE("onboard", "3", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 3 emulator then 137"},
    {"the onboard software is killed", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "21") ", " DONE("weather", "0", "21"),
          DONE("onboard", "137", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 137"},
    {"it needs too much memory", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "21"),
          DONE_AS("onboard", "137", "20", ", reason: OOMKilled")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_OUT_OF_MEMORY, "onboard memory"},
    {"its limit is below the memory that it needs to start", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "21"),
          DONE_AS("onboard", "128", "20",
                  ", reason: StartError, message: 'unable to set memory limit to 1000'")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_OUT_OF_MEMORY, "onboard memory"},
    {"its program does not exist", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "21"),
          DONE_AS("onboard", "128", "20",
                  ", reason: StartError, message: 'exec: \"x\": not found'")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 128 \"x\": not found"},
    {"it wrote a line before it failed", BEHIND, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "21"),
          DONE_AS("onboard", "1", "20", ", message: \"first\\nno route\\n\"")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 1 no route"},
    {"the drone crashed before the onboard software failed", BEHIND, BACKOFF,
     OVER(FAILED, AGAIN_DONE("emulator", "139", "23"), DONE("onboard", "1", "20")), NULL,
     SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 1 emulator 139 before"},
    {"a service restarted, and the onboard software ended with 0", BEHIND, COMPLETE,
     OVER(SUCCEEDED, DONE("emulator", "0", "21") ", " AGAIN_DONE("weather", "1", "23"),
          DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 weather 1 before"},
    {"another main container runs on and is killed", PAIR, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "24"),
          DONE("helper", "143", "23") ", " DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 helper then 143"},
    {"another main container failed before", PAIR, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "24"),
          DONE("helper", "5", "08") ", " DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 helper 5 before"},
    {"another main container ended well before", PAIR, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "24"),
          DONE("helper", "0", "08") ", " DONE("onboard", "4", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 4"},
    {"no main container is named, and the second fails", UNNAMED, BACKOFF,
     OVER(FAILED, DONE("emulator", "0", "24"), DONE("a", "0", "08") ", " DONE("b", "6", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "b 6"},
    {"no main container is named, and all end with 0", UNNAMED, COMPLETE,
     OVER(SUCCEEDED, DONE("emulator", "137", "24"), DONE("a", "0", "08") ", " DONE("b", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "0 emulator then 137"},
    {"an init container fails behind the drone", BEHIND, BACKOFF,
     POD(FAILED, NEVER_READY, DONE("emulator", "137", "06") ", " DONE("geoid", "9", "04"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "geoid 9 emulator then 137"},
    {"the same within a second", BEHIND, BACKOFF,
     POD(FAILED, NEVER_READY, DONE("emulator", "137", "04") ", " DONE("geoid", "9", "04"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "geoid 9"},
    {"the drone ends", ALONE, COMPLETE, OVER(SUCCEEDED, "", DONE("emulator", "0", "20")), NULL,
     SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "drone"},
    {"the drone refuses an option", ALONE, BACKOFF,
     OVER(FAILED, "", DONE_AS("emulator", "2", "03", ", message: bad flag")), NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_EMULATOR_FAILED, "emulator 2 bad flag"},
    {"the drone has another geoid", ALONE, BACKOFF,
     OVER(FAILED, "",
          DONE_AS("emulator", "2", "03", ", message: 'geoid-fingerprint: x is wanted'")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_GEOID_MISMATCH, "geoid-fingerprint: x is wanted"},
    {"a drone that has written its geoid is killed", ALONE, BACKOFF,
     OVER(FAILED, "",
          DONE_AS("emulator", "137", "20", ", message: 'geoid egm96, fingerprint f980 is wanted'")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EMULATOR_FAILED,
     "emulator 137 geoid egm96, fingerprint f980 is wanted"},
    {"the drone needs too much memory", ALONE, BACKOFF,
     OVER(FAILED, "", DONE_AS("emulator", "137", "20", ", reason: OOMKilled")), NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_OUT_OF_MEMORY, "emulator memory"},
    {"its lifetime ends, and all are killed", BEHIND, PLAIN,
     OVER(EXPIRED, DONE("emulator", "137", "49") ", " DONE("weather", "137", "49"),
          DONE("onboard", "137", "49")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its lifetime ends, and the onboard software obeys", BEHIND, PLAIN,
     OVER(EXPIRED, DONE("emulator", "0", "46") ", " DONE("weather", "0", "46"),
          DONE("onboard", "0", "46")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its lifetime ends while its services end", BEHIND, PLAIN,
     OVER(EXPIRED, DONE("emulator", "0", "46") ", " DONE("weather", "137", "48"),
          DONE("onboard", "0", "45")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0 weather then 137"},
    {"the Job's deadline ends it, and the Job does not say so yet", BEHIND, PLAIN,
     POD_WITH(DELETED("51"), SUCCEEDED, READY_UNTIL("48"), DONE("emulator", "0", "48"),
              DONE("onboard", "0", "48")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"the Job's deadline took the pod", BEHIND, OUT_OF_TIME, NULL, NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its lifetime ends before anything begins", BEHIND, PLAIN,
     POD(EXPIRED, NEVER_READY, WAITS("emulator", "PodInitializing", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime drone"},
    {"its lifetime ends while no node has room", BEHIND, OUT_OF_TIME,
     "{status: {phase: Failed, reason: DeadlineExceeded, conditions: [{type: PodScheduled, status: "
     "'False', reason: Unschedulable, message: 0/1 nodes}]}}",
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_UNSCHEDULABLE, "unschedulable 0/1 nodes"},
    {"its lifetime ends without the image", BEHIND, PLAIN,
     POD(EXPIRED, NEVER_READY,
         DONE("emulator", "137", "46") ", " WAITS("weather", "ErrImageNeverPull", "not here"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_IMAGE, "weather ErrImageNeverPull not here"},
    {"the same, and the pod has gone", BEHIND,
     JOB(OBSTACLE("image container weather: ErrImagePull"),
         CONDITION("Failed", "DeadlineExceeded")),
     NULL, NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_IMAGE, "weather ErrImagePull"},
    {"its lifetime ends, and a quota was full", BEHIND,
     JOB(OBSTACLE("unschedulable the Job cannot make its pod: exceeded quota: x"),
         CONDITION("Failed", "DeadlineExceeded")),
     NULL, NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_UNSCHEDULABLE, "exceeded quota: x"},
    {"an obstacle that it overcame", BEHIND, JOB(OBSTACLE("unschedulable 0/1 nodes"), "active: 1"),
     OVER(EXPIRED, DONE("emulator", "0", "46"), DONE("onboard", "0", "46")), NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its lifetime ends while a drone with another geoid restarts", BEHIND, PLAIN,
     POD(EXPIRED, NEVER_READY, LOOPS("emulator", "2", ", message: 'fingerprint: x is wanted'"),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_GEOID_MISMATCH, "fingerprint: x is wanted"},
    {"its lifetime ends while a service restarts", BEHIND, PLAIN,
     POD(EXPIRED, NEVER_READY, DONE("emulator", "0", "46") ", " LOOPS("weather", "3", ""),
         WAITS("onboard", "PodInitializing", "")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "weather 3"},
    {"a drain", BEHIND, COMPLETE,
     POD_WITH(DELETED("23"), SUCCEEDED, DRAINED("20"), DONE("emulator", "0", "21"),
              DONE("onboard", "0", "21")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "EvictionByEvictionAPI drained"},
    {"a drain after its end", BEHIND, COMPLETE,
     POD_WITH(DELETED("30"), SUCCEEDED, DRAINED("30"), DONE("emulator", "0", "21"),
              DONE("onboard", "0", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0"},
    {"the kubelet evicts it", BEHIND, BACKOFF,
     OVER("phase: Failed, reason: Evicted, message: low on memory", DONE("emulator", "137", "21"),
          DONE("onboard", "137", "21")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "Evicted low on memory"},
    {"another pod preempts it", BEHIND, BACKOFF,
     POD_WITH(DELETED("23"), FAILED,
              "{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler, "
              "lastTransitionTime: " T("20") "}",
              DONE("emulator", "0", "21"), DONE("onboard", "143", "21")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "PreemptionByScheduler"},
    {"its node is lost", BEHIND, BACKOFF,
     POD_WITH(DELETED("40"), FAILED,
              "{type: DisruptionTarget, status: 'True', reason: DeletionByTaintManager, "
              "lastTransitionTime: " T("37") "}",
              "", DONE_AS("onboard", "137", "38", ", reason: ContainerStatusUnknown")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "DeletionByTaintManager"},
    {"its pod is deleted", BEHIND, BACKOFF,
     POD_WITH(DELETED("23"), FAILED, READY_UNTIL("21"), DONE("emulator", "0", "21"),
              DONE("onboard", "143", "21")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "deleted"},
    {"its pod is deleted after its end", BEHIND, BACKOFF,
     POD_WITH(DELETED("43"), FAILED, READY_UNTIL("20"), DONE("emulator", "0", "21"),
              DONE("onboard", "7", "20")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 7"},
    {"a caller ended it", BEHIND, JOB(NOTE("ended", "enough"), "active: 1"),
     POD_WITH(DELETED("23"), FAILED, READY_UNTIL("20"), DONE("emulator", "0", "21"),
              DONE("onboard", "137", "23")),
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_BY_CALLER, "enough"},
    {"a caller ended it, and its pod has gone", BEHIND,
     JOB(NOTE("ended", "enough"), CONDITION("Failed", "DeadlineExceeded")), NULL, NULL,
     SIMCTL_ENDED, SIMCTL_OUTCOME_BY_CALLER, "enough"},
    {"a note of its own end stays when its pod has gone", BEHIND,
     JOB(NOTE("onboard_failed", "container onboard ended with exit code 3"),
         CONDITION("Failed", "BackoffLimitExceeded")),
     NULL, NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 3"},
    {"it failed, and no container's end is known", BEHIND, BACKOFF, NULL, NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_ONBOARD_FAILED, "BackoffLimitExceeded"},
    {"the same with a drone alone", ALONE, BACKOFF, NULL, NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_EMULATOR_FAILED, "BackoffLimitExceeded"},
    {"it completed, and its pod has gone", BEHIND, COMPLETE, NULL, NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_COMPLETED, "onboard 0"},
    {"its kubelet does not admit it", BEHIND, BACKOFF,
     "{status: {phase: Failed, reason: OutOfcpu, message: 'Pod was rejected: no cpu', conditions: "
     "[" SCHEDULED "]}}",
     NULL, SIMCTL_ENDED, SIMCTL_OUTCOME_UNSCHEDULABLE, "OutOfcpu Pod was rejected: no cpu"},
};

/* ---- instances of scenes */

struct fixture {
    struct simctl_template template;
    json_t *job, *pod, *service, *failure;
};

static json_t *yaml(const char *text)
{
    struct web_error error = {0};
    json_t *value = text != NULL ? simctl_document_read("t", text, strlen(text), &error) : NULL;
    if (value == NULL && text != NULL) {
        fail_msg("%s: %s", error.message, text);
    }
    return value;
}

/* Add members, and members of members, to an object. */
static void merge(json_t *into, json_t *from)
{
    (void)json_object_update_recursive(into, from);
    json_decref(from);
}

static void begin(struct fixture *f, const char *template, const char *job, const char *pod)
{
    struct web_error error = {0};
    char text[2048];
    (void)snprintf(text, sizeof text, "lifetime: {default: 45s, max: 45s}\nttl: 30s\n%s", template);
    *f = (struct fixture){.pod = yaml(pod)};
    if (!simctl_template_take(&f->template, "t", yaml(text), &error)) {
        fail_msg("%s", error.message);
    }
    const struct simctl_order order = {.template = &f->template,
                                       .tenant = "default",
                                       .id = "abc-0",
                                       .hash = "1234",
                                       .values = json_object(),
                                       .labels = yaml("{suite: night}"),
                                       .lifetime_s = 45.0};
    f->job = simctl_kube_job(&order, f->template.pod);
    merge(f->job, yaml("{metadata: {uid: j, creationTimestamp: " T("00") "}}"));
    merge(f->job, yaml(job));
    json_decref((json_t *)order.values);
    json_decref((json_t *)order.labels);
}

static void end(struct fixture *f)
{
    json_decref(f->job);
    json_decref(f->pod);
    json_decref(f->service);
    json_decref(f->failure);
    simctl_template_free(&f->template);
}

static struct simctl_kube_objects objects_of(const struct fixture *f)
{
    return (struct simctl_kube_objects){f->job, f->pod, f->service, f->failure};
}

static void read_all(const struct fixture *f, struct simctl_instance *is)
{
    const struct simctl_kube_objects objects = objects_of(f);
    simctl_kube_read(&objects, is);
}

static bool must_tell(const struct fixture *f, struct simctl_kube_verdict *verdict)
{
    const struct simctl_kube_objects objects = objects_of(f);
    return simctl_kube_must_tell(&objects, verdict);
}

static void expect_scene(const struct scene *s)
{
    struct simctl_instance is;
    struct fixture f;
    begin(&f, s->template, s->job, s->pod);
    f.failure = yaml(s->failure);
    read_all(&f, &is);
    if (is.state != s->state || is.outcome != s->outcome ||
        !(s->data[0] == '\0' ? is.reason[0] == '\0' : mf_names(is.reason, s->data))) {
        fail_msg("%s: %s %s '%s'", s->name, simctl_state_word(is.state),
                 simctl_outcome_code(is.outcome), is.reason);
    }
    assert_string_equal(is.id, "abc-0");
    assert_string_equal(simctl_shape_text(is.labels, "suite", ""), "night");
    simctl_instance_free(&is);
    end(&f);
}

static void test_sim002_states_have_their_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_living / sizeof k_living[0]; i++) {
        expect_scene(&k_living[i]);
    }
}

static void test_sim002_the_deciding_container_has_the_outcome(void **state)
{
    (void)state;
    assert_true(sizeof k_endings / sizeof k_endings[0] >= 40);
    for (size_t i = 0; i < sizeof k_endings / sizeof k_endings[0]; i++) {
        expect_scene(&k_endings[i]);
    }
}

/* A Job gets the outcome before its pod goes, and the outcome stays the same without the pod. */
static void test_sim002_an_outcome_outlives_its_pod(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_endings / sizeof k_endings[0]; i++) {
        const struct scene *s = &k_endings[i];
        struct simctl_kube_verdict verdict;
        struct simctl_instance is;
        struct fixture f;
        begin(&f, s->template, s->job, s->pod);
        if (s->pod != NULL && must_tell(&f, &verdict)) {
            assert_false(verdict.waits);
            read_all(&f, &is);
            json_t *patch = simctl_kube_end("j", NULL, simctl_outcome_code(verdict.outcome),
                                            verdict.reason, false, &is);
            simctl_instance_free(&is);
            merge(f.job, patch);
            assert_false(must_tell(&f, &verdict)); /* once */
            json_decref(f.pod);
            f.pod = NULL;
            merge(f.job, yaml("{status: {" CONDITION("Failed", "BackoffLimitExceeded") "}}"));
            read_all(&f, &is);
            if (is.outcome != s->outcome || !mf_names(is.reason, s->data)) {
                fail_msg("%s: %s '%s'", s->name, simctl_outcome_code(is.outcome), is.reason);
            }
            simctl_instance_free(&is);
        }
        end(&f);
    }
}

/* ---- the course of an instance */

/* docs/controller.md's example from its order to its end, with moments between events of the
 * watches: the pod is absent before the Job has a condition. */
static void test_sim002_states_never_go_backwards(void **state)
{
    static const struct {
        const char *job, *pod;
        enum simctl_state state;
    } k_course[] = {
        {"{}", NULL, SIMCTL_PENDING},
        {PLAIN, NULL, SIMCTL_PENDING},
        {PLAIN, POD(PENDING, NEVER_READY, WAITS("emulator", "PodInitializing", ""), ""),
         SIMCTL_PENDING},
        {PLAIN, POD(PENDING, NEVER_READY, RUNS("emulator"), ""), SIMCTL_STARTING},
        {PLAIN,
         POD(PENDING, NEVER_READY, READY("emulator") ", " RUNS("weather"),
             WAITS("onboard", "PodInitializing", "")),
         SIMCTL_STARTING},
        {PLAIN, POD(PENDING, NEVER_READY, WAITS("emulator", "CrashLoopBackOff", ""), ""),
         SIMCTL_STARTING},
        {PLAIN, POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")),
         SIMCTL_READY},
        {PLAIN,
         POD(RUNNING, READY_UNTIL("10"), READY("emulator") ", " RUNS("weather"), READY("onboard")),
         SIMCTL_DEGRADED},
        {PLAIN, POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")),
         SIMCTL_READY},
        {PLAIN,
         POD(RUNNING, READY_UNTIL("20"), READY("emulator") ", " READY("weather"),
             DONE("onboard", "0", "20")),
         SIMCTL_ENDING},
        {PLAIN, NULL, SIMCTL_ENDING},
        {PLAIN,
         OVER(SUCCEEDED, DONE("emulator", "0", "21") ", " DONE("weather", "137", "23"),
              DONE("onboard", "0", "20")),
         SIMCTL_ENDED},
        {PLAIN, NULL, SIMCTL_ENDED},
        {COMPLETE, NULL, SIMCTL_ENDED},
    };
    struct simctl_instance before = {0}, now;
    (void)state;
    for (size_t i = 0; i < sizeof k_course / sizeof k_course[0]; i++) {
        struct fixture f;
        begin(&f, BEHIND, k_course[i].job, k_course[i].pod);
        read_all(&f, &now);
        simctl_kube_remember(&before, &now);
        if (now.state != k_course[i].state ||
            (now.reason[0] == '\0') != (now.state == SIMCTL_READY) ||
            (now.outcome == SIMCTL_OUTCOME_COMPLETED) != (now.state == SIMCTL_ENDED)) {
            fail_msg("%zu: %s %s '%s'", i, simctl_state_word(now.state),
                     simctl_outcome_code(now.outcome), now.reason);
        }
        assert_true(now.ready_us >= before.ready_us && now.started_us >= before.started_us);
        simctl_instance_free(&before);
        before = now;
        end(&f);
    }
    assert_int_equal(before.ready_us - before.asked_us, 3000000);
    assert_int_equal(before.started_us - before.asked_us, 2000000);
    assert_int_equal(before.ended_us - before.asked_us, 23000000);
    simctl_instance_free(&before);
}

static void test_times_and_addresses(void **state)
{
    struct simctl_instance is;
    struct fixture f;
    char text[32];
    (void)state;
    begin(&f, BEHIND, PLAIN,
          "{status: {podIP: 'fd00::7', hostIP: 'fd00::1', conditions: [" SCHEDULED ", " IS_READY
          "], initContainerStatuses: [" READY("emulator") "]}}");
    f.service = yaml("{spec: {ports: [{name: mavlink-tcp, nodePort: 30001}, {name: mavlink-udp, "
                     "nodePort: 30002}, {name: api, nodePort: 30003}]}}");
    read_all(&f, &is);
    assert_string_equal(is.within.tcp, "[fd00::7]:5760");
    assert_string_equal(is.within.api, "[fd00::7]:5759");
    assert_string_equal(is.outside.tcp, "[fd00::1]:30001");
    assert_string_equal(is.outside.udp, "[fd00::1]:30002");
    assert_string_equal(is.outside.api, "[fd00::1]:30003");
    assert_int_equal(is.started_us - is.asked_us, 2000000);
    assert_int_equal(is.ready_us - is.asked_us, 3000000);
    simctl_utc_text(is.ends_us, text);
    assert_string_equal(text, "2026-03-01T12:00:45.000Z");
    simctl_instance_free(&is);
    /* a drone that restarted has its first start */
    json_decref(f.pod);
    f.pod = yaml(POD(RUNNING, IS_READY, AGAIN("emulator", "139"), READY("onboard")));
    read_all(&f, &is);
    assert_int_equal(is.started_us - is.asked_us, 2000000);
    simctl_instance_free(&is);
    end(&f);
}

/* The control plane counts a lifetime from the Job's start, whatever its deadline is now. */
static void test_sim006_the_end_of_a_lifetime_stays_true(void **state)
{
    static const struct {
        const char *job;
        int ends_s;
    } k_case[] = {
        {"{}", 45},
        {PLAIN, 45},
        {"{status: {startTime: " T("07") "}}", 52},
        {"{spec: {activeDeadlineSeconds: 1}, status: {startTime: " T("00") "}}", 45},
        {JOB("mayfly.dev/lifetime: '30'", "active: 1"), 30},
        {JOB("mayfly.dev/lifetime: '1e99'", "active: 1"), 31536000},
        {JOB("mayfly.dev/lifetime: x", "active: 1"), 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct simctl_instance is;
        struct fixture f;
        begin(&f, ALONE, k_case[i].job, NULL);
        read_all(&f, &is);
        assert_int_equal(is.ends_us - is.asked_us, k_case[i].ends_s * (int64_t)1000000);
        simctl_instance_free(&is);
        end(&f);
    }
}

/* ---- notes in a Job */

static void test_sim007_the_end_by_a_caller_keeps_reason_and_times(void **state)
{
    struct simctl_kube_verdict verdict;
    struct simctl_instance is;
    struct fixture f;
    (void)state;
    begin(&f, BEHIND, PLAIN,
          POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")));
    read_all(&f, &is);
    merge(f.job, simctl_kube_end("j", "7", "ended", "enough", true, &is));
    assert_string_equal(
        simctl_shape_text(json_object_get(f.job, "metadata"), "resourceVersion", ""), "7");
    assert_int_equal(json_integer_value(
                         json_object_get(json_object_get(f.job, "spec"), "activeDeadlineSeconds")),
                     1);
    simctl_instance_free(&is);
    assert_false(must_tell(&f, &verdict));
    read_all(&f, &is);
    assert_int_equal(is.state, SIMCTL_ENDING);
    simctl_instance_free(&is);
    json_decref(f.pod);
    f.pod = NULL;
    merge(f.job, yaml("{status: {" CONDITION("Failed", "DeadlineExceeded") "}}"));
    read_all(&f, &is);
    assert_int_equal(is.state, SIMCTL_ENDED);
    assert_int_equal(is.outcome, SIMCTL_OUTCOME_BY_CALLER);
    assert_string_equal(is.reason, "enough");
    assert_int_equal(is.scheduled_us - is.asked_us, 1000000);
    assert_int_equal(is.started_us - is.asked_us, 2000000);
    assert_int_equal(is.ready_us - is.asked_us, 3000000);
    assert_int_equal(is.ends_us - is.asked_us, 45000000);
    assert_int_equal(is.ended_us - is.asked_us, 50000000);
    simctl_instance_free(&is);
    end(&f);
}

/* An order to end comes too late for an instance that ends by itself, unless containers run on. */
static void test_own_end_decides(void **state)
{
    static const struct {
        const char *template, *job, *pod;
        bool decided, tells, ends;
    } k_case[] = {
        {BEHIND, PLAIN, POD(RUNNING, IS_READY, READY("emulator"), READY("onboard")), false, false,
         false},
        {BEHIND, PLAIN,
         POD(RUNNING, READY_UNTIL("20"), READY("emulator"), DONE("onboard", "0", "20")), true,
         false, false},
        {PAIR, PLAIN,
         POD(RUNNING, READY_UNTIL("20"), READY("emulator"),
             READY("helper") ", " DONE("onboard", "0", "20")),
         false, true, true},
        {BEHIND, JOB(NOTE("ended", "x"), "active: 1"),
         POD(RUNNING, READY_UNTIL("20"), READY("emulator"), DONE("onboard", "0", "20")), false,
         false, false},
        {BEHIND, PLAIN,
         POD_WITH(DELETED("23"), RUNNING, READY_UNTIL("20"), READY("emulator"),
                  DONE("onboard", "0", "20")),
         false, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct simctl_kube_verdict verdict;
        struct fixture f;
        begin(&f, k_case[i].template, k_case[i].job, k_case[i].pod);
        const struct simctl_kube_objects objects = objects_of(&f);
        if (simctl_kube_has_decided(&objects) != k_case[i].decided ||
            must_tell(&f, &verdict) != k_case[i].tells || verdict.ends != k_case[i].ends) {
            fail_msg("%zu", i);
        }
        end(&f);
    }
}

static void test_sidecar_that_restarted_ends_it_where_its_template_says_so(void **state)
{
    static const char k_pod[] =
        POD(RUNNING, IS_READY, READY("emulator") ", " AGAIN("weather", "7"), READY("onboard"));
    struct simctl_kube_verdict verdict;
    struct fixture f;
    (void)state;
    begin(&f, BEHIND, PLAIN, k_pod);
    assert_false(must_tell(&f, &verdict));
    end(&f);
    begin(&f, "restarted: ended\n" BEHIND, PLAIN, k_pod);
    assert_true(must_tell(&f, &verdict));
    assert_true(verdict.ends);
    assert_int_equal(verdict.outcome, SIMCTL_OUTCOME_ONBOARD_FAILED);
    assert_names(verdict.reason, "weather 7");
    end(&f);
}

/* A Job notes each obstacle once, and the latest obstacle stays. */
static void test_obstacle_to_a_start_is_noted(void **state)
{
    static const char k_no_node[] =
        "{status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
        "Unschedulable, message: 0/1 nodes}]}}";
    static const char k_no_image[] =
        POD(PENDING, NEVER_READY, WAITS("emulator", "ErrImagePull", "x"), "");
    static const struct {
        const char *pod, *failure;
        enum simctl_outcome outcome; /* OPEN: nothing to note */
    } k_course[] = {
        {NULL, NULL, SIMCTL_OUTCOME_OPEN},
        {NULL, "{message: 'x is forbidden: exceeded quota: q'}", SIMCTL_OUTCOME_UNSCHEDULABLE},
        {k_no_node, NULL, SIMCTL_OUTCOME_OPEN}, /* noted */
        {k_no_image, NULL, SIMCTL_OUTCOME_IMAGE},
        {k_no_image, NULL, SIMCTL_OUTCOME_OPEN},
        {POD(PENDING, NEVER_READY, LOOPS("emulator", "3", ""), ""), NULL,
         SIMCTL_OUTCOME_EMULATOR_FAILED},
        {POD(RUNNING, READY_UNTIL("20"), LOOPS("emulator", "3", ""), READY("onboard")), NULL,
         SIMCTL_OUTCOME_OPEN},
    };
    struct fixture f;
    (void)state;
    begin(&f, BEHIND, PLAIN, NULL);
    for (size_t i = 0; i < sizeof k_course / sizeof k_course[0]; i++) {
        struct simctl_kube_verdict verdict;
        f.pod = yaml(k_course[i].pod);
        f.failure = yaml(k_course[i].failure);
        const bool tells = must_tell(&f, &verdict);
        if (tells != (k_course[i].outcome != SIMCTL_OUTCOME_OPEN) || tells != verdict.waits ||
            verdict.outcome != k_course[i].outcome || verdict.ends) {
            fail_msg("%zu: %s '%s'", i, simctl_outcome_code(verdict.outcome), verdict.reason);
        }
        if (tells) {
            merge(f.job, simctl_kube_waits("j", NULL, simctl_outcome_code(verdict.outcome),
                                           verdict.reason));
        }
        json_decref(f.pod);
        json_decref(f.failure);
        f.pod = f.failure = NULL;
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim002_states_have_their_reason),
        cmocka_unit_test(test_sim002_the_deciding_container_has_the_outcome),
        cmocka_unit_test(test_sim002_an_outcome_outlives_its_pod),
        cmocka_unit_test(test_sim002_states_never_go_backwards),
        cmocka_unit_test(test_times_and_addresses),
        cmocka_unit_test(test_sim006_the_end_of_a_lifetime_stays_true),
        cmocka_unit_test(test_sim007_the_end_by_a_caller_keeps_reason_and_times),
        cmocka_unit_test(test_own_end_decides),
        cmocka_unit_test(test_sidecar_that_restarted_ends_it_where_its_template_says_so),
        cmocka_unit_test(test_obstacle_to_a_start_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
