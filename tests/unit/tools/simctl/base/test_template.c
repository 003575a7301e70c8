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
    json_t *pod = simctl_template_apply(&s_template, values);
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

static void test_values_that_may_not_be(void **state)
{
    static const struct {
        const char *chosen, *data;
    } k_case[] = {
        {"{\"sped\": 1}", "values.sped t"},
        {"{\"speed\": \"1\"}", "values.speed number"},
        {"{\"speed\": 0.4}", "values.speed 0.5 20"},
        {"{\"speed\": 21}", "values.speed 0.5 20"},
        {"{\"log\": 1}", "values.log boolean"},
        {"{\"image\": \"localhost/acme\"}", "values.image localhost/acme/* localhost/test:?"},
        {"{\"flags\": [1]}", "values.flags list"},
    };
    (void)state;
    assert_true(take(k_text));
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        json_t *chosen = json(k_case[i].chosen);
        s_error = (struct web_error){0};
        assert_null(simctl_template_values(&s_template, chosen, &s_error));
        assert_names(s_error.message, k_case[i].data);
        json_decref(chosen);
    }
    simctl_template_free(&s_template);
}

static void test_pods_that_may_not_be(void **state)
{
    static const char *const k_case[][2] = {
        {"pod: {spec: {containers: [{name: emulator}, text]}}\n",
         "pod.spec.containers[1] must have"},
        {"pod: {spec: {containers: [{name: emulator}, {image: a}]}}\n", "must have a name"},
        {"pod: {spec: {containers: [{name: emulator}, {name: emulator}]}}\n", "of its own"},
        {"pod: {spec: {initContainers: {}, containers: [{name: emulator}]}}\n", "must be a list"},
        {"pod: {spec: {containers: [{name: other}]}}\n", "'emulator', which its pod has not"},
        {"certificates: {}\npod: {spec: {containers: [{name: emulator}]}}\n", "certificates"},
        {"certificates: {container: emulator, path: x}\n"
         "pod: {spec: {containers: [{name: emulator}]}}\n",
         "path begins with '/'"},
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
        cmocka_unit_test(test_values_that_may_not_be),
        cmocka_unit_test(test_pods_that_may_not_be),
        cmocka_unit_test(test_durations_and_sizes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_times_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
