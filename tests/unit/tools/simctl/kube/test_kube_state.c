/* SPDX-License-Identifier: Apache-2.0 */
/* States and times of instances, and the reason of each state. */
#include "tests/unit/tools/simctl/kube/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void test_sim002_states_have_their_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_living / sizeof k_living[0]; i++) {
        scene_expect(&k_living[i]);
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
        scene_begin(&f, BEHIND, k_course[i].job, k_course[i].pod);
        scene_read(&f, &now);
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
        scene_end(&f);
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
    scene_begin(&f, BEHIND, PLAIN,
                "{status: {podIP: 'fd00::7', hostIP: 'fd00::1', conditions: [" SCHEDULED
                ", " IS_READY "], initContainerStatuses: [" READY("emulator") "]}}");
    f.service =
        scene_yaml("{spec: {ports: [{name: mavlink-tcp, nodePort: 30001}, {name: mavlink-udp, "
                   "nodePort: 30002}, {name: api, nodePort: 30003}]}}");
    scene_read(&f, &is);
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
    f.pod = scene_yaml(POD(RUNNING, IS_READY, AGAIN("emulator", "139"), READY("onboard")));
    scene_read(&f, &is);
    assert_int_equal(is.started_us - is.asked_us, 2000000);
    simctl_instance_free(&is);
    scene_end(&f);
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
        scene_begin(&f, ALONE, k_case[i].job, NULL);
        scene_read(&f, &is);
        assert_int_equal(is.ends_us - is.asked_us, k_case[i].ends_s * (int64_t)1000000);
        simctl_instance_free(&is);
        scene_end(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim002_states_have_their_reason),
        cmocka_unit_test(test_sim002_states_never_go_backwards),
        cmocka_unit_test(test_times_and_addresses),
        cmocka_unit_test(test_sim006_the_end_of_a_lifetime_stays_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
