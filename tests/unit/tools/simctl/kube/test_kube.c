/* SPDX-License-Identifier: Apache-2.0 */
/* Instances as objects of Kubernetes: what is laid over a template. */
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/kube/kube_job.h"

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
    expect(job, "spec/activeDeadlineSeconds", "48");
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

/* A pod's deadline can only be shortened, so a pod whose lifetime may be extended has the longest,
 * and its Job ends it in time. */
static void test_sim006_deadlines_where_a_lifetime_may_be_extended(void **state)
{
    json_int_t pod_s, job_s;
    (void)state;
    s_template.extend = true;
    simctl_kube_deadlines(&s_order, &pod_s, &job_s);
    s_template.extend = false;
    assert_int_equal(pod_s, 600);
    assert_int_equal(job_s, 45);
    json_t *patch = simctl_kube_extend("uid-1", "7", 90);
    expect(patch, "",
           "{\"metadata\":{\"annotations\":{\"mayfly.dev/lifetime\":\"90\"},"
           "\"resourceVersion\":\"7\",\"uid\":\"uid-1\"},\"spec\":"
           "{\"activeDeadlineSeconds\":90}}");
    json_decref(patch);
}

/* A pod ends within the 10 s after its lifetime: grace of the Job, a preStop hook, and the 2 s that
 * a kubelet adds to the hook. */
static void test_sim006_no_template_takes_its_time_to_end(void **state)
{
    static const char k_pod[] =
        "{metadata: {annotations: {a: b}, finalizers: [acme.example/never]},\n"
        " spec: {terminationGracePeriodSeconds: %s, activeDeadlineSeconds: 100000,\n"
        "  initContainers: [{name: emulator, restartPolicy: Always, livenessProbe: "
        "{terminationGracePeriodSeconds: 100000}}],\n"
        "  containers: [{name: onboard, startupProbe: {terminationGracePeriodSeconds: 90},"
        " livenessProbe: {terminationGracePeriodSeconds: 1}, lifecycle: {preStop: {sleep: "
        "{seconds: "
        "60}}}}]}}";
    static const char *const k_case[][2] = {{"100000", "3"}, {"90.5", "3"}, {"4", "3"},
                                            {"3", "3"},      {"1", "1"},    {"0", "0"}};
    char text[sizeof k_pod + 16];
    (void)state;
    assert_true(SIMCTL_JOB_GRACE_S + SIMCTL_END_GRACE_S + 2 < 10);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)snprintf(text, sizeof text, k_pod, k_case[i][0]);
        json_t *pod = yaml(text), *job = simctl_kube_job(&s_order, pod);
        expect(job, POD "/terminationGracePeriodSeconds", k_case[i][1]);
        expect(job, POD "/activeDeadlineSeconds", "45");
        expect(job, "spec/activeDeadlineSeconds", "48");
        expect(job, DRONE "/livenessProbe/terminationGracePeriodSeconds", "3");
        expect(job, OTHER "/startupProbe/terminationGracePeriodSeconds", "3");
        expect(job, OTHER "/livenessProbe/terminationGracePeriodSeconds", "1");
        expect(job, OTHER "/lifecycle/preStop/sleep/seconds", "3");
        expect(job, "spec/template/metadata/annotations", "{\"a\":\"b\"}");
        assert_null(at(job, "spec/template/metadata/finalizers"));
        json_decref(job);
        json_decref(pod);
    }
    json_t *job = simctl_kube_job(&s_order, s_template.pod);
    expect(job, POD "/terminationGracePeriodSeconds", "3");
    json_decref(job);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim002_sim006_sim012_what_is_laid_over_a_template),
        cmocka_unit_test(test_images_of_a_configuration),
        cmocka_unit_test(test_sim042_a_recording_has_a_container_of_its_own),
        cmocka_unit_test(test_virtual_time_reaches_the_onboard_container_alone),
        cmocka_unit_test(test_sim006_deadlines_where_a_lifetime_may_be_extended),
        cmocka_unit_test(test_sim006_no_template_takes_its_time_to_end),
        cmocka_unit_test(test_sim005_certificates_reach_their_container_alone),
        cmocka_unit_test(test_service),
        cmocka_unit_test(test_secret_stays_out_of_the_pod),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
