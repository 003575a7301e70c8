/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/template.h"

#include "tools/simctl/base/flags.h"
#include "tools/simctl/base/pod.h"
#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/shape.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIFETIME_DEFAULT_S 600.0
#define LIFETIME_MAX_S     3600.0
#define TTL_S              300.0
#define DAY_S              86400.0
#define RECORDING_MIN      100000
#define PATH_MAX_BYTES     128u

static const struct simctl_field k_template[] = {
    {"description", SIMCTL_TEXT, false, NULL, "purpose of the template"},
    {"lifetime", SIMCTL_OBJECT, false, NULL, "lifetime of an instance"},
    {"ttl", SIMCTL_DURATION, false, NULL, "time for which an ended instance is kept"},
    {"reach", SIMCTL_WORD, false, "cluster|node", "where clients of the drone may be"},
    {"restarted", SIMCTL_WORD, false, "degraded|ended",
     "state of an instance whose sidecar has restarted"},
    {"recording", SIMCTL_BYTES, false, NULL, "size of a recording at most; absent: none is made"},
    {"virtualTime", SIMCTL_BOOLEAN, false, NULL, "the onboard software's clock is the drone's"},
    {"recorder", SIMCTL_TEXT, false, NULL,
     "image with simctl, for recordings and virtual time in a cluster"},
    {"geoid", SIMCTL_TEXT, false, NULL, "fingerprint of the geoid that planning uses"},
    {"emulator", SIMCTL_NAME, false, NULL, "the drone's container"},
    {"onboard", SIMCTL_NAME, false, NULL, "the container whose end is the instance's"},
    {"certificates", SIMCTL_OBJECT, false, NULL,
     "a certificate for each instance, from the controller's CA"},
    {"values", SIMCTL_OBJECT, false, NULL, "values that callers may set"},
    {"local", SIMCTL_OBJECT, false, NULL, "commands that run instead of containers on a laptop"},
    {"pod", SIMCTL_OBJECT, false, NULL, "a pod template: metadata and spec"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_lifetime[] = {
    {"default", SIMCTL_DURATION, false, NULL, "lifetime if the caller gives none"},
    {"max", SIMCTL_DURATION, false, NULL, "longest lifetime"},
    {"extend", SIMCTL_BOOLEAN, false, NULL, "true: callers may extend it"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_value[] = {
    {"env", SIMCTL_TEXT, false, NULL, "variable that the value sets"},
    {"image", SIMCTL_NAME, false, NULL, "container whose image the value is"},
    {"args", SIMCTL_NAME, false, NULL, "container whose arguments the value is"},
    {"flags", SIMCTL_ARRAY, false, NULL, "flags that callers may set"},
    {"container", SIMCTL_NAME, false, NULL, "container of the variable; absent: the emulator"},
    {"type", SIMCTL_WORD, false, "text|number|integer|boolean|list", "type of the value"},
    {"words", SIMCTL_ARRAY, false, NULL, "allowed texts"},
    {"patterns", SIMCTL_ARRAY, false, NULL, "patterns, of which a text must match one"},
    {"min", SIMCTL_NUMBER, false, NULL, "smallest number"},
    {"max", SIMCTL_NUMBER, false, NULL, "largest number"},
    {"default", SIMCTL_ANY, false, NULL, "value if the caller gives none"},
    {"help", SIMCTL_TEXT, false, NULL, "description of the value, for callers"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_certificates[] = {
    {"container", SIMCTL_NAME, false, NULL,
     "container that gets them; absent: the onboard software"},
    {"path", SIMCTL_TEXT, false, NULL, "folder in the container; absent: /run/certificates"},
    {"names", SIMCTL_ARRAY, false, NULL, "DNS names beside the instance's id, which is {id}"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_local[] = {
    {"command", SIMCTL_ARRAY, true, NULL, "a program and its arguments"},
    {"env", SIMCTL_OBJECT, false, NULL, "variables"},
    {"port", SIMCTL_TEXT, false, NULL,
     "the variable that gets a free port, at which it answers when it is ready"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

/* ---- containers */

/* Lists of containers in a PodSpec, in the order in which they start. */
static const char *const k_lists[] = {"initContainers", "containers"};

static json_t *find(const json_t *pod, const char *list, const char *name)
{
    size_t i;
    json_t *container;
    json_array_foreach(json_object_get(json_object_get(pod, "spec"), list), i, container)
    {
        if (strcmp(simctl_shape_text(container, "name", ""), name) == 0) {
            return container;
        }
    }
    return NULL;
}

json_t *simctl_container(const json_t *pod, const char *name)
{
    json_t *container = find(pod, k_lists[0], name);
    return container != NULL ? container : find(pod, k_lists[1], name);
}

bool simctl_is_sidecar(const json_t *pod, const char *name)
{
    const json_t *container = find(pod, k_lists[0], name);
    return strcmp(simctl_shape_text(container, "restartPolicy", ""), "Always") == 0;
}

/* ---- a template's own sense */

static bool needs_container(const struct simctl_template *t, const char *what, const char *name,
                            struct web_error *error)
{
    return simctl_container(t->pod, name) != NULL ||
           web_refuse(error, 422, "no_container",
                      "%.60s: %s names the container '%.63s', which its pod has not", t->name, what,
                      name);
}

static bool all_texts(const json_t *list)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (!json_is_string(item)) {
            return false;
        }
    }
    return true;
}

static const char *type_of(const json_t *value)
{
    return simctl_shape_text(value, "type",
                             json_object_get(value, "args") != NULL ? "list" : "text");
}

static bool is_drones(const struct simctl_template *t, const json_t *value)
{
    return strcmp(simctl_shape_text(value, "args", ""), t->emulator) == 0;
}

/* Arguments are a list. Without `flags` callers may set harmless ones of the drone, and none of
 * other containers. */
static bool check_arguments(const struct simctl_template *t, const char *path, json_t *value,
                            struct web_error *error)
{
    const bool args = json_object_get(value, "args") != NULL;
    if (json_object_get(value, "flags") != NULL && !args) {
        return web_refuse(error, 422, "value", "%s: flags are of a value with args", path);
    }
    if (args && strcmp(type_of(value), "list") != 0) {
        return web_refuse(error, 422, "value", "%s: the type of args must be list", path);
    }
    if (is_drones(t, value) && json_object_get(value, "flags") == NULL) {
        (void)json_object_set_new(value, "flags", simctl_flags_default());
    }
    return simctl_flags_check(path, json_object_get(value, "flags"), is_drones(t, value), error);
}

static bool check_value(const struct simctl_template *t, const char *name, json_t *value,
                        struct web_error *error)
{
    static const char *const k_target[] = {"env", "image", "args"};
    char path[PATH_MAX_BYTES];
    int targets = 0;
    (void)snprintf(path, sizeof path, "%.40s: values.%.40s", t->name, name);
    if (!simctl_shape_check(value, path, k_value, error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof k_target / sizeof k_target[0]; i++) {
        targets += json_object_get(value, k_target[i]) != NULL ? 1 : 0;
    }
    if (targets != 1) {
        return web_refuse(error, 422, "value", "%s needs one of env, image and args", path);
    }
    if (!all_texts(json_object_get(value, "words")) ||
        !all_texts(json_object_get(value, "patterns"))) {
        return web_refuse(error, 422, "value", "%s: words and patterns must be lists of texts",
                          path);
    }
    if (json_object_get(value, "image") != NULL && json_object_get(value, "patterns") == NULL) {
        return web_refuse(error, 422, "value", "%s: an image needs patterns", path);
    }
    const char *container = simctl_shape_text(
        value, "image",
        simctl_shape_text(value, "args", simctl_shape_text(value, "container", t->emulator)));
    return needs_container(t, path, container, error) && check_arguments(t, path, value, error);
}

static bool check_values(const struct simctl_template *t, struct web_error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)t->values, name, value)
    {
        if (!check_value(t, name, value, error)) {
            return false;
        }
    }
    json_t *defaults = simctl_template_values(t, NULL, error);
    json_decref(defaults);
    return defaults != NULL;
}

static bool check_local(const struct simctl_template *t, struct web_error *error)
{
    const char *name;
    json_t *local;
    char path[PATH_MAX_BYTES];
    if (t->local_only && t->onboard[0] != '\0' && json_object_get(t->local, t->onboard) == NULL) {
        return web_refuse(error, 422, "local",
                          "%.60s: onboard '%.63s' needs local.%.63s.command, or a pod", t->name,
                          t->onboard, t->onboard);
    }
    json_object_foreach((json_t *)t->local, name, local)
    {
        (void)snprintf(path, sizeof path, "%.40s: local.%.40s", t->name, name);
        if (!simctl_shape_check(local, path, k_local, error) ||
            !needs_container(t, path, name, error)) {
            return false;
        }
        const json_t *command = json_object_get(local, "command");
        if (json_array_size(command) == 0 || !all_texts(command)) {
            return web_refuse(error, 422, "local",
                              "%s.command must be a list: a program and its arguments", path);
        }
    }
    return true;
}

/* Check that each container that the template overlays is an object with a unique name. */
static bool check_containers(const struct simctl_template *t, struct web_error *error)
{
    size_t i;
    const json_t *container;
    for (size_t k = 0; k < sizeof k_lists / sizeof k_lists[0]; k++) {
        const json_t *list = json_object_get(json_object_get(t->pod, "spec"), k_lists[k]);
        json_array_foreach(list, i, container)
        {
            const char *name = simctl_shape_text(container, "name", "");
            if (!simctl_is_name(name) || simctl_container(t->pod, name) != container) {
                return web_refuse(error, 422, "pod",
                                  "%.60s: pod.spec.%s[%zu] must have a name of its own, of "
                                  "lower-case letters, digits and '-'",
                                  t->name, k_lists[k], i);
            }
        }
    }
    return true;
}

static bool check_lifetime(const struct simctl_template *t, struct web_error *error)
{
    if (t->lifetime_max_s < 1.0 || t->lifetime_max_s > 365 * DAY_S) {
        return web_refuse(error, 422, "lifetime", "%.60s: lifetime.max must be 1 s to 365 days",
                          t->name);
    }
    return (t->lifetime_default_s >= 1.0 && t->lifetime_default_s <= t->lifetime_max_s) ||
           web_refuse(error, 422, "lifetime", "%.60s: lifetime.default must be 1 s to lifetime.max",
                      t->name);
}

static bool check_recording(const struct simctl_template *t, struct web_error *error)
{
    return json_object_get(t->document, "recording") == NULL ||
           (t->recording_bytes >= RECORDING_MIN && t->recording_bytes <= SIMCTL_RECORDING_MAX) ||
           web_refuse(error, 422, "template", "%.60s: recording must be %d to %d bytes", t->name,
                      RECORDING_MIN, SIMCTL_RECORDING_MAX);
}

/* Check that the container whose end is the instance's is a main container, and the drone a sidecar
 * before it. */
static bool check_order(const struct simctl_template *t, struct web_error *error)
{
    const bool main = find(t->pod, "containers", t->emulator) != NULL;
    if (t->onboard[0] != '\0' && find(t->pod, "containers", t->onboard) == NULL) {
        return web_refuse(error, 422, "onboard",
                          "%.60s: onboard '%.63s' must be one of pod.spec.containers", t->name,
                          t->onboard);
    }
    return main || simctl_is_sidecar(t->pod, t->emulator) ||
           web_refuse(
               error, 422, "emulator",
               "%.60s: '%.63s' must be one of pod.spec.containers, or one of initContainers with "
               "restartPolicy: Always",
               t->name, t->emulator);
}

/* The drone listens before the onboard software begins. */
static bool check_virtual_time(const struct simctl_template *t, struct web_error *error)
{
    return !t->virtual_time || (t->onboard[0] != '\0' && simctl_is_sidecar(t->pod, t->emulator)) ||
           web_refuse(error, 422, "template",
                      "%.60s: virtualTime needs the key onboard, and '%.63s' among initContainers "
                      "with restartPolicy: Always",
                      t->name, t->emulator);
}

/*
 * Make the pod of a template without one: a container for each command, in their order, so that the
 * onboard software begins last. Its containers lack images.
 */
static json_t *pod_of_local(const struct simctl_template *t)
{
    const char *name;
    const json_t *ignored;
    const bool alone = t->onboard[0] == '\0';
    json_t *sidecars = json_array(), *main = json_array();
    (void)json_array_append_new(
        alone ? main : sidecars,
        json_pack("{s:s, s:s*}", "name", t->emulator, "restartPolicy", alone ? NULL : "Always"));
    json_object_foreach((json_t *)t->local, name, ignored)
    {
        if (strcmp(name, t->emulator) != 0 && strcmp(name, t->onboard) != 0) {
            (void)json_array_append_new(
                sidecars, json_pack("{s:s, s:s}", "name", name, "restartPolicy", "Always"));
        }
    }
    if (!alone) {
        (void)json_array_append_new(main, json_pack("{s:s}", "name", t->onboard));
    }
    return json_pack("{s:{s:o, s:o}}", "spec", "initContainers", sidecars, "containers", main);
}

static void read_members(struct simctl_template *t)
{
    const json_t *d = t->document, *lifetime = json_object_get(d, "lifetime");
    t->description = simctl_shape_text(d, "description", "");
    t->lifetime_max_s = simctl_shape_seconds(
        lifetime, "max", fmax(LIFETIME_MAX_S, simctl_shape_seconds(lifetime, "default", 0.0)));
    t->lifetime_default_s =
        simctl_shape_seconds(lifetime, "default", fmin(LIFETIME_DEFAULT_S, t->lifetime_max_s));
    t->extend = json_is_true(json_object_get(lifetime, "extend"));
    t->ttl_s = simctl_shape_seconds(d, "ttl", TTL_S);
    t->reach = strcmp(simctl_shape_text(d, "reach", "cluster"), "node") == 0 ? SIMCTL_REACH_NODE
                                                                             : SIMCTL_REACH_CLUSTER;
    t->restarted = strcmp(simctl_shape_text(d, "restarted", "degraded"), "ended") == 0
                       ? SIMCTL_RESTARTED_ENDED
                       : SIMCTL_RESTARTED_DEGRADED;
    t->recording_bytes = simctl_shape_bytes(d, "recording", 0);
    t->recorder = simctl_shape_text(d, "recorder", "localhost/mayfly-tools");
    t->virtual_time = json_is_true(json_object_get(d, "virtualTime"));
    t->geoid = simctl_shape_text(d, "geoid", "");
    t->emulator = simctl_shape_text(d, "emulator", "emulator");
    t->onboard = simctl_shape_text(d, "onboard", "");
    const json_t *certificates = json_object_get(d, "certificates");
    t->certificates.container =
        certificates != NULL ? simctl_shape_text(certificates, "container", t->onboard) : "";
    t->certificates.path = simctl_shape_text(certificates, "path", "/run/certificates");
    t->certificates.names = json_object_get(certificates, "names");
    t->values = json_object_get(d, "values");
    t->local = json_object_get(d, "local");
    t->local_only = json_object_get(d, "pod") == NULL;
    t->pod = t->local_only ? pod_of_local(t) : json_incref(json_object_get(d, "pod"));
}

static bool check_certificates(const struct simctl_template *t, struct web_error *error)
{
    char path[PATH_MAX_BYTES];
    const json_t *certificates = json_object_get(t->document, "certificates");
    (void)snprintf(path, sizeof path, "%.60s: certificates", t->name);
    if (certificates == NULL) {
        return true;
    }
    if (!simctl_shape_check(certificates, path, k_certificates, error) ||
        !needs_container(t, "certificates", t->certificates.container, error)) {
        return false;
    }
    return t->certificates.path[0] == '/' && all_texts(t->certificates.names)
               ? true
               : web_refuse(error, 422, "certificates",
                            "%s: path must begin with '/', and names must be DNS names", path);
}

bool simctl_template_take(struct simctl_template *t, const char *name, json_t *document,
                          struct web_error *error)
{
    char path[PATH_MAX_BYTES];
    *t = (struct simctl_template){.document = document};
    (void)snprintf(t->name, sizeof t->name, "%s", name);
    (void)snprintf(path, sizeof path, "%.60s: lifetime", t->name);
    bool good =
        simctl_is_name(name) ||
        web_refuse(
            error, 422, "name",
            "'%.80s' is not a name of a template: at most 63 lower-case letters, digits and '-'",
            name);
    if (good && json_object_get(document, "services") != NULL) {
        good = web_refuse(
            error, 422, "template",
            "%.60s: this is a compose file; \"Moving house\" of docs/controller.md makes "
            "a template of it",
            t->name);
    }
    good = good && simctl_shape_check(document, t->name, k_template, error);
    const json_t *lifetime = json_object_get(document, "lifetime");
    good = good && (lifetime == NULL || simctl_shape_check(lifetime, path, k_lifetime, error));
    (void)snprintf(path, sizeof path, "%.60s: pod", t->name);
    good = good && (json_object_get(document, "pod") == NULL ||
                    simctl_pod_check(path, json_object_get(document, "pod"), error));
    if (good) {
        read_members(t);
        good = check_lifetime(t, error) && check_recording(t, error) &&
               check_containers(t, error) && needs_container(t, "emulator", t->emulator, error) &&
               check_order(t, error) && check_virtual_time(t, error) && check_values(t, error) &&
               check_local(t, error) && check_certificates(t, error);
    }
    if (!good) {
        simctl_template_free(t);
    }
    return good;
}

void simctl_template_free(struct simctl_template *t)
{
    json_decref(t->document);
    json_decref(t->pod);
    *t = (struct simctl_template){0};
}

/* ---- what callers choose */

static bool in_list(const json_t *list, const char *text, bool pattern)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *allowed = json_string_value(item);
        if (pattern ? fnmatch(allowed, text, 0) == 0 : strcmp(allowed, text) == 0) {
            return true;
        }
    }
    return list == NULL;
}

/* The allowed texts, for an error. */
static void add_list(char *text, size_t size, const json_t *list)
{
    size_t i, n = strlen(text);
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (n < size) {
            n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? ", " : "",
                                  json_string_value(item));
        }
    }
}

static bool right_type(const char *type, const json_t *value)
{
    return strcmp(type, "text") == 0      ? json_is_string(value)
           : strcmp(type, "number") == 0  ? json_is_number(value)
           : strcmp(type, "integer") == 0 ? json_is_integer(value)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
                                          : json_is_array(value) && all_texts(value);
}

static bool check_choice(const struct simctl_template *t, const char *name, const json_t *about,
                         const json_t *value, struct web_error *error)
{
    const char *type = type_of(about), *text = json_string_value(value);
    const json_t *min = json_object_get(about, "min"), *max = json_object_get(about, "max");
    char allowed[160] = "";
    if (!right_type(type, value)) {
        return web_refuse(error, 422, "wrong_type", "values.%.60s must be a %s%s", name, type,
                          strcmp(type, "list") == 0 ? " of texts" : "");
    }
    if (text != NULL && !in_list(json_object_get(about, "words"), text, false)) {
        add_list(allowed, sizeof allowed, json_object_get(about, "words"));
        return web_refuse(error, 422, "value", "values.%.40s may be: %s", name, allowed);
    }
    if (text != NULL && !in_list(json_object_get(about, "patterns"), text, true)) {
        add_list(allowed, sizeof allowed, json_object_get(about, "patterns"));
        return web_refuse(error, 422, "value", "values.%.40s must match one of: %s", name, allowed);
    }
    const double number = json_number_value(value);
    if ((min != NULL && json_is_number(value) && number < json_number_value(min)) ||
        (max != NULL && json_is_number(value) && number > json_number_value(max))) {
        return web_refuse(error, 422, "value", "values.%.60s must be %g .. %g", name,
                          min != NULL ? json_number_value(min) : -HUGE_VAL,
                          max != NULL ? json_number_value(max) : HUGE_VAL);
    }
    return json_object_get(about, "args") == NULL ||
           simctl_flags_allow(name, json_object_get(about, "flags"), is_drones(t, about), value,
                              error);
}

static bool check_known(const struct simctl_template *t, const json_t *chosen,
                        struct web_error *error)
{
    const char *name;
    json_t *value;
    char known[160] = "";
    size_t n = 0;
    json_object_foreach((json_t *)t->values, name, value)
    {
        if (n < sizeof known) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n > 0 ? ", " : "", name);
        }
    }
    json_object_foreach((json_t *)chosen, name, value)
    {
        if (json_object_get(t->values, name) == NULL) {
            return web_refuse(error, 422, "unknown_value", "values.%.60s: %.40s takes %s", name,
                              t->name, n > 0 ? known : "none");
        }
    }
    return true;
}

json_t *simctl_template_values(const struct simctl_template *t, const json_t *chosen,
                               struct web_error *error)
{
    const char *name;
    json_t *about;
    json_t *values = json_object();
    bool good = check_known(t, chosen, error);
    json_object_foreach((json_t *)t->values, name, about)
    {
        json_t *value = json_object_get(chosen, name);
        value = value != NULL ? value : json_object_get(about, "default");
        if (good && value != NULL) {
            good = check_choice(t, name, about, value, error) &&
                   json_object_set(values, name, value) == 0;
        }
    }
    if (!good) {
        json_decref(values);
        return NULL;
    }
    return values;
}

/* A value as a container gets it. @return a new text */
static char *text_of(const json_t *value, enum simctl_expander expander)
{
    const char *plain = json_string_value(value);
    char *json = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    const char *from = plain != NULL ? plain : json;
    char *text = malloc(2 * strlen(from) + 1);
    size_t n = 0;
    for (; text != NULL && *from != '\0'; from++) {
        if (*from == '$' && expander == SIMCTL_EXPANDS_DOLLARS) {
            text[n++] = '$'; /* $$ is a dollar, $(NAME) a variable */
        }
        text[n++] = *from;
    }
    if (text != NULL) {
        text[n] = '\0';
    }
    free(json);
    return text;
}

static void set_value(json_t *container, const char *name, const json_t *value,
                      enum simctl_expander expander)
{
    char *text = text_of(value, expander);
    simctl_set_variable(container, name, text);
    free(text);
}

static void set_arguments(json_t *container, const json_t *value, enum simctl_expander expander)
{
    size_t i;
    const json_t *item;
    json_t *list = json_array();
    json_array_foreach(value, i, item)
    {
        char *text = text_of(item, expander);
        (void)json_array_append_new(list, json_string(text));
        free(text);
    }
    (void)json_object_set_new(container, "args", list);
}

void simctl_set_variable(json_t *container, const char *name, const char *value)
{
    size_t i;
    json_t *entry, *list = json_object_get(container, "env");
    json_t *variable = json_pack("{s:s, s:s}", "name", name, "value", value);
    if (list == NULL) {
        list = json_array();
        (void)json_object_set_new(container, "env", list);
    }
    json_array_foreach(list, i, entry)
    {
        if (strcmp(simctl_shape_text(entry, "name", ""), name) == 0) {
            (void)json_array_set_new(list, i, variable);
            return;
        }
    }
    (void)json_array_append_new(list, variable);
}

json_t *simctl_template_apply(const struct simctl_template *t, const json_t *values,
                              enum simctl_expander expander)
{
    const char *name;
    json_t *value;
    json_t *pod = json_deep_copy(t->pod);
    json_object_foreach((json_t *)values, name, value)
    {
        const json_t *about = json_object_get(t->values, name);
        const char *env = simctl_shape_text(about, "env", NULL);
        const char *image = simctl_shape_text(about, "image", NULL);
        const char *args = simctl_shape_text(about, "args", NULL);
        if (env != NULL) {
            set_value(simctl_container(pod, simctl_shape_text(about, "container", t->emulator)),
                      env, value, expander);
        } else if (image != NULL) {
            (void)json_object_set(simctl_container(pod, image), "image", value);
        } else {
            set_arguments(simctl_container(pod, args), value, expander);
        }
    }
    return pod;
}
