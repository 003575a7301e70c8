/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what the Simulation Controller takes from others, by the first byte: 'W' the stream of a
 * watch, 'J' a Job, its pod and its Service as JSON, a line each, 'S' a refusal of an API server,
 * 'R' a TokenReview, 'T' a template in YAML, 'V' the same behind a line of chosen values; otherwise
 * a request: method, path, then a body behind a line end. What must hold for any input is checked,
 * and abort() called if it does not.
 */
#include "tests/fuzz/fuzz.h"
#include "tools/simctl/api/routes.h"
#include "tools/simctl/base/catalogue.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/shelf.h"
#include "tools/simctl/kube/kube_job.h"
#include "tools/simctl/kube/kube_review.h"
#include "tools/simctl/kube/kube_state.h"
#include "tools/simctl/kube/kube_watch.h"

#include <string.h>

#define TEXT_MAX  65536u
#define INSTANCES 3

/* ---- objects of Kubernetes */

/* Whatever it is, it can be told. */
static void read_objects(const json_t *job, const json_t *pod, const json_t *service)
{
    struct simctl_instance is;
    struct simctl_kube_verdict verdict;
    const struct simctl_kube_objects objects = {job, pod, service, service};
    simctl_kube_read(&objects, &is);
    (void)simctl_kube_must_tell(&objects, &verdict);
    (void)simctl_kube_has_decided(&objects);
    check(is.state < SIMCTL_STATES && is.outcome < SIMCTL_OUTCOMES);
    check((is.outcome != SIMCTL_OUTCOME_OPEN) == (is.state == SIMCTL_ENDED));
    json_t *told = simctl_instance_json(&is);
    check(told != NULL);
    json_decref(told);
    simctl_instance_free(&is);
}

static void take_object(void *ctx, const json_t *object, bool gone)
{
    (void)ctx, (void)gone;
    read_objects(object, object, object);
}

static void fuzz_watch(const char *text, size_t n)
{
    static const struct simctl_kube_watch_ops k_ops = {.object = take_object};
    struct simctl_kube_lines lines = {0};
    const size_t piece = n > 0 ? 1 + (size_t)(unsigned char)text[0] : 1;
    bool more = true;
    for (size_t at = 0; at < n && more; at += piece) {
        more = simctl_kube_lines_feed(&lines, text + at, n - at < piece ? n - at : piece, &k_ops,
                                      NULL);
        check(more != lines.broken);
    }
    simctl_kube_lines_free(&lines);
}

static void fuzz_objects(char *text)
{
    json_t *part[3] = {NULL, NULL, NULL};
    for (unsigned i = 0; i < 3 && text != NULL; i++) {
        char *line = strsep(&text, "\n");
        part[i] = json_loads(line, 0, NULL);
    }
    read_objects(part[0], part[1], part[2]);
    for (unsigned i = 0; i < 3; i++) {
        json_decref(part[i]);
    }
}

static void fuzz_refusal(const char *text, size_t n)
{
    static const unsigned k_status[] = {400, 401, 403, 404, 409, 410, 422, 429, 500, 503};
    json_t *body = json_loadb(text, n, JSON_DECODE_ANY, NULL);
    for (size_t i = 0; i < sizeof k_status / sizeof k_status[0]; i++) {
        struct web_error error = {0};
        simctl_kube_refusal(k_status[i], body, &error);
        check(error.status >= 400 && error.code != NULL);
    }
    json_decref(body);
}

static void fuzz_review(const char *text, size_t n)
{
    char account[SIMCTL_CALLER_MAX] = "";
    struct web_error error = {0};
    json_t *answer = json_loadb(text, n, 0, NULL);
    check(simctl_kube_reviewed(answer, account, &error) == (error.status == 0));
    json_decref(answer);
}

/* ---- templates */

/* No template and no caller gets a container of more rights than the restricted profile has. */
static void check_containers(const json_t *list)
{
    size_t i;
    const json_t *container;
    json_array_foreach(list, i, container)
    {
        const json_t *security = json_object_get(container, "securityContext");
        check(json_is_false(json_object_get(security, "allowPrivilegeEscalation")));
        check(json_object_get(container, "resources") != NULL);
    }
}

static void check_job(const struct simctl_template *t, const json_t *values)
{
    struct simctl_order order = {.template = t,
                                 .tenant = "default",
                                 .id = "abc-0",
                                 .values = values,
                                 .labels = json_object(),
                                 .lifetime_s = t->lifetime_default_s};
    json_t *pod = simctl_template_apply(t, values, SIMCTL_EXPANDS_DOLLARS);
    json_t *job = simctl_kube_job(&order, pod);
    check(job != NULL);
    const json_t *template = json_object_get(json_object_get(job, "spec"), "template"),
                 *spec = json_object_get(template, "spec"),
                 *labels = json_object_get(json_object_get(template, "metadata"), "labels");
    check(strcmp(simctl_shape_text(labels, SIMCTL_KEY_INSTANCE, ""), "abc-0") == 0);
    check(strcmp(simctl_shape_text(spec, "restartPolicy", ""), "Never") == 0);
    check(json_integer_value(json_object_get(spec, "activeDeadlineSeconds")) > 0);
    check_containers(json_object_get(spec, "initContainers"));
    check_containers(json_object_get(spec, "containers"));
    read_objects(job, NULL, NULL);
    json_decref(job);
    json_decref(pod);
    json_decref((json_t *)order.labels);
}

static void fuzz_template(const char *text, size_t n, const char *chosen)
{
    struct web_error error = {0};
    struct simctl_template t;
    json_t *wanted = chosen != NULL ? json_loads(chosen, 0, NULL) : NULL;
    json_t *document = simctl_document_read("t", text, n, &error);
    check((document == NULL) == (error.status != 0));
    if (document != NULL && simctl_template_take(&t, "t", document, &error)) {
        json_t *values = simctl_template_values(&t, wanted, &error);
        check((values == NULL) == (error.status != 0));
        if (values != NULL) {
            check_job(&t, values);
        }
        json_decref(values);
        simctl_template_free(&t);
    }
    json_decref(wanted);
}

/* ---- requests, to a backend of three instances */

static void tell(unsigned n, struct simctl_instance *out)
{
    *out = (struct simctl_instance){.labels = json_object(), .values = json_object()};
    (void)snprintf(out->id, sizeof out->id, "abc-%u", n);
    (void)snprintf(out->template_name, sizeof out->template_name, "drone");
    out->state = n == 0 ? SIMCTL_READY : SIMCTL_ENDED;
    out->outcome = n == 0 ? SIMCTL_OUTCOME_OPEN : SIMCTL_OUTCOME_COMPLETED;
}

static bool do_create(void *ctx, const struct simctl_order *order, struct simctl_instance *out,
                      struct web_error *error)
{
    (void)ctx, (void)error;
    check(simctl_is_name(order->id) && order->lifetime_s > 0.0);
    tell(0, out);
    return true;
}

static bool do_read(void *ctx, const char *tenant, const char *id, struct simctl_instance *out,
                    struct web_error *error)
{
    (void)ctx, (void)tenant;
    for (unsigned n = 0; n < INSTANCES; n++) {
        tell(n, out);
        if (strcmp(out->id, id) == 0) {
            return true;
        }
        simctl_instance_free(out);
    }
    return web_refuse(error, 404, "unknown_instance", "there is no instance '%.60s'", id);
}

static bool do_list(void *ctx, const char *tenant, simctl_each *each, void *each_ctx,
                    struct web_error *error)
{
    (void)ctx, (void)tenant, (void)error;
    for (unsigned n = 0; n < INSTANCES; n++) {
        struct simctl_instance i;
        tell(n, &i);
        each(each_ctx, &i);
        simctl_instance_free(&i);
    }
    return true;
}

static bool do_extend(void *ctx, const char *tenant, const char *id, int64_t ends_us,
                      struct web_error *error)
{
    (void)ctx, (void)tenant, (void)id, (void)error;
    check(ends_us > 0);
    return true;
}

static bool do_end(void *ctx, const char *tenant, const char *id, const char *reason,
                   bool keep_logs, struct web_error *error)
{
    (void)ctx, (void)tenant, (void)id, (void)keep_logs, (void)error;
    check(reason[0] != '\0');
    return true;
}

static bool do_logs(void *ctx, const char *tenant, const char *id, const char *container,
                    simctl_sink *sink, void *sink_ctx, struct web_error *error)
{
    (void)ctx, (void)tenant, (void)id, (void)container, (void)error;
    return sink(sink_ctx, "log\n", 4);
}

static bool do_recording(void *ctx, const char *tenant, const char *id, simctl_sink *sink,
                         void *sink_ctx, struct web_error *error)
{
    (void)ctx, (void)tenant, (void)sink, (void)sink_ctx;
    return web_refuse(error, 404, "no_recording", SIMCTL_NO_RECORDING, id);
}

static bool do_events(void *ctx, const char *tenant, const char *id, json_t *out,
                      struct web_error *error)
{
    (void)ctx, (void)tenant, (void)error;
    (void)json_array_append_new(out, json_pack("{s:s}", "object", id));
    return true;
}

static bool do_limits(void *ctx, const char *tenant, json_t *out, struct web_error *error)
{
    (void)ctx, (void)tenant, (void)error;
    (void)json_array_append_new(out, json_pack("{s:s}", "name", "quota"));
    return true;
}

static uint64_t do_wait(void *ctx, uint64_t seen, int timeout_ms)
{
    (void)ctx, (void)timeout_ms;
    return seen;
}

static void fuzz_request(char *text, size_t n)
{
    static const struct simctl_backend_ops k_ops = {.create = do_create,
                                                    .read = do_read,
                                                    .list = do_list,
                                                    .extend = do_extend,
                                                    .end = do_end,
                                                    .logs = do_logs,
                                                    .recording = do_recording,
                                                    .wait = do_wait,
                                                    .events = do_events,
                                                    .limits = do_limits};
    static struct simctl_api s_api;
    struct web_error error = {0};
    struct web_answer answer = {0};
    char *body = text;
    char *path = strsep(&body, "\n");
    const char *method = strsep(&path, " ");
    if (s_api.tenants == NULL) {
        s_api = (struct simctl_api){.templates = simctl_shelf_open(NULL, NULL, NULL, NULL, &error),
                                    .backend = {&k_ops, NULL},
                                    .backend_name = "fuzz",
                                    .tenants = simctl_tenants_default()};
        check(s_api.templates != NULL);
    }
    if (path == NULL || path[0] != '/' || strstr(path, "/drone") != NULL ||
        strcmp(path, "/v1/holds") == 0) {
        return; /* these need a connection */
    }
    const struct web_request request = {.method = method,
                                        .path = path,
                                        .body = body != NULL ? body : "",
                                        .body_len = body != NULL ? n - (size_t)(body - text) : 0,
                                        .local = true};
    simctl_api_handle(&s_api, &request, &answer);
    check(answer.status >= 200 && answer.status < 600 && answer.type != NULL);
    free(answer.text);
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[TEXT_MAX];
    if (size < 2 || size > TEXT_MAX - 1) {
        return 0;
    }
    const size_t n = size - 1;
    memcpy(s_text, data + 1, n);
    s_text[n] = '\0';
    char *rest = s_text;
    switch (data[0]) {
    case 'W':
        fuzz_watch(s_text, n);
        break;
    case 'J':
        fuzz_objects(s_text);
        break;
    case 'S':
        fuzz_refusal(s_text, n);
        break;
    case 'R':
        fuzz_review(s_text, n);
        break;
    case 'T':
        fuzz_template(s_text, n, NULL);
        break;
    case 'V': {
        const char *chosen = strsep(&rest, "\n");
        fuzz_template(rest != NULL ? rest : "", rest != NULL ? strlen(rest) : 0, chosen);
        break;
    }
    default:
        fuzz_request(s_text, n);
    }
    return 0;
}
