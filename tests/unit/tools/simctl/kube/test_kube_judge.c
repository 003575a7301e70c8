/* SPDX-License-Identifier: Apache-2.0 */
/* Outcomes of instances that have ended, and the notes that their Jobs get. */
#include "tests/unit/support/names.h"
#include "tests/unit/tools/simctl/kube/scene.h"
#include "tools/simctl/base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void test_sim002_the_deciding_container_has_the_outcome(void **state)
{
    (void)state;
    assert_true(sizeof k_endings / sizeof k_endings[0] >= 40);
    for (size_t i = 0; i < sizeof k_endings / sizeof k_endings[0]; i++) {
        scene_expect(&k_endings[i]);
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
        scene_begin(&f, s->template, s->job, s->pod);
        if (s->pod != NULL && scene_must_tell(&f, &verdict)) {
            assert_false(verdict.waits);
            scene_read(&f, &is);
            json_t *patch = simctl_kube_end("j", NULL, simctl_outcome_code(verdict.outcome),
                                            verdict.reason, false, &is);
            simctl_instance_free(&is);
            scene_merge(f.job, patch);
            assert_false(scene_must_tell(&f, &verdict)); /* once */
            json_decref(f.pod);
            f.pod = NULL;
            scene_merge(f.job,
                        scene_yaml("{status: {" CONDITION("Failed", "BackoffLimitExceeded") "}}"));
            scene_read(&f, &is);
            if (is.outcome != s->outcome || !mf_names(is.reason, s->data)) {
                fail_msg("%s: %s '%s'", s->name, simctl_outcome_code(is.outcome), is.reason);
            }
            simctl_instance_free(&is);
        }
        scene_end(&f);
    }
}

/* ---- notes in a Job */

static void test_sim007_the_end_by_a_caller_keeps_reason_and_times(void **state)
{
    struct simctl_kube_verdict verdict;
    struct simctl_instance is;
    struct fixture f;
    (void)state;
    scene_begin(&f, BEHIND, PLAIN,
                POD(RUNNING, IS_READY, READY("emulator") ", " READY("weather"), READY("onboard")));
    scene_read(&f, &is);
    scene_merge(f.job, simctl_kube_end("j", "7", "ended", "enough", true, &is));
    assert_string_equal(
        simctl_shape_text(json_object_get(f.job, "metadata"), "resourceVersion", ""), "7");
    assert_int_equal(json_integer_value(
                         json_object_get(json_object_get(f.job, "spec"), "activeDeadlineSeconds")),
                     1);
    simctl_instance_free(&is);
    assert_false(scene_must_tell(&f, &verdict));
    scene_read(&f, &is);
    assert_int_equal(is.state, SIMCTL_ENDING);
    simctl_instance_free(&is);
    json_decref(f.pod);
    f.pod = NULL;
    scene_merge(f.job, scene_yaml("{status: {" CONDITION("Failed", "DeadlineExceeded") "}}"));
    scene_read(&f, &is);
    assert_int_equal(is.state, SIMCTL_ENDED);
    assert_int_equal(is.outcome, SIMCTL_OUTCOME_BY_CALLER);
    assert_string_equal(is.reason, "enough");
    assert_int_equal(is.scheduled_us - is.asked_us, 1000000);
    assert_int_equal(is.started_us - is.asked_us, 2000000);
    assert_int_equal(is.ready_us - is.asked_us, 3000000);
    assert_int_equal(is.ends_us - is.asked_us, 45000000);
    assert_int_equal(is.ended_us - is.asked_us, 50000000);
    simctl_instance_free(&is);
    scene_end(&f);
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
        scene_begin(&f, k_case[i].template, k_case[i].job, k_case[i].pod);
        const struct simctl_kube_objects objects = scene_objects(&f);
        if (simctl_kube_has_decided(&objects) != k_case[i].decided ||
            scene_must_tell(&f, &verdict) != k_case[i].tells || verdict.ends != k_case[i].ends) {
            fail_msg("%zu", i);
        }
        scene_end(&f);
    }
}

static void test_sidecar_that_restarted_ends_it_where_its_template_says_so(void **state)
{
    static const char k_pod[] =
        POD(RUNNING, IS_READY, READY("emulator") ", " AGAIN("weather", "7"), READY("onboard"));
    struct simctl_kube_verdict verdict;
    struct fixture f;
    (void)state;
    scene_begin(&f, BEHIND, PLAIN, k_pod);
    assert_false(scene_must_tell(&f, &verdict));
    scene_end(&f);
    scene_begin(&f, "restarted: ended\n" BEHIND, PLAIN, k_pod);
    assert_true(scene_must_tell(&f, &verdict));
    assert_true(verdict.ends);
    assert_int_equal(verdict.outcome, SIMCTL_OUTCOME_ONBOARD_FAILED);
    assert_names(verdict.reason, "weather 7");
    scene_end(&f);
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
    scene_begin(&f, BEHIND, PLAIN, NULL);
    for (size_t i = 0; i < sizeof k_course / sizeof k_course[0]; i++) {
        struct simctl_kube_verdict verdict;
        f.pod = scene_yaml(k_course[i].pod);
        f.failure = scene_yaml(k_course[i].failure);
        const bool tells = scene_must_tell(&f, &verdict);
        if (tells != (k_course[i].outcome != SIMCTL_OUTCOME_OPEN) || tells != verdict.waits ||
            verdict.outcome != k_course[i].outcome || verdict.ends) {
            fail_msg("%zu: %s '%s'", i, simctl_outcome_code(verdict.outcome), verdict.reason);
        }
        if (tells) {
            scene_merge(f.job, simctl_kube_waits("j", NULL, simctl_outcome_code(verdict.outcome),
                                                 verdict.reason));
        }
        json_decref(f.pod);
        json_decref(f.failure);
        f.pod = f.failure = NULL;
    }
    scene_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim002_the_deciding_container_has_the_outcome),
        cmocka_unit_test(test_sim002_an_outcome_outlives_its_pod),
        cmocka_unit_test(test_sim007_the_end_by_a_caller_keeps_reason_and_times),
        cmocka_unit_test(test_own_end_decides),
        cmocka_unit_test(test_sidecar_that_restarted_ends_it_where_its_template_says_so),
        cmocka_unit_test(test_obstacle_to_a_start_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
