/* SPDX-License-Identifier: Apache-2.0 */
/* What a template is, and what becomes of the values that a caller chooses. */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/instance.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char k_text[] =
    "description: two containers\n"
    "lifetime: {default: 90s, max: 2h, extend: true}\n"
    "ttl: 0\n"
    "reach: node\n"
    "recording: 6Mi\n"
    "virtualTime: true\n"
    "emulator: drone\n"
    "onboard: onboard\n"
    "values:\n"
    "  speed: {env: PX4_SIM_SPEED_FACTOR, type: number, min: 0.5, max: 20, default: 1}\n"
    "  log: {env: LOG, container: onboard, type: boolean}\n"
    "  image: {image: onboard, patterns: ['localhost/acme/*', 'localhost/test:?']}\n"
    "  flags: {args: onboard}\n"
    "pod:\n"
    "  metadata: {labels: {team: a}}\n"
    "  spec:\n"
    "    initContainers: [{name: drone, restartPolicy: Always, image: localhost/mayfly}]\n"
    "    containers:\n"
    "    - {name: onboard, image: 'localhost/acme/one', args: [a], env: [{name: LOG, value: old}, "
    "{name: X, value: y}]}\n";

static struct simctl_template s_template;
static struct web_error s_error;

static bool take(const char *text)
{
    s_error = (struct web_error){0};
    json_t *document = simctl_document_read("t", text, strlen(text), &s_error);
    assert_non_null(document);
    return simctl_template_take(&s_template, "t", document, &s_error);
}

static json_t *json(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

static void test_members(void **state)
{
    (void)state;
    assert_true(take(k_text));
    const struct simctl_template *t = &s_template;
    assert_string_equal(t->description, "two containers");
    assert_true(t->lifetime_default_s == 90.0 && t->lifetime_max_s == 7200.0 && t->ttl_s == 0.0);
    assert_true(t->extend && t->reach == SIMCTL_REACH_NODE);
    assert_int_equal(t->recording_bytes, 6291456);
    assert_true(t->virtual_time);
    assert_string_equal(t->emulator, "drone");
    assert_true(simctl_is_sidecar(t->pod, "drone") && !simctl_is_sidecar(t->pod, "onboard"));
    assert_null(simctl_container(t->pod, "nobody"));
    simctl_template_free(&s_template);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_true(take("lifetime: {max: 1m}\npod: {spec: {containers: [{name: emulator}]}}"));
    assert_true(s_template.lifetime_default_s == 60.0 && s_template.lifetime_max_s == 60.0);
    assert_true(s_template.ttl_s == 300.0 && !s_template.extend && !s_template.virtual_time);
    simctl_template_free(&s_template);
    assert_true(take("lifetime: {default: 2h}\npod: {spec: {containers: [{name: emulator}]}}"));
    assert_true(s_template.lifetime_max_s == 7200.0);
    simctl_template_free(&s_template);
}

/* Defaults, what was chosen, and where each of them goes. */
static void test_values_go_to_their_places(void **state)
{
    (void)state;
    assert_true(take(k_text));
    json_t *chosen =
        json("{\"log\": true, \"image\": \"localhost/acme/two\", \"flags\": [\"b\", \"c\"]}");
    json_t *values = simctl_template_values(&s_template, chosen, &s_error);
    json_t *want = json("{\"speed\": 1, \"log\": true, \"image\": \"localhost/acme/two\", "
                        "\"flags\": [\"b\", \"c\"]}");
    assert_true(json_equal(values, want));
    json_t *pod = simctl_template_apply(&s_template, values, SIMCTL_EXPANDS_NOTHING);
    json_t *pod_want = json("{\"metadata\": {\"labels\": {\"team\": \"a\"}}, \"spec\": "
                            "{\"initContainers\": [{\"name\": \"drone\","
                            "\"restartPolicy\": \"Always\", \"image\": \"localhost/mayfly\","
                            "\"env\": [{\"name\": \"PX4_SIM_SPEED_FACTOR\", \"value\": \"1\"}]}],"
                            "\"containers\": [{\"name\": \"onboard\", \"image\": "
                            "\"localhost/acme/two\", \"args\": [\"b\", \"c\"],"
                            "\"env\": [{\"name\": \"LOG\", \"value\": \"true\"}, {\"name\": \"X\", "
                            "\"value\": \"y\"}]}]}}");
    if (!json_equal(pod, pod_want)) {
        fail_msg("%s", json_dumps(pod, 0));
    }
    json_decref(chosen);
    json_decref(values);
    json_decref(want);
    json_decref(pod);
    json_decref(pod_want);
    simctl_template_free(&s_template);
}

/* The kubelet makes $ of $$, and a variable's value of $(NAME), in variables and arguments. */
static void test_the_kubelet_finds_no_variables_in_values(void **state)
{
    (void)state;
    assert_true(
        take("values:\n"
             "  home: {env: HOME}\n"
             "  words: {args: emulator, flags: [--uas-id]}\n"
             "pod: {spec: {containers: [{name: emulator, env: [{name: A, value: $(HOME)}]}]}}\n"));
    json_t *values = json("{\"home\": \"$(API_KEY) 5$ $$(X)\", \"words\": [\"--uas-id=$(A)\"]}");
    json_t *kubelet = simctl_template_apply(&s_template, values, SIMCTL_EXPANDS_DOLLARS);
    json_t *want = json("[{\"name\": \"emulator\", \"args\": [\"--uas-id=$$(A)\"], \"env\": "
                        "[{\"name\": \"A\", \"value\": \"$(HOME)\"}, {\"name\": \"HOME\", "
                        "\"value\": \"$$(API_KEY) 5$$ $$$$(X)\"}]}]");
    json_t *containers = json_object_get(json_object_get(kubelet, "spec"), "containers");
    if (!json_equal(containers, want)) {
        fail_msg("%s", json_dumps(containers, 0));
    }
    json_decref(values);
    json_decref(kubelet);
    json_decref(want);
    simctl_template_free(&s_template);
}

static bool chooses(const char *value, const char *text)
{
    json_t *chosen = json_pack("{s:o}", value, json(text));
    s_error = (struct web_error){0};
    json_t *values = simctl_template_values(&s_template, chosen, &s_error);
    const bool good = values != NULL;
    json_decref(values);
    json_decref(chosen);
    return good;
}

static void test_flags_of_callers(void **state)
{
    (void)state;
    assert_true(take("onboard: onboard\n"
                     "values:\n"
                     "  drone: {args: emulator}\n"
                     "  own: {args: emulator, flags: [--geoid]}\n"
                     "  onboard: {args: onboard, flags: [--side]}\n"
                     "  words: {args: onboard}\n"
                     "pod: {spec: {initContainers: [{name: emulator, restartPolicy: Always}], "
                     "containers: [{name: onboard}]}}\n"));
    assert_true(chooses("drone", "[\"--home=1,2,3\", \"--audit\", \"--audit=false\", "
                                 "\"--wind-speed=3\", \"--record=a.mfr\"]"));
    assert_true(chooses("drone", "[\"--param\", \"A=-1\", \"--audit\", \"--home\", \"1,2,3\"]"));
    assert_false(chooses("drone", "[\"--home\", \"--audit\"]"));
    assert_false(chooses("drone", "[\"--record\", \"x\"]"));
    assert_false(chooses("drone", "[\"--home\", \"1,2,3\", \"4\"]"));
    static const char *const k_drone[][2] = {{"--record=/etc/passwd", "/etc/passwd"},
                                             {"--record=../x", "../x"},
                                             {"--record=.x", ".x"},
                                             {"--record=", "--record="},
                                             {"--record", "--record=NAME"},
                                             {"--config=x", "--config"},
                                             {"--tcp=1", "--tcp"},
                                             {"--lifetime=0", "--lifetime"},
                                             {"--state=x", "--state"},
                                             {"--params=x", "--params"},
                                             {"--geoid=egm96:/x", "--geoid"},
                                             {"--signing-key=x", "--signing-key"},
                                             {"--home", "--home=VALUE"},
                                             {"--hom=1,2,3", "--home"},
                                             {"1,2,3", "1,2,3"},
                                             {"--", "--"},
                                             {"-h", "-h"},
                                             {"--help", "--help"},
                                             {"", "''"},
                                             {"--api-token=x", "--api-token"},
                                             {"--time-socket=1", "--time-socket"},
                                             {"--map=http://x", "--map"}};
    for (size_t i = 0; i < sizeof k_drone / sizeof k_drone[0]; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "[\"%s\"]", k_drone[i][0]);
        assert_false(chooses("drone", text));
        assert_string_equal(s_error.code, "value");
        if (strstr(s_error.message, k_drone[i][1]) == NULL) {
            fail_msg("%s: %s", text, s_error.message);
        }
    }
    assert_true(chooses("own", "[\"--geoid=egm96:/x\"]") && !chooses("own", "[\"--home=1,2,3\"]"));
    assert_true(chooses("onboard", "[\"--side\", \"4\", \"--side=5\", \"tcp:x\"]"));
    assert_false(chooses("onboard", "[\"--sid\", \"4\"]") || chooses("onboard", "[\"-c\"]"));
    assert_true(chooses("words", "[\"a\", \"b=-1\"]") && !chooses("words", "[\"a\", \"-x\"]"));
    simctl_template_free(&s_template);
}

static void test_flags_that_may_not_be(void **state)
{
    static const char *const k_case[][2] = {
        {"{args: emulator, flags: [--tcp]}", "--tcp"},
        {"{args: emulator, flags: [--help]}", "--help"},
        {"{args: emulator, flags: [--hone]}", "--home"},
        {"{args: emulator, flags: [home]}", "values.v.flags"},
        {"{args: emulator, flags: [--home=]}", "values.v.flags"},
        {"{args: emulator, flags: [1]}", "values.v.flags"},
        {"{args: emulator, type: text}", "values.v"},
        {"{env: X, flags: [--home]}", "values.v"},
        {"{args: emulator, default: [--tcp=1]}", "--tcp"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "values: {v: %s}\npod: {spec: {containers: [{name: emulator}]}}\n",
                       k_case[i][0]);
        assert_false(take(text));
        assert_int_equal(s_error.status, 422);
        if (strstr(s_error.message, k_case[i][1]) == NULL) {
            fail_msg("%s: '%s'", text, s_error.message);
        }
    }
    /* a program of a user's may have flags of one letter, but none without a dash or with a value
     */
    assert_false(take("onboard: o\nvalues: {v: {args: o, flags: [v]}}\n"
                      "pod: {spec: {containers: [{name: emulator}, {name: o, image: x}]}}\n"));
    assert_false(take("onboard: o\nvalues: {v: {args: o, flags: [--v=1]}}\n"
                      "pod: {spec: {containers: [{name: emulator}, {name: o, image: x}]}}\n"));
    assert_true(take("onboard: o\nvalues: {v: {args: o, flags: [-v]}}\n"
                     "pod: {spec: {containers: [{name: emulator}, {name: o, image: x}]}}\n"));
    simctl_template_free(&s_template);
}

static void test_values_that_may_not_be(void **state)
{
    static const struct {
        const char *chosen, *code, *data;
    } k_case[] = {
        {"{\"sped\": 1}", "unknown_value", "values.sped t"},
        {"{\"speed\": \"1\"}", "wrong_type", "values.speed number"},
        {"{\"speed\": 0.4}", "value", "values.speed 0.5 20"},
        {"{\"speed\": 21}", "value", "values.speed 0.5 20"},
        {"{\"log\": 1}", "wrong_type", "values.log boolean"},
        {"{\"image\": \"localhost/acme\"}", "value",
         "values.image localhost/acme/* localhost/test:?"},
        {"{\"flags\": [1]}", "wrong_type", "values.flags list"},
    };
    (void)state;
    assert_true(take(k_text));
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        json_t *chosen = json(k_case[i].chosen);
        s_error = (struct web_error){0};
        assert_null(simctl_template_values(&s_template, chosen, &s_error));
        assert_int_equal(s_error.status, 422);
        assert_string_equal(s_error.code, k_case[i].code);
        assert_names(s_error.message, k_case[i].data);
        json_decref(chosen);
    }
    simctl_template_free(&s_template);
}

/* A value is one of the words, whole: an asterisk stands for itself. */
static void test_values_of_a_list_of_words(void **state)
{
    static const char *const k_wrong[] = {"{\"mode\": \"x\"}", "{\"mode\": \"fast\"}"};
    (void)state;
    assert_true(take("values: {mode: {env: M, container: o, words: [slow, 'fa*t']}}\n"
                     "pod: {spec: {containers: [{name: emulator}, {name: o, image: x}]}}\n"));
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        json_t *chosen = json(k_wrong[i]);
        assert_null(simctl_template_values(&s_template, chosen, &s_error));
        assert_int_equal(s_error.status, 422);
        assert_string_equal(s_error.code, "value");
        assert_names(s_error.message, "values.mode slow fa*t");
        json_decref(chosen);
    }
    json_t *chosen = json("{\"mode\": \"slow\"}");
    json_t *values = simctl_template_values(&s_template, chosen, &s_error);
    assert_non_null(values);
    json_decref(values);
    json_decref(chosen);
    simctl_template_free(&s_template);
}

static void test_pods_that_may_not_be(void **state)
{
    static const char *const k_case[][2] = {
        {"pod: {spec: {containers: [{name: emulator}, text]}}\n",
         "pod.spec.containers[1] must be {name: NAME, image: IMAGE}"},
        {"pod: {spec: {containers: [{name: emulator}, {image: a}]}}\n",
         "containers[1] needs 'name'"},
        {"pod: {spec: {containers: [{name: emulator}, {name: A}]}}\n", "must have a name"},
        {"pod: {spec: {containers: [{name: emulator}, {name: emulator}]}}\n", "of its own"},
        {"pod: {spec: {initContainers: {}, containers: [{name: emulator}]}}\n", "must be a list"},
        {"pod: {containers: [{name: emulator}]}\n", "containers"},
        {"pod: {}\n", "needs 'spec'"},
        {"pod: {spec: {containers: [{name: other}]}}\n", "'emulator', which its pod has not"},
        {"certificates: {}\npod: {spec: {containers: [{name: emulator}]}}\n", "certificates"},
        {"certificates: {container: emulator, path: x}\n"
         "pod: {spec: {containers: [{name: emulator}]}}\n",
         "path must begin with '/'"},
        {"virtualTime: true\npod: {spec: {initContainers: [{name: emulator, restartPolicy: "
         "Always}],"
         " containers: [{name: onboard}]}}\n",
         "virtualTime needs the key onboard"},
        {"virtualTime: true\nonboard: onboard\n"
         "pod: {spec: {containers: [{name: emulator}, {name: onboard}]}}\n",
         "'emulator' among initContainers"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        s_error = (struct web_error){0};
        assert_false(take(k_case[i][0]));
        if (strstr(s_error.message, k_case[i][1]) == NULL) {
            fail_msg("%s: '%s'", k_case[i][0], s_error.message);
        }
    }
}

/* Keys that compose files have, and what stands in the wrong form: the path, and the word of
 * Kubernetes. */
static void test_pods_that_kubernetes_does_not_know(void **state)
{
    static const char *const k_case[][2] = {
        {"environment: {A: b}", "pod.spec.containers[0] environment env: value"},
        {"env: {A: b}", "pod.spec.containers[0].env list {name: value:"},
        {"env: [A=b]", "pod.spec.containers[0].env[0] {name: value:"},
        {"env: [{name: A, value: 8080}]", "pod.spec.containers[0].env[0].value quotes"},
        {"env: [{value: b}]", "pod.spec.containers[0].env[0] name"},
        {"env: [{name: A, valueFrom: {secretKeyRef: {name: s}}}]",
         "pod.spec.containers[0].env[0].valueFrom.secretKeyRef key"},
        {"depends_on: [px4]", "depends_on initContainers restartPolicy startupProbe"},
        {"ports: ['8001:8001']", "pod.spec.containers[0].ports[0] containerPort"},
        {"ports: [{containerPort: '8001'}]",
         "pod.spec.containers[0].ports[0].containerPort whole number"},
        {"healthcheck: {}", "healthcheck startupProbe"},
        {"volumes: ['a:/a']", "volumes volumeMounts mountPath"},
        {"volumeMounts: ['a:/a']", "pod.spec.containers[0].volumeMounts[0] mountPath"},
        {"restart: always", "restart restartPolicy"},
        {"build: .", "build image"},
        {"command: run.sh", "pod.spec.containers[0].command list"},
        {"command: [sleep, 20]", "pod.spec.containers[0].command[1] quotes"},
        {"imagePullpolicy: Always", "imagePullpolicy imagePullPolicy Container"},
        {"resources: {limits: {cpu: [1]}}", "pod.spec.containers[0].resources.limits.cpu 100m"},
        {"startupProbe: {httpGet: {port: true}}",
         "pod.spec.containers[0].startupProbe.httpGet.port number"},
        {"startupProbe: {periodSeconds: 1.5}",
         "pod.spec.containers[0].startupProbe.periodSeconds whole number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "pod: {spec: {containers: [{name: emulator, %s}]}}\n",
                       k_case[i][0]);
        assert_false(take(text));
        assert_string_equal(s_error.code, "pod");
        assert_names(s_error.message, k_case[i][1]);
    }
    assert_false(take("pod: {spec: {containers: [{name: emulator}], volumes: {a: {}}}}"));
    assert_names(s_error.message, "pod.spec.volumes list {name: emptyDir:");
    assert_false(take("pod: {spec: {containers: [{name: emulator}]}, metadata: {labels: {a: 1}}}"));
    assert_names(s_error.message, "pod.metadata.labels.a quotes");
    assert_false(
        take("services: {px4: {image: x}}\npod: {spec: {containers: [{name: emulator}]}}"));
    assert_string_equal(s_error.code, "template");
}

static void test_pods_of_kubernetes(void **state)
{
    (void)state;
    assert_true(take(
        "pod:\n"
        "  metadata: {labels: {a: b}, annotations: {c: 'd'}}\n"
        "  spec:\n"
        "    nodeSelector: {disk: ssd}\n"
        "    terminationGracePeriodSeconds: 5\n"
        "    tolerations: [{key: a, operator: Exists, effect: NoSchedule}]\n"
        "    securityContext: {fsGroup: 1, sysctls: [{name: a, value: b}]}\n"
        "    affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
        "[{topologyKey: zone, labelSelector: {matchLabels: {a: b}}}]}}\n"
        "    volumes:\n"
        "    - {name: a, emptyDir: {sizeLimit: 1M, medium: Memory}}\n"
        "    - {name: b, projected: {sources: [{serviceAccountToken: {path: token}}]}}\n"
        "    containers:\n"
        "    - name: emulator\n"
        "      env: [{name: A, value: ''}, {name: B}, {name: C, valueFrom: {fieldRef: {fieldPath: "
        "status.podIP}}}]\n"
        "      ports: [{containerPort: 8001, protocol: UDP}]\n"
        "      resources: {limits: {cpu: 1, memory: 256M}, requests: {cpu: 0.5}}\n"
        "      startupProbe: {httpGet: {port: http, path: /}, periodSeconds: 1}\n"
        "      livenessProbe: {tcpSocket: {port: 80}}\n"
        "      volumeMounts: [{name: a, mountPath: /a, readOnly: true}]\n"
        "      lifecycle: \n"));
    assert_false(s_template.local_only);
    simctl_template_free(&s_template);
}

/* In the order of their keys, the onboard software last. */
static void test_a_template_without_a_pod(void **state)
{
    (void)state;
    assert_true(
        take("onboard: agent\n"
             "values: {wind: {env: WIND, container: weather}}\n"
             "local: {agent: {command: [a]}, weather: {command: [w]}, cloud: {command: [c]}}\n"));
    json_t *want =
        json("{\"spec\": {\"initContainers\": [{\"name\": \"emulator\", \"restartPolicy\": "
             "\"Always\"}, {\"name\": \"weather\", \"restartPolicy\": \"Always\"}, {\"name\": "
             "\"cloud\", \"restartPolicy\": \"Always\"}], \"containers\": [{\"name\": "
             "\"agent\"}]}}");
    assert_true(s_template.local_only && json_equal(s_template.pod, want));
    simctl_template_free(&s_template);
    json_decref(want);
    assert_true(take("description: alone"));
    assert_non_null(simctl_container(s_template.pod, "emulator"));
    assert_false(simctl_is_sidecar(s_template.pod, "emulator"));
    simctl_template_free(&s_template);
    assert_false(take("onboard: agent\nlocal: {weather: {command: [w]}}"));
    assert_names(s_error.message, "agent local.agent.command");
}

static void test_durations_and_sizes(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } k_time[] = {{"\"90s\"", 90},  {"\"1.5m\"", 90}, {"2", 2},   {"\"2\"", 2},   {"0.5", 0.5},
                  {"\"1h\"", 3600}, {"\"-1s\"", -1},  {"-1", -1}, {"\"1d\"", -1}, {"true", -1}};
    static const struct {
        const char *text;
        int64_t bytes;
    } k_size[] = {{"\"64M\"", 64000000}, {"\"64Mi\"", 67108864}, {"12", 12},    {"\"1.5k\"", 1500},
                  {"1.5", -1},           {"\"64m\"", -1},        {"\"x\"", -1}, {"-1", -1}};
    static const struct simctl_field k_field[] = {{"t", SIMCTL_DURATION, false, NULL, ""},
                                                  {"b", SIMCTL_BYTES, false, NULL, ""},
                                                  {NULL, SIMCTL_ANY, false, NULL, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof k_time / sizeof k_time[0]; i++) {
        json_t *o = json_pack("{s:o}", "t", json(k_time[i].text));
        struct web_error error = {0};
        const bool good = simctl_shape_check(o, "", k_field, &error);
        assert_int_equal(good, k_time[i].seconds >= 0);
        assert_true(!good || simctl_shape_seconds(o, "t", -1) == k_time[i].seconds);
        json_decref(o);
    }
    for (size_t i = 0; i < sizeof k_size / sizeof k_size[0]; i++) {
        json_t *o = json_pack("{s:o}", "b", json(k_size[i].text));
        struct web_error error = {0};
        const bool good = simctl_shape_check(o, "", k_field, &error);
        assert_int_equal(good, k_size[i].bytes >= 0);
        assert_true(!good || simctl_shape_bytes(o, "b", -1) == k_size[i].bytes);
        json_decref(o);
    }
}

static void test_names(void **state)
{
    struct simctl_order a = {.tenant = "flight"}, b = {.tenant = "flight"}, c = {.tenant = "lab"};
    json_t *body = json("{\"count\": 2, \"template\": \"t\"}"),
           *same = json("{\"template\": \"t\", \"count\": 2}");
    (void)state;
    simctl_order_hash(&a, body);
    simctl_order_hash(&b, same);
    assert_string_equal(a.hash, b.hash); /* whatever the order of members */
    simctl_order_name(&a, "me", "17", 0);
    simctl_order_name(&b, "me", "17", 0);
    assert_string_equal(a.request, b.request);
    assert_string_not_equal(a.id, b.id);
    simctl_order_name(&c, "me", "17", 0);
    assert_string_not_equal(a.request, c.request); /* another tenant */
    simctl_order_name(&b, "you", "17", 0);
    assert_string_not_equal(a.request, b.request);
    simctl_order_name(&b, "me", "18", 0);
    assert_string_not_equal(a.request, b.request);
    memcpy(b.id, a.id, sizeof b.id);
    simctl_order_name(&b, "me", "17", 1);
    assert_int_equal(strncmp(a.id, b.id, 12), 0); /* all of an order */
    assert_string_equal(b.id + 12, "-1");
    assert_int_equal(strncmp(a.request, b.request, 26), 0);
    assert_string_equal(b.request + 26, "-1");
    assert_true(simctl_is_name(a.id) && simctl_is_name(a.request));
    simctl_order_name(&c, "me", "", 499);
    assert_string_equal(c.id + 12, "-499");
    assert_true(simctl_is_name("a") && !simctl_is_name("-a"));
    assert_false(simctl_is_name("") || simctl_is_name("A") || simctl_is_name("a_b"));
    json_decref(body);
    json_decref(same);
}

static void test_times_as_text(void **state)
{
    char text[32];
    (void)state;
    simctl_utc_text(1772323200123999, text);
    assert_string_equal(text, "2026-03-01T00:00:00.123Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_values_go_to_their_places),
        cmocka_unit_test(test_the_kubelet_finds_no_variables_in_values),
        cmocka_unit_test(test_pods_that_kubernetes_does_not_know),
        cmocka_unit_test(test_pods_of_kubernetes),
        cmocka_unit_test(test_a_template_without_a_pod),
        cmocka_unit_test(test_flags_of_callers),
        cmocka_unit_test(test_flags_that_may_not_be),
        cmocka_unit_test(test_values_that_may_not_be),
        cmocka_unit_test(test_values_of_a_list_of_words),
        cmocka_unit_test(test_pods_that_may_not_be),
        cmocka_unit_test(test_durations_and_sizes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_times_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
