/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a pod along the table of pod_schema.h. Used by template.c. */
#include "tools/simctl/base/pod.h"

#include "host/base/value.h"
#include "tools/simctl/base/pod_schema.h"

#include <stdio.h>
#include <string.h>

#define PATH_BYTES 160u
#define KEY_BYTES  64u

static const struct type {
    const char *name, *keys;
} k_type[] = {
#define X(name, keys) {#name, keys},
    SIMCTL_POD_LIST(X)
#undef X
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Keys of a compose file's service, and the keys of Kubernetes that do the same. */
static const char *const k_compose[][2] = {
    {"build", "image: of an image that is built before"},
    {"cap_add", "securityContext, and a controller gives no capabilities"},
    {"configs", "volumeMounts, and the pod's volumes: [{name: A, configMap: {name: A}}]"},
    {"container_name", "name"},
    {"cpus", "resources: {limits: {cpu: 500m}}"},
    {"depends_on", "the order of initContainers with restartPolicy: Always and a startupProbe"},
    {"deploy", "resources: {limits: {cpu: 500m, memory: 256M}}"},
    {"entrypoint", "command: [PROGRAM]"},
    {"env_file", "envFrom: [{configMapRef: {name: A}}]"},
    {"environment", "env: [{name: A, value: b}]"},
    {"expose", "nothing: the containers of a pod share 127.0.0.1"},
    {"extra_hosts", "the pod's hostAliases"},
    {"healthcheck", "startupProbe: {httpGet: {port: 8080}}"},
    {"links", "nothing: the containers of a pod share 127.0.0.1"},
    {"mem_limit", "resources: {limits: {memory: 256M}}"},
    {"network_mode", "nothing: the containers of a pod share 127.0.0.1"},
    {"networks", "nothing: the containers of a pod share 127.0.0.1"},
    {"privileged", "securityContext, and a controller gives no privileges"},
    {"pull_policy", "imagePullPolicy: IfNotPresent"},
    {"read_only", "securityContext: {readOnlyRootFilesystem: true}"},
    {"restart", "restartPolicy: Always, of initContainers"},
    {"secrets", "volumeMounts, and the pod's volumes: [{name: A, secret: {secretName: A}}]"},
    {"services", "spec: {initContainers: [...], containers: [...]}"},
    {"stop_grace_period", "the pod's terminationGracePeriodSeconds"},
    {"tmpfs", "volumeMounts, and the pod's volumes: [{name: A, emptyDir: {}}]"},
    {"user", "securityContext: {runAsUser: 1000}"},
    {"volumes", "volumeMounts: [{name: A, mountPath: /a}], and the pod's volumes"},
    {"working_dir", "workingDir"},
};

/* Forms of objects that compose files and beginners write as something else. */
static const char *const k_form[][2] = {
    {"Container", "{name: NAME, image: IMAGE}"},
    {"ContainerPort", "{containerPort: 8001}"},
    {"EnvVar", "{name: NAME, value: TEXT}"},
    {"LocalObjectReference", "{name: NAME}"},
    {"Volume", "{name: NAME, emptyDir: {}}"},
    {"VolumeMount", "{name: VOLUME, mountPath: /path}"},
};

static const char *find_word(const char *const (*table)[2], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i][0], name) == 0) {
            return table[i][1];
        }
    }
    return NULL;
}

static const struct type *find_type(const char *name)
{
    for (size_t i = 0; i < COUNT(k_type); i++) {
        if (strcmp(k_type[i].name, name) == 0) {
            return &k_type[i];
        }
    }
    return NULL;
}

/* ---- keys */

struct key {
    char name[KEY_BYTES], type[KEY_BYTES];
    bool required;
};

/* @return the text after the first key; NULL: the list is empty */
static const char *next_key(const char *keys, struct key *key)
{
    const size_t n = strcspn(keys, ":"), length = strcspn(keys, " ");
    if (keys[0] == '\0') {
        return NULL;
    }
    key->required = keys[n - 1] == '!';
    (void)snprintf(key->name, sizeof key->name, "%.*s", (int)n - (key->required ? 1 : 0), keys);
    (void)snprintf(key->type, sizeof key->type, "%.*s", (int)(length - n - 1), keys + n + 1);
    return keys + length + (keys[length] == ' ' ? 1 : 0);
}

static bool find_key(const struct type *type, const char *name, struct key *key)
{
    for (const char *at = next_key(type->keys, key); at != NULL; at = next_key(at, key)) {
        if (strcmp(key->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool refuse_key(const char *path, const struct type *type, const char *name,
                       struct web_error *error)
{
    char best[KEY_BYTES] = "";
    struct key key;
    struct mf_nearest nearest = {.word = name};
    const char *word = find_word(k_compose, COUNT(k_compose), name);
    if (word != NULL) {
        return web_refuse(error, 422, "pod", "%s has no '%.40s'; in Kubernetes it is %s", path,
                          name, word);
    }
    for (const char *at = next_key(type->keys, &key); at != NULL; at = next_key(at, &key)) {
        const unsigned before = nearest.distance;
        const bool none = nearest.best == NULL;
        mf_nearest_try(&nearest, key.name);
        if (nearest.best != NULL && (none || nearest.distance < before)) {
            (void)snprintf(best, sizeof best, "%s", key.name);
        }
    }
    return web_refuse(error, 422, "pod", "%s has no '%.40s'%s%s%s: it is a %s of Kubernetes", path,
                      name, best[0] != '\0' ? ", did you mean '" : "", best,
                      best[0] != '\0' ? "'?" : "", type->name);
}

/* ---- values */

static bool check(const char *path, const char *type, const json_t *value, struct web_error *error);

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static bool check_object(const char *path, const struct type *type, const json_t *object,
                         struct web_error *error)
{
    const char *name;
    const json_t *value;
    struct key key;
    char below[PATH_BYTES];
    if (!json_is_object(object)) {
        const char *form = find_word(k_form, COUNT(k_form), type->name);
        return web_refuse(error, 422, "pod", "%s must be %s%s", path,
                          form != NULL ? form : "an object: a ", form != NULL ? "" : type->name);
    }
    json_object_foreach((json_t *)object, name, value)
    {
        if (!find_key(type, name, &key)) {
            return refuse_key(path, type, name, error);
        }
        (void)snprintf(below, sizeof below, "%.118s.%.40s", path, name);
        if (!check(below, key.type, value, error)) {
            return false;
        }
    }
    for (const char *at = next_key(type->keys, &key); at != NULL; at = next_key(at, &key)) {
        if (key.required && json_object_get(object, key.name) == NULL) {
            return web_refuse(error, 422, "pod", "%s needs '%s'", path, key.name);
        }
    }
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static bool check_list(const char *path, const char *type, const json_t *list,
                       struct web_error *error)
{
    size_t i;
    const json_t *item;
    char below[PATH_BYTES];
    const char *form = find_word(k_form, COUNT(k_form), type);
    if (!json_is_array(list)) {
        return web_refuse(error, 422, "pod", "%s must be a list%s%s", path,
                          form != NULL ? ", each " : "", form != NULL ? form : "");
    }
    json_array_foreach(list, i, item)
    {
        (void)snprintf(below, sizeof below, "%.148s[%zu]", path, i % 1000);
        if (!check(below, type, item, error)) {
            return false;
        }
    }
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static bool check_map(const char *path, const char *type, const json_t *map,
                      struct web_error *error)
{
    const char *name;
    const json_t *value;
    char below[PATH_BYTES];
    if (!json_is_object(map)) {
        return web_refuse(error, 422, "pod", "%s must be an object", path);
    }
    json_object_foreach((json_t *)map, name, value)
    {
        (void)snprintf(below, sizeof below, "%.118s.%.40s", path, name);
        if (!check(below, type, value, error)) {
            return false;
        }
    }
    return true;
}

/* Kinds of value that a type takes, and how an error names it. */
enum { TEXT = 1, INTEGER = 2, REAL = 4, BOOLEAN = 8, OBJECT = 16 };
static const struct {
    char type;
    unsigned takes;
    const char *name;
} k_scalar[] = {
    {'s', TEXT, "a text"},
    {'i', INTEGER, "a whole number"},
    {'n', INTEGER | REAL, "a number"},
    {'b', BOOLEAN, "true or false"},
    {'q', TEXT | INTEGER | REAL, "a quantity such as 100m or 64M"},
    {'x', TEXT | INTEGER, "a number or a name"},
    {'o', OBJECT, "an object"},
};

static unsigned kind_of(const json_t *value)
{
    return json_is_string(value)    ? TEXT
           : json_is_integer(value) ? INTEGER
           : json_is_real(value)    ? REAL
           : json_is_boolean(value) ? BOOLEAN
           : json_is_object(value)  ? OBJECT
                                    : 0u;
}

static bool check_scalar(const char *path, char type, const json_t *value, struct web_error *error)
{
    const unsigned kind = kind_of(value);
    size_t i = 0;
    while (i + 1u < sizeof k_scalar / sizeof k_scalar[0] && k_scalar[i].type != type) {
        i++;
    }
    const bool unquoted = k_scalar[i].takes == TEXT && (kind & (INTEGER | REAL | BOOLEAN)) != 0;
    return (k_scalar[i].takes & kind) != 0 ||
           web_refuse(error, 422, "pod", "%s must be %s%s", path, k_scalar[i].name,
                      unquoted ? ": write it in quotes" : "");
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static bool check(const char *path, const char *type, const json_t *value, struct web_error *error)
{
    if (json_is_null(value)) {
        return true; /* as if it was not there */
    }
    if (type[0] == '[') {
        return check_list(path, type + 1, value, error);
    }
    if (type[0] == '{') {
        return check_map(path, type + 1, value, error);
    }
    const struct type *object = find_type(type);
    return object != NULL ? check_object(path, object, value, error)
                          : check_scalar(path, type[0], value, error);
}

bool simctl_pod_check(const char *path, const json_t *pod, struct web_error *error)
{
    static const struct type k_pod = {"PodTemplateSpec", "metadata:ObjectMeta spec!:PodSpec"};
    return check_object(path, &k_pod, pod, error);
}
