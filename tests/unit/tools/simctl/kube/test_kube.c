/* SPDX-License-Identifier: Apache-2.0 */
/* Instances as objects of Kubernetes: what is laid over a template, and what is told from states
 * that a 1.34 shows. */
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

static const char k_template[] =
    "lifetime: {default: 60s, max: 10m}\n"
    "ttl: 30s\n"
    "reach: node\n"
    "geoid: abcd\n"
    "onboard: onboard\n"
    "pod:\n"
    "  metadata: {labels: {team: a, mayfly.dev/instance: forged}, annotations: {x: y}}\n"
    "  spec:\n"
    "    nodeSelector: {disk: ssd}\n"
    "    initContainers: [{name: emulator, restartPolicy: Always, image: localhost/mayfly,\n"
    "                      env: [{name: MAYFLY_API, value: none}], resources: {limits: {cpu: "
    "200m}}}]\n"
    "    containers: [{name: onboard, image: localhost/acme/one, securityContext: "
    "{readOnlyRootFilesystem: false,\n"
    "                  allowPrivilegeEscalation: true}}]\n";

static struct simctl_template s_template;
static struct simctl_order s_order;

static json_t *yaml(const char *text)
{
    struct web_error error = {0};
    json_t *value = simctl_document_read("t", text, strlen(text), &error);
    if (value == NULL) {
        fail_msg("%s", error.message);
    }
    return value;
}

static int set_up(void **state)
{
    struct web_error error = {0};
    (void)state;
    assert_true(simctl_template_take(&s_template, "t", yaml(k_template), &error));
    s_order = (struct simctl_order){.template = &s_template,
                                    .tenant = "default",
                                    .id = "abc-0",
                                    .hash = "1234",
                                    .values = json_object(),
                                    .labels = yaml("{suite: night, team: b}"),
                                    .lifetime_s = 45.0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref((json_t *)s_order.values);
    json_decref((json_t *)s_order.labels);
    simctl_template_free(&s_template);
    return 0;
}

/* What stands at a path such as "spec.template.spec.containers.0.name". */
static const json_t *at(const json_t *o, const char *path)
{
    char part[64];
    while (o != NULL && *path != '\0') {
        const size_t n = strcspn(path, "/");
        (void)snprintf(part, sizeof part, "%.*s", (int)n, path);
        o = json_is_array(o) ? json_array_get(o, strtoul(part, NULL, 10))
                             : json_object_get(o, part);
        path += n + (path[n] != '\0');
    }
    return o;
}

static void expect(const json_t *o, const char *path, const char *want)
{
    char *is = json_dumps(at(o, path), JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    if (is == NULL || strcmp(is, want) != 0) {
        fail_msg("%s is %s, not %s", path, is != NULL ? is : "absent", want);
    }
    free(is);
}

#define POD   "spec/template/spec"
#define DRONE POD "/initContainers/0"
#define OTHER POD "/containers/0"

static void test_sim002_sim006_sim012_what_is_laid_over_a_template(void **state)
{
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    const json_t *labels = json_object_get(at(job, "spec/template/metadata"), "labels");
    assert_string_equal(simctl_shape_text(labels, SIMCTL_KEY_INSTANCE, ""), "abc-0");
    assert_string_equal(simctl_shape_text(labels, "team", ""), "a"); /* the template's wins */
    assert_string_equal(simctl_shape_text(labels, "suite", ""), "night");
    expect(job, "metadata/labels",
           "{\"app.kubernetes.io/managed-by\":\"simctl\",\"mayfly.dev/instance\":\"abc-0\","
           "\"mayfly.dev/template\":\"t\",\"suite\":\"night\",\"team\":\"b\"}");
    assert_string_equal(simctl_shape_text(at(job, "metadata/labels"), SIMCTL_KEY_INSTANCE, ""),
                        "abc-0");
    assert_string_equal(simctl_shape_text(at(job, "metadata/annotations"), SIMCTL_KEY_HASH, ""),
                        "1234");
    expect(job, "spec/template/metadata/annotations/x", "\"y\"");
    expect(job, "spec/backoffLimit", "0");
    expect(job, "spec/activeDeadlineSeconds", "55");
    expect(job, "spec/ttlSecondsAfterFinished", "30");
    expect(job, POD "/activeDeadlineSeconds", "45");
    expect(job, POD "/restartPolicy", "\"Never\"");
    expect(job, POD "/nodeSelector", "{\"disk\":\"ssd\"}");
    expect(job, POD "/automountServiceAccountToken", "false");
    expect(job, POD "/securityContext",
           "{\"fsGroup\":65532,\"runAsNonRoot\":true,\"seccompProfile\":{\"type\":"
           "\"RuntimeDefault\"}}");
    expect(job, DRONE "/resources",
           "{\"limits\":{\"cpu\":\"200m\",\"memory\":\"256M\"},\"requests\":{\"memory\":\"64M\"}}");
    expect(job, DRONE "/securityContext",
           "{\"allowPrivilegeEscalation\":false,\"capabilities\":{\"drop\":[\"ALL\"]},"
           "\"readOnlyRootFilesystem\":true}");
    expect(job, DRONE "/env/0", "{\"name\":\"MAYFLY_API\",\"value\":\"0.0.0.0:5759\"}");
    expect(job, DRONE "/env/5", "{\"name\":\"MAYFLY_LIFETIME\",\"value\":\"45\"}");
    expect(job, DRONE "/env/6", "{\"name\":\"MAYFLY_GEOID_FINGERPRINT\",\"value\":\"abcd\"}");
    expect(job, DRONE "/ports", "[{\"containerPort\":5759,\"name\":\"mayfly-api\"}]");
    expect(job, DRONE "/startupProbe/httpGet", "{\"path\":\"/readyz\",\"port\":5759}");
    expect(job, OTHER "/resources",
           "{\"limits\":{\"cpu\":\"1\",\"memory\":\"512M\"},\"requests\":{\"cpu\":\"100m\","
           "\"memory\":\"128M\"}}");
    expect(job, OTHER "/securityContext",
           "{\"allowPrivilegeEscalation\":false,\"capabilities\":{\"drop\":[\"ALL\"]},"
           "\"readOnlyRootFilesystem\":false}");
    assert_null(at(job, OTHER "/env"));
    json_decref(job);
}

static void test_images_of_a_configuration(void **state)
{
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    json_t *images = yaml("{localhost/mayfly: 'r.example/mayfly@sha256:12', localhost/acme: x}");
    simctl_kube_images(job, NULL);
    expect(job, DRONE "/image", "\"localhost/mayfly\"");
    simctl_kube_images(job, images);
    expect(job, DRONE "/image", "\"r.example/mayfly@sha256:12\"");
    expect(job, OTHER "/image", "\"localhost/acme/one\"");
    json_decref(images);
    json_decref(job);
}

/* The recorder begins first, so it is ended last. */
static void test_sim042_a_recording_has_a_container_of_its_own(void **state)
{
    (void)state;
    struct simctl_template t = s_template;
    struct simctl_order order = s_order;
    t.recording_bytes = 2000000;
    t.recorder = "localhost/tools";
    order.template = &t;
    json_t *job = simctl_kube_job(&order, t.pod);
    expect(job, POD "/initContainers/0/name", "\"mayfly-recorder\"");
    expect(job, POD "/initContainers/0/image", "\"localhost/tools\"");
    expect(job, POD "/initContainers/0/restartPolicy", "\"Always\"");
    expect(job, POD "/initContainers/0/command",
           "[\"simctl\",\"copy-recording\",\"/run/mayfly-recording/flight.mfr\"]");
    expect(job, POD "/initContainers/0/securityContext/readOnlyRootFilesystem", "true");
    const json_t *drone = simctl_container(at(job, "spec/template"), t.emulator);
    char *text = json_dumps(drone, JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(strstr(
        text, "{\"name\":\"MAYFLY_RECORD\",\"value\":\"/run/mayfly-recording/flight.mfr\"}"));
    assert_non_null(strstr(text, "{\"name\":\"MAYFLY_RECORD_MAX\",\"value\":\"2000000\"}"));
    assert_non_null(
        strstr(text, "{\"mountPath\":\"/run/mayfly-recording\",\"name\":\"mayfly-recording\"}"));
    free(text);
    text = json_dumps(at(job, POD "/volumes"), JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(
        strstr(text, "{\"emptyDir\":{\"sizeLimit\":3000000},\"name\":\"mayfly-recording\"}"));
    free(text);
    json_decref(job);
}

/* The library comes into a volume before anything else begins; the drone's socket lies there. */
static void test_virtual_time_reaches_the_onboard_container_alone(void **state)
{
    (void)state;
    struct simctl_template t = s_template;
    struct simctl_order order = s_order;
    t.virtual_time = true;
    t.recorder = "localhost/tools";
    t.recording_bytes = 2000000; /* beside a recording, too */
    order.template = &t;
    json_t *job = simctl_kube_job(&order, t.pod);
    expect(job, POD "/shareProcessNamespace", "true");
    expect(job, POD "/volumes/2", "{\"emptyDir\":{},\"name\":\"mayfly-time\"}");
    expect(job, POD "/initContainers/0/name", "\"mayfly-time\"");
    expect(job, POD "/initContainers/0/image", "\"localhost/tools\"");
    expect(job, POD "/initContainers/0/command",
           "[\"simctl\",\"copy-virtual-time\",\"/run/mayfly-time\"]");
    assert_null(
        at(job, POD "/initContainers/0/restartPolicy")); /* it ends before the next begins */
    expect(job, POD "/initContainers/0/securityContext/readOnlyRootFilesystem", "true");
    expect(job, POD "/initContainers/0/volumeMounts",
           "[{\"mountPath\":\"/run/mayfly-time\",\"name\":\"mayfly-time\"}]");
    expect(job, POD "/initContainers/1/name", "\"mayfly-recorder\"");
    expect(job, POD "/initContainers/2/volumeMounts/1",
           "{\"mountPath\":\"/run/mayfly-time\",\"name\":\"mayfly-time\"}");
    expect(job, POD "/initContainers/2/env/3",
           "{\"name\":\"MAYFLY_VIRTUAL_SOCKET\",\"value\":\"/run/mayfly-time/world\"}");
    expect(job, OTHER "/env",
           "[{\"name\":\"LD_PRELOAD\",\"value\":\"/run/mayfly-time/libmayflytime.so\"},"
           "{\"name\":\"MAYFLY_TIME_WORLD\",\"value\":\"/run/mayfly-time/world\"}]");
    expect(job, OTHER "/volumeMounts",
           "[{\"mountPath\":\"/run/mayfly-time\",\"name\":\"mayfly-time\",\"readOnly\":true}]");
    json_decref(job);
    job = simctl_kube_job(&s_order, s_template.pod);
    assert_null(at(job, POD "/shareProcessNamespace"));
    assert_null(at(job, OTHER "/env"));
    json_decref(job);
}

/* A pod's deadline can only be shortened, so one that may be extended has the longest. */
static void test_sim006_deadlines_where_a_lifetime_may_be_extended(void **state)
{
    json_int_t pod_s, job_s;
    (void)state;
    s_template.extend = true;
    simctl_kube_deadlines(&s_order, &pod_s, &job_s);
    s_template.extend = false;
    assert_int_equal(pod_s, 600);
    assert_int_equal(job_s, 55);
}

static void test_secret_stays_out_of_the_pod(void **state)
{
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    json_t *secret = simctl_kube_secret(&s_order, "uid-1", "t0k3n", NULL);
    char *text = json_dumps(job, 0);
    assert_null(strstr(text, "t0k3n"));
    expect(
        job, POD "/volumes/0",
        "{\"name\":\"mayfly-token\",\"secret\":{\"defaultMode\":288,\"items\":[{\"key\":\"token\","
        "\"path\":\"token\"}],\"secretName\":\"abc-0\"}}");
    expect(job, DRONE "/volumeMounts/0",
           "{\"mountPath\":\"/run/mayfly\",\"name\":\"mayfly-token\",\"readOnly\":true}");
    expect(job, DRONE "/env/4", "{\"name\":\"MAYFLY_API_TOKEN\",\"value\":\"/run/mayfly/token\"}");
    expect(secret, "stringData", "{\"token\":\"t0k3n\"}");
    expect(secret, "immutable", "true");
    expect(secret, "metadata/ownerReferences/0/uid", "\"uid-1\"");
    free(text);
    json_decref(job);
    json_decref(secret);
}

static void test_sim005_certificates_reach_their_container_alone(void **state)
{
    const struct simctl_minted minted = {"cert", "key", "ca"};
    (void)state;
    s_template.certificates.container = "onboard";
    s_template.certificates.path = "/run/certificates";
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    json_t *secret = simctl_kube_secret(&s_order, "uid-1", "t0k3n", &minted);
    expect(job, OTHER "/volumeMounts",
           "[{\"mountPath\":\"/run/"
           "certificates\",\"name\":\"mayfly-certificates\",\"readOnly\":true}]");
    expect(job, OTHER "/env",
           "[{\"name\":\"MAYFLY_CERTIFICATES\",\"value\":\"/run/certificates\"}]");
    expect(job, POD "/volumes/1/secret/items/1", "{\"key\":\"tls.key\",\"path\":\"tls.key\"}");
    expect(job, POD "/volumes/1/secret/secretName", "\"abc-0\"");
    assert_null(at(job, DRONE "/volumeMounts/1"));
    expect(secret, "stringData",
           "{\"ca.crt\":\"ca\",\"tls.crt\":\"cert\",\"tls.key\":\"key\",\"token\":\"t0k3n\"}");
    json_decref(job);
    json_decref(secret);
}

static void test_service(void **state)
{
    (void)state;
    json_t *service = simctl_kube_service(&s_order, "uid-1");
    expect(
        service, "metadata/ownerReferences/0",
        "{\"apiVersion\":\"batch/"
        "v1\",\"blockOwnerDeletion\":false,\"kind\":\"Job\",\"name\":\"abc-0\",\"uid\":\"uid-1\"}");
    expect(service, "spec/type", "\"NodePort\"");
    expect(service, "spec/selector", "{\"mayfly.dev/instance\":\"abc-0\"}");
    expect(service, "spec/ports/1",
           "{\"name\":\"mavlink-udp\",\"port\":5760,\"protocol\":\"UDP\"}");
    json_decref(service);
}

/* ---- states */

#define T(s) "2026-03-01T12:00:" s "Z"
#define RUNNING(name) \
    "{name: " name ", ready: true, restartCount: 0, state: {running: {startedAt: '" T("02") "'}}}"
#define SCHEDULED "{type: PodScheduled, status: 'True', lastTransitionTime: '" T("01") "'}"
#define READY     "{type: Ready, status: 'True', lastTransitionTime: '" T("03") "'}"
#define DONE(name, code, more)                                                             \
    "{name: " name ", ready: false, restartCount: 0, state: {terminated: {exitCode: " code \
    ", startedAt: '" T("02") "', finishedAt: '" T("09") "'" more "}}}"

static const struct {
    const char *name, *job, *pod; /* members of their status */
    enum simctl_state state;
    enum simctl_outcome outcome;
    const char *data; /* of the reason; "" for none */
} k_seen[] = {
    {"nothing yet", "{}", NULL, SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, ""},
    {"no room", "{}",
     "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, "
     "message: 0/1 nodes}]}",
     SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "unschedulable 0/1 nodes"},
    {"no image", "{}",
     "{phase: Pending, conditions: [" SCHEDULED
     "], initContainerStatuses: [{name: emulator, state: {waiting: {reason: "
     "ErrImageNeverPull, message: not here}}}]}",
     SIMCTL_PENDING, SIMCTL_OUTCOME_OPEN, "emulator ErrImageNeverPull not here"},
    {"the drone alone", "{}",
     "{phase: Pending, podIP: 10.1.2.3, conditions: [" SCHEDULED
     "], initContainerStatuses: [" RUNNING(
         "emulator") "], containerStatuses: [{name: onboard, ready: false, state: {waiting: "
                     "{reason: PodInitializing}}}]}",
     SIMCTL_STARTING, SIMCTL_OUTCOME_OPEN, ""},
    {"all", "{}",
     "{phase: Running, podIP: 10.1.2.3, conditions: [" SCHEDULED ", " READY
     "], initContainerStatuses: [" RUNNING("emulator") "], containerStatuses: [" RUNNING(
         "onboard") "]}",
     SIMCTL_READY, SIMCTL_OUTCOME_OPEN, ""},
    {"a sidecar that restarted", "{}",
     "{phase: Running, conditions: [" SCHEDULED ", " READY
     "], initContainerStatuses: [{name: emulator, ready: true, "
     "restartCount: 2, state: {running: {}}}], containerStatuses: [" RUNNING("onboard") "]}",
     SIMCTL_DEGRADED, SIMCTL_OUTCOME_OPEN, ""},
    {"the onboard software came to its end", "{conditions: [{type: Complete, status: 'True'}]}",
     "{phase: Succeeded, initContainerStatuses: [" DONE(
         "emulator", "0", "") "], containerStatuses: [" DONE("onboard", "0", "") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_COMPLETED, "onboard 0"},
    {"it failed, and its drone was killed",
     "{conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded}]}",
     "{phase: Failed, initContainerStatuses: [" DONE(
         "emulator", "137", "") "], containerStatuses: [" DONE("onboard", "3", "") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 3"},
    {"memory", "{}",
     "{phase: Failed, containerStatuses: [" DONE("onboard", "137", ", reason: OOMKilled") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_OUT_OF_MEMORY, "onboard memory"},
    {"a limit below what it takes to start", "{}",
     "{phase: Failed, containerStatuses: [" DONE(
         "onboard", "128",
         ", reason: StartError, message: 'unable to set memory limit to 1000'") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_OUT_OF_MEMORY, "onboard memory"},
    {"what it wrote last", "{}",
     "{phase: Failed, containerStatuses: [" DONE("onboard", "1",
                                                 ", message: \"first\\nno route\\n\"") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_ONBOARD_FAILED, "onboard 1 no route"},
    {"another geoid", "{}",
     "{phase: Failed, initContainerStatuses: [" DONE(
         "emulator", "2", ", message: 'geoid-fingerprint: x is wanted'") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_GEOID_MISMATCH, "geoid-fingerprint: x is wanted"},
    {"a drone that has told its geoid", "{}",
     "{phase: Failed, containerStatuses: [" DONE(
         "emulator", "137", ", message: 'geoid egm96, fingerprint f980 is wanted'") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_EMULATOR_FAILED,
     "emulator 137 geoid egm96, fingerprint f980 is wanted"},
    {"the drone", "{}",
     "{phase: Failed, initContainerStatuses: [" DONE("emulator", "2", ", message: bad flag") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_EMULATOR_FAILED, "emulator 2 bad flag"},
    {"the pod's deadline", "{}",
     "{phase: Failed, reason: DeadlineExceeded, initContainerStatuses: [" DONE(
         "emulator", "137", "") "], containerStatuses: [" DONE("onboard", "137", "") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its deadline came before its drone", "{}", "{phase: Failed, reason: DeadlineExceeded}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime drone"},
    {"the Job is about to say why",
     "{conditions: [{type: FailureTarget, status: 'True', reason: DeadlineExceeded}]}", NULL,
     SIMCTL_ENDED, SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"a drain begins", "{}",
     "{phase: Running, conditions: [" READY ", {type: DisruptionTarget, status: 'True'}], "
     "containerStatuses: [" RUNNING("onboard") "]}",
     SIMCTL_ENDING, SIMCTL_OUTCOME_OPEN, ""},
    {"the Job's deadline took the pod",
     "{conditions: [{type: Failed, status: 'True', reason: DeadlineExceeded}]}", NULL, SIMCTL_ENDED,
     SIMCTL_OUTCOME_EXPIRED, "lifetime"},
    {"its deadline came while there was no room", "{}",
     "{phase: Failed, reason: DeadlineExceeded, conditions: [{type: PodScheduled, status: 'False', "
     "reason: "
     "Unschedulable, message: 0/1 nodes}]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_UNSCHEDULABLE, "unschedulable 0/1 nodes"},
    {"a drain: its drone exits with 0", "{conditions: [{type: Complete, status: 'True'}]}",
     "{phase: Succeeded, conditions: [{type: DisruptionTarget, status: 'True', reason: "
     "EvictionByEvictionAPI, message: "
     "drained}], containerStatuses: [" DONE("onboard", "0", "") "]}",
     SIMCTL_ENDED, SIMCTL_OUTCOME_EVICTED, "EvictionByEvictionAPI drained"},
};

static void test_states_that_a_cluster_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_seen / sizeof k_seen[0]; i++) {
        struct simctl_instance is;
        json_t *job = simctl_kube_job(&s_order, s_template.pod);
        json_t *pod =
            k_seen[i].pod != NULL ? json_pack("{s:o}", "status", yaml(k_seen[i].pod)) : NULL;
        (void)json_object_set_new(job, "status", yaml(k_seen[i].job));
        (void)json_object_set_new(json_object_get(job, "metadata"), "creationTimestamp",
                                  json_string(T("00")));
        simctl_kube_read(job, pod, NULL, &is);
        const char *data = k_seen[i].data;
        if (is.state != k_seen[i].state || is.outcome != k_seen[i].outcome ||
            !(data[0] == '\0' ? is.reason[0] == '\0' : mf_names(is.reason, data))) {
            fail_msg("%s: %s %s '%s'", k_seen[i].name, simctl_state_word(is.state),
                     simctl_outcome_code(is.outcome), is.reason);
        }
        assert_string_equal(is.id, "abc-0");
        assert_string_equal(simctl_shape_text(is.labels, "suite", ""), "night");
        simctl_instance_free(&is);
        json_decref(job);
        json_decref(pod);
    }
}

static void test_times_and_addresses(void **state)
{
    struct simctl_instance is;
    char text[32];
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    json_t *pod = json_pack(
        "{s:o}", "status",
        yaml("{phase: Running, podIP: 'fd00::7', hostIP: 'fd00::1', conditions: [" SCHEDULED
             ", " READY "], initContainerStatuses: [" RUNNING("emulator") "]}"));
    json_t *service = yaml("{spec: {ports: [{name: mavlink-tcp, nodePort: 30001}, {name: "
                           "mavlink-udp, nodePort: 30002}, "
                           "{name: api, nodePort: 30003}]}}");
    (void)json_object_set_new(json_object_get(job, "metadata"), "creationTimestamp",
                              json_string(T("00")));
    simctl_kube_read(job, pod, service, &is);
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
    json_decref(job);
    json_decref(pod);
    json_decref(service);
}

/* Whoever ended it left the reason in the Job. */
static void test_sim007_the_reason_of_an_end_stays(void **state)
{
    struct simctl_instance is;
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod),
           *patch = simctl_kube_end("uid-1", "ended", "enough", true);
    json_t *pod = json_pack("{s:o}", "status",
                            yaml("{phase: Running, containerStatuses: [" RUNNING("onboard") "]}"));
    expect(patch, "spec", "{\"activeDeadlineSeconds\":1}");
    expect(patch, "metadata/uid", "\"uid-1\"");
    (void)json_object_update(json_object_get(json_object_get(job, "metadata"), "annotations"),
                             (json_t *)at(patch, "metadata/annotations"));
    simctl_kube_read(job, pod, NULL, &is);
    assert_int_equal(is.state, SIMCTL_ENDING);
    simctl_instance_free(&is);
    simctl_kube_read(job, NULL, NULL, &is);
    assert_int_equal(is.state, SIMCTL_ENDED);
    assert_int_equal(is.outcome, SIMCTL_OUTCOME_BY_CALLER);
    assert_string_equal(is.reason, "enough");
    simctl_instance_free(&is);
    json_decref(job);
    json_decref(patch);
    json_decref(pod);
}

/* What a watch saw is kept in the Job: the pod goes, or the kubelet forgets. */
static void expect_kept(json_t *job, json_t *pod, bool ends, enum simctl_outcome outcome,
                        const char *data)
{
    struct simctl_instance is;
    struct simctl_kube_verdict verdict;
    assert_false(simctl_kube_must_tell(NULL, pod, &verdict));
    assert_false(simctl_kube_must_tell(job, NULL, &verdict));
    assert_true(simctl_kube_must_tell(job, pod, &verdict));
    assert_int_equal(verdict.ends, ends);
    json_t *patch =
        simctl_kube_end("uid-1", simctl_outcome_code(verdict.outcome), verdict.reason, false);
    expect(patch, "metadata/uid", "\"uid-1\"");
    (void)json_object_update(json_object_get(json_object_get(job, "metadata"), "annotations"),
                             (json_t *)at(patch, "metadata/annotations"));
    assert_false(simctl_kube_must_tell(job, pod, &verdict));
    simctl_kube_read(job, NULL, NULL, &is);
    assert_int_equal(is.state, SIMCTL_ENDED);
    assert_int_equal(is.outcome, outcome);
    assert_names(is.reason, data);
    simctl_instance_free(&is);
    json_decref(patch);
    json_decref(job);
    json_decref(pod);
}

static void test_sim002_an_eviction_is_told_when_its_pod_has_gone(void **state)
{
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    (void)json_object_set_new(job, "status",
                              yaml("{conditions: [{type: Complete, status: 'True'}]}"));
    expect_kept(job,
                json_pack("{s:o}", "status",
                          yaml("{phase: Running, conditions: [{type: DisruptionTarget, status: "
                               "'True', reason: EvictionByEvictionAPI, message: drained}]}")),
                false, SIMCTL_OUTCOME_EVICTED, "EvictionByEvictionAPI drained");
}

static void test_sidecar_that_restarted_ends_it_where_its_template_says_so(void **state)
{
    struct simctl_kube_verdict verdict;
    (void)state;
    json_t *pod = json_pack(
        "{s:o}", "status",
        yaml("{phase: Running, initContainerStatuses: [{name: emulator, restartCount: 1, ready: "
             "true, state: {running: {}}, lastState: {terminated: {exitCode: 7, reason: "
             "Error}}}]}"));
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    assert_false(simctl_kube_must_tell(job, pod, &verdict));
    json_decref(job);
    s_template.restarted = SIMCTL_RESTARTED_ENDED;
    job = simctl_kube_job(&s_order, s_template.pod);
    s_template.restarted = SIMCTL_RESTARTED_DEGRADED;
    expect_kept(job, pod, true, SIMCTL_OUTCOME_EMULATOR_FAILED, "emulator 7");
}

/* What kept it from beginning is in its Job when its deadline has taken the pod; had it begun, its
 * lifetime would be why. */
static void test_what_kept_it_from_beginning_is_told(void **state)
{
    static const char k_begun[] =
        "{phase: Failed, reason: DeadlineExceeded, initContainerStatuses: [{name: emulator, state: "
        "{terminated: {exitCode: 0, startedAt: '" T(
            "02") "'}}}], containerStatuses: [{name: "
                  "onboard, state: {terminated: {exitCode: 0, startedAt: '" T("03") "'}}}]}";
    struct simctl_kube_verdict verdict;
    struct simctl_instance is;
    (void)state;
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    json_t *pod = json_pack("{s:o}", "status",
                            yaml("{phase: Pending, conditions: [{type: PodScheduled, status: "
                                 "'False', reason: Unschedulable, message: 0/1 nodes}]}"));
    assert_true(simctl_kube_must_tell(job, pod, &verdict));
    assert_true(verdict.waits);
    assert_false(verdict.ends);
    json_t *patch =
        simctl_kube_waits("uid-1", simctl_outcome_code(verdict.outcome), verdict.reason);
    (void)json_object_update(json_object_get(json_object_get(job, "metadata"), "annotations"),
                             (json_t *)at(patch, "metadata/annotations"));
    assert_false(simctl_kube_must_tell(job, pod, &verdict)); /* once */
    simctl_kube_read(job, pod, NULL, &is);
    assert_int_equal(is.state, SIMCTL_PENDING);
    simctl_instance_free(&is);
    (void)json_object_set_new(
        job, "status",
        yaml("{conditions: [{type: Failed, status: 'True', reason: DeadlineExceeded}]}"));
    simctl_kube_read(job, NULL, NULL, &is);
    assert_int_equal(is.outcome, SIMCTL_OUTCOME_UNSCHEDULABLE);
    assert_names(is.reason, "unschedulable 0/1 nodes");
    simctl_instance_free(&is);
    (void)json_object_set_new(pod, "status", yaml(k_begun));
    simctl_kube_read(job, pod, NULL, &is);
    assert_int_equal(is.outcome, SIMCTL_OUTCOME_EXPIRED);
    simctl_instance_free(&is);
    json_decref(patch);
    json_decref(pod);
    json_decref(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_kept_it_from_beginning_is_told),
        cmocka_unit_test(test_sim002_sim006_sim012_what_is_laid_over_a_template),
        cmocka_unit_test(test_images_of_a_configuration),
        cmocka_unit_test(test_sim042_a_recording_has_a_container_of_its_own),
        cmocka_unit_test(test_virtual_time_reaches_the_onboard_container_alone),
        cmocka_unit_test(test_sim006_deadlines_where_a_lifetime_may_be_extended),
        cmocka_unit_test(test_sim005_certificates_reach_their_container_alone),
        cmocka_unit_test(test_service),
        cmocka_unit_test(test_secret_stays_out_of_the_pod),
        cmocka_unit_test(test_sim002_an_eviction_is_told_when_its_pod_has_gone),
        cmocka_unit_test(test_sidecar_that_restarted_ends_it_where_its_template_says_so),
        cmocka_unit_test(test_states_that_a_cluster_shows),
        cmocka_unit_test(test_times_and_addresses),
        cmocka_unit_test(test_sim007_the_reason_of_an_end_stays),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
