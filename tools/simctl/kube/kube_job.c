/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_job.h"

#include "host/time/virtual_message.h"
#include "tools/simctl/base/clock.h"
#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Resources of a container whose template names none. */
static const struct {
    const char *resource, *request, *limit;
} k_drone_limit[] = {{"cpu", "100m", "250m"}, {"memory", "64M", "256M"}},
  k_other_limit[] = {{"cpu", "100m", "1"}, {"memory", "128M", "512M"}};
#define RESOURCES 2u
#define GRACE     "terminationGracePeriodSeconds"
/*
 * Bytes of a recording's volume beyond its file, whose size the drone limits: Kubernetes evicts a
 * pod that needs more.
 */
#define RECORDING_SLACK 1000000

/* Environment of the drone's container; these values replace those of a template. */
static const char *const k_environment[][2] = {
    {"MAYFLY_API", "0.0.0.0:5759"}, /* bound to loopback no probe would reach it */
    {"MAYFLY_TCP", "0.0.0.0:5760"},
    {"MAYFLY_UDP", "0.0.0.0:5760"},
    {"MAYFLY_LOG", "json"},
    {"MAYFLY_API_TOKEN", SIMCTL_SECRET_PATH "/" SIMCTL_SECRET_TOKEN},
};

/* Member of an object, made if it is not there. */
static json_t *object_at(json_t *o, const char *name)
{
    json_t *member = json_object_get(o, name);
    if (!json_is_object(member)) { /* of another type it could not hold what must be there */
        member = json_object();
        (void)json_object_set_new(o, name, member);
    }
    return member;
}

static void set_if_missing(json_t *o, const char *name, json_t *value)
{
    if (json_object_get(o, name) == NULL) {
        (void)json_object_set_new(o, name, value);
    } else {
        json_decref(value);
    }
}

static void append(json_t *o, const char *name, json_t *value)
{
    json_t *list = json_object_get(o, name);
    if (list == NULL) {
        list = json_array();
        (void)json_object_set_new(o, name, list);
    }
    (void)json_array_append_new(list, value);
}

static void mount(json_t *container, const char *volume, const char *path, bool read_only)
{
    json_t *entry = json_pack("{s:s, s:s}", "name", volume, "mountPath", path);
    if (read_only) {
        (void)json_object_set_new(entry, "readOnly", json_true());
    }
    append(container, "volumeMounts", entry);
}

/* ---- a container */

/* A limit without a request is a request, too, so a request is set only where neither is there. */
static void set_limits(json_t *container, bool drone)
{
    json_t *resources = object_at(container, "resources");
    json_t *requests = object_at(resources, "requests"), *limits = object_at(resources, "limits");
    for (size_t i = 0; i < RESOURCES; i++) {
        const char *name = drone ? k_drone_limit[i].resource : k_other_limit[i].resource;
        if (json_object_get(limits, name) == NULL) {
            set_if_missing(
                requests, name,
                json_string(drone ? k_drone_limit[i].request : k_other_limit[i].request));
            (void)json_object_set_new(
                limits, name, json_string(drone ? k_drone_limit[i].limit : k_other_limit[i].limit));
        }
    }
}

/* The restricted profile of the Pod Security Standards, and a root that cannot be written to. */
static void set_security(json_t *container)
{
    json_t *security = object_at(container, "securityContext");
    (void)json_object_set_new(security, "allowPrivilegeEscalation", json_false());
    (void)json_object_set_new(security, "capabilities", json_pack("{s:[s]}", "drop", "ALL"));
    set_if_missing(security, "readOnlyRootFilesystem", json_true());
}

static json_t *probe(const char *path, int period_s, int failures)
{
    return json_pack("{s:{s:s, s:i}, s:i, s:i}", "httpGet", "path", path, "port", SIMCTL_API_PORT,
                     "periodSeconds", period_s, "failureThreshold", failures);
}

/* A template may have declared the port; a second one of its number would be a warning. */
static void set_api_port(json_t *container)
{
    size_t i;
    json_t *port;
    json_array_foreach(json_object_get(container, "ports"), i, port)
    {
        if (json_integer_value(json_object_get(port, "containerPort")) == SIMCTL_API_PORT) {
            set_if_missing(port, "name", json_string(SIMCTL_API_PORT_NAME));
            return;
        }
    }
    append(container, "ports",
           json_pack("{s:s, s:i}", "name", SIMCTL_API_PORT_NAME, "containerPort", SIMCTL_API_PORT));
}

static void set_drone(json_t *container, const struct simctl_order *order, json_int_t pod_s)
{
    char lifetime[24];
    for (size_t i = 0; i < sizeof k_environment / sizeof k_environment[0]; i++) {
        simctl_set_variable(container, k_environment[i][0], k_environment[i][1]);
    }
    (void)snprintf(lifetime, sizeof lifetime, "%lld", (long long)pod_s);
    simctl_set_variable(container, "MAYFLY_LIFETIME", lifetime);
    if (order->template->geoid[0] != '\0') {
        simctl_set_variable(container, "MAYFLY_GEOID_FINGERPRINT", order->template->geoid);
    }
    mount(container, SIMCTL_SECRET_VOLUME, SIMCTL_SECRET_PATH, true);
    set_api_port(container);
    set_if_missing(container, "startupProbe", probe("/readyz", 1, 60));
    set_if_missing(container, "livenessProbe", probe("/healthz", 10, 3));
}

/* ---- the pod */

/* Limit a time that an end may take [s]. An absent time stays absent. */
static void cap_end(json_t *o, const char *name, json_int_t most_s)
{
    if (json_number_value(json_object_get(o, name)) > (double)most_s) {
        (void)json_object_set_new(o, name, json_integer(most_s));
    }
}

/* Limit the times of a pod to end, and of its containers' probes and hooks. The API server demands
 * that a hook takes no longer than its pod. */
static void cap_ends(json_t *spec)
{
    static const char *const k_list[] = {"initContainers", "containers"};
    size_t i;
    const json_t *container;
    if (!json_is_integer(json_object_get(spec, GRACE))) { /* absent or null: 30 s */
        (void)json_object_set_new(spec, GRACE, json_integer(SIMCTL_END_GRACE_S));
    }
    cap_end(spec, GRACE, SIMCTL_END_GRACE_S);
    const json_int_t pod_s = json_integer_value(json_object_get(spec, GRACE));
    for (size_t k = 0; k < sizeof k_list / sizeof k_list[0]; k++) {
        json_array_foreach(json_object_get(spec, k_list[k]), i, container)
        {
            const json_t *hook =
                json_object_get(json_object_get(container, "lifecycle"), "preStop");
            cap_end(json_object_get(container, "startupProbe"), GRACE, SIMCTL_END_GRACE_S);
            cap_end(json_object_get(container, "livenessProbe"), GRACE, SIMCTL_END_GRACE_S);
            cap_end(json_object_get(hook, "sleep"), "seconds", pod_s);
        }
    }
}

static void set_pod(json_t *spec, const char *id, json_int_t pod_s)
{
    json_t *security = object_at(spec, "securityContext");
    (void)json_object_set_new(spec, "restartPolicy", json_string("Never"));
    (void)json_object_set_new(spec, "activeDeadlineSeconds", json_integer(pod_s));
    (void)json_object_set_new(security, "runAsNonRoot", json_true());
    (void)json_object_set_new(security, "seccompProfile",
                              json_pack("{s:s}", "type", "RuntimeDefault"));
    set_if_missing(security, "fsGroup", json_integer(SIMCTL_GROUP));
    append(spec, "volumes",
           json_pack("{s:s, s:{s:s, s:i, s:[{s:s, s:s}]}}", "name", SIMCTL_SECRET_VOLUME, "secret",
                     "secretName", id, "defaultMode", SIMCTL_SECRET_MODE, "items", "key",
                     SIMCTL_SECRET_TOKEN, "path", SIMCTL_SECRET_TOKEN));
    set_if_missing(spec, "automountServiceAccountToken", json_false());
    set_if_missing(spec, "enableServiceLinks", json_false());
    cap_ends(spec);
}

static json_t *file_item(const char *name)
{
    return json_pack("{s:s, s:s}", "key", name, "path", name);
}

static void set_certificates(json_t *template, const struct simctl_order *order)
{
    const struct simctl_template *t = order->template;
    json_t *container = simctl_container(template, t->certificates.container);
    if (container == NULL) {
        return;
    }
    append(json_object_get(template, "spec"), "volumes",
           json_pack("{s:s, s:{s:s, s:i, s:[o, o, o]}}", "name", SIMCTL_CERTIFICATES_VOLUME,
                     "secret", "secretName", order->id, "defaultMode", SIMCTL_SECRET_MODE, "items",
                     file_item(SIMCTL_CERTIFICATE_FILE), file_item(SIMCTL_PRIVATE_KEY_FILE),
                     file_item(SIMCTL_AUTHORITY_FILE)));
    mount(container, SIMCTL_CERTIFICATES_VOLUME, t->certificates.path, true);
    simctl_set_variable(container, SIMCTL_CERTIFICATES_VARIABLE, t->certificates.path);
}

/* A container of ours before all of the template: `simctl COMMAND ARGUMENT`. */
static json_t *first_container(json_t *spec, const struct simctl_template *t, const char *name,
                               const char *command, const char *argument)
{
    json_t *container =
        json_pack("{s:s, s:s, s:s, s:[s, s, s], s:{s:{s:s, s:s}, s:{s:s, s:s}}}", "name", name,
                  "image", t->recorder, "imagePullPolicy", "IfNotPresent", "command", "simctl",
                  command, argument, "resources", "requests", "cpu", "10m", "memory", "16M",
                  "limits", "cpu", "100m", "memory", "64M");
    set_if_missing(spec, "initContainers", json_array());
    (void)json_array_insert_new(json_object_get(spec, "initContainers"), 0, container);
    return container;
}

static void set_recording(json_t *template, const struct simctl_template *t)
{
    char most[24];
    json_t *spec = json_object_get(template, "spec");
    json_t *drone = simctl_container(template, t->emulator);
    if (t->recording_bytes == 0 || drone == NULL) {
        return;
    }
    append(spec, "volumes",
           json_pack("{s:s, s:{s:I}}", "name", SIMCTL_RECORDING_VOLUME, "emptyDir", "sizeLimit",
                     (json_int_t)t->recording_bytes + RECORDING_SLACK));
    mount(drone, SIMCTL_RECORDING_VOLUME, SIMCTL_RECORDING_PATH, false);
    (void)snprintf(most, sizeof most, "%lld", (long long)t->recording_bytes);
    simctl_set_variable(drone, "MAYFLY_RECORD", SIMCTL_RECORDING_PATH "/" SIMCTL_RECORDING_FILE);
    simctl_set_variable(drone, "MAYFLY_RECORD_MAX", most);
    /* The recorder begins before the drone, so Kubernetes ends it after the drone, when the
     * recording is whole. */
    json_t *recorder = first_container(spec, t, SIMCTL_RECORDER, SIMCTL_RECORD,
                                       SIMCTL_RECORDING_PATH "/" SIMCTL_RECORDING_FILE);
    (void)json_object_set_new(recorder, "restartPolicy", json_string("Always"));
    mount(recorder, SIMCTL_RECORDING_VOLUME, SIMCTL_RECORDING_PATH, true);
}

/* The drone sees the end of processes only among its own: the containers share them. */
static void set_virtual_time(json_t *template, const struct simctl_template *t)
{
    static const char k_socket[] = SIMCTL_CLOCK_PATH "/" SIMCTL_CLOCK_SOCKET;
    json_t *spec = json_object_get(template, "spec");
    json_t *drone = simctl_container(template, t->emulator);
    json_t *onboard = simctl_container(template, t->onboard);
    if (!t->virtual_time || drone == NULL || onboard == NULL) {
        return;
    }
    (void)json_object_set_new(spec, "shareProcessNamespace", json_true());
    append(spec, "volumes", json_pack("{s:s, s:{}}", "name", SIMCTL_CLOCK_VOLUME, "emptyDir"));
    mount(drone, SIMCTL_CLOCK_VOLUME, SIMCTL_CLOCK_PATH, false);
    simctl_set_variable(drone, "MAYFLY_VIRTUAL_SOCKET", k_socket);
    mount(onboard, SIMCTL_CLOCK_VOLUME, SIMCTL_CLOCK_PATH, true);
    simctl_set_variable(onboard, "LD_PRELOAD", SIMCTL_CLOCK_PATH "/" MF_VIRTUAL_LIBRARY);
    simctl_set_variable(onboard, MF_VIRTUAL_ENV, k_socket);
    mount(first_container(spec, t, SIMCTL_CLOCK, SIMCTL_CLOCK_COPY, SIMCTL_CLOCK_PATH),
          SIMCTL_CLOCK_VOLUME, SIMCTL_CLOCK_PATH, false);
}

static void set_containers(json_t *list, const struct simctl_order *order, json_int_t pod_s)
{
    size_t i;
    json_t *container;
    json_array_foreach(list, i, container)
    {
        const char *name = simctl_shape_text(container, "name", "");
        const bool drone = strcmp(name, order->template->emulator) == 0;
        set_limits(container, drone);
        set_security(container);
        /* The end of its log stays in the pod's status after the pod and its logs are gone. */
        set_if_missing(container, "terminationMessagePolicy", json_string("FallbackToLogsOnError"));
        if (drone) {
            set_drone(container, order, pod_s);
        }
    }
}

/* ---- objects */

/* The template's come after the caller's, since its network policies may select by them, and the
 * controller's last: no template or caller can say that an object is another instance's.
 * @param more  of the template; NULL: none */
static json_t *labels_of(const struct simctl_order *order, const json_t *more)
{
    json_t *labels = json_deep_copy(order->labels);
    (void)json_object_update(labels, (json_t *)more);
    (void)json_object_set_new(labels, SIMCTL_KEY_INSTANCE, json_string(order->id));
    (void)json_object_set_new(labels, SIMCTL_KEY_TEMPLATE, json_string(order->template->name));
    (void)json_object_set_new(labels, SIMCTL_KEY_MANAGED, json_string(SIMCTL_MANAGED));
    return labels;
}

void simctl_kube_deadlines(const struct simctl_order *order, json_int_t *pod_s, json_int_t *job_s)
{
    const struct simctl_template *t = order->template;
    *pod_s = (json_int_t)ceil(t->extend ? t->lifetime_max_s : order->lifetime_s);
    *job_s = (json_int_t)ceil(order->lifetime_s) + (t->extend ? 0 : SIMCTL_JOB_GRACE_S);
}

/*
 * Make one annotation of the whole order, with those parts of its template that readers need: a
 * reader of the Job learns the request, even after the template has changed.
 */
static json_t *annotations_of(const struct simctl_order *order)
{
    const struct simctl_template *t = order->template;
    json_t *asked = json_pack("{s:O, s:O, s:f, s:s, s:s, s:s, s:b}", "values", order->values,
                              "labels", order->labels, "lifetime_s", order->lifetime_s, "emulator",
                              t->emulator, "onboard", t->onboard, "restarted",
                              t->restarted == SIMCTL_RESTARTED_ENDED ? "ended" : "degraded",
                              "recording", t->recording_bytes > 0);
    char *text = json_dumps(asked, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    json_t *annotations =
        json_pack("{s:s, s:s}", SIMCTL_KEY_HASH, order->hash, SIMCTL_KEY_ORDER, text);
    free(text);
    json_decref(asked);
    return annotations;
}

const char *simctl_kube_job_name(const struct simctl_order *order)
{
    return order->request[0] != '\0' ? order->request : order->id;
}

json_t *simctl_kube_job(const struct simctl_order *order, const json_t *pod)
{
    json_int_t pod_s, job_s;
    json_t *template = json_deep_copy(pod);
    json_t *metadata = object_at(template, "metadata"), *spec = json_object_get(template, "spec");
    (void)json_object_del(metadata, "finalizers"); /* a pod with one would never go */
    simctl_kube_deadlines(order, &pod_s, &job_s);
    set_pod(spec, order->id, pod_s);
    set_recording(template, order->template);
    set_virtual_time(template, order->template);
    set_containers(json_object_get(spec, "initContainers"), order, pod_s);
    set_containers(json_object_get(spec, "containers"), order, pod_s);
    set_certificates(template, order);
    (void)json_object_set_new(metadata, "labels",
                              labels_of(order, json_object_get(metadata, "labels")));
    return json_pack("{s:s, s:s, s:{s:s, s:o, s:o}, s:{s:i, s:I, s:i, s:o}}", "apiVersion",
                     "batch/v1", "kind", "Job", "metadata", "name", simctl_kube_job_name(order),
                     "labels", labels_of(order, NULL), "annotations", annotations_of(order), "spec",
                     "backoffLimit", 0, "activeDeadlineSeconds", job_s, "ttlSecondsAfterFinished",
                     (int)ceil(order->template->ttl_s), "template", template);
}

void simctl_kube_images(json_t *job, const json_t *images)
{
    static const char *const k_list[] = {"initContainers", "containers"};
    const json_t *template = json_object_get(json_object_get(job, "spec"), "template");
    const json_t *spec = json_object_get(template, "spec");
    size_t i;
    json_t *container;
    for (size_t k = 0; k < sizeof k_list / sizeof k_list[0]; k++) {
        json_array_foreach(json_object_get(spec, k_list[k]), i, container)
        {
            json_t *other = json_object_get(images, simctl_shape_text(container, "image", ""));
            if (other != NULL) {
                (void)json_object_set(container, "image", other);
            }
        }
    }
}

json_t *simctl_kube_pod(const json_t *job)
{
    json_t *pod = json_deep_copy(json_object_get(json_object_get(job, "spec"), "template"));
    const char *name = simctl_shape_text(json_object_get(job, "metadata"), "name", "");
    (void)json_object_set_new(pod, "apiVersion", json_string("v1"));
    (void)json_object_set_new(pod, "kind", json_string("Pod"));
    (void)json_object_set_new(object_at(pod, "metadata"), "name", json_string(name));
    return pod;
}

/* Deleted with the Job. */
static json_t *owner(const struct simctl_order *order, const char *job_uid)
{
    return json_pack("[{s:s, s:s, s:s, s:s, s:b}]", "apiVersion", "batch/v1", "kind", "Job", "name",
                     simctl_kube_job_name(order), "uid", job_uid, "blockOwnerDeletion", 0);
}

json_t *simctl_kube_secret(const struct simctl_order *order, const char *job_uid, const char *token,
                           const struct simctl_minted *minted)
{
    json_t *data = json_pack("{s:s}", SIMCTL_SECRET_TOKEN, token);
    if (minted != NULL) {
        (void)json_object_update_new(data, json_pack("{s:s, s:s, s:s}", SIMCTL_CERTIFICATE_FILE,
                                                     minted->certificate, SIMCTL_PRIVATE_KEY_FILE,
                                                     minted->key, SIMCTL_AUTHORITY_FILE,
                                                     minted->authority));
    }
    return json_pack("{s:s, s:s, s:{s:s, s:o, s:o}, s:b, s:o}", "apiVersion", "v1", "kind",
                     "Secret", "metadata", "name", order->id, "labels", labels_of(order, NULL),
                     "ownerReferences", owner(order, job_uid), "immutable", 1, "stringData", data);
}

static json_t *service_port(const char *name, const char *protocol, int port)
{
    return json_pack("{s:s, s:s, s:i}", "name", name, "protocol", protocol, "port", port);
}

json_t *simctl_kube_service(const struct simctl_order *order, const char *job_uid)
{
    return json_pack("{s:s, s:s, s:{s:s, s:o, s:o}, s:{s:s, s:b, s:{s:s}, s:[o, o, o]}}",
                     "apiVersion", "v1", "kind", "Service", "metadata", "name", order->id, "labels",
                     labels_of(order, NULL), "ownerReferences", owner(order, job_uid), "spec",
                     "type", "NodePort", "publishNotReadyAddresses", 1, "selector",
                     SIMCTL_KEY_INSTANCE, order->id, "ports",
                     service_port("mavlink-tcp", "TCP", SIMCTL_MAVLINK_PORT),
                     service_port("mavlink-udp", "UDP", SIMCTL_MAVLINK_PORT),
                     service_port("api", "TCP", SIMCTL_API_PORT));
}

/* ---- patches */

/* Patch of one object, and of no other one of its name. */
static json_t *patch_of(const char *uid, const char *version, json_t *annotations, json_int_t end_s)
{
    json_t *patch = json_pack("{s:{s:s, s:s*, s:o*}}", "metadata", "uid", uid, "resourceVersion",
                              version, "annotations", annotations);
    if (end_s > 0) {
        (void)json_object_set_new(patch, "spec",
                                  json_pack("{s:I}", "activeDeadlineSeconds", end_s));
    }
    return patch;
}

static void set_time(json_t *annotations, const char *key, int64_t utc_us)
{
    char text[32];
    if (utc_us != 0) {
        simctl_utc_text(utc_us, text);
        (void)json_object_set_new(annotations, key,
                                  json_sprintf("%.*sZ", (int)strcspn(text, "."), text));
    }
}

json_t *simctl_kube_end(const char *uid, const char *version, const char *outcome,
                        const char *reason, bool at_once, const struct simctl_instance *seen)
{
    json_t *annotations =
        json_pack("{s:s, s:s}", SIMCTL_KEY_OUTCOME, outcome, SIMCTL_KEY_REASON, reason);
    if (seen != NULL) {
        set_time(annotations, SIMCTL_KEY_SCHEDULED, seen->scheduled_us);
        set_time(annotations, SIMCTL_KEY_STARTED, seen->started_us);
        set_time(annotations, SIMCTL_KEY_READY, seen->ready_us);
    }
    return patch_of(uid, version, annotations, at_once ? 1 : 0);
}

json_t *simctl_kube_waits(const char *uid, const char *version, const char *outcome,
                          const char *reason)
{
    return patch_of(uid, version,
                    json_pack("{s:o}", SIMCTL_KEY_WAITS, json_sprintf("%s %s", outcome, reason)),
                    0);
}

json_t *simctl_kube_end_pod(const char *uid)
{
    return patch_of(uid, NULL, NULL, 1);
}

json_t *simctl_kube_extend(const char *uid, const char *version, json_int_t lifetime_s)
{
    return patch_of(
        uid, version,
        json_pack("{s:o}", SIMCTL_KEY_LIFETIME, json_sprintf("%" JSON_INTEGER_FORMAT, lifetime_s)),
        lifetime_s);
}
